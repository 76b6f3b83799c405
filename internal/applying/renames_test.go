// Tests of renames that wait for each other.

package applying

import (
	"context"
	"errors"
	"testing"
	"time"
)

// Several operations hold a scope, and one a name that it renames. An operation that cannot hold all holds none.
func TestNames(t *testing.T) {
	t.Parallel()
	var n Names
	release := n.Hold([]string{"W", "[W] in"}, "[[W] in] s")
	for _, c := range []struct {
		scopes  []string
		renamed string
		want    bool
	}{
		{[]string{"W"}, "[W] t", true}, {[]string{"W"}, "", true}, {nil, "W", false}, {nil, "[W] in", false}, {[]string{"[[W] in] s"}, "", false}, {nil, "[[W] in] s", false},
		{[]string{"V", "[[W] in] s"}, "", false}, {nil, "V", true},
	} {
		free, held := n.TryHold(c.scopes, c.renamed)
		if held != c.want {
			t.Errorf("%q within %q is held: %v", c.renamed, c.scopes, held)
		}
		if held {
			free()
		}
	}
	held := make(chan func())
	go func() { held <- n.Hold(nil, "W") }()
	release()
	(<-held)()
	for _, name := range []string{"W", "[W] in", "[[W] in] s"} {
		if _, held := n.TryHold(nil, name); !held {
			t.Errorf("%s is still held", name)
		}
	}
}

// A rename is sent when the old name of another one is free, and again after that one, which failed, got a temporary name.
func TestRenames_wait(t *testing.T) {
	t.Parallel()
	taken, failed := errors.New("taken"), errors.New("failed")
	for what, c := range map[string]struct {
		errs      []error // of each attempt
		temporary error
		want      error
		renamed   bool // whether it got a temporary name
	}{
		"free":            {[]error{nil}, nil, nil, false},
		"another error":   {[]error{failed}, nil, failed, false},
		"taken":           {[]error{taken, nil}, nil, nil, true},
		"taken, and then": {[]error{taken, failed}, nil, failed, true},
		"taken for good":  {[]error{taken}, failed, taken, true},
	} {
		all, sent, renamed := &Renames{}, 0, false
		r := all.Begin(Name{"device", "A"}, Name{"device", "B"}, func(context.Context) error { renamed = true; return c.temporary })
		send := func() error { sent++; return c.errs[sent-1] }
		isTaken := func(err error) bool { return err == taken } //nolint:errorlint // it is the same one
		interrupted, cancel := context.WithCancel(t.Context())
		cancel()
		if err := all.Wait(interrupted, r, send, isTaken); !errors.Is(err, context.Canceled) || sent > 0 {
			t.Errorf("%s: when interrupted, it was sent %d times: %v", what, sent, err)
		}
		r.Release()
		if err := all.Wait(t.Context(), r, send, isTaken); !errors.Is(err, c.want) || sent != len(c.errs) || renamed != c.renamed || all.Writes.Waiting() != 0 {
			t.Errorf("%s: sent %d times, temporary name %v: %v", what, sent, renamed, err)
		}
	}
}

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
	if !all.IsAwaited(b) || all.IsAwaited(a) {
		t.Error("A waits for B, and nothing for A")
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
	if _, _ = all.Blocker(c); !all.IsAwaited(a) {
		t.Error("C does not wait for A")
	}
	if all.End(c, true); all.IsAwaited(a) {
		t.Error("C waits when it is over")
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
	if _, came := all.Await(t.Context(), nil, name, nil, all.Now(), time.Millisecond); came {
		t.Error("nothing gives the name up")
	}
	since, resume := all.Now(), owners.Yield(Create, name)
	go func() {
		over, _ := owners.Begin(t.Context(), Delete, name.Namespace, "", name.Text)
		all.Free(name)
		over()
	}()
	if found, came := all.Await(t.Context(), nil, name, nil, since, time.Minute); !came || found != nil {
		t.Errorf("after a deletion: %v, %t", found, came)
	}
	resume()
	if ended, _ := owners.tryBegin(Delete, []Name{name}); ended == nil {
		t.Error("the creation does not have the name again")
	}
	end()
	go all.Begin(name, Name{"device", "B"}, nil)
	first, came := all.Await(t.Context(), nil, name, nil, all.Now(), time.Minute)
	if !came || first == nil {
		t.Fatalf("after the begin of a rename: %v, %t", first, came)
	}
	if found, came := all.Await(t.Context(), nil, name, first, all.Now(), time.Millisecond); came {
		t.Errorf("the same rename again: %v", found)
	}
}
