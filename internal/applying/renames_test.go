// Tests of renames that wait for each other.

package applying

import (
	"testing"
	"time"
)

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

// An operation waits for a name that another one gives up, which begins later, and gives up itself once everything in
// progress waits. Meanwhile, other operations on the name may begin.
func TestRenames_await(t *testing.T) {
	t.Parallel()
	all, owners, name := &Renames{}, &Owners{}, Name{"device", "A"}
	end, err := owners.Begin(t.Context(), Create, name.Namespace, "", name.Text)
	if err != nil {
		t.Fatal(err)
	}
	finish := all.Writes.Begin()
	defer finish()
	if _, came := all.Await(t.Context(), name, nil, all.Now(), time.Millisecond); came {
		t.Error("nothing gives the name up")
	}
	since, resume := all.Now(), owners.Yield(Create, name)
	go func() {
		over, _ := owners.Begin(t.Context(), Delete, name.Namespace, "", name.Text)
		all.Free(name)
		over()
	}()
	if found, came := all.Await(t.Context(), name, nil, since, time.Minute); !came || found != nil {
		t.Errorf("after a deletion: %v, %t", found, came)
	}
	resume()
	if ended, _ := owners.tryBegin(Delete, []Name{name}); ended == nil {
		t.Error("the creation does not have the name again")
	}
	end()
	go all.Begin(name, Name{"device", "B"}, nil)
	first, came := all.Await(t.Context(), name, nil, all.Now(), time.Minute)
	if !came || first == nil {
		t.Fatalf("after the begin of a rename: %v, %t", first, came)
	}
	if found, came := all.Await(t.Context(), name, first, all.Now(), time.Millisecond); came {
		t.Errorf("the same rename again: %v", found)
	}
}
