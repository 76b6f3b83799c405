// This file tests what becomes of objects that are made by hand.

package export

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/exportmerge"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// shown is a namer that leaves out the name "left", and has the attribute as a reference for the name "r".
func shown(attribute, _, name string) any {
	switch name {
	case "left":
		return nil
	case "r":
		return source(attribute)
	}
	return name
}

// Relations in properties hold references where there are some, and not what is left out.
func TestObject_properties(t *testing.T) {
	t.Parallel()
	o := &object{typ: "odd", kind: &kind.Kind{Name: "thing", Attributes: []kind.Attribute{{Name: "friends", Type: kind.Many, Of: "user"}}, Properties: []kind.Attribute{
		{Name: "skip", Type: kind.JSON, KeysOf: "workflow"}, {Name: "owner", Type: kind.One, Of: "user"}, {Name: "pals", Type: kind.Many, Of: "user"},
	}, Subtypes: []kind.SubtypeTable{{Name: "odd", Fields: []kind.Attribute{{Name: "extra", Type: kind.Many, Of: "user"}}}, {Name: "even", Fields: []kind.Attribute{{Name: "other", Type: kind.Many, Of: "user"}}}}}}
	for _, test := range []struct {
		have any
		want string
	}{
		{map[string]any{"skip": map[string]any{"left": 1, "r": 2, "n": 3}, "owner": "r", "pals": []any{"left"}, "extra": []any{"r", "left", "n"}, "other": []any{"r"}},
			"map[extra:[properties.extra n] other:[r] owner:properties.owner pals:<nil> skip:[{n 3} {(properties.skip) 2}]]"},
		{map[string]any{"skip": nil, "owner": "", "pals": []any{}, "extra": []any{json.Number("5")}}, "map[extra:[5] owner: pals:[] skip:<nil>]"},
		{map[string]any{"owner": true}, "map[owner:true]"},
		{"none", "none"},
	} {
		if have := fmt.Sprint(o.properties(test.have, shown)); have != test.want {
			t.Errorf("they are %s, and not %s", have, test.want)
		}
	}
	for attribute, want := range map[string]bool{"friends": true, "pals": false, "properties.pals": true, "properties.extra": true, "properties.friends": false, "properties.owner": false, "properties.other": false} {
		if o.isList(attribute) != want {
			t.Errorf("%s is a list: %t", attribute, !want)
		}
	}
	if sameNames(o.config["x"], o.config["x"]) || sameNames(value.SetOf([]string{"a"}), value.SetOf([]string{"b"})) || !sameNames(value.SetOf([]string{"a", "b"}), value.SetOf([]string{"b", "a"})) {
		t.Error("lists are the same by other things than their names")
	}
}

// Where objects refer to each other, one of them is written without a reference: a single name stays, and a list does
// not hold the name, unless the other object holds the relation in its mirrored attribute.
func TestReferences_circles(t *testing.T) {
	t.Parallel()
	box := &kind.Kind{Name: "box", Namespace: "box", Attributes: []kind.Attribute{
		{Name: "content", Type: kind.Many, Of: "box", Inverse: "boxes"},
		{Name: "bags", Type: kind.Many, Of: "bag", Inverse: "content", Membership: kind.Membership{Mirrored: true}},
		{Name: "boxes", Type: kind.Many, Of: "box", Inverse: "content", Membership: kind.Membership{Mirrored: true}},
		{Name: "friends", Type: kind.Many, Of: "box"}, {Name: "best", Type: kind.One, Of: "box"},
	}}
	bag := &kind.Kind{Name: "bag", Namespace: "box", Attributes: box.Attributes[:1]}
	var objects []*object
	add := func(k *kind.Kind, name, attribute string, of ...string) {
		o := &object{kind: k, name: name, label: name, config: kind.Values{attribute: value.SetOf(of)}}
		if attribute == "best" {
			o.config[attribute] = tftypes.NewValue(tftypes.String, of[0])
		}
		objects = append(objects, o)
	}
	add(box, "a", "content", "b")
	add(box, "b", "content", "a", "c", "none")
	add(box, "c", "friends", "d")
	add(box, "d", "friends", "c")
	add(box, "e", "best", "f")
	add(box, "f", "best", "e")
	add(box, "g", "content", "g")
	add(bag, "h", "content", "i")
	add(box, "i", "content", "h")
	add(box, "l", "boxes", "m")
	add(box, "m", "boxes", "l")
	all, r := []*kind.Kind{box, bag}, &report{}
	refs := newReferences(newIndex(all, objects), objects, nil, &inventory{kinds: all, readKinds: all}, r)
	for n, want := range []string{
		"[{content [enms_box.b.name]} {boxes [enms_box.b.name]}] [boxes]", "[{content [enms_box.c.name none]}] [content]",
		"[{friends [enms_box.d.name]}] []", "[] [friends]", "[{best enms_box.f.name}] []", "[{best e}] []", "[] [content]",
		"[{content [enms_box.i.name]}] []", "[] [content]", "[{boxes [enms_box.m.name]}] []", "[] [boxes]",
	} {
		o := objects[n]
		if have := fmt.Sprint(o.attributes(refs.in(o, map[string]bool{})), o.ignored); have != want {
			t.Errorf("%s has %s, want %s", o.name, have, want)
		}
	}
	if have, want := fmt.Sprint(r.Circles), "[{enms_box.d friends enms_box.c c true} {enms_box.f best enms_box.e e false} {enms_box.g content enms_box.g g true} {enms_box.i content enms_bag.h h true} {enms_box.m boxes enms_box.l l true}]"; have != want {
		t.Errorf("the circles are\n%s, want\n%s", have, want)
	}
}

// The key of an edge is the one in the code, or made of the names of its ends, as short as it can be.
func TestEdgeBlock_keys(t *testing.T) {
	t.Parallel()
	b := &edgeBlock{kind: kind.Named(kinds.All(), "workflow_edge"), workflow: "W"}
	var want []string
	for _, e := range [][4]string{
		{"[W] a", "[W] b", "x", "x"}, {"[W] a", "[W] c", "", "[W] a -> [W] c"}, {"[V] a", "[W] c", "", "[V] a -> [W] c"}, {"[W] h", "[W] i", "", "h -> i"},
		{"[W] r", "[W] s", "d -> e", "d -> e"}, {"[W] d", "[W] e", "", "[W] d -> [W] e"},
		{"[W] t", "[W] u", "f -> g", "f -> g"}, {"[W] u", "[W] v", "[W] f -> [W] g", "[W] f -> [W] g"}, {"[W] v", "[W] w", "f -> g 2", "f -> g 2"}, {"[W] f", "[W] g", "", "f -> g 3"},
	} {
		text := func(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }
		o := &object{kind: b.kind, match: &exportmerge.Object{}, config: kind.Values{b.kind.Place.Ends[0]: text(e[0]), b.kind.Place.Ends[1]: text(e[1]), "subtype": text(usualEdge)}}
		if e[2] != "" {
			o.match.At = "enms_workflow_edge.w[" + exportmerge.Quote(e[2]) + "]"
		}
		b.objects, want = append(b.objects, o), append(want, e[3])
	}
	b.makeKeys()
	for n, o := range b.objects {
		if b.keys[o] != want[n] {
			t.Errorf("the key is %q, want %q", b.keys[o], want[n])
		}
	}
}

// Steps run from Start and from the steps to which no other one leads. What these do not lead to has no place.
func TestEdgeBlock_order(t *testing.T) {
	t.Parallel()
	b := &edgeBlock{kind: kind.Named(kinds.All(), "workflow_edge"), workflow: "W"}
	for _, e := range [][2]string{{"[W] b", "[W] b"}, {"[W] c", "[W] a"}, {"[W] a", "[W] a"}, {"[Shared] Start", "[W] c"}, {"[W] x", "[W] y"}, {"[W] y", "[W] x"}} {
		text := func(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }
		b.objects = append(b.objects, &object{kind: b.kind, config: kind.Values{b.kind.Place.Ends[0]: text(e[0]), b.kind.Place.Ends[1]: text(e[1]), "subtype": text(usualEdge)}})
	}
	if have, want := fmt.Sprint(b.order()), "map[[Shared] Start:1 [W] a:4 [W] b:2 [W] c:3]"; have != want {
		t.Errorf("the order is %s, and not %s", have, want)
	}
	b.makeKeys()
	b.sort()
	var sorted []string
	for _, o := range b.objects {
		sorted = append(sorted, b.keys[o])
	}
	if have, want := strings.Join(sorted, ", "), "Start -> c, b -> b, c -> a, a -> a, x -> y, y -> x"; have != want {
		t.Errorf("the edges are %s, and not %s", have, want)
	}
}

// A new block of edges has the label of its workflow. In a module, services of nested workflows have the name of these in
// theirs.
func TestExporter_setLabels(t *testing.T) {
	t.Parallel()
	w, edge := &object{kind: kind.Named(kinds.All(), "service"), typ: workflowType, name: "W", label: "ours"}, &object{kind: kind.Named(kinds.All(), "workflow_edge")}
	e := newExporter(&inventory{}, options{}, nil, nil)
	e.edges = []*edgeBlock{{kind: edge.kind, workflow: "W", objects: []*object{edge}, keys: map[*object]string{edge: "k"}}}
	if e.labelEdges([]*object{w}); edge.local() != `enms_workflow_edge.ours["k"]` {
		t.Errorf("the edge is %s", edge.local())
	}
	inner := &object{kind: w.kind, name: "[[W] Inner] s", module: newModule("W"), config: kind.Values{"workflows": value.SetOf([]string{"[W] Inner"})}}
	own := &object{kind: w.kind, name: "[W] s", module: inner.module, config: kind.Values{"workflows": value.SetOf([]string{"W"})}}
	if e.setLabels([]*object{inner, own}); inner.label != "inner_s" || own.label != "s" {
		t.Errorf("the services are %s and %s", inner.label, own.label)
	}
}

// versions.tf has the version of Terraform that the export needs, and the provider. Imports are no lines of the report.
func TestExporter_finish(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		fill  func(e *exporter)
		needs string
	}{
		{func(e *exporter) { e.addImport("a.b", "c") }, ">= 1.5"},
		{func(e *exporter) { e.edges = []*edgeBlock{nil} }, ">= 1.5, != 1.16.0"},
		{func(e *exporter) { e.objects = []*object{{kind: kind.Named(kinds.All(), "device"), table: yamlModule}} }, ">= 1.8, != 1.16.0"},
		{func(e *exporter) { e.report.Secrets = []secret{{Variable: "v", Key: "k"}} }, ">= 1.11"},
		{func(e *exporter) { e.modules = []*module{{label: "m"}} }, ">= 1.5, != 1.16.0"},
	} {
		e := newExporter(&inventory{}, options{}, nil, nil)
		e.refs = newReferences(newIndex(kinds.All(), nil), nil, nil, e.found, e.report)
		test.fill(e)
		err := e.finish()
		for _, held := range []string{fmt.Sprintf("required_version = %q", test.needs), "\n# ENMS_PASSWORD.\nprovider \"enms\" {\n}\n"} {
			if err != nil || !strings.Contains(string(e.files[fileVersions]), held) {
				t.Errorf("%q is not in\n%s", held, e.files[fileVersions])
			}
		}
		lines := 0
		for name, content := range e.files {
			if strings.HasSuffix(name, ".tf") && name != fileImports {
				lines += strings.Count(string(content), "\n")
			}
		}
		if e.report.Lines != lines {
			t.Errorf("%d lines are reported of %d", e.report.Lines, lines)
		}
	}
}

// A property with a secret becomes a variable. The report says which paths and texts people must look at.
func TestObject_findings(t *testing.T) {
	t.Parallel()
	text := func(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }
	k := kind.Named(kinds.All(), "service")
	for _, test := range []struct {
		properties    map[string]any
		left, secrets string
	}{
		{map[string]any{"token": "x"}, "map[]", "[token]"},
		{map[string]any{"token": "x", "channel": "c"}, "map[channel:c]", "[token]"},
		{map[string]any{"token": "", "password": true}, "map[password:true token:]", "[]"},
	} {
		o := &object{kind: k, config: kind.Values{kind.RowProperties: value.FromJSON(test.properties)}}
		o.takeSecrets()
		if have := fmt.Sprint(value.Members(o.config[kind.RowProperties]), o.returnedSecrets); have != test.left+" "+test.secrets {
			t.Errorf("%v: there are %s", test.properties, have)
		}
		if _, has := o.config[kind.RowProperties]; has == (test.left == "map[]") {
			t.Errorf("%v: there are properties: %t", test.properties, has)
		}
	}
	o := &object{kind: k, typ: "generic_file_transfer_service", name: "s", label: "s", config: kind.Values{
		"description": text("password = 'abcd'"), kind.RowProperties: value.FromJSON(map[string]any{"source_file": "/etc/motd", "direction": "get", "own": "x"}),
	}}
	r := &report{}
	r.examine(o, nil)
	for what, found := range map[string][]finding{"description holds what looks like a secret.": r.Check, `The server must have what source_file names: "/etc/motd".`: r.Kept} {
		if !slices.Contains(found, finding{At: "enms_service.s", What: what}) {
			t.Errorf("%s is not in %v", what, found)
		}
	}
	if r.examineSubtype(&object{kind: k, typ: "site_service"}); !slices.Equal(r.types, []string{"site_service"}) {
		t.Errorf("types of the site are %q", r.types)
	}
	for at, what := range map[string]string{"enms_service": "The server must have the property own of services.", "enms_service.": "The server must have the type site_service."} {
		if !slices.Contains(r.Kept, finding{At: at, What: what}) {
			t.Errorf("%s is not in %v", what, r.Kept)
		}
	}
	if slices.ContainsFunc(r.Kept, func(f finding) bool { return strings.Contains(f.What, "direction") }) {
		t.Errorf("a property is a file: %v", r.Kept)
	}
	for want, values := range map[bool][2]any{true: {"d", nil}, false: {"d", "d"}} {
		r, row := &report{}, kind.Attribute{Name: "a", Default: "d", OnCreate: "c"}
		r.examineDefault(&object{kind: k, state: kind.Values{"a": value.FromJSON(values[0])}, config: kind.Values{"a": value.FromJSON(values[1])}}, row)
		if told := len(r.Kept) == 1; told != want {
			t.Errorf("that a default differs is told: %t", told)
		}
	}
	document, err := (&report{}).document()
	for _, list := range []string{"left_out", "values_left_out", "kept", "circles", "expected_on_the_server", "secrets", "to_be_checked"} {
		if err != nil || !strings.Contains(string(document), `"`+list+`": []`) {
			t.Errorf("%s is not empty in\n%s", list, document)
		}
	}
}
