// Tests of labels of workflows, and of what a layout gives back.

package layout_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// labelValue is a label as HCL would give it; what is nil is left out.
func labelValue(text string, x, y float64, size, alignment any) map[string]any {
	if n, is := size.(int); is {
		size = big.NewFloat(float64(n))
	}
	return map[string]any{"text": text, "x": big.NewFloat(x), "y": big.NewFloat(y), "size": size, "alignment": alignment}
}

// labelValues are labels as HCL would give them.
func labelValues(all map[string]map[string]any) tftypes.Value {
	types := map[string]tftypes.Type{"text": tftypes.String, "x": tftypes.Number, "y": tftypes.Number, "size": tftypes.Number, "alignment": tftypes.String}
	members := map[string]tftypes.Value{}
	for key, label := range all {
		fields := map[string]tftypes.Value{}
		for name, typ := range types {
			fields[name] = tftypes.NewValue(typ, label[name])
		}
		members[key] = tftypes.NewValue(tftypes.Object{AttributeTypes: types}, fields)
	}
	return tftypes.NewValue(tftypes.Map{ElementType: tftypes.Object{AttributeTypes: types}}, members)
}

// labelsIn returns the labels of a workflow as eNMS holds them, by its keys.
func labelsIn(s *acctest.Server, workflow string) map[string]any {
	s.T.Helper()
	held, _ := s.Get("workflow", workflow)["labels"].(map[string]any)
	return held
}

// uuid is a key as the Workflow Builder gives it.
const uuid = "0b1c2d3e-4f50-4a1b-8c2d-0123456789ab"

// A label has a key of the configuration's; the Workflow Builder takes it for a label only if
// eNMS's key is as long as a UUID and has a hyphen. Labels of others are left alone.
func TestLabels(t *testing.T) {
	t.Parallel()
	s, _ := acctest.NewServerWithWorkflow(t)
	w := s.Expand("NAME-w")
	theirs := map[string]any{"positions": []any{"10.5", "-3"}, "content": "theirs\r\nof two lines", "alignment": "left", "size": "20"}
	s.Put("workflow", enms.Object{"name": w, "labels": map[string]any{uuid: theirs}})()
	c, typ := s.Core(nil), "enms_workflow_layout"
	config := acctest.Attributes{"workflow": w, "labels": labelValues(map[string]map[string]any{
		"title": labelValue("Upgrade\nof switches", 100, -50.5, nil, nil), "side-note.1": labelValue("x", 0, 0, 30, "right")})}
	state := c.Refreshed(typ, c.Applied(typ, config, c.NoState(typ)))
	held := labelsIn(s, w)
	title := "title" + strings.Repeat("-", 31)
	if len(held) != 3 || held[uuid] == nil || fmt.Sprint(held[title]) != "map[alignment:center content:Upgrade\nof switches positions:[100 -50.5] size:14]" ||
		fmt.Sprint(held["side-note.1"+strings.Repeat("-", 25)]) != "map[alignment:right content:x positions:[0 0] size:30]" {
		t.Errorf("eNMS has the labels %v", held)
	}
	c.PlansNothing(typ, config, state)

	// What others do with its labels is drift, and what they do with their own is not.
	held[title].(map[string]any)["positions"] = []any{1, 2}
	held[uuid].(map[string]any)["content"] = "changed"
	s.Put("workflow", enms.Object{"name": w, "labels": held})()
	state = c.Refreshed(typ, state)
	if p, diags := c.Plan(typ, config, state); diags.Failed() || p.Noop {
		t.Errorf("a label that was moved is no difference: %s", diags)
	}
	state = c.Refreshed(typ, c.Applied(typ, config, state))
	if held = labelsIn(s, w); fmt.Sprint(held[title].(map[string]any)["positions"]) != "[100 -50.5]" || held[uuid].(map[string]any)["content"] != "changed" {
		t.Errorf("after the repair eNMS has the labels %v", held)
	}

	// An import brings all labels, those of others under eNMS's keys.
	imported := c.Imported(typ, w)
	all := acctest.Attributes{"workflow": w, "positions": acctest.Positions(map[string][2]float64{"[Shared] End": {500, 0}}), "labels": labelValues(map[string]map[string]any{
		"title": labelValue("Upgrade\nof switches", 100, -50.5, nil, nil), "side-note.1": labelValue("x", 0, 0, 30, "right"), uuid: labelValue("changed", 10.5, -3, 20, "left")})}
	c.PlansNothing(typ, all, imported)

	// A label that is removed from the configuration is removed from the workflow.
	config["labels"] = labelValues(map[string]map[string]any{"title": labelValue("another", 100, -50.5, nil, nil)})
	state = c.Refreshed(typ, c.Applied(typ, config, state))
	if held = labelsIn(s, w); len(held) != 2 || held[title].(map[string]any)["content"] != "another" {
		t.Errorf("eNMS has the labels %v", held)
	}
	// Somebody changes a label of theirs after the plan.
	run := c.InOneRun()
	state = run.Refreshed(typ, state)
	held[uuid].(map[string]any)["content"] = "changed again"
	s.Put("workflow", enms.Object{"name": w, "labels": held})()
	config["labels"] = labelValues(map[string]map[string]any{"title": labelValue("a third", 100, -50.5, nil, nil)})
	state = c.Refreshed(typ, run.Applied(typ, config, state))
	if held = labelsIn(s, w); held[uuid].(map[string]any)["content"] != "changed again" || held[title].(map[string]any)["content"] != "a third" {
		t.Errorf("eNMS has the labels %v", held)
	}
	run = c.InOneRun()
	run.Refreshed(typ, state)
	more := run.Applied(typ, acctest.Attributes{"workflow": w, "labels": labelValues(map[string]map[string]any{"more": labelValue("more", 1, 2, nil, nil)})}, run.NoState(typ))
	if held = labelsIn(s, w); len(held) != 3 {
		t.Errorf("with a second layout, eNMS has the labels %v", held)
	}
	c.Applied(typ, nil, more)
	c.Applied(typ, nil, state)
	if held = labelsIn(s, w); len(held) != 1 || held[uuid] == nil {
		t.Errorf("after the layout was destroyed eNMS has the labels %v", held)
	}
}

// Keys that the Workflow Builder could not tell from those of services are refused, and so are names of no workflow.
func TestLabels_keys(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c, typ := s.Core(nil), "enms_workflow_layout"
	label := labelValue("x", 0, 0, nil, nil)
	for _, key := range []string{"", "-x", "x-", "a/b", "a b", strings.Repeat("x", 36)} {
		acctest.CheckSays(c.Validate(typ, acctest.Attributes{"workflow": "w", "labels": labelValues(map[string]map[string]any{key: label})}), t, "at most 35 characters")
	}
	for _, name := range []string{" ", "none"} {
		_, diags := c.ImportByName(typ, name)
		acctest.CheckSays(diags, t, "Invalid workflow name", "Import by the full name")
	}
	acctest.CheckSays(c.Validate(typ, acctest.Attributes{"workflow": "w"}), t, "At least one attribute", "positions")
	wrong := labelValues(map[string]map[string]any{"a": labelValue("x", 0, 0, nil, "top")})
	acctest.CheckSays(c.Validate(typ, acctest.Attributes{"workflow": "w", "labels": wrong}), t, "alignment")
}

// What a layout lets go of goes back to where it was found; what somebody has moved since, and
// what it has never moved, stays.
func TestLayout_goesBack(t *testing.T) {
	t.Parallel()
	s, _ := acctest.NewServerWithWorkflow(t)
	w := s.Expand("NAME-w")
	for _, step := range []string{"a", "b", "c"} {
		s.Put("service", enms.Object{"name": "[" + w + "] " + step, "scoped_name": step, "workflows": []string{w}})()
	}
	s.Put("service", enms.Object{"name": "[" + w + "] a", "positions": map[string]any{w: []any{7, 8}}})()
	c, typ := s.Core(nil), "enms_workflow_layout"
	at := func(what string, want map[string]string) {
		t.Helper()
		for name, place := range want {
			if name != "[Shared] End" {
				name = "[" + w + "] " + name
			}
			if have := acctest.PositionOf(s, "service", name, w); have != place {
				t.Errorf("%s %s is at %s, want %s", what, name, have, place)
			}
		}
	}
	configOf := func(names ...string) acctest.Attributes {
		all := map[string][2]float64{"[Shared] End": {900, 9}}
		for n, name := range names {
			all["["+w+"] "+name] = [2]float64{float64(100 * n), 1}
		}
		return acctest.Attributes{"workflow": w, "positions": acctest.Positions(all)}
	}
	state := c.Refreshed(typ, c.Applied(typ, configOf("a", "b", "c"), c.NoState(typ)))
	at("laid out,", map[string]string{"a": "[0 1]", "b": "[100 1]", "c": "[200 1]", "[Shared] End": "[900 9]"})
	state = c.Refreshed(typ, c.Applied(typ, configOf("a", "b"), state))
	at("let go of,", map[string]string{"a": "[0 1]", "b": "[100 1]", "c": "[0 0]"})

	// A step is renamed; another resource of the same run has it where it is.
	s.Put("service", enms.Object{"name": "[" + w + "] a", "scoped_name": "z", "new_name": "[" + w + "] z"})()
	config := configOf("z", "b")
	state = c.Refreshed(typ, c.Applied(typ, config, c.Refreshed(typ, state)))
	run := c.InOneRun()
	other := run.Applied(typ, config, run.NoState(typ))
	run.Applied(typ, nil, state)
	at("moved to another address,", map[string]string{"z": "[0 1]", "b": "[100 1]", "[Shared] End": "[900 9]"})
	c.Applied(typ, nil, c.Refreshed(typ, other))
	at("never moved,", map[string]string{"z": "[0 1]", "b": "[100 1]"})

	s.Put("service", enms.Object{"name": "[" + w + "] b", "positions": map[string]any{w: []any{5, 5}}})()
	s.Put("service", enms.Object{"name": "[" + w + "] z", "positions": map[string]any{w: []any{7, 8}}})()
	state = c.Refreshed(typ, c.Applied(typ, configOf("z", "b"), c.NoState(typ)))
	s.Put("service", enms.Object{"name": "[" + w + "] b", "positions": map[string]any{w: []any{6, 6}}})()
	c.Applied(typ, nil, state)
	at("destroyed,", map[string]string{"z": "[7 8]", "b": "[6 6]"})

	// An earlier run has put them elsewhere from another address.
	state = c.Refreshed(typ, c.Applied(typ, configOf("z", "b"), c.NoState(typ)))
	c.Applied(typ, configOf("b", "z"), c.NoState(typ))
	c.Applied(typ, nil, c.Refreshed(typ, state))
	at("written by another address,", map[string]string{"z": "[100 1]", "b": "[0 1]"})
}
