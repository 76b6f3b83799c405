// Tests of generated configurations: state in, configuration out.

package kinds

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/kindtest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// What follows from something else, is eNMS's default or has no effect is in no generated
// configuration; all else is.
func TestGenerated(t *testing.T) {
	t.Parallel()
	rights := given{"owners": nil}
	for name, test := range map[string]struct {
		kind  *kind.Kind
		state given
		want  string // the attributes that are set but the name, sorted
	}{
		"device":                {device(), given{"type": "device", "port": 22, "icon": "router", "vendor": "", "gateways": []string{}}, ""},
		"router":                {device(), given{"type": "router", "port": 2022, "vendor": "Cisco", "gateways": []string{"g"}}, "gateways port type vendor"},
		"settings":              {device(), given{"type": "device", "adopt_existing": true, "deletion_policy": "abandon", "id": "7"}, ""},
		"service":               {service(), given{"type": "service", "scoped_name": "x", "skip_value": "success"}, ""},
		"eNMS's own skip_value": {service(), given{"type": "service", "scoped_name": "x", "skip_value": "True"}, ""},
		"skip_value":            {service(), given{"type": "service", "scoped_name": "x", "skip_value": "failure"}, "skip_value"},
		"disabled":              {service(), given{"type": "service", "scoped_name": "x", "disabled": true, "disabled_info": "by admin"}, "disabled"},
		"shared":                {service(), given{"name": "[Shared] x", "shared": true, "type": "service", "scoped_name": "x"}, "shared"},
		"in a workflow":         {service(), given{"name": "[w] x", "workflows": []string{"w"}, "type": "service", "scoped_name": "x"}, "workflows"},
		"brackets of its own":   {service(), given{"name": "[w] x", "type": "service", "scoped_name": "[w] x"}, "scoped_name"},
		"processes":             {service(), given{"type": "service", "scoped_name": "x", "max_processes": 15, "multiprocessing": false}, ""},
		"processes that count":  {service(), given{"type": "service", "scoped_name": "x", "max_processes": 15, "multiprocessing": true}, "max_processes multiprocessing"},
		"no rights":             {pool(), rights, ""},
		"by hand":               {pool(), given{"manually_defined": true, "devices": []string{"d"}}, "devices"},
		"by hand, none":         {pool(), given{"manually_defined": true}, "manually_defined"},
		"edge":                  {workflowEdge(), given{"workflow": "w", "source": "a", "destination": "b", "subtype": "success", "label": "success", "color": "green"}, "destination source subtype workflow"},
		"edge with a label":     {workflowEdge(), given{"workflow": "w", "source": "a", "destination": "b", "subtype": "success", "label": "go", "color": "red"}, "color destination label source subtype workflow"},
		"task":                  {task(), given{"service": "s", "is_active": false, "scheduling_mode": "standard", "start_date": "", "end_date": ""}, "service"},
		"task that is over":     {task(), given{"service": "s", "is_active": true, "start_date": "01/01/2020 00:00:00"}, "is_active service start_date"},
		"no properties":         {instance(nil), given{"type": "t", "properties": value.FromJSON(given{})}, "type"},
		"properties":            {instance(nil), given{"type": "t", "properties": value.FromJSON(given{"a": "", "b": nil})}, "properties type"},
	} {
		state := kindtest.ValuesFor(test.kind, test.state)
		if state["name"].IsNull() {
			state["name"] = tftypes.NewValue(tftypes.String, "x")
		}
		config, set := plans.Generated(test.kind, state), []string{}
		for _, a := range slices.Sorted(maps.Keys(config)) {
			if a != "name" && !config[a].IsNull() {
				set = append(set, a)
			}
		}
		if got := strings.Join(set, " "); got != test.want || !config["name"].Equal(state["name"]) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// Properties hold what counts: neither defaults nor secrets, and options only beside what
// they are options of.
func TestGeneratedProperties(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		typ       string
		has, want given
	}{
		"nothing":            {"ping_service", given{"timeout": value.ToJSON(tftypes.NewValue(tftypes.Number, 2))}, nil},
		"no effect":          {"workflow", given{"man_minutes_type": "device", "device_query_property": "name", "include_device_results": false}, nil},
		"effect":             {"workflow", given{"device_query": "x", "device_query_property": "name"}, given{"device_query": "x", "device_query_property": "name"}},
		"the usual form":     {"workflow", given{"parameterized_form": strings.ReplaceAll(usualForm, "\n", "\r\n")}, nil},
		"no form":            {"workflow", given{"parameterized_form": ""}, given{"parameterized_form": ""}},
		"another form":       {"workflow", given{"parameterized_form": "a = StringField('A')"}, given{"parameterized_form": "a = StringField('A')"}},
		"a secret":           {"rest_call_service", given{"custom_password": "x", "rest_url": "u"}, given{"rest_url": "u"}},
		"of an unknown type": {"site_service", given{"commands": "", "report": "", "site": "x"}, given{"commands": "", "site": "x"}},
		"jumps nowhere": {"netmiko_commands_service", given{"jump_command": "ssh", "jump_username": "u", "exit_command": "exit",
			"expect_username_prompt": "u:", "expect_password_prompt": "p:", "expect_prompt": ">", "commands": "c"}, given{"commands": "c"}},
		"nothing to repeat": {"ping_service", given{"iteration_variable_name": "x", "iteration_devices_property": "name", "postprocessing_mode": "always"}, nil},
		"no notification": {"ping_service", given{"send_notification_method": "slack", "display_only_failed_nodes": false,
			"include_device_results": false, "include_link_in_summary": false}, nil},
		"jumps":               {"netmiko_commands_service", given{"jump_command": "ssh", "jump_on_connect": true}, given{"jump_command": "ssh", "jump_on_connect": true}},
		"no such row in type": {"ping_service", given{"jump_command": "ssh"}, given{"jump_command": "ssh"}},
	} {
		state := kindtest.ValuesFor(service(), given{"name": "x", "scoped_name": "x", "type": test.typ, "properties": value.FromJSON(test.has)})
		config := plans.Generated(service(), state)
		if got := value.Members(config["properties"]); !value.Equal(got, test.want) && len(got)+len(test.want) > 0 {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
		if test.want == nil && !config["properties"].IsNull() {
			t.Errorf("%s: properties that hold nothing are not null", name)
		}
	}
}

// What eNMS holds and takes no second time is said: a link that has lost an end, and an
// address with a tab, were in generated configuration, or left out of it, without a word.
func TestGeneratedNotAnew(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		kind  *kind.Kind
		state given
		want  string
	}{
		"a link":                  {link(), given{"type": "link", "source": "a", "destination": "b"}, ""},
		"a link without an end":   {link(), given{"type": "link", "source": "a"}, "A link needs a destination"},
		"an address with a tab":   {device(), given{"type": "device", "ip_address": "10.0.0.1\t"}, "Left out of device \"x\": ip_address"},
		"a device":                {device(), given{"type": "device", "ip_address": "10.0.0.1"}, ""},
		"a service in a workflow": {service(), given{"name": "[w] x", "workflows": []string{"w"}, "type": "service", "scoped_name": "x", "skip_value": "True"}, ""},
		"brackets of its own":     {service(), given{"name": "[w] x", "type": "service", "scoped_name": "[w] x"}, ""},
		"a task that is over":     {task(), given{"service": "s", "is_active": true, "start_date": "01/01/2020 00:00:00"}, ""},
		"a pool by hand":          {pool(), given{"manually_defined": true, "devices": []string{"d"}}, ""},
		"a secret by its name":    {service(), given{"type": "slack_notification_service", "scoped_name": "x", "properties": value.FromJSON(given{"token": "t", "headers": given{"Cookie": "c"}})}, "eNMS returns properties.headers.Cookie, properties.token, so"},
		"a user":                  {user(), given{"groups": []string{"g"}}, ""},
	} {
		state := kindtest.ValuesFor(test.kind, test.state)
		if state["name"].IsNull() {
			state["name"] = tftypes.NewValue(tftypes.String, "x")
		}
		var said []string
		_, warnings := plans.GeneratedWithWarnings(test.kind, state)
		for _, d := range warnings {
			said = append(said, d.Summary()+": "+d.Detail())
		}
		if got := strings.Join(said, "\n"); !strings.Contains(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
