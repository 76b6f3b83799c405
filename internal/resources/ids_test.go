// Tests of what reads say about ids.

package resources

import "testing"

// Ids are trusted once some instances have kept theirs, and none has another one.
func TestIDEvidence(t *testing.T) {
	t.Parallel()
	type named struct {
		id          string
		sameContent bool
	}
	same, restored, replaced := named{"7", false}, named{"8", true}, named{"8", false}
	for name, test := range map[string]struct {
		found            []named
		stable, restored bool
	}{
		"none":                     {nil, false, false},
		"one, perhaps by chance":   {[]named{same}, false, false},
		"two":                      {[]named{same, same}, true, false},
		"somebody has replaced it": {[]named{same, replaced, same}, true, false},
		"one has another id":       {[]named{same, same, restored, same}, false, true},
	} {
		var e IDEvidence
		for _, found := range test.found {
			e.Note(found.id, "7", found.sameContent)
		}
		e.Note("7", "", true) // of a state without an id, which says nothing
		if e.IsStable() != test.stable || e.IsRestored() != test.restored {
			t.Errorf("%s: stable %t, want %t; restored %t, want %t", name, e.IsStable(), test.stable, e.IsRestored(), test.restored)
		}
	}
}

// What groups have kept says nothing about devices: a restore may exchange the ids of these alone.
func TestLookups_IDs(t *testing.T) {
	t.Parallel()
	var lookups Lookups
	for range leastEvidence {
		lookups.IDs("group").Note("7", "7", true)
	}
	if !lookups.IDs("group").IsStable() || lookups.IDs("device").IsStable() {
		t.Errorf("the ids of groups are stable: %t, and those of devices: %t", lookups.IDs("group").IsStable(), lookups.IDs("device").IsStable())
	}
}
