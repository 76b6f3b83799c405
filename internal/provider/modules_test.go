// This file runs the tests of the modules among the examples, by the real
// Terraform with the provider as it is in the tree.

package provider_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"testing"
)

// passes is the last line of `terraform test` when there were tests and all of
// them passed.
var passes = regexp.MustCompile(`Success! [1-9]\d* passed, 0 failed`)

func TestModuleWorkflow(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t)
	w.needs(1, 8, "functions of providers and mocked providers")
	if err := os.CopyFS(w.dir, os.DirFS("../../examples/modules/workflow")); err != nil {
		t.Fatal(err)
	}
	if code, out := w.run("test", "-no-color"); code != 0 || !passes.MatchString(out) {
		t.Errorf("test ended with %d:\n%s", code, out)
	}
}

// needs skips a test on a Terraform or OpenTofu that is older than it needs.
func (w *workspace) needs(major, minor int, what string) {
	w.t.Helper()
	if version := w.version(); slices.Compare(version[:], []int{major, minor}) < 0 {
		w.t.Skipf("%d.%d is needed for %s; this is %d.%d", major, minor, what, version[0], version[1])
	}
}

// version is the first two numbers of the version of Terraform or OpenTofu.
func (w *workspace) version() (numbers [2]int) {
	w.t.Helper()
	code, out := w.run("version", "-json")
	var version struct {
		Text string `json:"terraform_version"`
	}
	if err := json.Unmarshal([]byte(out), &version); code != 0 || err != nil {
		w.t.Fatalf("version ended with %d: %v\n%s", code, err, out)
	}
	if _, err := fmt.Sscanf(version.Text, "%d.%d.", &numbers[0], &numbers[1]); err != nil {
		w.t.Fatalf("version %q: %v", version.Text, err)
	}
	return numbers
}
