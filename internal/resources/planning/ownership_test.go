// Tests of objects that pass from one resource to another, or that two resources want:
// nothing may end in success with an object missing. But for the one of Terraform itself
// they speak the protocol, where the order of the operations can be chosen.

package planning_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// holding is one of the ways to hold a device.
type holding struct {
	typ    string
	config func(name, vendor string) acctest.Attributes
}

// holdings are the ways to hold a device. Each takes it over where it exists.
var holdings = map[string]holding{
	"resource": {"enms_device", func(name, vendor string) acctest.Attributes {
		return acctest.Attributes{"name": name, "vendor": vendor, "adopt_existing": true}
	}},
	"entry": {acctest.TypeInstances, func(name, vendor string) acctest.Attributes {
		return acctest.Attributes{"type": "device", "adopt_existing": true, "instances": acctest.ObjectValue(map[string]any{name: map[string]any{"vendor": vendor}})}
	}},
	"instance": {"enms_instance", func(name, vendor string) acctest.Attributes {
		return acctest.Attributes{"type": "device", "name": name, "adopt_existing": true, "properties": acctest.ObjectValue(map[string]any{"vendor": vendor})}
	}},
}

// eachPassing runs a test for each way to hold a device and each other way, or the same
// way at another address.
func eachPassing(t *testing.T, test func(t *testing.T, from, to holding)) {
	t.Helper()
	for left, from := range holdings {
		for right, to := range holdings {
			t.Run(left+" to "+right, func(t *testing.T) {
				t.Parallel()
				test(t, from, to)
			})
		}
	}
}

// An object that another address has taken over is not deleted by the one that has lost
// it: Terraform runs both at the same time, and the apply would succeed with the object
// gone.
func TestOwnership_adoptedObjectIsNotDeleted(t *testing.T) {
	t.Parallel()
	eachPassing(t, func(t *testing.T, from, to holding) {
		t.Helper()
		s := acctest.NewServer(t)
		name := s.Expand("NAME-d")
		left := s.Core(nil).Applied(from.typ, from.config(name, "Cisco"), s.Core(nil).NoState(from.typ))
		id := s.IDOf(name)
		c := s.Core(nil).InOneRun()
		right := c.Applied(to.typ, to.config(name, "Nokia"), c.NoState(to.typ))
		gone, diags := c.Apply(from.typ, nil, left)
		if diags.Failed() || !gone.Value.IsNull() || !s.Says("NAME-d", "was not deleted").MatchString(diags.String()) {
			t.Errorf("%s %s", gone.Value, diags)
		}
		if now := s.IDOf(name); now != id {
			t.Errorf("the device had the id %s and has %q", id, now)
		}
		c.PlansNothing(to.typ, to.config(name, "Nokia"), c.Refreshed(to.typ, right))
	})
}

// A creation that took an object over and failed elsewhere does not keep the object: the
// address that was to delete it keeps it, so that it is in a state, and the next apply takes
// it over.
func TestOwnership_adoptedByAFailedCreation(t *testing.T) {
	t.Parallel()
	for kind, from := range holdings {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServer(t)
			name, refused := s.Expand("NAME-d"), s.Expand("NAME-refused")
			left := s.Core(nil).Applied(from.typ, from.config(name, "Cisco"), s.Core(nil).NoState(from.typ))
			id := s.IDOf(name)
			config := holdings["entry"].config(name, "Nokia")
			config["instances"] = acctest.ObjectValue(map[string]any{name: map[string]any{"vendor": "Nokia"}, refused: map[string]any{"rbac_read": []any{s.Expand("NAME-missing")}}})
			c := s.Core(nil).InOneRun()
			failed, diags := c.Apply(acctest.TypeInstances, config, c.NoState(acctest.TypeInstances))
			if !diags.Failed() || !failed.Value.IsNull() {
				t.Fatalf("%s %s", failed.Value, diags)
			}
			left, diags = c.Apply(from.typ, nil, left)
			if !s.Says("Cannot delete", "NAME-d", "its creation failed", "Nothing was deleted").MatchString(diags.String()) || left.Value.IsNull() {
				t.Errorf("%s %s", left.Value, diags)
			}
			c = s.Core(nil).InOneRun()
			config = holdings["entry"].config(name, "Nokia")
			right := c.Applied(acctest.TypeInstances, config, failed)
			if gone, diags := c.Apply(from.typ, nil, c.Refreshed(from.typ, left)); diags.Failed() || !gone.Value.IsNull() || s.IDOf(name) != id {
				t.Errorf("the device had the id %s and has %q: %s", id, s.IDOf(name), diags)
			}
			acctest.PlanIsEmpty(c, acctest.TypeInstances, config, right)
		})
	}
}

// Two resources want the same object: the second one is told so, whether it creates, takes
// over or renames, and gets no advice by which both would have it.
func TestOwnership_twoResourcesForOneObject(t *testing.T) {
	t.Parallel()
	eachPassing(t, func(t *testing.T, from, to holding) {
		t.Helper()
		s := acctest.NewServer(t)
		name := s.Expand("NAME-d")
		for _, adopts := range []bool{false, true} {
			c := s.Core(nil).InOneRun()
			config := to.config(name, "Nokia")
			config["adopt_existing"] = adopts
			first := c.Applied(from.typ, from.config(name, "Cisco"), c.NoState(from.typ))
			second, diags := c.Apply(to.typ, config, c.NoState(to.typ))
			text := diags.String()
			if !s.Says("Cannot", `device "NAME-d"`, "Another resource of the same configuration has this device (id").MatchString(text) || !second.Value.IsNull() {
				t.Errorf("%s %s", second.Value, text)
			}
			if strings.Contains(text, "import {") || strings.Contains(text, "adopt_existing") {
				t.Errorf("the advice makes two resources of one device: %s", text)
			}
			if got := fmt.Sprint(s.Get("device", name)["vendor"]); got != "Cisco" {
				t.Errorf("the second one has written the vendor %s", got)
			}
			s.Core(nil).Applied(from.typ, nil, first)
		}
	})
}

// What was updated, or renamed, belongs to its resource as well, and what was adopted is
// not updated by another one.
func TestOwnership_updatedObjectIsNotAdopted(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	old, name, other := s.Expand("NAME-old"), s.Expand("NAME-d"), s.Expand("NAME-other")
	const typ, words = "enms_device", "Another resource of the same configuration has this device"
	adopting := acctest.Attributes{"name": name, "adopt_existing": true}
	state := s.Core(nil).Applied(typ, acctest.Attributes{"name": old}, s.Core(nil).NoState(typ))
	c := s.Core(nil).InOneRun()
	state = c.Applied(typ, acctest.Attributes{"name": name}, state)
	if _, diags := c.Apply(typ, adopting, c.NoState(typ)); !s.Says(words).MatchString(diags.String()) {
		t.Errorf("adopted after a rename: %s", diags)
	}
	if _, diags := c.Apply(typ, acctest.Attributes{"name": old}, c.NoState(typ)); diags.Failed() {
		t.Errorf("the name that the rename has freed: %s", diags)
	}
	twin := s.Core(nil).Applied(typ, acctest.Attributes{"name": other}, s.Core(nil).NoState(typ))
	c = s.Core(nil).InOneRun()
	c.Applied(typ, adopting, c.NoState(typ))
	if _, diags := c.Apply(typ, acctest.Attributes{"name": name, "vendor": "Cisco"}, state); !s.Says("Cannot update", words).MatchString(diags.String()) {
		t.Errorf("updated after the adoption: %s", diags)
	}
	if _, diags := c.Apply(typ, acctest.Attributes{"name": name}, twin); !s.Says("Cannot rename", words).MatchString(diags.String()) || strings.Contains(diags.String(), "Nothing was changed") {
		t.Errorf("renamed to it: %s", diags)
	}
}

// A deletion that failed leaves the object with its resource: whoever adopted it now would
// lose it by the next apply, which deletes it.
func TestOwnership_undeletedObjectIsNotAdopted(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	const typ = "enms_device"
	name, peer := s.Expand("NAME-d"), s.Expand("NAME-peer")
	left := s.Core(nil).Applied(typ, acctest.Attributes{"name": name}, s.Core(nil).NoState(typ))
	s.Put("device", enms.Object{"name": peer})()
	s.Put("link", enms.Object{"name": "NAME-link", "source": name, "destination": peer})()
	c := s.Core(nil).InOneRun()
	if _, diags := c.Apply(typ, nil, left); !s.Says("Cannot delete device", "NAME-link").MatchString(diags.String()) {
		t.Fatal(diags)
	}
	for _, adopts := range []bool{false, true} {
		_, diags := c.Apply(typ, acctest.Attributes{"name": name, "adopt_existing": adopts}, c.NoState(typ))
		if !s.Says("another resource of the same configuration, which is to be destroyed, still has this device", "could not be deleted").MatchString(strings.ReplaceAll(diags.String(), "Another", "another")) || strings.Contains(diags.String(), "import {") {
			t.Error(diags)
		}
	}
}

// A cascade does not take along what this run has written: no plan could know that it would
// be there.
func TestOwnership_cascadeSparesWhatTheRunHasWritten(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	const typ = "enms_service"
	workflow := acctest.Attributes{"name": s.Expand("NAME-wf"), "type": "workflow", "deletion_policy": "cascade"}
	step := acctest.Attributes{"name": s.Expand("[NAME-wf] step"), "workflows": []string{s.Expand("NAME-wf")}}
	before := s.Core(nil)
	w := before.Applied(typ, workflow, before.NoState(typ))
	state := before.Applied(typ, acctest.Attributes{"name": s.Expand("NAME-step")}, before.NoState(typ))
	c := s.Core(nil).InOneRun()
	step["description"] = "written"
	state = c.Applied(typ, step, state)
	if _, diags := c.Apply(typ, nil, w); !s.Says("Cannot delete service", "NAME-wf] step", "created, adopted or updated that in this run").MatchString(diags.String()) {
		t.Error(diags)
	}
	if got := fmt.Sprint(s.Get("service", "[NAME-wf] step")["description"]); got != "written" {
		t.Errorf("the description is %s", got)
	}
	before.Applied(typ, nil, w)
	before.Applied(typ, nil, state)
}

// A replacement under a policy that leaves the old object in eNMS takes that object up: the
// name is taken by nobody else. What was switched off is on again.
func TestOwnership_replacementTakesUpWhatItLeft(t *testing.T) {
	t.Parallel()
	acctest.SkipOn(t, "it has no field by which services are switched off", "enms-4.4")
	for policy, config := range map[string]acctest.Attributes{
		"abandon": {"type": "python_snippet_service", "description": "before"},
		"disable": {"type": "python_snippet_service", "description": "before"},
	} {
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServer(t)
			c := s.Core(nil)
			const typ = "enms_service"
			config["name"], config["deletion_policy"] = s.Expand("NAME-s"), policy
			state := c.Applied(typ, config, c.NoState(typ))
			id := state.Text(t, "id")
			state.Tainted, config["description"] = true, "after"
			state = c.Applied(typ, config, state)
			if got := state.Text(t, "id"); got != id {
				t.Errorf("the id was %s and is %s", id, got)
			}
			row := s.Get("service", "NAME-s")
			if fmt.Sprint(row["description"]) != "after" || fmt.Sprint(row["disabled"]) != "false" {
				t.Errorf("eNMS has the description %v, disabled %v", row["description"], row["disabled"])
			}
			c.PlansNothing(typ, config, c.Refreshed(typ, state))
			other := c.NewRun()
			config["adopt_existing"] = false
			if _, diags := other.Apply(typ, config, c.NoState(typ)); !s.Says("import {").MatchString(diags.String()) {
				t.Errorf("what another run has left is taken up: %s", diags)
			}
		})
	}
}

// A rename gives up the name that a creation with adopt_existing takes, in the same apply. If the rename comes first,
// the creation makes an instance of its own. Otherwise it takes the instance over, and the rename is refused.
func TestOwnership_renameAndAdoption(t *testing.T) {
	t.Parallel()
	for name, from := range holdings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServer(t)
			const typ = "enms_device"
			a, b := s.Expand("NAME-A"), s.Expand("NAME-B")
			before := s.Core(nil)
			state := before.Applied(typ, acctest.Attributes{"name": b}, before.NoState(typ))
			id := s.IDOf(b)
			c := s.Core(nil).InOneRun()
			created := c.Applied(from.typ, from.config(b, "Nokia"), c.NoState(from.typ))
			left, diags := c.Apply(typ, acctest.Attributes{"name": a}, state)
			acctest.CheckSays(diags, t, s.Expand(`Cannot update device "NAME-B"`), "Another resource of the same configuration has this device (id "+id, "apply again: it is then created anew")
			if s.IDOf(b) != id || s.IDOf(a) != "" || left.Text(t, "name") != b {
				t.Errorf("B has the id %q, A has %q, and the state %s", s.IDOf(b), s.IDOf(a), left.Value)
			}
			left = before.Applied(typ, acctest.Attributes{"name": a}, before.Refreshed(typ, left)) // as the error says
			if s.IDOf(b) != id || s.IDOf(a) == "" {
				t.Errorf("A has the id %q, B has %q, want %s", s.IDOf(a), s.IDOf(b), id)
			}
			before.Applied(typ, nil, left)
			before.Applied(from.typ, nil, created)

			state = before.Applied(typ, acctest.Attributes{"name": b}, before.NoState(typ))
			id = s.IDOf(b)
			c = s.Core(nil).InOneRun()
			state = c.Applied(typ, acctest.Attributes{"name": a}, state)
			created = c.Applied(from.typ, from.config(b, "Nokia"), c.NoState(from.typ))
			if s.IDOf(a) != id || s.IDOf(b) == id || fmt.Sprint(s.Get("device", a)["vendor"]) == "Nokia" {
				t.Errorf("A has the id %q, want %s; B has %q", s.IDOf(a), id, s.IDOf(b))
			}
			before.Applied(typ, nil, state)
			before.Applied(from.typ, nil, created)
		})
	}
}

// Two resources have one object in their states, for example because an apply that moved it was killed. If an
// apply deletes it for one and changes it for the other, the operation that comes second is refused: what was changed
// is not deleted, and what was deleted is not created by an update.
func TestOwnership_twoStatesOfOneObject(t *testing.T) {
	t.Parallel()
	eachPassing(t, func(t *testing.T, from, to holding) {
		t.Helper()
		s := acctest.NewServer(t)
		name := s.Expand("NAME-d")
		before := s.Core(nil)
		left := before.Applied(from.typ, from.config(name, "Cisco"), before.NoState(from.typ))
		right := before.Applied(to.typ, to.config(name, "Cisco"), before.NoState(to.typ))
		c := s.Core(nil).InOneRun()
		right = c.Applied(to.typ, to.config(name, "Nokia"), right)
		gone, diags := c.Apply(from.typ, nil, left)
		if acctest.CheckSays(diags, t, "WARNING", s.Expand("NAME-d"), "was not deleted"); diags.Failed() || !gone.Value.IsNull() || s.IDOf(name) == "" {
			t.Errorf("the device has the id %q: %s", s.IDOf(name), diags)
		}

		c = s.Core(nil).InOneRun()
		c.Applied(from.typ, nil, left)
		_, diags = c.Apply(to.typ, to.config(name, "Ciena"), right)
		if acctest.CheckSays(diags, t, "ERROR", s.Expand("NAME-d"), "Another resource of the same configuration deleted this device"); s.IDOf(name) != "" {
			t.Error("an update has created the device again")
		}
	})
}
