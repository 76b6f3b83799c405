// This file tests names of services; the seeds of the fuzz test are in testdata.

package servicename_test

import (
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/servicename"
)

func TestSplit(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][2]string{
		"[W] s":            {"W", "s"},
		"[[W1] W2] s":      {"[W1] W2", "s"},
		"[[[W1] W2] W3] s": {"[[W1] W2] W3", "s"},
		"[Shared] [x] a":   {"Shared", "[x] a"},
		"[W] ":             {"W", ""},
		"[Größe] ü":        {"Größe", "ü"},
		"s":                {"", "s"},
		"s [W] t":          {"", "s [W] t"},
		"[W]s":             {"", "[W]s"},
		"[W s":             {"", "[W s"},
		"[] s":             {"", "[] s"},
		"] s":              {"", "] s"},
		"]] s":             {"", "]] s"},
		"":                 {"", ""},
	} {
		if workflow, scoped := servicename.Split(name); workflow != want[0] || scoped != want[1] {
			t.Errorf("%q is %q and %q, want %q", name, workflow, scoped, want)
		}
	}
}

// FuzzSplit splits and joins any name. "[] x" is not the name of a service in a
// workflow.
func FuzzSplit(f *testing.F) {
	f.Fuzz(func(t *testing.T, name string) {
		if workflow, scoped := servicename.Split(name); servicename.Join(workflow, scoped) != name {
			t.Errorf("%q is taken apart into %q and %q", name, workflow, scoped)
		}
		if workflow, scoped := servicename.Split(servicename.Join(name, "x")); name != "" && balanced(name) && (workflow != name || scoped != "x") {
			t.Errorf("a service in the workflow %q is taken apart into %q and %q", name, workflow, scoped)
		}
	})
}

// balanced reports whether every bracket of a name is closed in it.
func balanced(name string) bool {
	depth := 0
	for _, r := range name {
		switch r {
		case '[':
			depth++
		case ']':
			depth--
		}
		if depth < 0 {
			return false
		}
	}
	return depth == 0
}

func TestMeant(t *testing.T) {
	t.Parallel()
	shared := []string{"[Shared] Start", "[Shared] End"}
	for name, want := range map[string]string{
		"Start": "[Shared] Start", "end": "[Shared] End", "[Shared]Start": "[Shared] Start", "[shared] start": "[Shared] Start", "Shared Start": "",
		"[Shared] Start": "", "[W] Start": "", "Restart": "", "": "",
	} {
		if got := servicename.Meant(name, shared); got != want {
			t.Errorf("%q means %q, want %q", name, got, want)
		}
	}
}
