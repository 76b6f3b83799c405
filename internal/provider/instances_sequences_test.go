// Tests of enms_instances in sequences: a creation that fails in part, exchanges of names,
// renames that fail or are interrupted, and changes that free what is deleted.

package provider_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/faults"
)

// entriesWith returns a configuration of entries of a type, as objects of Go, in which NAME-
// stands for the test's prefix. On a real server they are deleted at the end.
func (s *server) entriesWith(typ string, entries map[string]any) attributes {
	expanded := s.expandAll(entries).(map[string]any)
	if s.simulator == nil {
		for name := range expanded {
			s.t.Cleanup(func() { s.forget(typ, enms.Object{"name": name}) })
		}
	}
	return attributes{"type": typ, "instances": object(expanded)}
}

// expandAll expands the names in all strings and keys.
func (s *server) expandAll(x any) any {
	switch x := x.(type) {
	case string:
		return s.expand(x)
	case []any:
		all := make([]any, len(x))
		for i, member := range x {
			all[i] = s.expandAll(member)
		}
		return all
	case map[string]any:
		all := map[string]any{}
		for name, member := range x {
			all[s.expand(name)] = s.expandAll(member)
		}
		return all
	}
	return x
}

// withRenames returns a configuration with renames.
func (s *server) withRenames(a attributes, renames map[string]string) attributes {
	names := map[string]tftypes.Value{}
	for old, to := range renames {
		names[s.expand(old)] = tftypes.NewValue(tftypes.String, s.expand(to))
	}
	with := attributes{"renames": tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, names)}
	for name, v := range a {
		with[name] = v
	}
	return with
}

// idsOf returns the ids of instances, by their names.
func (s *server) idsOf(typ string, names ...string) map[string]string {
	ids := map[string]string{}
	for _, name := range names {
		ids[name] = fmt.Sprint(s.get(typ, name)["id"])
	}
	return ids
}

// planIsEmpty fails the test when a plan after a refresh is not empty, and returns the
// refreshed state.
func (c *core) planIsEmpty(typ string, config attributes, state resourceState) resourceState {
	c.t.Helper()
	state = c.refreshed(typ, state)
	if p, diags := c.plan(typ, config, state); diags.failed() || !p.noop {
		c.t.Errorf("the plan is not empty: %s\nstate %s\nplan  %s", diags, state.value, p.value)
	}
	return state
}

// partly returns a core with an enms_instances whose creation has failed in part: a1 is there.
func partly(t *testing.T) (*server, *core, resourceState) {
	t.Helper()
	s := newServer(t)
	c := s.core(nil)
	state, diags := c.apply("enms_instances", s.entriesWith("device", map[string]any{
		"NAME-a1": map[string]any{"vendor": "Cisco"}, "NAME-bad": map[string]any{"creator": []any{map[string]any{"not": "a text"}, map[string]any{}}}}), c.none("enms_instances"))
	if !diags.failed() || !state.tainted || !strings.Contains(diags.String(), "terraform untaint") {
		t.Fatalf("the creation failed in part, but: %s", diags)
	}
	return s, c, state
}

// What a creation that failed in part has made is deleted when Terraform replaces the
// resource, whatever keys and type the configuration has by then: it was left to the
// creation, which did not know of it, and so ended in no state.
func TestTaintedInstancesAreDeleted(t *testing.T) {
	t.Parallel()
	for name, entries := range map[string]func(s *server) attributes{
		"the same key": func(s *server) attributes {
			return s.entriesWith("device", map[string]any{"NAME-a1": map[string]any{"vendor": "Cisco"}})
		},
		"another key": func(s *server) attributes {
			return s.entriesWith("device", map[string]any{"NAME-a9": map[string]any{}})
		},
		"another type": func(s *server) attributes {
			return s.entriesWith("gateway", map[string]any{"NAME-a1": map[string]any{}})
		},
		"nothing at all": func(*server) attributes { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, c, state := partly(t)
			next := entries(s)
			state, diags := c.apply("enms_instances", next, c.refreshed("enms_instances", state))
			if diags.failed() {
				t.Fatal(diags)
			}
			if next == nil {
				if err := s.absent("device", "NAME-a1")(nil); err != nil {
					t.Error(err)
				}
				return
			}
			c.planIsEmpty("enms_instances", next, state)
			if ids := s.idsOfAll("device"); len(ids) != 1 {
				t.Errorf("eNMS holds the devices %q", ids)
			}
		})
	}
}

// idsOfAll returns the ids of all instances of a type that the test has made.
func (s *server) idsOfAll(typ string) (ids []string) {
	s.t.Helper()
	rows, err := s.client.Query(s.ctx(), typ, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, r := range rows {
		if name, _ := r["name"].(string); strings.HasPrefix(name, s.prefix) {
			ids = append(ids, fmt.Sprint(r["id"]))
		}
	}
	return ids
}

// The destruction of a tainted resource is done even when its creation is not, because
// something that it depends on fails: nothing is left in eNMS that no state holds.
func TestTaintedInstancesWhoseCreationNeverRuns(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.onlySimulated("a real server of others would answer 500")
	w := newWorkspace(t)
	w.configure(s.entries("device", "", `"NAME-a1" = {}`, badEntry))
	if code, out := w.run("apply", "-no-color", "-auto-approve"); code == 0 {
		t.Fatalf("the entry that eNMS refuses was created:\n%s", out)
	}
	before := func(creator string) string {
		return s.entries("device", "depends_on = [enms_device.before]", `"NAME-a1" = {}`) + s.expand(`
			resource "enms_device" "before" {
			  name       = "NAME-before"
			  properties = { creator = `+creator+` }
			}`)
	}
	w.configure(before(`[{ not = "a text" }, {}]`))
	if code, out := w.run("apply", "-no-color", "-auto-approve"); code == 0 {
		t.Fatalf("the device that eNMS refuses was created:\n%s", out)
	}
	if _, held := w.run("state", "list"); strings.Contains(held, theInstances) {
		s.get("device", "NAME-a1")
	} else if err := s.absent("device", "NAME-a1")(nil); err != nil {
		t.Error(err)
	}
	w.configure(before(`"somebody"`))
	w.apply(10)
	w.planNothing()
}

// An untainted resource creates what is missing, and keeps what is there.
func TestUntaintedInstancesStay(t *testing.T) {
	t.Parallel()
	s, c, state := partly(t)
	before := s.idsOf("device", "NAME-a1")
	state.tainted = false
	config := s.entriesWith("device", map[string]any{"NAME-a1": map[string]any{"vendor": "Cisco"}, "NAME-a2": map[string]any{}})
	state = c.applied("enms_instances", config, c.refreshed("enms_instances", state))
	c.planIsEmpty("enms_instances", config, state)
	if after := s.idsOf("device", "NAME-a1"); after["NAME-a1"] != before["NAME-a1"] {
		t.Errorf("a1 has the id %s, had %s", after["NAME-a1"], before["NAME-a1"])
	}
}

// The destruction of a tainted resource has no private state, and so no ids: what others
// have put in the place of an entry meanwhile is not deleted.
func TestTaintedInstancesAreNotDeletedBlindly(t *testing.T) {
	t.Parallel()
	s, c, state := partly(t)
	s.drop("device", "NAME-a1")()
	s.put("device", enms.Object{"name": "NAME-a1", "vendor": "Nokia"})()
	config := s.entriesWith("device", map[string]any{"NAME-a9": map[string]any{}})
	if _, diags := c.apply("enms_instances", config, state); !strings.Contains(diags.String(), "may be another one") {
		t.Errorf("the deletion says: %s", diags)
	}
	if err := s.holds("device", "NAME-a1", "vendor", "Nokia")(nil); err != nil {
		t.Error(err)
	}
}

// What a creation that failed in part took over was there before: it is not in the state
// that Terraform destroys, and the next apply takes it over again.
func TestAdoptedEntriesAreNotTainted(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	s.put("device", enms.Object{"name": "NAME-a1", "location": "Rome", "port": 2222})()
	before := s.idsOf("device", "NAME-a1")
	entries := map[string]any{"NAME-a1": map[string]any{"vendor": "Cisco"}, "NAME-a2": map[string]any{}, "NAME-bad": map[string]any{"owners": []any{"NAME-nobody"}}}
	config := s.entriesWith("device", entries)
	config["adopt_existing"] = true
	state, diags := c.apply("enms_instances", config, c.none("enms_instances"))
	if !diags.failed() || !state.tainted || strings.Contains(state.value.String(), s.expand("NAME-a1")) || !strings.Contains(state.value.String(), s.expand("NAME-a2")) {
		t.Fatalf("the creation failed in part, but: %s %s", diags, state.value)
	}
	delete(entries, "NAME-bad")
	config = s.entriesWith("device", entries)
	config["adopt_existing"] = true
	state = c.applied("enms_instances", config, c.refreshed("enms_instances", state))
	state = c.planIsEmpty("enms_instances", config, state)
	if after := s.idsOf("device", "NAME-a1"); after["NAME-a1"] != before["NAME-a1"] {
		t.Errorf("a1 has the id %s, had %s", after["NAME-a1"], before["NAME-a1"])
	}
	if err := s.holds("device", "NAME-a1", "location", "Rome")(nil); err != nil {
		t.Error(err)
	}
	c.applied("enms_instances", nil, state)
}

// An entry that took up what a deletion policy had left holds values that it does not say:
// it is deleted all the same when the resource is tainted.
func TestTaintedInstancesWithMoreThanIsConfigured(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	config := s.entriesWith("device", map[string]any{"NAME-a1": map[string]any{"vendor": "Cisco"}, "NAME-bad": map[string]any{"owners": []any{"NAME-nobody"}}})
	state, diags := c.apply("enms_instances", config, c.none("enms_instances"))
	if !diags.failed() || !state.tainted {
		t.Fatalf("the creation failed in part, but: %s", diags)
	}
	s.put("device", enms.Object{"name": "NAME-a1", "location": "Rome", "port": 2222})()
	next := s.entriesWith("device", map[string]any{"NAME-a9": map[string]any{}})
	state = c.applied("enms_instances", next, c.refreshed("enms_instances", state))
	c.planIsEmpty("enms_instances", next, state)
	if err := s.absent("device", "NAME-a1")(nil); err != nil {
		t.Error(err)
	}
	c.applied("enms_instances", nil, state)
}

// exchanged returns a core with two devices whose names are to be exchanged.
func exchanged(t *testing.T, s *server, c *core) (before map[string]string, state resourceState, swap attributes) {
	t.Helper()
	both := s.entriesWith("device", map[string]any{"NAME-A": map[string]any{"vendor": "Cisco"}, "NAME-B": map[string]any{"vendor": "Nokia"}})
	state = c.applied("enms_instances", both, c.none("enms_instances"))
	before = s.idsOf("device", "NAME-A", "NAME-B")
	swap = s.withRenames(s.entriesWith("device", map[string]any{"NAME-A": map[string]any{"vendor": "Nokia"}, "NAME-B": map[string]any{"vendor": "Cisco"}}), map[string]string{"NAME-A": "NAME-B", "NAME-B": "NAME-A"})
	return before, state, swap
}

// Two entries exchange their names by way of a temporary one, once: renames that stay in
// the configuration do nothing more.
func TestInstancesExchangeNames(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	before, state, swap := exchanged(t, s, c)
	state = c.applied("enms_instances", swap, state)
	state = c.planIsEmpty("enms_instances", swap, state)
	if after := s.idsOf("device", "NAME-A", "NAME-B"); after["NAME-A"] != before["NAME-B"] || after["NAME-B"] != before["NAME-A"] {
		t.Errorf("the ids are %v, were %v", after, before)
	}
	// Back again, by the same pair: it was taken out in between.
	delete(swap, "renames")
	state = c.applied("enms_instances", swap, state)
	back := s.withRenames(s.entriesWith("device", map[string]any{"NAME-A": map[string]any{"vendor": "Cisco"}, "NAME-B": map[string]any{"vendor": "Nokia"}}), map[string]string{"NAME-A": "NAME-B", "NAME-B": "NAME-A"})
	state = c.applied("enms_instances", back, state)
	c.planIsEmpty("enms_instances", back, state)
	if after := s.idsOf("device", "NAME-A", "NAME-B"); after["NAME-A"] != before["NAME-A"] || after["NAME-B"] != before["NAME-B"] {
		t.Errorf("the ids are %v, were %v", after, before)
	}
}

// Whichever request of an exchange of names fails, the next apply finishes it, or the
// configuration as it was before undoes it; and a process that dies before it has saved
// the state leaves the same to do. Each instance keeps its id.
func TestExchangeOfNamesThatFails(t *testing.T) {
	t.Parallel()
	for _, fault := range []faults.Fault{faults.Error500, faults.Reset, faults.HTML} {
		for _, when := range []faults.When{faults.Before, faults.After} {
			for _, end := range []string{"again", "back", "killed", "killed and back"} {
				t.Run(fmt.Sprint(fault, " ", when, " ", end), func(t *testing.T) {
					t.Parallel()
					for nth := 1; nth <= 6; nth++ {
						failExchange(t, fault, when, nth, end)
					}
				})
			}
		}
	}
}

// failExchange has the nth request of an exchange of names go wrong.
func failExchange(t *testing.T, fault faults.Fault, when faults.When, nth int, end string) {
	t.Helper()
	s := newServer(t)
	injector, err := faults.New(s.simulator)
	if err != nil {
		t.Fatal(err)
	}
	served := httptest.NewServer(injector)
	t.Cleanup(served.Close)
	block := attributes{"base_url": served.URL, "username": "admin", "password": "admin", "max_retries": 0}
	c := newCore(t, block)
	before, state, swap := exchanged(t, s, c)
	if err := injector.Set(faults.Rule{Fault: fault, When: when, Nth: nth, Count: 1}); err != nil {
		t.Fatal(err)
	}
	next, _ := newCore(t, block).apply("enms_instances", swap, state)
	if err := injector.Set(); err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(end, "killed") {
		next = state
	}
	c = newCore(t, block)
	config, want := swap, map[string]string{"NAME-A": before["NAME-B"], "NAME-B": before["NAME-A"]}
	if strings.HasSuffix(end, "back") {
		config, want = s.entriesWith("device", map[string]any{"NAME-A": map[string]any{"vendor": "Cisco"}, "NAME-B": map[string]any{"vendor": "Nokia"}}), before
	}
	next = c.applied("enms_instances", config, c.refreshed("enms_instances", next))
	c.planIsEmpty("enms_instances", config, next)
	after := s.idsOf("device", "NAME-A", "NAME-B")
	// A swap that was done cannot be told from names that others exchanged: going back is
	// a change of the values, or of the names.
	if end != "back" && (after["NAME-A"] != want["NAME-A"] || after["NAME-B"] != want["NAME-B"]) {
		t.Errorf("request %d: the ids are %v, want %v", nth, after, want)
	}
	if ids := s.idsOfAll("device"); len(ids) != 2 {
		t.Errorf("request %d: eNMS holds %q", nth, ids)
	}
}

// Others exchange the names of entries, in a circle of two or three: each entry is known
// by its id, and the names go back.
func TestInstancesExchangedByOthers(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	config := s.entriesWith("device", map[string]any{"NAME-A": map[string]any{}, "NAME-B": map[string]any{}, "NAME-C": map[string]any{"vendor": "Nokia"}})
	state := c.applied("enms_instances", config, c.none("enms_instances"))
	before := s.idsOf("device", "NAME-A", "NAME-B", "NAME-C")
	for _, rename := range [][2]string{{"NAME-A", "NAME-X"}, {"NAME-B", "NAME-A"}, {"NAME-C", "NAME-B"}, {"NAME-X", "NAME-C"}} {
		s.put("device", enms.Object{"name": rename[0], "new_name": rename[1]})()
	}
	state = c.applied("enms_instances", config, c.refreshed("enms_instances", state))
	c.planIsEmpty("enms_instances", config, state)
	if after := s.idsOf("device", "NAME-A", "NAME-B", "NAME-C"); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("the ids are %v, were %v", after, before)
	}
}

// Renames that were done do not stand in the way of what follows: a new entry with the old
// name, the removal of the one with the new name.
func TestRenamesThatStay(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	renames := map[string]string{"NAME-A": "NAME-B"}
	state := c.none("enms_instances")
	for _, step := range []struct {
		entries map[string]any
		renames map[string]string
	}{
		{map[string]any{"NAME-A": map[string]any{}}, nil},
		{map[string]any{"NAME-B": map[string]any{}}, renames},
		{map[string]any{"NAME-A": map[string]any{}, "NAME-B": map[string]any{}}, renames},
		{map[string]any{"NAME-A": map[string]any{}}, renames},
		{map[string]any{"NAME-A": map[string]any{}, "NAME-B": map[string]any{}}, renames},
		{map[string]any{}, renames},
	} {
		config := s.withRenames(s.entriesWith("device", step.entries), step.renames)
		state = c.applied("enms_instances", config, c.refreshed("enms_instances", state))
		state = c.planIsEmpty("enms_instances", config, state)
		if ids := s.idsOfAll("device"); len(ids) != len(step.entries) {
			t.Errorf("with %v eNMS holds %q", step.entries, ids)
		}
	}
}

// An entry that leaves what is removed in the same apply does so before: eNMS would delete
// it along, and it would be made again under another id.
func TestInstancesLeaveWhatIsRemoved(t *testing.T) {
	t.Parallel()
	for _, policy := range []string{"delete", "cascade"} {
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			c := s.core(attributes{"deletion_policy": policy})
			in := func(workflow string) map[string]any { return map[string]any{"workflows": []any{workflow}} }
			state := c.applied("enms_instances", s.entriesWith("workflow", map[string]any{
				"NAME-W1": map[string]any{}, "[NAME-W1] S": in("NAME-W1"), "NAME-W2": map[string]any{}}), c.none("enms_instances"))
			before := s.idsOf("workflow", "[NAME-W1] S")
			moved := s.withRenames(s.entriesWith("workflow", map[string]any{"[NAME-W2] S": in("NAME-W2"), "NAME-W2": map[string]any{}}), map[string]string{"[NAME-W1] S": "[NAME-W2] S"})
			state = c.applied("enms_instances", moved, state)
			c.planIsEmpty("enms_instances", moved, state)
			if after := s.idsOf("workflow", "[NAME-W2] S"); after["[NAME-W2] S"] != before["[NAME-W1] S"] {
				t.Errorf("the step has the id %s, had %s", after["[NAME-W2] S"], before["[NAME-W1] S"])
			}
		})
	}
}

// TestInstancesThatStayInWhatIsRemoved refuses entries whose workflow is removed beside them:
// with "cascade" they would go along, and be lost although they are configured.
func TestInstancesThatStayInWhatIsRemoved(t *testing.T) {
	t.Parallel()
	for policy, refused := range map[string]bool{"delete": true, "cascade": true, "abandon": false} {
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			c := s.core(attributes{"deletion_policy": policy})
			in := map[string]any{"workflows": []any{"NAME-W1"}}
			state := c.applied("enms_instances", s.entriesWith("workflow", map[string]any{"NAME-W1": map[string]any{}, "[NAME-W1] S": in}), c.none("enms_instances"))
			_, diags := c.plan("enms_instances", s.entriesWith("workflow", map[string]any{"[NAME-W1] S": in}), state)
			if said := strings.Contains(diags.String(), s.expand(`"NAME-W1" is removed in this plan, and eNMS would delete "[NAME-W1] S" along with it.`)); said != refused || diags.failed() != refused {
				t.Error(diags)
			}
		})
	}
}
