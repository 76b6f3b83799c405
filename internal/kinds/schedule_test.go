// Acceptance tests of schedules: tasks that will not run are not called done.

package kinds_test

import (
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// taskWith returns a task with further attributes, and the service that it runs.
func taskWith(attributes string) string {
	return `
resource "enms_task" "t" {
  name    = "NAME-t"
  service = enms_service.s.name
  ` + attributes + `
}
resource "enms_service" "s" {
  name       = "NAME-s"
  type       = "python_snippet_service"
  properties = { source_code = "results['success'] = True" }
}`
}

// A task that only follows the new name of its service, or that has other settings in Terraform, is not written: that
// would begin its interval anew.
func TestTask_followsItsServiceUnwritten(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	service := acctest.Attributes{"name": s.Expand("NAME-A")}
	held := c.Applied("enms_service", service, c.NoState("enms_service"))
	task := acctest.Attributes{"name": s.Expand("NAME-t"), "service": s.Expand("NAME-A"), "frequency": 5, "frequency_unit": "hours", "is_active": true}
	state := c.Applied("enms_task", task, c.NoState("enms_task"))
	service["name"] = s.Expand("NAME-B")
	held = c.Applied("enms_service", service, held)
	next := s.NextRun("NAME-t")
	if s.Simulator != nil {
		s.Simulator.ResetRequests()
	}
	task["service"] = s.Expand("NAME-B")
	task["adopt_existing"], task["deletion_policy"], task["properties"] = true, "cascade", acctest.ObjectValue(nil)
	state = c.Applied("enms_task", task, state)
	s.NoWrites()
	if now := s.NextRun("NAME-t"); now != next {
		t.Errorf("the next run was %v and is %v", next, now)
	}
	if p, diags := c.Plan("enms_task", task, c.Refreshed("enms_task", state)); !p.Noop || len(diags) > 0 {
		t.Errorf("%s %s", p.Value, diags)
	}
	c.Applied("enms_task", nil, state)
	c.Applied("enms_service", nil, held)
}

// Whether a task is scheduled by now is read from eNMS, not from a page that was
// fetched before.
func TestTask_schedulerThatComesBack(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("its scheduler can be switched off")
	s.Simulator.SetScheduler(false)
	c := s.Core(nil).InOneRun()
	const many = 40 // finds, so that a page is due
	var tasks sync.WaitGroup
	tasks.Go(func() {
		for there := 0; there < many; {
			rows, err := s.Client.Endpoint().Query(s.Context(), "task", nil)
			if err != nil {
				t.Error(err)
				return
			}
			there = len(rows) - acctest.ByLine(1, 0) // without the built-in one
		}
		s.Simulator.SetScheduler(true)
	})
	for i := range many {
		tasks.Go(func() {
			config := acctest.Attributes{"name": fmt.Sprintf("t%d", i), "service": "[Shared] Start", "scheduling_mode": "cron", "crontab_expression": "0 2 * * *", "is_active": true}
			if _, diags := c.Apply("enms_task", config, c.NoState("enms_task")); !s.Says("does not schedule task").MatchString(diags.String()) {
				t.Errorf("the scheduler is back, and has no run for t%d, but: %s", i, diags)
			}
		})
	}
	tasks.Wait()
}

// eNMS 5 reads ranges of weekdays. eNMS 4 stores them and never runs the task.
func TestTask_weekdayRanges(t *testing.T) {
	t.Parallel()
	for version, want := range map[simulator.Version]string{simulator.V53: "", simulator.V47: `would store "0 2 * * 1-5" and never run the task. Write "0 2 * * 1,2,3,4,5".`} {
		s := acctest.NewServerWith(t, "of one line", simulator.Options{Version: version})
		s.Put("device", enms.Object{"name": "d"})()
		c := s.Core(nil)
		config := acctest.Attributes{"name": "t", "service": "[Shared] Start", "devices": []string{"d"}, "scheduling_mode": "cron", "crontab_expression": "0 2 * * 1-5", "is_active": true}
		_, diags := c.Apply("enms_task", config, c.NoState("enms_task"))
		if said := diags.String(); want == "" && said != "" || !strings.Contains(said, want) {
			t.Errorf("%v: %s", version, said)
		}
		if got := len(s.All("task")); want != "" && got != 1 { // the built-in one
			t.Errorf("%d tasks", got)
		}
	}
}

// An interval that has ended has no next run.
func TestTask_notScheduled(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	const ended = `
		is_active  = true
		start_date = "01/01/2020 00:00:00"
		end_date   = "01/02/2020 00:00:00"
		frequency  = 60`
	s.Run(
		s.Failing(s.HCL(taskWith(ended)), `eNMS does not schedule task "NAME-t"`, "01/02/2020 00:00:00, has passed"),
		resource.TestStep{Config: s.HCL(taskWith(`
			is_active  = true
			start_date = "01/01/2020 00:00:00"
			frequency  = 60`)),
			// It was in the state, as tainted.
			ConfigPlanChecks: acctest.Plans(plancheck.ExpectResourceAction("enms_task.t", plancheck.ResourceActionReplace))},
		s.Failing(s.HCL(taskWith(ended)), `eNMS does not schedule task "NAME-t"`),
		resource.TestStep{Config: s.HCL(taskWith("is_active = false"))},
	)
}

// A task that is created while the scheduler is down is scheduled by the next apply.
func TestTask_schedulerUnreachable(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("a scheduler that is down cannot be had from a server that runs")
	c := s.Core(nil)
	s.Simulator.SetScheduler(false)
	config := acctest.Attributes{"name": "t", "service": "[Shared] Start", "is_active": true, "start_date": "13/08/2035 10:16:50"}
	state, diags := c.Apply("enms_task", config, c.NoState("enms_task"))
	if diags.Failed() || !diags.Warned() || !s.Says("unknown whether", "scheduled").MatchString(diags.String()) {
		t.Fatal(diags)
	}
	if p, _ := c.Plan("enms_task", config, state); !p.Noop {
		t.Error("the plan is not empty while the scheduler is down")
	}
	s.Simulator.SetScheduler(true)
	if state, diags = c.Refresh("enms_task", state); diags.Failed() {
		t.Fatal(diags)
	}
	if _, diags = c.Apply("enms_task", config, state); diags.Failed() || len(s.Simulator.Jobs()) != 1 {
		t.Error("the task is not scheduled", diags)
	}
}

// A change that the scheduler does not receive is not forgotten: it keeps running the task by its earlier schedule, or one
// that was switched off, and the next apply writes the task again.
func TestTask_changedWhileTheSchedulerIsDown(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		changed, then acctest.Attributes
		says, next    string
	}{
		"another time":             {acctest.Attributes{"crontab_expression": "0 4 1 * *"}, nil, "eNMS runs a task by another schedule", "-01 04:00:00"},
		"another time, then never": {acctest.Attributes{"crontab_expression": "0 4 1 * *"}, acctest.Attributes{"is_active": false}, "eNMS runs a task by another schedule", "Not Scheduled"},
		"switched off":             {acctest.Attributes{"is_active": false}, nil, "eNMS runs an inactive task", "Not Scheduled"},
		"switched off, then on":    {acctest.Attributes{"is_active": false}, acctest.Attributes{"is_active": true, "crontab_expression": "0 5 1 * *"}, "eNMS runs an inactive task", "-01 05:00:00"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServer(t)
			s.OnlySimulated("a scheduler that is down cannot be had from a server that runs")
			core := s.Core(nil)
			config := acctest.Attributes{"name": "t", "service": "[Shared] Start", "is_active": true, "scheduling_mode": "cron", "crontab_expression": "0 2 2 * *"}
			state := core.Applied("enms_task", config, core.NoState("enms_task"))
			maps.Copy(config, c.changed)
			s.Simulator.SetScheduler(false)
			state = core.Applied("enms_task", config, state)
			s.Simulator.SetScheduler(true)
			state, diags := core.Refresh("enms_task", state)
			if diags.Failed() || !s.Says(c.says).MatchString(diags.String()) {
				t.Fatal(diags)
			}
			maps.Copy(config, c.then)
			core.Applied("enms_task", config, state)
			if next := s.Simulator.Jobs()["t"]; !strings.HasSuffix(next, c.next) {
				t.Errorf("the next run is at %s", next)
			}
		})
	}
}

// A task that the scheduler has lost is scheduled again by the next apply, or by an adoption that finds no other difference.
func TestTask_lostByTheScheduler(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("the scheduler's database cannot be had from a server that runs")
	c := s.Core(nil)
	config := acctest.Attributes{"name": "t", "service": "[Shared] Start", "is_active": true, "scheduling_mode": "cron", "crontab_expression": "0 2 * * *", "adopt_existing": true}
	state, diags := c.Apply("enms_task", config, c.NoState("enms_task"))
	if diags.Failed() {
		t.Fatal(diags)
	}
	scheduled := func(what string) {
		t.Helper()
		if got := len(s.Simulator.Jobs()); got != 1 {
			t.Errorf("%s: %d jobs", what, got)
		}
		if state, diags = c.Refresh("enms_task", state); diags.Failed() || diags.Warned() {
			t.Errorf("%s: %s", what, diags)
		}
		if p, _ := c.Plan("enms_task", config, state); !p.Noop {
			t.Errorf("%s: the plan is not empty", what)
		}
	}
	scheduled("created")
	s.Simulator.LoseJobs()
	if state, diags = c.Refresh("enms_task", state); diags.Failed() || !s.Says("eNMS does not schedule an active task").MatchString(diags.String()) {
		t.Fatal(diags)
	}
	if state, diags = c.Apply("enms_task", config, state); diags.Failed() {
		t.Fatal(diags)
	}
	scheduled("updated")
	s.Simulator.LoseJobs()
	if state, diags = c.Apply("enms_task", config, c.NoState("enms_task")); diags.Failed() {
		t.Fatal(diags)
	}
	scheduled("adopted")
}
