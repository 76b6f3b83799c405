// Tests of instances that eNMS deletes together with another one.

package instance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

const workflowA = `
resource "enms_service" "a" {
  name = "NAME-a"
  type = "workflow"
}`

const workflowB = `
resource "enms_service" "b" {
  name = "NAME-b"
  type = "workflow"
}`

// inA is a service that leaves the workflow a for b.
const inA = `
resource "enms_service" "s" {
  name      = "[${enms_service.a.name}] s"
  workflows = [enms_service.a.name]
}`

var inB = strings.ReplaceAll(inA, ".a.", ".b.")

// Terraform destroys a workflow before it moves a service out of it. The deletion is refused, and the
// error says how to do it in two applies, which keep the id.
func TestCascades_leavingWhatIsDestroyed(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	same := ids("enms_service.s")
	s.Run(
		resource.TestStep{Config: s.HCL(workflowA + workflowB + inA), Check: same},
		s.Failing(s.HCL(workflowB+inB), `Cannot delete service "NAME-a"`, "eNMS would also delete", `service "[NAME-a] s"`, "if this configuration moves them, apply that while it still contains"),
		resource.TestStep{Config: s.HCL(workflowA + workflowB + inB), Check: same},
		resource.TestStep{Config: s.HCL(workflowB + inB), Check: resource.ComposeAggregateTestCheckFunc(same, s.Holds("service", "[NAME-b] s", "workflows", "[NAME-b]"))},
	)
}

// The policy "cascade" deletes what leaves in the same apply, too: the update that comes too late is
// an error, and no success.
func TestCascades_cascadeTakesWhatLeaves(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	in := func(body string) string { return s.Block(`deletion_policy = "cascade"`) + s.Expand(body) }
	s.Run(
		resource.TestStep{Config: in(workflowA + workflowB + inA)},
		s.Failing(in(workflowB+inB), `Cannot`, `service "[NAME-a] s"`),
		resource.TestStep{Config: in(workflowB + inB), Check: s.Holds("service", "[NAME-b] s", "workflows", "[NAME-b]")},
	)
}

// What is destroyed as well, replaced, shared, or left in eNMS keeps nothing from being
// destroyed; nor does what leaves only the configuration.
func TestCascades_destroyedTogether(t *testing.T) {
	t.Parallel()
	const task = `
resource "enms_task" "t" {
  name    = "NAME-t"
  service = enms_service.a.name
  lifecycle {
    replace_triggered_by = [enms_service.a.id]
  }
}`
	const members = task + `
resource "enms_service" "s" {
  name      = "[${enms_service.a.name}] s"
  workflows = [enms_service.a.name]
}
resource "enms_service" "shared" {
  name      = "[Shared] NAME-shared"
  shared    = true
  workflows = [enms_service.a.name, enms_service.b.name]
}
resource "enms_workflow_edge" "e" {
  workflow    = enms_service.a.name
  source      = enms_service.s.name
  destination = "[Shared] End"
  subtype     = "success"
}`
	const twoWorkflows = workflowA + workflowB
	s := acctest.NewServer(t)
	shared := `
		resource "enms_service" "shared" {
		  name      = "[Shared] NAME-shared"
		  shared    = true
		  workflows = [enms_service.b.name]
		}`
	another := strings.Replace(twoWorkflows, `type = "workflow"`, `type = "python_snippet_service"`, 1) + shared
	elsewhere := strings.NewReplacer(`"enms_service" "a"`, `"enms_service" "z"`, "enms_service.a", "enms_service.z").Replace(twoWorkflows + members)
	s.Run(
		resource.TestStep{Config: s.HCL(twoWorkflows + members)},
		// All that is in the workflow goes with it, and the shared service stays.
		resource.TestStep{Config: s.HCL(workflowB + shared), Check: resource.ComposeAggregateTestCheckFunc(s.Absent("service", "NAME-a"), s.Holds("service", "[Shared] NAME-shared", "workflows", "[NAME-b]"))},
		resource.TestStep{Config: s.HCL(another + task)},
		// What is replaced takes along what is replaced with it.
		resource.TestStep{Config: s.HCL(twoWorkflows + shared + task)},
		resource.TestStep{Config: s.HCL(twoWorkflows + members)},
		resource.TestStep{Config: s.HCL(elsewhere + `
			moved {
			  from = enms_service.a
			  to   = enms_service.z
			}`)},
		resource.TestStep{Destroy: true, Config: s.HCL(elsewhere)},
	)
}

// An edge that leaves a removed service goes with it, as Terraform destroys the service first. The error says that
// this run has deleted the edge, and the next apply creates it.
func TestCascades_edgeOfRemovedService(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	const end = `
resource "enms_service" "end" {
  name      = "[${enms_service.a.name}] end"
  workflows = [enms_service.a.name]
}`
	edge := func(to string) string {
		return fmt.Sprintf(`
resource "enms_workflow_edge" "e" {
  workflow    = enms_service.a.name
  source      = "[Shared] Start"
  destination = enms_service.%s.name
  subtype     = "success"
}`, to)
	}
	s.Run(
		resource.TestStep{Config: s.HCL(workflowA + inA + end + edge("s"))},
		s.Failing(s.HCL(workflowA+end+edge("end")), "Cannot update workflow_edge", "deleted this workflow_edge"),
		resource.TestStep{Config: s.HCL(workflowA + end + edge("end"))},
	)
}

// A workflow that stays in eNMS takes nothing along.
func TestCascades_leavingWhatIsAbandoned(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	abandoned := func(body string) string {
		return s.HCL(strings.Replace(body, `name = "NAME-a"`, "name = \"NAME-a\"\n  deletion_policy = \"abandon\"", 1))
	}
	same := ids("enms_service.s")
	s.Run(
		resource.TestStep{Config: abandoned(workflowA + workflowB + inA), Check: same},
		resource.TestStep{Config: abandoned(workflowB + inB), Check: same},
	)
}

// With the policy "cascade", what depends on a replaced instance goes with it, and the plan
// says so: it is replaced, too, whether or not the configuration asks for that.
func TestCascades_replacedWithWhatItDependsOn(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	config := func(typ, service, lifecycle string) string {
		return s.Block(`deletion_policy = "cascade"`) + s.Expand(`
			resource "enms_device" "d" {
			  name = "NAME-d"
			  type = "`+typ+`"
			}
			resource "enms_device" "e" { name = "NAME-e" }
			resource "enms_link" "l" {
			  name        = "NAME-l"
			  source      = enms_device.d.name
			  destination = enms_device.e.name
			}
			resource "enms_service" "s" {
			  name = "NAME-s"
			  type = "`+service+`"
			}
			resource "enms_task" "t" {
			  name    = "NAME-t"
			  service = enms_service.s.name
			  `+lifecycle+`
			}`)
	}
	replaced := func(addresses ...string) resource.ConfigPlanChecks {
		checks := []plancheck.PlanCheck{plancheck.ExpectResourceAction("enms_device.e", plancheck.ResourceActionNoop)}
		for _, address := range addresses {
			checks = append(checks, plancheck.ExpectResourceAction(address, plancheck.ResourceActionDestroyBeforeCreate))
		}
		return resource.ConfigPlanChecks{PreApply: checks}
	}
	s.Run(
		resource.TestStep{Config: config("device", "service", "")},
		resource.TestStep{Config: config("gateway", "service", ""), ConfigPlanChecks: replaced("enms_device.d", "enms_link.l"), Check: s.Holds("link", "NAME-l", "source", "NAME-d")},
		resource.TestStep{Config: config("gateway", "ping_service", ""), ConfigPlanChecks: replaced("enms_service.s", "enms_task.t"), Check: s.Holds("task", "NAME-t", "service", "NAME-s")},
		resource.TestStep{Config: config("gateway", "service", "lifecycle {\n replace_triggered_by = [enms_service.s.id]\n }"),
			ConfigPlanChecks: replaced("enms_service.s", "enms_task.t"), Check: s.Holds("task", "NAME-t", "service", "NAME-s")},
	)
}

// What the user has replaced takes along what depends on it, too.
func TestCascades_replacedByTheUser(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	w := acctest.NewWorkspace(t)
	w.Configure(s.Block(`deletion_policy = "cascade"`) + s.Expand(workflowB+`
		resource "enms_task" "t" {
		  name    = "NAME-t"
		  service = enms_service.b.name
		}`))
	w.Apply(10)
	if code, out := w.Run("apply", "-no-color", "-auto-approve", "-replace=enms_service.b"); code != 0 || !s.Says("2 added, 0 changed, 2 destroyed").MatchString(out) {
		t.Errorf("apply ended with %d:\n%s", code, out)
	}
	w.PlanNothing()
	if code, out := w.Run("destroy", "-no-color", "-auto-approve"); code != 0 {
		t.Errorf("destroy ended with %d:\n%s", code, out)
	}
}

// A replacement with create_before_destroy that fails in part leaves the old object to be
// destroyed with each following apply, after the creation at its address. The errors say how
// to get there.
func TestCascades_deposedObject(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	nodes := func(typ, rest, entries string) string {
		return s.HCL(fmt.Sprintf(`
			resource "enms_instances" "nodes" {
			  type      = %q
			  instances = { %s }
			  %s
			}`, typ, entries, rest))
	}
	links := s.Expand(`
		resource "enms_instances" "links" {
		  type       = "link"
		  instances  = { "NAME-l" = { source = "NAME-a", destination = "NAME-a" } }
		  depends_on = [enms_instances.nodes]
		}`)
	const first = "lifecycle { create_before_destroy = true }"
	steps := []resource.TestStep{
		{Config: nodes("device", first, `"NAME-a" = {}`) + links},
		s.Failing(nodes("gateway", first, `"NAME-a" = {}, "NAME-c" = {}`)+links, `already has a device named "NAME-a"`, "or first apply a configuration without this entry"),
		s.Failing(nodes("gateway", "", `"NAME-a" = {}, "NAME-c" = {}`)+links, "or first apply a configuration without this entry"),
	}
	// Terraform 1.16.0 plans to destroy a tainted object beside a deposed one, and creates another
	// without destroying it (https://github.com/hashicorp/terraform/issues/39076): the name is
	// not free until the user runs terraform untaint.
	if w := acctest.NewWorkspace(t); w.OpenTofu() || w.Release() != [3]int{1, 16, 0} {
		steps = append(steps,
			s.Failing(nodes("gateway", "", `"NAME-a" = {}, "NAME-c" = {}`), "or first apply a configuration without this entry"),
			resource.TestStep{Config: nodes("gateway", "", `"NAME-c" = {}`), Check: s.Absent("device", "NAME-a")},
			resource.TestStep{Config: nodes("gateway", "", `"NAME-a" = {}, "NAME-c" = {}`) + links},
		)
	}
	s.Run(steps...)
}
