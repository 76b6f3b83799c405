// Tests of what a list asks for, and of what it and a query return.

package lists

import (
	"encoding/json"
	"math/big"
	"reflect"
	"strings"
	"testing"

	datasource "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/kindtest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

var (
	things = &kind.Kind{Name: "thing", AnyType: &kind.AnyType{}, Attributes: []kind.Attribute{{Name: "type", Role: kind.Subtype, Required: true}}}
	rocks  = &kind.Kind{Name: "rock", Attributes: []kind.Attribute{{Name: "label"}, {Name: "size", Type: kind.Number}, {Name: "hard", Type: kind.Flag}, {Name: "words", Type: kind.Many},
		{Name: "extra", Type: kind.JSON}, {Name: "quarry", Type: kind.One, Of: "quarry"}, {Name: "fans", Type: kind.Many, Of: "person"}},
		BuiltIn: []kind.BuiltIn{{Name: "Everest"}, {Name: "Uluru", Line: 5}},
		Rules: kind.Rules{Check: func(p *kind.Plan) {
			if name, _ := p.Text(kind.RowName); name == "bad" {
				p.Refuse(kind.RowName, "It is refused", "Leave it.")
			}
		}},
	}
)

func text(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }

func TestSchemas(t *testing.T) {
	t.Parallel()
	common := map[string]string{"filter": "Map o", "match": "String ov", "limit": "Number ov", "properties": "List ov", "instances": "ListNested c"}
	with := func(more ...string) map[string]string {
		all := map[string]string{}
		for name, a := range common {
			all[name] = a
		}
		for i := 0; i < len(more); i += 2 {
			all[more[i]] = more[i+1]
		}
		return all
	}
	kindtest.Same(t, "of a type", kindtest.Attributes(Schema(rocks).Attributes), with("quarry", "List ov", "fans", "List ov"))
	kindtest.Same(t, "of subtypes", kindtest.Attributes(Schema(gizmos).Attributes), with("type", "String ov", "owner", "List ov", "keeper", "List ov", "parts", "List ov", "boxes", "List ov"))
	kindtest.Same(t, "of any type", kindtest.Attributes(Schema(things).Attributes), with("type", "String r", "relations", "Map o"))
	kindtest.Same(t, "of a query", kindtest.Attributes(ResourceSchema(things).Attributes),
		map[string]string{"filter": "Map o", "match": "String ov", "type": "String r", "relations": "Map o", "built_in": "Bool o"})
	kindtest.Same(t, "of a query by relations", kindtest.Attributes(ResourceSchema(rocks).Attributes),
		map[string]string{"filter": "Map o", "match": "String ov", "quarry": "List ov", "fans": "List ov", "built_in": "Bool o"})
	for limit, fits := range map[float64]bool{1: true, 0: false} {
		resp := &validator.NumberResponse{}
		Schema(rocks).Attributes[listLimit].(datasource.NumberAttribute).Validators[0].ValidateNumber(t.Context(), validator.NumberRequest{ConfigValue: types.NumberValue(big.NewFloat(limit))}, resp)
		if resp.Diagnostics.HasError() == fits {
			t.Errorf("limit = %v: %v", limit, resp.Diagnostics)
		}
	}
	kindtest.Same(t, "instances", kindtest.Attributes(listedAttributes(rocks)),
		map[string]string{"id": "String c", "name": "String c", "label": "String c", "size": "Int64 c", "hard": "Bool c", "words": "Set c", "properties": "Map c"})
	for what, has := range map[string]bool{
		"any type": strings.Contains(Schema(things).MarkdownDescription, "of any type") && !strings.Contains(Schema(rocks).MarkdownDescription, "of any type"),
		"type":     strings.Contains(Schema(things).Attributes["type"].GetMarkdownDescription(), "subtypes") && strings.Contains(Schema(gizmos).Attributes["type"].GetMarkdownDescription(), "exactly"),
		"relation": strings.Contains(Schema(rocks).Attributes["fans"].GetMarkdownDescription(), "`person`") && !strings.Contains(Schema(rocks).Attributes["quarry"].GetMarkdownDescription(), "type"),
		"name":     listedAttributes(rocks)["name"].GetMarkdownDescription() == "The name.", // nothing is changed by a list
	} {
		if !has {
			t.Errorf("the documentation of the %s is wrong", what)
		}
	}
}

// queryOf returns the configuration of a list, whose other arguments are null.
func queryOf(k *kind.Kind, config kind.Values) kind.Values {
	for _, a := range listedBy(k) {
		if _, has := config[a.Name]; !has {
			config[a.Name] = tftypes.NewValue(value.StringSet, nil)
		}
	}
	return config
}

func TestSearch(t *testing.T) {
	t.Parallel()
	related := value.ObjectOf(kind.Values{"b": value.SetOf([]string{"y", "x"}), "a": value.SetOf([]string{"z"})})
	properties := value.SetOf([]string{"colour", "label"})
	regex := text(kind.MatchRegex)
	rock, _ := New(rocks, queryOf(rocks, kind.Values{"fans": value.SetOf([]string{"f", "e"}), kind.RowProperties: properties, listMatch: regex,
		listFilter: value.ObjectOf(kind.Values{"label": text("x"), "luck": text("x"), "fate": text("")})}))
	kindtest.Same(t, "columns", rock.Columns(), []string{"colour", "fate", "hard", "id", "label", "luck", "name", "size", "words"})
	kindtest.Same(t, "columns of identities", rock.IdentityColumns(), []string{"fate", "label", "luck"})
	kindtest.Same(t, "relations", rock.Relations, []Matching{{Attribute: "fans", Of: "person", Names: []string{"e", "f"}}})
	kindtest.Same(t, "unmet", rock.Unmet(), map[string]any{"luck": map[string]any{"luck": neverMatches, "luck_filter": "regex"}, "fans": map[string]any{"fans": []string{"/"}}})
	exact, _ := New(rocks, queryOf(rocks, kind.Values{listFilter: value.ObjectOf(kind.Values{"luck": text("x")})}))
	kindtest.Same(t, "unmet, compared exactly", exact.Unmet(), map[string]any{})
	thing, _ := New(things, kind.Values{"type": text("rack"), listRelations: related})
	kindtest.Same(t, "relations of any type", thing.Relations, []Matching{{Attribute: "a", Names: []string{"z"}}, {Attribute: "b", Names: []string{"x", "y"}}})
	if thing.Type != "rack" || !thing.Matches(value.Object{"type": "subtype"}) {
		t.Error("instances of subtypes are not included")
	}
	one, _ := New(gizmos, queryOf(gizmos, kind.Values{"type": text("gizmo")}))
	if one.Type != "gizmo" || !one.Matches(value.Object{"type": "gizmo"}) || one.Matches(value.Object{"type": "gadget"}) {
		t.Error("instances of other types are included")
	}
}

func TestListErrors(t *testing.T) {
	t.Parallel()
	list := func(k *kind.Kind, config kind.Values) *Listing { l, _ := New(k, queryOf(k, config)); return l }
	filter := func(property string) kind.Values {
		return kind.Values{listFilter: value.ObjectOf(kind.Values{property: text("x")})}
	}
	for what, c := range map[string]struct {
		d          diag.Diagnostic
		said, with string // with "" the detail suggests nothing
	}{
		"a property":                      {list(rocks, kind.Values{}).UnknownProperty("lable"), "Error: properties: No rock has a property lable", "Did you mean `label`?"},
		"unlike any":                      {list(rocks, kind.Values{}).UnknownProperty("nothing"), "Error: properties: No rock has a property nothing", ""},
		"a condition":                     {list(gizmos, filter("nots")).UnknownProperty("nots"), `Error: filter["nots"]: No gizmo has a property nots`, "It ignores such a condition and returns everything. Did you mean `note`?"},
		"not searchable":                  {list(rocks, filter("label")).Unsearchable("label"), `Error: filter["label"]: eNMS cannot search by the property label`, ""},
		"not searchable, of some type":    {list(gizmos, filter("weight")).Unsearchable("weight"), `Error: filter["weight"]: eNMS cannot search by the property weight`, "only some types of gizmo have the property"},
		"a relation":                      {list(rocks, kind.Values{"fans": value.SetOf(nil)}).Unsearchable("fans"), "Error: fans: eNMS cannot search by the relation fans", ""},
		"a relation, of some type":        {list(gizmos, kind.Values{"boxes": value.SetOf(nil)}).Unsearchable("boxes"), "Error: boxes: eNMS cannot search by the relation boxes", "only some types of gizmo have the relation"},
		"a relation of a type, of a name": {list(things, kind.Values{"type": text("rack"), listRelations: value.ObjectOf(kind.Values{"b": value.SetOf(nil)})}).Unsearchable("b"), `Error: relations["b"]: eNMS cannot search by the relation b`, ""},
	} {
		if got := kindtest.Said(diag.Diagnostics{c.d}); got != c.said {
			t.Errorf("%s: %s", what, got)
		}
		if detail := c.d.Detail(); !strings.Contains(detail, c.with) || c.with == "" && strings.Contains(detail, " Did you mean") || c.with == "" && strings.Contains(detail, "If only") {
			t.Errorf("%s: %s", what, detail)
		}
	}
}

func TestInstances(t *testing.T) {
	t.Parallel()
	l, _ := New(rocks, queryOf(rocks, kind.Values{kind.RowProperties: value.SetOf([]string{"colour", "count", "tags", "unset", "lacking"})}))
	attributes := map[string]tftypes.Type{kind.RowProperties: tftypes.Map{ElementType: tftypes.String}}
	for _, a := range rocks.Table().Listed {
		attributes[a.Name] = a.TerraformType()
	}
	typ := tftypes.List{ElementType: tftypes.Object{AttributeTypes: attributes}}
	row := kindtest.Answer(map[string]any{"id": 7, "name": "r", "label": "l", "size": 2, "hard": true, "words": []string{"w"}, "colour": "red", "count": 1.5, "tags": []string{"a"}, "unset": nil, "other": 1})
	got, err := l.Instances([]value.Object{row}, typ)
	want := kindtest.Decoded([]any{map[string]any{"id": "7", "name": "r", "label": "l", "size": 2, "hard": true, "words": []string{"w"}, "properties": map[string]any{"colour": "red", "count": "1.5", "tags": `["a"]`}}})
	if err != nil || !reflect.DeepEqual(value.ToJSON(got), want) {
		t.Errorf("%v, %v", value.ToJSON(got), err)
	}
	row["size"] = "big"
	if _, err := l.Instances([]value.Object{row}, typ); err == nil {
		t.Error("a string is a size")
	}
}

func TestOffers(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		row     value.Object
		builtIn bool
		want    bool
	}{
		"an instance":              {value.Object{"name": "r", "label": "x"}, false, true},
		"that meets no condition":  {value.Object{"name": "r", "label": "y"}, false, false},
		"another one of them":      {value.Object{"name": "Everest", "label": "y"}, true, false},
		"built in":                 {value.Object{"name": "Everest", "label": "x"}, false, false},
		"built in, and included":   {value.Object{"name": "Everest", "label": "x"}, true, true},
		"built in on another line": {value.Object{"name": "Uluru", "label": "x"}, false, true},
		"built in on its line":     {value.Object{"name": "Uluru", "label": "x", "creation_time": ""}, false, false},
		"that cannot be managed":   {value.Object{"name": "bad", "label": "x"}, true, false},
	} {
		l, _ := New(rocks, queryOf(rocks, kind.Values{listFilter: value.ObjectOf(kind.Values{"label": text("x")}), listBuiltIn: tftypes.NewValue(tftypes.Bool, c.builtIn)}))
		if got := l.Offers(c.row); got != c.want {
			t.Errorf("%s: %v", what, got)
		}
	}
	if got := kindtest.Show(Listed(gizmos, value.Object{"name": "g", "type": "gadget", "id": json.Number("1"), "label": "x"})); got != `{"name":"g","type":"gadget"}` {
		t.Errorf("of a row, %s is known", got)
	}
}
