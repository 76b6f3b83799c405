// Tests over every attribute of every kind, made from the tables: a value that
// is sent comes back, and the plan after it is empty.

package kinds_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// TestEveryKind_everyValueOfEveryAttribute sends each sample at creation, then in an update of an
// instance that had another value, then removes it from the configuration, and imports
// an instance that has it. Whatever eNMS itself stores, such as skip_value = "True",
// must be accepted by the plan.
func TestEveryKind_everyValueOfEveryAttribute(t *testing.T) {
	t.Parallel()
	turn := 0
	for _, k := range acctest.Kinds() {
		for _, a := range k.Rows() {
			if a.ReadOnly || a.DataOnly || a.Role == kind.Key || a.Role == kind.Setting || a.Role == kind.Secret || acctest.UnknownField(k.Name, a.Name) {
				continue
			}
			turn++
			t.Run(k.Name+"."+a.Name, func(t *testing.T) {
				own := turn
				t.Parallel()
				s := acctest.NewServer(t)
				acctest.PutRelated(s)
				all := acctest.SamplesInTurn(own, s, k, a)
				if len(all) == 0 {
					t.Errorf("%s.%s has no samples", k.Name, a.Name)
				}
				for _, value := range all {
					roundTrip(t, s, s.Core(nil), k, a, value, all[0])
				}
			})
		}
	}
}

func roundTrip(t *testing.T, s *acctest.Server, c *acctest.Core, k *kind.Kind, a kind.Attribute, value, other any) {
	t.Helper()
	typ := "enms_" + k.Name
	with := func(v any) acctest.Attributes {
		config := acctest.LeastConfig(s, k, a)
		config[a.Name] = v
		return config
	}
	state := c.NoState(typ)
	step := func(what string, config acctest.Attributes) {
		t.Helper()
		var diags acctest.Problems
		if state, diags = c.Apply(typ, config, state); diags.Failed() {
			t.Fatalf("%s %s.%s = %v: %s", what, k.Name, a.Name, config[a.Name], diags)
		}
		run := c.NewRun()
		if state, diags = run.Refresh(typ, state); diags.Failed() {
			t.Fatalf("%s %s.%s = %v: %s", what, k.Name, a.Name, config[a.Name], diags)
		}
		if p, diags := run.Plan(typ, config, state); diags.Failed() || config != nil && !p.Noop {
			t.Errorf("%s %s.%s = %v: the plan is not empty: %s\n%s\n%s", what, k.Name, a.Name, config[a.Name], diags, p.Value, state.Value)
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
	if a.Automatic != nil && len(value.([]string)) == 0 || a.Type == kind.Criteria && len(acctest.Members(t, value.(tftypes.Value))) == 0 {
		return // an import leaves out what is empty, as nobody would write it
	}
	imported := importedPlan(t, c, k, with(value))
	if !imported.Noop {
		t.Errorf("%s.%s = %v: the plan after the import is not empty: %s", k.Name, a.Name, value, imported.Value)
	}
}

// importedPlan creates an instance, forgets it, imports it, and plans it.
func importedPlan(t *testing.T, c *acctest.Core, k *kind.Kind, config acctest.Attributes) acctest.Planned {
	t.Helper()
	typ := "enms_" + k.Name
	c.Applied(typ, config, c.NoState(typ))
	state := c.Imported(typ, acctest.ImportIDOf(k, config))
	p, diags := c.Plan(typ, config, state)
	if diags.Failed() {
		t.Fatal(diags)
	}
	c.Applied(typ, nil, state)
	return p
}
