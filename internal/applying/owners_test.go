// Tests of how operations on one object meet, and of what is known of objects.

package applying

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
)

// begun begins an operation in the background; the channel is closed once it has begun.
func begun(t *testing.T, o *Owners, of Operation, names ...string) (began chan struct{}, end func()) {
	t.Helper()
	began = make(chan struct{})
	ending := make(chan struct{})
	go func() {
		end, err := o.Begin(t.Context(), of, "node", "", names...)
		if err != nil {
			t.Error(err)
			return
		}
		close(began)
		<-ending
		end()
	}()
	return began, func() { close(ending) }
}

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// Operations on one object wait for each other, but for updates; those on others do not.
func TestOperationsExcludeEachOther(t *testing.T) {
	t.Parallel()
	kinds := map[string]Operation{"create": Create, "update": Update, "delete": Delete}
	for first, one := range kinds {
		for second, other := range kinds {
			t.Run(first+", "+second, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					var o Owners
					began, end := begun(t, &o, one, "old", "new")
					synctest.Wait()
					waits, endSecond := begun(t, &o, other, "new")
					elsewhere, endThird := begun(t, &o, other, "another")
					synctest.Wait()
					together := one == Update && other == Update
					if !isClosed(began) || !isClosed(elsewhere) || isClosed(waits) != together {
						t.Errorf("the second one began: %t, want %t", isClosed(waits), together)
					}
					end()
					synctest.Wait()
					if !isClosed(waits) {
						t.Error("the second one still waits")
					}
					endSecond()
					endThird()
				})
			})
		}
	}
}

// Two updates of one object do not end it for each other.
func TestUpdatesAreCounted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var o Owners
		_, endFirst := begun(t, &o, Update, "d")
		_, endSecond := begun(t, &o, Update, "d")
		synctest.Wait()
		waits, end := begun(t, &o, Delete, "d")
		endFirst()
		synctest.Wait()
		if isClosed(waits) {
			t.Error("the deletion began beside an update")
		}
		endSecond()
		synctest.Wait()
		if !isClosed(waits) {
			t.Error("the deletion still waits")
		}
		end()
	})
}

// Who waits can be interrupted, and leaves nothing behind.
func TestWaitingIsInterrupted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var o Owners
		_, end := begun(t, &o, Delete, "d")
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := o.Begin(ctx, Create, "node", "", "d"); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		end()
		synctest.Wait()
		if len(o.busy) != 0 {
			t.Errorf("%d operations are left", len(o.busy))
		}
	})
}

// A cascade waits for nobody, and does not take what others have or are about to have.
func TestCascadeTakesWhatIsFree(t *testing.T) {
	t.Parallel()
	var o Owners
	o.Set("service", Ownership{Names: []string{"held"}, ID: "1", Status: Owned})
	o.Set("service", Ownership{Names: []string{"gone"}, ID: "2", Status: Deleted})
	for _, of := range []Operation{Create, Update, Delete} {
		if _, err := o.Begin(t.Context(), of, "service", "", string('a'+rune(of))); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]bool{"held": false, "gone": true, "other": true,
		string('a' + rune(Create)): false, string('a' + rune(Update)): false, string('a' + rune(Delete)): true} {
		end, free := o.BeginDependent("service", name, "")
		if free != want {
			t.Errorf("%s is free: %t, want %t", name, free, want)
		}
		if free {
			end()
		}
	}
	if len(o.busy) != 3 {
		t.Errorf("%d operations are in progress", len(o.busy))
	}
	if _, free := o.BeginDependent("service", "held", "7"); !free {
		t.Error("another object of the name counts as held")
	}
}

// An object is found by its id under all names that it has had, and by its name alone where the id is
// unknown. eNMS gives ids and names to new objects again.
func TestFind_byNameAndID(t *testing.T) {
	t.Parallel()
	var o Owners
	set := func(status Status, id string, names ...string) {
		o.Set("node", Ownership{Names: names, ID: id, Status: status})
	}
	set(Owned, "1", "b", "a") // a was renamed to b, then to c
	set(Owned, "1", "c", "b")
	set(Owned, "2", "a") // a new one has the name now
	set(Owned, "1", "d", "c")
	set(Deleted, "3", "x")
	set(Owned, "3", "y") // and one the id of a deleted one
	set(Owned, "", "pending")
	for _, c := range []struct{ name, id, want string }{
		{"a", "1", "1"}, {"b", "1", "1"}, {"c", "1", "1"}, {"d", "", "1"}, {"c", "", "none"}, {"b", "", "none"},
		{"a", "2", "2"}, {"a", "", "2"}, {"a", "9", "none"},
		{"y", "3", "3"}, {"x", "3", "3 deleted"}, {"pending", "5", ""}, {"pending", "", ""},
	} {
		got := "none"
		if object := o.Find("node", c.name, c.id); object != nil {
			if got = object.ID; object.Status == Deleted {
				got += " deleted"
			}
		}
		if got != c.want {
			t.Errorf("%q with the id %q is found as %q, want %q", c.name, c.id, got, c.want)
		}
	}
}

func TestCreated(t *testing.T) {
	t.Parallel()
	var o Owners
	device := func(name string, isNew bool, status Status, of string) Ownership {
		return Ownership{Names: []string{name}, New: isNew, Status: status, Kind: of}
	}
	for _, object := range []Ownership{device("b", true, Owned, "device"), device("a", true, Owned, "device"), device("c", false, Owned, "device"), device("d", true, Deleted, "device"), device("e", true, Owned, "pool")} {
		o.Set("node", object)
	}
	if got := o.Created("device"); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("created are %q", got)
	}
	first, deleted := *o.Find("node", "b", ""), *o.Find("node", "d", "")
	for _, c := range []struct {
		other Ownership
		name  string
		want  bool
	}{{first, "a", true}, {first, "b", false}, {deleted, "c", false}, {first, "d", false}, {first, "none", false}} {
		if got := o.WrittenAfter(c.other, "node", c.name); got != c.want {
			t.Errorf("%s was written after %s: %v", c.name, c.other.Names[0], got)
		}
	}
}

// An adoption waits for a deletion of the object under another name, and is refused while another resource updates it, which
// then is known by the id.
func TestBeginAdoption(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var o Owners
		update, err := o.Begin(t.Context(), Update, "node", "7", "before")
		if err != nil {
			t.Fatal(err)
		}
		if _, taken, err := o.BeginAdoption(t.Context(), "node", "7"); !taken || err != nil {
			t.Errorf("during an update: taken %t, %v", taken, err)
		}
		update()
		o.Set("node", Ownership{Names: []string{"after", "before"}, ID: "7", Owner: 1})
		if found := o.FindID("node", "7"); found == nil || found.Owner != 1 || o.Find("node", "with its workflow", "7") != nil {
			t.Errorf("found %+v", found)
		}
		deletion, err := o.Begin(t.Context(), Delete, "node", "8", "before")
		if err != nil {
			t.Fatal(err)
		}
		adopted := false
		go func() {
			end, taken, err := o.BeginAdoption(t.Context(), "node", "8")
			if taken || err != nil {
				t.Errorf("after a deletion: taken %t, %v", taken, err)
			}
			adopted = true
			end()
		}()
		synctest.Wait()
		if adopted {
			t.Error("it did not wait for the deletion")
		}
		deletion()
		synctest.Wait()
		if !adopted {
			t.Error("it waits still")
		}
	})
}
