// This file tests what Terraform does after eNMS was restored from a backup: every object has
// its name and its content, and the id of another one (enms-rest.md 0.6).

package reading_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// reversed has each object take the id of the one at the other end of its table.
func reversed(n int, swap func(i, j int)) {
	for i := range n / 2 {
		swap(i, n-1-i)
	}
}

// rotated has each object take the id of its neighbour.
func rotated(n int, swap func(i, j int)) {
	for i := range n - 1 {
		swap(i, i+1)
	}
}

// onlyLeft fails the test unless eNMS has exactly these devices.
func onlyLeft(s *acctest.Server, names ...string) {
	s.T.Helper()
	if ids := acctest.IDsOfDevices(s); len(ids) != len(names) {
		s.T.Errorf("eNMS has %d devices, want %d", len(ids), len(names))
	}
	for _, name := range names {
		s.Get("device", name)
	}
}

// After a restore, each resource has the instance with its name, whatever the ids: devices that
// differ in nothing but their names, and what refers to others. Nothing is planned, and nothing
// else is deleted.
func TestRestore_planIsEmpty(t *testing.T) {
	t.Parallel()
	for name, shuffle := range map[string]func(n int, swap func(i, j int)){"reversed": reversed, "rotated": rotated} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServer(t)
			s.OnlySimulated("it restores the server")
			c := s.Core(nil)
			type made struct {
				typ    string
				config acctest.Attributes
				state  acctest.ResourceState
			}
			var all []*made
			add := func(typ string, config acctest.Attributes) {
				all = append(all, &made{typ, config, c.Applied(typ, config, c.NoState(typ))})
			}
			for i := range 3 {
				add("enms_device", acctest.Attributes{"name": s.Expand(fmt.Sprintf("NAME-twin%d", i))})
			}
			add("enms_link", acctest.Attributes{"name": s.Expand("NAME-l1"), "source": s.Expand("NAME-twin0"), "destination": s.Expand("NAME-twin1")})
			add("enms_link", acctest.Attributes{"name": s.Expand("NAME-l2"), "source": s.Expand("NAME-twin1"), "destination": s.Expand("NAME-twin2")})
			for _, workflow := range []string{"NAME-w1", "NAME-w2"} {
				w := s.Expand(workflow)
				add("enms_service", acctest.Attributes{"name": w, "type": "workflow"})
				for _, step := range []string{"A", "B"} {
					add("enms_service", acctest.Attributes{"name": "[" + w + "] " + step, "type": "python_snippet_service", "workflows": []string{w}})
				}
				add("enms_workflow_edge", acctest.Attributes{"workflow": w, "source": "[" + w + "] A", "destination": "[" + w + "] B", "subtype": "success"})
				add("enms_task", acctest.Attributes{"name": w + " task", "service": w, "devices": []string{s.Expand("NAME-twin1")}, "frequency": 60, "is_active": true})
			}
			add("enms_pool", acctest.Attributes{"name": s.Expand("NAME-p1")})
			add("enms_pool", acctest.Attributes{"name": s.Expand("NAME-p2")})
			add("enms_instances", acctest.Entries(s, "device", map[string]any{"NAME-e1": map[string]any{}, "NAME-e2": map[string]any{}, "NAME-e3": map[string]any{"vendor": "Nokia"}}))
			s.Simulator.Restore(shuffle)
			c = s.Core(nil) // a run of Terraform that begins after the restore
			for _, m := range all {
				state := c.Refreshed(m.typ, m.state)
				if state.Value.IsNull() {
					t.Errorf("%v is gone", m.config["name"])
					continue
				}
				acctest.PlanIsEmpty(c, m.typ, m.config, state)
			}
		})
	}
}

// A deletion deletes what has the name, also without a refresh, when another instance has
// the id in the state.
func TestRestore_deletion(t *testing.T) {
	t.Parallel()
	for _, refresh := range []bool{true, false} {
		t.Run(fmt.Sprintf("refresh %v", refresh), func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServer(t)
			s.OnlySimulated("it restores the server")
			c := s.Core(nil)
			states := map[string]acctest.ResourceState{}
			for _, name := range []string{"NAME-d1", "NAME-d2", "NAME-d3"} {
				config := acctest.Attributes{"name": s.Expand(name)}
				states[name] = c.Applied("enms_device", config, c.NoState("enms_device"))
			}
			s.Simulator.Restore(reversed)
			c = s.Core(nil) // a run of Terraform that begins after the restore
			state := states["NAME-d1"]
			if refresh {
				state = c.Refreshed("enms_device", state)
			}
			c.Applied("enms_device", nil, state)
			onlyLeft(s, "NAME-d2", "NAME-d3")
		})
	}
}

// An update that was planned before a restore changes what has the name, and succeeds.
func TestRestore_updateOfAnOldPlan(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("it restores the server")
	c := s.Core(nil)
	states := map[string]acctest.ResourceState{}
	for _, name := range []string{"NAME-d1", "NAME-d2", "NAME-d3"} {
		states[name] = c.Applied("enms_device", acctest.Attributes{"name": s.Expand(name)}, c.NoState("enms_device"))
	}
	s.Simulator.Restore(reversed)
	c = s.Core(nil) // a run of Terraform that begins after the restore
	config := acctest.Attributes{"name": s.Expand("NAME-d1"), "vendor": "Nokia"}
	state := c.Applied("enms_device", config, states["NAME-d1"])
	acctest.PlanIsEmpty(c, "enms_device", config, c.Refreshed("enms_device", state))
	for name, want := range map[string]string{"NAME-d1": "Nokia", "NAME-d2": "", "NAME-d3": ""} {
		if have := s.Get("device", name)["vendor"]; have != want {
			t.Errorf("%s has the vendor %v, want %q", name, have, want)
		}
	}
}

// What others change after a restore is drift of the instance with the name, although another
// one has the id and the values in the state; an entry whose instance was not restored is gone.
func TestRestore_driftAndMissingEntries(t *testing.T) {
	t.Parallel()
	for name, shuffle := range map[string]func(n int, swap func(i, j int)){"reversed": reversed, "rotated": rotated} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServer(t)
			s.OnlySimulated("it restores the server")
			c := s.Core(nil)
			entries := map[string]any{}
			for _, key := range []string{"NAME-a", "NAME-b", "NAME-c", "NAME-d"} {
				entries[key] = map[string]any{"vendor": "Cisco"}
			}
			config := acctest.Entries(s, "device", entries)
			state := c.Applied("enms_instances", config, c.NoState("enms_instances"))
			s.Simulator.Restore(shuffle)
			c = s.Core(nil) // a run of Terraform that begins after the restore
			s.Put("device", enms.Object{"name": "NAME-a", "vendor": "Nokia"})()
			s.Put("device", enms.Object{"name": "NAME-c", "vendor": "Nokia"})()
			s.Drop("device", "NAME-d")()
			before := acctest.IDsOf(s, "device", "NAME-a", "NAME-b", "NAME-c")
			state = c.Applied("enms_instances", config, c.Refreshed("enms_instances", state))
			acctest.PlanIsEmpty(c, "enms_instances", config, state)
			for key := range entries {
				if have := s.Get("device", key)["vendor"]; have != "Cisco" {
					t.Errorf("%s has the vendor %v", key, have)
				}
			}
			if after := acctest.IDsOf(s, "device", "NAME-a", "NAME-b", "NAME-c"); fmt.Sprint(after) != fmt.Sprint(before) {
				t.Errorf("the ids are %v, were %v", after, before)
			}
		})
	}
}

// An entry that leaves enms_instances after a restore takes nobody else's instance along.
func TestRestore_entryLeaves(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("it restores the server")
	c := s.Core(nil)
	config := func(keys ...string) acctest.Attributes {
		entries := map[string]any{}
		for _, key := range keys {
			entries[key] = map[string]any{}
		}
		return acctest.Entries(s, "device", entries)
	}
	state := c.Applied("enms_instances", config("NAME-a", "NAME-b", "NAME-c"), c.NoState("enms_instances"))
	s.Simulator.Restore(reversed)
	c = s.Core(nil) // a run of Terraform that begins after the restore
	state = c.Applied("enms_instances", config("NAME-b", "NAME-c"), c.Refreshed("enms_instances", state))
	acctest.PlanIsEmpty(c, "enms_instances", config("NAME-b", "NAME-c"), state)
	onlyLeft(s, "NAME-b", "NAME-c")
}

// A device that others have changed after a restore is known by its name, although another one
// has its id and its values. One that they have renamed keeps its id only as long as ids can tell.
func TestRestore_changedByOthers(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change  enms.Object
		problem bool // an error that names the others
	}{
		"changed": {change: enms.Object{"name": "NAME-d3", "vendor": "Nokia"}},
		"renamed": {change: enms.Object{"name": "NAME-d3", "new_name": "NAME-d9"}, problem: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServer(t)
			s.OnlySimulated("it restores the server")
			c := s.Core(nil)
			states := map[string]acctest.ResourceState{}
			for _, name := range []string{"NAME-d1", "NAME-d2", "NAME-d3"} {
				states[name] = c.Applied("enms_device", acctest.Attributes{"name": s.Expand(name), "vendor": "Cisco"}, c.NoState("enms_device"))
			}
			s.Simulator.Restore(reversed)
			s.Put("device", test.change)()
			c = s.Core(nil)
			state, diags := c.Refresh("enms_device", states["NAME-d3"])
			if diags.Failed() != test.problem {
				t.Fatal(diags)
			}
			if test.problem {
				for _, name := range []string{"NAME-d1", "NAME-d2"} {
					if !strings.Contains(diags.String(), s.Expand(name)) {
						t.Errorf("%s is not named: %s", name, diags)
					}
				}
				return
			}
			if got := state.Text(t, "name"); got != s.Expand("NAME-d3") {
				t.Errorf("the state has the name %q", got)
			}
			config := acctest.Attributes{"name": s.Expand("NAME-d3"), "vendor": "Cisco"}
			acctest.PlanIsEmpty(c, "enms_device", config, c.Applied("enms_device", config, state))
		})
	}
}

// An entry whose instance is gone after a restore is made anew, although the provider also wrote
// the instance that has its id now.
func TestRestore_missingEntryWhoseIDIsAnothers(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("it restores the server")
	c := s.Core(nil)
	c.Applied("enms_device", acctest.Attributes{"name": s.Expand("NAME-d"), "vendor": "Nokia"}, c.NoState("enms_device"))
	config := acctest.Entries(s, "device", map[string]any{"NAME-e": map[string]any{"vendor": "Cisco"}})
	state := c.Applied("enms_instances", config, c.NoState("enms_instances"))
	s.Simulator.Restore(reversed)
	s.Drop("device", "NAME-e")()
	c = s.Core(nil) // a run of Terraform that begins after the restore
	state = c.Applied("enms_instances", config, c.Refreshed("enms_instances", state))
	acctest.PlanIsEmpty(c, "enms_instances", config, state)
	onlyLeft(s, "NAME-d", "NAME-e")
}

// On a server that was not restored, somebody renames one of several instances that are alike: its id
// says which it is, because the others have kept theirs.
func TestRestore_notRestored(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	states := map[string]acctest.ResourceState{}
	for _, name := range []string{"NAME-1", "NAME-2", "NAME-3"} {
		config := acctest.Attributes{"name": s.Expand(name), "vendor": "Cisco"}
		states[name] = c.Applied("enms_device", config, c.NoState("enms_device"))
	}
	s.Put("device", enms.Object{"name": "NAME-2", "new_name": "NAME-renamed"})()
	t.Cleanup(s.Drop("device", "NAME-renamed"))
	if state, diags := s.Core(nil).Refresh("enms_device", states["NAME-2"]); !diags.Failed() {
		t.Errorf("alone, it is not known which it is: %s", state.Value)
	}
	run := s.Core(nil).InOneRun()
	for _, name := range []string{"NAME-1", "NAME-3"} {
		run.Refreshed("enms_device", states[name])
	}
	state := run.Refreshed("enms_device", states["NAME-2"])
	if have := state.Text(t, "name"); have != s.Expand("NAME-renamed") {
		t.Errorf("it is %q", have)
	}
	run.Applied("enms_device", acctest.Attributes{"name": s.Expand("NAME-2"), "vendor": "Cisco"}, state)
	onlyLeft(s, "NAME-1", "NAME-2", "NAME-3")
}

// Two devices have exchanged their names, and are read before others have proven that ids are stable:
// content that only one instance has says which it is.
func TestRestore_exchangeOfNames(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	states := map[string]acctest.ResourceState{}
	for _, name := range []string{"NAME-1", "NAME-2"} {
		states[name] = c.Applied("enms_device", acctest.Attributes{"name": s.Expand(name), "vendor": name}, c.NoState("enms_device"))
	}
	exchange := []enms.Object{{"name": "NAME-1", "new_name": "NAME-aside"}, {"name": "NAME-2", "new_name": "NAME-1"}, {"name": "NAME-aside", "new_name": "NAME-2"}}
	for _, renamed := range exchange {
		s.Put("device", renamed)()
	}
	run := s.Core(nil).InOneRun()
	for was, now := range map[string]string{"NAME-1": "NAME-2", "NAME-2": "NAME-1"} {
		if have := run.Refreshed("enms_device", states[was]).Text(t, "name"); have != s.Expand(now) {
			t.Errorf("%s is %q, want %q", was, have, s.Expand(now))
		}
	}
}

// An edge that is gone after a restore is gone, although another one, of the same subtype, has its id.
func TestRestore_edgeWhoseIDIsAnothers(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("it restores the server")
	c := s.Core(nil)
	w := s.Expand("NAME-w")
	c.Applied("enms_service", acctest.Attributes{"name": w, "type": "workflow"}, c.NoState("enms_service"))
	c.Applied("enms_service", acctest.Attributes{"name": "[" + w + "] A", "type": "python_snippet_service", "workflows": []string{w}}, c.NoState("enms_service"))
	edge := func(source, destination string) acctest.ResourceState {
		return c.Applied("enms_workflow_edge", acctest.Attributes{"workflow": w, "source": source, "destination": destination, "subtype": "success"}, c.NoState("enms_workflow_edge"))
	}
	first := edge("[Shared] Start", "["+w+"] A")
	last := edge("["+w+"] A", "[Shared] End")
	s.Simulator.Restore(reversed)
	s.Drop("workflow_edge", last.Text(t, "name"))()
	c = s.Core(nil) // a run of Terraform that begins after the restore
	if state := c.Refreshed("enms_workflow_edge", last); !state.Value.IsNull() {
		t.Errorf("it is %q", state.Text(t, "name"))
	}
	if state := c.Refreshed("enms_workflow_edge", first); state.Value.IsNull() {
		t.Error("the other one is gone")
	}
}
