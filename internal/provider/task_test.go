// Acceptance tests of enms_task: schedules, and the scheduler's word.

package provider_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

var sprintf = fmt.Sprintf

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
}
resource "enms_device" "d" {
  count = 2
  name  = "NAME-${count.index}"
}`
}

func TestTaskLife(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	id := ""
	cron := s.hcl(taskWith(`
		scheduling_mode    = "cron"
		crontab_expression = "*/15 * * * 2,4"
		is_active          = true
		start_date         = "13/08/2035 10:16:50"
		devices            = [enms_device.d[1].name, enms_device.d[0].name]`))
	s.run(
		resource.TestStep{Config: cron, Check: resource.ComposeAggregateTestCheckFunc(
			keep("enms_task.t", "id", &id),
			resource.TestCheckResourceAttr("enms_task.t", "devices.0", s.expand("NAME-1")),
			resource.TestCheckNoResourceAttr("enms_task.t", "frequency"),
			s.holds("task", "NAME-t", "service", "NAME-s"),
		)},
		resource.TestStep{Config: s.hcl(taskWith(`
			is_active       = true
			start_date      = "1/2/2035 10:16:50"
			end_date        = "01/03/2035 10:16:50"
			frequency       = 5
			frequency_unit  = "minutes"
			pools           = []
			devices         = [enms_device.d[0].name]
			initial_payload = { a = 1 }
			description     = "regular"
			admin_only      = true`)), Check: resource.ComposeAggregateTestCheckFunc(
			kept("enms_task.t", "id", &id),
			s.holds("task", "NAME-t", "scheduling_mode", "standard"),
			s.holds("task", "NAME-t", "crontab_expression", ""),
			s.holds("task", "NAME-t", "next_run_time", "2035-02-01 10:16:50"),
		)},
		resource.TestStep{ResourceName: "enms_task.t", ImportState: true, ImportStateId: s.expand("NAME-t"),
			ImportStateVerify: true, ImportStateVerifyIgnore: []string{"properties"}},
		resource.TestStep{Config: s.hcl(taskWith("")), Check: resource.ComposeAggregateTestCheckFunc(
			s.holds("task", "NAME-t", "is_active", "false"),
			s.holds("task", "NAME-t", "frequency", "0"),
			s.holds("task", "NAME-t", "devices", "[]"),
			s.holds("task", "NAME-t", "initial_payload", "map[]"),
		)},
		resource.TestStep{Config: s.hcl(`
			resource "enms_task" "t" {
			  name    = "NAME-renamed"
			  service = enms_service.s.name
			}
			resource "enms_service" "s" {
			  name = "NAME-s"
			  type = "python_snippet_service"
			}`), Check: resource.ComposeAggregateTestCheckFunc(
			kept("enms_task.t", "id", &id),
			s.absent("task", "NAME-t"),
		)},
	)
}

func TestTaskDrift(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	config := s.hcl(taskWith(`
		is_active  = true
		start_date = "13/08/2035 10:16:50"
		devices    = [enms_device.d[0].name, enms_device.d[1].name]`))
	s.run(
		resource.TestStep{Config: config},
		resource.TestStep{PreConfig: s.put("task", map[string]any{"name": "NAME-t", "is_active": false}),
			Config: config, PlanOnly: true, ExpectNonEmptyPlan: true},
		resource.TestStep{Config: config, Check: s.holds("task", "NAME-t", "is_active", "true")},
		resource.TestStep{PreConfig: s.put("task", map[string]any{"name": "NAME-t", "devices": []string{s.expand("NAME-1")}}),
			Config: config, PlanOnly: true, ExpectNonEmptyPlan: true},
		resource.TestStep{PreConfig: s.drop("task", "NAME-t"), Config: config,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction("enms_task.t", plancheck.ResourceActionCreate)}}},
	)
}

func TestTaskBadInput(t *testing.T) {
	t.Parallel()
	newServer(t).refuses("enms_task",
		bad{`name = "x", scheduling_mode = "cron", crontab_expression = "* * * * 1-5", service = "x"`, []string{"1,2,3,4,5"}},
		bad{`name = "x", scheduling_mode = "cron", crontab_expression = "* * * * mon", service = "x"`, []string{`* * * * 1`}},
		bad{`name = "x", scheduling_mode = "cron", crontab_expression = "* * * *", service = "x"`, []string{"crontab_expression"}},
		bad{`name = "x", scheduling_mode = "cron", crontab_expression = "61 * * * *", service = "x"`, []string{"61"}},
		bad{`name = "x", scheduling_mode = "cron", crontab_expression = "0 0 31 2 *", service = "x"`, []string{"crontab_expression"}},
		bad{`name = "x", scheduling_mode = "weekly", service = "x"`, []string{"standard"}},
		bad{`name = "x", start_date = "2035-01-01", service = "x"`, []string{"start_date", "2035-01-01"}},
		bad{`name = "x", start_date = "31/02/2035 10:00:00", service = "x"`, []string{"start_date"}},
		bad{`name = "x", end_date = "01/01/2035 25:00:00", service = "x"`, []string{"end_date"}},
		bad{`name = "x", frequency_unit = "weeks", service = "x"`, []string{"frequency_unit", "days"}},
		bad{`name = "x", service = "x/y"`, []string{"service", "slash"}},
	)
}

// What no eNMS can hold is refused before there is a plan.
func TestTaskBadShape(t *testing.T) {
	t.Parallel()
	newServer(t).refuses("enms_task", bad{`name = "x", devices = ["a", "b", "a"], service = "x"`, []string{"duplicate"}})
}

func TestTaskBadPlan(t *testing.T) {
	t.Parallel()
	newServer(t).refuses("enms_task",
		bad{`name = "x", scheduling_mode = "cron", service = "x"`, []string{"crontab_expression", `0 2 * * *`}},
		bad{`name = "x", crontab_expression = "* * * * *", service = "x"`, []string{`scheduling_mode = "cron"`}},
		bad{`name = "x", is_active = true, service = "x"`, []string{"at once", "is_active"}},
	)
	newServer(t).refuses("enms_task", // known without what an imported task has
		bad{`name = "x", start_date = "02/01/2035 00:00:00", end_date = "01/01/2035 00:00:00", service = "x"`, []string{"ends before it starts", "end_date"}},
	)
}
