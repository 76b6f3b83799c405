// Tests of edges of workflows: their names, their ends, their places, and those that take each other's in one apply.

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

// An edge that may be adopted is found by its workflow, its ends and its subtype, whatever its name, and keeps its name, its
// label and its color. Nothing is written, and the edges of a workflow are looked up together. An apply does not give the
// same edge to two resources, also if both may adopt it.
func TestEdge_adoptedByItsPlace(t *testing.T) {
	t.Parallel()
	steps := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	s := withSteps(t, steps...)
	s.OnlySimulated("requests are counted")
	ids := map[string]any{}
	for n := range steps[1:] {
		name := fmt.Sprintf("NAME-drawn %d", n)
		s.Put("workflow_edge", enms.Object{"name": name, "workflow": "NAME-w", "source": "[NAME-w] " + steps[n], "destination": "[NAME-w] " + steps[n+1], "subtype": "success", "label": "then", "color": "blue"})()
		ids[name] = s.Get("workflow_edge", name)["id"]
	}
	config := chain(s, steps, "adopt_existing = true")
	failure := func(label, destination string) string {
		return s.Expand(fmt.Sprintf(`
			resource "enms_workflow_edge" %q {
			  workflow       = "NAME-w"
			  source         = "[NAME-w] a"
			  destination    = "[NAME-w] %s"
			  subtype        = "failure"
			  adopt_existing = true
			}`, label, destination))
	}
	adopted := func(*terraform.State) error {
		all, writes := s.Simulator.Requests(), 0
		for _, r := range all {
			if r.Method == "POST" && strings.HasPrefix(r.Path, "/rest/instance/") {
				writes++
			}
		}
		if t.Logf("%d requests, %d of them writes", len(all), writes); len(all) > 30 || writes != 1 { // of a plan and an apply
			t.Errorf("%d requests, %d of them writes, not at most 30 and 1", len(all), writes)
		}
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
	s.Run(
		resource.TestStep{PreConfig: s.Simulator.ResetRequests, Config: config + failure("new", "h"), Check: adopted},
		resource.TestStep{PreConfig: s.Put("workflow_edge", enms.Object{"name": "NAME-failure", "workflow": "NAME-w", "source": "[NAME-w] a", "destination": "[NAME-w] b", "subtype": "failure"}),
			Config: config + failure("new", "h"), PlanOnly: true},
		s.Failing(config+failure("new", "h")+failure("y", "b")+failure("z", "b"), `workflow_edge "NAME-failure"`, "Another resource of the same configuration has this workflow_edge"),
	)
}

// A workflow was renamed, and a new one has its name: the edges of the old one keep their names. By name, an edge is the
// one in its place in the new workflow, or is created there under a free name; those of the old one stay as they are.
func TestEdge_byNameInANewVersion(t *testing.T) {
	t.Parallel()
	s := withSteps(t, "a", "b")
	first, second := edgeOf(s, "[Shared] Start", "[NAME-w] a", "success"), edgeOf(s, "[NAME-w] a", "[NAME-w] b", "success")
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

// withServices returns a server with the workflows NAME-w and NAME-v, a service in each, one
// in none, and two shared ones, of which one is in NAME-w.
func withServices(t *testing.T) *acctest.Server {
	t.Helper()
	s := acctest.NewServer(t)
	put := func(typ string, o enms.Object) {
		s.Put(typ, o)()
	}
	for _, name := range []string{"NAME-w", "NAME-v"} {
		put("workflow", enms.Object{"name": name, "scoped_name": name})
		put("python_snippet_service", enms.Object{"name": "[" + name + "] a", "scoped_name": "a", "workflows": []string{s.Expand(name)}})
	}
	put("python_snippet_service", enms.Object{"name": "NAME-free", "scoped_name": "NAME-free"})
	put("python_snippet_service", enms.Object{"name": "[Shared] NAME-in", "scoped_name": "NAME-in", "shared": true, "workflows": []string{s.Expand("NAME-w")}})
	put("python_snippet_service", enms.Object{"name": "[Shared] NAME-out", "scoped_name": "NAME-out", "shared": true})
	return s
}

// edgeOf returns an edge of NAME-w.
func edgeOf(s *acctest.Server, source, destination, subtype string) acctest.Attributes {
	return acctest.Attributes{"workflow": s.Expand("NAME-w"), "source": s.Expand(source), "destination": s.Expand(destination), "subtype": subtype}
}

// edgesTo returns a resource and an entry, both an edge of NAME-w from Start to a service.
func edgesTo(s *acctest.Server, service string) map[string]acctest.Attributes {
	single, edge := edgeOf(s, "[Shared] Start", service, "success"), edgeOf(s, "[Shared] Start", service, "success")
	single["name"] = s.Expand("NAME-e")
	return map[string]acctest.Attributes{
		"enms_workflow_edge":  single,
		acctest.TypeInstances: {"type": "workflow_edge", "instances": acctest.ObjectValue(map[string]any{s.Expand("NAME-e"): map[string]any(edge)})},
	}
}

// Where only eNMS knows, the apply warns, and asks once for each workflow.
func TestEdge_toASharedServiceOutsideTheWorkflow(t *testing.T) {
	t.Parallel()
	s := withServices(t)
	for service, outside := range map[string]bool{"[NAME-w] a": false, "[Shared] End": false, "[Shared] NAME-in": false, "[Shared] NAME-out": true} {
		service = s.Expand(service)
		for typ, config := range edgesTo(s, service) {
			c := s.Core(nil)
			state, diags := c.Apply(typ, config, c.NoState(typ))
			warns := s.Says("A service is not in the workflow", fmt.Sprintf("%q is not a service of the workflow %q", service, s.Expand("NAME-w")), "to workflows of the shared service").MatchString(diags.String())
			if diags.Failed() || warns != outside || len(diags) > 0 != outside {
				t.Errorf("%s to %s: %s", typ, service, diags)
			}
			if p, diags := c.NewRun().Plan(typ, config, c.Refreshed(typ, state)); len(diags) > 0 || !p.Noop {
				t.Errorf("%s to %s: the plan after it: %s", typ, service, diags)
			}
			c.Applied(typ, nil, state)
		}
	}
}

// The members of a workflow are asked for once, whatever the number of its edges.
func TestEdge_membersOfAWorkflowCostOneRequest(t *testing.T) {
	t.Parallel()
	s := withServices(t)
	if s.Simulator == nil {
		t.Skip("a real eNMS does not count requests")
	}
	entries := func(shared bool) acctest.Attributes {
		all := map[string]any{}
		for i := range 20 {
			destination := "[NAME-w] a"
			if shared {
				destination = "[Shared] NAME-in"
			}
			all[s.Expand(fmt.Sprint("NAME-", shared, i))] = map[string]any(edgeOf(s, "[Shared] Start", destination, fmt.Sprint("own", i)))
		}
		return acctest.Attributes{"type": "workflow_edge", "instances": acctest.ObjectValue(all)}
	}
	// The searches that find more services than the two ends.
	searches := func(config acctest.Attributes) (count int) {
		c := s.Core(nil)
		for _, r := range acctest.CountRequests(s, "20 edges", 100, func() {
			c.Applied(acctest.TypeInstances, config, c.NoState(acctest.TypeInstances))
		}) {
			if r.Path == "/rest/search" && r.Type == "service" && r.Answered > 2 {
				count++
			}
		}
		return count
	}
	if plain, shared := searches(entries(false)), searches(entries(true)); shared != plain+1 {
		t.Errorf("%d searches of services where the names tell the workflow, and %d where the ends are shared", plain, shared)
	}
}

// An edge keeps its name when its ends change. A new edge in its old place, which may adopt, does not take it for its own.
func TestEdge_adoptsByPlaceAlone(t *testing.T) {
	t.Parallel()
	s := withServices(t)
	const typ = "enms_workflow_edge"
	old, now := edgeOf(s, "[NAME-w] a", "[Shared] End", "success"), edgeOf(s, "[Shared] Start", "[NAME-w] a", "success")
	c := s.Core(acctest.Attributes{"adopt_existing": true})
	moved := c.Applied(typ, old, c.NoState(typ))
	moved = c.Applied(typ, now, moved)
	first := moved.Text(t, "id")
	named := edgeOf(s, "[NAME-w] a", "[Shared] End", "success") // a name of its own is no reason, either
	named["name"] = moved.Text(t, "name")
	if _, diags := c.Apply(typ, named, c.NoState(typ)); !s.Says("already has a workflow_edge named").MatchString(diags.String()) {
		t.Errorf("with the name: %s", diags)
	}
	made := c.Applied(typ, old, c.NoState(typ))
	if id := made.Text(t, "id"); id == first {
		t.Error("the edge of another resource was taken over")
	}
	if p, diags := c.NewRun().Plan(typ, now, c.Refreshed(typ, moved)); len(diags) > 0 || !p.Noop {
		t.Errorf("the plan of the first edge: %s", diags)
	}
	again := c.Applied(typ, old, c.NoState(typ)) // what has the place is adopted
	if again.Text(t, "id") != made.Text(t, "id") {
		t.Error("what has the place was not adopted")
	}
	c.Applied(typ, nil, made)
	c.Applied(typ, nil, moved)
}

// withSteps returns a server with a workflow that has services.
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

// Removing the first of edges that are counted gives each the place of the next, which
// Terraform changes at the same time, and the last the place of one that it deletes.
func TestEdge_firstOfCountedOnesRemoved(t *testing.T) {
	t.Parallel()
	steps := []string{"a", "b", "c", "d", "e", "f"}
	s := withSteps(t, steps...)
	const named = `name = "NAME-${count.index}"`
	s.Run(
		resource.TestStep{Config: chain(s, steps, named)},
		resource.TestStep{Config: chain(s, steps[1:], named)},
		resource.TestStep{Config: chain(s, steps, named)},
	)
}

// chain returns counted edges from each step to the next, with one more attribute.
func chain(s *acctest.Server, steps []string, attribute string) string {
	return s.HCL(fmt.Sprintf(`
		locals { steps = ["%s"] }
		resource "enms_workflow_edge" "chain" {
		  count       = length(local.steps) - 1
		  workflow    = "NAME-w"
		  source      = "[NAME-w] ${local.steps[count.index]}"
		  destination = "[NAME-w] ${local.steps[count.index + 1]}"
		  subtype     = "success"
		  %s
		}`, strings.Join(steps, `", "`), attribute))
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
		e := edgeOf(s, "[NAME-w] a", "[NAME-w] b", subtype)
		e["adopt_existing"] = adopts
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
