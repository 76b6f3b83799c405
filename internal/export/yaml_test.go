// This file tests the values in YAML files.

package export

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/kindtest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/yamldir/yamltest"
)

// Terraform reads each value as it was.
func TestYAMLValue_isReadBack(t *testing.T) {
	t.Parallel()
	texts := []string{
		"", "x", "Cisco", "IOS XE 17.3", "yes", "No", "null", "~", "true", "1", "1.50", "0x1f", "1e5", "10.0.0.1", "2024-01-01", "- a", "a: b", "a #b", "#x", "a\"b", `a\b`, "'x'", "%x", "@x", "`x`", "&a", "*a", "!a", "|", ">", "?", ":", "a,b", "[a]", "{a}",
		" x", "x ", "x\n", "\nx", "x\ny", "x\ny\n", "x\n\ny\n", "x\n\n", "x \ny", "x\n y", "  x\ny", "x\r\ny", "x\ty", "\tx\ny", "a\n# b\n- c\n", "---", "...", "x\n---\ny", "Größe", "日本\n語\n", "\u0085", "\u2028x\ny", "\ufeff", "\x1b[0m", "\U0001f600", "${x}", "%{x}", "=", "<<", "x:", "x: y\nz: w",
	}
	for _, text := range texts {
		for _, x := range []any{text, []any{text, text}, map[string]any{"k": text, "a b": []any{text}}} {
			document := "k: " + yamlValue(x, "") + "\nnext: 1\n"
			read := yamltest.Decode(t, document).(map[string]any)
			if !value.Equal(kindtest.Decoded(read["k"]), kindtest.Decoded(x)) || len(read) != 2 {
				t.Errorf("%q is read as %q:\n%s", x, read["k"], document)
			}
		}
		if text == "<<" {
			continue // as a key it merges, also in quotes; eNMS has no field of that name
		}
		document := yamlText(text) + ": 1\n"
		if read := yamltest.Decode(t, document).(map[string]any); read[text] == nil {
			t.Errorf("the key %q is read as %v", text, read)
		}
	}
	for _, x := range []any{nil, true, false, json.Number("22"), json.Number("-1.5"), json.Number("1e-7"), []any{}, map[string]any{}, []any{nil, []any{json.Number("1")}}} {
		read := yamltest.Decode(t, "k: "+yamlValue(x, "")+"\n").(map[string]any)
		if !value.Equal(kindtest.Decoded(read["k"]), kindtest.Decoded(x)) {
			t.Errorf("%v is read as %v", x, read["k"])
		}
	}
}

// The keys of an object's file are its attributes and its properties. A step of a workflow is a mapping in it.
func TestObject_fields(t *testing.T) {
	t.Parallel()
	o := devices("two\nlines")[0]
	o.config[kind.RowProperties] = value.FromJSON(map[string]any{"site": "Rome", "racks": []any{"a", "b"}})
	var b strings.Builder
	yamlMapping(&b, []attribute{{"steps", []attribute{{"A", o.fields(plainName)}, {"B", []attribute(nil)}}}}, "")
	if have, want := b.String(), "steps:\n  A:\n    description: |-\n      two\n      lines\n    racks: [a, b]\n    site: Rome\n  B: {}\n"; have != want {
		t.Errorf("the file is\n%s\nand not\n%s", have, want)
	}
}

// What people read is not in quotes, unless a version of YAML reads it as another value.
func TestYAMLValue_plain(t *testing.T) {
	t.Parallel()
	for x, want := range map[string]string{"Cisco IOS-XE": "Cisco IOS-XE", "10.0.0.1": `"10.0.0.1"`, "no": `"no"`, "a\nb\n": "|\n  a\n  b", "a\nb": "|-\n  a\n  b"} {
		if got := yamlValue(x, ""); got != want {
			t.Errorf("%q: got %s, want %s", x, got, want)
		}
	}
	for _, word := range strings.Fields("null true false yes no on off y n NULL Yes Off") {
		if got := yamlText(word); got != `"`+word+`"` {
			t.Errorf("%s is not in quotes: %s", word, got)
		}
	}
}

// A device with a secret is a block, and so is what names it, if it names a file itself: the module would have to come
// before it and after it. The steps of a workflow that is a block are files, and its edges are not.
func TestChooseYAML(t *testing.T) {
	t.Parallel()
	all := devices("plain", "with a secret", "with a secret and a gateway")
	all[0].typ = "gateway"
	all[1].returnedSecrets, all[2].returnedSecrets = []string{"api_token"}, []string{"api_token"}
	all[2].config["gateways"] = value.SetOf([]string{"R0"})
	for name, ends := range map[string][2]string{"A": {"R0", "R9"}, "B": {"R0", "R1"}, "C": {"R0", "R2"}, "D": {"R0", "left out"}} {
		all = append(all, &object{kind: kind.Named(kinds.All(), "link"), name: name, typ: "link", config: kind.Values{"source": tftypes.NewValue(tftypes.String, ends[0]), "destination": tftypes.NewValue(tftypes.String, ends[1])}})
	}
	for name, config := range map[string]kind.Values{"V": {}, "[V] s": {"workflows": value.SetOf([]string{"V"})}} {
		all = append(all, &object{kind: kind.Named(kinds.All(), "service"), name: name, typ: "python_snippet_service", config: config})
	}
	for name, ends := range map[string][2]string{"e1": {"[Shared] Start", "[V] s"}, "e2": {"[V] s", "[Shared] End"}} {
		all = append(all, &object{kind: kind.Named(kinds.All(), "workflow_edge"), name: name, config: kind.Values{}})
		for attribute, x := range map[string]string{"workflow": "V", "source": ends[0], "destination": ends[1], "subtype": usualEdge} {
			all[len(all)-1].config[attribute] = tftypes.NewValue(tftypes.String, x)
		}
	}
	w := all[slices.IndexFunc(all, func(o *object) bool { return o.name == "V" })]
	w.typ, w.returnedSecrets = workflowType, []string{"token"}
	chooseYAML(all, newIndex(kinds.All(), all), map[key]bool{{"node", "left out"}: true, {"device", "left out"}: true}, &inventory{})
	var chosen []string
	for _, o := range all {
		if o.inYAML() {
			chosen = append(chosen, o.name)
		}
	}
	if slices.Sort(chosen); !slices.Equal(chosen, []string{"A", "B", "R0", "[V] s"}) {
		t.Errorf("chosen are %s", strings.Join(chosen, ", "))
	}
}

// The file of a workflow has its edges if it can name their ends, and if they have no attributes of their own.
func TestWorkflowParts_fit(t *testing.T) {
	t.Parallel()
	service, edge := kind.Named(kinds.All(), "service"), kind.Named(kinds.All(), "workflow_edge")
	w := &object{kind: service, typ: workflowType, name: "W"}
	refs := &references{index: newIndex(kinds.All(), nil), found: &inventory{}, report: &report{}}
	for edges, want := range map[string]bool{"Start,s;s,End": true, "": false, "Start,s;s,End,red": false, "Start,s;s,x;x,End": false} {
		p := workflowParts{}
		for _, e := range strings.FieldsFunc(edges, func(r rune) bool { return r == ';' }) {
			o, parts := &object{kind: edge, config: kind.Values{}}, strings.Split(e, ",")
			for n, attribute := range []string{"source", "destination", "color"}[:len(parts)] {
				full := map[string]string{"Start": "[Shared] Start", "End": "[Shared] End", "s": "[W] s"}[parts[n]]
				o.config[attribute] = tftypes.NewValue(tftypes.String, cmp.Or(full, parts[n]))
			}
			o.config["subtype"] = tftypes.NewValue(tftypes.String, usualEdge)
			p.edges = append(p.edges, o)
		}
		if have := p.fit(w, refs, nil); have != want {
			t.Errorf("%q fit: %t", edges, have)
		}
	}
}
