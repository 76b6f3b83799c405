// Tests of deletions, and of the questions before them.

package enms

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/cache"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// linksOf and tasksOf are what eNMS deletes with devices and services, and stepsOf with workflows.
var (
	linksOf = []Dependents{{Type: "link", Column: "source_id"}, {Type: "link", Column: "destination_id"}}
	tasksOf = []Dependents{{Type: "task", Column: "service_id"}}
	stepsOf = append([]Dependents{{Type: "service", Property: "workflows", Except: "[Shared] "}}, tasksOf...)
)

// idsOf returns the ids of the instances of a type by their names.
func (s *server) idsOf(t testing.TB, typ string) map[string]string {
	ids := map[string]string{}
	for _, row := range s.Query(t, typ, nil) {
		ids[endpoint.String(row, "name")] = endpoint.IDText(row["id"])
	}
	return ids
}

// isDeletable is Deletable, whose error ends the test.
func isDeletable(t testing.TB, c *Client, typ, name, id string, along []Dependents) bool {
	t.Helper()
	deletable, err := c.Deletable(t.Context(), typ, name, id, along)
	if err != nil {
		t.Errorf("%s %q: %v", typ, name, err)
	}
	return deletable
}

// deleteMany deletes devices as Terraform does, ten at a time.
func deleteMany(ctx context.Context, c *Client, names []string, ids map[string]string) error {
	var deleting errgroup.Group
	deleting.SetLimit(10)
	for _, name := range names {
		deleting.Go(func() error {
			if deletable, err := c.Deletable(ctx, "device", name, ids[name], linksOf); !deletable || err != nil {
				return fmt.Errorf("%s is not deletable: %w", name, err)
			}
			_, err := c.Delete(ctx, "device", name)
			return err
		})
	}
	return deleting.Wait()
}

// A deletion costs its own request and little more: what is asked before is asked for all.
func TestDeletable_costsAShareOfARequest(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ there, deleted, most int }{{60, 50, 52}, {1500, 50, 70}} {
		f := newServer(t, simulator.Options{})
		f.addDevices(t, test.there)
		f.Add(t, "link", Object{"name": "l", "source": testserver.Device(test.there - 1), "destination": testserver.Device(test.there - 2)})
		ids := f.idsOf(t, "device")
		c := f.client(t)
		names := make([]string, test.deleted)
		for i := range names {
			names[i] = testserver.Device(test.there - 3 - i)
		}
		f.Set(t)
		if err := deleteMany(t.Context(), c, names, ids); err != nil {
			t.Error(err)
		}
		if n := f.Count(""); n > test.most {
			t.Errorf("%d requests for %d deletions of %d devices, want at most %d", n, test.deleted, test.there, test.most)
		}
		if left := f.idsOf(t, "device"); len(left) != len(ids)-test.deleted {
			t.Errorf("%d devices are left of %d", len(left), len(ids))
		}
	}
}

// Whatever speaks against a deletion, or may do so, is not deletable.
func TestDeletable_isFalse(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{Database: simulator.MariaDB})
	f.addDevices(t, 4)
	f.Add(t, "device", Object{"name": "müller"})
	f.Add(t, "link", Object{"name": "l", "source": testserver.Device(0), "destination": testserver.Device(1)})
	f.Add(t, "service", Object{"name": "s"})
	f.Add(t, "task", Object{"name": "t", "service": "s"})
	f.Add(t, "workflow", Object{"name": "empty"}, Object{"name": "w"})
	f.Add(t, "service", Object{"name": "[w] step", "scoped_name": "step", "workflows": []string{"w"}})
	ids, services := f.idsOf(t, "device"), f.idsOf(t, "service")
	c := f.client(t)
	for _, test := range []struct {
		what, typ, name, id string
		along               []Dependents
		want                bool
	}{
		{"as expected", "device", testserver.Device(2), ids[testserver.Device(2)], linksOf, true},
		{"another id", "device", testserver.Device(2), ids[testserver.Device(3)], linksOf, false},
		{"no id", "device", testserver.Device(2), "", linksOf, false},
		{"gone", "device", "gone", "1", linksOf, false},
		{"a spelling that the database takes for the same", "device", "Müller", ids["müller"], linksOf, false},
		{"the source of a link", "device", testserver.Device(0), ids[testserver.Device(0)], linksOf, false},
		{"the destination of a link", "device", testserver.Device(1), ids[testserver.Device(1)], linksOf, false},
		{"a service with a task", "service", "s", services["s"], tasksOf, false},
		{"a service without", "service", "[w] step", services["[w] step"], tasksOf, true},
		{"a workflow with a step", "service", "w", services["w"], stepsOf, false},
		{"a column that eNMS does not know", "device", testserver.Device(2), ids[testserver.Device(2)], []Dependents{{Type: "link", Column: "middle_id"}}, false},
	} {
		if got := isDeletable(t, c, test.typ, test.name, test.id, test.along); got != test.want {
			t.Errorf("%s: deletable %t, want %t", test.what, got, test.want)
		}
	}
	if !isDeletable(t, f.client(t), "service", "empty", services["empty"], stepsOf) {
		t.Error("a workflow with nothing but Start and End is not deletable")
	}
}

// What this client writes counts at once: its deletions free others, and after any other write
// eNMS is asked again.
func TestDeletable_afterWrites(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	f.addDevices(t, 3)
	from, to := testserver.Device(0), testserver.Device(1)
	f.Add(t, "link", Object{"name": "l", "source": from, "destination": to})
	ids := f.idsOf(t, "device")
	c := f.client(t)
	if isDeletable(t, c, "device", from, ids[from], linksOf) {
		t.Error("a device with a link is deletable")
	}
	if _, err := c.Delete(t.Context(), "link", "l"); err != nil {
		t.Fatal(err)
	}
	f.Set(t)
	if !isDeletable(t, c, "device", from, ids[from], linksOf) || !isDeletable(t, c, "device", to, ids[to], linksOf) || f.Count("") > 0 {
		t.Error("after the deletion of their link the devices are not deletable, or that took requests:", f.Requests())
	}
	if err := c.Create(t.Context(), Type{Name: "link", Namespace: "link"}, Object{"name": "m", "source": from, "destination": to}, nil); err != nil {
		t.Fatal(err)
	}
	if isDeletable(t, c, "device", from, ids[from], linksOf) {
		t.Error("a device to which this client has added a link is deletable")
	}
	testserver.Must(t, c.Upsert(t.Context(), typeOf("device"), Object{"name": testserver.Device(2), "new_name": "renamed"}))
	if isDeletable(t, c, "device", testserver.Device(2), ids[testserver.Device(2)], linksOf) || !isDeletable(t, c, "device", "renamed", ids[testserver.Device(2)], linksOf) {
		t.Error("the old name is deletable, or the new one is not")
	}
	if _, err := c.Delete(t.Context(), "device", "gone"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
}

// Searches that end in 500 leave it open; one of other errors is that of the caller.
func TestDeletable_withErrors(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	f.addDevices(t, 2)
	ids := f.idsOf(t, "device")
	name := testserver.Device(1)
	status := http.StatusInternalServerError
	f.Intercept(func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
		if strings.HasSuffix(r.URL.Path, "/search") {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			_, _ = fmt.Fprintf(w, `{"alert":"Error %d"}`, status)
		}
		return strings.HasSuffix(r.URL.Path, "/search")
	})
	c := f.client(t)
	if deletable, err := c.Deletable(t.Context(), "device", name, ids[name], linksOf); deletable || err != nil {
		t.Errorf("500: deletable %t, %v", deletable, err)
	}
	status = http.StatusUnauthorized
	if deletable, err := c.Deletable(t.Context(), "device", name, ids[name], linksOf); deletable || err == nil || strings.Count(err.Error(), "does not accept") != 1 {
		t.Errorf("401: deletable %t, %v", deletable, err)
	}
	f.Intercept(nil)
	if !isDeletable(t, c, "device", name, ids[name], linksOf) {
		t.Error("not deletable once eNMS answers again")
	}
}

// A write that this client makes while the question is under way drops the answer.
func TestDeletable_whileWriting(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	f.addDevices(t, 2)
	ids := f.idsOf(t, "device")
	c := f.client(t)
	f.Intercept(func(_ http.ResponseWriter, r *http.Request, _ []byte) bool {
		if strings.HasSuffix(r.URL.Path, "/search") {
			c.Forget()
		}
		return false
	})
	if name := testserver.Device(1); isDeletable(t, c, "device", name, ids[name], linksOf) {
		t.Error("an answer from before a write counts")
	}
}

// Answers grow old: a deletion long after the question asks again.
func TestDeletable_asksAgain(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	f.addDevices(t, 2)
	ids := f.idsOf(t, "device")
	c := f.client(t)
	names := []string{testserver.Device(0), testserver.Device(1)}
	rows := f.Query(t, "device", nil)
	d := c.store.Current().Deletions
	for _, old := range []time.Duration{0, cache.DeletionAge + time.Second} {
		recordIDs(d, cache.Question{Type: "device", Field: "id"}, time.Now().Add(-old), nil, rows)
		f.Set(t)
		if !isDeletable(t, c, "device", names[0], ids[names[0]], nil) {
			t.Error("not deletable")
		}
		if asked := f.Count("POST /rest/search") > 0; asked != (old > 0) {
			t.Errorf("after %s: asked %t (%q)", old, asked, slices.Compact(f.Requests()))
		}
	}
}

// Rows that share their name do not tell which of them has it, and a deleted row has none, but still refers to others.
func TestRecordIDs(t *testing.T) {
	t.Parallel()
	row := func(id, name, source string, deleted bool) Object {
		return Object{"id": json.Number(id), "name": name, "source_id": json.Number(source), "soft_deleted": deleted}
	}
	rows := []Object{row("1", "twin", "8", false), row("2", "twin", "8", false), row("3", "a", "8", false), row("4", "gone", "9", true)}
	d := newServer(t, simulator.Options{}).client(t).store.Current().Deletions
	for field, byID := range map[string]map[string]string{"id": {"1": "[]", "2": "[]", "3": "[a]", "4": "[]"}, "source_id": {"8": "[a twin]", "9": "[gone]"}} {
		q := cache.Question{Type: "device", Field: field}
		recordIDs(d, q, time.Now(), nil, rows)
		for id, want := range byID {
			if names, known := d.Referring(q, id); !known || fmt.Sprint(slices.Sorted(slices.Values(names))) != want {
				t.Errorf("%s %s: %q, %t, want %s", field, id, names, known, want)
			}
		}
	}
}

// What a search by name has told is the name of an id, too.
func TestNameOf_learnsFromSearches(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	f.Add(t, "workflow", Object{"name": "w"})
	id := f.idsOf(t, "service")["w"]
	c := f.client(t)
	if _, err := c.Find(t.Context(), "service", "w", nil); err != nil {
		t.Fatal(err)
	}
	f.Set(t)
	for _, typ := range []string{"service", "workflow"} {
		if got, err := c.NameOf(t.Context(), typ, id); got != "w" || err != nil || f.Count("") > 0 {
			t.Errorf("%s %s is %q after %d requests: %v", typ, id, got, f.Count(""), err)
		}
	}
}
