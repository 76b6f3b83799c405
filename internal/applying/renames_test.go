// Tests of renames that wait for each other.

package applying

import "testing"

// A rename waits for another one that gives up its new name, unless that one waits in turn.
func TestRenamesThatWait(t *testing.T) {
	t.Parallel()
	all := &Renames{}
	device := func(name string) Name { return Name{"device", name} }
	a := all.Begin(device("A"), device("B"), nil)
	if found, _ := all.Blocker(a); found != nil {
		t.Errorf("A waits for %v, which has not begun", found)
	}
	b, c := all.Begin(device("B"), device("C"), nil), all.Begin(device("C"), device("A"), nil)
	for _, test := range []struct {
		waits, want *Rename
		circle      bool
	}{{a, b, false}, {b, c, false}, {c, a, true}} {
		if found, circle := all.Blocker(test.waits); found != test.want || circle != test.circle {
			t.Errorf("%s waits for %v, a circle: %t", test.waits.from, found, circle)
		}
	}
	if found, _ := all.Blocker(all.Begin(Name{"service", "A"}, Name{"service", "B"}, nil)); found != nil {
		t.Error("a name of another namespace is waited for")
	}
	c.Release()
	<-c.free
	all.End(b, false)
	<-b.free
	if found, _ := all.Blocker(a); found != nil {
		t.Error("a rename that is done is waited for")
	}
	// One that failed is known to those that come later, and has not to be waited for.
	all.End(a, true)
	if found, circle := all.Blocker(c); found != a || circle {
		t.Errorf("C finds %v, a circle: %t", found, circle)
	}
	<-a.free
}
