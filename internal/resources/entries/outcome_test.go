package entries

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// A rename that failed stays under its old key, unless that is another's by now.
func TestKeysOfOutcomes(t *testing.T) {
	t.Parallel()
	prior := func(name string) *priorEntry { return &priorEntry{name: name} }
	a, b, c := &item{name: "B", prior: prior("A")}, &item{name: "C", prior: prior("B")}, &item{name: "D", prior: prior("X")}
	next := &outcomes{}
	next.set(a.name, outcome{key: "A", entry: entry{}})
	next.set(b.name, outcome{entry: entry{}})
	next.set(c.name, outcome{key: "C", entry: entry{}})
	entries, records, _ := next.all()
	if got := sorted(entries); !slices.Equal(got, []string{"A", "C", "D"}) || len(records) != 3 {
		t.Errorf("the keys are %q", got)
	}
	if moved := value.Text(entries["D"][kind.RowName]); moved != "C" {
		t.Errorf("the entry whose old key is taken is called %q", moved)
	}
	// N is not there: the rename of M is still to come. That of V was done before.
	renames := map[string]string{"A": "B", "B": "C", "M": "N", "V": "W"}
	if got := next.renamed(renames, map[string]string{"V": "W"}, entries, []*item{a, b}); len(got) != 2 || got["B"] != "C" || got["V"] != "W" || len(renames) != 4 {
		t.Errorf("done are %v", got)
	}
}

// An entry that has to stay under its configured key may take the key of another one, which then stays, too.
func TestKeysOfOutcomes_takenInTurn(t *testing.T) {
	t.Parallel()
	next := &outcomes{}
	for name, key := range map[string]string{"a": "", "b": "c", "c": "d", "d": "a"} {
		next.set(name, outcome{key: key, entry: entry{}, record: entryRecord{ID: name}})
	}
	next.set("e", outcome{key: "a", entry: entry{kind.RowName: text("by others")}, record: entryRecord{ID: "e"}})
	entries, records, _ := next.all()
	for name, called := range map[string]string{"a": "", "b": "c", "c": "d", "d": "a", "e": "by others"} {
		if records[name].ID != name || value.Text(entries[name][kind.RowName]) != called {
			t.Errorf("under %s is the entry of %q, called %q, want %q", name, records[name].ID, value.Text(entries[name][kind.RowName]), called)
		}
	}
}

// Only a creation that an interrupt has cut short, and that has created something, is not a failure: without any
// entry, Terraform would keep a resource that has none.
func TestOnlyInterrupted(t *testing.T) {
	t.Parallel()
	device := failures.Subject{Kind: &kind.Kind{Name: "device"}}
	interrupted := device.Failed(failures.Create, "R1", nil, context.Canceled)
	failed := device.Failed(failures.Create, "R1", nil, errors.New("failed"))
	created, notBegun := outcome{entry: entry{}}, outcome{diags: interrupted}
	for name, test := range map[string]struct {
		of   []outcome
		want bool
	}{
		"some created":                 {[]outcome{created, notBegun}, true},
		"none created":                 {[]outcome{notBegun, notBegun}, false},
		"all created":                  {[]outcome{created, created}, false},
		"one failed":                   {[]outcome{created, notBegun, {diags: failed}}, false},
		"one interrupted when created": {[]outcome{created, notBegun, {entry: entry{}, diags: interrupted}}, false},
	} {
		next := &outcomes{}
		for n, o := range test.of {
			next.set(fmt.Sprint(n), o)
		}
		if got := next.onlyInterrupted(); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Of two entries that exchange their keys, both are under their new keys when one has failed.
func TestRenamed_halfAnExchange(t *testing.T) {
	t.Parallel()
	failed, other := &item{name: "A", prior: &priorEntry{name: "B"}}, &item{name: "B", prior: &priorEntry{name: "A"}}
	next := &outcomes{}
	next.set(failed.name, outcome{key: "B", entry: entry{}})
	next.set(other.name, outcome{entry: entry{}})
	entries, _, _ := next.all()
	renames := map[string]string{"A": "B", "B": "A"}
	if got := next.renamed(renames, nil, entries, []*item{failed, other}); !maps.Equal(got, renames) {
		t.Errorf("done are %v: the next apply would exchange the keys again", got)
	}
	// In the next apply the first one fails again, now under its new key.
	failed.prior.name, other.prior.name = "A", "B"
	next.set(failed.name, outcome{key: "A", entry: entry{}})
	entries, _, _ = next.all()
	if got := next.renamed(renames, renames, entries, []*item{failed, other}); !maps.Equal(got, renames) {
		t.Errorf("done are %v after a failed update: the next apply would exchange the keys again", got)
	}
}

// Two entries are to exchange their keys, and others have deleted one of them and taken its name: neither rename is done.
// That of the deleted one is no longer possible, but without it, the plan would refuse the other one.
func TestRenamed_exchangeWithWhatIsGone(t *testing.T) {
	t.Parallel()
	failed, created := &item{name: "C", prior: &priorEntry{name: "D"}}, &item{name: "D"}
	next := &outcomes{}
	next.set(failed.name, outcome{key: "D", entry: entry{}})
	next.set(created.name, outcome{})
	entries, _, _ := next.all()
	renames := map[string]string{"C": "D", "D": "C"}
	done := next.renamed(renames, nil, entries, []*item{failed, created})
	if len(done) != 0 {
		t.Errorf("done are %v", done)
	}
	if from, diags := renamed(map[string]entry{"C": {}, "D": {}}, entries, undone(renames, done)); diags.HasError() || from["C"] != "D" {
		t.Errorf("the next plan renames %v: %v", from, diags)
	}
}
