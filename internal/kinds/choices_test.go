// Test of the tables' choices against what eNMS itself ships.

package kinds

import (
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/many"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// shipped are the values that fields with choices have in the migrations of eNMS 4.5 to
// 4.7.1, the default one and the examples (enms-rest.md 1.5), by the type and the field.
var shipped = map[string]map[string][]string{
	"workflow": {
		"run_method":       {"per_device", "per_service_with_workflow_targets", "per_service_with_service_targets"},
		"man_minutes_type": {"device", "workflow"},
	},
	"python_snippet_service": {
		"run_method": {"per_device", "once"}, "credential_type": {"any"}, "skip_value": {"success", "failure", "discard"},
		"device_query_property": {"ip_address", "name"}, "iteration_devices_property": {"ip_address", "name"},
		"postprocessing_mode": {"always", "failure", "success"}, "conversion_method": {"none", "text", "json"},
		"validation_condition": {"none", "success", "failure"}, "validation_method": {"none", "text", "dict_included", "dict_equal"},
		"report_format": {"text", "html"}, "send_notification_method": {"mail"},
	},
	"netmiko_commands_service":      {"credentials": {"device", "custom", "object"}},
	"rest_call_service":             {"credentials": {"custom", "object"}, "call_type": {"GET", "POST", "DELETE"}},
	"scrapli_service":               {"transport": {"system"}, "driver": {"device"}},
	"scrapli_netconf_service":       {"command": {"get_config", "rpc"}, "target": {"running"}},
	"netmiko_backup_service":        {"property": {"operational_data", "configuration"}},
	"ping_service":                  {"protocol": {"ICMP"}},
	"generic_file_transfer_service": {"protocol": {"scp"}, "direction": {"put"}},
	"netmiko_file_transfer_service": {"direction": {"put"}},
	"topology_import_service":       {"import_type": {"opennms"}},
	"napalm_configuration_service":  {"action": {"load_merge_candidate"}},
	"netconf_service": {
		"target": {"running"}, "nc_type": {"get_config", "push_config"}, "default_operation": {"merge"},
		"test_option": {"test-then-set", "None"}, "error_option": {"stop-on-error"}, "copy_source": {"running"}, "copy_destination": {"running"},
	},
	"data_processing_service": {
		"match_type1": {"none", "jinja2", "ttp"}, "match_type2": {"none", "regex"}, "match_type3": {"none", "textfsm"},
		"operation1": {"__setitem__", "update", "append", "extend"},
	},
	"workflow_edge": {"subtype": {"success", "failure"}},
	"task":          {"scheduling_mode": {"standard"}, "frequency_unit": {"seconds"}},
	"credential":    {"role": {"read-write", "read-only"}, "subtype": {"password", "key"}},
	"device":        {"netmiko_driver": {mikrotik, "cisco_ios_telnet", "no such driver"}, "icon": {"antenna", "firewall", "host", "optical_switch", "regenerator", "router", "server", "site", "switch", "l3switch", "core_router"}},
	"user":          {"authentication": {"database"}, "theme": {"default"}, "landing_page": {"/dashboard"}},
}

// Values that eNMS's own migrations use, such as validation_method = "none", can be
// planned, although its forms do not offer them.
func TestShippedChoices(t *testing.T) {
	t.Parallel()
	for typ, fields := range shipped {
		for field, values := range fields {
			for _, x := range values {
				k := kind.Named(All(), typ)
				config, found := many.Config(k, typ, "n", map[string]tftypes.Value{field: tftypes.NewValue(tftypes.String, x)})
				if len(found) > 0 {
					t.Errorf("%s: %s = %q: %v", typ, field, x, found)
				}
				for _, d := range plans.New(k, config, nil, nil, time.Now()).Diagnostics {
					t.Errorf("%s: %s = %q: %s: %s", typ, field, x, d.Summary(), d.Detail())
				}
			}
		}
	}
	// Of an edge with a subtype of people's own, which eNMS's examples have, it warns.
	edges := kind.Named(All(), "workflow_edge")
	config, _ := many.Config(edges, "workflow_edge", "n", map[string]tftypes.Value{"subtype": value.FromJSON("motion")})
	if found := plans.New(edges, config, nil, nil, time.Now()).Diagnostics; found.HasError() || len(found) != 1 {
		t.Errorf("subtype = motion: %v", found)
	}
}
