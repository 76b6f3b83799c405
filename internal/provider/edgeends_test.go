// Tests of edges whose ends are services that are not in the workflow. eNMS takes such edges
// and follows them, and shows neither them nor the services.

package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// withServices returns a server with the workflows NAME-w and NAME-v, a service in each, one
// in none, and two shared ones, of which one is in NAME-w.
func withServices(t *testing.T) *server {
	t.Helper()
	s := newServer(t)
	put := func(typ string, o enms.Object) {
		s.put(typ, o)()
		t.Cleanup(s.drop(typ, o["name"].(string)))
	}
	for _, name := range []string{"NAME-w", "NAME-v"} {
		put("workflow", enms.Object{"name": name, "scoped_name": name})
		put("python_snippet_service", enms.Object{"name": "[" + name + "] a", "scoped_name": "a", "workflows": []string{s.expand(name)}})
	}
	put("python_snippet_service", enms.Object{"name": "NAME-free", "scoped_name": "NAME-free"})
	put("python_snippet_service", enms.Object{"name": "[Shared] NAME-in", "scoped_name": "NAME-in", "shared": true, "workflows": []string{s.expand("NAME-w")}})
	put("python_snippet_service", enms.Object{"name": "[Shared] NAME-out", "scoped_name": "NAME-out", "shared": true})
	return s
}

// edgesTo returns a resource and an entry, both an edge of NAME-w from Start to a service.
func edgesTo(s *server, service string) map[string]attributes {
	edge := map[string]any{"workflow": "NAME-w", "source": "[Shared] Start", "destination": service, "subtype": "success"}
	for name, v := range edge {
		edge[name] = s.expand(v.(string))
	}
	resource := attributes{"name": s.expand("NAME-e")}
	for name, v := range edge {
		resource[name] = v
	}
	return map[string]attributes{
		"enms_workflow_edge": resource,
		manyType:             {"type": "workflow_edge", "instances": object(map[string]any{s.expand("NAME-e"): edge})},
	}
}

// Where the names tell, the plan refuses.
func TestEdgeToAServiceOutside(t *testing.T) {
	t.Parallel()
	s := withServices(t)
	for service, becomes := range map[string]string{"NAME-free": "[NAME-w] NAME-free", "[NAME-v] a": "[NAME-w] a", "[[NAME-w] NAME-v] a": "[NAME-w] a"} {
		service = s.expand(service)
		for typ, config := range edgesTo(s, service) {
			c := s.core(nil)
			_, diags := c.plan(typ, config, c.none(typ))
			if len(diags) != 1 || !s.says("A service outside the workflow", fmt.Sprintf("%q is not a service of the workflow %q", service, s.expand("NAME-w")),
				`Write workflows = ["NAME-w"]`, fmt.Sprintf("called %q then", becomes)).MatchString(diags.String()) || !strings.Contains(diags.String(), "destination") {
				t.Errorf("%s to %s: %s", typ, service, diags)
			}
		}
	}
}

// Where only eNMS knows, the apply warns, and asks once for each workflow.
func TestEdgeToASharedServiceOutside(t *testing.T) {
	t.Parallel()
	s := withServices(t)
	for service, outside := range map[string]bool{"[NAME-w] a": false, "[Shared] End": false, "[Shared] NAME-in": false, "[Shared] NAME-out": true} {
		service = s.expand(service)
		for typ, config := range edgesTo(s, service) {
			c := s.core(nil)
			state, diags := c.apply(typ, config, c.none(typ))
			warns := s.says("A service outside the workflow", fmt.Sprintf("%q is not a service of the workflow %q", service, s.expand("NAME-w")), "to workflows of the shared service").MatchString(diags.String())
			if diags.failed() || warns != outside || len(diags) > 0 != outside {
				t.Errorf("%s to %s: %s", typ, service, diags)
			}
			if p, diags := c.newRun().plan(typ, config, c.refreshed(typ, state)); len(diags) > 0 || !p.noop {
				t.Errorf("%s to %s: the plan after it: %s", typ, service, diags)
			}
			c.applied(typ, nil, state)
		}
	}
}

// What eNMS has may stay, and its other attributes may change.
func TestImportedEdgeToAServiceOutside(t *testing.T) {
	t.Parallel()
	s := withServices(t)
	s.put("workflow_edge", enms.Object{"name": "NAME-e", "workflow": "NAME-w", "source": "[Shared] Start", "destination": "NAME-free", "subtype": "success"})()
	c := s.core(nil)
	state, diags := c.importByName("enms_workflow_edge", s.expand("NAME-e"))
	if diags.failed() {
		t.Fatal(diags)
	}
	config := edgesTo(s, "NAME-free")["enms_workflow_edge"]
	if p, diags := c.plan("enms_workflow_edge", config, state); len(diags) > 0 || !p.noop {
		t.Errorf("%s %s", p.value, diags)
	}
	config["label"] = "mine"
	state = c.applied("enms_workflow_edge", config, state)
	c.applied("enms_workflow_edge", nil, state)
}

// The members of a workflow are asked for once, whatever the number of its edges.
func TestSharedEndsCostOneRequest(t *testing.T) {
	t.Parallel()
	s := withServices(t)
	if s.simulator == nil {
		t.Skip("a real eNMS does not count requests")
	}
	entries := func(shared bool) attributes {
		all := map[string]any{}
		for i := range 20 {
			destination := "[NAME-w] a"
			if shared {
				destination = "[Shared] NAME-in"
			}
			all[s.expand(fmt.Sprint("NAME-", shared, i))] = map[string]any{"workflow": s.expand("NAME-w"), "source": "[Shared] Start", "destination": s.expand(destination), "subtype": fmt.Sprint("own", i)}
		}
		return attributes{"type": "workflow_edge", "instances": object(all)}
	}
	cost := func(config attributes) int {
		c := s.core(nil)
		return len(s.counted("20 edges", 100, func() {
			if _, diags := c.apply(manyType, config, c.none(manyType)); diags.failed() {
				t.Error(diags)
			}
		}))
	}
	if plain, shared := cost(entries(false)), cost(entries(true)); shared > plain+1 {
		t.Errorf("%d requests, and %d where the ends are shared", plain, shared)
	}
}
