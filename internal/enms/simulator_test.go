// Tests against the simulator, which is as awkward as eNMS itself.

package enms

import (
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
