// The comparison of the model of Terraform with the real one: both play the same steps, each with a
// server of its own.

package lives

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/terraformtest"
)

// TestMain has garbage collected less often, which makes lives a quarter faster.
func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	acctest.Main(m)
}

// comparedStep is a configuration that both apply.
type comparedStep struct {
	what    string
	config  string
	others  func(s *acctest.Server) // what somebody else does before
	taint   string                  // an address
	destroy bool
	fails   bool
}

const site = `
locals {
  vendors = { NAME-b = "Cisco", NAME-c = "Nokia" }
  noted   = "beside ${enms_device.a.name}"
}
resource "enms_device" "a" {
  name = "NAME-a"
  ip_address = "10.0.0.1"
  properties = { custom = "x" }
}
resource "enms_device" "counted" {
  count = 2
  name  = "NAME-${count.index}"
  description = local.noted
}
resource "enms_device" "each" {
  for_each = local.vendors
  name     = each.key
  vendor   = each.value
}
resource "enms_pool" "all" {
  name    = "NAME-all"
  devices = concat(enms_device.counted[*].name, values(enms_device.each)[*].name)
}
data "enms_device" "a" {
  name = "NAME-there"
}
data "enms_device" "later" {
  name = enms_device.a.name
}
output "there" { value = data.enms_device.a.description }
output "later" { value = upper(data.enms_device.later.ip_address) }
`

// comparedMistakes change nothing.
var comparedMistakes = []comparedStep{
	{what: "an argument that there is not", config: "resource \"enms_device\" \"a\" {\n  name = \"NAME-a\"\n  nam = \"x\"\n}", fails: true},
	{what: "no name, and a number for a Boolean", config: "resource \"enms_task\" \"a\" {\n  is_active = 7\n}", fails: true},
	{what: "an invalid value", config: "resource \"enms_device\" \"a\" {\n  name = \"NAME-a\"\n  ip_address = \"10.0.0.1/x\"\n}", fails: true},
	{what: "a missing owner", config: "resource \"enms_device\" \"a\" {\n  name = \"NAME-a\"\n  owners = [\"nobody\"]\n}", fails: true},
}

// comparedSteps follow each other.
var comparedSteps = []comparedStep{
	{what: "references, count, for_each, locals, data sources and outputs", config: site},
	{what: "drift, an update and one instance fewer", config: strings.NewReplacer("10.0.0.1", "10.0.0.2", "count = 2", "count = 1").Replace(site), others: func(s *acctest.Server) {
		s.Put("device", enms.Object{"name": "NAME-b", "vendor": "Arista"})()
		s.Drop("device", "NAME-c")()
	}},
	{what: "moved, removed and imported", config: `
moved {
  from = enms_device.counted
  to   = enms_device.moved
}
moved {
  from = enms_device.a
  to   = enms_device.d[0]
}
removed {
  from = enms_device.each
  lifecycle {
    destroy = false
  }
}
import {
  to = enms_device.there
  id = "NAME-there"
}
resource "enms_device" "moved" {
  count = 1
  name  = "NAME-${count.index}"
}
resource "enms_device" "d" {
  count      = 1
  name       = "NAME-a"
  ip_address = "10.0.0.2"
}
resource "enms_device" "there" {
  name = "NAME-there"
}
`},
	{what: "replaced in both orders, triggered, ignored and tainted", taint: "enms_device.there", config: `
resource "enms_device" "moved" {
  name = "NAME-0"
  type = "gateway"
  lifecycle {
    ignore_changes = [description]
  }
}
resource "enms_device" "d" {
  count      = 1
  name       = "NAME-e"
  type       = "gateway"
  lifecycle {
    create_before_destroy = true
  }
}
resource "enms_device" "there" {
  name = "NAME-there"
}
resource "enms_device" "after" {
  name        = "NAME-after"
  description = enms_device.d[0].type
  depends_on  = [enms_device.there]
}
`},
	{what: "triggered by what changes", config: `
resource "enms_device" "moved" {
  name = "NAME-0"
  type = "gateway"
  vendor = "Cisco"
}
resource "enms_device" "d" {
  count      = 1
  name       = "NAME-e"
  type       = "gateway"
}
resource "enms_device" "there" {
  name = "NAME-there"
}
resource "enms_device" "after" {
  name        = "NAME-after"
  description = "gateway"
  lifecycle {
    replace_triggered_by = [enms_device.moved.vendor]
  }
}
`},
	{what: "an apply of which a part fails", config: `
resource "enms_device" "moved" {
  name = "NAME-0"
  type = "gateway"
  vendor = "Cisco"
}
resource "enms_link" "l" {
  name        = "NAME-l"
  source      = enms_device.moved.name
  destination = enms_device.moved.name
}
resource "enms_instances" "m" {
  type      = "device"
  instances = { "NAME-x" = {}, "NAME-y" = { properties = { serialized = "y" } } }
}
resource "enms_device" "after" {
  name        = "NAME-after"
  description = "after ${length(enms_instances.m.instances)}"
}
`, fails: true},
	{what: "everything is destroyed", config: `
resource "enms_device" "moved" {
  name = "NAME-0"
  type = "gateway"
}
`, destroy: true},
}

// comparedLives are lives whose outcome does not depend on which of several operations Terraform begins
// first. Each apply is one attempt.
var comparedLives = map[string][]step{
	"a replacement that creates before it destroys": {
		set{"enms_device.a", block{"name": "A", createBeforeDestroy: true}},
		set{"enms_device.b", block{"name": "B", "description": "beside ${enms_device.a.id}"}},
		set{"enms_device.c", block{"name": "C", "description": "beside ${enms_device.b.id}", createBeforeDestroy: true}},
		apply{},
		set{"enms_device.a", block{"name": "E", "type": "gateway", createBeforeDestroy: true}},
		set{"enms_device.b", block{"name": "D", "type": "gateway", "description": "beside ${enms_device.a.id}"}},
		apply{},
		set{"enms_device.b", block{"name": "D", "description": "beside ${enms_device.a.id}"}},
		apply{},
		set{"enms_device.c", block{"name": "C"}},
		apply{},
	},
	"destruction in the order of dependences": {
		set{"enms_service.w", block{"name": "W", "type": "workflow"}},
		set{"enms_service.s", block{"name": "[${enms_service.w.name}] S", "type": "python_snippet_service", "workflows": []any{"${enms_service.w.name}"}}},
		set{"enms_task.t", block{"name": "T", "service": "${enms_service.s.name}"}},
		apply{},
		remove{"enms_service.w"},
		apply{},
	},
	"a dependence that has gone": {
		set{"enms_device.a", block{"name": "A"}},
		set{"enms_device.b", block{"name": "B", "description": "beside ${enms_device.a.id}"}},
		apply{},
		set{"enms_device.b", block{"name": "B"}},
		remove{"enms_device.a"},
		apply{},
	},
	"an object that a replacement has put aside is destroyed after the next one": {
		set{many + ".m", block{"type": "device", "instances": entries{"A": good, "B": good}, createBeforeDestroy: true}},
		set{"enms_device.d", block{"name": "D"}},
		apply{},
		set{many + ".m", block{"type": "gateway", "instances": entries{"A": good, "C": good}, createBeforeDestroy: true}},
		apply{},
		set{many + ".m", block{"type": "gateway", "instances": entries{"A": good, "C": good}}},
		apply{},
		move{many + ".m", many + ".n", true},
		set{many + ".n", block{"type": "gateway", "instances": entries{"C": good}}},
		apply{},
		set{many + ".n", block{"type": "gateway", "instances": entries{"A": good, "C": good}}},
		apply{},
	},
	"what was created before it was destroyed goes last when its block has gone": {
		set{"enms_device.a", block{"name": "A", createBeforeDestroy: true}},
		set{"enms_device.b", block{"name": "B", "description": "beside ${enms_device.a.id}"}},
		apply{},
		remove{"enms_device.a"},
		set{"enms_device.b", block{"name": "A"}},
		apply{},
		set{"enms_device.b", block{"name": "B"}},
		apply{},
	},
	"an error of the plan": {
		set{"enms_service.v", block{"name": "V", "type": "workflow"}},
		set{"enms_service.w", block{"name": "W", "type": "workflow"}},
		set{"enms_service.s", block{"name": "[${enms_service.v.name}] S", "type": "python_snippet_service", "workflows": []any{"${enms_service.v.name}"}}},
		apply{},
		set{"enms_service.s", block{"name": "[${enms_service.w.name}] S", "type": "python_snippet_service", "workflows": []any{"${enms_service.w.name}"}}},
		remove{"enms_service.v"},
		apply{},
	},
}

// TestModel_isTerraform plays steps and lives with the model and with the real Terraform, and compares
// what both plan, say, and keep in the state.
func TestModel_isTerraform(t *testing.T) {
	if os.Getenv("TF_ACC") == "" {
		t.Skip("TF_ACC is not set")
	}
	t.Parallel()
	for name, steps := range map[string][]comparedStep{"mistakes": comparedMistakes, "steps": comparedSteps} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			compareSteps(t, steps)
		})
	}
	for name, steps := range comparedLives {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			acctest.OnlyLong(t, "the steps compare the model with Terraform in make test")
			compareLife(t, steps)
		})
	}
}

// compareSteps plays steps with both.
func compareSteps(t *testing.T, steps []comparedStep) {
	t.Helper()
	model, twin, w := acctest.NewServer(t), acctest.NewServer(t), acctest.NewWorkspace(t)
	twin.Prefix = model.Prefix
	tf := &terraformtest.Terraform{Provider: acctest.Modelled}
	for _, s := range []*acctest.Server{model, twin} {
		s.Put("device", enms.Object{"name": "NAME-there", "description": "theirs"})()
	}
	for _, step := range steps {
		if step.others != nil {
			step.others(model)
			step.others(twin)
		}
		if step.taint != "" {
			tf.State[step.taint].Tainted = true
			if code, out := w.Run("taint", step.taint); code != 0 {
				t.Fatal(out)
			}
		}
		config, err := acctest.Modelled.Parse(model.HCL(step.config))
		if err != nil {
			t.Fatal(err)
		}
		planned, found := tf.Plan(t.Context(), config, terraformtest.PlanOptions{Destroy: step.destroy})
		if !found.Failed() {
			found = tf.Apply(t.Context(), planned).Found
		}
		var options []string
		if step.destroy {
			options = []string{"-destroy"}
		}
		said := compareWithReal(w, step.what, tf, planned, found.Failed(), twin.HCL(step.config), options...)
		if found.Failed() != step.fails {
			t.Errorf("%s: fails: %t", step.what, found.Failed())
		}
		compare(t, step.what+": errors", errorsIn(found.Print(config)), errorsIn(said))
		if t.Failed() {
			t.Fatalf("the model: %s\nTerraform: %s", found.Print(config), said)
		}
	}
}

// compareLife plays a life with both, and compares what eNMS holds, too.
func compareLife(t *testing.T, steps []step) {
	t.Helper()
	model, twin, w := newLife(t, serverOptions()), newLife(t, serverOptions()), acctest.NewWorkspace(t)
	defer model.server.close()
	defer twin.server.close()
	for i, s := range steps {
		if _, applies := s.(apply); !applies {
			for _, l := range []*life{model, twin} {
				if err := s.play(l); err != nil {
					t.Fatal(err)
				}
			}
			continue
		}
		when := fmt.Sprintf("step %d", i+1)
		r, err := model.attempt(apply{})
		if err != nil {
			t.Fatalf("%s: %v", when, err)
		}
		said := compareWithReal(w, when, &model.tf.Terraform, r.plan, r.failed(), hcl(twin.tf.settings, twin.config))
		compare(t, when+": eNMS", contents(model), contents(twin))
		if t.Failed() {
			t.Fatalf("the model: %s\nTerraform: %s", r, said)
		}
		if !r.failed() {
			model.config.moved, twin.config.moved = map[string]string{}, map[string]string{}
		}
	}
}

// compareWithReal has the real Terraform plan and apply what the model has planned and applied, and compares
// the plans, whether they fail, and the states. A plan of the model that failed is nil. It returns what
// Terraform wrote.
func compareWithReal(w *acctest.Workspace, when string, tf *terraformtest.Terraform, planned *terraformtest.Plan, failed bool, config string, options ...string) string {
	w.T.Helper()
	w.Configure(config)
	code, out := w.Run(append([]string{"plan", "-no-color", "-out=planned"}, options...)...)
	if code == 0 && planned != nil {
		compare(w.T, when+": plan", describePlan(planned.JSON()), describePlan(show[tfjson.Plan](w, "planned")))
		code, out = w.Run("apply", "-no-color", "planned")
	}
	compare(w.T, when+": fails", failed, code != 0)
	compare(w.T, when+": state", describeState(tf.StateJSON()), describeState(show[tfjson.State](w)))
	return out
}

// contents lists what eNMS holds, without ids, which depend on who comes first.
func contents(l *life) (all []string) {
	for k, i := range l.server.holds(l.t) {
		if l.installed[k] == nil {
			all = append(all, withoutIDs(fmt.Sprintf("%s %q %v %v", i.typ, i.name, i.fields, i.relations)))
		}
	}
	slices.Sort(all)
	return all
}

var ids = regexp.MustCompile(`beside \d+`)

func withoutIDs(text string) string { return ids.ReplaceAllString(text, "beside an id") }

// show returns what Terraform shows as JSON.
func show[V any](w *acctest.Workspace, what ...string) *V {
	w.T.Helper()
	code, out := w.Run(append([]string{"show", "-json"}, what...)...)
	v := new(V)
	if code != 0 {
		w.T.Fatal(out)
	}
	_, out, _ = strings.Cut(out, "{") // after warnings
	_ = json.Unmarshal([]byte("{"+out), v)
	return v
}

// describePlan returns the actions of a plan, and what they lead to.
func describePlan(p *tfjson.Plan) map[string]string {
	described := map[string]string{}
	for _, ch := range p.ResourceChanges {
		if ch.DeposedKey != "" {
			continue // the real Terraform lists those in any order
		}
		described[ch.Address] = fmt.Sprintf("%s %s, unknown %s, imported %t", ch.Change.Actions, describe(ch.Change.After), describe(unknown(ch.Change.AfterUnknown)), ch.Change.Importing != nil)
	}
	for name, ch := range p.OutputChanges {
		described["output."+name] = fmt.Sprintf("%s %v, unknown %v", ch.Actions, ch.After, unknown(ch.AfterUnknown))
	}
	return described
}

// describeState returns what a state holds.
func describeState(s *tfjson.State) map[string]string {
	described := map[string]string{}
	if s.Values == nil {
		return described
	}
	if s.Values.RootModule != nil {
		for _, r := range s.Values.RootModule.Resources {
			slices.Sort(r.DependsOn)
			address := r.Address
			for r.DeposedKey != "" && described[address] != "" {
				address += " deposed"
			}
			described[address] = fmt.Sprintf("%s, tainted %t, after %v", describe(r.AttributeValues), r.Tainted, r.DependsOn)
		}
	}
	for name, output := range s.Values.Outputs {
		described["output."+name] = fmt.Sprint(output.Value)
	}
	return described
}

// describe returns attributes without nulls, ids and times, and what a plan does not know.
func describe(attributes any) string {
	members, _ := attributes.(map[string]any)
	members = maps.Clone(members)
	maps.DeleteFunc(members, func(name string, v any) bool {
		empty, isList := v.([]any)
		return v == nil || v == false || name == "id" || name == "last_modified" || isList && len(empty) == 0
	})
	written, _ := json.Marshal(members)
	return withoutIDs(string(written))
}

// unknown returns what of a value is unknown, without the rest.
func unknown(v any) any {
	switch v := v.(type) {
	case bool:
		if v {
			return v
		}
	case map[string]any:
		members := map[string]any{}
		for name, member := range v {
			member = unknown(member)
			if member != nil {
				members[name] = member
			}
		}
		if len(members) > 0 {
			return members
		}
	case []any:
		for i := range v {
			v[i] = unknown(v[i])
		}
		if slices.ContainsFunc(v, func(member any) bool { return member != nil }) {
			return v
		}
	}
	return nil
}

var summary = regexp.MustCompile(`(?m)^Error: (.*)\n\n(?: {2}with .*\n)? {2}on main.tf.*, in (.*):`)

// errorsIn returns the summaries of errors with their resources.
func errorsIn(out string) []string {
	var all []string
	for _, m := range summary.FindAllStringSubmatch(out, -1) {
		all = append(all, m[2]+": "+m[1])
	}
	slices.Sort(all)
	return all
}

func compare(t *testing.T, what string, model, actual any) {
	t.Helper()
	if !reflect.DeepEqual(model, actual) {
		t.Errorf("%s:\nthe model: %v\nTerraform: %v", what, model, actual)
	}
}
