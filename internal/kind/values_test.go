// Tests of the values of an attribute: its defaults, and how they are read from answers.

package kind_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

func TestValues(t *testing.T) {
	t.Parallel()
	object := value.ObjectOf(map[string]tftypes.Value{"a": text("x"), "b": null})
	if v := kind.ValuesOf(object); len(v) != 2 || !v["a"].Equal(text("x")) || kind.ValuesOf(null) != nil || kind.ValuesOf(unknown) != nil {
		t.Errorf("values are %v", v)
	}
	if got := kind.Merged(object, value.ObjectOf(map[string]tftypes.Value{"b": text("y"), "c": text("z")})); !got.Equal(members(map[string]any{"a": "x", "b": "y", "c": "z"})) {
		t.Errorf("merged: %s", got)
	}
	if !kind.IsKnown(kind.Values{"a": text("x"), "b": null}) || kind.IsKnown(kind.Values{"a": text("x"), "b": halfKnown}) {
		t.Error("values are known if all are, in full")
	}
	for _, v := range []tftypes.Value{flag(false), tftypes.NewValue(tftypes.Bool, nil), tftypes.NewValue(tftypes.Bool, tftypes.UnknownValue), {}, text("true")} {
		if kind.IsTrue(v) {
			t.Errorf("%s is true", v)
		}
	}
	if !kind.IsTrue(flag(true)) {
		t.Error("true is not true")
	}
	same(t, "lines", fmt.Sprint(kind.LineOf(value.Object{"creation_time": nil}), kind.LineOf(value.Object{})), "5 4")
}

func TestAttribute_ResetValue(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		a    kind.Attribute
		want tftypes.Value
	}{
		"relation":       {kind.Attribute{Type: kind.Many, Default: "x"}, names()},
		"object":         {kind.Attribute{Type: kind.JSON}, members(map[string]any{})},
		"properties":     {kind.Attribute{Type: kind.Properties, Default: "x"}, tftypes.NewValue(tftypes.DynamicPseudoType, nil)},
		"criteria":       {kind.Attribute{Type: kind.Criteria, Default: "x"}, tftypes.NewValue(kind.CriteriaType, nil)},
		"its own reset":  {kind.Attribute{Reset: "r", Default: "d"}, text("r")},
		"default":        {kind.Attribute{Type: kind.Number, Default: 5}, number(5)},
		"default of one": {kind.Attribute{Type: kind.One}, null},
	} {
		if got := test.a.ResetValue(); !got.Equal(test.want) {
			t.Errorf("%s: %s", name, got)
		}
	}
	if v := (kind.Attribute{Type: kind.Flag}).Unknown(); v.IsKnown() || !v.Type().Is(tftypes.Bool) {
		t.Errorf("an unknown flag is %s", v)
	}
	same(t, "types in words", (kind.Number).InWords()+", "+(kind.Many).InWords(), "a whole number, a list of names")
}

// A plan shows a default only if nothing but the configuration can change it.
func TestAttribute_PlannedDefault(t *testing.T) {
	t.Parallel()
	for name, a := range map[string]kind.Attribute{
		"of another role": {Role: kind.Key}, "read-only": {ReadOnly: true}, "derived": {Derived: true}, "set after the creation": {AfterCreate: true},
		"changing on write": {ChangesOnWrite: true}, "of a site": {Sample: true}, "needed": {Needed: true},
		"filled in": {Automatic: func(value.Object) bool { return false }}, "member": {Holds: &kind.Holds{}},
		"another one on eNMS 5": {On5: kind.On5{Default5: "y"}}, "of one line": {Line: 4}, "of another name": {On5: kind.On5{Name5: "n"}},
	} {
		a.Default = "x"
		if v, certain := a.PlannedDefault(); v.IsKnown() || certain {
			t.Errorf("%s: %s, certain: %v", name, v, certain)
		}
	}
	for name, test := range map[string]struct {
		a       kind.Attribute
		want    tftypes.Value
		certain bool
	}{
		"default":               {kind.Attribute{Default: "x"}, text("x"), true},
		"none":                  {kind.Attribute{}, null, false},
		"at the creation":       {kind.Attribute{Type: kind.Number, Default: 1, OnCreate: 2}, number(2), true},
		"relation":              {kind.Attribute{Type: kind.One}, null, true},
		"members":               {kind.Attribute{Type: kind.Many}, names(), false},
		"members at a creation": {kind.Attribute{Type: kind.Many, OnCreate: []string{}}, names(), true},
	} {
		if v, certain := test.a.PlannedDefault(); !v.Equal(test.want) || certain != test.certain {
			t.Errorf("%s: %s, certain: %v", name, v, certain)
		}
	}
}

func TestAttribute_CreatedJSON(t *testing.T) {
	t.Parallel()
	differs := kind.Attribute{Default: "four", On5: kind.On5{Default5: "five"}}
	for name, test := range map[string]struct {
		a    kind.Attribute
		line int
		want any
	}{
		"on eNMS 4": {differs, 4, "four"}, "on eNMS 5": {differs, 5, "five"}, "on an unknown line": {differs, 0, nil},
		"on both, 5": {kind.Attribute{Default: "both"}, 5, "both"}, "on both, unknown": {kind.Attribute{Default: "both"}, 0, "both"},
		"what is sent": {kind.Attribute{Default: "both", OnCreate: "sent"}, 4, "sent"},
		"object":       {kind.Attribute{Type: kind.JSON}, 4, map[string]any{}}, "anything": {kind.Attribute{Type: kind.Anything}, 4, map[string]any{}},
		"list": {kind.Attribute{Type: kind.List}, 4, []any{}}, "members": {kind.Attribute{Type: kind.Many}, 4, []any{}},
		"text without a default": {kind.Attribute{}, 4, nil}, "number": {kind.Attribute{Type: kind.Number, Default: 5}, 4, json.Number("5")},
		"list with a default":   {kind.Attribute{Type: kind.List, Default: []string{"a"}}, 4, []any{"a"}},
		"object with a default": {kind.Attribute{Type: kind.JSON, Default: map[string]any{"a": true}}, 4, map[string]any{"a": true}},
	} {
		same(t, name, fmt.Sprintf("%#v", test.a.CreatedJSON(test.line)), fmt.Sprintf("%#v", test.want))
	}
	defer func() {
		if recover() == nil {
			t.Error("a channel is a default")
		}
	}()
	kind.Attribute{Default: make(chan int)}.DefaultJSON()
}

func TestAttribute_In(t *testing.T) {
	t.Parallel()
	keeper, first := crate.Row("keeper"), crate.Row("first")
	for name, test := range map[string]struct {
		a      kind.Attribute
		answer value.Object
		want   string
	}{
		"there":                       {keeper, value.Object{"keeper": "k", "keeper_id": nil}, "k true"},
		"null":                        {keeper, value.Object{"keeper": nil}, "<nil> true"},
		"without a name":              {keeper, value.Object{"keeper_id": 5}, "<nil> false"},
		"unset":                       {keeper, value.Object{"keeper_id": nil}, "<nil> true"},
		"absent":                      {keeper, value.Object{}, "<nil> false"},
		"member":                      {first, value.Object{"shelves": []any{"low", "top"}, "type": "trunk"}, "true true"},
		"no member":                   {first, value.Object{"shelves": []any{"low"}}, "false true"},
		"without the relation":        {first, value.Object{"type": "trunk"}, "false false"},
		"subtype that cannot have it": {first, value.Object{"type": "crate"}, "false true"},
		"without a type":              {first, value.Object{}, "false false"},
	} {
		x, held := test.a.In(test.answer, "keeper")
		same(t, name, fmt.Sprint(x, " ", held), test.want)
	}
}

func TestAttribute_FromAnswer(t *testing.T) {
	t.Parallel()
	n := json.Number("7")
	for _, test := range []struct {
		row  string
		x    any
		want tftypes.Value // the zero value for an error
	}{
		{"lid", "x", text("x")}, {"lid", nil, null}, {"lid", n, tftypes.Value{}}, {"owner", "x", text("x")}, {"owner", true, tftypes.Value{}},
		{"size", n, number(7)}, {"size", json.Number("7.5"), tftypes.Value{}}, {"size", "7", tftypes.Value{}},
		{"sealed", true, flag(true)}, {"sealed", "true", tftypes.Value{}},
		{"parts", []any{"b", "a"}, names("a", "b")}, {"parts", nil, tftypes.Value{}}, {"parts", "a", tftypes.Value{}}, {"parts", []any{n}, tftypes.Value{}},
		{"extra", map[string]any{"a": true}, members(map[string]any{"a": true})}, {"extra", []any{}, tftypes.Value{}}, {"extra", map[string]any{"a": json.Number("1e999")}, tftypes.Value{}},
		{"properties", map[string]any{}, members(map[string]any{})},
		{"id", json.Number("7.0"), text("7")}, {"id", "7", tftypes.Value{}}, {"id", json.Number("7.5"), tftypes.Value{}}, {"id", nil, null},
		{"filter", map[string]any{}, tftypes.Value{}},
	} {
		a, isError := crate.Row(test.row), test.want.Type() == nil
		got, err := a.FromAnswer(test.x)
		if (err != nil) != isError || !isError && !got.Equal(test.want) {
			t.Errorf("%s from %v: %s, %v", test.row, test.x, got, err)
		}
		want := test.want
		if isError {
			want = a.Null()
		}
		if got := a.FromJSON(test.x); !got.Equal(want) {
			t.Errorf("%s from a payload with %v: %s", test.row, test.x, got)
		}
	}
	if got := crate.Row("size").FromJSON(5); !got.Equal(number(5)) {
		t.Errorf("an int becomes %s", got)
	}
}
