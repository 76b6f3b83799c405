package lifecycle

import "testing"

// The name and the content say which instance it is; the id only if another instance with other
// content has the name, and was made later.
func TestMayBeRenamed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		id       string
		withName *named
		want     bool
	}{
		"unknown id":                               {"", nil, false},
		"no instance with the name":                {"7", nil, true},
		"same id":                                  {"7", &named{"7", true}, false},
		"same id, drift":                           {"7", &named{"7", false}, false},
		"restored":                                 {"7", &named{"9", true}, false},
		"restored with a smaller id":               {"7", &named{"3", true}, false},
		"other content, made later":                {"7", &named{"9", false}, true},
		"other content, made earlier":              {"7", &named{"3", false}, false},
		"other content, ids of different lengths":  {"9", &named{"10", false}, true},
		"other content, earlier, one digit longer": {"10", &named{"9", false}, false},
		"other content, ids that are no numbers":   {"x", &named{"9", false}, true},
	} {
		if got := mayBeRenamed(test.id, test.withName, false); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
	if !mayBeRenamed("7", &named{"3", false}, true) || mayBeRenamed("7", &named{"3", true}, true) {
		t.Error("entries that have exchanged their names are known by their contents")
	}
}

// Ids are trusted once some instances have kept theirs, and none has another one.
func TestIDEvidence(t *testing.T) {
	t.Parallel()
	same, restored, replaced := &named{"7", false}, &named{"8", true}, &named{"8", false}
	for name, test := range map[string]struct {
		found []*named
		want  bool
	}{
		"none":                     {nil, false},
		"one, perhaps by chance":   {[]*named{same}, false},
		"two":                      {[]*named{same, same}, true},
		"somebody has replaced it": {[]*named{same, replaced, same}, true},
		"one has another id":       {[]*named{same, same, restored, same}, false},
	} {
		var e idEvidence
		for _, found := range test.found {
			e.note(found.id, "7", found.sameContent)
		}
		e.note("7", "", true) // of a state without an id, which says nothing
		if e.stable() != test.want {
			t.Errorf("%s: %t, want %t", name, e.stable(), test.want)
		}
	}
}

// What groups have kept says nothing about devices: a restore may exchange the ids of these alone.
func TestIDsByType(t *testing.T) {
	t.Parallel()
	var ids idsByType
	for range leastEvidence {
		ids.of("group").note("7", "7", true)
	}
	if !ids.of("group").stable() || ids.of("device").stable() {
		t.Errorf("the ids of groups are stable: %t, and those of devices: %t", ids.of("group").stable(), ids.of("device").stable())
	}
}
