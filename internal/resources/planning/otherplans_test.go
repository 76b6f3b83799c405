// Tests of plans in one run of Terraform: a plan says the same whatever was planned before, and also when it is
// made twice.

package planning_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/terraformtest"
)

// Terraform plans in any order, and with -minimal-refresh it plans a resource twice in one run. So a plan says the same
// as in a run of its own, after plans that create, adopt, rename, destroy, keep, replace or import the same instance.
func TestPlans_knowNothingOfEachOther(t *testing.T) {
	acctest.ParallelIfSimulated(t)
	s := acctest.NewServer(t)
	name := s.Expand("NAME-d")
	before := s.Core(nil)
	type plan struct {
		what, typ string
		config    acctest.Attributes
		state     acctest.ResourceState
	}
	var plans []plan
	for what, h := range holdings {
		none := before.NoState(h.typ)
		state := before.Applied(h.typ, h.config(name, "Cisco"), none)
		creating := h.config(name, "Nokia")
		creating["adopt_existing"] = false
		replacing := h.config(name, "Cisco")
		replacing["type"] = "router"
		for does, p := range map[string]plan{
			"creates": {config: h.config(s.Expand("NAME-new"), "Cisco"), state: none}, "creates what exists": {config: creating, state: none},
			"adopts": {config: h.config(name, "Nokia"), state: none}, "renames": {config: h.config(s.Expand("NAME-e"), "Cisco"), state: state},
			"keeps": {config: h.config(name, "Cisco"), state: state}, "destroys": {state: state}, "replaces": {config: replacing, state: state},
			"creates in a replacement": {config: replacing, state: acctest.ResourceState{Value: none.Value, Private: state.Private}},
		} {
			p.what, p.typ = what+" "+does, h.typ
			plans = append(plans, p)
		}
	}
	alone := map[string]acctest.Planned{}
	says := map[string]string{}
	for _, p := range plans {
		planned, diags := before.NewRun().Plan(p.typ, p.config, p.state)
		if diags.Failed() {
			t.Fatalf("%s: %s", p.what, diags)
		}
		alone[p.what], says[p.what] = planned, diags.String()
	}
	ids := map[string]string{"enms_device": name, "enms_instances": "device/" + name}
	run := before.NewRun()
	for range 2 {
		for _, p := range plans {
			planned, diags := run.Plan(p.typ, p.config, p.state)
			if !planned.Value.Equal(alone[p.what].Value) || !bytes.Equal(planned.Private, alone[p.what].Private) || planned.Replace != alone[p.what].Replace || diags.String() != says[p.what] {
				t.Errorf("%s: %s %s\nalone: %s %s", p.what, planned.Value, diags, alone[p.what].Value, says[p.what])
			}
		}
		for typ, id := range ids {
			if _, diags := run.ImportByName(typ, id); len(diags) > 0 {
				t.Errorf("import of %s: %s", typ, diags)
			}
		}
		slices.Reverse(plans)
	}
}

// With -minimal-refresh, Terraform plans with the state, drops the plan, reads, and plans again in one run. The plan is
// the usual one: a replacement, the edge that is recreated with its service, and a new entry are no duplicates.
func TestPlan_minimalRefresh(t *testing.T) {
	acctest.ParallelIfSimulated(t)
	s := acctest.NewServer(t)
	tf := &terraformtest.Terraform{Provider: acctest.Modelled}
	hcl := func(typ, service, entries string) string {
		return s.HCL(`
		resource "enms_device" "d" {
		  name = "NAME-d"
		  type = "` + typ + `"
		}
		resource "enms_service" "w" {
		  name = "NAME-w"
		  type = "workflow"
		}
		resource "enms_service" "s" {
		  name      = "[NAME-w] s"
		  type      = "` + service + `"
		  workflows = [enms_service.w.name]
		}
		resource "enms_service" "first" {
		  name      = "[NAME-w] first"
		  type      = "python_snippet_service"
		  workflows = [enms_service.w.name]
		}
		resource "enms_workflow_edge" "e" {
		  workflow    = enms_service.w.name
		  source      = enms_service.first.name
		  destination = enms_service.s.name
		  subtype     = "success"
		}
		resource "enms_instances" "all" {
		  type      = "device"
		  instances = { ` + entries + ` }
		}`)
	}
	apply := func(hcl string, want map[string]terraformtest.Action) {
		t.Helper()
		config, err := acctest.Modelled.Parse(hcl)
		if err != nil {
			t.Fatal(err)
		}
		planned, found := tf.Plan(t.Context(), config, terraformtest.PlanOptions{MinimalRefresh: true})
		if found.Failed() {
			t.Fatal(found)
		}
		if usual, _ := tf.Plan(t.Context(), config, terraformtest.PlanOptions{}); planned.String() != usual.String() {
			t.Errorf("planned: %s\nusual: %s", planned, usual)
		}
		for address, action := range want {
			if got := planned.Changes[address].Action; got != action {
				t.Errorf("%s of %s is planned, want %s", got, address, action)
			}
		}
		if done := tf.Apply(t.Context(), planned); done.Found.Failed() {
			t.Fatal(done.Found)
		}
		if planned, found = tf.Plan(t.Context(), config, terraformtest.PlanOptions{MinimalRefresh: true}); found.Failed() || !planned.Empty() {
			t.Errorf("after the apply: %s %s", planned, found)
		}
	}
	apply(hcl("device", "python_snippet_service", `"NAME-e" = {}`), nil)
	apply(hcl("router", "rest_call_service", `"NAME-e" = {}, "NAME-f" = {}`), map[string]terraformtest.Action{
		"enms_device.d": terraformtest.Replace, "enms_service.s": terraformtest.Replace, "enms_workflow_edge.e": terraformtest.Replace, "enms_instances.all": terraformtest.Update})
	apply(s.HCL(""), nil)
}

// An edge is replaced with its service also if that gets another name, by itself or with its workflow, or if the edge
// leaves it: eNMS deletes the edge with the service, before an update.
func TestPlan_edgeOfReplacedService(t *testing.T) {
	acctest.ParallelIfSimulated(t)
	s := acctest.NewServer(t)
	tf := &terraformtest.Terraform{Provider: acctest.Modelled}
	hcl := func(workflow, name, typ, destination, other string) string {
		return s.HCL(`
		resource "enms_service" "w" {
		  name = "NAME-` + workflow + `"
		  type = "workflow"
		}
		resource "enms_service" "other" {
		  name      = "[${enms_service.w.name}] other"
		  workflows = [enms_service.w.name]
		}
		resource "enms_workflow_edge" "e" {
		  workflow    = enms_service.w.name
		  source      = "[Shared] Start"
		  destination = enms_service.` + destination + `.name
		  subtype     = "success"
		}` + other + `
		resource "enms_service" "s" {
		  name      = "[${enms_service.w.name}] ` + name + `"
		  type      = "` + typ + `"
		  workflows = [enms_service.w.name]
		}`)
	}
	const edge = "enms_workflow_edge.e"
	for _, step := range []struct {
		hcl     string
		replace []string
		want    terraformtest.Action
	}{
		{hcl: hcl("w", "s", "service", "s", ""), want: terraformtest.Create},
		{hcl: hcl("w", "s2", "ping_service", "s", ""), want: terraformtest.Replace},
		{hcl: hcl("w2", "s2", "service", "s", ""), want: terraformtest.Replace},
		{hcl: hcl("w2", "s3", "service", "s", ""), replace: []string{"enms_service.s"}, want: terraformtest.Replace},
		{hcl: hcl("w2", "s4", "service", "s", ""), want: terraformtest.Update},
		{hcl: hcl("w2", "s4", "ping_service", "other", ""), want: terraformtest.Replace},
		{hcl: hcl("w2", "s4", "ping_service", "s", ""), want: terraformtest.Update},
	} {
		config, err := acctest.Modelled.Parse(step.hcl)
		if err != nil {
			t.Fatal(err)
		}
		planned, found := tf.Plan(t.Context(), config, terraformtest.PlanOptions{Replace: step.replace})
		if found.Failed() {
			t.Fatal(found)
		}
		if got := planned.Changes[edge].Action; got != step.want {
			t.Errorf("%s of the edge is planned, want %s: %s", got, step.want, planned)
		}
		if done := tf.Apply(t.Context(), planned); done.Found.Failed() {
			t.Fatal(done.Found)
		}
		if planned, found = tf.Plan(t.Context(), config, terraformtest.PlanOptions{}); found.Failed() || !planned.Empty() {
			t.Errorf("after the apply: %s %s", planned, found)
		}
	}
}
