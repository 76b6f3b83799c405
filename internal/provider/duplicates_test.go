// Tests of plans in which two resources create the same object.

package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// The plan tells that two resources create the same object, whichever of them is planned
// first, because the apply would get half-way.
func TestPlanOfTwoResourcesForOneObject(t *testing.T) {
	t.Parallel()
	eachPassing(t, func(t *testing.T, from, to holding) {
		t.Helper()
		s := newServer(t)
		c := s.core(nil).inOneRun()
		if _, diags := c.plan(from.typ, from.config("d", "Cisco"), c.none(from.typ)); diags.failed() {
			t.Fatal(diags)
		}
		_, diags := c.plan(to.typ, to.config("d", "Nokia"), c.none(to.typ))
		if text := diags.String(); !s.says("Duplicate name", "Another resource of the same configuration creates", `"d"`).MatchString(text) || strings.Contains(text, "adopt_existing") {
			t.Errorf("the plan says: %s", text)
		}
		if _, diags := c.plan(to.typ, to.config("e", "Nokia"), c.none(to.typ)); diags.failed() {
			t.Errorf("another name: %s", diags)
		}
		s.noWrites()
	})
}

// Names that are free, not known, or planned again by the same resource are no duplicates,
// nor are those of types with names of their own.
func TestPlansThatAreNoDuplicates(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	device := holdings["resource"]
	unknown := tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
	c := s.core(nil)
	state := c.applied(device.typ, device.config("d", "Cisco"), c.none(device.typ))
	for name, plans := range map[string][]struct {
		typ    string
		config attributes
		state  resourceState
	}{
		"planned twice":  {{device.typ, device.config("new", "Cisco"), c.none(device.typ)}, {device.typ, device.config("new", "Cisco"), c.none(device.typ)}},
		"replaced":       {{device.typ, device.config("d", "Nokia"), state}, {device.typ, device.config("d", "Nokia"), resourceState{value: c.none(device.typ).value, private: state.private}}},
		"renamed away":   {{device.typ, device.config("e", "Cisco"), state}, {device.typ, attributes{"name": "d", "vendor": "Nokia"}, c.none(device.typ)}},
		"destroyed":      {{device.typ, nil, state}, {device.typ, device.config("d", "Nokia"), c.none(device.typ)}},
		"another type":   {{device.typ, device.config("new", "Cisco"), c.none(device.typ)}, {"enms_pool", attributes{"name": "new"}, c.none("enms_pool")}},
		"unknown names":  {{device.typ, attributes{"name": unknown, "vendor": "a"}, c.none(device.typ)}, {device.typ, attributes{"name": unknown, "vendor": "b"}, c.none(device.typ)}},
		"unknown types":  {{"enms_instance", attributes{"name": "new", "type": unknown}, c.none("enms_instance")}, {"enms_instance", attributes{"name": "new", "type": unknown, "adopt_existing": true}, c.none("enms_instance")}},
		"an entry again": {{manyType, holdings["entry"].config("new", "Cisco"), c.none(manyType)}, {manyType, holdings["entry"].config("new", "Cisco"), c.none(manyType)}},
	} {
		run := s.core(nil).inOneRun()
		for _, p := range plans {
			if _, diags := run.plan(p.typ, p.config, p.state); diags.failed() {
				t.Errorf("%s: %s", name, diags)
			}
		}
	}
	run := s.core(nil).inOneRun()
	run.applied(device.typ, device.config("first", "Cisco"), run.none(device.typ))
	for _, vendor := range []string{"Cisco", "Nokia"} { // the values that an apply learns are planned again
		if _, diags := run.plan(device.typ, device.config("new", vendor), run.none(device.typ)); diags.failed() {
			t.Error(diags)
		}
	}
}

// With Terraform: the plan of a duplicate fails, and a replacement, which Terraform plans
// twice and with changes ignored once only, is none.
func TestDuplicatesInTerraform(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	replaced := func(typ, vendor string) string {
		return s.hcl(fmt.Sprintf(`resource "enms_device" "d" {
		  name   = "NAME-d"
		  type   = %q
		  vendor = %q
		  lifecycle {
		    ignore_changes = [vendor]
		  }
		}`, typ, vendor))
	}
	s.run(
		s.failing(s.hcl(`
			resource "enms_device" "a" {
			  name = "NAME-d"
			}
			resource "enms_device" "b" {
			  name   = "NAME-d"
			  vendor = "Cisco"
			}`), "Duplicate name", "on", `"NAME-d"`),
		resource.TestStep{Config: replaced("device", "Cisco")},
		resource.TestStep{Config: replaced("gateway", "Nokia"), Check: s.holds("device", "NAME-d", "type", "gateway"),
			ConfigPlanChecks: action(plancheck.ExpectResourceAction("enms_device.d", plancheck.ResourceActionDestroyBeforeCreate))},
	)
}

// An apply that was interrupted after it had brought an object to another address leaves it
// in the states of two resources. The next plan would delete it for both: Terraform runs no
// operation of the one that keeps it, so that the apply could not know.
func TestDestroyedAtOneAddressKeptAtAnother(t *testing.T) {
	t.Parallel()
	eachPassing(t, func(t *testing.T, from, to holding) {
		t.Helper()
		s := newServer(t)
		before := s.core(nil)
		left := before.applied(from.typ, from.config("d", "Cisco"), before.none(from.typ))
		right := before.applied(to.typ, to.config("d", "Cisco"), before.none(to.typ))
		destroy := func(c *core) problems {
			_, diags := c.plan(from.typ, nil, left)
			return diags
		}
		keep := func(c *core) problems {
			_, diags := c.plan(to.typ, to.config("d", "Cisco"), right)
			return diags
		}
		for _, order := range [][]func(c *core) problems{{destroy, keep}, {keep, destroy}} {
			c := s.core(nil).inOneRun()
			if diags := order[0](c); diags.failed() {
				t.Errorf("the first plan says: %s", diags)
			}
			if diags := order[1](c); !s.says("Cannot destroy", `"d" in this apply`, "Two resources of the same configuration have", `"d" (id `, "removed block").MatchString(diags.String()) {
				t.Errorf("the second plan says: %s", diags)
			}
		}
		abandoning := from.config("d", "Cisco")
		abandoning["deletion_policy"] = "abandon"
		left = before.applied(from.typ, abandoning, left)
		c := s.core(nil).inOneRun()
		if diags := append(destroy(c), keep(c)...); diags.failed() {
			t.Errorf("what is abandoned is not lost, but: %s", diags)
		}
	})
}
