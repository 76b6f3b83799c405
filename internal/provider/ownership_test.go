// Tests of objects that pass from one resource to another, or that two resources want:
// nothing may end in success with an object missing. But for the one of Terraform itself
// they speak the protocol, where the order of the operations can be chosen.

package provider_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/faults"
)

// holding is one of the ways to hold a device.
type holding struct {
	typ    string
	config func(name, vendor string) attributes
}

// holdings are the ways to hold a device. Each takes it over where it exists.
var holdings = map[string]holding{
	"resource": {"enms_device", func(name, vendor string) attributes {
		return attributes{"name": name, "vendor": vendor, "adopt_existing": true}
	}},
	"entry": {manyType, func(name, vendor string) attributes {
		return attributes{"type": "device", "adopt_existing": true, "instances": object(map[string]any{name: map[string]any{"vendor": vendor}})}
	}},
	"instance": {"enms_instance", func(name, vendor string) attributes {
		return attributes{"type": "device", "name": name, "adopt_existing": true, "properties": object(map[string]any{"vendor": vendor})}
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

// id is the id of a device in eNMS, "" when there is none.
func (s *server) id(name string) string {
	s.t.Helper()
	if s.absent("device", name)(nil) == nil {
		return ""
	}
	return fmt.Sprint(s.get("device", name)["id"])
}

// An object that another address has taken over is not deleted by the one that has lost
// it: Terraform runs both at the same time, and the apply would succeed with the object
// gone.
func TestAdoptedObjectIsNotDeleted(t *testing.T) {
	t.Parallel()
	eachPassing(t, func(t *testing.T, from, to holding) {
		t.Helper()
		s := newServer(t)
		name := s.expand("NAME-d")
		left := s.core(nil).applied(from.typ, from.config(name, "Cisco"), s.core(nil).none(from.typ))
		id := s.id(name)
		c := s.core(nil).inOneRun()
		right := c.applied(to.typ, to.config(name, "Nokia"), c.none(to.typ))
		gone, diags := c.apply(from.typ, nil, left)
		if diags.failed() || !gone.value.IsNull() || !s.says("NAME-d", "was not deleted").MatchString(diags.String()) {
			t.Errorf("%s %s", gone.value, diags)
		}
		if now := s.id(name); now != id {
			t.Errorf("the device had the id %s and has %q", id, now)
		}
		if p, diags := c.plan(to.typ, to.config(name, "Nokia"), c.refreshed(to.typ, right)); diags.failed() || !p.noop {
			t.Errorf("the plan after it: %s %s", p.value, diags)
		}
	})
}

// A creation that took an object over and failed elsewhere does not keep the object: the
// address that was to delete it keeps it, so that it is in a state, and the next apply takes
// it over.
func TestAdoptedByAFailedCreation(t *testing.T) {
	t.Parallel()
	for kind, from := range holdings {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			name, refused := s.expand("NAME-d"), s.expand("NAME-refused")
			left := s.core(nil).applied(from.typ, from.config(name, "Cisco"), s.core(nil).none(from.typ))
			id := s.id(name)
			config := holdings["entry"].config(name, "Nokia")
			config["instances"] = object(map[string]any{name: map[string]any{"vendor": "Nokia"}, refused: map[string]any{"rbac_read": []any{s.expand("NAME-missing")}}})
			c := s.core(nil).inOneRun()
			failed, diags := c.apply(manyType, config, c.none(manyType))
			if !diags.failed() || !failed.value.IsNull() {
				t.Fatalf("%s %s", failed.value, diags)
			}
			left, diags = c.apply(from.typ, nil, left)
			if !s.says("Cannot delete", "NAME-d", "its creation failed", "Nothing was deleted").MatchString(diags.String()) || left.value.IsNull() {
				t.Errorf("%s %s", left.value, diags)
			}
			c = s.core(nil).inOneRun()
			config = holdings["entry"].config(name, "Nokia")
			right := c.applied(manyType, config, failed)
			if gone, diags := c.apply(from.typ, nil, c.refreshed(from.typ, left)); diags.failed() || !gone.value.IsNull() || s.id(name) != id {
				t.Errorf("the device had the id %s and has %q: %s", id, s.id(name), diags)
			}
			c.planIsEmpty(manyType, config, right)
		})
	}
}

// Whatever the order is in which Terraform runs the deletion at one address and the
// creation at another, the object exists afterwards and is in the new state.
func TestObjectsPassBetweenResources(t *testing.T) {
	t.Parallel()
	eachPassing(t, func(t *testing.T, from, to holding) {
		t.Helper()
		s := newServer(t)
		before, c := s.core(nil), s.core(nil).inOneRun()
		const devices = 6
		var running sync.WaitGroup
		created := make([]resourceState, devices)
		for i := range devices {
			name := s.expand(fmt.Sprintf("NAME-%d", i))
			left := before.applied(from.typ, from.config(name, "Cisco"), before.none(from.typ))
			running.Go(func() {
				if _, diags := c.apply(from.typ, nil, left); diags.failed() {
					t.Errorf("deleting %s: %s", name, diags)
				}
			})
			running.Go(func() {
				var diags problems
				if created[i], diags = c.apply(to.typ, to.config(name, "Nokia"), c.none(to.typ)); diags.failed() {
					t.Errorf("creating %s: %s", name, diags)
				}
			})
		}
		running.Wait()
		for i, state := range created {
			name := s.expand(fmt.Sprintf("NAME-%d", i))
			if s.id(name) == "" {
				t.Errorf("%s is gone", name)
			}
			if p, diags := c.plan(to.typ, to.config(name, "Nokia"), c.refreshed(to.typ, state)); diags.failed() || !p.noop {
				t.Errorf("the plan after it: %s %s", p.value, diags)
			}
			before.applied(to.typ, nil, state)
		}
	})
}

// A resource with another address and no moved block: with adopt_existing its instances
// stay what they are, in whatever order Terraform works.
func TestInstancesAtAnotherAddress(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	ids := map[string]string{}
	at := func(label string) string {
		return s.hcl(`resource "enms_instances" "` + label + `" {
		  type           = "device"
		  adopt_existing = true
		  instances      = { for n in range(6) : "NAME-${n}" => { vendor = "Cisco" } }
		}`)
	}
	eachDevice := func(check func(name string) error) resource.TestCheckFunc {
		checks := make([]resource.TestCheckFunc, 6)
		for n := range checks {
			checks[n] = func(*terraform.State) error { return check(fmt.Sprintf("NAME-%d", n)) }
		}
		return resource.ComposeAggregateTestCheckFunc(checks...)
	}
	s.run(
		resource.TestStep{Config: at("old"), Check: eachDevice(func(name string) error {
			ids[name] = s.id(name)
			return nil
		})},
		resource.TestStep{Config: at("new"), Check: eachDevice(func(name string) error {
			if s.id(name) == "" {
				return fmt.Errorf("%s had the id %s and is gone", name, ids[name])
			}
			return nil
		})},
	)
}

// Two resources want the same object: the second one is told so, whether it creates, takes
// over or renames, and gets no advice by which both would have it.
func TestTwoResourcesForOneObject(t *testing.T) {
	t.Parallel()
	eachPassing(t, func(t *testing.T, from, to holding) {
		t.Helper()
		s := newServer(t)
		name := s.expand("NAME-d")
		for _, adopts := range []bool{false, true} {
			c := s.core(nil).inOneRun()
			config := to.config(name, "Nokia")
			config["adopt_existing"] = adopts
			first := c.applied(from.typ, from.config(name, "Cisco"), c.none(from.typ))
			second, diags := c.apply(to.typ, config, c.none(to.typ))
			text := diags.String()
			if !s.says("Cannot", `device "NAME-d"`, "Another resource of the same configuration has this device (id").MatchString(text) || !second.value.IsNull() {
				t.Errorf("%s %s", second.value, text)
			}
			if strings.Contains(text, "import {") || strings.Contains(text, "adopt_existing") {
				t.Errorf("the advice makes two resources of one device: %s", text)
			}
			if got := fmt.Sprint(s.get("device", name)["vendor"]); got != "Cisco" {
				t.Errorf("the second one has written the vendor %s", got)
			}
			s.core(nil).applied(from.typ, nil, first)
		}
	})
}

// What was updated, or renamed, belongs to its resource as well, and what was adopted is
// not updated by another one.
func TestUpdatedObjectIsNotAdopted(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	old, name, other := s.expand("NAME-old"), s.expand("NAME-d"), s.expand("NAME-other")
	const typ, words = "enms_device", "Another resource of the same configuration has this device"
	adopting := attributes{"name": name, "adopt_existing": true}
	state := s.core(nil).applied(typ, attributes{"name": old}, s.core(nil).none(typ))
	c := s.core(nil).inOneRun()
	state = c.applied(typ, attributes{"name": name}, state)
	if _, diags := c.apply(typ, adopting, c.none(typ)); !s.says(words).MatchString(diags.String()) {
		t.Errorf("adopted after a rename: %s", diags)
	}
	if _, diags := c.apply(typ, attributes{"name": old}, c.none(typ)); diags.failed() {
		t.Errorf("the name that the rename has freed: %s", diags)
	}
	twin := s.core(nil).applied(typ, attributes{"name": other}, s.core(nil).none(typ))
	c = s.core(nil).inOneRun()
	c.applied(typ, adopting, c.none(typ))
	if _, diags := c.apply(typ, attributes{"name": name, "vendor": "Cisco"}, state); !s.says("Cannot update", words).MatchString(diags.String()) {
		t.Errorf("updated after the adoption: %s", diags)
	}
	if _, diags := c.apply(typ, attributes{"name": name}, twin); !s.says("Cannot rename", words).MatchString(diags.String()) || strings.Contains(diags.String(), "Nothing was changed") {
		t.Errorf("renamed to it: %s", diags)
	}
}

// An adoption that failed has taken nothing over: the deletion goes on.
func TestFailedAdoptionLetsDeletionGoOn(t *testing.T) {
	t.Parallel()
	p := newFaultyPlay(t, faultyCase{operation: operationNamed("adopt"), kind: "device"})
	const typ = "enms_device"
	left := p.core().applied(typ, attributes{"name": "one"}, p.core().none(typ))
	if err := p.injector.Set(faults.Rule{Fault: faults.Error500, Method: http.MethodPost, Path: "/rest/instance"}); err != nil {
		t.Fatal(err)
	}
	c := p.faultyCore().inOneRun()
	if state, diags := c.apply(typ, attributes{"name": "one", "vendor": "Cisco", "adopt_existing": true}, c.none(typ)); !diags.failed() || !state.value.IsNull() {
		t.Fatalf("%s %s", state.value, diags)
	}
	if state, diags := c.apply(typ, nil, left); diags.failed() || !state.value.IsNull() || len(diags) > 0 {
		t.Errorf("%s %s", state.value, diags)
	}
	if p.s.id("one") != "" {
		t.Error("the device is still there")
	}
}

// A deletion that failed leaves the object with its resource: whoever adopted it now would
// lose it by the next apply, which deletes it.
func TestObjectThatCouldNotBeDeletedIsNotAdopted(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	const typ = "enms_device"
	name, peer := s.expand("NAME-d"), s.expand("NAME-peer")
	left := s.core(nil).applied(typ, attributes{"name": name}, s.core(nil).none(typ))
	s.put("device", enms.Object{"name": peer})()
	s.put("link", enms.Object{"name": "NAME-link", "source": name, "destination": peer})()
	t.Cleanup(s.drop("device", peer))
	t.Cleanup(s.drop("link", "NAME-link"))
	c := s.core(nil).inOneRun()
	if _, diags := c.apply(typ, nil, left); !s.says("Cannot delete device", "NAME-link").MatchString(diags.String()) {
		t.Fatal(diags)
	}
	for _, adopts := range []bool{false, true} {
		_, diags := c.apply(typ, attributes{"name": name, "adopt_existing": adopts}, c.none(typ))
		if !s.says("another resource of the same configuration, which is to be destroyed, still has this device", "could not be deleted").MatchString(strings.ReplaceAll(diags.String(), "Another", "another")) || strings.Contains(diags.String(), "import {") {
			t.Error(diags)
		}
	}
}

// A cascade does not take along what this run has written: no plan could know that it would
// be there.
func TestCascadeSparesWhatTheRunHasWritten(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	const typ = "enms_service"
	workflow := attributes{"name": s.expand("NAME-wf"), "type": "workflow", "deletion_policy": "cascade"}
	step := attributes{"name": s.expand("[NAME-wf] step"), "workflows": []string{s.expand("NAME-wf")}}
	before := s.core(nil)
	w := before.applied(typ, workflow, before.none(typ))
	state := before.applied(typ, attributes{"name": s.expand("NAME-step")}, before.none(typ))
	c := s.core(nil).inOneRun()
	step["description"] = "written"
	state = c.applied(typ, step, state)
	if _, diags := c.apply(typ, nil, w); !s.says("Cannot delete service", "NAME-wf] step", "created, adopted or updated that in this run").MatchString(diags.String()) {
		t.Error(diags)
	}
	if got := fmt.Sprint(s.get("service", "[NAME-wf] step")["description"]); got != "written" {
		t.Errorf("the description is %s", got)
	}
	before.applied(typ, nil, w)
	before.applied(typ, nil, state)
}

// A replacement under a policy that leaves the old object in eNMS takes that object up: the
// name is taken by nobody else. What was switched off is on again.
func TestReplacementTakesUpWhatItLeft(t *testing.T) {
	t.Parallel()
	notOn(t, "it has no field by which services are switched off", "enms-4.4")
	for policy, config := range map[string]attributes{
		"abandon": {"type": "python_snippet_service", "description": "before"},
		"disable": {"type": "python_snippet_service", "description": "before"},
	} {
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			c := s.core(nil)
			const typ = "enms_service"
			config["name"], config["deletion_policy"] = s.expand("NAME-s"), policy
			t.Cleanup(s.drop("service", "NAME-s"))
			state := c.applied(typ, config, c.none(typ))
			id := state.text(t, "id")
			state.tainted, config["description"] = true, "after"
			state = c.applied(typ, config, state)
			if got := state.text(t, "id"); got != id {
				t.Errorf("the id was %s and is %s", id, got)
			}
			row := s.get("service", "NAME-s")
			if fmt.Sprint(row["description"]) != "after" || fmt.Sprint(row["disabled"]) != "false" {
				t.Errorf("eNMS has the description %v, disabled %v", row["description"], row["disabled"])
			}
			if p, diags := c.plan(typ, config, c.refreshed(typ, state)); diags.failed() || !p.noop {
				t.Errorf("the plan after it: %s %s", p.value, diags)
			}
			other := c.newRun()
			config["adopt_existing"] = false
			if _, diags := other.apply(typ, config, c.none(typ)); !s.says("import {").MatchString(diags.String()) {
				t.Errorf("what another run has left is taken up: %s", diags)
			}
		})
	}
}

// With adopt_existing, a creation does not take over what another resource keeps, also when
// that one gives its name up in the same apply: which of the two came first, the plan could
// not know, and both would have had the object for good.
func TestAdoptionOfWhatAnotherResourceKeeps(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	const typ = "enms_device"
	before := s.core(attributes{"adopt_existing": true})
	b, a := s.expand("NAME-B"), s.expand("NAME-A")
	state := before.applied(typ, attributes{"name": b}, before.none(typ))
	entries := before.applied(manyType, attributes{"type": "device", "instances": object(map[string]any{s.expand("NAME-E"): map[string]any{}})}, before.none(manyType))
	type plan struct {
		typ    string
		config attributes
		state  resourceState
	}
	renamed, created := plan{typ, attributes{"name": a}, state}, plan{typ, attributes{"name": b}, before.none(typ)}
	many := plan{manyType, attributes{"type": "device", "instances": object(map[string]any{s.expand("NAME-E"): map[string]any{"vendor": "Nokia"}})}, entries}
	ofMany := plan{typ, attributes{"name": s.expand("NAME-E")}, before.none(typ)}
	for what, plans := range map[string][]plan{
		"a rename first": {renamed, created}, "a creation first": {created, renamed}, "what stays": {{typ, attributes{"name": b}, state}, created},
		"an entry first": {many, ofMany}, "an entry second": {ofMany, many},
	} {
		c := before.newRun()
		if _, diags := c.plan(plans[0].typ, plans[0].config, plans[0].state); diags.failed() {
			t.Errorf("%s: the first plan says %s", what, diags)
		}
		if _, diags := c.plan(plans[1].typ, plans[1].config, plans[1].state); !s.says("Cannot take over device", "apply that first").MatchString(diags.String()) {
			t.Errorf("%s: the second plan says %s", what, diags)
		}
	}
	// What is destroyed at the other address is no obstacle, nor what is replaced.
	c := before.newRun()
	if _, diags := c.plan(typ, nil, state); diags.failed() {
		t.Error(diags)
	}
	if _, diags := c.plan(typ, created.config, created.state); diags.failed() {
		t.Error(diags)
	}
	c = before.newRun()
	p, _ := c.plan(typ, attributes{"name": b}, state)
	if _, diags := c.plan(typ, created.config, resourceState{value: created.state.value, private: p.private}); diags.failed() {
		t.Errorf("a replacement by the user: %s", diags)
	}
	before.applied(typ, nil, state)
	before.applied(manyType, nil, entries)
}
