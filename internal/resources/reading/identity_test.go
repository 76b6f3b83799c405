// Tests of which instance is the one of a state: what others rename, delete, recreate, exchange and restore, on both
// lines of eNMS. Each test ends with what must not have happened to the instances of others.

package reading_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

const (
	line4 = "4.7"
	line5 = "5.3"
)

// onBothLines plays a test on a simulated server of each line.
func onBothLines(t *testing.T, play func(t *testing.T, s *acctest.Server, line string)) {
	t.Parallel()
	for line, options := range map[string]simulator.Options{line4: {}, line5: {Version: simulator.V53}} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServerWith(t, line, options)
			s.OnlySimulated("both lines are compared")
			play(t, s, line)
		})
	}
}

// rename is what somebody else does with a device on a web page.
func rename(s *acctest.Server, from, to string) {
	s.Put("device", enms.Object{"name": from, "new_name": to})()
}

// device is the configuration of a device that has nothing of its own but its name.
func device(name string) acctest.Attributes { return acctest.Attributes{"name": name} }

// idOf returns the id of what has a name, or "".
func idOf(s *acctest.Server, typ, name string) string {
	for _, row := range s.All(typ) {
		if row["name"] == name {
			return fmt.Sprint(row["id"])
		}
	}
	return ""
}

// giveIDAgain deletes what has a name and creates another one, to which SQLite gives the same id. It returns the id.
func giveIDAgain(s *acctest.Server, typ, deleted, created string) (id string) {
	s.T.Helper()
	id = idOf(s, typ, deleted)
	s.Drop(typ, deleted)()
	s.Put(typ, enms.Object{"name": created})()
	if idOf(s, typ, created) != id {
		s.T.Fatal("the id is not given again")
	}
	return id
}

// refused fails the test unless something was refused with these words, and eNMS is as before.
func refused(s *acctest.Server, diags acctest.Problems, before []string, words ...string) {
	s.T.Helper()
	if !diags.Failed() {
		s.T.Errorf("nothing was refused: %s", diags)
	}
	acctest.CheckSays(diags, s.T, words...)
	unchanged(s, before)
}

// unchanged fails the test unless eNMS has what it had before.
func unchanged(s *acctest.Server, before []string) {
	s.T.Helper()
	if now := all(s); fmt.Sprint(now) != fmt.Sprint(before) {
		s.T.Errorf("eNMS has %v, had %v", now, before)
	}
}

// all describes the instances that tests make.
func all(s *acctest.Server) (found []string) {
	for _, typ := range []string{"device", "pool", "user", "service", "workflow_edge", "task"} {
		for _, row := range s.All(typ) {
			found = append(found, fmt.Sprint(typ, " ", row["id"], " ", row["name"], " ", row["description"], " ", row["workflow_id"]))
		}
	}
	return found
}

// Two devices are alike. In eNMS, one is deleted and the other one gets its name; the configuration says the same.
func TestIdentity_renamedToTheNameOfADeletedOne(t *testing.T) {
	onBothLines(t, func(t *testing.T, s *acctest.Server, _ string) {
		c := s.Core(nil)
		a, b := c.Applied("enms_device", device("a"), c.NoState("enms_device")), c.Applied("enms_device", device("b"), c.NoState("enms_device"))
		s.Drop("device", "a")()
		rename(s, "b", "a")
		c = s.Core(nil)
		if gone := c.Refreshed("enms_device", a); !gone.Value.IsNull() {
			t.Errorf("what was deleted is %s", gone.Value)
		}
		b = c.Refreshed("enms_device", b)
		c.PlansNothing("enms_device", device("a"), b)
		// Another workspace destroys what it knows as a, with and without a refresh.
		before := all(s)
		after, diags := s.Core(nil).Apply("enms_device", nil, a)
		if diags.Failed() || !after.Value.IsNull() {
			t.Errorf("%s %s", diags, after.Value)
		}
		unchanged(s, before)
	})
}

// After the plan of a deletion, somebody makes the pool anew, with other members.
func TestIdentity_deletedAndMadeAnew(t *testing.T) {
	onBothLines(t, func(t *testing.T, s *acctest.Server, _ string) {
		for _, otherID := range []bool{false, true} { // SQLite gives an id again if it was the greatest
			c := s.Core(nil)
			state := c.Applied("enms_pool", acctest.Attributes{"name": "p"}, c.NoState("enms_pool"))
			s.Drop("pool", "p")()
			if otherID {
				s.Put("pool", enms.Object{"name": "q"})()
			}
			s.Put("pool", enms.Object{"name": "p", "description": "theirs"})()
			before := all(s)
			after, diags := s.Core(nil).Apply("enms_pool", nil, state) // as an old plan does
			if diags.Failed() || !after.Value.IsNull() || !strings.Contains(diags.String(), "was not deleted") {
				t.Errorf("the deletion of an old plan, other id %v: %s %s", otherID, diags, after.Value)
			}
			unchanged(s, before)
			if otherID {
				if state = s.Core(nil).Refreshed("enms_pool", state); !state.Value.IsNull() {
					t.Errorf("a plan has %s", state.Value)
				}
			}
			s.Drop("pool", "p")()
		}
	})
}

// A workflow was renamed to "x old", and there is a new one named x, with a step less.
func TestIdentity_versions(t *testing.T) {
	onBothLines(t, func(t *testing.T, s *acctest.Server, _ string) {
		c := s.Core(nil)
		type managed struct {
			typ    string
			config func(workflow string) acctest.Attributes
			state  acctest.ResourceState
		}
		step := func(scoped string) func(string) acctest.Attributes {
			return func(w string) acctest.Attributes {
				return acctest.Attributes{"name": "[" + w + "] " + scoped, "type": "python_snippet_service", "workflows": []string{w}}
			}
		}
		parts := []*managed{
			{typ: "enms_service", config: func(w string) acctest.Attributes { return acctest.Attributes{"name": w, "type": "workflow"} }},
			{typ: "enms_service", config: step("a")}, {typ: "enms_service", config: step("b")},
			{typ: "enms_workflow_edge", config: func(w string) acctest.Attributes {
				return acctest.Attributes{"workflow": w, "source": "[" + w + "] a", "destination": "[" + w + "] b", "subtype": "success"}
			}},
		}
		for _, m := range parts {
			m.state = c.Applied(m.typ, m.config("x"), c.NoState(m.typ))
		}
		s.Put("workflow", enms.Object{"name": "x", "new_name": "x old", "scoped_name": "x old"})()
		s.Put("workflow", enms.Object{"name": "x", "scoped_name": "x"})()
		s.Put("python_snippet_service", enms.Object{"name": "[x] a", "scoped_name": "a", "workflows": []string{"x"}, "description": "edited"})()
		before := all(s)
		// By id, nothing is written, and the plan says both ways on.
		for _, m := range parts[:3] {
			c := s.Core(nil).InOneRun()
			state := c.Refreshed(m.typ, m.state)
			_, diags := c.Plan(m.typ, m.config("x"), state)
			if name, _ := m.config("x")["name"].(string); name != "[x] b" { // which is free: it may get its name back
				refused(s, diags, before, "belongs to another", "renamed to", "old", "by user", `identify_by = "name"`)
			}
			c.PlansNothing(m.typ, m.config("x old"), state) // with the new name in the code
		}
		c = s.Core(nil)
		c.PlansNothing(parts[3].typ, parts[3].config("x old"), c.Refreshed(parts[3].typ, parts[3].state))
		unchanged(s, before)
		// By name, x and its members are the new ones, and "x old" is left alone.
		for _, m := range parts {
			c := s.Core(acctest.Attributes{"identify_by": "name"})
			m.state = c.Applied(m.typ, m.config("x"), c.Refreshed(m.typ, m.state))
			c.PlansNothing(m.typ, m.config("x"), c.Refreshed(m.typ, m.state))
		}
		if left := s.Get("workflow", "x old"); len(left["services"].([]any)) < 4 { // with those that every workflow has
			t.Errorf("x old has lost a step: %v", left["services"])
		}
		for _, m := range []*managed{parts[3], parts[2], parts[1], parts[0]} { // as Terraform does
			c := s.Core(nil)
			c.Applied(m.typ, nil, c.Refreshed(m.typ, m.state))
		}
		for _, name := range []string{"x old", "[x old] a", "[x old] b"} {
			s.Get("service", name)
		}
		s.Check(s.Absent("service", "x"))
	})
}

// A managed device and one of others exchange their names, beside a third that is alike: whatever is read first, it is
// followed, its old name is not taken from the other one, and it is not destroyed before the new name is accepted.
func TestIdentity_exchangedWithAStranger(t *testing.T) {
	onBothLines(t, func(t *testing.T, s *acctest.Server, _ string) {
		c := s.Core(nil)
		ours := c.Applied("enms_device", device("ours"), c.NoState("enms_device"))
		alike := c.Applied("enms_device", device("alike"), c.NoState("enms_device"))
		s.Put("device", enms.Object{"name": "theirs"})()
		rename(s, "ours", "aside")
		rename(s, "theirs", "ours")
		rename(s, "aside", "theirs")
		before := all(s)
		for _, first := range []string{"ours", "alike"} {
			run := s.Core(nil).InOneRun()
			if first == "alike" {
				run.PlansNothing("enms_device", device("alike"), run.Refreshed("enms_device", alike))
			}
			state := run.Refreshed("enms_device", ours)
			if have := state.Text(t, "name"); have != "theirs" {
				t.Errorf("with %s first, it is %q", first, have)
			}
			_, diags := run.Plan("enms_device", device("ours"), state)
			refused(s, diags, before, `The name "ours" belongs to another device`, `renamed to "theirs" by user`, "which got this name from user")
			_, diags = run.Plan("enms_device", nil, state)
			refused(s, diags, before, "Cannot delete device", `renamed to "theirs"`, "-refresh-only")
			accepted := s.Core(nil)
			accepted.PlansNothing("enms_device", device("theirs"), accepted.Refreshed("enms_device", state))
		}
		state := s.Core(nil).Refreshed("enms_device", ours)
		c = s.Core(nil)
		c.Applied("enms_device", nil, c.Refreshed("enms_device", state))
		if idOf(s, "device", "theirs") != "" || idOf(s, "device", "ours") == "" {
			t.Errorf("eNMS has %v", all(s))
		}
	})
}

// SQLite gives the id of a deleted user to a new one. The new user gets neither the name of the old one nor its groups.
func TestIdentity_idOfADeletedUser(t *testing.T) {
	onBothLines(t, func(t *testing.T, s *acctest.Server, _ string) {
		c := s.Core(nil)
		config := acctest.Attributes{"name": "u"}
		state := c.Applied("enms_user", config, c.NoState("enms_user"))
		id := giveIDAgain(s, "user", "u", "new")
		c = s.Core(nil)
		state = c.Refreshed("enms_user", state)
		if !state.Value.IsNull() {
			t.Fatalf("it is %s", state.Value)
		}
		c.Applied("enms_user", config, state)
		if idOf(s, "user", "new") != id || idOf(s, "user", "u") == "" {
			t.Errorf("eNMS has %v", all(s))
		}
	})
}

// What has the name of an instance that somebody deleted is somebody else's: the plan creates, and its warning says who
// made it.
func TestIdentity_recreatedByOthers(t *testing.T) {
	onBothLines(t, func(t *testing.T, s *acctest.Server, _ string) {
		c := s.Core(nil)
		state := c.Applied("enms_device", device("d"), c.NoState("enms_device"))
		s.Drop("device", "d")()
		s.Put("device", enms.Object{"name": "other"})()
		s.Put("device", enms.Object{"name": "d"})()
		run := s.Core(nil).InOneRun()
		state = run.Refreshed("enms_device", state)
		_, diags := run.Plan("enms_device", device("d"), state)
		if !state.Value.IsNull() || diags.Failed() {
			t.Fatalf("%s %s", state.Value, diags)
		}
		acctest.CheckSays(diags, t, "The name of a new device is taken", `made by user "admin" at `, "adopt_existing = true")
	})
}

// SQLite also gives the id to what is made anew under the same name. A read does not notice it on eNMS 4, but nothing is
// written to it, and the next read drops it.
func TestIdentity_recreatedWithItsID(t *testing.T) {
	onBothLines(t, func(t *testing.T, s *acctest.Server, line string) {
		c := s.Core(nil)
		state := c.Applied("enms_device", device("d"), c.NoState("enms_device"))
		id := giveIDAgain(s, "device", "d", "d")
		before, changed := all(s), device("d")
		changed["description"] = "changed"
		state = s.Core(nil).Refreshed("enms_device", state)
		if line == line4 {
			var diags acctest.Problems
			state, diags = s.Core(nil).Apply("enms_device", changed, state)
			refused(s, diags, before, `Cannot update device "d"`, "created another one (id "+id+")")
			state = s.Core(nil).Refreshed("enms_device", state)
		}
		if !state.Value.IsNull() {
			t.Errorf("it is %s", state.Value)
		}
	})
}

// restores are what may happen to a server as a whole, each with whether the identity of a device is told afterwards,
// on eNMS 4 and 5.
var restores = map[string]struct {
	do           func(s *acctest.Server, earlier *simulator.Snapshot)
	told4, told5 bool
}{
	"restored into an empty database": {do: func(s *acctest.Server, _ *simulator.Snapshot) { s.Simulator.Restore(rand.Shuffle) }, told5: true},
	"restored in place": {do: func(s *acctest.Server, _ *simulator.Snapshot) {
		s.Drop("device", "theirs")() // so that ids move
		s.Simulator.SetLogging(true)
		s.Simulator.RestoreInPlace(nil)
	}, told5: true},
	"rolled back after the creation": {do: func(s *acctest.Server, earlier *simulator.Snapshot) {
		s.Simulator.Rollback(earlier)
		for _, name := range []string{"other", "d1", "d2"} {
			s.Put("device", enms.Object{"name": name, "description": "of others"})()
		}
	}},
	"changelog emptied wholly": {do: func(s *acctest.Server, _ *simulator.Snapshot) { s.Simulator.EmptyChangelog("") }, told5: true},
}

// After a restore, the plan is empty. Where eNMS does not tell that the instances are the same, a warning says so once,
// nothing is changed or deleted, and identify_by = "name" for one apply makes everything as before.
func TestIdentity_restored(t *testing.T) {
	for name, restore := range restores {
		t.Run(name, func(t *testing.T) {
			onBothLines(t, func(t *testing.T, s *acctest.Server, line string) {
				told := line == line4 && restore.told4 || line == line5 && restore.told5
				earlier := s.Simulator.Snapshot()
				c := s.Core(nil)
				s.Put("device", enms.Object{"name": "theirs"})()
				configs := map[string]acctest.Attributes{"enms_device": device("d1"), "enms_instances": acctest.Entries(s, "device", map[string]any{"d2": map[string]any{}})}
				states := map[string]acctest.ResourceState{}
				for typ, config := range configs {
					states[typ] = c.Applied(typ, config, c.NoState(typ))
				}
				restore.do(s, earlier)
				before := all(s)
				run, warnings := s.Core(nil).InOneRun(), 0
				for typ, config := range configs {
					state, diags := run.Refresh(typ, states[typ])
					if diags.Failed() || state.Value.IsNull() {
						t.Fatalf("%s: %s %s", typ, diags, state.Value)
					}
					warnings += strings.Count(diags.String(), "eNMS does not tell")
					run.PlansNothing(typ, config, state)
					if told {
						continue
					}
					changed := device("d1")
					changed["description"] = "changed"
					if typ == "enms_instances" {
						changed = acctest.Entries(s, "device", map[string]any{"d2": map[string]any{"description": "changed"}})
					}
					for what, next := range map[string]acctest.Attributes{"update": changed, "delete": nil} {
						_, diags := run.Plan(typ, next, state)
						refused(s, diags, before, "Cannot "+what+" device", `identify_by = "name"`)
						_, diags = s.Core(nil).Apply(typ, next, states[typ]) // without a refresh
						refused(s, diags, before, "Cannot "+what+" device")
					}
				}
				if want := map[bool]int{true: 0, false: 1}[told]; warnings != want {
					t.Errorf("%d warnings, want %d", warnings, want)
				}
				byName := s.Core(acctest.Attributes{"identify_by": "name"})
				for typ, config := range configs {
					states[typ] = byName.Refreshed(typ, states[typ])
					byName.PlansNothing(typ, config, states[typ])
				}
				after := s.Core(nil)
				for typ, config := range configs {
					state, diags := after.Refresh(typ, states[typ])
					if len(diags) > 0 {
						t.Errorf("%s: %s", typ, diags)
					}
					after.PlansNothing(typ, config, state)
					after.Applied(typ, nil, state)
				}
			})
		})
	}
}

// Where the changelog was silent, a rename is not followed on eNMS 4: the instance is neither changed nor deleted, nor
// called gone. creation_time tells it on eNMS 5.
func TestIdentity_silentChangelog(t *testing.T) {
	onBothLines(t, func(t *testing.T, s *acctest.Server, line string) {
		c := s.Core(nil)
		state := c.Applied("enms_device", device("d"), c.NoState("enms_device"))
		s.Simulator.SetLogging(false)
		rename(s, "d", "e")
		s.Simulator.SetLogging(true)
		before := all(s)
		c = s.Core(nil)
		now, diags := c.Refresh("enms_device", state)
		if line == line5 {
			if diags.Failed() || now.Text(t, "name") != "e" {
				t.Errorf("%s %s", diags, now.Value)
			}
			return
		}
		refused(s, diags, before, `Cannot read device "d"`, `named "e"`, `identify_by = "name"`)
		_, diags = s.Core(nil).Apply("enms_device", nil, state)
		refused(s, diags, before, `Cannot delete device "d"`)
		s.Put("device", enms.Object{"name": "d", "description": "of others"})()
		before = all(s)
		run := s.Core(nil)
		now, diags = run.Refresh("enms_device", state)
		if diags.Failed() || now.Value.IsNull() || !strings.Contains(diags.String(), "eNMS does not tell") {
			t.Errorf("%s %s", diags, now.Value)
		}
		_, diags = run.Plan("enms_device", nil, now)
		refused(s, diags, before, `Cannot delete device "d"`)
	})
}

// Entries of the changelog that administrators have deleted because they are old say nothing about the database.
func TestIdentity_oldEntriesDeleted(t *testing.T) {
	onBothLines(t, func(t *testing.T, s *acctest.Server, _ string) {
		c := s.Core(nil)
		state := c.Applied("enms_device", device("d"), c.NoState("enms_device"))
		s.Put("device", enms.Object{"name": "later"})()
		newest := ""
		for _, row := range s.All("changelog") {
			newest = max(newest, fmt.Sprint(row["time"]))
		}
		s.Simulator.EmptyChangelog(newest)
		c = s.Core(nil)
		state, diags := c.Refresh("enms_device", state)
		if len(diags) > 0 {
			t.Errorf("%s", diags)
		}
		c.Applied("enms_device", nil, state)
	})
}

// Somebody writes the text of a rename into a description: without the id it is none, and the id of what was deleted is
// nobody's.
func TestIdentity_forgedRename(t *testing.T) {
	onBothLines(t, func(t *testing.T, s *acctest.Server, _ string) {
		c := s.Core(nil)
		state := c.Applied("enms_device", device("d"), c.NoState("enms_device"))
		giveIDAgain(s, "device", "d", "w")
		s.Put("device", enms.Object{"name": "w", "description": "' => '' | name: 'd' => 'w"})()
		s.Put("device", enms.Object{"name": "w", "description": "\n- name: 'd' => 'w'"})()
		if state = s.Core(nil).Refreshed("enms_device", state); !state.Value.IsNull() {
			t.Errorf("it is %s", state.Value)
		}
	})
}

// An edge is its workflow, its ends and its subtype, whatever its name: others may delete it and draw it anew.
func TestIdentity_edgeCreatedAgain(t *testing.T) {
	onBothLines(t, func(t *testing.T, s *acctest.Server, _ string) {
		c := s.Core(nil)
		c.Applied("enms_service", acctest.Attributes{"name": "w", "type": "workflow"}, c.NoState("enms_service"))
		config := acctest.Attributes{"workflow": "w", "source": "[Shared] Start", "destination": "[Shared] End", "subtype": "success"}
		state := c.Applied("enms_workflow_edge", config, c.NoState("enms_workflow_edge"))
		s.Drop("workflow_edge", state.Text(t, "name"))()
		s.Put("workflow_edge", enms.Object{"name": "theirs", "workflow": "w", "source": "[Shared] Start", "destination": "[Shared] End", "subtype": "success"})()
		c = s.Core(nil)
		state = c.Refreshed("enms_workflow_edge", state)
		if have := state.Text(t, "name"); have != "theirs" {
			t.Fatalf("it is %q", have)
		}
		c.PlansNothing("enms_workflow_edge", config, state)
		c.Applied("enms_workflow_edge", nil, state)
		s.Check(s.Absent("workflow_edge", "theirs"))
	})
}
