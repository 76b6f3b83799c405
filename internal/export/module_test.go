// This file tests the inputs of modules, and the files of long strings.

package export

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// An input has one name for each purpose, and no name that Terraform or another input has.
func TestModule_inputs(t *testing.T) {
	t.Parallel()
	m := newModule("W")
	m.label = "w"
	var none *module
	if have := m.dir() + m.prefix() + none.dir() + none.prefix() + fmt.Sprint(m.isShared(), newModule("").isShared()); have != "modules/w/module.w.false true" {
		t.Errorf("it is at %s", have)
	}
	for _, test := range []struct{ have, want source }{
		{m.nameInput("device", "gateway", "[W] R 1", "x"), "var.device_r_1"},
		{m.nameInput("device", "gateway", "[W] R 1", "y"), "var.device_r_1"},
		{m.nameInput("device", "device", "r_1", "z"), "var.device_r_1_bda0c9"},
		{m.listInput(input{name: "devices"}), "var.devices"},
		{m.listInput(input{name: "providers"}), "var.providers_b3fabb"},
		{m.listInput(input{name: tasksInput}), "var.tasks_ad0260"},
		{source(expression(joined([]any{"a", source("x.y")}), 0)), `["a", x.y]`},
		{joined([]any{"a", passedName{module: m, variable: "pools", value: source("p.q"), needed: true, description: "d"}}).(source), "var.pools"},
		{joined([]any{source("x.y"), passedName{module: m, variable: "links", value: "b"}, "c"}).(source), "concat([x.y], var.links)"},
	} {
		if test.have != test.want {
			t.Errorf("it is %s, and not %s", test.have, test.want)
		}
	}
	m.secretInput("token", "A token.")
	var all []string
	for _, i := range m.sorted() {
		all = append(all, fmt.Sprint(i.name, " ", i.typ, " ", i.needed, i.ephemeral, i.fallback, i.value))
	}
	want := `device_r_1 string true false <nil>x
device_r_1_bda0c9 string true false <nil>z
devices list(string) false false <nil> <nil>
links list(string) false false [] [b c]
pools list(string) true false <nil> [a p.q]
providers_b3fabb list(string) false false <nil> <nil>
secret_versions map(number) false false []var.secret_versions
tasks_ad0260 list(string) false false <nil> <nil>
token string false true <nil>var.token`
	if have := strings.Join(all, "\n"); have != want {
		t.Errorf("the inputs are\n%s\nand not\n%s", have, want)
	}
	call, told := m.call()
	if have, want := fmt.Sprint(call, told), "[{source ./modules/w} {device_r_1 x} {device_r_1_bda0c9 z} {links [b c]} {pools [a p.q]} {secret_versions var.secret_versions} {token var.token}] "+
		"{w W [device_r_1 device_r_1_bda0c9 pools] [devices links providers_b3fabb secret_versions tasks_ad0260 token]}"; have != want {
		t.Errorf("the call is\n%s\nand not\n%s", have, want)
	}
}

// A string of many lines becomes a file, named like its object, and for other fields than the code, like the field.
func TestTextFiles(t *testing.T) {
	t.Parallel()
	o := &object{kind: kind.Named(kinds.All(), "service"), name: "a", typ: "python_snippet_service", config: kind.Values{}}
	short, long := strings.Repeat("x\n", longText-1), strings.Repeat("x\n", longText)
	attributes := []attribute{
		{"short", short}, {"no_text", 1}, {"skip_query", long},
		{kind.RowProperties, map[string]any{"source_code": strings.TrimSuffix(long, "\n"), "no field": long, "short": short + "\n\n"}},
	}
	files := textFiles(o, attributes, "code/w/a")
	for name, content := range map[string]string{"code/w/a.py": strings.TrimSuffix(long, "\n"), "code/w/a.no_field.txt": long, "code/w/a.skip_query.py": long} {
		if string(files[name]) != content {
			t.Errorf("%s is %q", name, files[name])
		}
	}
	fields := attributes[3].value.(map[string]any)
	if have := fmt.Sprintf("%d %v %s %s %t %t", len(files), attributes[1].value, expression(attributes[2].value, 0), expression(fields["source_code"], 0), fields["short"] == short+"\n\n", attributes[0].value == short); have != `3 1 file("${path.module}/code/w/a.skip_query.py") file("${path.module}/code/w/a.py") true true` {
		t.Errorf("the files and attributes are %s", have)
	}
	for doc, want := range map[string]string{"A Python script.": ".py", "The body, in HTML.": ".html", "A shell script.": ".sh", "A text.": ".txt"} {
		if have := extension(doc); have != want {
			t.Errorf("%s: the extension is %s", doc, have)
		}
	}
}

// The files of services are in a directory for their workflow, and those of others in one for their kind.
func TestObject_textDirectory(t *testing.T) {
	t.Parallel()
	service := func(name, typ string, m *module) *object {
		o := &object{kind: kind.Named(kinds.All(), "service"), name: name, typ: typ, label: "label_of_" + identifier(name), module: m}
		container, _ := o.kind.Scope.Split(name)
		o.state = kind.Values{o.kind.Scope.Attribute: tftypes.NewValue(tftypes.String, container)}
		return o
	}
	of := newModule("M")
	objects := []*object{service("W", "workflow", nil), service("not", "python_snippet_service", nil), service("[M] N", "workflow", of), service("M", "workflow", of)}
	for _, test := range []struct {
		o    *object
		want string
	}{
		{&object{kind: kind.Named(kinds.All(), "device"), name: "d"}, "devices"},
		{objects[0], "label_of_w"},
		{objects[3], ""},
		{objects[2], "label_of_m_n"},
		{service("s", "python_snippet_service", nil), "services"},
		{service("[Shared] s", "python_snippet_service", nil), "shared"},
		{service("s", "python_snippet_service", of), ""},
		{service("[W] s", "python_snippet_service", nil), "label_of_w"},
		{service("[not] s", "python_snippet_service", nil), "not"},
		{service("[M] s", "python_snippet_service", of), ""},
		{service("not", "python_snippet_service", nil), "services"},
	} {
		if have := test.o.textDirectory(objects); have != test.want {
			t.Errorf("%s: it is %q, and not %q", test.o.name, have, test.want)
		}
	}
}

// The version of the provider is in versions.tf unless it is one of a developer. A task with properties is no entry of
// the variable for tasks. git changes no text in a module.
func TestModule_files(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]bool{"dev": false, "1.2.3": true} {
		if has := strings.Contains(string(versions(version, forImports, false).content()), `version = ">= 1.2.3"`); has != want {
			t.Errorf("%s: there is a version: %t", version, has)
		}
	}
	for want, config := range map[bool]kind.Values{true: {}, false: {kind.RowProperties: value.FromJSON(map[string]any{"x": "y"})}} {
		if have := fitsEntry(&object{kind: kind.Named(kinds.All(), taskType), config: config}); have != want {
			t.Errorf("%v fits an entry: %t", config, have)
		}
		var modules []*module
		if want {
			modules = append(modules, newModule("W"))
		}
		if has := strings.Contains(string(gitAttributes(modules)), "modules/*/code/** -text\n"); has != want {
			t.Errorf("git knows of %d modules: %t", len(modules), has)
		}
	}
}
