// Tests of what is found in a configuration by itself, as `terraform validate` asks for it:
// without a server, and before a plan.

package provider_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/provider"
)

// validator is a provider that knows no server.
func validator(t *testing.T) *core {
	t.Helper()
	c, _ := tryCore(t, provider.New("test"), attributes{})
	return c
}

func TestValidate(t *testing.T) {
	t.Parallel()
	c := validator(t)
	for _, test := range []struct {
		typ    string
		config attributes
		on     string // the path of the only error, "" for none
	}{
		{"enms_device", attributes{"name": "R1", "ip_address": "10.0.0.300"}, `AttributeName("ip_address")`},
		{"enms_device", attributes{"name": "R1", "ip_address": tftypes.NewValue(tftypes.String, tftypes.UnknownValue)}, ""},
		{"enms_device", attributes{"name": "R1", "type": "switch"}, `AttributeName("type")`},
		{"enms_device", attributes{"name": "R1", "port": 70000}, `AttributeName("port")`},
		{"enms_device", attributes{"name": "R1", "icon": strings.Repeat("x", 65)}, `AttributeName("icon")`},
		{"enms_device", attributes{"name": "R1", "model": "a\x00b"}, `AttributeName("model")`},
		{"enms_device", attributes{"name": "a/b"}, `AttributeName("name")`},
		{"enms_device", attributes{"name": "R1", "gateways": []string{"GW", "a/b"}}, `AttributeName("gateways").ElementKeyInt(1)`},
		{"enms_device", attributes{"name": "R1", "properties": object(map[string]any{"vendor": "Cisco"})}, `AttributeName("properties").ElementKeyString("vendor")`},
		{"enms_link", attributes{"name": "L", "source": "a/b", "destination": "R2"}, `AttributeName("source")`},
		{"enms_service", attributes{"name": "S", "type": "netmiko_commands_service", "properties": object(map[string]any{"enable_mode": "maybe"})},
			`AttributeName("properties").ElementKeyString("enable_mode")`},
		{"enms_service", attributes{"name": "S", "properties": object(map[string]any{"dict_match": "{}"})},
			`AttributeName("properties").ElementKeyString("dict_match")`},
		{"enms_task", attributes{"name": "T", "service": "S", "start_date": "2026-12-01 02:00"}, `AttributeName("start_date")`},
		{"enms_task", attributes{"name": "T", "service": "S", "crontab_expression": "0 2 * *"}, `AttributeName("crontab_expression")`},
		{"enms_task", attributes{"name": "T", "service": "S", "scheduling_mode": "standard", "crontab_expression": "0 2 * * *"}, `AttributeName("crontab_expression")`},
		{"enms_task", attributes{"name": "T", "service": "S", "frequency_unit": "weeks"}, `AttributeName("frequency_unit")`},
		{"enms_task", attributes{"name": "T", "service": "S", "start_date": "02/01/2030 00:00:00", "end_date": "01/01/2030 00:00:00"}, `AttributeName("end_date")`},
		{"enms_instance", attributes{"type": "server", "name": "S"}, `AttributeName("type")`},
		{"enms_instances", attributes{"type": "device", "instances": object(map[string]any{"R1": map[string]any{}, "R2": map[string]any{"ip_address": "10.0.0.300"}})},
			`AttributeName("instances").ElementKeyString("R2").ElementKeyString("ip_address")`},
		{"enms_instances", attributes{"type": "device", "instances": object(map[string]any{"R2": map[string]any{"port": "ssh"}})},
			`AttributeName("instances").ElementKeyString("R2").ElementKeyString("port")`},
		{"enms_instances", attributes{"type": "netmiko_commands_service", "instances": object(map[string]any{"S": map[string]any{"enable_mode": "maybe"}})},
			`AttributeName("instances").ElementKeyString("S").ElementKeyString("enable_mode")`},

		// What an existing instance may have beside what is configured is no error.
		{"enms_task", attributes{"name": "T", "service": "S", "crontab_expression": "0 2 * * *"}, ""},
		{"enms_task", attributes{"name": "T", "service": "S", "is_active": true}, ""},
		{"enms_service", attributes{"name": "[W] S", "shared": false, "workflows": []string{}}, ""},
		{"enms_device", attributes{"name": strings.Repeat("x", 256)}, ""},
		{"enms_workflow_edge", attributes{"workflow": "W", "source": "A", "destination": "B", "subtype": "prerequisite"}, ""},
		{"enms_link", attributes{"name": "L"}, ""},

		// A warning is the plan's, which would repeat it.
		{"enms_device", attributes{"name": "R1", "properties": object(map[string]any{"timeot": 1})}, ""},
		{"enms_task", attributes{"name": "T", "service": "S", "is_active": true, "start_date": "01/01/2020 00:00:00"}, ""},
	} {
		diags := c.validate(test.typ, test.config)
		var on []string
		for _, d := range diags {
			on = append(on, d.Attribute.String())
		}
		want := []string{test.on}
		if test.on == "" {
			want = nil
		}
		if !slices.Equal(on, want) || diags.failed() != (test.on != "") {
			t.Errorf("%s %v: want an error on %q, got %s", test.typ, test.config, test.on, diags)
		}
	}
}

// Values that eNMS holds and no configuration may hold are left out of what Terraform makes
// of an import, and the plan leaves them alone.
func TestImportLeavesInvalidValuesOut(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.put("device", enms.Object{"name": "NAME-d", "ip_address": "10.0.0.300", "port": -1, "vendor": "Cisco"})()
	t.Cleanup(s.drop("device", "NAME-d"))
	c := s.core(nil)
	name := s.expand("NAME-d")
	state, diags := c.importByName("enms_device", name)
	if diags.failed() {
		t.Fatal(diags)
	}
	for _, word := range []string{`": ip_address`, `"10.0.0.300"`, `": port`, "-1"} {
		if !strings.Contains(diags.String(), word) {
			t.Errorf("the import does not say %s: %s", word, diags)
		}
	}
	for attribute, want := range map[string]any{"ip_address": nil, "port": nil, "vendor": "Cisco"} {
		if v := members(t, state.value)[attribute]; !v.Equal(goValue(v.Type(), want)) {
			t.Errorf("%s is %s in the state", attribute, v)
		}
	}
	config := attributes{"name": name, "vendor": "Cisco"}
	if p, diags := c.plan("enms_device", config, state); diags.failed() || !p.noop {
		t.Errorf("the plan after the import is not empty: %s%s", diags, p.value)
	}
	config["description"] = "another" // beside a change, eNMS keeps them
	state = c.applied("enms_device", config, state)
	if now := s.get("device", "NAME-d"); now["ip_address"] != "10.0.0.300" || now["description"] != "another" {
		t.Errorf("eNMS holds %v", now)
	}
	if p, diags := c.plan("enms_device", config, c.refreshed("enms_device", state)); diags.failed() || !p.noop {
		t.Errorf("the plan after the change is not empty: %s%s", diags, p.value)
	}
	config["ip_address"] = "10.0.0.3" // a valid one replaces it
	c.applied("enms_device", config, state)
	if now := s.get("device", "NAME-d"); now["ip_address"] != "10.0.0.3" {
		t.Errorf("eNMS holds %v", now)
	}
}

// So it is with entries of enms_instances.
func TestImportOfEntriesLeavesInvalidValuesOut(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.put("device", enms.Object{"name": "NAME-d", "ip_address": "10.0.0.300", "vendor": "Cisco"})()
	t.Cleanup(s.drop("device", "NAME-d"))
	c := s.core(nil)
	name := s.expand("NAME-d")
	state, diags := c.importByName("enms_instances", "device/"+name)
	if diags.failed() || !strings.Contains(diags.String(), `ElementKeyString("ip_address")]`) || !strings.Contains(diags.String(), `"10.0.0.300"`) {
		t.Fatalf("the import says: %s", diags)
	}
	config := attributes{"type": "device", "instances": object(map[string]any{name: map[string]any{"vendor": "Cisco"}})}
	if p, diags := c.plan("enms_instances", config, state); diags.failed() || !p.noop {
		t.Errorf("the plan after the import is not empty: %s%s", diags, p.value)
	}
}

// leftOut reports whether an import warns that it leaves an attribute out, or a member of
// it.
func (p problems) leftOut(attribute string) bool {
	return slices.ContainsFunc(p, func(d *tfprotov6.Diagnostic) bool {
		return d.Severity == tfprotov6.DiagnosticSeverityWarning && strings.HasPrefix(d.Summary, "Left out of ") &&
			d.Attribute.Steps()[0] == tftypes.AttributeName(attribute)
	})
}
