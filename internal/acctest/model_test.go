// The comparison of the model of Terraform with the real one: steps of each sort are played by
// both, each with a server of its own.

package acctest

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/terraformtest"
)

func TestMain(m *testing.M) { Main(m) }

// compared is a step that both play.
type compared struct {
	what    string
	config  string
	others  func(s *Server) // what somebody else does before
	taint   string          // an address
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

var comparedSteps = []compared{
	{what: "an argument that there is not", config: "resource \"enms_device\" \"a\" {\n  name = \"NAME-a\"\n  nam = \"x\"\n}", fails: true},
	{what: "no name, and a number for a Boolean", config: "resource \"enms_task\" \"a\" {\n  is_active = 7\n}", fails: true},
	{what: "an invalid value", config: "resource \"enms_device\" \"a\" {\n  name = \"NAME-a\"\n  ip_address = \"10.0.0.1/x\"\n}", fails: true},
	{what: "a missing owner", config: "resource \"enms_device\" \"a\" {\n  name = \"NAME-a\"\n  owners = [\"nobody\"]\n}", fails: true},
	{what: "references, count, for_each, locals, data sources and outputs", config: site},
	{what: "drift, an update and one instance fewer", config: strings.NewReplacer("10.0.0.1", "10.0.0.2", "count = 2", "count = 1").Replace(site), others: func(s *Server) {
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

// TestModel_isTerraform plays steps with the model and with the real Terraform, and compares what
// both plan, say, and keep in the state.
func TestModel_isTerraform(t *testing.T) {
	if os.Getenv("TF_ACC") == "" {
		t.Skip("TF_ACC is not set")
	}
	t.Parallel()
	model, twin, w := NewServer(t), NewServer(t), NewWorkspace(t)
	twin.Prefix = model.Prefix
	tf := &terraformtest.Terraform{Provider: Modelled}
	for _, s := range []*Server{model, twin} {
		s.Put("device", enms.Object{"name": "NAME-there", "description": "theirs"})()
	}
	for _, step := range comparedSteps {
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
		said := playBoth(t, step, model, twin, tf, w)
		compare(t, step.what+": state", describeState(tf.StateJSON()), describeState(shown[tfjson.State](w)))
		if t.Failed() {
			t.Fatal(said)
		}
	}
}

// playBoth plans and applies a step, and compares plans and errors. It returns what both said.
func playBoth(t *testing.T, step compared, model, twin *Server, tf *terraformtest.Terraform, w *Workspace) string {
	t.Helper()
	config, err := Modelled.Parse(model.HCL(step.config), nil)
	if err != nil {
		t.Fatal(err)
	}
	planned, found := tf.Plan(t.Context(), config, terraformtest.PlanOptions{Destroy: step.destroy})
	w.Configure(twin.HCL(step.config))
	args := []string{"plan", "-no-color", "-out=planned"}
	if step.destroy {
		args = append(args, "-destroy")
	}
	code, out := w.Run(args...)
	if code == 0 && !found.Failed() {
		compare(t, step.what+": plan", describePlan(planned.JSON()), describePlan(shown[tfjson.Plan](w, "planned")))
		found = tf.Apply(t.Context(), planned).Found
		code, out = w.Run("apply", "-no-color", "planned")
	}
	said := found.Print(config)
	if found.Failed() != step.fails || (code != 0) != step.fails {
		t.Errorf("%s: fails with the model: %t, with Terraform: %t", step.what, found.Failed(), code != 0)
	}
	compare(t, step.what+": errors", errorsIn(said), errorsIn(out))
	return fmt.Sprintf("the model: %s\nTerraform: %s", said, out)
}

// shown returns what Terraform shows as JSON.
func shown[V any](w *Workspace, what ...string) *V {
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
			described[r.Address] = fmt.Sprintf("%s, tainted %t, after %v", describe(r.AttributeValues), r.Tainted, r.DependsOn)
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
	return string(written)
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
			if member = unknown(member); member != nil {
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
