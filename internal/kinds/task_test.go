// Acceptance tests of enms_task: schedules, and the scheduler's word.

package kinds_test

import (
	"errors"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
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
}
resource "enms_device" "d" {
  count = 2
  name  = "NAME-${count.index}"
}`
}

func TestTask_createUpdateRenameImportDestroy(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	id := ""
	cron := s.HCL(taskWith(`
		scheduling_mode    = "cron"
		crontab_expression = "*/15 * * * 2,4"
		is_active          = true
		start_date         = "13/08/2035 10:16:50"
		devices            = [enms_device.d[1].name, enms_device.d[0].name]`))
	s.Run(
		resource.TestStep{Config: cron, Check: resource.ComposeAggregateTestCheckFunc(
			acctest.NoteID("enms_task.t", &id),
			resource.TestCheckResourceAttr("enms_task.t", "devices.0", s.Expand("NAME-1")),
			resource.TestCheckNoResourceAttr("enms_task.t", "frequency"),
			s.Holds("task", "NAME-t", "service", "NAME-s"),
		)},
		resource.TestStep{Config: s.HCL(taskWith(`
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
			acctest.CheckID("enms_task.t", &id),
			s.Holds("task", "NAME-t", "scheduling_mode", "standard"),
			s.Holds("task", "NAME-t", "crontab_expression", ""),
			func(*terraform.State) error {
				if next := s.NextRun("NAME-t"); next != "2035-02-01 10:16:50" {
					return errors.New("the next run is " + next)
				}
				return nil
			},
		)},
		resource.TestStep{ResourceName: "enms_task.t", ImportState: true, ImportStateId: s.Expand("NAME-t"),
			ImportStateVerify: true, ImportStateVerifyIgnore: []string{"properties"}},
		resource.TestStep{Config: s.HCL(taskWith("")), Check: resource.ComposeAggregateTestCheckFunc(
			s.Holds("task", "NAME-t", "is_active", "false"),
			s.Holds("task", "NAME-t", "frequency", "0"),
			s.Holds("task", "NAME-t", "devices", "[]"),
			s.Holds("task", "NAME-t", "initial_payload", "map[]"),
		)},
		resource.TestStep{Config: s.HCL(`
			resource "enms_task" "t" {
			  name    = "NAME-renamed"
			  service = enms_service.s.name
			}
			resource "enms_service" "s" {
			  name = "NAME-s"
			  type = "python_snippet_service"
			}`), Check: resource.ComposeAggregateTestCheckFunc(
			acctest.CheckID("enms_task.t", &id),
			s.Absent("task", "NAME-t"),
		)},
	)
}

func TestTask_drift(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	config := s.HCL(taskWith(`
		is_active  = true
		start_date = "13/08/2035 10:16:50"
		devices    = [enms_device.d[0].name, enms_device.d[1].name]`))
	s.Run(
		resource.TestStep{Config: config},
		resource.TestStep{PreConfig: s.Put("task", map[string]any{"name": "NAME-t", "is_active": false}),
			Config: config, PlanOnly: true, ExpectNonEmptyPlan: true},
		resource.TestStep{Config: config, Check: s.Holds("task", "NAME-t", "is_active", "true")},
		resource.TestStep{PreConfig: s.Put("task", map[string]any{"name": "NAME-t", "devices": []string{s.Expand("NAME-1")}}),
			Config: config, PlanOnly: true, ExpectNonEmptyPlan: true},
		resource.TestStep{PreConfig: s.Drop("task", "NAME-t"), Config: config,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction("enms_task.t", plancheck.ResourceActionCreate)}}},
	)
}

func TestTask_invalidAttributes(t *testing.T) {
	t.Parallel()
	acctest.NewServer(t).Refuses("enms_task",
		acctest.Bad(`name = "x", scheduling_mode = "cron", crontab_expression = "* * * * 1-5", service = "x"`, "1,2,3,4,5"),
		acctest.Bad(`name = "x", scheduling_mode = "cron", crontab_expression = "* * * * mon", service = "x"`, `* * * * 1`),
		acctest.Bad(`name = "x", scheduling_mode = "cron", crontab_expression = "* * * *", service = "x"`, "crontab_expression"),
		acctest.Bad(`name = "x", scheduling_mode = "cron", crontab_expression = "61 * * * *", service = "x"`, "61"),
		acctest.Bad(`name = "x", scheduling_mode = "cron", crontab_expression = "0 0 31 2 *", service = "x"`, "crontab_expression"),
		acctest.Bad(`name = "x", scheduling_mode = "weekly", service = "x"`, "standard"),
		acctest.Bad(`name = "x", start_date = "2035-01-01", service = "x"`, "start_date", "2035-01-01"),
		acctest.Bad(`name = "x", start_date = "31/02/2035 10:00:00", service = "x"`, "start_date"),
		acctest.Bad(`name = "x", end_date = "01/01/2035 25:00:00", service = "x"`, "end_date"),
		acctest.Bad(`name = "x", frequency_unit = "weeks", service = "x"`, "frequency_unit", "days"),
		acctest.Bad(`name = "x", service = "x/y"`, "service", "slash"),
	)
}

// What no eNMS can hold is refused before there is a plan.
func TestTask_invalidBeforeThePlan(t *testing.T) {
	t.Parallel()
	acctest.NewServer(t).Refuses("enms_task", acctest.Bad(`name = "x", devices = ["a", "b", "a"], service = "x"`, "duplicate"))
}

func TestTask_invalidPlan(t *testing.T) {
	t.Parallel()
	acctest.NewServer(t).Refuses("enms_task",
		acctest.Bad(`name = "x", scheduling_mode = "cron", service = "x"`, "crontab_expression", `0 2 * * *`),
		acctest.Bad(`name = "x", crontab_expression = "* * * * *", service = "x"`, `scheduling_mode = "cron"`),
		acctest.Bad(`name = "x", is_active = true, service = "x"`, "immediately", "is_active"),
	)
	acctest.NewServer(t).Refuses("enms_task", // known without what an imported task has
		acctest.Bad(`name = "x", start_date = "02/01/2035 00:00:00", end_date = "01/01/2035 00:00:00", service = "x"`, "ends before it starts", "end_date"),
	)
}
