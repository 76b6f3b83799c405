// Tests of the schemas that follow from a table, and of their documentation.

package schemas

import (
	"maps"
	"testing"

	datasource "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	resource "github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/kindtest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

var (
	toy = &kind.Kind{Name: "toy", Attributes: []kind.Attribute{
		{Name: "type", Role: kind.Subtype, OneOf: []string{"toy", "doll"}, Doc: "Its sort."},
		{Name: "size", Type: kind.Number},
		{Name: "loud", Type: kind.Flag, Section: "Play"},
		{Name: "friends", Type: kind.Many, Of: "toy", Section: "Play"},
		{Name: "owner", Type: kind.One, Of: "person", Required: true, Section: "Owner"},
		{Name: "extra", Type: kind.JSON},
		{Name: "filter", Type: kind.Criteria},
		{Name: "info", ReadOnly: true},
		{Name: "now", ReadOnly: true, DataOnly: true},
		{Name: "code", Role: kind.Secret, Checks: kind.NameChecks},
	}}
	thing = &kind.Kind{Name: "thing", Rules: kind.Rules{MakeName: func(*kind.Plan) (string, bool) { return "", false }}, AnyType: &kind.AnyType{}, Attributes: []kind.Attribute{{Name: "type", Role: kind.Subtype, Required: true}}}
)

func TestSchemas(t *testing.T) {
	t.Parallel()
	inBoth := map[string][2]string{ // in the resource and in the data source
		"id":   {"String c", "String c"},
		"name": {"String r", "String rv"},
		"type": {"String oc", "String c"},
		"size": {"Number oc", "Int64 c"}, "loud": {"Bool oc", "Bool c"}, "owner": {"String r", "String c"},
		"friends": {"Set ocv", "Set c"}, "extra": {"Dynamic ocv", "Dynamic c"}, "filter": {"MapNested oc", "MapNested c"},
		"info": {"String c", "String c"}, "now": {"", "String c"},
		"code": {"String ocv", ""}, "code_wo": {"String owv", ""}, "code_wo_version": {"Number ocv", ""},
		"properties": {"Dynamic ocv", "Dynamic c"}, "properties_wo": {"Dynamic owv", ""}, "properties_wo_version": {"Number ocv", ""},
		"properties_all": {"Dynamic cv", ""}, "adopt_existing": {"Bool oc", ""}, "deletion_policy": {"String ocv", ""},
	}
	got, gotData := Resource(toy).Attributes, DataSource(toy).Attributes
	want, wantData := map[string]string{}, map[string]string{}
	for name, both := range inBoth {
		want[name], wantData[name] = both[0], both[1]
	}
	isEmpty := func(_, s string) bool { return s == "" }
	maps.DeleteFunc(want, isEmpty)
	maps.DeleteFunc(wantData, isEmpty)
	for what, x := range map[string]struct{ got, want map[string]string }{
		"resource":    {kindtest.Attributes(got), want},
		"data source": {kindtest.Attributes(gotData), wantData},
		"criterion of a resource": {kindtest.Attributes(got["filter"].(resource.MapNestedAttribute).NestedObject.Attributes),
			map[string]string{"value": "String oc", "match": "String ocv", "invert": "Bool oc"}},
		"criterion of a data source": {kindtest.Attributes(gotData["filter"].(datasource.MapNestedAttribute).NestedObject.Attributes),
			map[string]string{"value": "String c", "match": "String c", "invert": "Bool c"}},
		"identity":                {kindtest.Attributes(Identity(toy).Attributes), map[string]string{"name": "String !", "type": "String ?"}},
		"identity of any type":    {kindtest.Attributes(Identity(thing).Attributes), map[string]string{"name": "String !", "type": "String !"}},
		"data source of any type": {map[string]string{"type": kindtest.Attributes(DataSource(thing).Attributes)["type"]}, map[string]string{"type": "String r"}},
	} {
		kindtest.Same(t, what, x.got, x.want)
	}
	kindtest.Same(t, "sections", Sections(toy)[1:3], []Section{{"Play", []string{"loud", "friends"}}, {"Owner", []string{"owner", "extra", "filter", "info", "code_wo", "code_wo_version", "code"}}})
	if first := Sections(toy)[0]; first.Title != "" || first.Attributes[0] != "id" {
		t.Errorf("first, there is %v", first)
	}
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a    kind.Attribute
		want string
	}{
		{kind.Attribute{}, "It."},
		{kind.Attribute{OneOf: []string{"a", "b"}, Closed: true, Default: "a"}, "It. One of `a`, `b`. Default: `a`."},
		{kind.Attribute{Range: kind.NotNegative, Default: 0}, "It. At least 0. Default: `0`."},
		{kind.Attribute{Range: &kind.Range{Min: 1, Max: 9}}, "It. From 1 to 9."},
		{kind.Attribute{MaxLength: kind.Unbounded, Default: ""}, "It. Any length."},
		{kind.Attribute{MaxLength: 1, Default: "odd", OnCreate: "even"}, "It. At most 1 characters. Default: `even`."},
		{kind.Attribute{Needed: true, Recreate: true}, "It. Required, except for an imported instance without it. Changing this forces replacement."},
	} {
		c.a.Doc = "It."
		if got := Markdown(c.a); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	for name, want := range map[string]string{"name": "The name, as eNMS shows it.", "type": "Its sort. If omitted, an instance of any type is imported."} {
		if got := Identity(toy).Attributes[name].GetDescription(); got != want {
			t.Errorf("the identity's %s is %q", name, got)
		}
	}
}

func TestNameSet(t *testing.T) {
	t.Parallel()
	unknown := tftypes.NewValue(value.StringSet, tftypes.UnknownValue)
	null := tftypes.NewValue(value.StringSet, nil)
	none, ab, ba, a, ac := value.SetOf(nil), value.SetOf([]string{"a", "b"}), value.SetOf([]string{"b", "a"}), value.SetOf([]string{"a"}), value.SetOf([]string{"a", "c"})
	for _, c := range []struct {
		x, y tftypes.Value
		same bool
	}{{ab, ba, true}, {ab, ac, false}, {ab, a, false}, {a, ab, false}, {none, none, true}, {none, null, false}, {none, unknown, false}, {null, null, true}, {null, unknown, false}, {unknown, unknown, true}} {
		x, err := NameSet.ValueFromTerraform(t.Context(), c.x)
		y, err2 := NameSet.ValueFromTerraform(t.Context(), c.y)
		if err != nil || err2 != nil || x.Equal(y) != c.same {
			t.Errorf("%s and %s: %v, %v, %v", c.x, c.y, x.Equal(y), err, err2)
		}
	}
	set, _ := NameSet.ValueFromTerraform(t.Context(), null)
	if set.Equal(set.(nameSetValue).SetValue) {
		t.Error("a set of names equals another type of set")
	}
	if _, err := NameSet.ValueFromTerraform(t.Context(), tftypes.NewValue(tftypes.String, "a")); err == nil {
		t.Error("a string is a set of names")
	}
}
