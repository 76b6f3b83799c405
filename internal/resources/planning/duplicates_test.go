// Tests of plans in which two resources create the same object.

package planning_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// The plan tells that two resources create the same object, whichever of them is planned
// first, because the apply would get half-way.
func TestDuplicates_planRefusesBoth(t *testing.T) {
	t.Parallel()
	eachPassing(t, func(t *testing.T, from, to holding) {
		t.Helper()
		s := acctest.NewServer(t)
		c := s.Core(nil).InOneRun()
		if _, diags := c.Plan(from.typ, from.config(s.Expand("NAME-d"), "Cisco"), c.NoState(from.typ)); diags.Failed() {
			t.Fatal(diags)
		}
		_, diags := c.Plan(to.typ, to.config(s.Expand("NAME-d"), "Nokia"), c.NoState(to.typ))
		if text := diags.String(); !s.Says("Duplicate name", "Another resource of the same configuration creates", `"NAME-d"`).MatchString(text) || strings.Contains(text, "adopt_existing") {
			t.Errorf("the plan says: %s", text)
		}
		if _, diags := c.Plan(to.typ, to.config(s.Expand("NAME-e"), "Nokia"), c.NoState(to.typ)); diags.Failed() {
			t.Errorf("another name: %s", diags)
		}
		s.NoWrites()
	})
}

// Names that are free, unknown, or planned again in a replacement are no duplicates, nor are those of
// types with names of their own.
func TestDuplicates_plansThatAreNone(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	device := holdings["resource"]
	unknown := tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
	c := s.Core(nil)
	state := c.Applied(device.typ, device.config(s.Expand("NAME-d"), "Cisco"), c.NoState(device.typ))
	for name, plans := range map[string][]struct {
		typ    string
		config acctest.Attributes
		state  acctest.ResourceState
	}{
		"replaced": {{device.typ, device.config(s.Expand("NAME-d"), "Nokia"), state}, {device.typ, device.config(s.Expand("NAME-d"), "Nokia"), acctest.ResourceState{Value: c.NoState(device.typ).Value, Private: state.Private}}},
		"replaced, with changes ignored once only": {{device.typ, device.config(s.Expand("NAME-d"), "Cisco"), state}, {device.typ, device.config(s.Expand("NAME-d"), "Nokia"), acctest.ResourceState{Value: c.NoState(device.typ).Value, Private: state.Private}}},
		"renamed away":  {{device.typ, device.config(s.Expand("NAME-e"), "Cisco"), state}, {device.typ, acctest.Attributes{"name": s.Expand("NAME-d"), "vendor": "Nokia"}, c.NoState(device.typ)}},
		"destroyed":     {{device.typ, nil, state}, {device.typ, device.config(s.Expand("NAME-d"), "Nokia"), c.NoState(device.typ)}},
		"another type":  {{device.typ, device.config(s.Expand("NAME-new"), "Cisco"), c.NoState(device.typ)}, {"enms_pool", acctest.Attributes{"name": s.Expand("NAME-new")}, c.NoState("enms_pool")}},
		"unknown names": {{device.typ, acctest.Attributes{"name": unknown, "vendor": "a"}, c.NoState(device.typ)}, {device.typ, acctest.Attributes{"name": unknown, "vendor": "b"}, c.NoState(device.typ)}},
		"unknown types": {{"enms_instance", acctest.Attributes{"name": s.Expand("NAME-new"), "type": unknown}, c.NoState("enms_instance")}, {"enms_instance", acctest.Attributes{"name": s.Expand("NAME-new"), "type": unknown, "adopt_existing": true}, c.NoState("enms_instance")}},
	} {
		run := s.Core(nil).InOneRun()
		for _, p := range plans {
			if _, diags := run.Plan(p.typ, p.config, p.state); diags.Failed() {
				t.Errorf("%s: %s", name, diags)
			}
		}
	}
	run := s.Core(nil).InOneRun()
	run.Applied(device.typ, device.config(s.Expand("NAME-first"), "Cisco"), run.NoState(device.typ))
	for _, vendor := range []string{"Cisco", "Nokia"} { // the values that an apply learns are planned again
		if _, diags := run.Plan(device.typ, device.config(s.Expand("NAME-new"), vendor), run.NoState(device.typ)); diags.Failed() {
			t.Error(diags)
		}
	}
}

// An apply that was interrupted after it had brought an object to another address leaves it
// in the states of two resources. The next plan would delete it for both: Terraform runs no
// operation of the one that keeps it, so that the apply could not know.
func TestDuplicates_destroyedAtOneAddressKeptAtAnother(t *testing.T) {
	t.Parallel()
	eachPassing(t, func(t *testing.T, from, to holding) {
		t.Helper()
		s := acctest.NewServer(t)
		before := s.Core(nil)
		left := before.Applied(from.typ, from.config(s.Expand("NAME-d"), "Cisco"), before.NoState(from.typ))
		right := before.Applied(to.typ, to.config(s.Expand("NAME-d"), "Cisco"), before.NoState(to.typ))
		destroy := func(c *acctest.Core) acctest.Problems {
			_, diags := c.Plan(from.typ, nil, left)
			return diags
		}
		keep := func(c *acctest.Core) acctest.Problems {
			_, diags := c.Plan(to.typ, to.config(s.Expand("NAME-d"), "Cisco"), right)
			return diags
		}
		for _, order := range [][]func(c *acctest.Core) acctest.Problems{{destroy, keep}, {keep, destroy}} {
			c := s.Core(nil).InOneRun()
			if diags := order[0](c); diags.Failed() {
				t.Errorf("the first plan says: %s", diags)
			}
			if diags := order[1](c); !s.Says("Cannot destroy", `"NAME-d" in this apply`, "Two resources of the same configuration have", `"NAME-d" (id `, "removed block").MatchString(diags.String()) {
				t.Errorf("the second plan says: %s", diags)
			}
		}
		abandoning := from.config(s.Expand("NAME-d"), "Cisco")
		abandoning["deletion_policy"] = "abandon"
		left = before.Applied(from.typ, abandoning, left)
		c := s.Core(nil).InOneRun()
		if diags := append(destroy(c), keep(c)...); diags.Failed() {
			t.Errorf("what is abandoned is not lost, but: %s", diags)
		}
	})
}

// Two imports of one instance are an error of the plan: both resources would have it. The next run
// begins anew.
func TestDuplicates_importedTwice(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.Put("device", map[string]any{"name": "NAME-d"})()
	t.Cleanup(s.Drop("device", "NAME-d"))
	ids := map[string]string{"enms_device": s.Expand("NAME-d"), "enms_instances": s.Expand("device/NAME-d")}
	for first := range ids {
		for second := range ids {
			run := s.Core(nil).NewRun()
			if _, diags := run.ImportByName(first, ids[first]); diags.Failed() {
				t.Fatal(diags)
			}
			_, diags := run.ImportByName(second, ids[second])
			acctest.CheckSays(diags, t, "ERROR", s.Expand(`Cannot import device "NAME-d"`), "Another import block")
			if _, diags := s.Core(nil).ImportByName(second, ids[second]); diags.Failed() {
				t.Error(diags)
			}
		}
	}
}
