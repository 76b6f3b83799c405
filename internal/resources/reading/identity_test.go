// Tests of which instance is the one in a state.

package reading

import "testing"

// The name and the content say which instance it is; the id only if another instance with other
// content has the name, and was made later.
func TestMayBeRenamed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		id       string
		withName *Named
		want     bool
	}{
		"unknown id":                               {"", nil, false},
		"no instance with the name":                {"7", nil, true},
		"same id":                                  {"7", &Named{"7", true}, false},
		"same id, drift":                           {"7", &Named{"7", false}, false},
		"restored":                                 {"7", &Named{"9", true}, false},
		"restored with a smaller id":               {"7", &Named{"3", true}, false},
		"other content, made later":                {"7", &Named{"9", false}, true},
		"other content, made earlier":              {"7", &Named{"3", false}, false},
		"other content, ids of different lengths":  {"9", &Named{"10", false}, true},
		"other content, earlier, one digit longer": {"10", &Named{"9", false}, false},
		"other content, ids that are no numbers":   {"x", &Named{"9", false}, true},
	} {
		if got := MayBeRenamed(test.id, test.withName, false); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
	if !MayBeRenamed("7", &Named{"3", false}, true) || MayBeRenamed("7", &Named{"3", true}, true) {
		t.Error("entries that have exchanged their names are known by their contents")
	}
}
