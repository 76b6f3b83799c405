// Command docs makes docs/ from the provider's schema, templates/ and examples/.
// It formats the examples, fails when something is not documented or has no
// example, and when an example does not fit the schema. It needs Terraform or
// OpenTofu on the PATH and no network.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/internal/workshop"
)

func main() {
	root := flag.String("root", "..", "the provider's source tree")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := generate(ctx, *root)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "docs:", err)
		os.Exit(1)
	}
}

func generate(ctx context.Context, root string) (err error) {
	w, err := workshop.New(ctx, root)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if err := format(ctx, w); err != nil {
		return err
	}
	schema, err := readSchema(ctx, w)
	if err != nil {
		return err
	}
	if err := errors.Join(schema.check(w.Root)...); err != nil {
		return err
	}
	if err := validateExamples(ctx, w); err != nil {
		return err
	}
	if err := render(ctx, w, schema); err != nil {
		return err
	}
	return renderServiceTypes(ctx, w)
}

func format(ctx context.Context, w *workshop.Workshop) error {
	result, err := w.Run(ctx, w.Root, nil, "fmt", "-recursive", "examples")
	if err == nil && result.Code != 0 {
		err = fmt.Errorf("%s fmt: %s", w.Name(), result.Output())
	}
	return err
}

// validateExamples holds each directory with examples against the schema.
func validateExamples(ctx context.Context, w *workshop.Workshop) error {
	dirs, err := exampleDirs(filepath.Join(w.Root, "examples"))
	if err != nil {
		return err
	}
	var problems []error
	for i, dir := range dirs {
		problem, err := validate(ctx, w, dir, filepath.Join(w.Dir, "data", strconv.Itoa(i)))
		if err != nil {
			return err
		}
		problems = append(problems, problem)
	}
	return errors.Join(problems...)
}

// renderServiceTypes has the provider's own tables written as a page, which are no
// part of the schema.
func renderServiceTypes(ctx context.Context, w *workshop.Workshop) error {
	cmd := workshop.Command(ctx, "go", "run", "./internal/kinds/cmd/service-types")
	cmd.Dir, cmd.Stderr = w.Root, os.Stderr
	page, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("service-types: %w", err)
	}
	return os.WriteFile(filepath.Join(w.Root, "docs", "guides", "service-types.md"), page, 0o644)
}

// validate tells what is wrong with a configuration. The modules that it calls are
// noted in data, so that nothing is left beside the examples.
func validate(ctx context.Context, w *workshop.Workshop, dir, data string) (problem, err error) {
	for _, args := range [][]string{{"get", "-no-color"}, {"validate", "-no-color"}} {
		result, err := w.Run(ctx, dir, []string{"TF_DATA_DIR=" + data}, args...)
		if err != nil {
			return nil, err
		}
		if result.Code != 0 {
			return fmt.Errorf("%s: %s", dir, result.Output()), nil
		}
	}
	return nil, nil
}

// render has tfplugindocs write the pages. It is given the schema, because it
// would fetch a Terraform of its own otherwise.
func render(ctx context.Context, w *workshop.Workshop, s *providerSchema) error {
	file := filepath.Join(w.Dir, "schema.json")
	if err := os.WriteFile(file, s.file, 0o600); err != nil {
		return err
	}
	cmd := workshop.Command(ctx, "go", "tool", "tfplugindocs", "generate",
		"--provider-dir", w.Root, "--provider-name", "terraform-provider-"+provider, "--rendered-provider-name", "eNMS",
		"--providers-schema", file)
	cmd.Dir = filepath.Join(w.Root, "tools")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("tfplugindocs: %w\n%s", err, out)
	}
	return nil
}
