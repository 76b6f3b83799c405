// Tests of edges of workflows that take each other's places in one apply: eNMS has one
// edge of the same workflow, source, destination and subtype only, and holds each write to
// that.

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

// withSteps is withWorkflow for a workflow that has services, too.
func withSteps(t *testing.T, steps ...string) *acctest.Server {
	t.Helper()
	s, _ := acctest.NewServerWithWorkflow(t)
	for _, step := range steps {
		s.Put("python_snippet_service", enms.Object{"name": "[NAME-w] " + step, "scoped_name": step, "workflows": []string{s.Expand("NAME-w")}})()
	}
	return s
}

// edgesLike returns a configuration of an edge for each row: name, source, destination,
// subtype.
func edgesLike(s *acctest.Server, rows ...[4]string) string {
	var body strings.Builder
	for _, row := range rows {
		fmt.Fprintf(&body, "resource \"enms_workflow_edge\" %q {\n  name = \"NAME-%s\"\n  workflow = \"NAME-w\"\n  source = \"[NAME-w] %s\"\n  destination = \"[NAME-w] %s\"\n  subtype = %q\n}\n", row[0], row[0], row[1], row[2], row[3])
	}
	return s.HCL(body.String())
}

// keepIDs returns a check that edges still have the ids that they had when it was first made.
func keepIDs(s *acctest.Server, names ...string) resource.TestCheckFunc {
	ids := map[string]string{}
	return func(*terraform.State) error {
		s.T.Helper()
		for _, name := range names {
			id := fmt.Sprint(s.Get("workflow_edge", "NAME-"+name)["id"])
			if before, seen := ids[name]; seen && before != id {
				s.T.Errorf("edge %s was %s and is %s", name, before, id)
			}
			ids[name] = id
		}
		return nil
	}
}

// Two edges exchange their subtypes, and three their places: neither order of the updates works. The error says how to
// do it.
func TestEdge_exchange(t *testing.T) {
	t.Parallel()
	s := withSteps(t, "a", "b", "c")
	same := keepIDs(s, "y", "z")
	exchanged := edgesLike(s, [4]string{"x", "a", "b", "failure"}, [4]string{"y", "a", "b", "success"}, [4]string{"z", "b", "c", "success"})
	rotated := edgesLike(s, [4]string{"x", "a", "b", "success"}, [4]string{"y", "b", "c", "success"}, [4]string{"z", "a", "b", "failure"})
	s.Run(
		resource.TestStep{Check: same, Config: edgesLike(s, [4]string{"x", "a", "b", "success"}, [4]string{"y", "a", "b", "failure"}, [4]string{"z", "b", "c", "success"})},
		resource.TestStep{Config: exchanged, ExpectError: s.Says("if the two exchange these, have Terraform make one of them anew")},
		resource.TestStep{Check: same, Config: exchanged, Taint: []string{"enms_workflow_edge.x"}},
		resource.TestStep{Check: same, Config: rotated, Taint: []string{"enms_workflow_edge.x"}},
	)
}

// The same for entries of enms_instances, of which one is left out for an apply.
func TestEdge_exchangeOfEntries(t *testing.T) {
	t.Parallel()
	s := withSteps(t, "a", "b")
	edges := func(subtypes ...string) string {
		entries := ""
		for n, subtype := range subtypes {
			if subtype != "" {
				entries += fmt.Sprintf("    \"NAME-%d\" = { workflow = \"NAME-w\", source = \"[NAME-w] a\", destination = \"[NAME-w] b\", subtype = %q }\n", n, subtype)
			}
		}
		return s.HCL("resource \"enms_instances\" \"edges\" {\n  type = \"workflow_edge\"\n  instances = {\n" + entries + "  }\n}\n")
	}
	s.Run(
		resource.TestStep{Config: edges("success", "failure")},
		resource.TestStep{Config: edges("failure", "success"), ExpectError: s.Says("leave one out for one apply")},
		resource.TestStep{Config: edges("", "success")},
		resource.TestStep{Config: edges("failure", "success")},
	)
}

// Removing the first of edges that are counted gives each the place of the next, which
// Terraform changes at the same time, and the last the place of one that it deletes.
func TestEdge_firstOfCountedOnesRemoved(t *testing.T) {
	t.Parallel()
	steps := []string{"a", "b", "c", "d", "e", "f"}
	s := withSteps(t, steps...)
	chain := func(steps []string) string {
		return s.HCL(fmt.Sprintf(`
			locals { steps = ["%s"] }
			resource "enms_workflow_edge" "chain" {
			  count       = length(local.steps) - 1
			  name        = "NAME-${count.index}"
			  workflow    = "NAME-w"
			  source      = "[NAME-w] ${local.steps[count.index]}"
			  destination = "[NAME-w] ${local.steps[count.index + 1]}"
			  subtype     = "success"
			}`, strings.Join(steps, `", "`)))
	}
	s.Run(
		resource.TestStep{Config: chain(steps)},
		resource.TestStep{Config: chain(steps[1:])},
		resource.TestStep{Config: chain(steps)},
	)
}

// A place that nobody gives up is an error that names who has it, where eNMS would answer 500.
func TestEdge_placeTaken(t *testing.T) {
	t.Parallel()
	s := withSteps(t, "a", "b")
	s.Put("workflow_edge", enms.Object{"name": "NAME-theirs", "workflow": "NAME-w", "source": "[NAME-w] a", "destination": "[NAME-w] b", "subtype": "failure"})()
	s.Run(
		resource.TestStep{Config: edgesLike(s, [4]string{"x", "a", "b", "success"})},
		resource.TestStep{Config: edgesLike(s, [4]string{"x", "a", "b", "failure"}), ExpectError: s.Says(`eNMS has the workflow_edge "NAME-theirs"`, "subtype, source, destination, workflow")},
		s.Failing(edgesLike(s, [4]string{"x", "a", "b", "failure"}), "otherwise delete it in eNMS"),
		s.Failing(edgesLike(s, [4]string{"x", "a", "b", "success"}, [4]string{"y", "a", "b", "failure"}), "import that one, or remove one of the two"),
		resource.TestStep{Config: edgesLike(s, [4]string{"x", "a", "b", "success"}), PlanOnly: true},
	)
}

// eNMS answers a new edge without a subtype with a traceback, KeyError: an entry without
// one is refused by the plan, as the resource is by its schema. What is taken over needs
// none.
func TestEdge_entryNeedsSubtype(t *testing.T) {
	t.Parallel()
	s := withSteps(t, "a", "b")
	edge := func(subtype, settings string) string {
		return s.HCL(fmt.Sprintf("resource \"enms_instances\" \"edges\" {\n  type = \"workflow_edge\"\n  instances = {\n    \"NAME-x\" = { workflow = \"NAME-w\", source = \"[NAME-w] a\", destination = \"[NAME-w] b\"%s }\n  }\n%s}\n", subtype, settings))
	}
	s.Run(
		resource.TestStep{Config: edge("", ""), ExpectError: s.Says("A workflow_edge needs a subtype")},
		resource.TestStep{PreConfig: s.Put("workflow_edge", enms.Object{"name": "NAME-x", "workflow": "NAME-w", "source": "[NAME-w] a", "destination": "[NAME-w] b", "subtype": "failure"}),
			Config: edge("", "  adopt_existing = true\n"), Check: s.Holds("workflow_edge", "NAME-x", "subtype", "failure")},
		resource.TestStep{Config: edge(`, subtype = "success"`, ""), Check: s.Holds("workflow_edge", "NAME-x", "subtype", "success")},
	)
}

// TestEdge_inThePlaceThatAnotherHasLeft creates an edge in the place that another one has left, which keeps the
// name that the provider made of that place. The new edge gets another name; one that is configured is not changed.
func TestEdge_inThePlaceThatAnotherHasLeft(t *testing.T) {
	t.Parallel()
	s := withSteps(t, "a", "b")
	edge := func(label, subtype, name string) string {
		return fmt.Sprintf(`
			resource "enms_workflow_edge" %q {
			  workflow    = "NAME-w"
			  source      = "[NAME-w] a"
			  destination = "[NAME-w] b"
			  subtype     = %q
			  %s
			}`, label, subtype, name)
	}
	const made = "NAME-w: [NAME-w] a -> [NAME-w] b (failure)"
	configured := fmt.Sprintf("name = %q", made)
	s.Run(
		resource.TestStep{Config: s.HCL(edge("x", "failure", ""))},
		resource.TestStep{Config: s.HCL(edge("x", "success", ""))},
		s.Failing(s.HCL(edge("x", "success", "")+edge("y", "failure", configured)), "already has a workflow_edge named", "are others by now", "It kept its name", `(failure) 2"`),
		resource.TestStep{Config: s.HCL(edge("x", "success", "") + edge("y", "failure", "")), Check: s.Holds("workflow_edge", made+" 2", "subtype", "failure")},
		resource.TestStep{Config: s.HCL(edge("y", "failure", "")), Check: s.Absent("workflow_edge", made)},
		resource.TestStep{Config: s.HCL(edge("y", "failure", "") + edge("x", "success", ""))},
	)
}

// A workflow is renamed and a new one gets its name, in one apply: the edges of the old one keep their names, and those
// of the new one get others, whether they are the same or new ones.
func TestEdge_ofAWorkflowWithTheNameOfAnother(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	workflow := func(label, name string) string {
		return strings.NewReplacer("LABEL", label, "WORKFLOW", name).Replace(`
			resource "enms_service" "LABEL" {
			  name = "WORKFLOW"
			  type = "workflow"
			}
			resource "enms_workflow_edge" "LABEL" {
			  for_each    = toset(["success", "failure"])
			  workflow    = enms_service.LABEL.name
			  source      = "[Shared] Start"
			  destination = "[Shared] End"
			  subtype     = each.key
			}`)
	}
	const made = "NAME-w: [Shared] Start -> [Shared] End (success)"
	s.Run(
		resource.TestStep{Config: s.HCL(workflow("old", "NAME-w"))},
		resource.TestStep{Config: s.HCL(workflow("old", "NAME-w old") + strings.ReplaceAll(workflow("new", "NAME-w"), `"NAME-w"`, `"NAME-w"
			  depends_on = [enms_service.old]`)), Check: resource.ComposeTestCheckFunc(
			s.Holds("workflow_edge", made, "workflow", "NAME-w old"), s.Holds("workflow_edge", made+" 2", "workflow", "NAME-w"))},
	)
}

// A new edge that may adopt wants the place that another one leaves in the same apply. Only one of them gets the
// edge in that place, whichever comes first, and the error says how to get both.
func TestEdge_adoptedInAPlaceThatIsGivenUp(t *testing.T) {
	t.Parallel()
	s := withSteps(t, "a", "b")
	const typ, words = "enms_workflow_edge", "apply again: it is then created anew"
	edge := func(name, subtype string, adopts bool) acctest.Attributes {
		e := acctest.Attributes{"workflow": s.Expand("NAME-w"), "source": s.Expand("[NAME-w] a"), "destination": s.Expand("[NAME-w] b"), "subtype": subtype, "adopt_existing": adopts}
		if name != "" {
			e["name"] = s.Expand(name)
		}
		return e
	}
	before := s.Core(nil)
	x := before.Applied(typ, edge("NAME-x", "failure", false), before.NoState(typ))
	id := x.Text(t, "id")
	checkIs := func(subtype string) {
		t.Helper()
		if row := s.Get("workflow_edge", "NAME-x"); fmt.Sprint(row["id"]) != id || row["subtype"] != subtype {
			t.Errorf("eNMS has the edge x with the id %v and the subtype %v, want %s %s", row["id"], row["subtype"], id, subtype)
		}
	}

	c := s.Core(nil).InOneRun() // the new one comes first
	y := c.Applied(typ, edge("", "failure", true), c.NoState(typ))
	x, diags := c.Apply(typ, edge("NAME-x", "success", false), x)
	acctest.CheckSays(diags, t, s.Expand(`Cannot update workflow_edge "NAME-x"`), "Another resource of the same configuration has this workflow_edge (id "+id, words)
	checkIs("failure")

	c = s.Core(nil).InOneRun() // as the error says; the edge that was taken over keeps its name
	if x = c.Refreshed(typ, x); !x.Value.IsNull() {
		t.Errorf("two resources have the edge: %s", x.Value)
	}
	x = c.Applied(typ, edge("NAME-x2", "success", false), x)
	checkIs("failure")
	before.Applied(typ, nil, y)
	before.Applied(typ, nil, x)
}

// Where the subtype is unknown until apply, so are the label and the color that follow from it.
func TestEdge_subtypeUnknownUntilApply(t *testing.T) {
	t.Parallel()
	s := withSteps(t, "a", "b")
	with := func(subtype, more string) string {
		return s.HCL(`
			resource "enms_workflow_edge" "e" {
			  name        = "NAME-e"
			  workflow    = "NAME-w"
			  source      = "[NAME-w] a"
			  destination = "[NAME-w] b"
			  subtype     = ` + subtype + `
			}` + more)
	}
	late := func(subtype, device string) string {
		return with(fmt.Sprintf(`enms_device.%s.id != "" ? %q : ""`, device, subtype), fmt.Sprintf(`
			resource "enms_device" %q {
			  name = "NAME-%[1]s"
			}`, device))
	}
	looks := func(label, color string) resource.TestCheckFunc {
		return resource.ComposeTestCheckFunc(
			resource.TestCheckResourceAttr("enms_workflow_edge.e", "label", label),
			resource.TestCheckResourceAttr("enms_workflow_edge.e", "color", color))
	}
	s.Run(
		resource.TestStep{Config: with(`"success"`, ""), Check: looks("success", "green")},
		resource.TestStep{Config: late("failure", "d"), Check: looks("failure", "red")},
		resource.TestStep{Config: late("failure", "e"), Check: looks("failure", "red")},
		resource.TestStep{PreConfig: s.Put("workflow_edge", enms.Object{"name": "NAME-e", "color": "blue"}), Config: late("success", "f"), Check: looks("success", "blue")},
	)
}
