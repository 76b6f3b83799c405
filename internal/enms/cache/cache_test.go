// Tests of what is known, and of what a write leaves of it.

package cache

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
)

// A write drops all but the spellings; a creation leaves the names of ids as well. What a read
// that began before learns is not seen after.
func TestWritesReplaceTheValue(t *testing.T) {
	t.Parallel()
	var store Store
	rows := map[string]endpoint.Object{"a": {"id": json.Number("1"), "name": "a"}}
	before := store.Current()
	learn := func(k *Cache) {
		k.Spellings.Keep("device", rows)
		k.IDs.Keep("device", map[string]endpoint.Object{"1": rows["a"]})
		k.Names.Add("device", Page{}, []endpoint.Object{rows["a"]})
		k.Whole.Complete("device", []endpoint.Object{rows["a"]})
		k.Relations.relation("device", "gateways").Learn(nil, nil)
		k.Relations.relation("device", "gateways").Cover(nil, nil, nil)
	}
	knows := func() (known []string) {
		k := store.Current()
		for name, r := range map[string]*Rows{"spelling": k.Spellings, "id": k.IDs, "name": k.Names} {
			for _, value := range []string{"a", "1"} {
				if row, err := r.LookUp("device", value, nil); row != nil && err == nil {
					known = append(known, name)
				}
			}
		}
		if k.Instance("device", "a", []object.Relation{{Name: "gateways"}}) != nil {
			known = append(known, "instance")
		}
		slices.Sort(known)
		return known
	}
	expect := func(when string, want ...string) {
		t.Helper()
		if known := knows(); !slices.Equal(known, want) {
			t.Errorf("%s: knows %q, want %q", when, known, want)
		}
	}
	learn(before)
	expect("before any write", "id", "instance", "name", "spelling")
	store.Created()
	expect("after a creation", "id", "spelling")
	store.Written()
	expect("after a write", "spelling")
	learn(before)
	expect("after a read that began before", "spelling")
}

// Instances about which groups did not tell enough are left to a GET; of others, the members are
// known that were among the candidates, whenever they were searched for.
func TestUnclearStaysUnclear(t *testing.T) {
	t.Parallel()
	m := (&Store{}).Current().Relations
	of := m.relation("device", "gateways")
	known := func(name string, members ...string) bool {
		has, known := m.Compare("device", name, []object.Relation{{Name: "gateways", Of: "gateway", Inverse: "devices", Members: members}})
		return known && has
	}
	of.Learn([]string{"g0", "g1"}, []string{"one", "many"})
	of.Cover([]string{"g0", "g1"}, map[string][]string{"one": {"g0"}, "another": {"g1"}}, []string{"many", "stranger"})
	if !known("one", "g0") || known("many", "g0", "g1") || known("another", "g1") {
		t.Error("before the candidates of another one are known")
	}
	of.Learn([]string{"g1", "g2"}, []string{"another"})
	of.Cover([]string{"g2"}, map[string][]string{"another": {"g2"}}, nil)
	if !known("one", "g0") || known("many", "g0", "g1") || !known("another", "g1", "g2") || known("stranger") || known("none") {
		t.Error("after the candidates of another one are known")
	}
	of.Learn(nil, nil)
	of.Cover(nil, nil, nil)
	if known("many", "g0", "g1") || known("stranger") || !known("none") {
		t.Error("after those of every instance are known")
	}
}
