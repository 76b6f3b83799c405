// Tests of plans that destroy an instance and keep what eNMS would also delete.

package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// leaving are configurations in which something leaves what is destroyed: before, between
// in two applies, and after. The last one in one apply is an error of the plan.
var leaving = map[string]struct {
	before, between, after string
	destroyed              string // as the error calls it
	kept                   string
	address, typ, name     string // what leaves, and its name in eNMS afterwards
}{
	"a service its workflow": {
		before: twoWorkflows + `
			resource "enms_service" "s" {
			  name      = "[${enms_service.a.name}] s"
			  workflows = [enms_service.a.name]
			}`,
		between: twoWorkflows + `
			resource "enms_service" "s" {
			  name      = "[${enms_service.b.name}] s"
			  workflows = [enms_service.b.name]
			}`,
		after: workflowB + `
			resource "enms_service" "s" {
			  name      = "[${enms_service.b.name}] s"
			  workflows = [enms_service.b.name]
			}`,
		destroyed: `service "NAME-a"`, kept: `service "[NAME-a] s"`, address: "enms_service.s", typ: "service", name: "[NAME-b] s",
	},
	"a nested workflow with its service": {
		before: twoWorkflows + `
			resource "enms_service" "in" {
			  name      = "[${enms_service.a.name}] in"
			  type      = "workflow"
			  workflows = [enms_service.a.name]
			}
			resource "enms_service" "s" {
			  name      = "[${enms_service.in.name}] s"
			  workflows = [enms_service.in.name]
			}`,
		between: twoWorkflows + `
			resource "enms_service" "in" {
			  name      = "[${enms_service.b.name}] in"
			  type      = "workflow"
			  workflows = [enms_service.b.name]
			}
			resource "enms_service" "s" {
			  name      = "[${enms_service.in.name}] s"
			  workflows = [enms_service.in.name]
			}`,
		after: workflowB + `
			resource "enms_service" "in" {
			  name      = "[${enms_service.b.name}] in"
			  type      = "workflow"
			  workflows = [enms_service.b.name]
			}
			resource "enms_service" "s" {
			  name      = "[${enms_service.in.name}] s"
			  workflows = [enms_service.in.name]
			}`,
		destroyed: `service "NAME-a"`, kept: `service "[NAME-a] in"`, address: "enms_service.s", typ: "service", name: "[[NAME-b] in] s",
	},
	"a link its device": {
		before: threeDevices + `
			resource "enms_link" "l" {
			  name        = "NAME-l"
			  source      = enms_device.a.name
			  destination = enms_device.c.name
			}`,
		between: threeDevices + `
			resource "enms_link" "l" {
			  name        = "NAME-l"
			  source      = enms_device.b.name
			  destination = enms_device.c.name
			}`,
		after: twoDevices + `
			resource "enms_link" "l" {
			  name        = "NAME-l"
			  source      = enms_device.b.name
			  destination = enms_device.c.name
			}`,
		destroyed: `device "NAME-a"`, kept: `link "NAME-l"`, address: "enms_link.l", typ: "link", name: "NAME-l",
	},
	"a task its service": {
		before: twoWorkflows + `
			resource "enms_task" "t" {
			  name    = "NAME-t"
			  service = enms_service.a.name
			}`,
		between: twoWorkflows + `
			resource "enms_task" "t" {
			  name    = "NAME-t"
			  service = enms_service.b.name
			}`,
		after: workflowB + `
			resource "enms_task" "t" {
			  name    = "NAME-t"
			  service = enms_service.b.name
			}`,
		destroyed: `service "NAME-a"`, kept: `task "NAME-t"`, address: "enms_task.t", typ: "task", name: "NAME-t",
	},
	"an edge its service": {
		before: workflowB + stepOfB + `
			resource "enms_workflow_edge" "e" {
			  name        = "NAME-e"
			  workflow    = enms_service.b.name
			  source      = enms_service.s.name
			  destination = "[Shared] End"
			  subtype     = "success"
			}`,
		between: workflowB + stepOfB + `
			resource "enms_workflow_edge" "e" {
			  name        = "NAME-e"
			  workflow    = enms_service.b.name
			  source      = "[Shared] Start"
			  destination = "[Shared] End"
			  subtype     = "success"
			}`,
		after: workflowB + `
			resource "enms_workflow_edge" "e" {
			  name        = "NAME-e"
			  workflow    = enms_service.b.name
			  source      = "[Shared] Start"
			  destination = "[Shared] End"
			  subtype     = "success"
			}`,
		destroyed: `service "[NAME-b] s"`, kept: `workflow_edge "NAME-e"`, address: "enms_workflow_edge.e", typ: "workflow_edge", name: "NAME-e",
	},
}

const workflowB = `
resource "enms_service" "b" {
  name = "NAME-b"
  type = "workflow"
}`

const stepOfB = `
resource "enms_service" "s" {
  name      = "[${enms_service.b.name}] s"
  type      = "python_snippet_service"
  workflows = [enms_service.b.name]
}`

const twoWorkflows = `
resource "enms_service" "a" {
  name = "NAME-a"
  type = "workflow"
}` + workflowB

const twoDevices = `
resource "enms_device" "b" { name = "NAME-b" }
resource "enms_device" "c" { name = "NAME-c" }`

const threeDevices = `
resource "enms_device" "a" { name = "NAME-a" }` + twoDevices

// Terraform destroys a workflow before it moves a service out of it. With the policy
// "cascade" eNMS would lose the service, with any other the deletion would be refused at
// every apply. The plan says so, and how to do it in two applies, which keep the id.
func TestPlannedCascades_leavingWhatIsDestroyed(t *testing.T) {
	t.Parallel()
	for what, c := range leaving {
		for _, policy := range []string{"delete", "cascade"} {
			t.Run(what+", "+policy, func(t *testing.T) {
				t.Parallel()
				s := acctest.NewServer(t)
				in := func(body string) string { return s.Block(fmt.Sprintf("deletion_policy = %q", policy)) + s.Expand(body) }
				id := ""
				s.Run(
					resource.TestStep{Config: in(c.before), Check: acctest.NoteAttribute(c.address, "id", &id)},
					s.Failing(in(c.after), "Cannot destroy "+c.destroyed+" in this apply", c.kept, "First apply"),
					resource.TestStep{Config: in(c.between), Check: acctest.CheckNoted(c.address, "id", &id)},
					resource.TestStep{Config: in(c.after), Check: resource.ComposeAggregateTestCheckFunc(acctest.CheckNoted(c.address, "id", &id), func(*terraform.State) error {
						if got := fmt.Sprint(s.Get(c.typ, c.name)["id"]); got != id {
							return fmt.Errorf("%s has the id %s, had %s", c.name, got, id)
						}
						return nil
					})},
				)
			})
		}
	}
}

// The same with entries: what is destroyed is a resource or an entry, and what leaves it is
// an entry or a resource.
func TestPlannedCascades_entriesLeavingWhatIsDestroyed(t *testing.T) {
	t.Parallel()
	const (
		resources = `
resource "enms_service" "%s" {
  name = "NAME-%[1]s"
  type = "workflow"
}`
		entries = `
resource "enms_instances" "workflows" {
  type      = "workflow"
  instances = { %s }
}`
		service = `
resource "enms_service" "s" {
  name      = "[NAME-%s] s"
  workflows = ["NAME-%[1]s"]
  depends_on = [%[2]s]
}`
		step = `
resource "enms_instances" "steps" {
  type       = "service"
  renames    = { %s }
  instances  = { "[NAME-%s] s" = { workflows = ["NAME-%[2]s"] }, "NAME-%[4]s" = {} }
  depends_on = [%[3]s]
}`
	)
	both := sprintf(resources, "a") + sprintf(resources, "b")
	for what, c := range map[string]struct{ before, after string }{
		"an entry leaves a resource": {both + sprintf(step, "", "a", "enms_service.a, enms_service.b", "x"),
			sprintf(resources, "b") + sprintf(step, `"[NAME-a] s" = "[NAME-b] s"`, "b", "enms_service.b", "y")},
		"an entry leaves an entry": {sprintf(entries, `"NAME-a" = {}, "NAME-b" = {}`) + sprintf(step, "", "a", "enms_instances.workflows", "x"),
			sprintf(entries, `"NAME-b" = {}`) + sprintf(step, `"[NAME-a] s" = "[NAME-b] s"`, "b", "enms_instances.workflows", "y")},
		"a resource leaves an entry": {sprintf(entries, `"NAME-a" = {}, "NAME-b" = {}`) + sprintf(service, "a", "enms_instances.workflows"),
			sprintf(entries, `"NAME-b" = {}`) + sprintf(service, "b", "enms_instances.workflows")},
		"a resource stays in an entry": {sprintf(entries, `"NAME-a" = {}, "NAME-b" = {}`) + sprintf(service, "a", "enms_instances.workflows"),
			sprintf(entries, `"NAME-b" = {}`) + sprintf(service, "a", "enms_instances.workflows")},
		"an entry stays in a resource": {both + sprintf(step, "", "a", "enms_service.a, enms_service.b", "x"),
			sprintf(resources, "b") + sprintf(step, "", "a", "enms_service.b", "x")},
		"an entry stays in a resource of many that is destroyed": {sprintf(entries, `"NAME-a" = {}`) + sprintf(step, "", "a", "enms_instances.workflows", "x"),
			sprintf(step, "", "a", "", "x")},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServer(t)
			in := func(body string) string { return s.Block(`deletion_policy = "cascade"`) + s.Expand(body) }
			s.Run(
				resource.TestStep{Config: in(c.before)},
				s.Failing(in(c.after), `Cannot destroy service "NAME-a" in this apply`, `service "[NAME-a] s"`, "First apply"),
				resource.TestStep{Config: in(c.before), ConfigPlanChecks: action(plancheck.ExpectEmptyPlan())},
			)
		})
	}
}

// An entry that is removed goes when Terraform updates its resource, which is after it has
// destroyed what the entry depends on. Only with the policy "cascade" that is no obstacle.
func TestPlannedCascades_entriesRemovedWithWhatIsDestroyed(t *testing.T) {
	t.Parallel()
	for _, policy := range []string{"delete", "cascade"} {
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServer(t)
			config := func(device, links string) string {
				return s.Block(fmt.Sprintf("deletion_policy = %q", policy)) + s.Expand(device+`
					resource "enms_device" "b" { name = "NAME-b" }
					resource "enms_instances" "links" {
					  type      = "link"
					  instances = { `+links+` }
					}`)
			}
			const a, link, other = `resource "enms_device" "a" { name = "NAME-a" }`,
				`"NAME-l" = { source = "${enms_device.a.name}", destination = "${enms_device.b.name}" }`,
				`"NAME-m" = { source = "${enms_device.b.name}", destination = "${enms_device.b.name}" }`
			steps := []resource.TestStep{{Config: config(a, link+", "+other)}}
			if policy == "delete" {
				steps = append(steps, s.Failing(config("", other), `Cannot destroy device "NAME-a" in this apply`, `link "NAME-l"`, "First apply"),
					resource.TestStep{Config: config(a, other)})
			}
			s.Run(append(steps, resource.TestStep{Config: config("", other), Check: resource.ComposeAggregateTestCheckFunc(s.Absent("device", "NAME-a"), s.Absent("link", "NAME-l"))})...)
		})
	}
}

// What is destroyed as well, replaced, shared, or left in eNMS keeps nothing from being
// destroyed; nor does what leaves only the configuration.
func TestPlannedCascades_destroyedTogether(t *testing.T) {
	t.Parallel()
	const members = `
resource "enms_service" "s" {
  name      = "[${enms_service.a.name}] s"
  workflows = [enms_service.a.name]
}
resource "enms_service" "shared" {
  name      = "[Shared] NAME-shared"
  shared    = true
  workflows = [enms_service.a.name, enms_service.b.name]
}
resource "enms_task" "t" {
  name    = "NAME-t"
  service = enms_service.a.name
  lifecycle {
    replace_triggered_by = [enms_service.a.id]
  }
}
resource "enms_workflow_edge" "e" {
  workflow    = enms_service.a.name
  source      = enms_service.s.name
  destination = "[Shared] End"
  subtype     = "success"
}`
	s := acctest.NewServer(t)
	shared := `
		resource "enms_service" "shared" {
		  name      = "[Shared] NAME-shared"
		  shared    = true
		  workflows = [enms_service.b.name]
		}`
	another := strings.Replace(twoWorkflows, `type = "workflow"`, `type = "python_snippet_service"`, 1) + shared
	s.Run(
		resource.TestStep{Config: s.HCL(twoWorkflows + members)},
		// All that is in the workflow goes with it, and the shared service stays.
		resource.TestStep{Config: s.HCL(workflowB + shared), Check: resource.ComposeAggregateTestCheckFunc(s.Absent("service", "NAME-a"), s.Holds("service", "[Shared] NAME-shared", "workflows", "[NAME-b]"))},
		resource.TestStep{Config: s.HCL(another + `
			resource "enms_task" "t" {
			  name    = "NAME-t"
			  service = enms_service.a.name
			  lifecycle {
			    replace_triggered_by = [enms_service.a.id]
			  }
			}`)},
		// What is replaced takes along what is replaced with it.
		resource.TestStep{Config: s.HCL(twoWorkflows + shared + `
			resource "enms_task" "t" {
			  name    = "NAME-t"
			  service = enms_service.a.name
			  lifecycle {
			    replace_triggered_by = [enms_service.a.id]
			  }
			}`)},
		resource.TestStep{Config: s.HCL(twoWorkflows + members)},
		resource.TestStep{Config: s.HCL(strings.NewReplacer(`"enms_service" "a"`, `"enms_service" "z"`, "enms_service.a", "enms_service.z").Replace(twoWorkflows+members) + `
			moved {
			  from = enms_service.a
			  to   = enms_service.z
			}`)},
		resource.TestStep{Destroy: true, Config: s.HCL(strings.NewReplacer(`"enms_service" "a"`, `"enms_service" "z"`, "enms_service.a", "enms_service.z").Replace(twoWorkflows + members))},
	)
}

// A workflow that stays in eNMS takes nothing along.
func TestPlannedCascades_leavingWhatIsAbandoned(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	t.Cleanup(s.Drop("service", "NAME-a"))
	c := leaving["a service its workflow"]
	abandoned := func(body string) string {
		return s.HCL(strings.Replace(body, `name = "NAME-a"`, "name = \"NAME-a\"\n  deletion_policy = \"abandon\"", 1))
	}
	id := ""
	s.Run(
		resource.TestStep{Config: abandoned(c.before), Check: acctest.NoteAttribute(c.address, "id", &id)},
		resource.TestStep{Config: abandoned(c.after), Check: acctest.CheckNoted(c.address, "id", &id)},
	)
}

// With the policy "cascade", what depends on a replaced instance goes with it, and the plan
// says so: it is replaced, too, whether or not the configuration asks for that.
func TestPlannedCascades_replacedWithWhatItDependsOn(t *testing.T) {
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

// eNMS deletes the edges of a service that is replaced, whatever the policy is.
func TestPlannedCascades_edgesReplacedWithTheirService(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	config := func(typ string) string {
		return s.HCL(workflowB + `
			resource "enms_service" "s" {
			  name      = "[${enms_service.b.name}] s"
			  type      = "` + typ + `"
			  workflows = [enms_service.b.name]
			}
			resource "enms_workflow_edge" "e" {
			  workflow    = enms_service.b.name
			  source      = enms_service.s.name
			  destination = "[Shared] End"
			  subtype     = "success"
			}`)
	}
	s.Run(
		resource.TestStep{Config: config("service")},
		resource.TestStep{Config: config("ping_service"), ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
			plancheck.ExpectResourceAction("enms_service.s", plancheck.ResourceActionDestroyBeforeCreate),
			plancheck.ExpectResourceAction("enms_workflow_edge.e", plancheck.ResourceActionDestroyBeforeCreate)}}},
	)
}

// What leaves an instance that is replaced would be replaced as well for no reason of its
// own: it can leave in an apply before.
func TestPlannedCascades_leavingWhatIsReplaced(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	id := ""
	config := func(typ, device string) string {
		return s.Block(`deletion_policy = "cascade"`) + s.Expand(`
			resource "enms_device" "a" {
			  name = "NAME-a"
			  type = "`+typ+`"
			}`+twoDevices+`
			resource "enms_link" "l" {
			  name        = "NAME-l"
			  source      = enms_device.`+device+`.name
			  destination = enms_device.c.name
			}`)
	}
	s.Run(
		resource.TestStep{Config: config("device", "a"), Check: acctest.NoteAttribute("enms_link.l", "id", &id)},
		s.Failing(config("gateway", "b"), `Cannot destroy device "NAME-a" in this apply`, `link "NAME-l"`, "then replace it"),
		resource.TestStep{Config: config("device", "b"), Check: acctest.CheckNoted("enms_link.l", "id", &id)},
		resource.TestStep{Config: config("gateway", "b"), Check: acctest.CheckNoted("enms_link.l", "id", &id)},
	)
}

// What the user has replaced takes along what depends on it, too.
func TestPlannedCascades_replacedByTheUser(t *testing.T) {
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

// The same for a resource of entries. Its nested workflows, which it replaces all, do not keep
// each other.
func TestPlannedCascades_entriesReplacedByTheUser(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]struct{ config, changes string }{
		"a link": {`
			resource "enms_instances" "m" {
			  type      = "device"
			  instances = { "NAME-a" = {} }
			}
			resource "enms_link" "l" {
			  name        = "NAME-l"
			  source      = "NAME-a"
			  destination = "NAME-a"
			  depends_on  = [enms_instances.m]
			}`, "2 added, 0 changed, 2 destroyed"},
		"nested workflows": {`
			resource "enms_instances" "m" {
			  type      = "workflow"
			  instances = {
			    "NAME-v"          = {}
			    "[NAME-v] NAME-w" = { workflows = ["NAME-v"] }
			  }
			}`, "1 added, 0 changed, 1 destroyed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServer(t)
			w := acctest.NewWorkspace(t)
			w.Configure(s.Block(`deletion_policy = "cascade"`) + s.Expand(in.config))
			w.Apply(10)
			if code, out := w.Run("apply", "-no-color", "-auto-approve", "-replace=enms_instances.m"); code != 0 || !s.Says(in.changes).MatchString(out) {
				t.Errorf("apply ended with %d:\n%s", code, out)
			}
			w.PlanNothing()
			if code, out := w.Run("destroy", "-no-color", "-auto-approve"); code != 0 {
				t.Errorf("destroy ended with %d:\n%s", code, out)
			}
		})
	}
}

// A replacement destroys by the deletion policy in the state, whatever is configured by then.
func TestPlannedCascades_replacedByThePolicyInTheState(t *testing.T) {
	t.Parallel()
	for resourceName, block := range map[string]string{
		"enms_instances.m": `resource "enms_instances" "m" {
			  type            = "device"
			  instances       = { "NAME-a" = {} }
			  deletion_policy = POLICY
			}`,
		"enms_device.m": `resource "enms_device" "m" {
			  name            = "NAME-a"
			  deletion_policy = POLICY
			}`,
	} {
		t.Run(resourceName, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServer(t)
			w := acctest.NewWorkspace(t)
			configure := func(policy string) {
				w.Configure(s.Block("") + s.Expand(strings.ReplaceAll(block, "POLICY", policy)+`
					resource "enms_link" "l" {
					  name        = "NAME-l"
					  source      = "NAME-a"
					  destination = "NAME-a"
					  depends_on  = [`+resourceName+`]
					}`))
			}
			configure(`"cascade"`)
			w.Apply(10)
			configure("null")
			if code, out := w.Run("apply", "-no-color", "-auto-approve", "-replace="+resourceName); code != 0 || !s.Says("2 added, 0 changed, 2 destroyed").MatchString(out) {
				t.Errorf("apply ended with %d:\n%s", code, out)
			}
			w.PlanNothing()
		})
	}
}

// A single entry cannot be replaced: what it depends on is not either, while it is there.
func TestPlannedCascades_replacedBesideEntries(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	config := func(typ, tasks string) string {
		return s.Block(`deletion_policy = "cascade"`) + s.Expand(`
			resource "enms_instances" "services" {
			  type      = "`+typ+`"
			  instances = { "NAME-s" = {}, "NAME-r" = {} }
			}
			resource "enms_instances" "tasks" {
			  type       = "task"
			  instances  = { `+tasks+` }
			  depends_on = [enms_instances.services]
			}`)
	}
	const tasks = `"NAME-t" = { service = "NAME-s" }, "NAME-u" = { service = "NAME-s" }`
	s.Run(
		resource.TestStep{Config: config("service", tasks)},
		s.Failing(config("ping_service", tasks), `Cannot destroy service "NAME-s" in this apply`, `task "NAME-t"`, "then replace it"),
		resource.TestStep{Config: config("service", "")},
		resource.TestStep{Config: config("ping_service", "")},
		resource.TestStep{Config: config("ping_service", tasks)},
	)
}

// The two plans may come in any order, and more than once: the newest one about an instance
// counts.
func TestPlannedCascades_plansInAnyOrder(t *testing.T) {
	t.Parallel()
	s, _ := acctest.NewServerBehindProxy(t)
	writer, typ := s.Core(nil), "enms_service"
	workflow := writer.Applied(typ, workflowOf("W"), writer.NoState(typ))
	other := writer.Applied(typ, workflowOf("X"), writer.NoState(typ))
	step := writer.Applied(typ, stepOf("[W] s", "W"), writer.NoState(typ))
	moved := stepOf("[X] s", "X")
	replaced := acctest.Attributes{"name": "[X] s", "type": "ping_service", "workflows": []string{"X"}}
	conflict := s.Says(`Cannot destroy service "W" in this apply`, `service "[W] s"`, "First apply")
	type plan struct {
		config acctest.Attributes
		state  acctest.ResourceState
		fails  bool
	}
	none := writer.NoState(typ)
	destroyW, moveS, destroyS := plan{nil, workflow, false}, plan{moved, step, false}, plan{nil, step, false}
	fails := func(p plan) plan { p.fails = true; return p }
	for what, plans := range map[string][]plan{
		"the deletion first":          {destroyW, fails(moveS)},
		"the deletion second":         {moveS, fails(destroyW)},
		"the service goes, too":       {destroyS, destroyW},
		"in the other order":          {destroyW, destroyS},
		"the service is replaced":     {{replaced, step, false}, destroyW},
		"replaced in the other order": {destroyW, {replaced, step, false}},
		"replaced by its user":        {moveS, {stepOf("[X] s", "X"), none, false}, destroyW, fails(moveS)},
		"kept under its name":         {{stepOf("[W] s", "W"), step, false}, {stepOf("[W] s", "W"), none, false}, destroyW},
		"another workflow":            {{nil, other, false}, moveS},
		"another takes its name":      {moveS, {stepOf("[W] s", "W"), none, false}, fails(destroyW)},
		"planned twice":               {moveS, moveS, fails(destroyW), fails(destroyW), fails(moveS)},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			c := s.Core(nil).NewRun()
			for i, p := range plans {
				if _, diags := c.Plan(typ, p.config, p.state); diags.Failed() != p.fails || p.fails && !conflict.MatchString(diags.String()) {
					t.Errorf("plan %d: %s", i+1, diags)
				}
			}
		})
	}
}

// Many dependents of one instance do not fill the screen.
func TestPlannedCascades_manyDependents(t *testing.T) {
	t.Parallel()
	s, _ := acctest.NewServerBehindProxy(t)
	writer := s.Core(nil)
	workflow := writer.Applied("enms_service", workflowOf("W"), writer.NoState("enms_service"))
	entries := func(workflow string) acctest.Attributes {
		all := map[string]any{}
		for i := range 30 {
			all[fmt.Sprintf("[%s] s%02d", workflow, i)] = map[string]any{"workflows": []any{workflow}}
		}
		return entriesWith(s, "service", all)
	}
	state := writer.Applied("enms_instances", entries("W"), writer.NoState("enms_instances"))
	for _, first := range []string{"the deletion", "the entries"} {
		c := s.Core(nil).NewRun()
		if first == "the entries" {
			if _, diags := c.Plan("enms_instances", entries("W"), state); diags.Failed() {
				t.Errorf("%s", diags)
			}
			if _, diags := c.Plan("enms_service", nil, workflow); !s.Says(`Cannot destroy service "W" in this apply`, `service "[W] s09" and 20 more`).MatchString(diags.String()) {
				t.Errorf("%s", diags)
			}
			continue
		}
		if _, diags := c.Plan("enms_service", nil, workflow); diags.Failed() {
			t.Errorf("%s", diags)
		}
		if _, diags := c.Plan("enms_instances", entries("W"), state); len(diags) != 10 || !s.Says(`Cannot destroy service "W" in this apply`).MatchString(diags.String()) {
			t.Errorf("%d errors: %s", len(diags), diags)
		}
	}
}

// A replacement with create_before_destroy that fails in part leaves the old object to be
// destroyed with each following apply, after the creation at its address. The errors say how
// to get there.
func TestPlannedCascades_deposedObject(t *testing.T) {
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
		s.Failing(nodes("gateway", "", `"NAME-a" = {}, "NAME-c" = {}`)+links, `Cannot destroy device "NAME-a" in this apply`, `If "NAME-a" is a deposed object, first apply a configuration without the resources that refer to it`),
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
