// Acceptance tests of what many instances cost: the requests that the simulator
// had of one Terraform command, ten operations at a time unless it says
// otherwise. Time is not measured here: see `make bench`. These tests run before all
// others and not beside them: how many requests are shared depends on how soon Terraform
// goes on, and on a busy machine that is later.

package provider_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// manyDevices returns a configuration of so many devices of a description.
func manyDevices(s *acctest.Server, count int, description string) string {
	return s.HCL(fmt.Sprintf(`
		resource "enms_device" "many" {
		  count       = %d
		  name        = "NAME-${count.index}"
		  ip_address  = "10.0.${floor(count.index / 256)}.${count.index %% 256}"
		  description = %q
		}`, count, description))
}

func TestScale_devices(t *testing.T) {
	s := acctest.NewServer(t)
	s.OnlySimulated("requests are counted")
	w := acctest.NewWorkspace(t)
	w.Configure(manyDevices(s, 60, "first"))
	acctest.CountRequests(s, "create 60 devices", 80, func() { w.Apply(10) }) // 120 alone, some 20 on an idle machine
	acctest.CountRequests(s, "plan 60 devices", 6, w.PlanNothing)
	w.Configure(manyDevices(s, 60, "second"))
	acctest.CountRequests(s, "update 60 devices", 90, func() { w.Apply(10) }) // 180 alone, some 20 on an idle machine
	for _, i := range []int{0, 59} {
		if got := s.Get("device", fmt.Sprint("NAME-", i))["description"]; got != "second" {
			t.Errorf("description of device %d is %v", i, got)
		}
	}
	acctest.CountRequests(s, "plan what was updated", 6, w.PlanNothing)
}

// Relations of many are read by searches. One that somebody changes is found all the
// same, on that instance alone.
func TestScale_relations(t *testing.T) {
	s := acctest.NewServer(t)
	s.OnlySimulated("requests are counted")
	for _, name := range []string{"NAME-a", "NAME-b", "NAME-c"} {
		s.Put("gateway", enms.Object{"name": name})()
	}
	s.Put("service", enms.Object{"name": "NAME-backup", "scoped_name": "NAME-backup"})()
	w := acctest.NewWorkspace(t).InModel(t.TempDir(), s)
	w.Configure(s.HCL(`
		resource "enms_device" "many" {
		  count    = 100
		  name     = "NAME-${count.index}"
		  gateways = ["NAME-a", "NAME-b"]
		}
		resource "enms_task" "many" {
		  count   = 50
		  name    = "NAME-${count.index}"
		  service = "NAME-backup"
		  devices = ["NAME-a", "NAME-b"]
		}`))
	w.Apply(10)
	acctest.CountRequests(s, "plan 100 devices with two gateways and 50 tasks on two devices", 30, w.PlanNothing)
	s.Put("device", enms.Object{"name": "NAME-77", "gateways": []string{s.Expand("NAME-a"), s.Expand("NAME-b"), s.Expand("NAME-c")}})()
	s.Put("task", enms.Object{"name": "NAME-33", "service": s.Expand("NAME-backup"), "devices": []string{s.Expand("NAME-a")}})()
	var out string
	acctest.CountRequests(s, "plan when two were changed", 40, func() { out = w.Plan() })
	if !strings.Contains(out, "0 to add, 2 to change, 0 to destroy") || !strings.Contains(out, "enms_device.many[77]") || !strings.Contains(out, "enms_task.many[33]") {
		t.Errorf("the plan says:\n%s", out[max(0, len(out)-2000):])
	}
}

// What many imports read, they read together, and it is all that is there.
func TestScale_imports(t *testing.T) {
	s := acctest.NewServer(t)
	s.OnlySimulated("requests are counted")
	for _, name := range []string{"NAME-a", "NAME-b"} {
		s.Put("gateway", enms.Object{"name": name})()
	}
	s.Fill("device", 40, func(i int) enms.Object {
		return enms.Object{"name": fmt.Sprint("NAME-", i), "gateways": []string{s.Expand("NAME-a"), s.Expand("NAME-b")}[:i%3]}
	})
	c := s.Core(nil).InOneRun()
	acctest.CountRequests(s, "import 40 and read 40, ten at a time", 40, func() { // 160 alone
		var imports sync.WaitGroup
		for first := range 10 {
			imports.Go(func() {
				for i := first; i < 40; i += 10 {
					state := c.Imported("enms_device", s.Expand(fmt.Sprint("NAME-", i)))
					data, diags := c.ReadDataSource("enms_device", s.Expand(fmt.Sprint("NAME-", i)))
					for _, v := range []tftypes.Value{state.Value, data} {
						if names := value.Names(acctest.Members(t, v)["gateways"]); diags.Failed() || len(names) != i%3 {
							t.Errorf("device %d is behind %q: %s", i, names, diags)
						}
					}
				}
			})
		}
		imports.Wait()
	})
}

// A plan that creates asks whether the names are free, in requests that the resources
// share. Terraform plans again when it applies, in a process that does not know of the
// first plan.
func TestScale_plansThatCreate(t *testing.T) {
	s := acctest.NewServer(t)
	s.OnlySimulated("requests are counted")
	w := acctest.NewWorkspace(t)
	plan := func() {
		if code, out := w.Run("plan", "-no-color", "-parallelism=10"); code != 0 || strings.Contains(out, "is taken") {
			t.Errorf("plan ended with %d:\n%s", code, out)
		}
	}
	w.Configure(manyDevices(s, 10, "first"))
	acctest.CountRequests(s, "plan 10 new devices", 1, plan)
	w.Configure(manyDevices(s, 200, "first"))
	acctest.CountRequests(s, "plan 200 new devices", 6, plan)
	w.Configure(s.HCL(`
		resource "enms_instances" "many" {
		  type      = "device"
		  instances = { for i in range(200) : "NAME-${i}" => {} }
		}`))
	acctest.CountRequests(s, "plan 200 new entries", 1, plan)
	w.Configure(strings.Replace(manyDevices(s, 10, "first"), `"admin"`, "terraform_data.user.output", 1) + `
		resource "terraform_data" "user" { input = "admin" }`)
	acctest.CountRequests(s, "plan 10 new devices while the user is unknown", 0, plan)
	w.Configure(manyDevices(s, 10, "first"))
	acctest.CountRequests(s, "create 10 devices", 8, func() { w.Apply(10) }) // 20 alone, 2 without a look at the names; a busy machine shares less
}

// What tasks and services run on is looked up together.
func TestScale_lastTargets(t *testing.T) {
	s := acctest.NewServer(t)
	s.OnlySimulated("requests are counted")
	s.Put("service", enms.Object{"name": "NAME-backup", "scoped_name": "NAME-backup"})()
	w := acctest.NewWorkspace(t)
	w.Configure(manyDevices(s, 50, "first"))
	w.Apply(10)
	destroy := func(named int) func() {
		return func() {
			if code, out := w.Run("plan", "-destroy", "-refresh=false", "-json", "-parallelism=10"); code != 0 || strings.Count(out, "(not active)") != named {
				t.Errorf("plan ended with %d:\n%s", code, out[max(0, len(out)-1000):])
			}
		}
	}
	acctest.CountRequests(s, "plan to destroy 50 devices", 18, destroy(0))
	s.Fill("task", 25, func(i int) enms.Object {
		return enms.Object{"name": fmt.Sprint("NAME-", i), "service": s.Expand("NAME-backup"), "devices": []string{s.Expand(fmt.Sprint("NAME-", i))}}
	})
	acctest.CountRequests(s, "plan to destroy 50 devices, 25 of which are last targets", 80, destroy(25)) // few of 25 tasks are read in one request
}

// Layouts read the members of their workflows together, and those of networks, whose names do not show it.
func TestScale_layouts(t *testing.T) {
	s := acctest.NewServer(t)
	s.OnlySimulated("requests are counted")
	w := acctest.NewWorkspace(t).InModel(t.TempDir(), s)
	w.Configure(s.HCL(`
		resource "enms_service" "workflow" {
		  count = 40
		  name  = "NAME-${count.index}"
		  type  = "workflow"
		}
		resource "enms_workflow_layout" "many" {
		  count     = 40
		  workflow  = enms_service.workflow[count.index].name
		  positions = { "[Shared] Start" = { x = count.index, y = 7 } }
		}`))
	// eNMS 5 replaces all positions of a workflow: they are read before.
	acctest.CountRequests(s, "create 40 workflows and their layouts", acctest.ByLine(100, 140), func() { w.Apply(10) })
	acctest.CountRequests(s, "plan 40 workflows and their layouts", acctest.ByLine(15, 20), w.PlanNothing) // 40 for the members alone
	w.Configure(s.HCL(`
		resource "enms_device" "many" {
		  count = 20
		  name  = "NAME-${count.index}"
		}
		resource "enms_network" "many" {
		  count = 20
		  name  = "NAME-n${count.index}"
		  nodes = [enms_device.many[count.index].name]
		}
		resource "enms_network_layout" "many" {
		  count     = 20
		  network   = enms_network.many[count.index].name
		  positions = { (enms_device.many[count.index].name) = { x = count.index, y = 7 } }
		}`))
	w.Apply(10)
	acctest.CountRequests(s, "plan 20 networks and their layouts", 30, w.PlanNothing) // 20 more for the members alone
}
