// Acceptance tests of what many instances cost: the requests that the simulator
// had of one Terraform command, ten operations at a time unless it says
// otherwise. Time is not measured here: see `make bench`. These tests run before all
// others and not beside them: how many requests are shared depends on how soon Terraform
// goes on, and on a busy machine that is later.

package provider_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// counted does something and gives the requests that it cost. More than most
// are an error, with the log.
func (s *server) counted(what string, most int, do func()) []simulator.Request {
	s.t.Helper()
	s.simulator.ResetRequests()
	do()
	requests := s.simulator.Requests()
	s.t.Logf("%s: %d requests, at most %d", what, len(requests), most)
	if len(requests) > most {
		var log strings.Builder
		for _, r := range requests[:min(len(requests), 200)] {
			fmt.Fprintf(&log, "%s %s %s %s: %d, %d entries, %d answered\n", r.At.Format("05.000"), r.Method, r.Path, r.RawQuery, r.Status, r.Entries, r.Answered)
		}
		s.t.Errorf("%s: %d requests, want at most %d:\n%s", what, len(requests), most, &log)
	}
	return requests
}

// many is a configuration of so many devices of a description.
func (s *server) many(count int, description string) string {
	return s.hcl(fmt.Sprintf(`
		resource "enms_device" "many" {
		  count       = %d
		  name        = "NAME-${count.index}"
		  ip_address  = "10.0.${floor(count.index / 256)}.${count.index %% 256}"
		  description = %q
		}`, count, description))
}

// fill puts instances there, as somebody else would.
func (s *server) fill(typ string, count int, payload func(i int) enms.Object) {
	s.t.Helper()
	var callers sync.WaitGroup
	for i := range count {
		callers.Go(func() { s.put(typ, payload(i))() })
	}
	callers.Wait()
}

func devices(i int) enms.Object { return enms.Object{"name": fmt.Sprint("NAME-", i)} }

func TestScaleOfDevices(t *testing.T) {
	s := newServer(t)
	s.onlySimulated("requests are counted")
	w := newWorkspace(t)
	w.configure(s.many(300, "first"))
	s.counted("create 300 devices", 100, func() { w.apply(10) }) // 600 alone
	s.counted("plan 300 devices", 10, w.planNothing)
	w.configure(s.many(300, "second"))
	s.counted("update 300 devices", 100, func() { w.apply(10) }) // 900 alone
	for _, i := range []int{0, 299} {
		if got := s.get("device", fmt.Sprint("NAME-", i))["description"]; got != "second" {
			t.Errorf("description of device %d is %v", i, got)
		}
	}
	s.counted("plan what was updated", 10, w.planNothing)
}

func TestScaleWithHundredAtATime(t *testing.T) {
	s := newServer(t)
	s.onlySimulated("requests are counted")
	w := newWorkspace(t)
	w.configure(s.many(400, "first"))
	s.counted("create 400 devices, a hundred at a time", 30, func() { w.apply(100) })
}

func TestScaleOfFewAmongMany(t *testing.T) {
	s := newServer(t)
	s.onlySimulated("requests are counted")
	const others = 5000
	s.fill("device", others, func(i int) enms.Object { return enms.Object{"name": fmt.Sprint("other-", i)} })
	w := newWorkspace(t)
	w.configure(s.many(20, "ours"))
	w.apply(10)
	for _, r := range s.counted("plan 20 devices beside 5,000", 6, w.planNothing) {
		if r.Answered >= others {
			t.Errorf("%s %s was answered with %d instances", r.Method, r.Path, r.Answered)
		}
	}
}

func TestScaleOfTasks(t *testing.T) {
	s := newServer(t)
	s.onlySimulated("requests are counted")
	s.fill("device", 101, devices)
	s.put("service", enms.Object{"name": "NAME-backup", "scoped_name": "NAME-backup"})()
	w := newWorkspace(t)
	w.configure(s.hcl(`
		resource "enms_task" "many" {
		  count   = 100
		  name    = "NAME-${count.index}"
		  service = "NAME-backup"
		  devices = ["NAME-${count.index}", "NAME-${count.index + 1}"]
		}`))
	s.counted("create 100 tasks on two devices each", 150, func() { w.apply(10) })
	s.counted("plan 100 tasks on 101 devices", 60, w.planNothing)
	got, _ := s.get("task", "NAME-99")["devices"].([]any)
	if len(got) != 2 || !slices.Contains(got, any(s.expand("NAME-99"))) || !slices.Contains(got, any(s.expand("NAME-100"))) {
		t.Errorf("the last task is on %s", got)
	}
}

// Relations of many are read by searches. One that somebody changes is found all the
// same, on that instance alone.
func TestScaleOfRelations(t *testing.T) {
	s := newServer(t)
	s.onlySimulated("requests are counted")
	for _, name := range []string{"NAME-a", "NAME-b", "NAME-c"} {
		s.put("gateway", enms.Object{"name": name})()
	}
	s.put("service", enms.Object{"name": "NAME-backup", "scoped_name": "NAME-backup"})()
	w := newWorkspace(t)
	w.configure(s.hcl(`
		resource "enms_device" "many" {
		  count    = 200
		  name     = "NAME-${count.index}"
		  gateways = ["NAME-a", "NAME-b"]
		}
		resource "enms_task" "many" {
		  count   = 100
		  name    = "NAME-${count.index}"
		  service = "NAME-backup"
		  devices = ["NAME-a", "NAME-b"]
		}`))
	w.apply(10)
	s.counted("plan 200 devices with two gateways and 100 tasks on two devices", 30, w.planNothing)
	s.put("device", enms.Object{"name": "NAME-77", "gateways": []string{s.expand("NAME-a"), s.expand("NAME-b"), s.expand("NAME-c")}})()
	s.put("task", enms.Object{"name": "NAME-33", "service": s.expand("NAME-backup"), "devices": []string{s.expand("NAME-a")}})()
	var out string
	s.counted("plan when two were changed", 40, func() { _, out = w.run("plan", "-no-color", "-detailed-exitcode") })
	if !strings.Contains(out, "0 to add, 2 to change, 0 to destroy") || !strings.Contains(out, "enms_device.many[77]") || !strings.Contains(out, "enms_task.many[33]") {
		t.Errorf("the plan says:\n%s", out[max(0, len(out)-2000):])
	}
}

// What many imports read, they read together, and it is all that is there.
func TestScaleOfImports(t *testing.T) {
	s := newServer(t)
	s.onlySimulated("requests are counted")
	for _, name := range []string{"NAME-a", "NAME-b"} {
		s.put("gateway", enms.Object{"name": name})()
	}
	s.fill("device", 80, func(i int) enms.Object {
		return enms.Object{"name": fmt.Sprint("NAME-", i), "vendor": "v", "gateways": []string{s.expand("NAME-a"), s.expand("NAME-b")}[:i%3]}
	})
	s.fill("workflow", 15, func(i int) enms.Object {
		return enms.Object{"name": fmt.Sprint("NAME-w", i), "scoped_name": fmt.Sprint("NAME-w", i)}
	})
	s.fill("ping_service", 60, func(i int) enms.Object {
		w := s.expand(fmt.Sprint("NAME-w", i%15))
		return enms.Object{"name": fmt.Sprintf("[%s] s%d", w, i), "scoped_name": fmt.Sprint("s", i), "workflows": []string{w}}
	})
	w := newWorkspace(t)
	w.configure(s.hcl(`
		locals {
		  gateways = ["NAME-a", "NAME-b"]
		}
		import {
		  for_each = range(80)
		  to       = enms_device.many[each.key]
		  id       = "NAME-${each.key}"
		}
		resource "enms_device" "many" {
		  count    = 80
		  name     = "NAME-${count.index}"
		  vendor   = "v"
		  gateways = slice(local.gateways, 0, count.index % 3)
		}
		import {
		  for_each = range(60)
		  to       = enms_service.many[each.key]
		  id       = "[NAME-w${each.key % 15}] s${each.key}"
		}
		resource "enms_service" "many" {
		  count     = 60
		  name      = "[NAME-w${count.index % 15}] s${count.index}"
		  type      = "ping_service"
		  workflows = ["NAME-w${count.index % 15}"]
		}
		data "enms_device" "many" {
		  count = 80
		  name  = "NAME-${count.index}"
		}
		output "behind" {
		  value = length([for d in data.enms_device.many : d if contains(d.gateways, "NAME-b")])
		}`))
	var out string
	s.counted("import 140, read 80", 80, func() { _, out = w.run("apply", "-no-color", "-auto-approve") })
	if !strings.Contains(out, "140 imported, 0 added, 0 changed, 0 destroyed") || !strings.Contains(out, "behind = 26") {
		t.Errorf("the import says:\n%s", out[max(0, len(out)-2000):])
	}
	s.counted("plan what was imported", 70, w.planNothing)
}

// eNMS refuses a whole list for one text that is none, and that no database makes
// one of.
func TestScaleWithOneBadDevice(t *testing.T) {
	s := newServer(t)
	s.onlySimulated("a real server of others would answer 500")
	w := newWorkspace(t)
	w.configure(s.hcl(`
		resource "enms_device" "many" {
		  count      = 300
		  name       = "NAME-${count.index}"
		  properties = count.index == 123 ? { creator = [{ not = "a text" }, {}] } : null
		}`))
	code, out := w.run("apply", "-no-color", "-auto-approve")
	if code == 0 || strings.Count(out, "Error:") != 1 || !strings.Contains(out, "with enms_device.many[123],") ||
		!strings.Contains(out, s.expand(`Cannot create device "NAME-123"`)) {
		t.Errorf("apply ended with %d:\n%s", code, out[max(0, len(out)-2000):])
	}
	made, err := s.client.Query(s.ctx(), "device", nil)
	if err != nil || len(made) != 299 {
		t.Errorf("%d devices, want 299 (%v)", len(made), err)
	}
	for _, d := range made {
		if d["name"] == s.expand("NAME-123") {
			t.Error("the bad one is there")
		}
	}
}

// A plan that creates asks whether the names are free, in requests that the resources
// share. Terraform plans again when it applies, in a process that does not know of the
// first plan.
func TestScaleOfPlansThatCreate(t *testing.T) {
	s := newServer(t)
	s.onlySimulated("requests are counted")
	w := newWorkspace(t)
	plan := func() {
		if code, out := w.run("plan", "-no-color", "-parallelism=10"); code != 0 || strings.Contains(out, taken) {
			t.Errorf("plan ended with %d:\n%s", code, out)
		}
	}
	w.configure(s.many(10, "first"))
	s.counted("plan 10 new devices", 1, plan)
	w.configure(s.many(200, "first"))
	s.counted("plan 200 new devices", 6, plan)
	w.configure(s.hcl(`
		resource "enms_instances" "many" {
		  type      = "device"
		  instances = { for i in range(200) : "NAME-${i}" => {} }
		}`))
	s.counted("plan 200 new entries", 1, plan)
	w.configure(strings.Replace(s.many(10, "first"), `"admin"`, "terraform_data.user.output", 1) + `
		resource "terraform_data" "user" { input = "admin" }`)
	s.counted("plan 10 new devices while the user is unknown", 0, plan)
	w.configure(s.many(10, "first"))
	s.counted("create 10 devices", 4, func() { w.apply(10) }) // 2 without a look at the names
}

// What tasks and services run on is looked up together.
func TestScaleOfLastTargets(t *testing.T) {
	s := newServer(t)
	s.onlySimulated("requests are counted")
	s.put("service", enms.Object{"name": "NAME-backup", "scoped_name": "NAME-backup"})()
	w := newWorkspace(t)
	w.configure(s.many(200, "first"))
	w.apply(10)
	destroy := func(named int) func() {
		return func() {
			if code, out := w.run("plan", "-destroy", "-refresh=false", "-no-color", "-parallelism=10"); code != 0 || strings.Count(out, "(not active)") != named {
				t.Errorf("plan ended with %d:\n%s", code, out[max(0, len(out)-2000):])
			}
		}
	}
	s.counted("plan to destroy 200 devices", 6, destroy(0))
	s.fill("task", 100, func(i int) enms.Object {
		return enms.Object{"name": fmt.Sprint("NAME-", i), "service": s.expand("NAME-backup"), "devices": []string{s.expand(fmt.Sprint("NAME-", i))}}
	})
	s.counted("plan to destroy 200 devices, 100 of which are last targets", 110, destroy(100)) // few of 100 tasks are read in one request
}
