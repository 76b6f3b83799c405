// Tests of edges of workflows: their names, their colours, and that there is one of
// each.

package kinds_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// An edge that may be adopted is found by its workflow, its ends and its subtype, whatever its
// name, and keeps its name, its label and its color. Nothing is written, and the edges of a
// workflow are looked up together.
func TestEdge_adoptedByItsPlace(t *testing.T) {
	t.Parallel()
	steps := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	s := withSteps(t, steps...)
	ids := map[string]any{}
	for n := range steps[1:] {
		name := fmt.Sprintf("NAME-drawn %d", n)
		s.Put("workflow_edge", enms.Object{"name": name, "workflow": "NAME-w", "source": "[NAME-w] " + steps[n], "destination": "[NAME-w] " + steps[n+1], "subtype": "success", "label": "then", "color": "blue"})()
		ids[name] = s.Get("workflow_edge", name)["id"]
	}
	config := func(adopt bool) string {
		return s.HCL(fmt.Sprintf(`
			locals { steps = ["%s"] }
			resource "enms_workflow_edge" "chain" {
			  count          = length(local.steps) - 1
			  workflow       = "NAME-w"
			  source         = "[NAME-w] ${local.steps[count.index]}"
			  destination    = "[NAME-w] ${local.steps[count.index + 1]}"
			  subtype        = "success"
			  adopt_existing = %t
			}
			resource "enms_workflow_edge" "new" {
			  workflow       = "NAME-w"
			  source         = "[NAME-w] a"
			  destination    = "[NAME-w] h"
			  subtype        = "failure"
			  adopt_existing = %t
			}`, strings.Join(steps, `", "`), adopt, adopt))
	}
	reset := func() {
		if s.Simulator != nil {
			s.Simulator.ResetRequests()
		}
	}
	same := func(*terraform.State) error {
		for name, id := range ids {
			if held := s.Get("workflow_edge", name); held["id"] != id || held["label"] != "then" || held["color"] != "blue" {
				t.Errorf("edge %s is %v, and had the id %v", name, held, id)
			}
		}
		if held := s.Get("workflow_edge", "NAME-w: [NAME-w] a -> [NAME-w] h (failure)"); held["label"] != "failure" || held["color"] != "red" {
			t.Errorf("the new edge is %v", held)
		}
		return nil
	}
	counted := func(*terraform.State) error {
		if s.Simulator == nil {
			return nil
		}
		all, writes := s.Simulator.Requests(), 0
		for _, r := range all {
			if r.Method == "POST" && strings.HasPrefix(r.Path, "/rest/instance/") {
				writes++
			}
		}
		if t.Logf("%d requests, %d of them writes", len(all), writes); len(all) > mostForAdoptedEdges || writes != 1 {
			t.Errorf("%d requests, %d of them writes, not at most %d and 1", len(all), writes, mostForAdoptedEdges)
		}
		return nil
	}
	s.Run(
		resource.TestStep{PreConfig: reset, Config: config(true), Check: resource.ComposeTestCheckFunc(counted, same)},
		resource.TestStep{Config: config(true), PlanOnly: true},
	)
}

// mostForAdoptedEdges is how many requests adopting seven edges and creating one may take, in a
// plan and an apply.
const mostForAdoptedEdges = 30

// A workflow was renamed, and a new one has its name: the edges of the old one keep their names. By name, an edge is the
// one in its place in the new workflow, or is created there under a free name; those of the old one stay as they are.
func TestEdge_byNameInANewVersion(t *testing.T) {
	t.Parallel()
	s := withSteps(t, "a", "b")
	edge := func(source, destination string) acctest.Attributes {
		return acctest.Attributes{"workflow": s.Expand("NAME-w"), "source": s.Expand(source), "destination": s.Expand(destination), "subtype": "success"}
	}
	first, second := edge("[Shared] Start", "[NAME-w] a"), edge("[NAME-w] a", "[NAME-w] b")
	const typ, name = "enms_workflow_edge", "NAME-w: [NAME-w] a -> [NAME-w] b (success)"
	c := s.Core(nil)
	states := []acctest.ResourceState{c.Applied(typ, first, c.NoState(typ)), c.Applied(typ, second, c.NoState(typ))}
	s.Put("workflow", enms.Object{"name": "NAME-w", "new_name": "NAME-w old", "scoped_name": "NAME-w old"})()
	s.Put("workflow", enms.Object{"name": "NAME-w", "scoped_name": "NAME-w"})()
	for _, step := range []string{"a", "b"} {
		s.Put("python_snippet_service", enms.Object{"name": "[NAME-w] " + step, "scoped_name": step, "workflows": []string{s.Expand("NAME-w")}})()
	}
	s.Put("workflow_edge", enms.Object{"name": "NAME-drawn", "workflow": "NAME-w", "source": "[Shared] Start", "destination": "[NAME-w] a", "subtype": "success", "label": "success", "color": "green"})()
	old := s.Get("workflow_edge", name)["id"]
	c = s.Core(acctest.Attributes{"identify_by": "name"})
	for n, config := range []acctest.Attributes{first, second} {
		read := c.Refreshed(typ, states[n])
		if read.Value.IsNull() {
			read = c.NoState(typ)
		}
		states[n] = c.Applied(typ, config, read)
		acctest.PlanIsEmpty(c, typ, config, states[n])
		acctest.PlanIsEmpty(s.Core(nil), typ, config, states[n])
		c.Applied(typ, nil, states[n])
	}
	if held := s.Get("workflow_edge", name); held["id"] != old || held["workflow"] != s.Expand("NAME-w old") {
		t.Errorf("the edge of the old workflow is %v, and had the id %v", held, old)
	}
	s.Check(s.Absent("workflow_edge", "NAME-drawn"))
	s.Check(s.Absent("workflow_edge", name+" 2"))
}

// An apply does not give the same edge to two resources with the same workflow, ends and subtype, also if both may
// adopt it.
func TestEdge_adoptedTwice(t *testing.T) {
	t.Parallel()
	s := withSteps(t, "a", "b")
	s.Put("workflow_edge", enms.Object{"name": "NAME-drawn", "workflow": "NAME-w", "source": "[NAME-w] a", "destination": "[NAME-w] b", "subtype": "success"})()
	s.Put("workflow_edge", enms.Object{"name": "NAME-failure", "workflow": "NAME-w", "source": "[NAME-w] a", "destination": "[NAME-w] b", "subtype": "failure"})()
	edge := func(label, subtype string) string {
		return fmt.Sprintf("resource \"enms_workflow_edge\" %q {\n  workflow = \"NAME-w\"\n  source = \"[NAME-w] a\"\n  destination = \"[NAME-w] b\"\n  subtype = %q\n  adopt_existing = true\n}\n", label, subtype)
	}
	s.Run(
		resource.TestStep{Config: s.HCL(edge("x", "success")), Check: s.Holds("workflow_edge", "NAME-drawn", "subtype", "success")},
		s.Failing(s.HCL(edge("x", "success")+edge("y", "failure")+edge("z", "failure")), `workflow_edge "NAME-failure"`, "Another resource of the same configuration has this workflow_edge"),
	)
}
