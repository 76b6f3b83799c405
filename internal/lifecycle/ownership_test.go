// Tests of how operations on one object meet, and of what is known of objects.

package lifecycle

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// begun begins an operation in the background; the channel is closed once it has begun.
func begun(t *testing.T, o *ownership, of operationKind, names ...string) (began chan struct{}, end func()) {
	t.Helper()
	began = make(chan struct{})
	ending := make(chan struct{})
	go func() {
		end, err := o.begin(t.Context(), of, "node", names...)
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
	kinds := map[string]operationKind{"create": operationCreate, "update": operationUpdate, "delete": operationDelete}
	for first, one := range kinds {
		for second, other := range kinds {
			t.Run(first+", "+second, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					var o ownership
					began, end := begun(t, &o, one, "old", "new")
					synctest.Wait()
					waits, endSecond := begun(t, &o, other, "new")
					elsewhere, endThird := begun(t, &o, other, "another")
					synctest.Wait()
					together := one == operationUpdate && other == operationUpdate
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
		var o ownership
		_, endFirst := begun(t, &o, operationUpdate, "d")
		_, endSecond := begun(t, &o, operationUpdate, "d")
		synctest.Wait()
		waits, end := begun(t, &o, operationDelete, "d")
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
		var o ownership
		_, end := begun(t, &o, operationDelete, "d")
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := o.begin(ctx, operationCreate, "node", "d"); !errors.Is(err, context.Canceled) {
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
	var o ownership
	o.set("service", object{names: []string{"held"}, id: "1", fate: fateHeld})
	o.set("service", object{names: []string{"gone"}, id: "2", fate: fateDeleted})
	for _, of := range []operationKind{operationCreate, operationUpdate, operationDelete} {
		if _, err := o.begin(t.Context(), of, "service", string('a'+rune(of))); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]bool{"held": false, "gone": true, "other": true,
		string('a' + rune(operationCreate)): false, string('a' + rune(operationUpdate)): false, string('a' + rune(operationDelete)): true} {
		end, free := o.beginAlong("service", name, "")
		if free != want {
			t.Errorf("%s is free: %t, want %t", name, free, want)
		}
		if free {
			end()
		}
	}
	if _, free := o.beginAlong("service", "held", "7"); !free {
		t.Error("another object of the name counts as held")
	}
}

// An object is known by its id under all names that it has had, and by its name alone
// where the id is not known. eNMS gives ids and names to new objects again.
func TestObjectsAreKnownByNameAndID(t *testing.T) {
	t.Parallel()
	r := &Instances{kind: &kind.Kind{Name: "device", Namespace: "node"}, provider: &Provider{}}
	state := func(name, id string) kind.Values {
		return kind.Values{kind.RowName: tftypes.NewValue(tftypes.String, name), kind.RowID: tftypes.NewValue(tftypes.String, id)}
	}
	r.note(fateHeld, state("b", "1"), "a") // a was renamed to b, then to c
	r.note(fateHeld, state("c", "1"), "b")
	r.note(fateHeld, state("a", "2"), "") // a new one has the name now
	r.note(fateDeleted, state("x", "3"), "")
	r.note(fateHeld, state("y", "3"), "") // and one the id of a deleted one
	r.note(fateHeld, state("pending", ""), "")
	for _, c := range []struct{ name, id, want string }{
		{"a", "1", "1"}, {"b", "1", "1"}, {"c", "1", "1"}, {"c", "", "1"}, {"b", "", "none"},
		{"a", "2", "2"}, {"a", "", "2"}, {"a", "9", "none"},
		{"y", "3", "3"}, {"x", "3", "3 deleted"}, {"pending", "5", ""}, {"pending", "", ""},
	} {
		got := "none"
		if known := r.known(c.name, c.id); known != nil {
			if got = known.id; known.fate == fateDeleted {
				got += " deleted"
			}
		}
		if got != c.want {
			t.Errorf("%q with the id %q is known as %q, want %q", c.name, c.id, got, c.want)
		}
	}
}

// A deletion of what a creation has taken over waits until the creation is over: it leaves the
// object to that one, or, if that does not keep it, fails.
func TestDeletionWaitsForCreation(t *testing.T) {
	t.Parallel()
	for _, keeps := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			p := &Provider{}
			k := &kind.Kind{Name: "device", Namespace: "node"}
			many := NewEntries(k, p)
			end := many.BeginCreation()
			many.note(fateHeld, kind.Values{kind.RowName: tftypes.NewValue(tftypes.String, "d"), kind.RowID: tftypes.NewValue(tftypes.String, "7")}, "")
			over := make(chan struct{})
			go func() {
				defer close(over)
				held, err := (&Instances{kind: k, provider: p}).leftToAnother(t.Context(), kind.PolicyDelete, "d", "7")
				if held != keeps || is[*ownedError](err) == keeps {
					t.Errorf("held: %t, %v", held, err)
				}
			}()
			synctest.Wait()
			if isClosed(over) {
				t.Error("it did not wait")
			}
			if !keeps {
				many.Release("d", "7")
			}
			end()
			<-over
		})
	}
}
