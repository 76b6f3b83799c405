// Tests of edges of workflows: their names, their colours, and that there is one of
// each.

package provider_test

import (
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// withWorkflow returns a server with a workflow, and an edge of it.
func withWorkflow(t *testing.T) (*server, attributes) {
	t.Helper()
	s := newServer(t)
	s.put("workflow", enms.Object{"name": "NAME-w", "scoped_name": "NAME-w"})()
	t.Cleanup(s.drop("workflow", "NAME-w"))
	return s, attributes{"workflow": s.expand("NAME-w"), "source": "[Shared] Start", "destination": "[Shared] End", "subtype": "success"}
}

func TestEdgeName(t *testing.T) {
	t.Parallel()
	s, config := withWorkflow(t)
	c := s.core(nil)
	state := c.applied("enms_workflow_edge", config, c.none("enms_workflow_edge"))
	name, id := state.text(t, "name"), state.text(t, "id")
	if name != s.expand("NAME-w: [Shared] Start -> [Shared] End (success)") {
		t.Errorf("the edge is called %q", name)
	}
	config["subtype"] = "failure"
	state = c.refreshed("enms_workflow_edge", c.applied("enms_workflow_edge", config, state))
	if state.text(t, "name") != name || state.text(t, "id") != id {
		t.Errorf("a change made another edge: %q, %s", state.text(t, "name"), state.text(t, "id"))
	}
	config["name"] = s.expand("NAME-e")
	state = c.refreshed("enms_workflow_edge", c.applied("enms_workflow_edge", config, state))
	delete(config, "name")
	if p, diags := c.plan("enms_workflow_edge", config, state); diags.failed() || !p.noop {
		t.Errorf("a name that is given no more is kept: %s %s", diags, p.value)
	}
	c.applied("enms_workflow_edge", nil, state)
}

// eNMS has one edge of the same four only, and answers 500 to a second one.
func TestEdgeTwice(t *testing.T) {
	t.Parallel()
	s, config := withWorkflow(t)
	c := s.core(nil)
	config["name"] = s.expand("NAME-e")
	c.applied("enms_workflow_edge", config, c.none("enms_workflow_edge"))
	config["name"] = s.expand("NAME-f")
	_, diags := c.apply("enms_workflow_edge", config, c.none("enms_workflow_edge"))
	if said := diags.String(); !strings.Contains(said, s.expand(`eNMS has the workflow_edge "NAME-e"`)) || !strings.Contains(said, "subtype, source, destination, workflow") {
		t.Errorf("a second one: %s", said)
	}
	config["subtype"] = "failure"
	state := c.applied("enms_workflow_edge", config, c.none("enms_workflow_edge"))
	config["subtype"] = "success"
	if _, diags = c.apply("enms_workflow_edge", config, state); !strings.Contains(diags.String(), s.expand(`eNMS has the workflow_edge "NAME-e"`)) {
		t.Errorf("an update to the same four: %s", diags)
	}
}

// eNMS gives label and colour at creation only.
func TestEdgeFollowsItsSubtype(t *testing.T) {
	t.Parallel()
	s, config := withWorkflow(t)
	c := s.core(nil)
	config["name"] = s.expand("NAME-e")
	look := func(what, label, color string) {
		t.Helper()
		if held := s.get("workflow_edge", "NAME-e"); held["label"] != label || held["color"] != color {
			t.Errorf("%s: label %v, color %v", what, held["label"], held["color"])
		}
	}
	state := c.applied("enms_workflow_edge", config, c.none("enms_workflow_edge"))
	look("at creation", "success", "green")
	config["subtype"] = "failure"
	state = c.applied("enms_workflow_edge", config, state)
	look("with another subtype", "failure", "red")
	config["label"] = "mine"
	state = c.applied("enms_workflow_edge", config, state)
	config["subtype"] = "success"
	state = c.applied("enms_workflow_edge", config, state)
	look("with a label of its own", "mine", "green")
	delete(config, "label")
	c.applied("enms_workflow_edge", config, state)
	look("with the label taken out", "success", "green")
}
