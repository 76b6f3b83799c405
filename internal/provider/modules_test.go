// This file runs the tests of the modules among the examples, by the real
// Terraform with the provider as it is in the tree.

package provider_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// passes is the last line of `terraform test` when there were tests and all of
// them passed.
var passes = regexp.MustCompile(`Success! [1-9]\d* passed, 0 failed`)

// Each module passes its own tests, against a server of its own.
func TestModules(t *testing.T) {
	t.Parallel()
	modules, err := os.ReadDir(moduleDirectory)
	if err != nil {
		t.Fatal(err)
	}
	for _, module := range modules {
		t.Run(module.Name(), func(t *testing.T) {
			t.Parallel()
			w := newModuleWorkspace(t, newServer(t), module.Name())
			if code, out := w.run("test", "-no-color"); code != 0 || !passes.MatchString(out) {
				t.Errorf("test ended with %d:\n%s", code, out)
			}
		})
	}
}

// moduleDirectory holds the modules, seen from this package.
const moduleDirectory = "../../examples/modules"

// newModuleWorkspace is a workspace with a module as its configuration and with the
// server in its environment.
func newModuleWorkspace(t *testing.T, s *server, module string) *workspace {
	t.Helper()
	s.onlySimulated("the names in the tests of modules have no prefix")
	w := newWorkspace(t)
	w.needs(1, 8, "functions of providers and mocked providers")
	if err := os.CopyFS(w.dir, os.DirFS(filepath.Join(moduleDirectory, module))); err != nil {
		t.Fatal(err)
	}
	w.environment = append(w.environment, "ENMS_BASE_URL="+s.url, "ENMS_USERNAME="+s.user, "ENMS_PASSWORD="+s.password)
	if code, out := w.run("get", "-no-color"); code != 0 {
		t.Fatalf("get ended with %d:\n%s", code, out)
	}
	return w
}

// needs skips a test on a Terraform or OpenTofu that is older than it needs.
func (w *workspace) needs(major, minor int, what string) {
	w.t.Helper()
	code, out := w.run("version", "-json")
	var version struct {
		Text string `json:"terraform_version"`
	}
	if err := json.Unmarshal([]byte(out), &version); code != 0 || err != nil {
		w.t.Fatalf("version ended with %d: %v\n%s", code, err, out)
	}
	var have [2]int
	if _, err := fmt.Sscanf(version.Text, "%d.%d.", &have[0], &have[1]); err != nil {
		w.t.Fatalf("version %q: %v", version.Text, err)
	}
	if slices.Compare(have[:], []int{major, minor}) < 0 {
		w.t.Skipf("%d.%d is needed for %s; this is %s", major, minor, what, version.Text)
	}
}
