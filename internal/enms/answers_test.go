// Tests of what the client makes of answers, against a server that follows a script.

package enms

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/cache"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
)

const (
	userOf5 = `[{"id": 1, "name": "admin", "type": "user", "is_admin": true, "creation_time": ""}]`
	refused = `500 {"alert": "Error 500 - Internal Server Error."}`
	lost    = `504 {}`
	rowA    = `{"id": 2, "name": "a", "type": "device"}`
	rowB    = `{"id": 3, "name": "b", "type": "device"}`
	rowB5   = `{"id": 3, "name": "b", "type": "device", "creation_time": ""}`
)

func list(rows ...string) string { return "[" + strings.Join(rows, ", ") + "]" }

func TestClient_answers(t *testing.T) {
	t.Parallel()
	type ctx = context.Context
	rename := func(to string) func(ctx, *Client) (any, error) {
		return func(x ctx, c *Client) (any, error) {
			return nil, c.Upsert(x, typeOf("pool"), Object{"name": "a", "new_name": to})
		}
	}
	creation := func(x ctx, c *Client) (any, error) {
		return nil, create(x, c, "pool", Object{"name": "a", "description": "mine"})
	}
	deletion := func(x ctx, c *Client) (any, error) { return c.Delete(x, "device", "a") }
	deletedThenRead := func(x ctx, c *Client) (any, error) { // by the client that has written it
		c.written.add("a")
		if _, err := c.Delete(x, "device", "a"); err != nil {
			return nil, err
		}
		if _, err := c.FindByName(x, "device", "a"); !errors.Is(err, ErrNotFound) {
			return nil, err
		}
		return c.List(x, "device", nil, nil)
	}
	knownAfterRefusal := func(x ctx, c *Client) (any, error) {
		q := cache.Question{Type: "device", Field: "id"}
		c.store.Current().Deletions.Learn(q, time.Now(), nil, nil)
		_, err := c.Delete(x, "device", "a")
		_, known := c.store.Current().Deletions.Referring(q, "2")
		return []bool{err != nil, known}, nil
	}
	changes := func(s ChangeSelection) func(ctx, *Client) (any, error) {
		return func(x ctx, c *Client) (any, error) {
			found, err := c.Changes(x, s)
			times := []string{}
			for _, change := range found {
				times = append(times, change.Time)
			}
			return times, err
		}
	}
	find := func(x ctx, c *Client) (any, error) { return c.Find(x, "device", "a", nil) }
	fate := func(x ctx, c *Client) (any, error) {
		f, err := c.Fate(x, Subject{Type: "device", Name: "n0", NameNow: "now", Since: Mark{ID: 2000}})
		if f.Deleted != nil {
			return f.Deleted.Time, err
		}
		return nil, err
	}
	entry := func(id int, content string) string {
		return fmt.Sprintf(`{"id": %d, "name": "e", "type": "changelog", "time": "t%[1]d", "content": "%s"}`, id, content)
	}
	many := list(slices.Repeat([]string{entry(2001, "Starting pool update")}, mostRows)...)
	follow := func(renames int) []string { // too many rows; n0 and now; n1, n2, …; and the deletion of the last one
		answers := []string{many}
		for i := range renames {
			answers = append(answers, list(entry(2002+i, fmt.Sprintf("UPDATE: device 'n%d': (name: 'n%d' => 'n%d')", i+1, i, i+1))))
		}
		return append(answers, list(entry(3000, fmt.Sprintf("DELETION: device 'n%d'", renames))))
	}
	fateTwice := func(x ctx, c *Client) (any, error) {
		if _, err := fate(x, c); err != nil {
			return nil, err
		}
		return fate(x, c)
	}
	mark := func(times int) func(ctx, *Client) (any, error) {
		return func(x ctx, c *Client) (found any, err error) {
			for range times {
				found, err = c.FindMark(x, Mark{ID: 5, Time: "t5"})
			}
			return found, err
		}
	}
	renamedTwice := func(x ctx, c *Client) (any, error) {
		var times []string
		for range 2 {
			f, err := c.Fate(x, Subject{Type: "device", Name: "n0", NameNow: "n1", Since: Mark{ID: 2000}, Now: true})
			if err != nil {
				return nil, err
			}
			times = append(times, f.Renamed.Time)
		}
		return times, nil
	}
	updates := func(x ctx, c *Client) (any, error) {
		writes := []*write{{name: "a"}, {name: "b"}}
		writing{c, writeKey{action: actUpsert, typ: typeOf("pool")}}.sendUpserts(x, writes)
		return nil, errors.Join(writes[0].Err(), writes[1].Err())
	}
	until := func(failing error) func(ctx, *Client) (any, error) { // agreed at the second read
		return func(x ctx, _ *Client) (any, error) {
			reads := 0
			_, err := Until(x, func() (Object, error) { reads++; return nil, failing }, func(Object) bool { return reads == 2 })
			return []any{reads, errors.Is(err, failing)}, nil
		}
	}
	undone := func(x ctx, c *Client) (any, error) {
		o := &write{name: "a", payload: Object{"name": "a"}}
		writing{c, writeKey{action: actCreate, typ: typeOf("pool")}}.creationsUndone(x, []*write{o})
		return nil, o.Err()
	}
	for name, test := range map[string]struct {
		do      func(ctx, *Client) (any, error)
		answers []string
		want    string
	}{
		"rename to its own name, refused":            {rename("a"), []string{refused, refused}, "*rest.StatusError"},
		"rename, taken":                              {rename("b"), []string{refused, list(rowB), list(rowA)}, "*enms.ExistsError"},
		"rename, made by another":                    {rename("b"), []string{refused, list(rowB), list()}, "*enms.AmbiguousError"},
		"rename, stored first":                       {rename("b"), []string{refused, list(rowB5), list()}, "null"},
		"rename, stored first, and nobody tells":     {rename("b"), []string{refused, list(rowB), refused, refused}, "*enms.AmbiguousError"},
		"rename, lost, then made late":               {rename("b"), []string{lost, list(rowA), refused, list(rowB), list()}, "null"},
		"rename, lost, and both exist":               {rename("b"), []string{lost, list(rowA, rowB)}, "*enms.AmbiguousError"},
		"rename, lost, and none exists":              {rename("b"), []string{lost, list()}, "*enms.AmbiguousError"},
		"rename to its own name, lost":               {rename("a"), []string{lost, list(rowA), `{"success": ["a"], "failure": []}`}, "null"},
		"rename, lost, and nobody tells":             {rename("b"), []string{lost, refused, refused, refused}, "*enms.AmbiguousError"},
		"creation, lost, and nobody tells":           {creation, []string{lost, refused, refused}, "*enms.AmbiguousError"},
		"deletion, lost, then refused, then gone":    {deletion, []string{lost, refused, list(rowA), `403 {}`, list()}, "null"},
		"deletion, lost, then a 403 that is late":    {deletion, []string{lost, `403 {}`, list(rowA), rowA}, `{"id":2,"name":"a","type":"device"}`},
		"deletion, then what is read of it":          {deletedThenRead, []string{rowA, list(), list(rowA), list()}, "[]"},
		"deletion, refused, and what is known of it": {knownAfterRefusal, []string{`400 {}`}, "[true,false]"},
		"creation, undone, and another has its name": {undone, []string{list(strings.Replace(rowA, "device", "pool", 1))}, "null"},
		"creation, undone, and nobody tells":         {undone, []string{refused, refused}, "*enms.AmbiguousError"},
		"changes, refused":                           {changes(ChangeSelection{Most: 1}), []string{refused, refused}, "*rest.StatusError"},
		"changes of all, which are ignored":          {changes(ChangeSelection{Most: 1}), []string{list(entry(1, "Login")), list(entry(1, "Login"))}, "*enms.IgnoredError"},
		"changes of a type":                          {changes(ChangeSelection{Type: "device", Most: 1}), []string{list(entry(1, "CREATION: device 'x'"))}, `["t1"]`},
		"changes of a type, ignored":                 {changes(ChangeSelection{Type: "device", Most: 1}), []string{list(entry(1, "CREATION: link 'x'")), list(rowA)}, "*enms.IgnoredError"},
		"changes of a name, ignored":                 {changes(ChangeSelection{Name: "x", Most: 1}), []string{list(entry(1, "CREATION: device 'y'")), list(rowA)}, "*enms.IgnoredError"},
		"changes by an author, ignored":              {changes(ChangeSelection{Author: "ann", Most: 1}), []string{list(entry(1, "CREATION: device 'y'")), list(rowA)}, "*enms.IgnoredError"},
		"fate, after nine renames":                   {fate, follow(9), `"t3000"`},
		"fate, after ten":                            {fate, follow(10)[:11], "null"},
		"fate, after a rename and back":              {fate, []string{many, list(entry(2002, "UPDATE: device 'n1': (name: 'n0' => 'n1')")), list(entry(2003, "UPDATE: device 'n0': (name: 'n1' => 'n0')"))}, "null"},
		"fate, which is remembered":                  {fateTwice, []string{list(entry(2002, "DELETION: device 'n0'"))}, `"t2002"`},
		"fate that is told":                          {renamedTwice, []string{list(entry(2002, "UPDATE: device 'n1': (name: 'n0' => 'n1')"))}, `["t2002","t2002"]`},
		"mark, found":                                {mark(2), []string{list(entry(5, ""))}, fmt.Sprint(int(MarkFound))},
		"mark, at another time":                      {mark(2), []string{list(strings.Replace(entry(5, ""), "t5", "t6", 1))}, fmt.Sprint(int(MarkLost))},
		"mark, expired":                              {mark(2), []string{list(), list(entry(9, ""))}, fmt.Sprint(int(MarkExpired))},
		"mark, lost":                                 {mark(2), []string{list(), list(entry(3, ""))}, fmt.Sprint(int(MarkLost))},
		"mark, of an empty changelog":                {mark(1), []string{list(), list()}, fmt.Sprint(int(MarkLost))},
		"updates, forbidden":                         {updates, []string{`403 {}`}, "*errors.joinError"},
		"rights":                                     {func(x ctx, c *Client) (any, error) { return c.Rights(x) }, []string{list(strings.Replace(userOf5[1:len(userOf5)-1], "{", `{"get_requests": ["/a"], "post_requests": ["/b"], "delete_requests": ["/c"], `, 1))}, `{"Administrator":true,"Requests":["GET /a","POST /b","DELETE /c"]}`},
		"until a read agrees":                        {until(nil), nil, "[2,true]"},
		"until a read fails":                         {until(io.EOF), nil, "[1,true]"},
		"fate, of which a search fails":              {fate, []string{many, refused, refused}, "*rest.StatusError"},
		"fate, after a rename to nothing":            {fate, []string{list(strings.TrimSuffix(entry(2001, "UPDATE: device 'n0'"), "}")+`, "history": {"properties": {"name": {"old": "n0", "new": ""}}}}`, entry(2002, "DELETION: device 'n0'"))}, `"t2002"`},
		"fate, of names with too many rows":          {fate, []string{many, many}, "null"},
		"get, a 403 that is late":                    {func(x ctx, c *Client) (any, error) { return c.Get(x, "device", "a") }, []string{`403 {}`, list(rowA), rowA}, `{"id":2,"name":"a","type":"device"}`},
		"get by a persistent id, and nobody tells":   {func(x ctx, c *Client) (any, error) { return c.Get(x, "device", "p") }, []string{`{"id": 2, "name": "a", "persistent_id": "p"}`, refused, refused}, "*rest.StatusError"},
		"find, the same twice":                       {func(x ctx, c *Client) (any, error) { return c.FindByName(x, "device", "a") }, []string{list(rowA, rowA)}, `{"id":2,"name":"a","type":"device"}`},
		"find, an id that is a text":                 {find, []string{list(strings.Replace(rowA, "2", `"2"`, 1))}, "*object.FieldError"},
		"find, a type that is none":                  {find, []string{list(strings.Replace(rowA, `"device"`, "[]", 1))}, "*object.FieldError"},
		"find, two of a name":                        {func(x ctx, c *Client) (any, error) { return c.FindByName(x, "device", "a") }, []string{list(rowA, strings.Replace(rowA, "2", "4", 1))}, "*object.FieldError"},
		"searchable, refused, then asked again":      {searchableTwice, []string{refused, refused, list()}, "[false,true]"},
		"searchable, which is remembered":            {searchableTwice, []string{list()}, "[true,true]"},
		"ignored, which is remembered":               {ignoredTwice, []string{list()}, "[false,false]"},
		"ignored":                                    {ignoredTwice, []string{list(rowA), list(rowA)}, "[true,true]"},
		"union of a group, which eNMS cannot make":   {unionOf, []string{refused}, "true"},
		"reference that eNMS 5 would lose": {func(x ctx, c *Client) (any, error) {
			return nil, c.Upsert(x, typeOf("pool"), Object{"name": "a", "devices": []string{"x"}})
		}, []string{userOf5, list(), list()}, "*endpoint.RefusedError"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := testserver.NewScript(t, test.answers...)
			c, err := New(testserver.Config(s.URL), Words{References: map[string]map[string]string{"pool": {"devices": "device"}}})
			testserver.Must(t, err)
			t.Cleanup(c.Close)
			if got := testserver.Outcome(test.do(t.Context(), c)); got != test.want || len(s.Answers) > 0 {
				t.Errorf("%s, want %s; it asked %q", got, test.want, s.Asked)
			}
			if asked := strings.Join(s.Asked, "\n"); strings.HasPrefix(name, "fate") && strings.Count(asked, `"id":"^(1000|`) != len(s.Asked) || strings.Count(asked, `"id_filter":"regex"`) != strings.Count(asked, `"id":"^(`) {
				t.Errorf("it does not ask from the row 1000 on: %s", asked)
			}
		})
	}
}

func searchableTwice(x context.Context, c *Client) (any, error) {
	criteria := map[string]any{"port": "22"}
	first, err := c.Searchable(x, "device", criteria)
	second, _ := c.Searchable(x, "device", criteria)
	return []bool{first, second}, err
}

func ignoredTwice(x context.Context, c *Client) (any, error) {
	criteria := map[string]any{"port": "22"}
	first, err := c.Ignores(x, "device", criteria)
	second, _ := c.Ignores(x, "device", criteria)
	return []bool{first, second}, err
}

// unionOf searches for the devices of groups of pools. It returns whether later calls search for each pool.
func unionOf(x context.Context, c *Client) (any, error) {
	pools := strings.Split(strings.Repeat("p,", 30), ",")
	relationSearch{c, c.store.Current(), "device"}.searchMembers(x, cache.Due{Relation: poolsOfA[0], Searches: pools, MostMembers: 1})
	return c.noUnion.has("device"), nil
}

// Failures belong to the operations that they name, and one of the database leaves open what became of the others.
func TestFinishAnswered(t *testing.T) {
	t.Parallel()
	of := func(name string) endpoint.Failure { return endpoint.Failure{Name: name, Message: "x"} }
	database := endpoint.Failure{Name: "a", Message: "(sqlalchemy.exc.IntegrityError) x"}
	for name, test := range map[string]struct {
		names                        []string
		failures                     []endpoint.Failure
		success                      []string
		undone, unaccounted, unclear int
	}{
		"one of two":                    {[]string{"a", "b"}, []endpoint.Failure{of("a")}, []string{"b"}, 0, 0, 0},
		"of the database":               {[]string{"a", "b"}, []endpoint.Failure{database}, []string{"b"}, 1, 0, 0},
		"of the database, then another": {[]string{"a", "b", "c"}, []endpoint.Failure{database, of("b")}, []string{"c"}, 1, 0, 0},
		"of another name":               {[]string{"a", "b"}, []endpoint.Failure{of("x")}, []string{"b"}, 0, 2, 0},
		"of another name, alone":        {[]string{"a"}, []endpoint.Failure{of("x")}, nil, 0, 0, 0},
		"twice":                         {[]string{"a", "b"}, []endpoint.Failure{of("a"), of("a")}, []string{"b"}, 0, 1, 0},
		"of a name of two":              {[]string{"a", "a"}, []endpoint.Failure{of("a")}, []string{"a"}, 0, 0, 2},
	} {
		var operations []*write
		for _, name := range test.names {
			operations = append(operations, &write{name: name})
		}
		c := newTestClient(t, "http://127.0.0.1:1")
		left := writing{c, writeKey{action: actUpsert, typ: typeOf("device")}}.finishAnswered(operations, &endpoint.Envelope{Success: test.success, Failures: test.failures})
		if len(left.undone) != test.undone || len(left.unaccounted) != test.unaccounted || len(left.ambiguous) != test.unclear {
			t.Errorf("%s: %d undone, %d unaccounted, %d ambiguous", name, len(left.undone), len(left.unaccounted), len(left.ambiguous))
		}
	}
}
