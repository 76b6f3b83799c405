// Tests of where the services of workflows and the nodes of networks stand.

package layout_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

func TestLayout_ofAWorkflow(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.Put("workflow", enms.Object{"name": "NAME-w", "scoped_name": "NAME-w"})()
	c, typ := s.Core(nil), "enms_workflow_layout"
	config := acctest.Attributes{"workflow": s.Expand("NAME-w"), "positions": acctest.Positions(map[string][2]float64{"[Shared] Start": {-100, 0.5}, "[Shared] End": {300, 20}})}
	state := c.Refreshed(typ, c.Applied(typ, config, c.NoState(typ)))
	if start, end := acctest.PositionOf(s, "service", "[Shared] Start", "NAME-w"), acctest.PositionOf(s, "service", "[Shared] End", "NAME-w"); start != "[-100 0.5]" || end != "[300 20]" {
		t.Errorf("Start is at %s, End at %s", start, end)
	}
	c.PlansNothing(typ, config, state)
	s.Put("service", enms.Object{"name": "[Shared] End", "positions": map[string]any{s.Expand("NAME-w"): []any{1, 2}}})()
	state = c.Refreshed(typ, state)
	if p, diags := c.Plan(typ, config, state); diags.Failed() || p.Noop {
		t.Errorf("a service that was moved is no difference: %s", diags)
	}
	state = c.Refreshed(typ, c.Applied(typ, config, state))
	if end := acctest.PositionOf(s, "service", "[Shared] End", "NAME-w"); end != "[300 20]" {
		t.Errorf("after the repair End is at %s", end)
	}
	imported := c.Imported(typ, s.Expand("NAME-w"))
	c.PlansNothing(typ, config, imported)
	s.Drop("workflow", "NAME-w")()
	if state = c.Refreshed(typ, state); !state.Value.IsNull() {
		t.Errorf("the workflow is gone, its layout is %s", state.Value)
	}
}

// A service that is not in the workflow would be created by eNMS: the error stands on
// it, and nothing is sent.
func TestLayout_serviceOutsideTheWorkflow(t *testing.T) {
	t.Parallel()
	s, w := acctest.NewWatched(t)
	s.Put("workflow", enms.Object{"name": "w", "scoped_name": "w"})()
	c, typ := s.Core(nil), "enms_workflow_layout"
	_, diags := c.Apply(typ, acctest.Attributes{"workflow": "w", "positions": acctest.Positions(map[string][2]float64{"[Shared] Start": {1, 2}, "none": {3, 4}})}, c.NoState(typ))
	if !acctest.ErrorOn(diags, "positions") || !strings.Contains(diags.String(), `ElementKeyString("none")`) || !strings.Contains(diags.String(), "Nothing was moved") {
		t.Errorf("a missing service: %s", diags)
	}
	_, diags = c.Apply(typ, acctest.Attributes{"workflow": "x", "positions": acctest.Positions(map[string][2]float64{"[Shared] Start": {1, 2}})}, c.NoState(typ))
	if !diags.Failed() {
		t.Errorf("a missing workflow: %s", diags)
	}
	_, diags = c.Apply(typ, acctest.Attributes{"workflow": "w", "positions": acctest.Positions(map[string][2]float64{"start": {1, 2}})}, c.NoState(typ))
	acctest.CheckSays(diags, t, `no service "start"`, `Did you mean "[Shared] Start"?`)
	if sent := w.To(""); len(sent) > 0 {
		t.Errorf("%v was sent", sent)
	}
}

// A request that fails is an error of a read, an apply, a query or an import, whichever it is. A plan does without.
func TestLayout_failingRequests(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	w, step := s.Expand("NAME-w"), s.Expand("[NAME-w] a")
	s.Put("workflow", enms.Object{"name": w, "scoped_name": w})()
	s.Put("service", enms.Object{"name": step, "scoped_name": "a", "workflows": []string{w}})()
	typ := "enms_workflow_layout"
	acctest.FailEach(s, func(from *acctest.Server, refused func() string) {
		s.Put("service", enms.Object{"name": step, "positions": map[string]any{w: []any{7, 8}}})()
		s.Put("workflow", enms.Object{"name": w, "labels": map[string]any{}})()
		config := acctest.Attributes{"workflow": w, "positions": acctest.Positions(map[string][2]float64{step: {1, 2}}), "labels": labelValues(map[string]map[string]any{"a": labelValue("x", 1, 2, nil, nil)})}
		c := from.Core(nil)
		state, diags := c.Apply(typ, config, c.NoState(typ))
		ofPlan := strings.Contains(refused(), `"name_filter"`)
		if !diags.Failed() {
			if state, diags = c.Refresh(typ, state); !diags.Failed() {
				_, diags = c.Apply(typ, nil, state)
			}
		}
		failing := refused()
		if diags.Failed() == (failing == "") && !ofPlan && !acctest.IsForMark(failing) {
			t.Errorf("without %s: %s", failing, diags)
		}
		if at := acctest.PositionOf(s, "service", step, w); failing == "" && at != "[7 8]" {
			t.Errorf("destroyed, the layout has left the only step at %s", at)
		}
	})
	s.Put("service", enms.Object{"name": step, "positions": map[string]any{w: []any{7, 8}}})()
	acctest.FailEach(s, func(from *acctest.Server, refused func() string) {
		c := from.Core(nil)
		failed := 0
		for result := range acctest.StreamQuery(t.Context(), c, acctest.Query{Type: typ, Whole: true}) {
			failed += len(result.Diagnostics)
		}
		_, diags := c.ImportByName(typ, w)
		if failing := refused(); (failed+len(diags) == 0) != (failing == "") && !acctest.IsForMark(failing) {
			t.Errorf("without %s: %d errors, %s", failing, failed, diags)
		}
	})
}

// A workflow that is renamed keeps its layout, whether or not that is managed.
func TestLayout_keptByARenamedWorkflow(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c, typ := s.Core(nil), "enms_service"
	config := acctest.Attributes{"name": s.Expand("NAME-w"), "type": "workflow"}
	state := c.Applied(typ, config, c.NoState(typ))
	s.Put("service", enms.Object{"name": "[Shared] End", "positions": map[string]any{s.Expand("NAME-w"): []any{7, 8}}})()
	s.Put("service", enms.Object{"name": "[Shared] Start", "positions": map[string]any{s.Expand("NAME-w"): []any{5, 6}}})()
	config["name"] = s.Expand("NAME-v")
	state = c.Applied(typ, config, state)
	if start, end := acctest.PositionOf(s, "service", "[Shared] Start", "NAME-v"), acctest.PositionOf(s, "service", "[Shared] End", "NAME-v"); start != "[5 6]" || end != "[7 8]" {
		t.Errorf("after the rename Start is at %s, End at %s", start, end)
	}
	c.Applied(typ, nil, state)
}

// A layout whose workflow has another name is still that of the workflow: it leaves the
// state with the workflow alone, and the next plan gives both their names back.
func TestLayout_followsARenameOutsideTerraform(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c, typ := s.Core(nil), "enms_workflow_layout"
	w, v := s.Expand("NAME-w"), s.Expand("NAME-v") // the descriptions tell these services from those of other tests on a real server
	workflow := c.Applied("enms_service", acctest.Attributes{"name": w, "type": "workflow", "description": w}, c.NoState("enms_service"))
	step := c.Applied("enms_service", acctest.Attributes{"name": "[" + w + "] s", "workflows": []string{w}, "description": w}, c.NoState("enms_service"))
	configOf := func(workflow string) acctest.Attributes {
		return acctest.Attributes{"workflow": workflow, "positions": acctest.Positions(map[string][2]float64{"[" + workflow + "] s": {1, 2}, "[Shared] End": {30, 40}})}
	}
	state := c.Applied(typ, configOf(w), c.NoState(typ))

	s.Put("workflow", enms.Object{"name": w, "scoped_name": v, "new_name": v})()
	state = c.Refreshed(typ, state)
	if state.Value.IsNull() || state.Text(t, "workflow") != v {
		t.Fatalf("after the rename the layout is %s", state.Value)
	}
	c.PlansNothing(typ, configOf(v), state)
	if p, diags := c.Plan(typ, configOf(w), state); diags.Failed() || p.Noop || p.Replace {
		t.Errorf("the plan with the old name is no update: %s %s", diags, p.Value)
	}

	// Another workflow has the old name meanwhile.
	s.Put("workflow", enms.Object{"name": w, "scoped_name": w})()
	if state = c.Refreshed(typ, state); state.Text(t, "workflow") != v {
		t.Errorf("beside a workflow of the old name the layout is %s", state.Value)
	}
	s.Drop("workflow", w)()

	workflow, step = c.Refreshed("enms_service", workflow), c.Refreshed("enms_service", step)
	workflow = c.Applied("enms_service", acctest.Attributes{"name": w, "type": "workflow", "description": w}, workflow)
	step = c.Applied("enms_service", acctest.Attributes{"name": "[" + w + "] s", "workflows": []string{w}, "description": w}, step)
	state = c.Refreshed(typ, c.Applied(typ, configOf(w), state))
	c.PlansNothing(typ, configOf(w), state)

	// A state that does not hold the id, as after an import, gets it by a read.
	state.Private = nil
	state = c.Refreshed(typ, state)
	s.Put("workflow", enms.Object{"name": w, "scoped_name": v, "new_name": v})()
	if state = c.Refreshed(typ, state); state.Value.IsNull() || state.Text(t, "workflow") != v {
		t.Errorf("after another rename the layout is %s", state.Value)
	}
	accepted := func(state acctest.ResourceState) acctest.ResourceState { // by an apply -refresh-only
		return c.Refreshed("enms_service", c.Refreshed("enms_service", state))
	}
	c.Applied("enms_service", nil, accepted(step))
	c.Applied("enms_service", nil, accepted(workflow))
	if state = c.Refreshed(typ, state); !state.Value.IsNull() {
		t.Errorf("the workflow is gone, its layout is %s", state.Value)
	}
}

// An apply that renames a workflow and then fails has not reached the layout.
func TestLayout_survivesAFailedApply(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.Put("service", enms.Object{"name": "[NAME-v] taken", "scoped_name": "[NAME-v] taken"})()
	w := acctest.NewWorkspace(t)
	config := func(workflow, step string) string {
		return s.HCL(fmt.Sprintf(`
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
	w.Configure(config("w", "s"))
	w.Apply(10)
	w.Configure(config("v", "taken"))
	if code, out := w.Run("apply", "-no-color", "-auto-approve"); code == 0 || !s.Says("already has a").MatchString(out) {
		t.Fatalf("apply ended with %d:\n%s", code, out)
	}
	w.Configure(config("v", "t"))
	code, out := w.Run("plan", "-no-color", "-detailed-exitcode")
	if code != 2 || !s.Says("0 to add, 2 to change, 0 to destroy").MatchString(out) {
		t.Errorf("plan ended with %d:\n%s", code, out)
	}
	w.Apply(10)
	w.PlanNothing()
	if code, out := w.Run("destroy", "-no-color", "-auto-approve"); code != 0 {
		t.Errorf("destroy ended with %d:\n%s", code, out)
	}
}

// What a user may read, but not edit, is neither moved nor drawn, and nothing is made in its place: eNMS would make a
// workflow without a name (enms-rest.md 6.2). On eNMS 5, who may read a network may edit it.
func TestLayout_withoutTheRightToEdit(t *testing.T) {
	t.Parallel()
	acctest.OnEachLine(t, func(t *testing.T, s *acctest.Server, is5 bool) {
		t.Helper()
		w, n, d := s.Expand("NAME-w"), s.Expand("NAME-n"), s.Expand("NAME-d")
		step := "[" + w + "] a"
		ann, readers := s.PutUser("NAME-ann", nil), []string{s.Expand("NAME-ann-g")}
		s.Put("workflow", enms.Object{"name": w, "scoped_name": w, "rbac_read": readers})()
		s.Put("service", enms.Object{"name": step, "scoped_name": "a", "workflows": []string{w}, "rbac_read": readers})()
		s.Put("network", enms.Object{"name": n, "rbac_read": readers})()
		s.Put("device", enms.Object{"name": d, "networks": []string{n}, "rbac_read": readers})()
		c := s.Core(nil)
		for _, test := range []struct {
			typ, of, name string
			hers          acctest.Attributes
		}{
			{"workflow", w, step, acctest.Attributes{"positions": acctest.Positions(map[string][2]float64{step: {5, 2}})}},
			{"workflow", w, step, acctest.Attributes{"labels": labelValues(map[string]map[string]any{"note": {"text": "hers", "x": 1, "y": 2, "size": 14, "alignment": "left"}})}},
			{"network", n, d, acctest.Attributes{"positions": acctest.Positions(map[string][2]float64{d: {5, 2}})}},
		} {
			if is5 && test.typ == "network" {
				continue
			}
			typ := "enms_" + test.typ + "_layout"
			state := c.Refreshed(typ, c.Applied(typ, acctest.Attributes{test.typ: test.of, "positions": acctest.Positions(map[string][2]float64{test.name: {1, 2}})}, c.NoState(typ)))
			test.hers[test.typ] = test.of
			for _, config := range []acctest.Attributes{test.hers, nil} {
				if _, diags := ann.Apply(typ, config, state); !s.Says("Cannot ", "add a group of this user to its rbac_edit").MatchString(diags.String()) {
					t.Errorf("%s %v: %s", typ, config, diags)
				}
			}
			if now := c.Refreshed(typ, state); !now.Value.Equal(state.Value) {
				t.Errorf("%s is %s now, and was %s", typ, now.Value, state.Value)
			}
			c.Applied(typ, nil, state)
		}
		if rows, err := s.Client.Search(s.Context(), "service", []string{"name"}, map[string]any{"name": "^(None|)$", "name_filter": "regex"}); len(rows) > 0 || err != nil {
			t.Errorf("there is a workflow without a name: %v, %v", rows, err)
		}
	})
}

// A service that is deleted while the layout moves it back is no error, and the others go back.
func TestLayout_serviceDeletedMeanwhile(t *testing.T) {
	t.Parallel()
	s, proxy := acctest.NewServerBehindProxy(t)
	w := s.Expand("NAME-w")
	s.Put("workflow", enms.Object{"name": w, "scoped_name": w})()
	for _, step := range []string{"a", "b"} {
		s.Put("service", enms.Object{"name": "[" + w + "] " + step, "scoped_name": step, "workflows": []string{w}})()
	}
	c, typ := s.Core(nil), "enms_workflow_layout"
	config := acctest.Attributes{"workflow": w, "positions": acctest.Positions(map[string][2]float64{"[" + w + "] a": {1, 2}, "[" + w + "] b": {3, 4}})}
	state := c.Refreshed(typ, c.Applied(typ, config, c.NoState(typ)))
	var once sync.Once
	proxy.SetRewrite(func(r *http.Request, _ func() (int, []byte)) []byte {
		if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/instance/service") {
			once.Do(s.Drop("service", "["+w+"] a"))
		}
		return nil
	})
	c.Applied(typ, nil, state)
	if at := acctest.PositionOf(s, "service", "["+w+"] b", w); at != "[0 0]" {
		t.Errorf("the other service is at %s", at)
	}
}
