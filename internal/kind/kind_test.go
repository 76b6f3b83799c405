// Tests of the kinds of types: which types a kind stands for, and what it is called. It has the kind of the tests of
// this package.

package kind_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/kindtest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// crate is a kind with a row of each sort.
var crate = &kind.Kind{
	Name: "crate", Namespace: "box", Line: 5,
	Attributes: []kind.Attribute{
		{Name: "type", Role: kind.Subtype, Default: "crate", OneOf: []string{"crate", "trunk"}},
		{Name: "size", Type: kind.Number, Default: 3, OnCreate: 4, Defaultable: true, Line: 4},
		{Name: "lid", Derived: true, On5: kind.On5{Name5: "cover"}},
		{Name: "place", InName: true, LineOf: func(text string) (int, string) { return len(text), "its reason" }},
		{Name: "sealed", Type: kind.Flag, ChangesOnWrite: true},
		{Name: "owner", Type: kind.One, Of: "person", ReadFrom: "owner_name", IDField: "owner_id"},
		{Name: "keeper", Type: kind.One, Of: "person", IDField: "keeper_id"},
		{Name: "lorry", Type: kind.One, Of: "lorry"},
		{Name: "parts", Type: kind.Many, Of: "part", Inverse: "crates", On5: kind.On5{Inverse5: "boxes"}},
		{Name: "tags", Type: kind.Many},
		{Name: "extra", Type: kind.JSON, On5: kind.On5{Text5: true}},
		{Name: "filter", Type: kind.Criteria, Conditions: kind.Conditions{Prefix: "part_", Properties: []string{"color"}, Compares: "part"}},
		{Name: "first", Type: kind.Flag, Holds: &kind.Holds{Subtype: "trunk", Relation: "shelves", Of: "shelf", Member: "top"}},
		{Name: "info", ReadOnly: true},
		{Name: "now", ReadOnly: true, DataOnly: true},
		{Name: "key", Role: kind.Secret},
	},
	Properties: []kind.Attribute{
		{Name: "label"},
		{Name: "house", Type: kind.JSON, Sample: true, Line: 5},
	},
	Subtypes: []kind.SubtypeTable{
		{Name: "chest", Fields: []kind.Attribute{
			{Name: "stamps", Type: kind.Many, Of: "stamp", Line: 5},
			{Name: "note", Type: kind.Anything, Line: 4},
			{Name: "form", Type: kind.JSON, On5: kind.On5{Text5: true}},
		}},
		{Name: "trunk"},
	},
	Relations: []string{"friends"},
	ListedBy:  []kind.Attribute{{Name: "docks", Type: kind.Many, Of: "dock", Inverse: "ships"}},
	Secrets:   []string{"code"},
	Rules:     kind.Rules{Recompute: &kind.Recompute{Attributes: []string{"size"}, Setting: kind.RowAdoptExisting}},
}

// anyKind is a kind with AnyType.
var anyKind = &kind.Kind{
	Name: "any_thing", Attributes: []kind.Attribute{{Name: "type", Role: kind.Subtype, Required: true}},
	AnyType: &kind.AnyType{Common: []string{"van", "rack"}, Like: func(typ string) *kind.Kind {
		if typ == "van" {
			return &kind.Kind{Namespace: "car", Line: 5, BuiltIn: []kind.BuiltIn{{Name: "v"}}}
		}
		return nil
	}},
}

func text(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }

func number(n int64) tftypes.Value { return tftypes.NewValue(tftypes.Number, n) }

func flag(b bool) tftypes.Value { return tftypes.NewValue(tftypes.Bool, b) }

func names(list ...string) tftypes.Value { return value.SetOf(list) }

// members returns an object as an answer has it.
func members(v map[string]any) tftypes.Value { return value.FromJSON(kindtest.Decoded(v)) }

var (
	null    = tftypes.NewValue(tftypes.String, nil)
	unknown = tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
	// halfKnown is an object with one known member.
	halfKnown = value.ObjectOf(map[string]tftypes.Value{"a": text("x"), "b": unknown})
)

// same adds an error unless both values print the same.
func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		t.Errorf("%s:\n got %s\nwant %s", what, g, w)
	}
}

func TestNamed(t *testing.T) {
	t.Parallel()
	kinds := []*kind.Kind{kindtest.Gadget, anyKind, crate}
	for typ, want := range map[string]*kind.Kind{"gadget": kindtest.Gadget, "gizmo": kindtest.Gadget, "crate": crate, "trunk": crate, "chest": crate} {
		if got := kind.Named(kinds, typ); got != want {
			t.Errorf("%s is %v", typ, got)
		}
	}
	if k := kind.Named(kinds, "rack"); k == nil || k.Name != "rack" || k.AnyType == nil || k != kind.Named(kinds, "rack") {
		t.Errorf("a rack is %v", k)
	}
	if kind.Named(kinds[:1], "rack") != nil {
		t.Error("a rack is a gadget")
	}
}

func TestKind_For(t *testing.T) {
	t.Parallel()
	of := func(typ tftypes.Value) kind.Values { return kind.Values{"type": typ} }
	for _, test := range []struct {
		k      *kind.Kind
		values kind.Values
		want   string // name, Terraform type, namespace, line, number of built-in instances
	}{
		{crate, of(text("trunk")), "crate enms_crate box 5 0"},
		{anyKind, of(null), "any_thing enms_any_thing  0 0"},
		{anyKind, of(text("van")), "van enms_any_thing car 5 1"},
		{anyKind, of(text("rack")), "rack enms_any_thing rack 0 0"},
		{&kind.Kind{Name: "any", Attributes: anyKind.Attributes, AnyType: &kind.AnyType{}}, of(text("rack")), "rack enms_any rack 0 0"},
	} {
		k := test.k.For(test.values)
		same(t, test.want, fmt.Sprint(k.Name, " ", k.TypeName(), " ", k.Namespace, " ", k.Line, " ", len(k.BuiltIn)), test.want)
	}
}

func TestKind_types(t *testing.T) {
	t.Parallel()
	plain := kindtest.Gadget
	noSubtypes := &kind.Kind{Name: "plain", Relations: []string{"friends"}, ListedBy: crate.ListedBy, Properties: crate.Properties}
	same(t, "the types of a crate", crate.KnownTypes(), "[chest crate trunk]")
	same(t, "the types of anything", anyKind.KnownTypes(), "[rack van]")
	same(t, "paths", []string{crate.Path(kind.Values{"type": text("trunk")}), crate.Path(nil), noSubtypes.Path(nil)}, "[trunk crate plain]")
	same(t, "identities", []int{len(crate.IdentityRows()), len(noSubtypes.IdentityRows())}, "[2 1]")
	same(t, "a row of the identity", crate.IdentityRows()[0].Name+" "+crate.IdentityRows()[1].Name, "name type")
	oneSubtype := &kind.Kind{Properties: crate.Properties, Subtypes: crate.Subtypes[:1]}
	same(t, "columns without and with subtypes", []int{len(noSubtypes.Table().Properties.Columns), len(oneSubtype.Table().Properties.Columns)}, "[0 4]")
	same(t, "words", fmt.Sprint(crate.LineNote(), "|", plain.LineNote(), "|", anyKind.Several()), " Only eNMS 5 has crates.||any things")
	same(t, "lines", []bool{crate.OnLine(5), crate.OnLine(4), plain.OnLine(4)}, "[true false true]")
	for _, test := range []struct {
		k     *kind.Kind
		found string
		want  bool
	}{
		{crate, "", true}, {crate, "crate", true}, {crate, "trunk", true}, {crate, "van", false},
		{anyKind, "van", true}, {noSubtypes, "van", false}, {noSubtypes, "plain", true}, {noSubtypes, "", true},
	} {
		if got := test.k.Takes(test.found); got != test.want {
			t.Errorf("%s takes %q: %v", test.k.Name, test.found, got)
		}
	}
	for typ, want := range map[string]bool{"crate": true, "box": true, "chest": true, "van": false} {
		if crate.MayBe(typ) != want {
			t.Errorf("a relation to a %s may contain a crate: %v", typ, !want)
		}
	}
	if !crate.Selects(&kind.Kind{Name: "part"}) || crate.Selects(crate) {
		t.Error("the criteria of a crate are about parts")
	}
	builtIn := &kind.Kind{BuiltIn: []kind.BuiltIn{{Name: "both"}, {Name: "five", Line: 5}}}
	same(t, "built in", []bool{builtIn.IsBuiltIn("both", 4), builtIn.IsBuiltIn("five", 5), builtIn.IsBuiltIn("five", 4), builtIn.IsBuiltIn("other", 5)}, "[true true false false]")
}

func TestKind_fields(t *testing.T) {
	t.Parallel()
	values := kind.Values{kind.RowProperties: members(map[string]any{"mine": 1})}
	for field, want := range map[string]string{"owner_name": "owner", "size": "size", "part_color_match": "filter", "mine": kind.RowProperties, "other": ""} {
		if got := crate.RowOfField(values, field); got != want {
			t.Errorf("%s is held by %q", field, got)
		}
	}
	for field, want := range map[string]bool{"code": true, "key": true, "": false, "size": false} {
		if crate.IsSecret(field) != want {
			t.Errorf("%q is a secret: %v", field, !want)
		}
	}
	answer := value.Object{"part_shape": "round", "part_shape_match": "equality"}
	for field, want := range map[string]string{"size": "size", "keeper_id": "keeper", "part_shape": "filter", "part_other": "", "label": ""} {
		if a, is := crate.RowOf(answer, field); a.Name != want && is || is != (want != "") {
			t.Errorf("the row of %s is %q, %v", field, a.Name, is)
		}
	}
	wrong := crate.FieldError(value.Object{"name": "c"}, "size", "is odd")
	if want := (&object.FieldError{Type: "crate", Name: "c", Field: "size", Reason: "is odd"}); !reflect.DeepEqual(wrong, error(want)) {
		t.Errorf("%#v", wrong)
	}
	defer func() {
		if recover() == nil {
			t.Error("a crate has a wheel")
		}
	}()
	crate.Row("wheel")
}

func TestKind_NeedsRecompute(t *testing.T) {
	t.Parallel()
	off := func(size tftypes.Value) kind.Values {
		return kind.Values{"size": size, kind.RowAdoptExisting: flag(false)}
	}
	on := func(size tftypes.Value) kind.Values {
		return kind.Values{"size": size, kind.RowAdoptExisting: flag(true)}
	}
	row := crate.Row("size")
	for name, test := range map[string]struct {
		k              *kind.Kind
		planned, prior kind.Values
		want           bool
	}{
		"changed":             {crate, on(number(2)), on(number(1)), true},
		"unchanged":           {crate, on(number(1)), on(number(1)), false},
		"disabled":            {crate, off(number(2)), off(number(1)), false},
		"created with it":     {crate, on(number(2)), nil, true},
		"created without it":  {crate, on(row.Null()), nil, false},
		"created, unknown":    {crate, on(row.Unknown()), nil, false},
		"nothing to compute":  {kindtest.Gadget, on(number(2)), on(number(1)), false},
		"another one changed": {crate, kind.Values{"size": number(1), "lid": text("a")}, kind.Values{"size": number(1), "lid": text("b")}, false},
	} {
		if got := test.k.NeedsRecompute(test.planned, test.prior); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
