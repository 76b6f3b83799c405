// Tests of enms_instances in sequences: a creation that fails in part, exchanges of names,
// renames that fail or are interrupted, and changes that free what is deleted.

package entries_test

import (
	"fmt"
	"maps"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/faults"
)

// partly returns a core with an enms_instances whose creation has failed in part: a1 is there.
func partly(t *testing.T) (*acctest.Server, *acctest.Core, acctest.ResourceState) {
	t.Helper()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	state, diags := c.Apply("enms_instances", acctest.Entries(s, "device", map[string]any{
		"NAME-a1": map[string]any{"vendor": "Cisco"}, "NAME-bad": map[string]any{"creator": []any{map[string]any{"not": "a text"}, map[string]any{}}}}), c.NoState("enms_instances"))
	if !diags.Failed() || !state.Tainted || !strings.Contains(diags.String(), "terraform untaint") {
		t.Fatalf("the creation failed in part, but: %s", diags)
	}
	checkManyIdentity(c, state.Identity, s.Expand("NAME-a1"))
	return s, c, state
}

// What a creation that failed in part has made is deleted when Terraform replaces the
// resource, whatever keys and type the configuration has by then: it was left to the
// creation, which did not know of it, and so ended in no state.
func TestInstances_taintedAreDeleted(t *testing.T) {
	t.Parallel()
	for name, next := range map[string]struct{ typ, key string }{
		"the same key": {"device", "NAME-a1"}, "another key": {"device", "NAME-a9"}, "another type": {"gateway", "NAME-a1"}, "nothing at all": {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, c, state := partly(t)
			s.Put("device", enms.Object{"name": "NAME-a1", "vendor": "Juniper"})() // a read that finds it keeps the ids
			if next.typ == "" {
				c.Applied("enms_instances", nil, c.Refreshed("enms_instances", state))
				s.Check(s.Absent("device", "NAME-a1"))
				return
			}
			config := acctest.Entries(s, next.typ, map[string]any{next.key: map[string]any{}})
			acctest.PlanIsEmpty(c, "enms_instances", config, c.Applied("enms_instances", config, c.Refreshed("enms_instances", state)))
			if ids := acctest.IDsOfDevices(s); len(ids) != 1 {
				t.Errorf("eNMS holds the devices %q", ids)
			}
		})
	}
}

// An untainted resource creates what is missing, and keeps what is there.
func TestInstances_untaintedStay(t *testing.T) {
	t.Parallel()
	s, c, state := partly(t)
	before := acctest.IDsOf(s, "device", "NAME-a1")
	state.Tainted = false
	config := acctest.Entries(s, "device", map[string]any{"NAME-a1": map[string]any{"vendor": "Cisco"}, "NAME-a2": map[string]any{}})
	state = c.Applied("enms_instances", config, c.Refreshed("enms_instances", state))
	acctest.PlanIsEmpty(c, "enms_instances", config, state)
	if after := acctest.IDsOf(s, "device", "NAME-a1"); after["NAME-a1"] != before["NAME-a1"] {
		t.Errorf("a1 has the id %s, had %s", after["NAME-a1"], before["NAME-a1"])
	}
}

// Terraform passes no private state to the destruction of a tainted resource. By the ids in the state, what others have
// put in the place of an entry meanwhile is not deleted, although it has the same values.
func TestInstances_taintedLeaveWhatOthersMade(t *testing.T) {
	t.Parallel()
	s, c, state := partly(t)
	s.Put("device", enms.Object{"name": "NAME-b"})() // SQLite gives the last id again
	s.Drop("device", "NAME-a1")()
	s.Put("device", enms.Object{"name": "NAME-a1", "vendor": "Cisco"})()
	config := acctest.Entries(s, "device", map[string]any{"NAME-a9": map[string]any{}})
	_, diags := c.Apply("enms_instances", config, state)
	acctest.CheckSays(diags, t, "Cannot delete device", "eNMS's changelog does not say why")
	s.Check(s.Holds("device", "NAME-a1", "vendor", "Cisco"))
}

// What a deletion could not delete keeps its id in the state, so that the next one can.
func TestInstances_taintedAreDeletedLater(t *testing.T) {
	t.Parallel()
	s, c, state := partly(t)
	s.Put("device", enms.Object{"name": "NAME-b"})()
	s.Put("link", enms.Object{"name": "NAME-l", "source": "NAME-a1", "destination": "NAME-b"})()
	config := acctest.Entries(s, "device", map[string]any{"NAME-a9": map[string]any{}})
	state, diags := c.Apply("enms_instances", config, c.Refreshed("enms_instances", state))
	acctest.CheckSays(diags, t, "Cannot delete device", "eNMS would also delete: link")
	s.Drop("link", "NAME-l")()
	state.Tainted = true
	acctest.PlanIsEmpty(c, "enms_instances", config, c.Applied("enms_instances", config, c.Refreshed("enms_instances", state)))
	s.Check(s.Absent("device", "NAME-a1"))
}

// What a destruction could not delete is deleted by the next one.
func TestInstances_destroyedLater(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	state, diags := c.Apply("enms_instances", acctest.Entries(s, "device", map[string]any{"NAME-a": map[string]any{}, "NAME-b": map[string]any{}}), c.NoState("enms_instances"))
	if len(diags) > 0 {
		t.Errorf("the creation: %s", diags)
	}
	s.Put("link", enms.Object{"name": "NAME-l", "source": "NAME-a", "destination": "NAME-a"})()
	state, diags = c.Apply("enms_instances", nil, state)
	acctest.CheckSays(diags, t, "Cannot delete device", "eNMS would also delete: link")
	s.Drop("link", "NAME-l")()
	c.Applied("enms_instances", nil, state)
	s.Check(s.Absent("device", "NAME-a"))
}

// What others change and change back is as configured again.
func TestInstances_changedByOthersAndBack(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	config := acctest.Entries(s, "device", map[string]any{"NAME-a": map[string]any{"vendor": "Cisco"}})
	state := c.Applied("enms_instances", config, c.NoState("enms_instances"))
	for _, vendor := range []string{"Juniper", "Cisco"} {
		s.Put("device", enms.Object{"name": "NAME-a", "vendor": vendor})()
		state = c.Refreshed("enms_instances", state)
		if p, diags := c.Plan("enms_instances", config, state); diags.Failed() || p.Noop != (vendor == "Cisco") {
			t.Errorf("%s: the plan changes nothing: %t, %s", vendor, p.Noop, diags)
		}
	}
}

// A resource that terraform taint has marked has no ids in the state: nothing is deleted by its name.
func TestInstances_taintedByHand(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	config := acctest.Entries(s, "device", map[string]any{"NAME-a1": map[string]any{}})
	state := c.Applied("enms_instances", config, c.NoState("enms_instances"))
	before := acctest.IDsOf(s, "device", "NAME-a1")
	state.Tainted = true
	_, diags := c.Apply("enms_instances", config, c.Refreshed("enms_instances", state))
	acctest.CheckSays(diags, t, "its id is not in the state", "plan with -replace")
	if after := acctest.IDsOf(s, "device", "NAME-a1"); after["NAME-a1"] != before["NAME-a1"] {
		t.Errorf("a1 has the id %s, had %s", after["NAME-a1"], before["NAME-a1"])
	}
}

// An instance of another type is certainly not the one that the resource created: that one is
// gone, and nothing is left to delete.
func TestInstances_taintedAreGoneOnceAnotherTypeHasTheirNames(t *testing.T) {
	t.Parallel()
	s, c, state := partly(t)
	s.Drop("device", "NAME-a1")()
	s.Put("gateway", enms.Object{"name": "NAME-a1"})()
	config := acctest.Entries(s, "device", map[string]any{"NAME-a9": map[string]any{}})
	state = c.Applied("enms_instances", config, state)
	acctest.PlanIsEmpty(c, "enms_instances", config, state)
	s.Check(s.Holds("gateway", "NAME-a1", "type", "gateway"))
}

// Others put an instance of another type in the place of an entry: the entry is gone, and the
// plan creates it again, which the name of theirs forbids.
func TestInstances_replacedByAnotherType(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	config := acctest.Entries(s, "device", map[string]any{"NAME-A": map[string]any{}, "NAME-B": map[string]any{}})
	state := c.Applied("enms_instances", config, c.NoState("enms_instances"))
	s.Drop("device", "NAME-A")()
	s.Put("gateway", enms.Object{"name": "NAME-A"})()
	state = c.Refreshed("enms_instances", state)
	if text := state.Value.String(); strings.Contains(text, s.Expand("NAME-A")) || !strings.Contains(text, s.Expand("NAME-B")) {
		t.Errorf("the state has %s", text)
	}
	state, diags := c.Apply("enms_instances", config, state)
	if !s.Says("Cannot create device", `already has a gateway named "NAME-A"`, "It was not changed").MatchString(diags.String()) {
		t.Errorf("the creation says: %s", diags)
	}
	s.Drop("gateway", "NAME-A")()
	state = c.Applied("enms_instances", config, c.Refreshed("enms_instances", state))
	acctest.PlanIsEmpty(c, "enms_instances", config, state)
}

// What a creation that failed in part took over was there before: it is not in the state
// that Terraform destroys, and the next apply takes it over again.
func TestInstances_adoptedAreNotTainted(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	s.Put("device", enms.Object{"name": "NAME-a1", "location": "Rome", "port": 2222})()
	before := acctest.IDsOf(s, "device", "NAME-a1")
	entries := map[string]any{"NAME-a1": map[string]any{"vendor": "Cisco"}, "NAME-a2": map[string]any{}, "NAME-bad": map[string]any{"owners": []any{"NAME-nobody"}}}
	config := acctest.Entries(s, "device", entries)
	config["adopt_existing"] = true
	state, diags := c.Apply("enms_instances", config, c.NoState("enms_instances"))
	if !diags.Failed() || !state.Tainted || strings.Contains(state.Value.String(), s.Expand("NAME-a1")) || !strings.Contains(state.Value.String(), s.Expand("NAME-a2")) {
		t.Fatalf("the creation failed in part, but: %s %s", diags, state.Value)
	}
	delete(entries, "NAME-bad")
	config = acctest.Entries(s, "device", entries)
	config["adopt_existing"] = true
	state = c.Applied("enms_instances", config, c.Refreshed("enms_instances", state))
	state = acctest.PlanIsEmpty(c, "enms_instances", config, state)
	if after := acctest.IDsOf(s, "device", "NAME-a1"); after["NAME-a1"] != before["NAME-a1"] {
		t.Errorf("a1 has the id %s, had %s", after["NAME-a1"], before["NAME-a1"])
	}
	s.Check(s.Holds("device", "NAME-a1", "location", "Rome"))
	entries["NAME-a1"] = map[string]any{}
	config = acctest.Entries(s, "device", entries)
	config["adopt_existing"] = true
	state = c.Applied("enms_instances", config, state)
	s.Check(s.Holds("device", "NAME-a1", "vendor", "")) // of what is adopted already, the default is sent
	c.Applied("enms_instances", nil, state)
}

// exchanged returns a core with two devices whose names are to be exchanged.
func exchanged(t *testing.T, s *acctest.Server, c *acctest.Core) (before map[string]string, state acctest.ResourceState, swap acctest.Attributes) {
	t.Helper()
	both := acctest.Entries(s, "device", map[string]any{"NAME-A": map[string]any{"vendor": "NAME-Cisco"}, "NAME-B": map[string]any{"vendor": "NAME-Nokia"}})
	state = c.Applied("enms_instances", both, c.NoState("enms_instances"))
	before = acctest.IDsOf(s, "device", "NAME-A", "NAME-B")
	swap = acctest.WithRenames(s, acctest.Entries(s, "device", map[string]any{"NAME-A": map[string]any{"vendor": "NAME-Nokia"}, "NAME-B": map[string]any{"vendor": "NAME-Cisco"}}), map[string]string{"NAME-A": "NAME-B", "NAME-B": "NAME-A"})
	return before, state, swap
}

// Two entries exchange their names by way of a temporary one, once: renames that stay in
// the configuration do nothing more.
func TestInstances_exchangeOfNames(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	before, state, swap := exchanged(t, s, c)
	state = c.Applied("enms_instances", swap, state)
	state = acctest.PlanIsEmpty(c, "enms_instances", swap, state)
	if after := acctest.IDsOf(s, "device", "NAME-A", "NAME-B"); after["NAME-A"] != before["NAME-B"] || after["NAME-B"] != before["NAME-A"] {
		t.Errorf("the ids are %v, were %v", after, before)
	}
	// Back again, by the same pair: it was taken out in between.
	delete(swap, "renames")
	state = c.Applied("enms_instances", swap, state)
	back := acctest.WithRenames(s, acctest.Entries(s, "device", map[string]any{"NAME-A": map[string]any{"vendor": "NAME-Cisco"}, "NAME-B": map[string]any{"vendor": "NAME-Nokia"}}), map[string]string{"NAME-A": "NAME-B", "NAME-B": "NAME-A"})
	state = c.Applied("enms_instances", back, state)
	acctest.PlanIsEmpty(c, "enms_instances", back, state)
	if after := acctest.IDsOf(s, "device", "NAME-A", "NAME-B"); after["NAME-A"] != before["NAME-A"] || after["NAME-B"] != before["NAME-B"] {
		t.Errorf("the ids are %v, were %v", after, before)
	}
}

// Whichever request of an exchange of names fails, the next apply finishes it, or the
// configuration as it was before undoes it; and a process that dies before it has saved
// the state leaves the same to do, but the configuration as it was before may need an apply -refresh-only
// that accepts the names. Each instance keeps its id.
func TestInstances_exchangeOfNamesThatFails(t *testing.T) {
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

// withFaults returns a function that makes providers which see faults, and one that sets the faults.
func withFaults(s *acctest.Server) (core func() *acctest.Core, spoil func(rules ...faults.Rule)) {
	s.T.Helper()
	target, err := url.Parse(s.URL)
	if err != nil {
		s.T.Fatal(err)
	}
	injector, err := faults.New(httputil.NewSingleHostReverseProxy(target))
	if err != nil {
		s.T.Fatal(err)
	}
	served := httptest.NewServer(injector)
	s.T.Cleanup(served.Close)
	block := acctest.Attributes{"base_url": served.URL, "username": s.User, "password": s.Password, "max_retries": 0}
	return func() *acctest.Core { return acctest.NewCore(s.T, block) }, func(rules ...faults.Rule) {
		if err := injector.Set(rules...); err != nil {
			s.T.Fatal(err)
		}
	}
}

// failExchange has the nth request of an exchange of names go wrong.
func failExchange(t *testing.T, fault faults.Fault, when faults.When, nth int, end string) {
	t.Helper()
	s := acctest.NewServer(t)
	core, spoil := withFaults(s)
	c := core()
	before, state, swap := exchanged(t, s, c)
	spoil(faults.Rule{Fault: fault, When: when, Nth: nth, Count: 1})
	next, _ := core().Apply("enms_instances", swap, state)
	spoil()
	if strings.HasPrefix(end, "killed") {
		next = state
	}
	c = core()
	config, want := swap, map[string]string{"NAME-A": before["NAME-B"], "NAME-B": before["NAME-A"]}
	if strings.HasSuffix(end, "back") {
		config, want = acctest.Entries(s, "device", map[string]any{"NAME-A": map[string]any{"vendor": "NAME-Cisco"}, "NAME-B": map[string]any{"vendor": "NAME-Nokia"}}), before
	}
	next = c.Refreshed("enms_instances", next)
	if _, diags := c.Plan("enms_instances", config, next); diags.Failed() && end == "killed and back" {
		// The state does not say that this provider has exchanged the names, so the user has to accept them.
		if !s.Says(`The name "NAME-`, `belongs to another device`, `it was renamed to "NAME-`).MatchString(diags.String()) {
			t.Errorf("request %d: the plan says: %s", nth, diags)
		}
		next = c.Refreshed("enms_instances", next)
	}
	next = c.Applied("enms_instances", config, next)
	acctest.PlanIsEmpty(c, "enms_instances", config, next)
	after := acctest.IDsOf(s, "device", "NAME-A", "NAME-B")
	// A swap that was done cannot be told from names that others exchanged: going back is
	// a change of the values, or of the names.
	if end != "back" && (after["NAME-A"] != want["NAME-A"] || after["NAME-B"] != want["NAME-B"]) {
		t.Errorf("request %d: the ids are %v, want %v", nth, after, want)
	}
	if ids := acctest.IDsOfDevices(s); len(ids) != 2 {
		t.Errorf("request %d: eNMS holds %q", nth, ids)
	}
}

// Others exchange the names of entries, in a circle of three. The plan that would write to what has the names now is
// refused. Once an apply -refresh-only has accepted the names, each instance gets its own back; by name, each stays where
// it is and gets the values that are configured for its name.
func TestInstances_namesExchangedByOthers(t *testing.T) {
	t.Parallel()
	for _, identifyBy := range []string{"id", "name"} {
		t.Run(identifyBy, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServer(t)
			c := s.Core(acctest.Attributes{"identify_by": identifyBy})
			config := acctest.Entries(s, "device", map[string]any{"NAME-A": map[string]any{}, "NAME-B": map[string]any{}, "NAME-C": map[string]any{"vendor": "Nokia"}})
			state := c.Applied("enms_instances", config, c.NoState("enms_instances"))
			want := acctest.IDsOf(s, "device", "NAME-A", "NAME-B", "NAME-C")
			for _, rename := range [][2]string{{"NAME-A", "NAME-X"}, {"NAME-B", "NAME-A"}, {"NAME-C", "NAME-B"}, {"NAME-X", "NAME-C"}} {
				s.Put("device", enms.Object{"name": rename[0], "new_name": rename[1]})()
			}
			exchanged := acctest.IDsOf(s, "device", "NAME-A", "NAME-B", "NAME-C")
			run := c.NewRun()
			state = run.Refreshed("enms_instances", state)
			if identifyBy == "id" {
				if _, diags := run.Plan("enms_instances", config, state); !s.Says(`The name "NAME-A" belongs to another device`, `it was renamed to "NAME-C" by user "`, "id "+exchanged["NAME-A"]+", which got this name from user").MatchString(diags.String()) {
					t.Errorf("the plan says: %s", diags)
				}
				state = c.Refreshed("enms_instances", state)
			} else {
				want = exchanged
			}
			state = c.Applied("enms_instances", config, state)
			acctest.PlanIsEmpty(c, "enms_instances", config, state)
			if vendor := s.Get("device", "NAME-C")["vendor"]; vendor != "Nokia" {
				t.Errorf("NAME-C has the vendor %v", vendor)
			}
			if ids := acctest.IDsOf(s, "device", "NAME-A", "NAME-B", "NAME-C"); !maps.Equal(ids, want) || len(acctest.IDsOfDevices(s)) != 3 {
				t.Errorf("the ids are %v, want %v", ids, want)
			}
		})
	}
}

// Renames that were done do not stand in the way of what follows: a new entry with the old
// name, the removal of the one with the new name.
func TestInstances_renamesThatStayInTheConfiguration(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	renames := map[string]string{"NAME-A": "NAME-B"}
	state := c.NoState("enms_instances")
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
		config := acctest.WithRenames(s, acctest.Entries(s, "device", step.entries), step.renames)
		state = c.Applied("enms_instances", config, c.Refreshed("enms_instances", state))
		state = acctest.PlanIsEmpty(c, "enms_instances", config, state)
		if ids := acctest.IDsOfDevices(s); len(ids) != len(step.entries) {
			t.Errorf("with %v eNMS holds %q", step.entries, ids)
		}
	}
}

// Others rename the instance of an entry, and at last back to its key: then nothing is left to change.
func TestInstances_renamedByOthersAndBack(t *testing.T) {
	t.Parallel()
	for name, names := range map[string][]string{
		"once": {"NAME-B", "NAME-A"}, "by way of another name": {"NAME-B", "NAME-C", "NAME-A"}, "twice": {"NAME-B", "NAME-A", "NAME-B", "NAME-A"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServer(t)
			c := s.Core(nil)
			config := acctest.Entries(s, "device", map[string]any{"NAME-A": map[string]any{"vendor": "NAME-Cisco"}})
			state := c.Applied("enms_instances", config, c.NoState("enms_instances"))
			now := "NAME-A"
			for _, next := range names {
				s.Put("device", enms.Object{"name": now, "new_name": next})()
				state, now = c.Refreshed("enms_instances", state), next
				if p, diags := c.Plan("enms_instances", config, state); diags.Failed() || p.Noop != (now == "NAME-A") {
					t.Errorf("called %s, the plan is %s %s", now, p.Value, diags)
				}
			}
		})
	}
}

// An entry that leaves what is removed in the same apply does so before: eNMS would delete
// it along, and it would be made again under another id.
func TestInstances_leaveWhatIsRemoved(t *testing.T) {
	t.Parallel()
	for _, policy := range []string{"delete", "cascade"} {
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServer(t)
			c := s.Core(acctest.Attributes{"deletion_policy": policy})
			in := func(workflow string) map[string]any { return map[string]any{"workflows": []any{workflow}} }
			state := c.Applied("enms_instances", acctest.Entries(s, "workflow", map[string]any{
				"NAME-W1": map[string]any{}, "[NAME-W1] S": in("NAME-W1"), "NAME-W2": map[string]any{}}), c.NoState("enms_instances"))
			before := acctest.IDsOf(s, "workflow", "[NAME-W1] S")
			moved := acctest.WithRenames(s, acctest.Entries(s, "workflow", map[string]any{"[NAME-W2] S": in("NAME-W2"), "NAME-W2": map[string]any{}}), map[string]string{"[NAME-W1] S": "[NAME-W2] S"})
			state = c.Applied("enms_instances", moved, state)
			acctest.PlanIsEmpty(c, "enms_instances", moved, state)
			if after := acctest.IDsOf(s, "workflow", "[NAME-W2] S"); after["[NAME-W2] S"] != before["[NAME-W1] S"] {
				t.Errorf("the step has the id %s, had %s", after["[NAME-W2] S"], before["[NAME-W1] S"])
			}
		})
	}
}

// TestInstances_stayInWhatIsRemoved refuses entries whose workflow is removed beside them:
// with "cascade" they would go along, and be lost although they are configured.
func TestInstances_stayInWhatIsRemoved(t *testing.T) {
	t.Parallel()
	for policy, refused := range map[string]bool{"delete": true, "cascade": true, "abandon": false} {
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServer(t)
			c := s.Core(acctest.Attributes{"deletion_policy": policy})
			in := map[string]any{"workflows": []any{"NAME-W1"}}
			state := c.Applied("enms_instances", acctest.Entries(s, "workflow", map[string]any{"NAME-W1": map[string]any{}, "[NAME-W1] S": in}), c.NoState("enms_instances"))
			_, diags := c.Plan("enms_instances", acctest.Entries(s, "workflow", map[string]any{"[NAME-W1] S": in}), state)
			if said := strings.Contains(diags.String(), s.Expand(`"NAME-W1" is removed in this plan, and eNMS would delete "[NAME-W1] S" with it.`)); said != refused || diags.Failed() != refused {
				t.Error(diags)
			}
			if _, diags = c.Plan("enms_instances", acctest.Entries(s, "workflow", map[string]any{}), state); diags.Failed() {
				t.Errorf("a plan that removes both: %s", diags)
			}
		})
	}
}

// eNMS deletes entries together with what the same apply replaces: it creates them again, and the others stay.
func TestInstances_recreatedWithWhatIsReplaced(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	config := func(typ, tasks string) string {
		return s.Block("deletion_policy = \"cascade\"\n defaults {\n task {\n owners = [\"admin\"]\n }\n }") + s.Expand(`
			resource "enms_service" "w" {
			  name = "NAME-w"
			  type = "workflow"
			}
			resource "enms_service" "s" {
			  name      = "[${enms_service.w.name}] s"
			  type      = "`+typ+`"
			  workflows = [enms_service.w.name]
			}
			resource "enms_instances" "edges" {
			  type = "workflow_edge"
			  instances = {
			    "NAME-in"   = { workflow = enms_service.w.name, subtype = "success", source = "[Shared] Start", destination = enms_service.s.name }
			    "NAME-past" = { workflow = enms_service.w.name, subtype = "success", source = "[Shared] Start", destination = "[Shared] End" }
			  }
			}
			resource "enms_instances" "tasks" {
			  type      = "task"
			  instances = { `+tasks+` }
			}`)
	}
	const task, disabled = `"NAME-t" = { service = enms_service.s.name }`, `"NAME-t" = { service = enms_service.s.name, is_active = false }`
	var past any // the id of the edge that stays
	stays := func(*terraform.State) error {
		id := s.Get("workflow_edge", "NAME-past")["id"]
		if past != nil && id != past {
			return fmt.Errorf("the edge that stays has the id %v, had %v", id, past)
		}
		past = id
		return nil
	}
	recreated := resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
		plancheck.ExpectResourceAction("enms_service.s", plancheck.ResourceActionDestroyBeforeCreate),
		plancheck.ExpectResourceAction("enms_instances.edges", plancheck.ResourceActionUpdate),
		plancheck.ExpectUnknownValue("enms_instances.edges", tfjsonpath.New("defaults")),
		plancheck.ExpectResourceAction("enms_instances.tasks", plancheck.ResourceActionUpdate),
	}}
	there := resource.ComposeAggregateTestCheckFunc(s.Holds("workflow_edge", "NAME-in", "destination", "[NAME-w] s"), s.Holds("task", "NAME-t", "service", "[NAME-w] s"),
		s.Holds("task", "NAME-t", "owners", "[admin]"), stays)
	s.Run(
		resource.TestStep{Config: config("service", task), Check: stays},
		resource.TestStep{Config: config("ping_service", task), ConfigPlanChecks: recreated, Check: there},
		resource.TestStep{Config: config("service", disabled), ConfigPlanChecks: recreated, Check: there},
	)
}
