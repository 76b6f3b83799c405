// Tests of what lets deletions go on.

package knowledge

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/instance"
)

var (
	linksFrom = instance.Dependents{Type: "link", Column: "source_id"}
	stepsOf   = instance.Dependents{Type: "service", Property: "workflows", Except: "[Shared] "}
)

func namedRow(name, id string) endpoint.Object {
	return endpoint.Object{"id": json.Number(id), "name": name}
}

func linkRow(name, from string) endpoint.Object {
	return endpoint.Object{"id": json.Number("99"), "name": name, "source_id": json.Number(from)}
}

func sourceOf(row endpoint.Object) []string { return []string{endpoint.IDText(row["source_id"])} }

// learned returns what two pages told at a time: devices a to d with ids 1 to 4, and a link
// from b.
func learned(at time.Time) (*Store, *Deletions) {
	s := &Store{}
	d := s.Present().Deletions
	d.LearnIDs("device", d.Now(at), []endpoint.Object{namedRow("a", "1"), namedRow("b", "2"), namedRow("c", "3"), namedRow("d", "4"), namedRow("d", "5")}, true, nil)
	d.LearnDependents(linksFrom, d.Now(at), []endpoint.Object{linkRow("l", "2")}, true, nil, sourceOf)
	return s, d
}

func TestDeletions_whatIsDeletable(t *testing.T) {
	t.Parallel()
	begin := time.Now()
	_, d := learned(begin)
	along := []instance.Dependents{linksFrom}
	for _, test := range []struct {
		what, typ, name, id string
		along               []instance.Dependents
		after               time.Duration
		deletable, known    bool
	}{
		{"as the page has it", "device", "a", "1", along, 0, true, true},
		{"just young enough", "device", "a", "1", along, DeletionAge - 1, true, true},
		{"too old", "device", "a", "1", along, DeletionAge, false, false},
		{"another id", "device", "a", "7", along, 0, false, true},
		{"a link", "device", "b", "2", along, 0, false, true},
		{"no link counts", "device", "b", "2", nil, 0, true, true},
		{"another spelling", "device", "A", "1", along, 0, false, true},
		{"twice in the answer", "device", "d", "4", along, 0, false, true},
		{"another type", "link", "a", "1", nil, 0, false, false},
		{"dependents that nobody asked for", "device", "a", "1", []instance.Dependents{linksFrom, stepsOf}, 0, false, false},
	} {
		deletable, known := d.Deletable(test.typ, test.name, test.id, test.along, begin.Add(test.after))
		if deletable != test.deletable || known != test.known {
			t.Errorf("%s: deletable %t, known %t; want %t, %t", test.what, deletable, known, test.deletable, test.known)
		}
	}
}

// An answer about some names or ids says nothing about others, and dependents with the prefix
// do not count.
func TestDeletions_answersAboutSome(t *testing.T) {
	t.Parallel()
	now := time.Now()
	d := (&Store{}).Present().Deletions
	d.LearnIDs("service", d.Now(now), []endpoint.Object{namedRow("v", "1"), namedRow("w", "2")}, false, []string{"v", "w", "gone"})
	names := []string{"v"}
	d.LearnDependents(stepsOf, d.Now(now), []endpoint.Object{namedRow("[Shared] Start", "10")}, false, names, func(endpoint.Object) []string { return names })
	names = []string{"w"}
	d.LearnDependents(stepsOf, d.Now(now), []endpoint.Object{namedRow("[Shared] Start", "10"), namedRow("[w] step", "11")}, false, names, func(endpoint.Object) []string { return names })
	for name, want := range map[string][2]bool{"v": {true, true}, "w": {false, true}, "gone": {false, true}, "x": {false, false}} {
		id := map[string]string{"v": "1", "w": "2"}[name]
		if deletable, known := d.Deletable("service", name, id, []instance.Dependents{stepsOf}, now); deletable != want[0] || known != want[1] {
			t.Errorf("%s: deletable %t, known %t", name, deletable, known)
		}
	}
	if d.KnowsID("service", "x", now) || !d.KnowsID("service", "gone", now) || d.KnowsDependents(stepsOf, "x", "", now) || !d.KnowsDependents(stepsOf, "v", "", now) {
		t.Error("what was asked for, and what was not, is confused")
	}
}

// A deletion of this client takes its instance out of the answers, those under way included;
// any other write drops them, and a read that began before teaches nothing.
func TestDeletions_afterWrites(t *testing.T) {
	t.Parallel()
	now := time.Now()
	along := []instance.Dependents{linksFrom}
	s, d := learned(now)
	before := d.Now(now)
	s.Deleting()
	s.Deleted("link", "l")
	if s.Present().Deletions != d {
		t.Fatal("a deletion drops what lets others go on")
	}
	expect := func(when, name, id string, want, wantKnown bool) {
		t.Helper()
		if deletable, known := s.Present().Deletions.Deletable("device", name, id, along, now); deletable != want || known != wantKnown {
			t.Errorf("%s: %s: deletable %t, known %t", when, name, deletable, known)
		}
	}
	expect("its link was deleted", "b", "2", true, true)
	d.LearnDependents(linksFrom, before, []endpoint.Object{linkRow("l", "2"), linkRow("m", "3")}, true, nil, sourceOf)
	expect("an answer from before holds the link", "b", "2", true, true)
	expect("and another one", "c", "3", false, true)
	d.LearnDependents(linksFrom, d.Now(now), []endpoint.Object{linkRow("l", "2")}, true, nil, sourceOf)
	expect("somebody created the link again", "b", "2", false, true)
	s.Deleted("device", "a")
	expect("it is deleted", "a", "1", false, true)
	d.LearnIDs("device", before, []endpoint.Object{namedRow("a", "1")}, false, nil)
	expect("an answer from before holds it", "a", "1", false, true)
	s.Deleted("device", "l")
	expect("a device with the name of the link was deleted", "b", "2", false, true)
	for what, write := range map[string]func(*Store){"a creation": (*Store).Created, "a write": (*Store).Written} {
		written, d2 := learned(now)
		s = written
		expect("before "+what, "a", "1", true, true)
		write(s)
		expect("after "+what, "a", "1", false, false)
		d2.LearnIDs("device", d2.Now(now), []endpoint.Object{namedRow("a", "1")}, true, nil)
		expect("after "+what+", by a read that began before", "a", "1", false, false)
	}
}

// An update keeps the names of ids, and what lets deletions go on if it is spared.
func TestStore_updated(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for _, spared := range []bool{true, false} {
		s, _ := learned(now)
		s.Present().IDs.LearnNames("service", []endpoint.Object{
			{"id": json.Number("1"), "name": "w", "type": "workflow"},
			{"id": json.Number("2"), "name": "s"},
			{"id": "3", "name": "malformed"},
		})
		s.Present().Names.Add("device", Page{}, []endpoint.Object{namedRow("a", "1")})
		s.Updated(spared)
		for id, want := range map[string]string{"1": "w", "2": "s", "3": ""} {
			row, err := s.Present().IDs.LookUp("service", id, nil)
			if got := endpoint.String(row, "name"); got != want || err != nil {
				t.Errorf("service %s is %q, want %q (%v)", id, got, want, err)
			}
		}
		if row, err := s.Present().IDs.LookUp("workflow", "1", nil); row == nil || err != nil {
			t.Errorf("workflow 1 is not known by its own type: %v", err)
		}
		if row, _ := s.Present().Names.LookUp("device", "a", nil); row != nil {
			t.Error("an update keeps what it may have changed")
		}
		if _, known := s.Present().Deletions.Deletable("device", "a", "1", nil, now); known != spared {
			t.Errorf("spared %t: known %t", spared, known)
		}
		s.Written()
		if row, _ := s.Present().IDs.LookUp("service", "1", nil); row != nil {
			t.Error("a rename keeps the names of ids")
		}
	}
}
