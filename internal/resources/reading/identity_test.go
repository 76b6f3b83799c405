// Tests of which instance is the one in a state.

package reading

import "testing"

// The name and the content say which instance it is; the id only if another instance with other
// content has the name.
func TestMayBeRenamed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		id       string
		withName *named
		want     bool
	}{
		"unknown id":                 {"", nil, false},
		"no instance with the name":  {"7", nil, true},
		"same id":                    {"7", &named{"7", true}, false},
		"same id, drift":             {"7", &named{"7", false}, false},
		"restored":                   {"7", &named{"9", true}, false},
		"restored with a smaller id": {"7", &named{"3", true}, false},
		"other content":              {"7", &named{"9", false}, true},
	} {
		if got := mayBeRenamed(test.id, test.withName); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// Ids are compared as numbers, and say nothing if they are none.
func TestIsOlder(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		id, inState string
		want        bool
	}{
		{"3", "7", true}, {"9", "7", false}, {"7", "7", false}, {"10", "9", false}, {"9", "10", true}, {"9", "x", false}, {"x", "9", false},
	} {
		if got := IsOlder(test.id, test.inState); got != test.want {
			t.Errorf("%s and %s: %v, want %v", test.id, test.inState, got, test.want)
		}
	}
}
