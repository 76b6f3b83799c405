// This file tests what happens to a server as a whole: restores, snapshots and clones (enms-rest.md 0.6).

package simulator

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// devices returns the name, id and creation_time of each device, by name.
func (c *client) devices() string {
	c.t.Helper()
	rows := []string{}
	for _, row := range c.search(`{"type":"device","columns":["id","name","creation_time"],"search_criteria":{}}`) {
		o := row.(map[string]any)
		rows = append(rows, fmt.Sprint(o["name"], " ", o["id"], " ", o["creation_time"]))
	}
	slices.Sort(rows)
	return strings.Join(rows, ", ")
}

// TestRestoreInPlace: SQLite numbers the objects anew, so that some keep their ids and others get those of each other.
// PostgreSQL goes on. The changelog stays, and has neither deletions nor creations.
func TestRestoreInPlace(t *testing.T) {
	t.Parallel()
	for d, want := range map[Database]string{SQLite: "a 1 %s, c 2 %s, d 3 %s", PostgreSQL: "a 5 %s, c 6 %s, d 7 %s"} {
		c := newClientOf(t, Options{Version: V53, Database: d})
		c.post("device", `[{"name":"a"},{"name":"b"},{"name":"c"},{"name":"d"}]`, "a", "b", "c", "d")
		c.remove("device", "b")
		var times []any
		for _, name := range []string{"a", "c", "d"} {
			times = append(times, c.get("device", name)["creation_time"])
		}
		c.post("workflow", `{"name":"w","scoped_name":"w"}`, "w")
		edge := `{"name":"e","subtype":"success","workflow":"w","source":"[Shared] Start","destination":"[Shared] End"}`
		c.post("workflow_edge", edge, "e")
		start, admin := c.get("service", "[Shared] Start")["id"], c.get("user", "admin")["id"]
		c.logs("restore", func() { c.server.RestoreInPlace(nil) }, "Starting Migration Import", "Import successful (execution time: 0:00:00.398261s)")
		if got := c.devices(); got != fmt.Sprintf(want, times...) {
			t.Errorf("%v: %s", d, got)
		}
		if c.get("service", "[Shared] Start")["id"] != start || c.get("user", "admin")["id"] != admin {
			t.Errorf("%v: what cannot be deleted has another id", d)
		}
		c.equal("entries that name the device", c.get("device", "a")["logs"], `[]`)
		c.do(500, "POST", "/rest/instance/workflow_edge", strings.Replace(edge, `"e"`, `"f"`, 1))
		c.logs("afterwards", func() { c.post("workflow_edge", `{"name":"e","label":"l","subtype":"success"}`, "e") },
			update(V53, "workflow_edge 'e'", "label: 'success' => 'l'"))
	}
}

// TestRestore: in another database, objects have the ids of each other, and the changelog begins anew.
func TestRestore(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	_, installed := c.entries(0)
	c.post("device", `[{"name":"a"},{"name":"b"}]`, "a", "b")
	c.server.Restore(func(n int, swap func(i, j int)) {
		for i := range n / 2 {
			swap(i, n-1-i)
		}
	})
	if got := c.devices(); got != "a 2 <nil>, b 1 <nil>" {
		t.Error(got)
	}
	ids, contents := c.entries(0)
	if ids[0] != 1 || fmt.Sprint(contents) != fmt.Sprint(installed) {
		t.Errorf("%v %v, want %v", ids, contents, installed)
	}
}

// TestSnapshot: a rollback takes back changes, entries of the changelog, the use of ids and jobs.
func TestSnapshot(t *testing.T) {
	t.Parallel()
	for _, d := range []Database{SQLite, PostgreSQL} {
		c := newClientOf(t, Options{Database: d})
		c.post("device", `[{"name":"a"},{"name":"b"}]`, "a", "b")
		c.post("pool", `{"name":"p","manually_defined":true,"devices":["a"]}`, "p")
		_, contents := c.entries(0)
		snapshot := c.server.Snapshot()
		for range 2 {
			c.post("device", `[{"name":"c"},{"name":"a","new_name":"x"}]`, "c", "x")
			c.remove("device", "b")
			c.post("task", `{"name":"t","service":"[Shared] Start","is_active":true,"start_date":"04/01/2029 06:00:00"}`, "t")
			c.server.Rollback(snapshot)
			if got := c.devices(); got != "a 1 <nil>, b 2 <nil>" {
				t.Errorf("%v: %s", d, got)
			}
			_, now := c.entries(0)
			if len(now) != len(contents)+1 || !strings.HasPrefix(now[len(contents)], "UPDATE: server 'Localhost': (last_restart: ") {
				t.Errorf("%v: %v", d, now)
			}
			c.equal("jobs", fmt.Sprint(c.server.Jobs()), `"map[]"`)
			c.equal("members", c.get("pool", "p")["devices"], `["a"]`)
		}
		c.logs("afterwards", func() { c.post("device", `{"name":"c"}`, "c") }, "CREATION: device 'c'")
		if got := c.get("device", "c")["id"]; got != 3.0 {
			t.Errorf("%v: the id %v, want 3", d, got)
		}
	}
}

// TestClone: two servers with the same objects, which change apart.
func TestClone(t *testing.T) {
	t.Parallel()
	c := newClientOf(t, Options{Version: V53})
	c.post("device", `{"name":"a"}`, "a")
	clone := *c
	clone.server = c.server.Clone()
	if clone.devices() != c.devices() {
		t.Errorf("%s, want %s", clone.devices(), c.devices())
	}
	clone.post("device", `{"name":"a","new_name":"x"}`, "x")
	c.post("device", `{"name":"b"}`, "b")
	c.get("device", "a")
	clone.absent("device", "b")
}
