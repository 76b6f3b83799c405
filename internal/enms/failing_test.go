// Each operation of the client with each of its requests failing in turn: what it then says is right, or an error.

package enms

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// operation is an operation on a server that has devices a and b, a link l from a to b, and a pool p with a.
type operation struct {
	do   func(ctx context.Context, c *Client, id string) (any, error) // id is that of a
	want string
	also string // what it may say as well while a request fails: that it does not know
}

// writers are the operations each of which needs a server of its own.
var writers = []string{"Recompute", "Create", "Create, taken", "Upsert", "Delete"}

// poolsOfA is the relation of a to its pools, as a resource expects it.
var poolsOfA = []Relation{{Name: "pools", Of: "pool", Inverse: "devices", Members: []string{"p"}}}

func operations() map[string]operation {
	name := func(row Object, err error) (any, error) { return row["name"], err }
	names := func(rows []Object, err error) (any, error) {
		found := []string{}
		for _, row := range rows {
			found = append(found, fmt.Sprint(row["name"]))
		}
		slices.Sort(found)
		return found, err
	}
	type ctx = context.Context
	return map[string]operation{
		"Find":             {func(x ctx, c *Client, _ string) (any, error) { return name(c.Find(x, "device", "a", nil)) }, "a", ""},
		"Find, absent":     {func(x ctx, c *Client, _ string) (any, error) { return name(c.Find(x, "device", "x", nil)) }, "absent", ""},
		"FindNow":          {func(x ctx, c *Client, _ string) (any, error) { return name(c.FindNow(x, "device", "a", nil)) }, "a", ""},
		"FindOnce":         {func(x ctx, c *Client, _ string) (any, error) { return name(c.FindOnce(x, "device", "a")) }, "a", ""},
		"FindByName":       {func(x ctx, c *Client, _ string) (any, error) { return name(c.FindByName(x, "device", "a")) }, "a", ""},
		"FindByID":         {func(x ctx, c *Client, id string) (any, error) { return name(c.FindByID(x, "device", id)) }, "a", ""},
		"FindTogetherByID": {func(x ctx, c *Client, id string) (any, error) { return name(c.FindTogetherByID(x, "device", id)) }, "a", ""},
		"FindTogetherByID, absent": {func(x ctx, c *Client, _ string) (any, error) {
			return name(c.FindTogetherByID(x, "device", "987654"))
		}, "absent", ""},
		"Taken": {func(x ctx, c *Client, _ string) (any, error) {
			taken, err := c.Taken(x, "device", "a")
			return taken != nil, err
		}, "true", "false"}, // a 500 is eNMS's answer for a type that it does not have
		"FindMark": {func(x ctx, c *Client, _ string) (any, error) { return c.FindMark(x, Mark{ID: 987654, Time: "t"}) }, fmt.Sprint(MarkLost), ""},
		"TakeMark": {func(x ctx, c *Client, _ string) (any, error) { return c.TakeMark(x) != nil && c.HasMark(), nil }, "true", "false"},
		"HasType":  {func(x ctx, c *Client, _ string) (any, error) { return c.HasType(x, "device") }, "true", "false"},
		"Fate": {func(x ctx, c *Client, id string) (any, error) {
			fate, err := c.Fate(x, Subject{Type: "device", Name: "was", NameNow: "a", Since: Mark{ID: 1}})
			return fate.Renamed != nil, err
		}, "true", ""},
		"NameOf":      {func(x ctx, c *Client, id string) (any, error) { return c.NameOf(x, "device", id) }, "a", ""},
		"Get":         {func(x ctx, c *Client, _ string) (any, error) { return name(c.Get(x, "device", "a")) }, "a", ""},
		"Get, absent": {func(x ctx, c *Client, _ string) (any, error) { return name(c.Get(x, "device", "x")) }, "absent", ""},
		"GetShared":   {func(x ctx, c *Client, _ string) (any, error) { return name(c.GetShared(x, "device", "a", poolsOfA)) }, "a", ""},
		"Related":     {func(x ctx, c *Client, _ string) (any, error) { return names(c.Related(x, "link", "source", "a")) }, "[l]", ""},
		"RelatedByID": {func(x ctx, c *Client, id string) (any, error) {
			return names(c.RelatedByID(x, "link", "source_id", id))
		}, "[l]", ""},
		"RelatedToAny": {func(x ctx, c *Client, _ string) (any, error) {
			rows, err := c.RelatedToAny(x, "link", "source", "a", []string{"vendor"})
			for _, row := range rows {
				row["name"] = fmt.Sprint(row["name"], " of ", row["vendor"])
			}
			return names(rows, err)
		}, "[l of ]", ""},
		"Unrelated":        {func(x ctx, c *Client, _ string) (any, error) { return c.Unrelated(x, "device", []string{"pools"}, "a") }, "false", ""},
		"Unrelated, alone": {func(x ctx, c *Client, _ string) (any, error) { return c.Unrelated(x, "device", []string{"pools"}, "b") }, "true", "false"},
		"Search": {func(x ctx, c *Client, _ string) (any, error) {
			return names(c.Search(x, "device", nil, map[string]any{}))
		}, "[a b]", ""},
		"List":          {func(x ctx, c *Client, _ string) (any, error) { return names(c.List(x, "device", nil, nil)) }, "[a b]", ""},
		"Missing":       {func(x ctx, c *Client, _ string) (any, error) { return c.Missing(x, "device", []string{"a", "x"}) }, "[x]", "[]"},
		"Lacks":         {func(x ctx, c *Client, _ string) (any, error) { return c.Lacks(x, "device", "a"), nil }, "false", ""},
		"Lacks, absent": {func(x ctx, c *Client, _ string) (any, error) { return c.Lacks(x, "device", "x"), nil }, "true", "false"},
		"Spelled":       {func(x ctx, c *Client, _ string) (any, error) { return nil, c.Spelled(x, "device", []string{"a"}) }, "<nil>", ""},
		"Deletable": {func(x ctx, c *Client, id string) (any, error) {
			return c.Deletable(x, "device", "a", id, []Dependents{{Type: "link", Column: "source_id"}})
		}, "false", ""},
		"Deletable, alone": {func(x ctx, c *Client, id string) (any, error) {
			return c.Deletable(x, "device", "a", id, []Dependents{{Type: "link", Column: "destination_id"}})
		}, "true", "false"},
		"ProveGone":        {func(x ctx, c *Client, _ string) (any, error) { return nil, c.ProveGone(x, "pool", "pool", "x", "") }, "hidden", ""},
		"ProveGone, there": {func(x ctx, c *Client, _ string) (any, error) { return nil, c.ProveGone(x, "device", "node", "a", "") }, "hidden", ""},
		"ForcedReaders":    {func(x ctx, c *Client, _ string) (any, error) { return c.ForcedReaders(x) }, "[g]", ""},
		"Ignores": {func(x ctx, c *Client, _ string) (any, error) {
			return c.Ignores(x, "device", map[string]any{"name": "x"})
		}, "false", ""},
		"Recompute": {func(x ctx, c *Client, _ string) (any, error) { return nil, c.Recompute(x, updateAllPools) }, "<nil>", ""},
		"Create": {func(x ctx, c *Client, _ string) (any, error) {
			return nil, create(x, c, "device", Object{"name": "new"})
		}, "<nil>", ""},
		"Create, taken": {func(x ctx, c *Client, _ string) (any, error) { return nil, create(x, c, "device", Object{"name": "b"}) }, "exists", ""},
		"Upsert": {func(x ctx, c *Client, _ string) (any, error) {
			return nil, c.Upsert(x, typeOf("device"), Object{"name": "a", "new_name": "new"})
		}, "<nil>", ""},
		"Delete": {func(x ctx, c *Client, _ string) (any, error) { _, err := c.Delete(x, "link", "l"); return nil, err }, "<nil>", ""},
	}
}

// says is what an operation says: its value, or what its error means.
func says(value any, err error) string {
	_, exists := errors.AsType[*ExistsError](err)
	_, hidden := errors.AsType[*MaybeHiddenError](err)
	switch {
	case errors.Is(err, ErrNotFound):
		return "absent"
	case exists:
		return "exists"
	case hidden:
		return "hidden"
	case err != nil:
		return "error"
	}
	return fmt.Sprint(value)
}

// failures are what may become of a request, before eNMS has seen it.
var failures = map[string]func(w http.ResponseWriter){
	"500":    func(w http.ResponseWriter) { fail(w, http.StatusInternalServerError, `{"alert": "x"}`) },
	"403":    func(w http.ResponseWriter) { fail(w, http.StatusForbidden, `{"alert": "x"}`) },
	"cut":    func(w http.ResponseWriter) { fail(w, http.StatusOK, `[{"id": 1,`) },
	"broken": func(http.ResponseWriter) { panic(http.ErrAbortHandler) },
}

func fail(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

// An operation of which a request fails never says that something is done, gone, free or nobody's that is not.
func TestOperations_eachRequestFails(t *testing.T) {
	t.Parallel()
	for line, version := range map[string]simulator.Version{"4.7": simulator.V47, "5.3": simulator.V53} {
		for name, op := range operations() {
			t.Run(line+" "+name, func(t *testing.T) {
				t.Parallel()
				s, id := operated(t, version)
				requests, got := op.run(t, s, id, 0, 0, nil)
				if got != op.want {
					t.Fatalf("without a failure it says %s, want %s", got, op.want)
				}
				for kind, failure := range failures {
					for nth := int64(1); nth <= requests; nth++ {
						for _, last := range []int64{nth, 1 << 32} { // this one alone, or all from it on
							if slices.Contains(writers, name) {
								s, id = operated(t, version)
							}
							if _, got := op.run(t, s, id, nth, last, failure); got != op.want && got != "error" && (got != op.also || op.also == "") {
								t.Errorf("%s of request %d to %d: it says %s, want %s", kind, nth, last, got, op.want)
							}
						}
					}
				}
			})
		}
	}
}

// operated returns a server for an operation, and the id of its device a.
func operated(t *testing.T, version simulator.Version) (s *server, id string) {
	t.Helper()
	s = newServer(t, simulator.Options{Version: version})
	s.Add(t, "group", Object{"name": "g", "force_read_access": true, "get_requests": []string{"/rest/instance", "/rest/query"}, "delete_requests": []string{"/rest/instance"},
		"post_requests": []string{"/rest/instance", "/rest/search", "/rest/" + updateAllPools}})
	s.Add(t, "user", Object{"name": "bob", "password": "bob", "groups": []string{"g"}})
	rights := []string{"g"}
	s.Add(t, "device", Object{"name": "was", "rbac_read": rights, "rbac_edit": rights}, Object{"name": "b", "rbac_read": rights, "rbac_edit": rights})
	s.Add(t, "device", Object{"name": "was", "new_name": "a"})
	s.Add(t, "link", Object{"name": "l", "source": "a", "destination": "b", "rbac_read": rights, "rbac_edit": rights})
	s.Add(t, "pool", Object{"name": "p", "manually_defined": true, "devices": []string{"a"}, "rbac_read": rights})
	a, err := s.client(t).FindByName(t.Context(), "device", "a")
	testserver.Must(t, err)
	return s, fmt.Sprint(a["id"])
}

// run lets the requests from the first to the last one of an operation fail, and returns how many there were.
func (op operation) run(t *testing.T, s *server, id string, first, last int64, failure func(http.ResponseWriter)) (requests int64, got string) {
	t.Helper()
	var count atomic.Int64
	s.Intercept(func(w http.ResponseWriter, _ *http.Request, _ []byte) bool {
		if n := count.Add(1); failure == nil || n < first || n > last {
			return false
		}
		failure(w)
		return true
	})
	c := s.client(t, func(cfg *Config) {
		cfg.Username, cfg.Password, cfg.MaxRetries, cfg.Window = "bob", "bob", 0, time.Millisecond
	})
	got = says(op.do(t.Context(), c, id))
	return count.Load(), got
}
