// Tests of where the services of workflows and the nodes of networks stand.

package provider_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// positions are positions as HCL would give them.
func positions(all map[string][2]float64) tftypes.Value {
	object := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"x": tftypes.Number, "y": tftypes.Number}}
	members := map[string]tftypes.Value{}
	for name, at := range all {
		members[name] = tftypes.NewValue(object, map[string]tftypes.Value{
			"x": tftypes.NewValue(tftypes.Number, big.NewFloat(at[0])), "y": tftypes.NewValue(tftypes.Number, big.NewFloat(at[1]))})
	}
	return tftypes.NewValue(tftypes.Map{ElementType: object}, members)
}

// stands is where eNMS has something, in a workflow or network.
func (s *server) stands(typ, name, in string) string {
	s.t.Helper()
	at, _ := s.find(typ, name, "positions")["positions"].(map[string]any)
	return fmt.Sprint(at[s.expand(in)])
}

func TestWorkflowLayout(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.put("workflow", enms.Object{"name": "NAME-w", "scoped_name": "NAME-w"})()
	t.Cleanup(s.drop("workflow", "NAME-w"))
	c, typ := s.core(nil), "enms_workflow_layout"
	config := attributes{"workflow": s.expand("NAME-w"), "positions": positions(map[string][2]float64{"[Shared] Start": {-100, 0.5}, "[Shared] End": {300, 20}})}
	state := c.refreshed(typ, c.applied(typ, config, c.none(typ)))
	if start, end := s.stands("service", "[Shared] Start", "NAME-w"), s.stands("service", "[Shared] End", "NAME-w"); start != "[-100 0.5]" || end != "[300 20]" {
		t.Errorf("Start is at %s, End at %s", start, end)
	}
	if p, diags := c.plan(typ, config, state); diags.failed() || !p.noop {
		t.Errorf("the plan is not empty: %s %s", diags, p.value)
	}
	s.put("service", enms.Object{"name": "[Shared] End", "positions": map[string]any{s.expand("NAME-w"): []any{1, 2}}})()
	state = c.refreshed(typ, state)
	if p, diags := c.plan(typ, config, state); diags.failed() || p.noop {
		t.Errorf("a service that was moved is no difference: %s", diags)
	}
	state = c.refreshed(typ, c.applied(typ, config, state))
	if end := s.stands("service", "[Shared] End", "NAME-w"); end != "[300 20]" {
		t.Errorf("after the repair End is at %s", end)
	}
	imported, diags := c.importByName(typ, s.expand("NAME-w"))
	if diags.failed() {
		t.Fatal(diags)
	}
	if p, diags := c.plan(typ, config, imported); diags.failed() || !p.noop {
		t.Errorf("the plan after the import is not empty: %s %s", diags, p.value)
	}
	s.drop("workflow", "NAME-w")()
	if state = c.refreshed(typ, state); !state.value.IsNull() {
		t.Errorf("the workflow is gone, its layout is %s", state.value)
	}
}

// A service that is not in the workflow would be created by eNMS: the error stands on
// it, and nothing is sent.
func TestWorkflowLayoutOfMissingService(t *testing.T) {
	t.Parallel()
	s, w := newWatched(t)
	s.put("workflow", enms.Object{"name": "w", "scoped_name": "w"})()
	c, typ := s.core(nil), "enms_workflow_layout"
	_, diags := c.apply(typ, attributes{"workflow": "w", "positions": positions(map[string][2]float64{"[Shared] Start": {1, 2}, "none": {3, 4}})}, c.none(typ))
	if !diags.on("positions") || !strings.Contains(diags.String(), `ElementKeyString("none")`) || !strings.Contains(diags.String(), "Nothing was moved") {
		t.Errorf("a missing service: %s", diags)
	}
	_, diags = c.apply(typ, attributes{"workflow": "x", "positions": positions(map[string][2]float64{"[Shared] Start": {1, 2}})}, c.none(typ))
	if !diags.failed() {
		t.Errorf("a missing workflow: %s", diags)
	}
	if sent := w.to(""); len(sent) > 0 {
		t.Errorf("%v was sent", sent)
	}
}

func layoutOf(name string) string {
	return `
resource "enms_service" "w" {
  name = "NAME-` + name + `"
  type = "workflow"
}
resource "enms_workflow_layout" "l" {
  workflow  = enms_service.w.name
  positions = { "[Shared] Start" = { x = -10, y = 0 }, "[Shared] End" = { x = 10, y = 5 } }
}`
}

// A workflow and its layout, renamed in the same apply.
func TestWorkflowLayoutFollowsARename(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	at := func(name string) resource.TestCheckFunc {
		return func(*terraform.State) error {
			if got := s.stands("service", "[Shared] End", name); got != "[10 5]" {
				return fmt.Errorf("End is at %s", got)
			}
			return nil
		}
	}
	s.run(
		resource.TestStep{Config: s.hcl(layoutOf("w")), Check: at("NAME-w")},
		resource.TestStep{Config: s.hcl(layoutOf("v")), Check: at("NAME-v")},
	)
}

// A workflow that is renamed keeps its layout, whether or not that is managed; one that
// is created where another one was has a layout of its own.
func TestWorkflowKeepsItsLayout(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c, typ := s.core(nil), "enms_service"
	config := attributes{"name": s.expand("NAME-w"), "type": "workflow"}
	state := c.applied(typ, config, c.none(typ))
	s.put("service", enms.Object{"name": "[Shared] End", "positions": map[string]any{s.expand("NAME-w"): []any{7, 8}}})()
	s.put("service", enms.Object{"name": "[Shared] Start", "positions": map[string]any{s.expand("NAME-w"): []any{5, 6}}})()
	config["name"] = s.expand("NAME-v")
	state = c.applied(typ, config, state)
	if start, end := s.stands("service", "[Shared] Start", "NAME-v"), s.stands("service", "[Shared] End", "NAME-v"); start != "[5 6]" || end != "[7 8]" {
		t.Errorf("after the rename Start is at %s, End at %s", start, end)
	}
	c.applied(typ, nil, state)
	state = c.applied(typ, config, c.none(typ))
	if start, end := s.stands("service", "[Shared] Start", "NAME-v"), s.stands("service", "[Shared] End", "NAME-v"); start != "[0 0]" || end != "[500 0]" {
		t.Errorf("a new workflow has Start at %s, End at %s", start, end)
	}
	c.applied(typ, nil, state)
}

func TestNetworkKeepsItsLayout(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.put("device", enms.Object{"name": "NAME-d"})()
	t.Cleanup(s.drop("device", "NAME-d"))
	c, typ := s.core(nil), "enms_network"
	config := attributes{"name": s.expand("NAME-n"), "nodes": []string{s.expand("NAME-d")}}
	state := c.applied(typ, config, c.none(typ))
	s.put("device", enms.Object{"name": "NAME-d", "positions": map[string]any{s.expand("NAME-n"): []any{7, 8}}})()
	config["name"], config["description"] = s.expand("NAME-m"), "another"
	state = c.refreshed(typ, c.applied(typ, config, state))
	if got := s.stands("device", "NAME-d", "NAME-m"); got != "[7 8]" {
		t.Errorf("after the rename the device is at %s", got)
	}
	if p, diags := c.plan(typ, config, state); diags.failed() || !p.noop {
		t.Errorf("the plan is not empty: %s %s", diags, p.value)
	}
	c.applied(typ, nil, state)
}
