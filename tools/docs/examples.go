// This file holds the examples against the schema, by Terraform itself. What it is too
// old for is left out, and told: the tests of the provider hold that, too.

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/go-version"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

// byIdentity and byID are two ways to import the same resource, which no configuration
// may hold together.
const (
	byIdentity = "import-by-identity.tf"
	byID       = "import-by-string-id.tf"
)

// example is a configuration among the examples.
type example struct {
	dir     string
	without string   // a file of dir that it does not hold
	since   string   // the version that reads it first; empty for all
	only    string   // the program that reads it; empty for both
	options []string // of the command that validates it
}

// validateExamples checks the examples by the schema.
func validateExamples(ctx context.Context, w *workshop.Workshop) error {
	examples, err := configurations(filepath.Join(w.Root, "examples"))
	if err != nil {
		return err
	}
	have, err := versionOf(ctx, w)
	if err != nil {
		return err
	}
	var problems []error
	unread := map[string]int{}
	for i, e := range examples {
		if !e.isReadBy(w.Name(), have) {
			unread[e.since]++
			continue
		}
		problem, err := validate(ctx, w, e, filepath.Join(w.Dir, "data", strconv.Itoa(i)))
		if err != nil {
			return err
		}
		problems = append(problems, problem)
	}
	for _, since := range slices.Sorted(maps.Keys(unread)) {
		fmt.Fprintf(os.Stderr, "docs: %d examples are not validated here: they are for Terraform %s, this is %s %s\n", unread[since], since, w.Name(), have)
	}
	return errors.Join(problems...)
}

// configurations lists those below a directory.
func configurations(root string) ([]example, error) {
	var examples []example
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		e := example{dir: filepath.Dir(file)}
		isIn := func(kind string) bool { return filepath.Dir(e.dir) == filepath.Join(root, kind) }
		switch {
		case err != nil || entry.IsDir():
			return err
		case strings.HasSuffix(file, ".tfquery.hcl"):
			e.since, e.only, e.options = "1.14", "terraform", []string{"-query"}
		case filepath.Ext(file) != ".tf":
			return nil
		case isIn("actions"):
			e.since, e.only = "1.14", "terraform"
		case e.dir == filepath.Join(root, "decommission"): // actions around deletions
			e.since, e.only = "1.16", "terraform"
		case entry.Name() == byIdentity:
			e.since, e.without = "1.12", byID
		case exists(filepath.Join(e.dir, byIdentity)):
			e.without = byIdentity
		}
		if !slices.ContainsFunc(examples, e.is) {
			examples = append(examples, e)
		}
		return nil
	})
	return examples, err
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func (e example) is(other example) bool { return e.dir == other.dir && e.without == other.without }

// isReadBy reports whether a program of that name and version reads the configuration.
func (e example) isReadBy(name string, have *version.Version) bool {
	if e.only != "" && !strings.HasPrefix(name, e.only) {
		return false
	}
	return e.since == "" || have.Core().GreaterThanOrEqual(version.Must(version.NewVersion(e.since)))
}

func versionOf(ctx context.Context, w *workshop.Workshop) (*version.Version, error) {
	result, err := w.Run(ctx, w.Dir, nil, "version", "-json")
	if err != nil {
		return nil, err
	}
	var have struct {
		Version string `json:"terraform_version"`
	}
	if err := json.Unmarshal([]byte(result.Stdout), &have); err != nil {
		return nil, fmt.Errorf("%s version: %w\n%s", w.Name(), err, result.Output())
	}
	return version.NewVersion(have.Version)
}

// validate tells what is wrong with a configuration. The modules that it calls are
// noted in data, so that nothing is left beside the examples.
func validate(ctx context.Context, w *workshop.Workshop, e example, data string) (problem, err error) {
	dir := e.dir
	if e.without != "" {
		dir = data + "-copy"
		if err := os.CopyFS(dir, os.DirFS(e.dir)); err != nil {
			return nil, err
		}
		if err := os.Remove(filepath.Join(dir, e.without)); err != nil {
			return nil, err
		}
	}
	for _, args := range [][]string{{"get", "-no-color"}, append([]string{"validate", "-no-color"}, e.options...)} {
		result, err := w.Run(ctx, dir, []string{"TF_DATA_DIR=" + data}, args...)
		if err != nil {
			return nil, err
		}
		if result.Code != 0 {
			return fmt.Errorf("%s: %s", e.dir, result.Output()), nil
		}
	}
	return nil, nil
}
