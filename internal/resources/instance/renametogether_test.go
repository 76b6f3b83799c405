// Acceptance tests of workflows that are renamed together with what is in them.

package instance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// renamedTogether returns a workflow with a service, a nested workflow with one, and what
// refers to them. NAME-, the names of the two workflows and of the two services differ.
func renamedTogether(outer, step, inner, nested string) string {
	return strings.NewReplacer("OUTER", outer, "STEP", step, "INNER", inner, "NESTED", nested).Replace(`
resource "enms_service" "outer" {
  name = "NAME-OUTER"
  type = "workflow"
}
resource "enms_service" "step" {
  name      = "[${enms_service.outer.name}] STEP"
  workflows = [enms_service.outer.name]
}
resource "enms_service" "inner" {
  name      = "[${enms_service.outer.name}] INNER"
  type      = "workflow"
  workflows = [enms_service.outer.name]
}
resource "enms_service" "nested" {
  name      = "[${enms_service.inner.name}] NESTED"
  workflows = [enms_service.inner.name]
}
resource "enms_workflow_edge" "e" {
  workflow    = enms_service.outer.name
  source      = enms_service.step.name
  destination = enms_service.inner.name
  subtype     = "success"
}
resource "enms_workflow_edge" "n" {
  workflow    = enms_service.inner.name
  source      = "[Shared] Start"
  destination = enms_service.nested.name
  subtype     = "success"
}
resource "enms_task" "t" {
  name    = "NAME-task"
  service = enms_service.nested.name
}
resource "enms_workflow_layout" "l" {
  workflow  = enms_service.outer.name
  positions = { (enms_service.step.name) = { x = 1, y = 2 }, (enms_service.inner.name) = { x = 3, y = 4 }, "[Shared] End" = { x = 5, y = 6 } }
}
resource "enms_workflow_layout" "n" {
  workflow  = enms_service.inner.name
  positions = { (enms_service.nested.name) = { x = 7, y = 8 } }
}`)
}

// ids notes the ids of resources, and fails when a later step finds others.
func ids(addresses ...string) resource.TestCheckFunc {
	known := map[string]string{}
	return func(state *terraform.State) error {
		for _, address := range addresses {
			found := state.RootModule().Resources[address]
			if found == nil {
				return fmt.Errorf("%s is not in the state", address)
			}
			id := found.Primary.ID
			if was, has := known[address]; has && was != id {
				return fmt.Errorf("%s has the id %s, had %s", address, id, was)
			}
			known[address] = id
		}
		return nil
	}
}

// sameServices returns a check that services, of which the first has the place of the first before, have kept
// their ids since the check was first made.
func sameServices(s *acctest.Server) func(names ...string) resource.TestCheckFunc {
	known := map[int]any{}
	return func(names ...string) resource.TestCheckFunc {
		return func(*terraform.State) error {
			for i, name := range names {
				id := s.Get("service", name)["id"]
				if was := known[i]; was != nil && was != id {
					return fmt.Errorf("%s has the id %v, had %v", name, id, was)
				}
				known[i] = id
			}
			return nil
		}
	}
}

// eNMS has renamed the services of a workflow when their own renames come: the old full
// name is nobody's any more, and a write to it would create a second service.
func TestRenameTogether_workflowAndServices(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	same := ids("enms_service.outer", "enms_service.step", "enms_service.inner", "enms_service.nested", "enms_workflow_edge.e", "enms_workflow_edge.n", "enms_task.t")
	at := func(service, workflow, want string) resource.TestCheckFunc {
		return func(*terraform.State) error {
			if got := acctest.PositionOf(s, "service", service, workflow); got != want {
				return fmt.Errorf("%s is at %s in %s, want %s", service, got, workflow, want)
			}
			return nil
		}
	}
	s.Run(
		resource.TestStep{Config: s.HCL(renamedTogether("w", "step", "in", "deep")), Check: same},
		resource.TestStep{Config: s.HCL(renamedTogether("v", "pace", "within", "deeper")), Check: resource.ComposeAggregateTestCheckFunc(same,
			s.Holds("service", "[NAME-v] pace", "workflows", "[NAME-v]"), s.Holds("service", "[[NAME-v] within] deeper", "scoped_name", "deeper"),
			s.Holds("task", "NAME-task", "service", "[[NAME-v] within] deeper"), s.Absent("service", "[NAME-w] step"), s.Absent("service", "[NAME-v] step"),
			at("[NAME-v] pace", "NAME-v", "[1 2]"), at("[NAME-v] within", "NAME-v", "[3 4]"), at("[[NAME-v] within] deeper", "[NAME-v] within", "[7 8]"))},
		// Only the outermost workflow, and what it takes along in the middle.
		resource.TestStep{Config: s.HCL(renamedTogether("u", "pace", "between", "deeper")), Check: same},
		resource.TestStep{Config: s.HCL(renamedTogether("u", "pace", "between", "deep")), Check: same},
	)
}

// ofWorkflows are a workflow and its services, all of them entries.
const ofWorkflows = `
resource "enms_instances" "workflows" {
  type      = "workflow"
  renames   = { %s }
  instances = { %s }
}
resource "enms_instances" "steps" {
  type       = "python_snippet_service"
  depends_on = [enms_instances.workflows]
  renames    = { %s }
  instances  = { %s }
}
resource "enms_instances" "tasks" {
  type       = "task"
  depends_on = [enms_instances.steps]
  instances  = { "NAME-task" = { service = %q } }
}`

// Entries are renamed with their workflows as resources are. Then two workflows exchange their names, and with them their
// services, of which each has one of the same name.
func TestRenameTogether_entries(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	same := sameServices(s)
	config := func(workflowRenames, workflows, renames, steps, ofTask string) resource.TestStep {
		return resource.TestStep{Config: s.HCL(fmt.Sprintf(ofWorkflows, workflowRenames, workflows, renames, steps, ofTask)), Check: s.Holds("task", "NAME-task", "service", ofTask)}
	}
	steps := []resource.TestStep{
		config("", `"NAME-w" = {}, "NAME-x" = {}, "[NAME-w] in" = { workflows = ["NAME-w"] }`,
			"", `"[NAME-w] s" = { workflows = ["NAME-w"] }, "[NAME-x] s" = { workflows = ["NAME-x"] }, "[[NAME-w] in] n" = { workflows = ["[NAME-w] in"] }`, "[NAME-w] s"),
		config(`"NAME-w" = "NAME-v", "[NAME-w] in" = "[NAME-v] within"`, `"NAME-v" = {}, "NAME-x" = {}, "[NAME-v] within" = { workflows = ["NAME-v"] }`,
			`"[NAME-w] s" = "[NAME-v] s", "[[NAME-w] in] n" = "[[NAME-v] within] m"`, `"[NAME-v] s" = { workflows = ["NAME-v"] }, "[NAME-x] s" = { workflows = ["NAME-x"] }, "[[NAME-v] within] m" = { workflows = ["[NAME-v] within"] }`, "[NAME-v] s"),
		config(`"NAME-v" = "NAME-x", "NAME-x" = "NAME-v", "[NAME-v] within" = "[NAME-x] within"`, `"NAME-v" = {}, "NAME-x" = {}, "[NAME-x] within" = { workflows = ["NAME-x"] }`,
			`"[NAME-v] s" = "[NAME-x] s", "[NAME-x] s" = "[NAME-v] s", "[[NAME-v] within] m" = "[[NAME-x] within] m"`, `"[NAME-v] s" = { workflows = ["NAME-v"] }, "[NAME-x] s" = { workflows = ["NAME-x"] }, "[[NAME-x] within] m" = { workflows = ["[NAME-x] within"] }`, "[NAME-x] s"),
	}
	for n, names := range [][]string{{"NAME-w", "[NAME-w] s", "[NAME-w] in", "[[NAME-w] in] n", "NAME-x", "[NAME-x] s"}, {"NAME-v", "[NAME-v] s", "[NAME-v] within", "[[NAME-v] within] m", "NAME-x", "[NAME-x] s"},
		{"NAME-x", "[NAME-x] s", "[NAME-x] within", "[[NAME-x] within] m", "NAME-v", "[NAME-v] s"}} {
		steps[n].Check = resource.ComposeAggregateTestCheckFunc(same(names...), steps[n].Check)
	}
	s.Run(steps...)
}

// Two services of a workflow that is renamed exchange their names. The temporary name of one is stable: eNMS makes
// the name from the scoped name at every write of the workflow (enms-rest.md 1.5), which would otherwise give
// both the same name, and fail from then on.
func TestRenameTogether_servicesExchangeNames(t *testing.T) {
	t.Parallel()
	s, writes := acctest.NewWatched(t)
	config := func(workflow, first, second string) string {
		return s.HCL(fmt.Sprintf(`
			resource "enms_service" "w" {
			  name = "NAME-%s"
			  type = "workflow"
			}
			resource "enms_service" "a" {
			  name      = "[${enms_service.w.name}] %s"
			  workflows = [enms_service.w.name]
			}
			resource "enms_service" "b" {
			  name      = "[${enms_service.w.name}] %s"
			  workflows = [enms_service.w.name]
			}`, workflow, first, second))
	}
	s.Run(
		resource.TestStep{Config: config("w", "x", "y")},
		resource.TestStep{Config: config("v", "y", "x")},
	)
	temporary := 0
	for _, body := range writes.Raw {
		named := strings.Contains(body, `"new_name":"[NAME-v] x (renamed`) || strings.Contains(body, `"new_name":"[NAME-v] y (renamed`)
		stable := strings.Contains(body, `"scoped_name":"x (renamed`) || strings.Contains(body, `"scoped_name":"y (renamed`)
		if stable {
			temporary++
		} else if named {
			t.Errorf("the temporary name is lost with the next write of the workflow: %s", body)
		}
	}
	if temporary != 1 {
		t.Errorf("%d temporary names: %q", temporary, writes.Raw)
	}
}

// keyed is a workflow and services whose keys are made of its name.
const keyed = `
resource "enms_service" "w" {
  name = "NAME-%s"
  type = "workflow"
}
resource "enms_instances" "steps" {
  type          = "python_snippet_service"
  max_deletions = 2 # those that are renamed with the workflow do not count
  instances     = { for step, text in %s : "[${enms_service.w.name}] ${step}" => { workflows = [enms_service.w.name], description = text } }
}`

// Keys that are made of a workflow's name change with it. The services are the same ones:
// eNMS has renamed them when the entries' turn comes.
func TestRenameTogether_keysMadeOfTheName(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	same := sameServices(s)
	s.Run(
		resource.TestStep{Config: s.HCL(fmt.Sprintf(keyed, "w", `{ s = "1", t = "2", u = "3" }`)), Check: same("[NAME-w] s", "[NAME-w] t")},
		resource.TestStep{Config: s.HCL(fmt.Sprintf(keyed, "v", `{ s = "1", t = "another" }`)), Check: resource.ComposeAggregateTestCheckFunc(same("[NAME-v] s", "[NAME-v] t"),
			s.Holds("service", "[NAME-v] t", "description", "another"), s.Absent("service", "[NAME-v] u"), s.Absent("service", "[NAME-w] u"))},
	)
}

// A row of a table gets another name: for Terraform, one instance is deleted and another one created, and the deletion is
// refused, because links still refer to the old one. The error says the way back, on which nothing is lost, and the
// moved block that renames instead.
func TestRename_rowWithoutMoved(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	config := func(a, more string) string {
		return s.HCL(`
			locals {
			  rows  = { ` + a + ` = "10.0.0.1", b = "10.0.0.2" }
			}
			resource "enms_device" "d" {
			  for_each   = local.rows
			  name       = "NAME-${each.key}"
			  ip_address = each.value
			}
			resource "enms_link" "l" {
			  name        = "NAME-l"
			  source      = enms_device.d["` + a + `"].name
			  destination = enms_device.d["b"].name
			}` + more)
	}
	same := ids("enms_link.l")
	s.Run(
		resource.TestStep{Config: config("a", ""), Check: same},
		s.Failing(config("z", ""), `Cannot delete device "NAME-a"`, `link "NAME-l"`, "a new name", "write the old name again", "moved"),
		resource.TestStep{Config: config("a", ""), Check: resource.ComposeTestCheckFunc(same, s.Absent("device", "NAME-z"))},
		resource.TestStep{Config: config("z", "\nmoved {\n  from = enms_device.d[\"a\"]\n  to   = enms_device.d[\"z\"]\n}\n"), Check: resource.ComposeTestCheckFunc(same, s.Holds("link", "NAME-l", "source", "NAME-z"))},
	)
}
