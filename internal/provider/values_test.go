// Tests over every attribute of every kind, made from the tables: a value that
// is sent comes back, and the plan after it is empty.

package provider_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// TestEveryValueOfEveryAttribute sends each sample at creation, then in an update of an
// instance that had another value, then removes it from the configuration, and imports
// an instance that has it. Whatever eNMS itself stores, such as skip_value = "True",
// must be accepted by the plan.
func TestEveryValueOfEveryAttribute(t *testing.T) {
	t.Parallel()
	ofEveryKind(t, func(t *testing.T, s *server, c *core, k *kind.Kind) {
		cases := 0
		for _, a := range k.Rows() {
			if a.ReadOnly || a.DataOnly || a.Role == kind.Key || a.Role == kind.Setting || a.Role == kind.Secret || unknownField(k.Name, a.Name) {
				continue
			}
			all := samples(s, k, a)
			if len(all) == 0 {
				t.Errorf("%s.%s has no samples", k.Name, a.Name)
			}
			for _, value := range all {
				cases++
				roundTrip(t, s, c, k, a, value, all[0])
			}
		}
		t.Logf("%d values went there and back", cases)
	})
}

func roundTrip(t *testing.T, s *server, c *core, k *kind.Kind, a kind.Attribute, value, other any) {
	t.Helper()
	typ := "enms_" + k.Name
	with := func(v any) attributes {
		config := leastConfig(s, k, a)
		config[a.Name] = v
		return config
	}
	state := c.none(typ)
	step := func(what string, config attributes) {
		t.Helper()
		var diags problems
		if state, diags = c.apply(typ, config, state); diags.failed() {
			t.Fatalf("%s %s.%s = %v: %s", what, k.Name, a.Name, config[a.Name], diags)
		}
		if state, diags = c.refresh(typ, state); diags.failed() {
			t.Fatalf("%s %s.%s = %v: %s", what, k.Name, a.Name, config[a.Name], diags)
		}
		if p, diags := c.plan(typ, config, state); diags.failed() || config != nil && !p.noop {
			t.Errorf("%s %s.%s = %v: the plan is not empty: %s\n%s\n%s", what, k.Name, a.Name, config[a.Name], diags, p.value, state.value)
		}
	}
	step("create", with(value))
	step("update to", with(other))
	step("update back to", with(value))
	if !a.Required && !a.Needed {
		without := with(nil)
		if k.Name+"."+a.Name == "task.crontab_expression" {
			delete(without, "scheduling_mode")
		}
		if k.Name+"."+a.Name == "task.scheduling_mode" {
			delete(without, "crontab_expression")
		}
		step("take out", without)
	}
	step("destroy", nil)
	if a.Automatic != nil && len(value.([]string)) == 0 || a.Type == kind.Criteria && len(members(t, value.(tftypes.Value))) == 0 {
		return // an import leaves out what is empty, as nobody would write it
	}
	imported := importedPlan(t, c, k, with(value))
	if !imported.noop {
		t.Errorf("%s.%s = %v: the plan after the import is not empty: %s", k.Name, a.Name, value, imported.value)
	}
}

// importedPlan creates an instance, forgets it, imports it, and plans it.
func importedPlan(t *testing.T, c *core, k *kind.Kind, config attributes) planned {
	t.Helper()
	typ := "enms_" + k.Name
	if _, diags := c.apply(typ, config, c.none(typ)); diags.failed() {
		t.Fatal(diags)
	}
	state, diags := c.importByName(typ, importIDOf(k, config))
	if diags.failed() {
		t.Fatal(diags)
	}
	p, diags := c.plan(typ, config, state)
	if diags.failed() {
		t.Fatal(diags)
	}
	if _, diags := c.apply(typ, nil, state); diags.failed() {
		t.Fatal(diags)
	}
	return p
}
