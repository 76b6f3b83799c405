// Tests against the simulator, which is as awkward as eNMS itself.

package enms

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/simtest"
)

// ofSimulator makes a client of a simulator of its own.
func ofSimulator(t *testing.T) *Client {
	t.Helper()
	_, at := simtest.Start(t, simulator.Options{})
	c, err := New(Config{BaseURL: at, Username: "admin", Password: "admin"}, Words{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func TestSimulatorNames(t *testing.T) {
	t.Parallel()
	c := ofSimulator(t)
	var names []string
	for _, name := range oddNames {
		if !strings.ContainsAny(name, `/\'"`) {
			names = append(names, name)
		}
	}
	for i, err := range testserver.Together(len(names), func(i int) error {
		if err := create(t.Context(), c, "device", Object{"name": names[i], "port": i}); err != nil {
			return err
		}
		row, err := c.Find(t.Context(), "device", names[i], []string{"port"})
		if err == nil && fmt.Sprint(row["port"]) != fmt.Sprint(i) {
			err = fmt.Errorf("%v", row)
		}
		return err
	}) {
		if err != nil {
			t.Errorf("%q: %v", names[i], err)
		}
	}
	// eNMS takes such a name from a rename only (enms-rest.md 0.2).
	testserver.Must(t, create(t.Context(), c, "device", Object{"name": "plain"}))
	testserver.Must(t, c.Upsert(t.Context(), typeOf("device"), Object{"name": "plain", "new_name": `\d`}))
	for _, name := range append(names, `\d`) {
		if strings.Contains(name, "\n") {
			continue // no path reaches it (enms-rest.md 0.3)
		}
		if row, err := c.Get(t.Context(), "device", name); err != nil || row["name"] != name {
			t.Errorf("%q: %v", name, err)
		}
		if _, err := c.Delete(t.Context(), "device", name); err != nil {
			t.Errorf("delete %q: %v", name, err)
		}
		if _, err := c.Find(t.Context(), "device", name, nil); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q was not deleted: %v", name, err)
		}
	}
	err := create(t.Context(), c, "device", Object{"name": "a/b"})
	if refused, ok := errors.AsType[*RefusedError](err); !ok || refused.Reason != "Names cannot contain a slash or a quote." {
		t.Error(err)
	}
}

func TestSimulatorLifecycle(t *testing.T) {
	t.Parallel()
	c, ctx := ofSimulator(t), context.Background()
	testserver.Must(t, create(ctx, c, "device", Object{"name": "d1", "vendor": "Nokia"}))
	testserver.Must(t, create(ctx, c, "device", Object{"name": "d2"}))
	testserver.Must(t, create(ctx, c, "link", Object{"name": "l", "source": "d1", "destination": "d2"}))
	for typ, name := range map[string]string{"device": "d1", "gateway": "d2"} {
		err := create(ctx, c, typ, Object{"name": name})
		if exists, ok := errors.AsType[*ExistsError](err); !ok || exists.FoundType != "device" {
			t.Errorf("%s: %v", typ, err)
		}
	}
	testserver.Must(t, c.Upsert(ctx, typeOf("device"), Object{"name": "d1", "new_name": "d3", "port": 830}))
	row, err := c.Find(ctx, "device", "d3", []string{"port", "vendor"})
	testserver.Must(t, err)
	if fmt.Sprint(row["port"]) != "830" || row["vendor"] != "Nokia" {
		t.Error(row)
	}
	err = c.Upsert(ctx, typeOf("device"), Object{"name": "d3", "new_name": "d2"})
	if _, ok := errors.AsType[*ExistsError](err); !ok {
		t.Error(err)
	}
	for name, want := range map[string]int{"d3": 1, "d2": 0, "nobody": 0} {
		links, err := c.Related(ctx, "link", "source", name)
		if err != nil || len(links) != want {
			t.Errorf("links of %s: %v %v", name, links, err)
		}
	}
	_, err = c.Delete(ctx, "device", "d3")
	testserver.Must(t, err)
	if _, err := c.Find(ctx, "link", "l", nil); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if _, err := c.Delete(ctx, "device", "d3"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	_, err = c.Delete(ctx, "service", "[Shared] Start")
	if _, ok := errors.AsType[*RefusedError](err); !ok {
		t.Error("Start was deleted")
	}
}

func TestSimulatorServicesAndTasks(t *testing.T) {
	t.Parallel()
	c, ctx := ofSimulator(t), context.Background()
	testserver.Must(t, create(ctx, c, "python_snippet_service", Object{"name": "py", "scoped_name": "py", "source_code": "x = 1"}))
	row, err := c.Find(ctx, "service", "py", []string{"source_code"})
	testserver.Must(t, err)
	if row["source_code"] != "x = 1" || row["type"] != "python_snippet_service" {
		t.Error(row)
	}
	err = create(ctx, c, "workflow", Object{"name": "py", "scoped_name": "py"})
	if exists, ok := errors.AsType[*ExistsError](err); !ok || exists.FoundType != "python_snippet_service" {
		t.Error(err)
	}
	err = create(ctx, c, "python_snippet_service", Object{"name": "sh", "scoped_name": "sh", "shared": true})
	if renamed, ok := errors.AsType[*RenamedError](err); !ok || renamed.Got != "[Shared] sh" {
		t.Error(err)
	}
	testserver.Must(t, create(ctx, c, "device", Object{"name": "d"}))
	testserver.Must(t, create(ctx, c, "task", Object{"name": "t3", "service": "py"}))
	for i, err := range testserver.Together(10, func(i int) error {
		payload := Object{"name": fmt.Sprint("t", i), "service": "py", "devices": []string{"d"}}
		if i == 5 {
			payload["devices"] = []string{"nobody"}
		}
		return create(ctx, c, "task", payload)
	}) {
		refused, isRefused := errors.AsType[*RefusedError](err)
		_, isTaken := errors.AsType[*ExistsError](err)
		if isRefused != (i == 5) || isTaken != (i == 3) {
			t.Errorf("task %d: %v", i, err)
		}
		if isRefused && refused.Reason != "There is no device in the database with the following characteristics: {'name': 'nobody'}" {
			t.Error(err)
		}
	}
	tasks, err := c.Related(ctx, "task", "devices", "d")
	if err != nil || len(tasks) != 8 {
		t.Error(tasks, err)
	}
	tasks, err = c.Related(ctx, "task", "service", "py")
	if err != nil || len(tasks) != 9 {
		t.Error(tasks, err)
	}
}

// clientOfStaleWorkers returns a client that has created the device "d" on one of four workers, which the others do not
// know yet.
func clientOfStaleWorkers(t *testing.T) *Client {
	t.Helper()
	sim, at := simtest.Start(t, simulator.Options{Database: simulator.MariaDB, Workers: 4, StaleReads: true})
	c, err := New(Config{BaseURL: at, Username: "admin", Password: "admin"}, Words{})
	testserver.Must(t, err)
	t.Cleanup(c.Close)
	sim.HoldSnapshots()
	testserver.Must(t, create(t.Context(), c, "device", Object{"name": "d"}))
	return c
}

// What this client has written is there, even when the worker that is asked to
// refer to it does not know it yet.
func TestReferenceThatAWorkerMisses(t *testing.T) {
	t.Parallel()
	c := clientOfStaleWorkers(t)
	testserver.Must(t, create(t.Context(), c, "link", Object{"name": "l", "source": "d", "destination": "d"}))
	if _, missing := errors.AsType[*RefusedError](create(t.Context(), c, "link", Object{"name": "m", "source": "d", "destination": "nobody"})); !missing {
		t.Error("a link to nobody was made")
	}
}

// An update by the id of an instance that a worker does not know yet is sent again: several times if this client has
// written the instance, and once if not.
func TestUpdateByIDThatAWorkerMisses(t *testing.T) {
	t.Parallel()
	c := clientOfStaleWorkers(t)
	id := json.Number("1")
	testserver.Must(t, c.Upsert(t.Context(), Type{Name: "device", Namespace: "node"}, Object{"name": "d", "id": id, "vendor": "x"}))
	if row, err := c.FindByName(t.Context(), "device", "d"); err != nil || row["vendor"] != "x" {
		t.Errorf("%v, %v", row, err)
	}
	for name, want := range map[string]int{"d": staleTries, "of others": 2} {
		s := testserver.NewScript(t, slices.Repeat([]string{`{"failure": [[{"name": "x"}, "eNMS.database.RbacError: There is no device in the database with the following characteristics: {'id': 1}"]]}`}, want)...)
		c, err := New(testserver.Config(s.URL), Words{})
		testserver.Must(t, err)
		t.Cleanup(c.Close)
		if name == "d" {
			c.written.add(name)
		}
		if err := c.Upsert(t.Context(), Type{Name: "device", Namespace: "node"}, Object{"name": name, "id": id}); !Unacted(err) || len(s.Asked) != want {
			t.Errorf("%s: %v after %d requests, want %d", name, err, len(s.Asked), want)
		}
	}
}

// A worker that does not know yet what this client has written is asked again.
func TestFindByNameThatAWorkerMisses(t *testing.T) {
	t.Parallel()
	c := clientOfStaleWorkers(t)
	for range 4 {
		if row, err := c.FindByName(t.Context(), "device", "d"); err != nil || row["name"] != "d" {
			t.Errorf("%v, %v", row, err)
		}
	}
}
