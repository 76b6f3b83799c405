// Tests of resources that exchange their names, or take names that others give up, in the same run: Terraform renames them
// in any order. With count, the removal or the insertion of one shifts the names of all after it.

package instance_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// named is a device of a configuration with another name than before.
type renamedDevice struct{ before, after string }

// renameDevices creates devices, renames them in one run, so many at a time, and returns
// the ids before, the states and what went wrong.
func renameDevices(t *testing.T, s *acctest.Server, together bool, devices ...renamedDevice) (before map[string]string, states []acctest.ResourceState, failed acctest.Problems) {
	t.Helper()
	c := s.Core(nil)
	var names []string
	for _, d := range devices {
		names = append(names, d.before)
		states = append(states, c.Applied("enms_device", acctest.Attributes{"name": s.Expand(d.before), "vendor": s.Expand(d.before)}, c.NoState("enms_device")))
	}
	before = acctest.IDsOf(s, "device", names...)
	return before, states, applyRenames(t, s, together, states, devices...)
}

// applyRenames applies the new names in a run of their own.
func applyRenames(t *testing.T, s *acctest.Server, together bool, states []acctest.ResourceState, devices ...renamedDevice) (failed acctest.Problems) {
	t.Helper()
	c := s.Core(nil).InOneRun().InOneRun()
	found := make([]acctest.Problems, len(devices))
	var running sync.WaitGroup
	for n, d := range devices {
		rename := func() {
			states[n], found[n] = c.Apply("enms_device", acctest.Attributes{"name": s.Expand(d.after), "vendor": s.Expand(d.before)}, states[n])
		}
		if together {
			running.Go(rename)
		} else {
			rename()
		}
	}
	running.Wait()
	return slices.Concat(found...)
}

// Names are exchanged in circles of any length, and chains pass names on: in one apply when
// the renames are under way at the same time, and otherwise in a few.
func TestRename_exchangeOfNames(t *testing.T) {
	t.Parallel()
	for name, devices := range map[string][]renamedDevice{
		"two":     {{"NAME-A", "NAME-B"}, {"NAME-B", "NAME-A"}},
		"three":   {{"NAME-A", "NAME-B"}, {"NAME-B", "NAME-C"}, {"NAME-C", "NAME-A"}},
		"chain":   {{"NAME-A", "NAME-B"}, {"NAME-B", "NAME-C"}, {"NAME-C", "NAME-D"}},
		"circles": {{"NAME-A", "NAME-B"}, {"NAME-B", "NAME-A"}, {"NAME-C", "NAME-D"}, {"NAME-D", "NAME-C"}},
	} {
		for _, together := range []bool{true, false} {
			t.Run(fmt.Sprint(name, " together ", together), func(t *testing.T) {
				t.Parallel()
				s := acctest.NewServer(t)
				before, states, failed := renameDevices(t, s, together, devices...)
				for run := 1; failed.Failed(); run++ {
					if run > 2 {
						t.Fatalf("run %d: %s", run, failed)
					}
					for n := range states {
						states[n] = s.Core(nil).Refreshed("enms_device", states[n])
					}
					failed = applyRenames(t, s, together, states, devices...)
				}
				for n, d := range devices {
					if got := acctest.IDsOf(s, "device", d.after)[d.after]; got != before[d.before] || states[n].Text(t, "name") != s.Expand(d.after) {
						t.Errorf("%s has the id %s, want %s; the state is %s", d.after, got, before[d.before], states[n].Value)
					}
				}
			})
		}
	}
}

// The same with Terraform, a resource and an entry of enms_instances among them.
func TestRename_exchangeWithTerraform(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	config := func(a, b, c, renames string) string {
		return s.HCL(fmt.Sprintf(`
			resource "enms_device" "a" {
			  name   = "NAME-%s"
			  vendor = "first"
			}
			resource "enms_device" "b" {
			  name   = "NAME-%s"
			  vendor = "second"
			}
			resource "enms_instances" "c" {
			  type      = "device"
			  instances = { "NAME-%s" = { vendor = "third" } }
			  renames   = { %s }
			}`, a, b, c, renames))
	}
	s.Run(
		resource.TestStep{Config: config("A", "B", "C", "")},
		resource.TestStep{Config: config("B", "C", "A", `"NAME-C" = "NAME-A"`), Check: resource.ComposeAggregateTestCheckFunc(
			s.Holds("device", "NAME-B", "vendor", "first"), s.Holds("device", "NAME-C", "vendor", "second"), s.Holds("device", "NAME-A", "vendor", "third"))},
	)
}

// Services and their tasks are renamed in one apply when one of them is removed or inserted: each takes the name of the
// next or the previous one, which the apply renames or deletes, perhaps later. Of more than ten, Terraform may begin
// only such as wait for others; the error then says what to do.
func TestRename_countShifts(t *testing.T) {
	t.Parallel()
	for _, most := range []int{3, 8} {
		t.Run(fmt.Sprint(most), func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServer(t)
			config := func(names ...string) string {
				return s.HCL(`
					locals {
					  names = ["` + strings.Join(names, `", "`) + `"]
					}
					resource "enms_service" "s" {
					  count = length(local.names)
					  name  = "NAME-${local.names[count.index]}"
					}
					resource "enms_task" "t" {
					  count   = length(local.names)
					  name    = "NAME-task ${local.names[count.index]}"
					  service = enms_service.s[count.index].name
					}`)
			}
			var all []string
			for n := range most {
				all = append(all, fmt.Sprintf("n%02d", n))
			}
			inserted := append([]string{"first", all[0], "second"}, all[1:]...)
			check := func(names []string) resource.TestCheckFunc {
				var checks []resource.TestCheckFunc
				for _, name := range names {
					checks = append(checks, s.Holds("task", "NAME-task "+name, "service", "NAME-"+name))
				}
				return resource.ComposeTestCheckFunc(checks...)
			}
			s.Run(
				resource.TestStep{Config: config(all...), Check: check(all)},
				resource.TestStep{Config: config(all[1:]...), Check: resource.ComposeTestCheckFunc(check(all[1:]), s.Absent("service", "NAME-"+all[0]))},
				resource.TestStep{Config: config(all...), Check: check(all)},
				resource.TestStep{Config: config(inserted...), Check: check(inserted)},
				resource.TestStep{Config: config(all...), Check: check(all)},
			)
		})
	}
}
