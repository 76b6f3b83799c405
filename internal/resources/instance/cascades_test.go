// Tests of instances that eNMS deletes together with another one.

package instance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// leaving are configurations in which something leaves what is destroyed.
var leaving = map[string]struct {
	destroyed, stays, leaves string // "a" is destroyed; what leaves it goes to "b"
	of                       string // what is destroyed, as the error calls it
	kept                     string
	address, typ, name       string // what leaves, and its name in eNMS afterwards
}{
	"a service its workflow": {destroyed: workflowA, stays: workflowB, leaves: `
		resource "enms_service" "s" {
		  name      = "[${enms_service.a.name}] s"
		  workflows = [enms_service.a.name]
		}`, of: `service "NAME-a"`, kept: `service "[NAME-a] s"`, address: "enms_service.s", typ: "service", name: "[NAME-b] s"},
	"a nested workflow with its service": {destroyed: workflowA, stays: workflowB, leaves: `
		resource "enms_service" "in" {
		  name      = "[${enms_service.a.name}] in"
		  type      = "workflow"
		  workflows = [enms_service.a.name]
		}
		resource "enms_service" "s" {
		  name      = "[${enms_service.in.name}] s"
		  workflows = [enms_service.in.name]
		}`, of: `service "NAME-a"`, kept: `service "[NAME-a] in"`, address: "enms_service.s", typ: "service", name: "[[NAME-b] in] s"},
	"a link its device": {destroyed: `
		resource "enms_device" "a" { name = "NAME-a" }`, stays: `
		resource "enms_device" "b" { name = "NAME-b" }`, leaves: `
		resource "enms_link" "l" {
		  name        = "NAME-l"
		  source      = enms_device.a.name
		  destination = enms_device.b.name
		}`, of: `device "NAME-a"`, kept: `link "NAME-l"`, address: "enms_link.l", typ: "link", name: "NAME-l"},
}

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

// Terraform destroys a workflow before it moves a service out of it. The deletion is refused, and the
// error says how to do it in two applies, which keep the id.
func TestCascades_leavingWhatIsDestroyed(t *testing.T) {
	t.Parallel()
	for what, c := range leaving {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServer(t)
			left := strings.ReplaceAll(c.leaves, ".a.", ".b.")
			same, id := ids(c.address), ""
			s.Run(
				resource.TestStep{Config: s.HCL(c.destroyed + c.stays + c.leaves), Check: resource.ComposeTestCheckFunc(same, func(state *terraform.State) error {
					id = state.RootModule().Resources[c.address].Primary.ID
					return nil
				})},
				s.Failing(s.HCL(c.stays+left), "Cannot delete "+c.of, "eNMS would also delete", c.kept, "if this configuration moves them, apply that while it still contains"),
				resource.TestStep{Config: s.HCL(c.destroyed + c.stays + left), Check: same},
				resource.TestStep{Config: s.HCL(c.stays + left), Check: resource.ComposeAggregateTestCheckFunc(same, func(*terraform.State) error {
					if got := fmt.Sprint(s.Get(c.typ, c.name)["id"]); got != id {
						return fmt.Errorf("%s has the id %s, had %s", c.name, got, id)
					}
					return nil
				})},
			)
		})
	}
}

// The policy "cascade" deletes what leaves in the same apply, too: the update that comes too late is
// an error, and no success.
func TestCascades_cascadeTakesWhatLeaves(t *testing.T) {
	t.Parallel()
	c := leaving["a service its workflow"]
	s := acctest.NewServer(t)
	in := func(body string) string { return s.Block(`deletion_policy = "cascade"`) + s.Expand(body) }
	after := c.stays + strings.ReplaceAll(c.leaves, ".a.", ".b.")
	s.Run(
		resource.TestStep{Config: in(c.destroyed + c.stays + c.leaves)},
		s.Failing(in(after), `Cannot`, `service "[NAME-a] s"`),
		resource.TestStep{Config: in(after), Check: s.Holds("service", "[NAME-b] s", "workflows", "[NAME-b]")},
	)
}

// The same with entries: what is destroyed is a resource or an entry, and what leaves it is
// an entry or a resource.
func TestCascades_entriesLeavingWhatIsDestroyed(t *testing.T) {
	t.Parallel()
	const (
		workflows = `
resource "enms_instances" "workflows" {
  type      = "workflow"
  instances = { %s }
}`
		workflow = `
resource "enms_service" "%s" {
  name = "NAME-%[1]s"
  type = "workflow"
}`
		service = `
resource "enms_service" "s" {
  name       = "[NAME-%s] s"
  workflows  = ["NAME-%[1]s"]
  depends_on = [%[2]s]
}`
		step = `
resource "enms_instances" "steps" {
  type       = "service"
  renames    = { %s }
  instances  = { "[NAME-%s] s" = { workflows = ["NAME-%[2]s"] } }
  depends_on = [%[3]s]
}`
	)
	for what, c := range map[string]struct{ before, after string }{
		"an entry leaves a resource": {fmt.Sprintf(workflow, "a") + fmt.Sprintf(workflow, "b") + fmt.Sprintf(step, "", "a", "enms_service.a, enms_service.b"),
			fmt.Sprintf(workflow, "b") + fmt.Sprintf(step, `"[NAME-a] s" = "[NAME-b] s"`, "b", "enms_service.b")},
		"a resource leaves an entry": {fmt.Sprintf(workflows, `"NAME-a" = {}, "NAME-b" = {}`) + fmt.Sprintf(service, "a", "enms_instances.workflows"),
			fmt.Sprintf(workflows, `"NAME-b" = {}`) + fmt.Sprintf(service, "b", "enms_instances.workflows")},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServer(t)
			s.Run(
				resource.TestStep{Config: s.HCL(c.before)},
				s.Failing(s.HCL(c.after), `Cannot delete service "NAME-a"`, "eNMS would also delete", `service "[NAME-a] s"`),
				resource.TestStep{Config: s.HCL(c.before), ConfigPlanChecks: acctest.Plans(plancheck.ExpectEmptyPlan())},
			)
		})
	}
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

// A workflow that stays in eNMS takes nothing along.
func TestCascades_leavingWhatIsAbandoned(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := leaving["a service its workflow"]
	abandoned := func(body string) string {
		return s.HCL(strings.Replace(body, `name = "NAME-a"`, "name = \"NAME-a\"\n  deletion_policy = \"abandon\"", 1))
	}
	same := ids(c.address)
	s.Run(
		resource.TestStep{Config: abandoned(c.destroyed + c.stays + c.leaves), Check: same},
		resource.TestStep{Config: abandoned(c.stays + strings.ReplaceAll(c.leaves, ".a.", ".b.")), Check: same},
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

// A plan names what somebody else has written and eNMS would delete with an instance, and not what this user has written.
func TestCascades_planNamesWhatOthersWrote(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.Put("user", enms.Object{"name": "NAME-ann", "password": "pw", "is_admin": true})()
	users := map[string]*acctest.Core{"ours": s.Core(nil), "of ann": s.Core(acctest.Attributes{"username": s.Expand("NAME-ann"), "password": "pw"})}
	for _, of := range []struct {
		typ       string
		deleted   acctest.Attributes
		dependent string
		uses      func(name string) acctest.Attributes
	}{
		{"enms_device", acctest.Attributes{"name": s.Expand("NAME-a")}, "enms_link", func(name string) acctest.Attributes {
			return acctest.Attributes{"name": name, "source": s.Expand("NAME-a"), "destination": s.Expand("NAME-a")}
		}},
		{"enms_service", acctest.Attributes{"name": s.Expand("NAME-s"), "type": "workflow"}, "enms_task", func(name string) acctest.Attributes {
			return acctest.Attributes{"name": name, "service": s.Expand("NAME-s")}
		}},
	} {
		ours := users["ours"]
		state := ours.Applied(of.typ, of.deleted, ours.NoState(of.typ))
		for _, whose := range []string{"ours", "of ann"} {
			c, name := users[whose], s.Expand("NAME-"+of.dependent+" "+whose)
			used := c.Applied(of.dependent, of.uses(name), c.NoState(of.dependent))
			t.Cleanup(func() { c.Applied(of.dependent, nil, used) })
			_, diags := ours.Plan(of.typ, nil, state)
			says := strings.Contains(diags.String(), fmt.Sprintf(`%q (last written by user %q)`, name, s.Expand("NAME-ann")))
			if says != (whose == "of ann") || strings.Contains(diags.String(), "ours") {
				t.Errorf("the plan to delete %s that is in %s says: %s", of.typ, name, diags)
			}
		}
	}
}
