// This file tests the JSON Schemas: the example of the module against them, and mistakes that people make.

package yamldir_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/many"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/yamldir"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/yamldir/yamltest"
)

// exampleDirectory is the directory of the module's example.
const exampleDirectory = "../../examples/modules/yaml/example"

func TestSchema_example(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	err := filepath.WalkDir(exampleDirectory, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(file) != ".yaml" {
			return err
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		path, err := filepath.Rel(exampleDirectory, file)
		if err != nil {
			return err
		}
		folder, _, _ := strings.Cut(filepath.ToSlash(path), "/")
		seen[folder] = true
		s := yamltest.Of(t, folder, yamldir.Options{Defaults: entry.Name() == "_defaults.yaml"})
		if found := s.Problems(t, string(content)); len(found) > 0 {
			t.Errorf("%s: %q", path, found)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range yamldir.Folders {
		if !seen[f.Name] {
			t.Errorf("the example has no file in %s", f.Name)
		}
	}
}

func TestSchema_mistakes(t *testing.T) {
	t.Parallel()
	schemas := map[string]yamltest.Schema{}
	for _, f := range yamldir.Folders {
		schemas[f.Name] = yamltest.Of(t, f.Name, yamldir.Options{})
	}
	long := strings.Repeat("x", 256)
	for _, c := range []struct {
		name, folder, document string
		want                   string // the place and the keyword; "" for no error
	}{
		{"a device", "devices", "{name: R1, ip_address: 10.0.0.1, port: 22, custom_json: {a: 1}}", ""},
		{"a list of devices", "devices", "[{name: R1}, {name: R2, type: router, serial_number: x}]", ""},
		{"a default removed", "devices", "{name: R1, vendor: null, port: null, icon: null, gateways: null}", ""},
		{"misspelt key", "devices", "{name: R1, vendr: Cisco}", "/ additionalProperties"},
		{"misspelt key of a type", "devices", "{name: R1, type: router, serial: x}", "/ additionalProperties"},
		{"misspelt key in a list", "devices", "[{name: R1}, {name: R2, vendr: Cisco}]", "/1 additionalProperties"},
		{"no name", "devices", "{ip_address: 10.0.0.1}", "/ required"},
		{"no name in a list", "devices", "[{name: R1}, {ip_address: 10.0.0.1}]", "/1 required"},
		{"no object", "devices", "R1", "/ type"},
		{"empty name", "devices", `{name: ""}`, "/name minLength"},
		{"a slash in a name", "devices", "{name: a/b}", "/name pattern"},
		{"a name too long", "devices", "{name: " + long + "}", "/name maxLength"},
		{"a string where a number belongs", "devices", `{name: R1, port: "22"}`, "/port type"},
		{"a number where a string belongs", "devices", "{name: R1, os_version: 15.10}", "/os_version type"},
		{"a fraction", "devices", "{name: R1, port: 1.5}", "/port type"},
		{"out of range", "devices", "{name: R1, port: 70000}", "/port maximum"},
		{"too long", "devices", "{name: R1, model: " + long + "}", "/model maxLength"},
		{"too long for a short column", "devices", "{name: R1, ip_address: " + long[:65] + "}", "/ip_address maxLength"},
		{"a long description", "devices", "{name: R1, description: " + long + "}", ""},
		{"unknown type", "devices", "{name: R1, type: switch}", "/type enum"},
		{"a string where names belong", "devices", "{name: R1, gateways: GW1}", "/gateways type"},
		{"a name twice", "devices", "{name: R1, gateways: [GW1, GW1]}", "/gateways uniqueItems"},
		{"what eNMS computes", "devices", "{name: R1, id: 7}", "/ additionalProperties"},
		{"settings of resources", "devices", "{name: R1, deletion_policy: abandon}", "/ additionalProperties"},
		{"the map of resources", "devices", "{name: R1, properties: {reachable: true}}", "/ additionalProperties"},

		{"a link", "links", "{name: L, source: A, destination: B}", ""},
		{"an Ethernet link", "links", "{name: L, type: ethernet_link, source: A, destination: B, speed: 1G}", ""},
		{"fields of an Ethernet link", "links", "{name: L, source: A, destination: B, speed: 1G}", "/ additionalProperties"},

		{"a pool", "pools", "{name: P, device_criteria: {vendor: {value: Cisco, match: equality, invert: false}}}", ""},
		{"an unknown match", "pools", "{name: P, device_criteria: {vendor: {value: Cisco, match: equals}}}", "/device_criteria/vendor/match enum"},
		{"a misspelt member of a criterion", "pools", "{name: P, device_criteria: {vendor: {val: Cisco}}}", "/device_criteria/vendor additionalProperties"},
		{"a criterion that is a string", "pools", "{name: P, device_criteria: {vendor: Cisco}}", "/device_criteria/vendor type"},

		{"a credential", "credentials", "{name: C, username: u, subtype: key}", ""},
		{"unknown choice", "credentials", "{name: C, subtype: token}", "/subtype enum"},
		{"a secret", "credentials", "{name: C, password: x}", "/password not"},
		{"a write-only secret", "credentials", "{name: C, password_wo: x}", "/ additionalProperties"},

		{"a service", "services", "{name: S, type: python_snippet_service, source_code: x}", ""},
		{"a service with a file", "services", "{name: S, type: python_snippet_service, source_code_from_file: x.py}", ""},
		{"a file for a number", "services", "{name: S, type: python_snippet_service, priority_from_file: x}", "/ additionalProperties"},
		{"a field of another type", "services", "{name: S, type: python_snippet_service, commands: x}", "/ additionalProperties"},
		{"a type from the defaults", "services", "{name: S, commands: show version, source_code: x}", ""},
		{"a value of a field of any type", "services", "{name: S, commands: 5}", "/commands type"},
		{"a secret of a type", "services", "{name: S, type: netmiko_commands_service, custom_password: x}", "/custom_password not"},
		{"a secret that eNMS returns", "services", "{name: S, type: slack_notification_service, token: x}", "/token not"},
		{"a prompt for a password", "services", "{name: S, type: netmiko_commands_service, expect_password_prompt: x}", ""},
		{"a type that eNMS does not have", "services", "{name: S, type: netmiko_command_service}", "/type enum"},
		{"a workflow among services", "services", "{name: S, type: workflow}", "/type enum"},
		{"a file name", "services", "{name: S, type: generic_file_transfer_service, source_file: a, destination_file: b}", ""},
		{"choices in a list", "services", "{name: S, type: git_service, actions: [clone, fetch]}", "/actions/1 enum"},
		{"a negative number", "services", "{name: S, type: ping_service, count: -1}", "/count minimum"},
		{"a string where a Boolean belongs", "services", `{name: S, shared: "yes"}`, "/shared type"},

		{"a workflow", "workflows", "{name: W, start: [A], steps: {A: {type: ping_service, on_success: [End]}, '[Shared] B': {on_failure: [A]}}}", ""},
		{"a workflow without steps", "workflows", "{name: W, superworkflow: V}", ""},
		{"several workflows in a file", "workflows", "[{name: W}]", "/ type"},
		{"services of a workflow", "workflows", "{name: W, services: [S]}", "/ additionalProperties"},
		{"edges of a workflow", "workflows", "{name: W, edges: [E]}", "/ additionalProperties"},
		{"a step that is shared", "workflows", "{name: W, steps: {A: {type: ping_service, shared: true}}}", "/steps/A additionalProperties"},
		{"a step with a scoped name", "workflows", "{name: W, steps: {A: {type: ping_service, scoped_name: B}}}", "/steps/A additionalProperties"},
		{"a step in a superworkflow", "workflows", "{name: W, steps: {A: {type: ping_service, superworkflow: V}}}", "/steps/A additionalProperties"},
		{"a step that is a placeholder", "workflows", "{name: W, steps: {A: {type: ping_service, placeholder: true}}}", "/steps/A additionalProperties"},
		{"misspelt key of a step", "workflows", "{name: W, steps: {A: {type: ping_service, onsuccess: [End]}}}", "/steps/A additionalProperties"},
		{"a step's field of another type", "workflows", "{name: W, steps: {A: {type: ping_service, commands: x}}}", "/steps/A additionalProperties"},
		{"a step without a type", "workflows", "{name: W, steps: {A: {count: 5}}}", "/steps/A additionalProperties"},
		{"a step with workflows", "workflows", "{name: W, steps: {A: {type: ping_service, workflows: [W]}}}", "/steps/A additionalProperties"},
		{"a step that is a workflow", "workflows", "{name: W, steps: {A: {type: workflow}}}", "/steps/A/type enum"},
		{"a layout", "workflows", "{name: W, positions: {A: [0, 1.5]}, labels: {t: {text: T, position: [0, -1], size: 20, alignment: left}}}", ""},
		{"one coordinate", "workflows", "{name: W, positions: {A: [0]}}", "/positions/A minItems"},
		{"a label that is a string", "workflows", "{name: W, labels: {t: T}}", "/labels/t type"},
		{"a label without a text", "workflows", "{name: W, labels: {t: {position: [0, 0]}}}", "/labels/t required"},
		{"a step called End", "workflows", "{name: W, steps: {End: {type: ping_service}}}", "/ not"},
		{"a slash in the name of a step", "workflows", "{name: W, steps: {a/b: {type: ping_service}}}", "/ pattern"},
		{"a step without a name", "workflows", "{name: W, steps: {'': {type: ping_service}}}", "/ minLength"},
		{"a secret in a step", "workflows", "{name: W, steps: {A: {type: rest_call_service, custom_password: x}}}", "/steps/A/custom_password not"},
		{"a step that is followed by a string", "workflows", "{name: W, steps: {A: {type: ping_service, on_success: End}}}", "/steps/A/on_success type"},

		{"a task", "tasks", "{name: T, service: S, frequency: 5, frequency_unit: hours, is_active: true}", ""},
		{"an unknown mode", "tasks", "{name: T, service: S, scheduling_mode: crontab}", "/scheduling_mode enum"},
		{"what only the data source has", "tasks", "{name: T, service: S, next_run_time: x}", "/ additionalProperties"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if found := strings.Join(schemas[c.folder].Problems(t, c.document), ", "); found != c.want {
				t.Errorf("%s: got the errors %q, want %q", c.document, found, c.want)
			}
		})
	}
}

func TestSchema_options(t *testing.T) {
	t.Parallel()
	site := yamldir.Options{Properties: []string{"rack"}, Types: []string{"site_service"}}
	defaults := yamldir.Options{Defaults: true}
	for _, c := range []struct {
		folder, document string
		options          yamldir.Options
		valid            bool
	}{
		{"devices", "{name: R1, rack: 7}", site, true},
		{"devices", "{name: R1, type: router, rack: 7}", site, true},
		{"devices", "{name: R1, rck: 7}", site, false},
		{"pools", "{name: P, rack: 7}", site, true},
		{"services", "{name: S, type: site_service, anything: 7}", site, true},
		{"services", "{name: S, type: ping_service, anything: 7}", site, false},
		{"workflows", "{name: W, steps: {A: {type: site_service, anything: 7}, B: {type: ping_service, rack: 7}}}", site, true},
		{"devices", "{vendor: Cisco}", defaults, true},
		{"devices", "{name: R1, vendor: Cisco}", defaults, false},
		{"devices", "{vendr: Cisco}", defaults, false},
		{"devices", "[{vendor: Cisco}]", defaults, false},
		{"services", "{type: netmiko_commands_service, driver: device}", defaults, true},
		{"services", "{type: netmiko_commands_service, source_code: x}", defaults, false},
		{"workflows", "{run_method: once}", defaults, true},
		{"workflows", "{steps: {}}", defaults, false},
	} {
		if found := yamltest.Of(t, c.folder, c.options).Problems(t, c.document); (len(found) == 0) != c.valid {
			t.Errorf("%s with %+v: %q", c.document, c.options, found)
		}
	}
}

// The keys of a schema are those that enms_instances takes: of each row, a sample is given to both.
func TestSchema_keysAreThoseOfEntries(t *testing.T) {
	t.Parallel()
	samples := map[kind.ValueType]string{
		kind.Text: `"x"`, kind.Number: "1", kind.Flag: "true", kind.One: `"x"`, kind.Many: `["x"]`, kind.JSON: "{}", kind.Criteria: "{}", kind.Properties: "{}",
	}
	for _, f := range yamldir.Folders {
		s := yamltest.Of(t, f.Name, yamldir.Options{})
		k := kind.Named(kinds.All(), f.Kind)
		for _, a := range k.Table().Resource {
			if a.Role == kind.Key || a.Role == kind.Subtype || strings.HasSuffix(a.Name, kind.WriteOnlySuffix+kind.VersionSuffix) {
				continue // they are no keys of entries, or of no use there
			}
			sample := samples[a.Type]
			if len(a.OneOf) > 0 {
				sample = fmt.Sprintf("%q", a.OneOf[0])
			}
			document := fmt.Sprintf("{name: x, %s: %s}", a.Name, sample)
			entry := map[string]tftypes.Value{}
			for key, member := range yamltest.Decode(t, document).(map[string]any) {
				entry[key] = value.FromJSON(member)
			}
			_, diags := many.Config(k, k.Name, "x", entry)
			if found := s.Problems(t, document); (len(found) == 0) == diags.HasError() {
				t.Errorf("%s: %s = %s: enms_instances says %v, the schema %q", f.Name, a.Name, sample, diags, found)
			}
		}
	}
}

// Every key is described, and so is each field of every type.
func TestSchema_describesEveryKey(t *testing.T) {
	t.Parallel()
	for _, f := range yamldir.Folders {
		document, err := json.Marshal(yamldir.Schema(kinds.All(), f, yamldir.Options{}))
		if err != nil {
			t.Fatal(err)
		}
		var x any
		if err := json.Unmarshal(document, &x); err != nil {
			t.Fatal(err)
		}
		described := describedKeys(x)
		k := kind.Named(kinds.All(), f.Kind)
		attributes := slices.Concat(k.Attributes, k.Properties)
		if f.Steps {
			attributes = append(attributes, kind.Attribute{Name: yamldir.KeySteps}, kind.Attribute{Name: yamldir.KeyPositions}, kind.Attribute{Name: yamldir.KeyLabels}, kind.Attribute{Name: yamldir.KeyStart})
		}
		for _, a := range attributes {
			if !a.ReadOnly && !described[a.Name] {
				t.Errorf("%s: %s has no description", f.Name, a.Name)
			}
		}
		for _, table := range k.Subtypes {
			for _, a := range table.Fields {
				if table.Name != "workflow" && !described[a.Name] {
					t.Errorf("%s: %s of %s has no description", f.Name, a.Name, table.Name)
				}
			}
		}
		if strings.Contains(string(document), "](") {
			t.Errorf("%s: a description has a link", f.Name)
		}
	}
}

// describedKeys returns the keys of all properties in a schema that have a description.
func describedKeys(x any) map[string]bool {
	described := map[string]bool{}
	switch x := x.(type) {
	case []any:
		for _, member := range x {
			maps.Copy(described, describedKeys(member))
		}
	case map[string]any:
		properties, _ := x["properties"].(map[string]any)
		for key, member := range properties {
			if s, is := member.(map[string]any); is && s["description"] != nil && s["description"] != "" {
				described[key] = true
			}
		}
		for _, member := range x {
			maps.Copy(described, describedKeys(member))
		}
	}
	return described
}

func TestMain_prints(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args     []string
		status   int
		output   string
		messages string
	}{
		{[]string{"devices"}, 0, `"title": "devices of eNMS"`, ""},
		{[]string{"-defaults", "tasks"}, 0, `"title": "defaults for tasks of eNMS"`, ""},
		{[]string{"-property", "rack, unit", "devices"}, 0, `"unit": true`, ""},
		{[]string{"-type", "site_service", "services"}, 0, `"site_service"`, ""},
		{[]string{"-h"}, 0, "Usage: terraform-provider-enms json-schema", ""},
		{nil, 1, "", "one folder is wanted"},
		{[]string{"devices", "links"}, 1, "", "one folder is wanted"},
		{[]string{"device"}, 1, "", `there is no folder "device": it is one of devices, links`},
		{[]string{"-x", "devices"}, 1, "", "not defined: -x"},
	} {
		var output, messages strings.Builder
		if status := yamldir.Main(c.args, kinds.All(), &output, &messages); status != c.status {
			t.Errorf("%q: exit status %d", c.args, status)
		}
		if !strings.Contains(output.String(), c.output) || !strings.Contains(messages.String(), c.messages) {
			t.Errorf("%q: %.200s %s", c.args, output.String(), messages.String())
		}
		if c.status == 0 && (messages.Len() > 0 || c.args[0] != "-h" && !json.Valid([]byte(output.String()))) {
			t.Errorf("%q: messages %q, or no JSON", c.args, messages.String())
		}
	}
}

// failing is a full disk, for example.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestMain_cannotPrint(t *testing.T) {
	t.Parallel()
	var messages strings.Builder
	if status := yamldir.Main([]string{"devices"}, kinds.All(), failing{}, &messages); status != 1 || messages.String() != "Error: no space left\n" {
		t.Errorf("exit status %d: %s", status, messages.String())
	}
}

func TestResource(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		folder, typ string
		want        yamldir.Resource
	}{
		{"links", "ethernet_link", yamldir.Resource{Address: "link", Each: true}}, {"devices", "gateway", yamldir.Resource{Address: "gateways[0]"}},
		{"devices", "router", yamldir.Resource{Address: `devices["router"]`}}, {"pools", "pool", yamldir.Resource{Address: "pools[0]"}},
		{"workflows", "workflow", yamldir.Resource{Address: "workflows[0]"}}, {"services", "ping_service", yamldir.Resource{Address: `services["ping_service"]`}}, {"tasks", "task", yamldir.Resource{Address: "task", Each: true}},
	} {
		if f, is := yamldir.FolderNamed(c.folder); !is || f.Resource(c.typ) != c.want {
			t.Errorf("%s of the type %s are in %v", c.folder, c.typ, f.Resource(c.typ))
		}
	}
}

// An export writes no key that the module reads as something else, such as a custom property of that name.
func TestCanHave(t *testing.T) {
	t.Parallel()
	for _, f := range yamldir.Folders {
		for key, want := range map[string]bool{"vendor": true, "start": !f.Steps, "steps": false, "code_from_file": false} {
			if f.CanHave(key) != want || !yamldir.StepCanHave(key) || yamldir.StepCanHave("workflows") || yamldir.StepCanHave("on_success") || yamldir.StepCanHave("on_failure") {
				t.Errorf("a file in %s can have %s: %t", f.Name, key, !want)
			}
		}
	}
}

// A file names a service by its own name, unless the module would make another full name of that.
func TestStepName(t *testing.T) {
	t.Parallel()
	for service, want := range map[string]string{
		"[W] A": "A", "[Shared] Start": "Start", "[Shared] End": "End", "[Shared] A": "[Shared] A", "[W] End": "[W] End", "[W] [x] A": "[W] [x] A", "[[W] V] A": "[[W] V] A", "A": "",
	} {
		if name := yamldir.StepName("W", service); name != want {
			t.Errorf("%s is called %q, want %q", service, name, want)
		}
	}
}

// A schema has what the rows say, and of a field that types declare differently, each declaration.
func TestSchema_values(t *testing.T) {
	t.Parallel()
	number := func(greatest int64) []kind.Attribute {
		return []kind.Attribute{{Name: "count", Type: kind.Number, Doc: "D.", Range: &kind.Range{Min: 1, Max: greatest}}}
	}
	k := &kind.Kind{Name: "device", Summary: "A toy.", Secrets: []string{"key"}, Attributes: []kind.Attribute{
		{Name: "type", Role: kind.Subtype, OneOf: []string{"doll", "ball", "kite", "top"}},
		{Name: "label", Doc: "See [labels](x.md).", Suggest: []string{"a"}}, {Name: "body", Doc: "D.", MaxLength: kind.Unbounded},
		{Name: "owner", Type: kind.One, Of: "user", Doc: "D."}, {Name: "friends", Type: kind.Many, Of: "toy", Doc: "D."}, {Name: "words", Type: kind.Many, Doc: "D."},
		{Name: "mode", Default: "odd", OneOf: []string{"even"}, Doc: "D."}, {Name: "tone", Default: "low", OneOf: []string{"low", "high"}, Doc: "D."}, {Name: "extra", Type: kind.JSON, Doc: "D."},
		{Name: "filter", Type: kind.Criteria, Doc: "D."}, {Name: "pin", Role: kind.Secret, Doc: "D."}, {Name: "info", ReadOnly: true},
	}, Properties: []kind.Attribute{
		{Name: "price", Type: kind.Decimal, Doc: "D."}, {Name: "ways", Type: kind.List, Doc: "D."}, {Name: "note", Type: kind.Anything, Doc: "D."}, {Name: "custom", Type: kind.Flag, Sample: true, Doc: "D."},
		{Name: "key", Type: kind.Flag, Doc: "D."}, {Name: "api_password", Doc: "D."}, {Name: "has_password", Type: kind.Flag, Doc: "D."},
	}, Subtypes: []kind.SubtypeTable{{Name: "ball", Fields: number(2)}, {Name: "doll", Fields: number(2)}, {Name: "kite", Fields: number(3)}, {Name: "top", Fields: number(4)}}}
	document, err := json.Marshal(yamldir.Schema([]*kind.Kind{k}, yamldir.Folders[0], yamldir.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Dialect     string `json:"$schema"`
		Description string
		Definitions struct {
			Object struct {
				Properties map[string]json.RawMessage
				AllOf      []struct {
					Then struct{ Properties map[string]json.RawMessage }
				}
			}
		} `json:"$defs"`
	}
	if err := json.Unmarshal(document, &got); err != nil || got.Description != "A toy." || !strings.Contains(got.Dialect, "2020-12") {
		t.Errorf("%v: %+v", err, got)
	}
	const ofName = `"maxLength":255,"minLength":1,"pattern":"^[^/\\\\'\"\\n\\x00]*$"`
	for key, want := range map[string]string{
		"type":  `{"description":"One of ` + "`doll`, `ball`, `kite`, `top`." + `","enum":["ball","device","doll","kite","top"]}`,
		"label": `{"description":"See labels.","examples":["a"],"maxLength":255,"type":["string","null"]}`,
		"body":  `{"description":"D. Any length.","type":["string","null"]}`, "body_from_file": `{"description":"A file with the body: a path that begins in the folder of this file.","minLength":1,"type":"string"}`,
		"label_from_file": "", "info": "", "name": `{"description":"The name. Changing it replaces the device, unless it is renamed by the variable renames.",` + ofName + `,"type":"string"}`,
		"owner": `{"description":"D.",` + ofName + `,"type":["string","null"]}`, "friends": `{"description":"D.","items":{` + ofName + `,"type":"string"},"type":["array","null"],"uniqueItems":true}`,
		"words": `{"description":"D.","items":{"type":"string"},"type":["array","null"],"uniqueItems":true}`,
		"mode":  `{"description":"D. Known values: ` + "`even`. Default: `odd`." + `","enum":["even","odd",null],"maxLength":255,"type":["string","null"]}`,
		"tone":  `{"description":"D. Known values: ` + "`low`, `high`. Default: `low`." + `","enum":["low","high",null],"maxLength":255,"type":["string","null"]}`,
		"extra": `{"description":"D.","type":["object","null"]}`, "price": `{"description":"D.","maximum":2147483647,"minimum":-2147483648,"type":["number","null"]}`,
		"filter": `{"additionalProperties":{"additionalProperties":false,"properties":{"invert":{"description":"Whether to negate the condition.","type":"boolean"},"match":{"description":"How to compare. Default: inclusion.","enum":["inclusion","equality","regex","empty"]},` +
			`"value":{"description":"The value to compare the property with, as a string, even for numbers.","type":"string"}},"type":"object"},"description":"D.","type":["object","null"]}`,
		"ways": `{"description":"D.","type":["array","null"]}`, "note": `{"description":"D."}`, "custom": `{"description":"D."}`, "has_password": `{"description":"D.","type":["boolean","null"]}`,
	} {
		if s := string(got.Definitions.Object.Properties[key]); s != want {
			t.Errorf("%s:\n got %s\nwant %s", key, s, want)
		}
	}
	for _, secret := range []string{"pin", "key", "api_password"} {
		if s := string(got.Definitions.Object.Properties[secret]); !strings.Contains(s, `"not":{}`) {
			t.Errorf("%s is no secret: %s", secret, s)
		}
	}
	of := func(greatest int) string {
		return fmt.Sprintf(`{"description":"D. From 1 to %d.","maximum":%d,"minimum":1,"type":["integer","null"]}`, greatest, greatest)
	}
	branches := got.Definitions.Object.AllOf
	if last := string(branches[len(branches)-1].Then.Properties["count"]); len(branches) != 6 || last != `{"anyOf":[`+of(2)+","+of(3)+","+of(4)+"]}" {
		t.Errorf("without a type, count is %s", last)
	}
}
