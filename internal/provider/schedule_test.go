// Acceptance tests of schedules: tasks that will not run are not called done.

package provider_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

const onceLongAgo = `
	is_active  = true
	start_date = "13/08/2019 10:16:50"`

// A one-off task whose date has passed is warned of; eNMS makes it inactive,
// which is no difference from then on.
func TestOneOffTaskOfThePast(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.run(
		resource.TestStep{Config: s.hcl(taskWith(onceLongAgo)), Check: s.holds("task", "NAME-t", "is_active", "false")},
		resource.TestStep{Config: s.hcl(taskWith(onceLongAgo + "\ndescription = \"changed\"")),
			Check: s.holds("task", "NAME-t", "description", "changed")},
		resource.TestStep{Config: s.hcl(taskWith(`
			is_active  = true
			start_date = "13/08/2035 10:16:50"`)), Check: s.holds("task", "NAME-t", "is_active", "true")},
	)
}

func TestOneOffTaskOfThePastIsWarnedOf(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	p, diags := c.plan("enms_task", attributes{"name": "x", "service": "y", "is_active": true, "start_date": "13/08/2019 10:16:50"}, c.none("enms_task"))
	if diags.failed() || !diags.warned() || !s.says("The start date is in the past", "start_date").MatchString(diags.String()) {
		t.Fatal(p, diags)
	}
	if _, diags = c.newRun().plan("enms_task", attributes{"name": "x", "service": "y", "start_date": "13/08/2019 10:16:50"}, c.none("enms_task")); len(diags) > 0 {
		t.Error("an inactive task is warned of:", diags)
	}
	s.noWrites()
}

// A one-off task that is switched on before its day is switched on, however near
// that is; one that had its day is warned of.
func TestOneOffTaskSwitchedOn(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	for name, start := range map[string]time.Time{"soon": time.Now().UTC().Add(5 * time.Hour), "past": time.Now().UTC().Add(-72 * time.Hour)} {
		config := attributes{"name": s.expand("NAME-" + name), "service": "[Shared] Start", "is_active": false, "start_date": start.Format("02/01/2006 15:04:05")}
		state := c.applied("enms_task", config, c.none("enms_task"))
		config["is_active"] = true
		p, diags := c.plan("enms_task", config, state)
		if p.noop || diags.failed() || diags.warned() != (name == "past") {
			t.Errorf("%s: nothing to do is %t; %s", name, p.noop, diags)
		}
		state = c.refreshed("enms_task", c.applied("enms_task", config, state))
		if p, diags := c.plan("enms_task", config, state); !p.noop || len(diags) > 0 {
			t.Errorf("%s: a difference for ever: %s %s", name, p.value, diags)
		}
		c.applied("enms_task", nil, state)
	}
}

// A task that ends in the past is warned of before it is written.
func TestTaskThatHasEnded(t *testing.T) {
	t.Parallel()
	c := newServer(t).core(nil)
	_, diags := c.plan("enms_task", attributes{"name": "x", "service": "y", "is_active": true, "frequency": 5, "end_date": "13/08/2019 10:16:50"}, c.none("enms_task"))
	if diags.failed() || !diags.warned() {
		t.Error(diags)
	}
}

// A task that only follows the new name of its service is not written: that
// would begin its interval anew.
func TestTaskFollowsItsService(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	service := attributes{"name": s.expand("NAME-A")}
	held := c.applied("enms_service", service, c.none("enms_service"))
	task := attributes{"name": s.expand("NAME-t"), "service": s.expand("NAME-A"), "frequency": 5, "frequency_unit": "hours", "is_active": true}
	state := c.applied("enms_task", task, c.none("enms_task"))
	service["name"] = s.expand("NAME-B")
	held = c.applied("enms_service", service, held)
	next := s.nextRun("NAME-t")
	if s.simulator != nil {
		s.simulator.ResetRequests()
	}
	task["service"] = s.expand("NAME-B")
	state = c.applied("enms_task", task, state)
	s.noWrites()
	if now := s.nextRun("NAME-t"); now != next {
		t.Errorf("the next run was %v and is %v", next, now)
	}
	if p, diags := c.plan("enms_task", task, c.refreshed("enms_task", state)); !p.noop || len(diags) > 0 {
		t.Errorf("%s %s", p.value, diags)
	}
	c.applied("enms_task", nil, state)
	c.applied("enms_service", nil, held)
}

// nextRun is when a task runs next; eNMS says that the scheduler is unreachable
// when it is merely busy.
func (s *server) nextRun(name string) string {
	s.t.Helper()
	for range 20 {
		if next := fmt.Sprint(s.get("task", name)["next_run_time"]); next != "Scheduler Unreachable" {
			return next
		}
	}
	s.t.Fatal("the scheduler is unreachable")
	return ""
}

// Whether a task is scheduled by now is read from eNMS, not from a page that was
// fetched before.
func TestSchedulerThatComesBack(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.onlySimulated("its scheduler can be switched off")
	s.simulator.SetScheduler(false)
	c := s.core(nil).inOneRun()
	const many = 40 // finds, so that a page is due
	var tasks sync.WaitGroup
	tasks.Go(func() {
		for there := 0; there < many; { // beside the built-in one
			rows, err := s.client.Query(s.ctx(), "task", nil)
			if err != nil {
				t.Error(err)
				return
			}
			there = len(rows) - 1
		}
		s.simulator.SetScheduler(true)
	})
	for i := range many {
		tasks.Go(func() {
			config := attributes{"name": fmt.Sprintf("t%d", i), "service": "[Shared] Start", "scheduling_mode": "cron", "crontab_expression": "0 2 * * *", "is_active": true}
			if _, diags := c.apply("enms_task", config, c.none("enms_task")); !s.says("does not schedule task").MatchString(diags.String()) {
				t.Errorf("the scheduler is back, and has no run for t%d, but: %s", i, diags)
			}
		})
	}
	tasks.Wait()
}

// Somebody who switches off a one-off task before its day makes a difference.
func TestOneOffTaskSwitchedOffEarly(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	config := s.hcl(taskWith(`
		is_active  = true
		start_date = "13/08/2035 10:16:50"`))
	s.run(
		resource.TestStep{Config: config},
		resource.TestStep{PreConfig: s.put("task", enms.Object{"name": "NAME-t", "is_active": false}), Config: config,
			ConfigPlanChecks: updates("enms_task.t"), Check: s.holds("task", "NAME-t", "is_active", "true")},
	)
}

// An interval that has ended has no next run.
func TestTaskThatIsNotScheduled(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	const ended = `
		is_active  = true
		start_date = "01/01/2020 00:00:00"
		end_date   = "01/02/2020 00:00:00"
		frequency  = 60`
	s.run(
		s.failing(s.hcl(taskWith(ended)), `eNMS does not schedule task "NAME-t"`, "01/02/2020 00:00:00, has passed"),
		resource.TestStep{Config: s.hcl(taskWith(`
			is_active  = true
			start_date = "01/01/2020 00:00:00"
			frequency  = 60`)),
			// It was in the state, as tainted.
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction("enms_task.t", plancheck.ResourceActionReplace)}}},
		s.failing(s.hcl(taskWith(ended)), `eNMS does not schedule task "NAME-t"`),
		resource.TestStep{Config: s.hcl(taskWith("is_active = false"))},
	)
}

func TestSchedulerUnreachable(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.onlySimulated("a scheduler that is down cannot be had from a server that runs")
	c := s.core(nil)
	s.simulator.SetScheduler(false)
	config := attributes{"name": "t", "service": "[Shared] Start", "is_active": true, "start_date": "13/08/2035 10:16:50"}
	state, diags := c.apply("enms_task", config, c.none("enms_task"))
	if diags.failed() || !diags.warned() || !s.says("unknown whether", "scheduled").MatchString(diags.String()) {
		t.Fatal(diags)
	}
	s.simulator.SetScheduler(true)
	if state, diags = c.refresh("enms_task", state); diags.failed() {
		t.Fatal(diags)
	}
	if p, _ := c.plan("enms_task", config, state); !p.noop {
		t.Error("the plan is not empty")
	}
}

// A POST restarts an interval, so nothing is sent when nothing changes.
func TestUnchangedTaskIsNotSent(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	config := attributes{"name": s.expand("NAME-t"), "service": "[Shared] Start", "is_active": true, "frequency": 2, "frequency_unit": "hours"}
	state, diags := c.apply("enms_task", config, c.none("enms_task"))
	if diags.failed() {
		t.Fatal(diags)
	}
	next := s.get("task", "NAME-t")["next_run_time"]
	config["adopt_existing"], config["deletion_policy"], config["properties"] = true, "cascade", object(nil)
	if state, diags = c.apply("enms_task", config, state); diags.failed() {
		t.Fatal(diags)
	}
	if now := s.get("task", "NAME-t")["next_run_time"]; now != next {
		t.Errorf("the next run was %s, is %s", next, now)
	}
	if _, diags = c.apply("enms_task", nil, state); diags.failed() {
		t.Fatal(diags)
	}
	if s.simulator != nil {
		writes := 0
		for _, r := range s.simulator.Requests() {
			if r.Method == "POST" && r.Path == "/rest/instance/task" {
				writes++
			}
		}
		if writes != 1 {
			t.Errorf("%d writes, want the creation alone", writes)
		}
	}
}

func TestDataSources(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.run(resource.TestStep{Config: s.hcl(taskWith(`
		is_active  = true
		start_date = "13/08/2035 10:16:50"
		devices    = enms_device.d[*].name`) + `
		data "enms_task" "t" { name = enms_task.t.name }
		data "enms_service" "s" { name = enms_task.t.service }
		data "enms_device" "d" { name = enms_task.t.devices[0] }`),
		Check: resource.ComposeAggregateTestCheckFunc(
			resource.TestCheckResourceAttr("data.enms_task.t", "next_run_time", "2035-08-13 10:16:50"),
			resource.TestCheckResourceAttr("data.enms_task.t", "devices.#", "2"),
			resource.TestCheckResourceAttr("data.enms_task.t", "service", s.expand("NAME-s")),
			resource.TestCheckResourceAttr("data.enms_service.s", "type", "python_snippet_service"),
			resource.TestCheckResourceAttr("data.enms_service.s", "properties.source_code", "results['success'] = True"),
			resource.TestCheckResourceAttr("data.enms_device.d", "netmiko_driver", "cisco_ios"))})
}
