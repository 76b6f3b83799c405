// Tests of what is found in a configuration by itself, as `terraform validate` asks for it:
// without a server, and before a plan.

package provider_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/provider"
)

// validator returns a provider that knows no server.
func validator(t *testing.T) *acctest.Core {
	t.Helper()
	c, _ := acctest.TryCore(t, provider.New("test"), acctest.Attributes{})
	return c
}

func TestValidate_configurations(t *testing.T) {
	t.Parallel()
	c := validator(t)
	for _, test := range []struct {
		typ    string
		config acctest.Attributes
		on     string // the path of the only error, "" for none
	}{
		{"enms_device", acctest.Attributes{"name": "R1", "ip_address": tftypes.NewValue(tftypes.String, tftypes.UnknownValue)}, ""},
		{"enms_device", acctest.Attributes{"name": "R1", "gateways": []string{"GW", "a/b"}}, `AttributeName("gateways")`},
		{"enms_device", acctest.Attributes{"name": "a\\b"}, `AttributeName("name")`},
		{"enms_device", acctest.Attributes{"name": "R1", "properties": acctest.ObjectValue(map[string]any{"id": 5})}, `AttributeName("properties").ElementKeyString("id")`},
		{"enms_service", acctest.Attributes{"name": "S", "properties": acctest.ObjectValue(map[string]any{"dict_match": "{}"})},
			`AttributeName("properties").ElementKeyString("dict_match")`},
		{"enms_service", acctest.Attributes{"name": "S", "type": "Workflow"}, `AttributeName("type")`},
		{"enms_service", acctest.Attributes{"name": "S", "initial_payload": tftypes.NewValue(tftypes.String, "{}")}, `AttributeName("initial_payload")`},
		{"enms_task", acctest.Attributes{"name": "T", "service": "S", "scheduling_mode": "standard", "crontab_expression": "0 2 * * *"}, `AttributeName("crontab_expression")`},
		{"enms_instances", acctest.Attributes{"type": "device", "instances": acctest.ObjectValue(map[string]any{"R1": map[string]any{}, "R2": map[string]any{"ip_address": "10.0.0.300"}})},
			`AttributeName("instances").ElementKeyString("R2").ElementKeyString("ip_address")`},
		{"enms_instances", acctest.Attributes{"type": "netmiko_commands_service", "instances": acctest.ObjectValue(map[string]any{"S": map[string]any{"enable_mode": "maybe"}})},
			`AttributeName("instances").ElementKeyString("S").ElementKeyString("enable_mode")`},
		{"enms_instances", acctest.Attributes{"type": "", "instances": acctest.ObjectValue(nil)}, `AttributeName("type")`},

		// What an existing instance may have beside what is configured is no error.
		{"enms_task", acctest.Attributes{"name": "T", "service": "S", "crontab_expression": "0 2 * * *"}, ""},
		{"enms_task", acctest.Attributes{"name": "T", "service": "S", "is_active": true}, ""},
		{"enms_service", acctest.Attributes{"name": "[W] S", "shared": false, "workflows": []string{}}, ""},
		{"enms_device", acctest.Attributes{"name": strings.Repeat("x", 256)}, ""},
		{"enms_workflow_edge", acctest.Attributes{"workflow": "W", "source": "A", "destination": "B", "subtype": "prerequisite"}, ""},
		{"enms_link", acctest.Attributes{"name": "L"}, ""},

		// A warning is the plan's, which would repeat it.
		{"enms_device", acctest.Attributes{"name": "R1", "properties": acctest.ObjectValue(map[string]any{"timeot": 1})}, ""},
		{"enms_task", acctest.Attributes{"name": "T", "service": "S", "is_active": true, "start_date": "01/01/2020 00:00:00"}, ""},
	} {
		diags := c.Validate(test.typ, test.config)
		var on []string
		for _, d := range diags {
			on = append(on, d.Attribute.String())
		}
		want := []string{test.on}
		if test.on == "" {
			want = nil
		}
		if !slices.Equal(on, want) || diags.Failed() != (test.on != "") {
			t.Errorf("%s %v: want an error on %q, got %s", test.typ, test.config, test.on, diags)
		}
	}
}

// Values that eNMS holds and no configuration may hold are left out of what Terraform makes
// of an import, and the plan leaves them alone.
func TestValidate_importLeavesInvalidValuesOut(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.Put("device", enms.Object{"name": "NAME-d", "ip_address": "10.0.0.300", "port": -1, "vendor": "Cisco"})()
	t.Cleanup(s.Drop("device", "NAME-d"))
	c := s.Core(nil)
	name := s.Expand("NAME-d")
	state, diags := c.ImportByName("enms_device", name)
	if diags.Failed() {
		t.Fatal(diags)
	}
	for _, word := range []string{`": ip_address`, `"10.0.0.300"`, `": port`, "-1"} {
		if !strings.Contains(diags.String(), word) {
			t.Errorf("the import does not say %s: %s", word, diags)
		}
	}
	for attribute, want := range map[string]any{"ip_address": nil, "port": nil, "vendor": "Cisco"} {
		if v := acctest.Members(t, state.Value)[attribute]; !v.Equal(acctest.ValueOf(v.Type(), want)) {
			t.Errorf("%s is %s in the state", attribute, v)
		}
	}
	config := acctest.Attributes{"name": name, "vendor": "Cisco"}
	c.PlansNothing("enms_device", config, state)
	config["description"] = "another" // beside a change, eNMS keeps them
	state = c.Applied("enms_device", config, state)
	if now := s.Get("device", "NAME-d"); now["ip_address"] != "10.0.0.300" || now["description"] != "another" {
		t.Errorf("eNMS holds %v", now)
	}
	c.PlansNothing("enms_device", config, c.Refreshed("enms_device", state))
	config["ip_address"] = "10.0.0.3" // a valid one replaces it
	c.Applied("enms_device", config, state)
	if now := s.Get("device", "NAME-d"); now["ip_address"] != "10.0.0.3" {
		t.Errorf("eNMS holds %v", now)
	}
}
