// Tests of edges of workflows: their names, their colours, and that there is one of
// each.

package provider_test

import (
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// withWorkflow returns a server with a workflow, and an edge of it.
func withWorkflow(t *testing.T) (*acctest.Server, acctest.Attributes) {
	t.Helper()
	s := acctest.NewServer(t)
	s.Put("workflow", enms.Object{"name": "NAME-w", "scoped_name": "NAME-w"})()
	t.Cleanup(s.Drop("workflow", "NAME-w"))
	return s, acctest.Attributes{"workflow": s.Expand("NAME-w"), "source": "[Shared] Start", "destination": "[Shared] End", "subtype": "success"}
}

func TestEdge_name(t *testing.T) {
	t.Parallel()
	s, config := withWorkflow(t)
	c := s.Core(nil)
	state := c.Applied("enms_workflow_edge", config, c.NoState("enms_workflow_edge"))
	name, id := state.Text(t, "name"), state.Text(t, "id")
	if name != s.Expand("NAME-w: [Shared] Start -> [Shared] End (success)") {
		t.Errorf("the edge is called %q", name)
	}
	config["subtype"] = "failure"
	state = c.Refreshed("enms_workflow_edge", c.Applied("enms_workflow_edge", config, state))
	if state.Text(t, "name") != name || state.Text(t, "id") != id {
		t.Errorf("a change made another edge: %q, %s", state.Text(t, "name"), state.Text(t, "id"))
	}
	config["name"] = s.Expand("NAME-e")
	state = c.Refreshed("enms_workflow_edge", c.Applied("enms_workflow_edge", config, state))
	delete(config, "name")
	if p, diags := c.Plan("enms_workflow_edge", config, state); diags.Failed() || !p.Noop {
		t.Errorf("a name that is given no more is kept: %s %s", diags, p.Value)
	}
	c.Applied("enms_workflow_edge", nil, state)
}

// eNMS has one edge of the same four only, and answers 500 to a second one.
func TestEdge_secondOfTheSameEnds(t *testing.T) {
	t.Parallel()
	s, config := withWorkflow(t)
	c := s.Core(nil)
	config["name"] = s.Expand("NAME-e")
	c.Applied("enms_workflow_edge", config, c.NoState("enms_workflow_edge"))
	config["name"] = s.Expand("NAME-f")
	_, diags := c.Apply("enms_workflow_edge", config, c.NoState("enms_workflow_edge"))
	if said := diags.String(); !strings.Contains(said, s.Expand(`eNMS has the workflow_edge "NAME-e"`)) || !strings.Contains(said, "subtype, source, destination, workflow") {
		t.Errorf("a second one: %s", said)
	}
	config["subtype"] = "failure"
	state := c.Applied("enms_workflow_edge", config, c.NoState("enms_workflow_edge"))
	config["subtype"] = "success"
	if _, diags = c.Apply("enms_workflow_edge", config, state); !strings.Contains(diags.String(), s.Expand(`eNMS has the workflow_edge "NAME-e"`)) {
		t.Errorf("an update to the same four: %s", diags)
	}
}

// eNMS gives label and colour at creation only.
func TestEdge_labelAndColourFollowTheSubtype(t *testing.T) {
	t.Parallel()
	s, config := withWorkflow(t)
	c := s.Core(nil)
	config["name"] = s.Expand("NAME-e")
	look := func(what, label, color string) {
		t.Helper()
		if held := s.Get("workflow_edge", "NAME-e"); held["label"] != label || held["color"] != color {
			t.Errorf("%s: label %v, color %v", what, held["label"], held["color"])
		}
	}
	state := c.Applied("enms_workflow_edge", config, c.NoState("enms_workflow_edge"))
	look("at creation", "success", "green")
	config["subtype"] = "failure"
	state = c.Applied("enms_workflow_edge", config, state)
	look("with another subtype", "failure", "red")
	config["label"] = "mine"
	state = c.Applied("enms_workflow_edge", config, state)
	config["subtype"] = "success"
	state = c.Applied("enms_workflow_edge", config, state)
	look("with a label of its own", "mine", "green")
	delete(config, "label")
	c.Applied("enms_workflow_edge", config, state)
	look("with the label taken out", "success", "green")
}
