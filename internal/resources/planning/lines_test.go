// Tests of fields that only one line of eNMS has.

package planning_test

import (
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// eNMS ignores a field of its other line, so the plan refuses it, as an attribute or as a property, and
// says which line has it. A site may have declared a property of that name.
func TestPlan_fieldsOfTheOtherLine(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	netmiko := func(field string, value any) acctest.Attributes {
		return acctest.Attributes{"name": s.Expand("NAME-s"), "type": "netmiko_commands_service", "properties": acctest.ObjectValue(map[string]any{field: value})}
	}
	for _, test := range []struct {
		typ, field string
		line       int
		config     acctest.Attributes
	}{
		{"enms_service", "fast_cli", 4, netmiko("fast_cli", true)},
		{"enms_service", "update_pools_after_running", 4, netmiko("update_pools_after_running", true)},
		{"enms_service", "dry_run", 5, netmiko("dry_run", true)},
		{"enms_pool", "include_networks", 5, acctest.Attributes{"name": s.Expand("NAME-p"), "properties": acctest.ObjectValue(map[string]any{"include_networks": true})}},
	} {
		_, diags := c.Plan(test.typ, test.config, c.NoState(test.typ))
		if test.line == acctest.Line() {
			if diags.Failed() {
				t.Errorf("%s: %s", test.field, diags)
			}
			continue
		}
		text := diags.String()
		if !strings.Contains(text, `AttributeName("properties").ElementKeyString("`+test.field) || !strings.Contains(text, "This eNMS has no "+test.field) || !strings.Contains(text, acctest.ByLine("Only eNMS 5 has", "Only eNMS 4 has")) {
			t.Errorf("%s: %s", test.field, text)
		}
	}
}

// While a server has no instance of a type, nothing tells whether its site has declared the field. The warning after the
// write then proposes no other field.
func TestPlan_fieldOfTheOtherLineOnAnEmptyServer(t *testing.T) {
	t.Parallel()
	acctest.SkipOn(t, "it has the field", "enms-5.3")
	c := acctest.NewServerWith(t, "it must be empty", simulator.Options{}).Core(nil)
	config := acctest.Attributes{"name": "d", "ip_address": "10.0.0.1", "properties": acctest.ObjectValue(map[string]any{"admin_only": true})}
	state, diags := c.Apply("enms_device", config, c.NoState("enms_device"))
	if text := diags.String(); diags.Failed() || !strings.Contains(text, "eNMS does not return the field") || !strings.Contains(text, "Only other versions of eNMS have this one") {
		t.Error(text)
	}
	if _, diags := c.Plan("enms_device", config, state); !strings.Contains(diags.String(), "Only eNMS 5 has") {
		t.Error(diags)
	}
}
