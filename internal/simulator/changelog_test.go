// This file tests the changelog: what it says of changes, and how it misbehaves (enms-rest.md 11.9).

package simulator

import (
	"fmt"
	"strings"
	"testing"
)

// entries returns the entries of the changelog with ids above a mark, oldest first: the ids, and the contents without
// the properties of new objects.
func (c *client) entries(above float64) (ids []float64, contents []string) {
	c.t.Helper()
	for _, row := range c.search(`{"type":"changelog","columns":["id","content"],"order":[{"column":0,"dir":"asc"}],"maximum_return_records":1000,"search_criteria":{}}`) {
		entry := row.(map[string]any)
		if id := entry["id"].(float64); id > above {
			content, _, _ := strings.Cut(entry["content"].(string), " ({")
			ids, contents = append(ids, id), append(contents, content)
		}
	}
	return ids, contents
}

// mark returns the id of the newest entry of the changelog, 0 for none.
func (c *client) mark() float64 {
	c.t.Helper()
	for _, row := range c.search(`{"type":"changelog","columns":["id"],"order":[{"column":0,"dir":"desc"}],"maximum_return_records":1,"search_criteria":{}}`) {
		return row.(map[string]any)["id"].(float64)
	}
	return 0
}

// logs expects that something adds these entries to the changelog.
func (c *client) logs(what string, do func(), want ...string) {
	c.t.Helper()
	mark := c.mark()
	do()
	if _, got := c.entries(mark); strings.Join(got, "\n") != strings.Join(want, "\n") {
		c.t.Errorf("%s: the changelog has\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// remove deletes an object.
func (c *client) remove(typ, name string) {
	c.do(200, "DELETE", "/rest/instance/"+typ+"/"+escape(name), "")
}

// update returns the entry of an update as a version writes it.
func update(v Version, what string, changes ...string) string {
	if v == V53 {
		return "UPDATE: " + what + ":\n\n- " + strings.Join(changes, "\n- ")
	}
	return "UPDATE: " + what + ": (" + strings.Join(changes, " | ") + ")"
}

// ofEachVersion runs a test on each version.
func ofEachVersion(t *testing.T, test func(c *client, v Version)) {
	for v, name := range map[Version]string{V47: "4.7", V53: "5.3"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(newClientOf(t, Options{Version: v}), v)
		})
	}
}

// TestChangelog_renamesAndDeletions: the members of a renamed workflow have entries of their own, and so has what is
// deleted along with an object.
func TestChangelog_renamesAndDeletions(t *testing.T) {
	t.Parallel()
	ofEachVersion(t, func(c *client, v Version) {
		c.logs("bulk creation", func() { c.post("device", `[{"name":"a"},{"name":"b"}]`, "a", "b") }, "CREATION: device 'a'", "CREATION: device 'b'")
		c.logs("update and creation", func() { c.post("device", `[{"name":"c"},{"name":"a","vendor":"v"}]`, "c", "a") },
			update(v, "device 'a'", "vendor: '' => 'v'"), "CREATION: device 'c'")
		c.logs("rename and edit", func() { c.post("device", `{"name":"c","new_name":"d","model":"m","port":1}`, "d") },
			update(v, "device 'd'", "model: '' => 'm'", "name: 'c' => 'd'", "port: '22' => '1'"))
		c.logs("nothing", func() { c.post("device", `{"name":"d","model":"m"}`, "d") })
		c.post("link", `{"name":"l","source_name":"a","destination_name":"b"}`, "l")
		c.logs("cascade of a device", func() { c.remove("device", "a") }, "DELETION: link 'l'", "DELETION: device 'a'")

		c.post("workflow", `{"name":"w","scoped_name":"w"}`, "w")
		c.post("service", `{"name":"[w] s","scoped_name":"s","workflows":["w"]}`, "[w] s")
		edge := []string{"CREATION: workflow_edge 'e'"}
		if v == V47 {
			edge = []string{update(v, "workflow 'w'", "edges: ADDED: [e]"), "CREATION: workflow_edge 'e'"}
		}
		c.logs("edge", func() {
			c.post("workflow_edge", `{"name":"e","subtype":"success","workflow":"w","source":"[Shared] Start","destination":"[w] s"}`, "e")
		}, edge...)
		changes := []string{"last_scheduled_by: '' => 'admin'"}
		if v == V47 {
			changes = append(changes, "owners: ADDED: [admin]")
		}
		c.logs("task", func() { c.post("task", `{"name":"t","service":"w"}`, "t") }, "CREATION: task 't'", update(v, "task 't'", changes...))
		c.logs("rename of a workflow", func() { c.post("workflow", `{"name":"w","scoped_name":"x","description":"d"}`, "x") },
			update(v, "workflow 'x'", "name: 'w' => 'x'", "scoped_name: 'w' => 'x'", "description: '' => 'd'"),
			update(v, "service '[x] s'", "name: '[w] s' => '[x] s'"))
		c.logs("cascade of a workflow", func() { c.remove("workflow", "x") },
			"DELETION: task 't'", "DELETION: workflow_edge 'e'", "DELETION: workflow 'x'", "DELETION: service '[x] s'")
	})
}

// TestChangelog_search: by expressions for the id and the content together, newest first.
func TestChangelog_search(t *testing.T) {
	t.Parallel()
	for _, d := range []Database{SQLite, PostgreSQL, MariaDB} {
		c := newClientOf(t, Options{Database: d})
		mark := c.mark()
		c.post("device", `[{"name":"a"},{"name":"b"},{"name":"c"}]`, "a", "b", "c")
		rows := c.search(fmt.Sprintf(`{"type":"changelog","columns":["id","time","content","user"],"order":[{"column":0,"dir":"desc"}],"maximum_return_records":5,
			"search_criteria":{"id":"^(%v|%v)$","id_filter":"regex","content":"^CREATION: device '[ac]'","content_filter":"regex"}}`, mark+1, mark+2))
		if len(rows) != 1 || rows[0].(map[string]any)["id"] != mark+1 || rows[0].(map[string]any)["user"] != "admin" {
			t.Errorf("%v: %v", d, rows)
		}
	}
}

// TestChangelog_misbehaves: it falls silent, and it is emptied.
func TestChangelog_misbehaves(t *testing.T) {
	t.Parallel()
	for _, d := range []Database{SQLite, PostgreSQL} {
		c := newClientOf(t, Options{Database: d})
		c.post("device", `[{"name":"a"},{"name":"b"}]`, "a", "b")
		c.server.SetLogging(false)
		c.logs("silence", func() {
			c.post("device", `[{"name":"a","new_name":"x"},{"name":"y"}]`, "x", "y")
			c.remove("device", "b")
		})
		c.server.SetLogging(true)
		c.logs("afterwards", func() { c.post("device", `{"name":"x","new_name":"a"}`, "a") }, "UPDATE: device 'a': (name: 'x' => 'a')")
		before := c.clock.now().Format("2006-01-02 15:04:05.000000")
		newest := c.mark()
		c.post("device", `{"name":"z"}`, "z")
		c.server.EmptyChangelog(before)
		if ids, contents := c.entries(0); len(ids) != 1 || ids[0] != newest+1 || contents[0] != "CREATION: device 'z'" {
			t.Errorf("%v: %v %v", d, ids, contents)
		}
		c.server.EmptyChangelog("")
		c.post("device", `{"name":"q"}`, "q")
		want := map[Database]float64{SQLite: 1, PostgreSQL: newest + 2}[d]
		if got := c.mark(); got != want {
			t.Errorf("%v: the first entry of the emptied changelog has the id %v, want %v", d, got, want)
		}
	}
}

// TestChangelog_lateEntries: entries of a transaction that ends later come after entries with greater ids.
func TestChangelog_lateEntries(t *testing.T) {
	t.Parallel()
	c := newClientOf(t, Options{Database: PostgreSQL})
	mark := c.mark()
	late := c.server.ReserveEntries(2)
	c.post("device", `{"name":"a"}`, "a")
	late()
	c.post("device", `[{"name":"b"},{"name":"c"}]`, "b", "c")
	c.post("device", `{"name":"d"}`, "d")
	ids, contents := c.entries(mark)
	if got := fmt.Sprint(ids, contents); got != fmt.Sprint([]float64{mark + 1, mark + 2, mark + 3, mark + 4},
		[]string{"CREATION: device 'b'", "CREATION: device 'c'", "CREATION: device 'a'", "CREATION: device 'd'"}) {
		t.Error(got)
	}
}

// TestChangelog_forged: 5.3 has callers write entries, with any author but with the present time. 4.7 refuses them.
func TestChangelog_forged(t *testing.T) {
	t.Parallel()
	c := newClientOf(t, Options{Version: V53})
	c.post("changelog", `{"name":"n","content":"DELETION: device 'a'","time":"2020-01-01 00:00:00.000000","author":"eve","target_name":"a","history":{"creation":true}}`, "a updated by eve")
	row := c.search(`{"type":"changelog","columns":["content","time","author","is_revertible","severity"],"order":[{"column":1,"dir":"desc"}],"search_criteria":{}}`)[0].(map[string]any)
	if row["content"] != "DELETION: device 'a'" || row["author"] != "eve" || row["is_revertible"] != true || !strings.HasPrefix(row["time"].(string), "2029") {
		t.Errorf("%v", row)
	}
	c = newClient(t)
	c.refused("changelog", `{"name":"n","content":"DELETION: device 'a'"}`, "AttributeError: type object 'Changelog' has no attribute 'name'")
	c.refused("changelog", `{"name":"n","no_fetch":true,"content":"DELETION: device 'a'"}`, "AttributeError: type object 'Changelog' has no attribute 'name'")
}
