// Tests of rows that are known, and of when a page is due.

package cache

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
)

// A page is due once many finds were made, as often as there was a search; before any search only where rows are short.
func TestNext(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		asked, searches, pages int
		columns                []string
		pageFirst              bool
		rows                   int // of the last page
		due                    bool
	}{
		"few finds":                       {asked: ManyFinds, searches: 1, columns: []string{"port"}},
		"many finds":                      {asked: ManyFinds + 1, searches: 1, columns: []string{"port"}, due: true},
		"many finds, no search":           {asked: ManyFinds + 1, columns: []string{"port"}},
		"as many pages as searches":       {asked: ManyFinds + 1, searches: 2, pages: 2, rows: PageRows, columns: []string{"port"}},
		"fewer pages than searches":       {asked: ManyFinds + 1, searches: 3, pages: 2, rows: PageRows, columns: []string{"port"}, due: true},
		"the last page was short":         {asked: ManyFinds + 1, searches: 3, pages: 2, rows: PageRows - 1, columns: []string{"port"}},
		"names alone":                     {asked: ManyNames, due: true},
		"few names alone":                 {asked: ManyNames - 1},
		"names alone, after a page":       {asked: ManyNames, pages: 1, rows: PageRows},
		"with a column":                   {asked: ManyNames, columns: []string{"port"}},
		"rows are short":                  {pageFirst: true, columns: []string{"port"}, due: true},
		"rows are short, after that page": {pageFirst: true, columns: []string{"port"}, pages: 1, rows: PageRows},
	} {
		r := &Rows{Column: "name", pageFirst: test.pageFirst, mu: &sync.Mutex{}}
		r.Want("t", test.columns)
		if asked, complete := r.Ask("t", test.asked); asked != test.asked || complete {
			t.Errorf("%s: %d were asked for", name, asked)
		}
		for range test.searches {
			r.Searched("t")
		}
		rows := 0
		for i := range test.pages {
			n := PageRows
			if i == test.pages-1 {
				n = test.rows
			}
			r.Add("t", Page{}, make([]endpoint.Object, n))
			rows += n
		}
		columns := map[string]bool{}
		for _, column := range test.columns {
			columns[column] = true
		}
		isLast := test.pages > 0 && test.rows < PageRows
		if next, more, due := r.Next("t"); due != test.due || more == isLast || !reflect.DeepEqual(next, Page{Start: rows, Columns: columns}) {
			t.Errorf("%s: %+v, more %t, due %t", name, next, more, due)
		}
		if _, complete := r.Ask("t", 0); complete != isLast {
			t.Errorf("%s: complete %t", name, complete)
		}
		r.Disable("t")
		if _, more, due := r.Next("t"); more || due {
			t.Errorf("%s: a page of a disabled type is due", name)
		}
	}
}

func TestLookUp(t *testing.T) {
	t.Parallel()
	r := &Rows{Column: "name", keepsFound: true, mu: &sync.Mutex{}}
	row := func(name, typ string) endpoint.Object {
		return endpoint.Object{"name": name, "type": typ, "id": json.Number("1")}
	}
	gone := row("gone", "device")
	gone["soft_deleted"] = true
	r.Add("t", Page{Columns: map[string]bool{"port": true}}, []endpoint.Object{row("a", "device"), row("bad", ""), gone})
	r.types["t"].complete = false
	r.Keep("t", map[string]endpoint.Object{"found": row("found", "device"), "removed": gone})
	(&Rows{Column: "name", mu: r.mu}).Keep("t", map[string]endpoint.Object{"a": row("a", "device")})
	look := func(name string, columns []string, known, fails bool) {
		t.Helper()
		got, err := r.LookUp("t", name, columns)
		if (got != nil) != known || (err != nil) != fails {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	look("a", []string{"port"}, true, false)
	look("a", []string{"port", "model"}, false, false)
	look("bad", nil, true, true)
	look("gone", nil, false, false)
	look("found", nil, true, false)
	look("found", []string{"port"}, false, false)
	look("removed", nil, false, false)
	if names := r.Names("t"); len(names) != 3 {
		t.Error(names)
	}
	if r.Named("t", "found") == nil || r.Named("t", "nobody") != nil {
		t.Error("what is named is another's")
	}
	if got, _ := r.Find("t", "a", []string{"port", "model"}); got != nil {
		t.Error(got)
	}
	if next, _, _ := r.Next("t"); !next.Columns["model"] {
		t.Error("what a find asks for is not in the next page")
	}
	if asked, _ := r.Ask("t", 0); asked != 1 {
		t.Errorf("%d finds", asked)
	}
	r.Complete("t", nil)
	if _, err := r.LookUp("t", "nobody", nil); !errors.Is(err, ErrUnconfirmed) {
		t.Error(err)
	}
}

// Names are learned by id, for both types of a row, and no other field.
func TestLearnNames(t *testing.T) {
	t.Parallel()
	ids := (&Store{}).Current().IDs
	id := func(n string) json.Number { return json.Number(n) }
	ids.LearnNames("service", []endpoint.Object{
		{"id": id("1"), "name": "w", "type": "workflow", "port": 1}, {"id": id("2"), "name": "s"}, {"id": id("3"), "name": "bad", "type": ""},
		{"id": id("4"), "name": "gone", "type": "workflow", "soft_deleted": true}, {"id": id("5"), "name": "own", "type": "service"},
	})
	for typ, want := range map[string][]string{"service": {"1", "2", "5"}, "workflow": {"1"}, "": nil} {
		if got := slices.Sorted(slices.Values(ids.Names(typ))); !slices.Equal(got, want) {
			t.Errorf("%s: %q", typ, got)
		}
	}
	if row, err := ids.LookUp("workflow", "1", nil); err != nil || !reflect.DeepEqual(row, endpoint.Object{"id": id("1"), "name": "w", "type": "workflow"}) {
		t.Error(row, err)
	}
}

// Instances without members are searched for by a filter, in short pages.
func TestUnrelated(t *testing.T) {
	t.Parallel()
	c := (&Store{}).Current()
	r := c.Unrelated("devices pools")
	if !reflect.DeepEqual(r.Criteria, map[string]any{"devices_filter": "empty", "pools_filter": "empty"}) || r.Column != "name" || !r.pageFirst {
		t.Errorf("%+v", r)
	}
	if c.Unrelated("devices pools") != r || c.Unrelated("devices") == r {
		t.Error("they are not kept by their relations")
	}
}

// An instance of a type that was queried as a whole is known with the members that are asked for.
func TestInstance(t *testing.T) {
	t.Parallel()
	c := (&Store{}).Current()
	c.Whole.Complete("t", []endpoint.Object{{"name": "a", "type": "t"}, {"name": "bad", "type": 1}})
	c.Relations.relation("t", "r").Cover(nil, map[string][]string{"a": {"y", "x"}}, nil)
	c.Relations.relation("t", "r").covered["a"] = true
	r, s := object.Relation{Name: "r"}, object.Relation{Name: "s"}
	for i, test := range []struct {
		name      string
		relations []object.Relation
		want      endpoint.Object
	}{
		{"a", nil, endpoint.Object{"name": "a", "type": "t"}}, {"a", []object.Relation{r}, endpoint.Object{"name": "a", "type": "t", "r": []any{"x", "y"}}},
		{"a", []object.Relation{r, s}, nil}, {"bad", nil, nil}, {"nobody", nil, nil},
	} {
		if got := c.Instance("t", test.name, test.relations); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%d: %v", i, got)
		}
	}
}
