// Tests of properties: what the plan says of their values and names.

package plans

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/kindtest"
)

const wrong = `Error: properties["%"]: Invalid value for properties.%`

func TestMembersOfProperties(t *testing.T) {
	t.Parallel()
	type object = map[string]any
	for name, test := range map[string]struct {
		field  string
		value  any
		misfit bool
		secret bool   // its being in the state is warned of
		words  string // of the detail
	}{
		"text":                      {field: "label", value: "x"},
		"boolean for a text":        {field: "label", value: true, misfit: true, words: `"1" or "0"`},
		"text that is too long":     {field: "label", value: strings.Repeat("x", 65), misfit: true, words: "the maximum is 64"},
		"member is no choice":       {field: "route", value: []any{"north", "west"}, misfit: true, words: `"west", where eNMS knows only north, south.`},
		"choice":                    {field: "lid", value: "shut"},
		"default that is no choice": {field: "lid", value: ""},
		"no choice":                 {field: "lid", value: "ajar", misfit: true, words: "open, shut"},
		"anything":                  {field: "note", value: []any{1, "x"}},
		"number for a secret":       {field: "code", value: 1234, misfit: true, secret: true, words: "Expected a string, got a number."},
		"secret":                    {field: "code", value: "x", secret: true},
		"sample property":           {field: "house_rule", value: "of another type"},
		"long text of anything":     {field: "note", value: strings.Repeat("x", 300)},
		"null":                      {field: "count", value: nil},
		"relation without a row":    {field: "lorries", value: []any{"a"}},
		"field that is not watched": {field: "seen_at", value: "x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := kindtest.ValuesFor(kindtest.Parcel, object{"name": "n", "type": "crate", kind.RowProperties: object{test.field: test.value}})
			p := New(kindtest.Parcel, config, nil, nil, kindtest.Now)
			want := ""
			if test.misfit {
				want = strings.ReplaceAll(wrong, "%", test.field)
			}
			if test.secret {
				want = strings.TrimSuffix("Warning: properties[\"code\"]: The secret code is stored in the state; "+want, "; ")
			}
			if got := kindtest.Said(p.Diagnostics); got != want {
				t.Fatalf("got %q, want %q", got, want)
			}
			if last := len(p.Diagnostics) - 1; test.misfit && !strings.Contains(p.Diagnostics[last].Detail(), test.words) {
				t.Errorf("%q is not in %q", test.words, p.Diagnostics[last].Detail())
			}
		})
	}
}

// What the instance holds already may stay, with a warning; in a new instance, or
// with another value, it is an error.
func TestMembersOfProperties_ofTheInstance(t *testing.T) {
	t.Parallel()
	type object = map[string]any
	prior := kindtest.ValuesFor(kindtest.Parcel, object{"name": "n", "id": "7", "type": "crate", kind.RowProperties: object{"lid": "ajar", "lost": 1}})
	for name, test := range map[string]struct {
		config object
		want   string
	}{
		"as it is":         {object{"type": "crate", kind.RowProperties: object{"lid": "ajar", "lost": 1}}, `Warning: properties["lid"]: Invalid value for properties.lid`},
		"beside a change":  {object{"type": "crate", kind.RowProperties: object{"lid": "ajar", "label": "x"}}, `Warning: properties["lid"]: Invalid value for properties.lid`},
		"another value":    {object{"type": "crate", kind.RowProperties: object{"lid": "broken"}}, strings.ReplaceAll(wrong, "%", "lid")},
		"of a replacement": {object{"type": "parcel", kind.RowProperties: object{"label": strings.Repeat("x", 65)}}, strings.ReplaceAll(wrong, "%", "label")},
		"site's own type":  {object{"type": "barrel", kind.RowProperties: object{"lids": 1}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.config["name"] = "n"
			if got := kindtest.Said(New(kindtest.Parcel, kindtest.ValuesFor(kindtest.Parcel, test.config), prior, nil, kindtest.Now).Diagnostics); got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestUnknownMembersOfProperties(t *testing.T) {
	t.Parallel()
	for field, hint := range map[string]string{"contnets": "Did you mean `contents`?", "Lid": "Did you mean `lid`?", "weigth": "Did you mean `weight`?", "altogether_different": "unknown fields. If"} {
		p := New(kindtest.Parcel, kindtest.ValuesFor(kindtest.Parcel, map[string]any{"name": "n", "type": "crate", kind.RowProperties: map[string]any{field: "x"}}), nil, nil, kindtest.Now)
		if got, want := kindtest.Said(p.Diagnostics), `Warning: properties["`+field+`"]: Unknown field `+field+" of crate"; got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		} else if !strings.Contains(p.Diagnostics[0].Detail(), hint) {
			t.Errorf("%q is not in %q", hint, p.Diagnostics[0].Detail())
		}
	}
	open := kindtest.ValuesFor(kindtest.Parcel, map[string]any{"name": "n", kind.RowProperties: map[string]any{"contnets": "x"}})
	open["type"] = tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
	if p := New(kindtest.Parcel, open, nil, nil, kindtest.Now); len(p.Diagnostics) > 0 {
		t.Errorf("the type is not known yet: %v", p.Diagnostics)
	}
}

// Values of attributes that eNMS holds already may stay, too, and what the kind's
// check finds wrong with all of them together, unless it is refused for good.
func TestValuesThatAreThere(t *testing.T) {
	t.Parallel()
	type object = map[string]any
	held := object{"name": "a/b", "id": "7", "type": "crate", "weight": 12, "colour": "green", "sealed": true}
	for name, test := range map[string]struct {
		config object
		want   string
	}{
		"as it is": {object{"weight": 12, "colour": "green", "sealed": true},
			"Warning: name: Invalid name; Warning: weight: Invalid Attribute Value; Warning: colour: Invalid Attribute Value Match; Warning: sealed: Sealed parcels are not taken"},
		"another value": {object{"weight": 13, "colour": "pink"},
			"Warning: name: Invalid name; Error: weight: Invalid Attribute Value; Error: colour: Invalid Attribute Value Match; Error: sealed: Sealed parcels are not taken"},
		"good values":  {object{"name": "n", "weight": 9, "colour": "red", "sealed": false}, ""},
		"another type": {object{"name": "n", "type": "parcel", "colour": "green", "sealed": false}, "Error: colour: Invalid Attribute Value Match"},
		"refused":      {object{"name": "mine"}, "Error: sealed: Sealed parcels are not taken; Error: name: It is not yours"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := object{"name": "a/b", "type": "crate"}
			for attribute, x := range test.config {
				config[attribute] = x
			}
			if got := kindtest.Said(New(kindtest.Parcel, kindtest.ValuesFor(kindtest.Parcel, config), kindtest.ValuesFor(kindtest.Parcel, held), nil, kindtest.Now).Diagnostics); got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
	if got := kindtest.Said(New(kindtest.Parcel, kindtest.ValuesFor(kindtest.Parcel, object{"name": "mine"}), kindtest.ValuesFor(kindtest.Parcel, object{"name": "mine", "id": "7", "type": "parcel"}), nil, kindtest.Now).Diagnostics); got != "Error: name: It is not yours" {
		t.Errorf("nothing is written: %q", got)
	}
}
