// Tests of renames by other hands, of attributes that are taken out of the configuration, and of what eNMS merges.

package instance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

const device = `
resource "enms_device" "dallas" {
  name       = "NAME-DALLAS"
  ip_address = "10.0.0.1"
}`

// Objects that eNMS merges into what was there: only their own members count.
func TestDevice_customPropertyThatENMSMerges(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	if s.Simulator != nil {
		t.Skip("needs a real eNMS with the sample property custom_json: custom properties are each site's own, the simulator has none")
	}
	config := s.HCL(`resource "enms_device" "d" {
	  name       = "NAME-d"
	  properties = { custom_json = { terraform = [1, 2] }, property1 = "x" }
	}`)
	s.Run(
		resource.TestStep{Config: config},
		resource.TestStep{PreConfig: s.Put("device", map[string]any{"name": "NAME-d", "custom_json": map[string]any{"other": 1}}), Config: config, PlanOnly: true},
		resource.TestStep{PreConfig: s.Put("device", map[string]any{"name": "NAME-d", "custom_json": map[string]any{"terraform": 1}}), Config: config,
			ConfigPlanChecks: acctest.Updates("enms_device.d")},
	)
}

// An update that sends nothing, such as one of the deletion policy, does not tell which instance it is.
func TestDevice_updateOfWhatIsNotTold(t *testing.T) {
	t.Parallel()
	acctest.SkipOn(t, "creation_time tells which it is", "enms-5.3")
	s := acctest.NewServer(t)
	s.OnlySimulated("it empties the changelog")
	c := s.Core(nil)
	device := acctest.Attributes{"name": s.Expand("NAME-A")}
	state := c.Applied("enms_device", device, c.NoState("enms_device"))
	s.Simulator.EmptyChangelog("")
	s.Put("device", enms.Object{"name": "NAME-B"})()
	s.Put("device", enms.Object{"name": "NAME-A", "new_name": "NAME-C"})()
	s.Put("device", enms.Object{"name": "NAME-B", "new_name": "NAME-A"})()
	s.Simulator.EmptyChangelog("")
	device["deletion_policy"] = "cascade"
	state = c.Applied("enms_device", device, c.Refreshed("enms_device", state))
	if _, diags := c.Plan("enms_device", nil, state); !s.Says("Cannot delete device", "identify_by = ").MatchString(diags.String()) {
		t.Errorf("the plan of the deletion: %s", diags)
	}
}

// An apply was killed after it had renamed and changed an instance, before the state was saved. The changelog
// has the rename, so the next apply finds the instance, whatever else has changed; it is not destroyed before the
// new name was accepted.
func TestDevice_applyKilledAfterRenameAndChange(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		typ           string
		before, after func(s *acctest.Server) acctest.Attributes
		destroyed     bool
	}{
		"resource":           {"enms_device", deviceAt("NAME-A", "10.0.0.1"), deviceAt("NAME-B", "10.0.0.2"), false},
		"entry":              {"enms_instances", entryAt("NAME-A", "NAME-A", "10.0.0.1"), entryAt("NAME-A", "NAME-B", "10.0.0.2"), false},
		"resource destroyed": {"enms_device", deviceAt("NAME-A", "10.0.0.1"), func(*acctest.Server) acctest.Attributes { return nil }, true},
		"entry destroyed":    {"enms_instances", entryAt("NAME-A", "NAME-A", "10.0.0.1"), func(s *acctest.Server) acctest.Attributes { return acctest.Entries(s, "device", map[string]any{}) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServer(t)
			c, before, after := s.Core(nil), test.before(s), test.after(s)
			state := c.Applied(test.typ, before, c.NoState(test.typ))
			id := acctest.IDsOf(s, "device", "NAME-A")["NAME-A"]
			s.Put("device", enms.Object{"name": "NAME-A", "new_name": "NAME-B", "ip_address": "10.0.0.2"})()
			c = c.NewRun()
			state = c.Refreshed(test.typ, state)
			if test.destroyed {
				if _, diags := c.Plan(test.typ, after, state); !s.Says("Cannot delete device", `renamed to "NAME-B" by user "`, "apply -refresh-only").MatchString(diags.String()) {
					t.Errorf("the plan of the deletion: %s", diags)
				}
				c = s.Core(nil).InOneRun() // after terraform apply -refresh-only: the state has the new name
				c.Applied(test.typ, after, c.Refreshed(test.typ, state))
				s.Check(s.Absent("device", "NAME-B"))
				return
			}
			state = c.Applied(test.typ, after, state)
			acctest.PlanIsEmpty(c, test.typ, after, state)
			if now := acctest.IDsOf(s, "device", "NAME-B")["NAME-B"]; now != id || len(acctest.IDsOfDevices(s)) != 1 {
				t.Errorf("B has the id %s, had %s; all are %v", now, id, acctest.IDsOfDevices(s))
			}
		})
	}
}

// Terraform 1.11 reads a resource whose block is gone, and then plans its deletion with the state and the record from
// before. What the read has found counts.
func TestDevice_renamedAndBlockGone(t *testing.T) {
	t.Parallel()
	for typ, config := range map[string]func(*acctest.Server) acctest.Attributes{
		"enms_device": deviceAt("NAME-A", "10.0.0.1"), "enms_instances": entryAt("NAME-A", "NAME-A", "10.0.0.1"),
	} {
		t.Run(typ, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServer(t)
			c := s.Core(nil)
			state := c.Applied(typ, config(s), c.NoState(typ))
			s.Put("device", enms.Object{"name": "NAME-A", "new_name": "NAME-B"})()
			c = s.Core(nil).InOneRun()
			accepted := c.Refreshed(typ, state)
			if _, diags := c.Plan(typ, nil, state); !s.Says("Cannot delete device", `renamed to "NAME-B" by user "`).MatchString(diags.String()) {
				t.Errorf("the plan with the state from before the read: %s", diags)
			}
			c = s.Core(nil).InOneRun()
			c.Refreshed(typ, accepted)
			c.Applied(typ, nil, accepted) // its record still has the rename
			s.Check(s.Absent("device", "NAME-B"))
		})
	}
}

// deviceAt returns a configuration of one device.
func deviceAt(name, address string) func(*acctest.Server) acctest.Attributes {
	return func(s *acctest.Server) acctest.Attributes {
		return acctest.Attributes{"name": s.Expand(name), "ip_address": address}
	}
}

// entryAt is deviceAt for an entry that was called was.
func entryAt(was, name, address string) func(*acctest.Server) acctest.Attributes {
	return func(s *acctest.Server) acctest.Attributes {
		return acctest.WithRenames(s, acctest.Entries(s, "device", map[string]any{name: map[string]any{"ip_address": address}}), map[string]string{was: name})
	}
}

// What was done once is done a second time, or back: the instance keeps its id, and its last name is that of the
// configuration. A step is the name in the configuration, or a rename by others, written as "NAME-A > NAME-B".
func TestDevice_renamedTheSecondTime(t *testing.T) {
	t.Parallel()
	for name, steps := range map[string][]string{
		"back and again":                         {"NAME-A", "NAME-B", "NAME-A", "NAME-B"},
		"by others, after each apply":            {"NAME-A", "NAME-A > NAME-B", "NAME-A", "NAME-A > NAME-B", "NAME-A"},
		"by others to the first name":            {"NAME-A", "NAME-B", "NAME-B > NAME-A", "NAME-B"},
		"by others to the first name, followed":  {"NAME-A", "NAME-B", "NAME-B > NAME-A", "NAME-A"},
		"by others after another was, and again": {"NAME-A", "NAME-theirs > NAME-C", "NAME-A > NAME-theirs", "NAME-theirs > NAME-D", "NAME-C > NAME-theirs", "NAME-D"},
	} {
		for typ, config := range map[string]func(was, name string) func(*acctest.Server) acctest.Attributes{
			"enms_device": func(_, name string) func(*acctest.Server) acctest.Attributes { return deviceAt(name, "10.0.0.1") },
			"enms_instances": func(was, name string) func(*acctest.Server) acctest.Attributes {
				return entryAt(was, name, "10.0.0.1")
			},
		} {
			t.Run(name+" "+typ, func(t *testing.T) {
				t.Parallel()
				s := acctest.NewServer(t)
				c := s.Core(nil)
				s.Put("device", enms.Object{"name": "NAME-theirs"})()
				state, first, was := c.NoState(typ), "", "NAME-A"
				for _, step := range steps {
					if from, to, byOthers := strings.Cut(step, " > "); byOthers {
						s.Put("device", enms.Object{"name": from, "new_name": to})()
						continue
					}
					state = c.Applied(typ, config(was, step)(s), c.Refreshed(typ, state))
					state = acctest.PlanIsEmpty(c, typ, config(was, step)(s), state)
					was = step
					id := acctest.IDsOf(s, "device", step)[step]
					if first == "" {
						first = id
					}
					if all := acctest.IDsOfDevices(s); id != first || len(all) != 2 {
						t.Errorf("%s has the id %s, and not %s; all are %v", step, id, first, all)
					}
				}
			})
		}
	}
}

func TestDevice_attributesRemoved(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.Run(
		resource.TestStep{Config: s.HCL(`
			resource "enms_device" "dallas" {
			  name       = "NAME-DALLAS"
			  ip_address = "10.0.0.1"
			  port       = 2222
			  gateways   = [enms_device.gw.name]
			}
			resource "enms_device" "gw" {
			  name = "NAME-gw"
			  type = "gateway"
			}`)},
		// location was never configured: it is left alone. port was: it goes back.
		resource.TestStep{PreConfig: s.Put("device", enms.Object{"name": "NAME-DALLAS", "location": "roof"}),
			Config: s.HCL(device), ConfigPlanChecks: acctest.Updates("enms_device.dallas"),
			Check: resource.ComposeAggregateTestCheckFunc(
				s.Holds("device", "NAME-DALLAS", "port", "22"),
				s.Holds("device", "NAME-DALLAS", "gateways", "[]"),
				s.Holds("device", "NAME-DALLAS", "location", "roof"))},
		// It was given back, so from here on it is nobody's business either.
		resource.TestStep{PreConfig: s.Put("device", enms.Object{"name": "NAME-DALLAS", "port": 830}),
			Config: s.HCL(device), PlanOnly: true},
	)
}
