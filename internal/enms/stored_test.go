// Tests of writes that eNMS stores before it fails.

package enms

import (
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// eNMS 5 stores an instance and then fails with what follows from it: the instance is there, and the
// error says so. On 4.7, an instance with the name is somebody else's.
func TestCreate_storedBeforeA500(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		row    string
		stored bool
	}{
		"5":           {`{"id": 7, "name": "p", "type": "pool", "description": "mine", "last_modified_by": "admin", "creation_time": ""}`, true},
		"5, another":  {`{"id": 7, "name": "p", "type": "pool", "description": "other", "last_modified_by": "admin", "creation_time": ""}`, false},
		"4.7, a copy": {`{"id": 7, "name": "p", "type": "pool", "description": "mine", "last_modified_by": "admin"}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch {
				case strings.HasSuffix(r.URL.Path, "/instance/pool"):
					w.WriteHeader(http.StatusInternalServerError)
					_, _ = io.WriteString(w, `{"alert": "Error 500 - Internal Server Error."}`)
				default:
					_, _ = io.WriteString(w, "["+test.row+"]")
				}
			}))
			defer s.Close()
			c := newTestClient(t, s.URL)
			err := c.Create(t.Context(), Type{Name: "pool", Namespace: "pool"}, Object{"name": "p", "description": "mine"},
				func(row Object) bool { return row["description"] == "mine" })
			if _, stored := errors.AsType[*StoredError](err); stored != test.stored || err == nil {
				t.Errorf("the error is %v", err)
			}
			testserver.Must(t, t.Context().Err())
		})
	}
}

// Of a list that eNMS 5 has stored before it failed, the instances with which it failed have an error,
// and the others were created. If it failed because a name is taken, nothing was stored, even if what
// has the name is equal and was written by this user just now.
func TestCreate_listStoredBeforeA500(t *testing.T) {
	t.Parallel()
	pool := func(name, pattern string) Object {
		return Object{"name": name, "device_name": pattern, "device_name_match": "regex"}
	}
	for name, test := range map[string]struct {
		taken         []string
		sent          []Object
		stored, exist []string
	}{
		"one fails":     {nil, []Object{pool("a", "x"), pool("b", "("), pool("c", "y")}, []string{"b"}, nil},
		"all are taken": {[]string{"a", "b"}, []Object{pool("a", "x"), pool("b", "x")}, nil, []string{"a", "b"}},
		"one is taken":  {[]string{"b"}, []Object{pool("a", "x"), pool("b", "x")}, nil, []string{"b"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newServer(t, simulator.Options{Version: simulator.V53})
			c := f.client(t)
			f.Add(t, "device", Object{"name": "d"}) // without one, no pattern is compared
			for _, name := range test.taken {
				f.Add(t, "pool", pool(name, "x"))
			}
			operations := make([]*write, len(test.sent))
			for i, payload := range test.sent {
				body, err := encode(payload, true)
				testserver.Must(t, err)
				operations[i] = &write{name: payload["name"].(string), payload: payload, body: body, matches: func(row Object) bool { return true }}
			}
			w := writing{c, writeKey{action: actCreate, typ: Type{Name: "pool", Namespace: "pool"}}}
			w.createBatch(t.Context(), operations)
			if left := batch.Pending(operations); len(left) > 0 {
				t.Errorf("%d creations have no result", len(left))
			}
			for _, o := range operations {
				err := o.Err()
				_, stored := errors.AsType[*StoredError](err)
				_, exists := errors.AsType[*ExistsError](err)
				if stored != slices.Contains(test.stored, o.name) || exists != slices.Contains(test.exist, o.name) || !stored && !exists && err != nil {
					t.Errorf("%s: %v", o.name, err)
				}
			}
		})
	}
}

// Renames of tasks travel in one list, of which eNMS makes those before the one that it refuses. Sent again, they
// would create tasks with the old names, which are scheduled.
func TestRename_ofTasksInARefusedList(t *testing.T) {
	t.Parallel()
	for _, version := range []simulator.Version{simulator.V47, simulator.V53} {
		f := newServer(t, simulator.Options{Version: version})
		f.Add(t, "service", Object{"name": "s", "scoped_name": "s"})
		for _, name := range []string{"a", "b", "c", "d", "taken"} {
			f.Add(t, "task", Object{"name": name, "service": "s"})
		}
		to := map[string]string{"a": "A", "b": "B", "c": "taken", "d": "D"}
		c, names := f.client(t), slices.Sorted(maps.Keys(to))
		for i, err := range testserver.Together(len(names), func(i int) error {
			return c.Upsert(t.Context(), typeOf("task"), Object{"name": names[i], "new_name": to[names[i]]})
		}) {
			if _, exists := errors.AsType[*ExistsError](err); exists != (names[i] == "c") || err != nil && !exists {
				t.Errorf("%v, %s: %v", version, names[i], err)
			}
		}
		left := f.Names(t, "task")
		slices.Sort(left)
		if !slices.Equal(slices.DeleteFunc(left, func(name string) bool { return name == "Cluster Monitoring" }), []string{"A", "B", "D", "c", "taken"}) {
			t.Errorf("%v: the tasks are %q", version, left)
		}
	}
}
