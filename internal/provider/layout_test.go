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

// A layout whose workflow has another name is still that of the workflow: it leaves the
// state with the workflow alone, and the next plan gives both their names back.
func TestWorkflowLayoutFollowsARenameByOthers(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c, typ := s.core(nil), "enms_workflow_layout"
	w, v := s.expand("NAME-w"), s.expand("NAME-v")
	workflow := c.applied("enms_service", attributes{"name": w, "type": "workflow"}, c.none("enms_service"))
	step := c.applied("enms_service", attributes{"name": "[" + w + "] s", "workflows": []string{w}}, c.none("enms_service"))
	configOf := func(workflow string) attributes {
		return attributes{"workflow": workflow, "positions": positions(map[string][2]float64{"[" + workflow + "] s": {1, 2}, "[Shared] End": {30, 40}})}
	}
	state := c.applied(typ, configOf(w), c.none(typ))

	s.put("workflow", enms.Object{"name": w, "scoped_name": v, "new_name": v})()
	state = c.refreshed(typ, state)
	if state.value.IsNull() || state.text(t, "workflow") != v {
		t.Fatalf("after the rename the layout is %s", state.value)
	}
	if p, diags := c.plan(typ, configOf(v), state); diags.failed() || !p.noop {
		t.Errorf("the plan with the new name is not empty: %s %s", diags, p.value)
	}
	if p, diags := c.plan(typ, configOf(w), state); diags.failed() || p.noop || p.replace {
		t.Errorf("the plan with the old name is no update: %s %s", diags, p.value)
	}

	// Another workflow has the old name meanwhile.
	s.put("workflow", enms.Object{"name": w, "scoped_name": w})()
	if state = c.refreshed(typ, state); state.text(t, "workflow") != v {
		t.Errorf("beside a workflow of the old name the layout is %s", state.value)
	}
	s.drop("workflow", w)()

	workflow, step = c.refreshed("enms_service", workflow), c.refreshed("enms_service", step)
	workflow = c.applied("enms_service", attributes{"name": w, "type": "workflow"}, workflow)
	step = c.applied("enms_service", attributes{"name": "[" + w + "] s", "workflows": []string{w}}, step)
	state = c.refreshed(typ, c.applied(typ, configOf(w), state))
	if p, diags := c.plan(typ, configOf(w), state); diags.failed() || !p.noop {
		t.Errorf("the plan after the repair is not empty: %s %s", diags, p.value)
	}

	// A state that does not hold the id, as after an import, gets it by a read.
	state.private = nil
	state = c.refreshed(typ, state)
	s.put("workflow", enms.Object{"name": w, "scoped_name": v, "new_name": v})()
	if state = c.refreshed(typ, state); state.value.IsNull() || state.text(t, "workflow") != v {
		t.Errorf("after another rename the layout is %s", state.value)
	}
	c.applied("enms_service", nil, c.refreshed("enms_service", step))
	c.applied("enms_service", nil, c.refreshed("enms_service", workflow))
	if state = c.refreshed(typ, state); !state.value.IsNull() {
		t.Errorf("the workflow is gone, its layout is %s", state.value)
	}
}

// An apply that renames a workflow and then fails has not reached the layout.
func TestWorkflowLayoutSurvivesAFailedApply(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.put("service", enms.Object{"name": "[NAME-v] taken", "scoped_name": "[NAME-v] taken"})()
	t.Cleanup(s.drop("service", "[NAME-v] taken"))
	w := newWorkspace(t)
	config := func(workflow, step string) string {
		return s.hcl(fmt.Sprintf(`
			resource "enms_service" "w" {
			  name = "NAME-%s"
			  type = "workflow"
			}
			resource "enms_service" "s" {
			  name      = "[${enms_service.w.name}] %s"
			  workflows = [enms_service.w.name]
			}
			resource "enms_workflow_layout" "l" {
			  workflow  = enms_service.w.name
			  positions = { (enms_service.s.name) = { x = 1, y = 2 } }
			}`, workflow, step))
	}
	w.configure(config("w", "s"))
	w.apply(10)
	w.configure(config("v", "taken"))
	if code, out := w.run("apply", "-no-color", "-auto-approve"); code == 0 || !s.says("already has a").MatchString(out) {
		t.Fatalf("apply ended with %d:\n%s", code, out)
	}
	w.configure(config("v", "t"))
	code, out := w.run("plan", "-no-color", "-detailed-exitcode")
	if code != 2 || !s.says("0 to add, 2 to change, 0 to destroy").MatchString(out) {
		t.Errorf("plan ended with %d:\n%s", code, out)
	}
	w.apply(10)
	w.planNothing()
	if code, out := w.run("destroy", "-no-color", "-auto-approve"); code != 0 {
		t.Errorf("destroy ended with %d:\n%s", code, out)
	}
}
