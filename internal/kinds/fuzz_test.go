// What must hold for any name of a service. The seeds are in testdata/fuzz.

package kinds

import "testing"

func FuzzSplitName(f *testing.F) {
	f.Fuzz(func(t *testing.T, name string) {
		bracketed, rest := splitName(name)
		whole := rest
		if bracketed != "" {
			whole = "[" + bracketed + "] " + rest
		}
		if whole != name {
			t.Errorf("%q is taken apart into %q and %q", name, bracketed, rest)
		}
		if workflow, inside := splitName("[" + name + "] x"); balanced(name) && name != "" && (workflow != name || inside != "x") {
			t.Errorf("a service in the workflow %q is taken apart into %q and %q", name, workflow, inside)
		}
	})
}

// balanced tells whether every bracket of a name is closed in it.
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
