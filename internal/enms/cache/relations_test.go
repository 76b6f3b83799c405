// Tests of what is known of relations, and of when searches by them are due.

package cache

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
)

// wants returns instances, named as the members that they are expected to have in a relation: "a+b" has a and b.
func wants(relation string, instances ...string) []Wanted {
	var wanted []Wanted
	for _, name := range instances {
		wanted = append(wanted, Wanted{Name: name, Relations: []object.Relation{{Name: relation, Members: strings.Split(name, "+")}}})
	}
	return wanted
}

// numbered returns n names with a prefix.
func numbered(prefix string, n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprintf("%s%02d", prefix, i))
	}
	return names
}

func TestExpectedReads(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ asked, searches, rows, want int }{
		{10, 5, 0, 10}, {10, 5, 9, 10}, {10, 5, 10, 20}, {10, 5, 19, 20}, {10, 5, 20, 30}, {10, 5, 1000, 30}, {10, 0, 1, 10}, {10, 0, 2, 20}, {0, 5, 100, 0},
	} {
		if got := expectedReads(test.asked, test.searches, test.rows); got != test.want {
			t.Errorf("%+v: %d", test, got)
		}
	}
}

// Searches are due where they cost less than a GET for each instance, by groups where these cost less than a search
// for each candidate.
func TestDue(t *testing.T) {
	t.Parallel()
	two := func(n int) (instances []string) { // n of 16 have two members
		for i := range 16 {
			name := fmt.Sprintf("m%02d", i)
			if i < n {
				name += fmt.Sprintf("+m%02d", 20+i)
			}
			instances = append(instances, name)
		}
		return instances
	}
	all := numbered("m", 25) // take 9 groups that show one member, 15 that show two
	both := func(instances []Wanted) []Wanted {
		for i := range instances {
			instances[i].Relations = append(slices.Clone(instances[i].Relations), object.Relation{Name: "dear", Members: []string{fmt.Sprint(i)}})
		}
		return instances
	}
	for name, test := range map[string]struct {
		know      func(m *Relations, of *Relation)
		wanted    []Wanted
		rows      int
		ungrouped bool
		want      string // "" if none is due
	}{
		"each has its own":     {nil, wants("r", numbered("m", 3)...), 0, false, ""},
		"many rows":            {nil, wants("r", numbered("m", 3)...), 8, false, "r: 0 of 0, unlearned"},
		"all have the same":    {nil, wants("r", "a", "a", "a"), 0, false, "r: 0 of 0, unlearned"},
		"not worth it":         {nil, wants("r", "a", "a"), 0, false, ""},
		"candidates of all":    {func(_ *Relations, of *Relation) { of.Learn([]string{"b", "a"}, nil) }, wants("r", "a", "b", "a"), 0, false, "r: 0 of 2 [a b]"},
		"candidates of some":   {func(_ *Relations, of *Relation) { of.Learn([]string{"a"}, []string{"a"}) }, wants("r", "a", "a", "a"), 0, false, "r: 0 of 1 [a]"},
		"candidates of others": {func(_ *Relations, of *Relation) { of.Learn([]string{"a"}, []string{"x"}) }, wants("r", "a", "a", "a"), 0, false, "r: 0 of 1 [a], unlearned"},
		"some were searched for": {func(_ *Relations, of *Relation) {
			of.Learn([]string{"a", "b"}, []string{"x"})
			of.Cover([]string{"a"}, nil, nil)
		}, wants("r", "a", "a", "a"), 0, false, "r: 0 of 1 [b], unlearned"},
		"it is known again":      {func(_ *Relations, of *Relation) { of.Learn(nil, nil); of.Cover(nil, nil, nil) }, wants("r", "a", "a", "a"), 0, false, ""},
		"unclear":                {func(_ *Relations, of *Relation) { of.Cover(nil, nil, []string{"a"}) }, wants("r", "a", "a", "a"), 0, false, ""},
		"refused":                {func(_ *Relations, of *Relation) { of.Refuse() }, wants("r", "a", "a", "a"), 0, false, ""},
		"groups":                 {func(_ *Relations, of *Relation) { of.Learn(all, nil) }, wants("r", two(0)...), 0, false, "r: 1 of 25"},
		"groups of a pair":       {func(_ *Relations, of *Relation) { of.Learn(all, nil) }, wants("r", two(7)...), 0, false, "r: 2 of 25"},
		"groups of few pairs":    {func(_ *Relations, of *Relation) { of.Learn(all, nil) }, wants("r", two(6)...), 0, false, "r: 1 of 25"},
		"no groups":              {func(_ *Relations, of *Relation) { of.Learn(all, nil) }, wants("r", two(0)...), 0, true, ""},
		"no groups, many rows":   {func(_ *Relations, of *Relation) { of.Learn(all, nil) }, wants("r", two(0)...), 50, true, "r: 0 of 25"},
		"as many groups as GETs": {func(_ *Relations, of *Relation) { of.Learn(all, nil) }, wants("r", two(0)[:9]...), 0, false, ""},
		"others took a GET":      {func(m *Relations, of *Relation) { of.Learn(all, nil); m.Pass("t", wants("r", "x")) }, wants("r", two(0)[:9]...), 0, false, "r: 1 of 25"},
		"others took it before": {func(m *Relations, of *Relation) {
			m.Pass("t", wants("r", "x"))
			of.Cover(nil, nil, nil)
			of.Learn(all, nil)
		}, wants("r", two(0)[:9]...), 0, false, ""},
		"one relation is too dear":    {nil, both(wants("r", "a", "a", "a")), 0, false, ""},
		"it is too dear for some":     {nil, append(both(wants("r", "a", "a", "a")), wants("r", "a", "a", "a")...), 0, false, "r: 0 of 0, unlearned"},
		"it is too dear for all":      {func(m *Relations, _ *Relation) { m.Pass("t", wants("r", numbered("x", 9)...)) }, both(wants("r", "a", "a", "a")), 0, false, ""},
		"it is too dear for too many": {nil, append(both(wants("r", "a", "a", "a")), wants("r", "a", "a")...), 0, false, ""},
		"only one member matters": {func(m *Relations, _ *Relation) {
			m.LearnOnly("t", []Wanted{{"x", []object.Relation{{Name: "r", Only: "a"}, {Name: "s"}}}})
		}, wants("r", "a", "b"), 0, false, "r: 0 of 1 [a]"},
		"several, in their order": {nil, slices.Concat(wants("s", "a", "a", "a"), wants("q", "a", "a", "a"), wants("r", "a", "a", "a")), 0, false, "q: 0 of 0, unlearned; r: 0 of 0, unlearned; s: 0 of 0, unlearned"},
		"several are too dear together": {nil, func() []Wanted {
			w := wants("r", "a", "a", "a")
			for i := range w {
				w[i].Relations = append(w[i].Relations, object.Relation{Name: "s", Members: []string{"a"}})
			}
			return w
		}(), 0, false, ""},
	} {
		m := (&Store{}).Current().Relations
		of := m.relation("t", "r")
		if test.know != nil {
			test.know(m, of)
		}
		var got []string
		for _, due := range m.Due("t", test.wanted, test.rows, !test.ungrouped) {
			text := fmt.Sprintf("%s: %d of %d", due.Name, due.MostMembers, len(due.Searches))
			if n := len(due.Searches); n > 0 && n < 25 {
				text += fmt.Sprint(" ", due.Searches)
			}
			if !due.Learned {
				text += ", unlearned"
			}
			if due.Known != m.relation("t", due.Name) {
				t.Errorf("%s: what is known is another's", name)
			}
			got = append(got, text)
		}
		if got := strings.Join(got, "; "); got != test.want {
			t.Errorf("%s: %q is due, want %q", name, got, test.want)
		}
	}
}

func TestAsk(t *testing.T) {
	t.Parallel()
	m := (&Store{}).Current().Relations
	for i, want := range []bool{false, true, true} {
		if many := m.Ask("t", wants("r", numbered("m", ManyReaders-1-5*i)...)); many != want {
			t.Errorf("%d: many is %t", i, many)
		}
	}
	if m.Ask("u", wants("r", "a")) {
		t.Error("those of another type count")
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	m := (&Store{}).Current().Relations
	for relation, members := range map[string][]string{"r": {"b", "a"}, "s": {"c"}} {
		of := m.relation("t", relation)
		of.Learn(members, []string{"x"})
		of.Cover(members, map[string][]string{"x": members}, nil)
	}
	r := func(members ...string) object.Relation { return object.Relation{Name: "r", Members: members} }
	atLeast := r("a")
	atLeast.AtLeast = true
	m.Tell("t", endpoint.Object{"name": "told", "r": []any{"b", "a"}, "s": []any{}, "q": "no list"})
	only := object.Relation{Name: "r", Only: "a", Members: []string{"a"}}
	for i, test := range []struct {
		name       string
		expected   []object.Relation
		has, known bool
	}{
		{"x", []object.Relation{r("a", "b")}, true, true}, {"x", []object.Relation{r("a")}, false, true}, {"x", []object.Relation{r("a", "b", "c")}, false, true},
		{"x", []object.Relation{atLeast}, true, true}, {"y", []object.Relation{r("a", "b")}, false, false}, {"x", []object.Relation{r("a"), {Name: "q"}}, false, false},
		{"x", []object.Relation{r("a", "b"), {Name: "s"}}, false, true}, {"x", []object.Relation{{Name: "s"}, r("a", "b")}, false, true},
		{"x", []object.Relation{r("a", "b"), {Name: "s", Members: []string{"c"}}}, true, true},
		{"told", []object.Relation{r("a", "b"), {Name: "s"}}, true, true}, {"told", []object.Relation{r("a")}, false, true}, {"told", []object.Relation{only}, true, true},
		{"told", []object.Relation{{Name: "r", Only: "c"}}, true, true}, {"told", []object.Relation{{Name: "q"}}, false, false},
	} {
		if has, known := m.Compare("t", test.name, test.expected); has != test.has || known != test.known {
			t.Errorf("%d: has is %t, known is %t", i, has, known)
		}
	}
	if members, known := m.members("t", "x", "r"); !known || !reflect.DeepEqual(members, []any{"a", "b"}) {
		t.Error(members)
	}
	if members, known := m.members("t", "y", "r"); known || members != nil {
		t.Error(members)
	}
}
