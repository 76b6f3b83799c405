// Tests of edges whose ends are services that are not in the workflow. eNMS takes such edges
// and follows them, and shows neither them nor the services.

package kinds_test

import (
	"fmt"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

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

// edgesTo returns a resource and an entry, both an edge of NAME-w from Start to a service.
func edgesTo(s *acctest.Server, service string) map[string]acctest.Attributes {
	edge := map[string]any{"workflow": "NAME-w", "source": "[Shared] Start", "destination": service, "subtype": "success"}
	for name, v := range edge {
		edge[name] = s.Expand(v.(string))
	}
	resource := acctest.Attributes{"name": s.Expand("NAME-e")}
	for name, v := range edge {
		resource[name] = v
	}
	return map[string]acctest.Attributes{
		"enms_workflow_edge":  resource,
		acctest.TypeInstances: {"type": "workflow_edge", "instances": acctest.ObjectValue(map[string]any{s.Expand("NAME-e"): edge})},
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
			all[s.Expand(fmt.Sprint("NAME-", shared, i))] = map[string]any{"workflow": s.Expand("NAME-w"), "source": "[Shared] Start", "destination": s.Expand(destination), "subtype": fmt.Sprint("own", i)}
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
	edge := func(source, destination string) acctest.Attributes {
		return acctest.Attributes{"workflow": s.Expand("NAME-w"), "source": s.Expand(source), "destination": s.Expand(destination), "subtype": "success"}
	}
	text := func(state acctest.ResourceState, attribute string) string {
		return acctest.TextOf(t, acctest.Members(t, state.Value)[attribute])
	}
	c := s.Core(acctest.Attributes{"adopt_existing": true})
	moved := c.Applied(typ, edge("[NAME-w] a", "[Shared] End"), c.NoState(typ))
	moved = c.Applied(typ, edge("[Shared] Start", "[NAME-w] a"), moved)
	first := text(moved, "id")
	named := edge("[NAME-w] a", "[Shared] End") // a name of its own is no reason, either
	named["name"] = text(moved, "name")
	if _, diags := c.Apply(typ, named, c.NoState(typ)); !s.Says("already has a workflow_edge named").MatchString(diags.String()) {
		t.Errorf("with the name: %s", diags)
	}
	made := c.Applied(typ, edge("[NAME-w] a", "[Shared] End"), c.NoState(typ))
	if id := text(made, "id"); id == first {
		t.Error("the edge of another resource was taken over")
	}
	if p, diags := c.NewRun().Plan(typ, edge("[Shared] Start", "[NAME-w] a"), c.Refreshed(typ, moved)); len(diags) > 0 || !p.Noop {
		t.Errorf("the plan of the first edge: %s", diags)
	}
	again := c.Applied(typ, edge("[NAME-w] a", "[Shared] End"), c.NoState(typ)) // what has the place is adopted
	if text(again, "id") != text(made, "id") {
		t.Error("what has the place was not adopted")
	}
	c.Applied(typ, nil, made)
	c.Applied(typ, nil, moved)
}
