// Tests of values that are not among those of OneOf.

package plans

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/kindtest"
)

// paint is a kind whose choices eNMS does not enforce.
var paint = &kind.Kind{
	Name: "paint", Namespace: "paint",
	Attributes: []kind.Attribute{
		{Name: "gloss", Default: "usual", OneOf: []string{"matt", "shiny"}, Doc: "How it shines."},
		{Name: "unit", Default: "", OneOf: []string{"litre", "gallon"}, Closed: true, Doc: "Its unit."},
	},
	Properties: []kind.Attribute{
		{Name: "base", Default: "usual", OneOf: []string{"oil", "water"}, Doc: "What it is made of."},
		{Name: "uses", Type: kind.List, OneOf: []string{"wall", "floor"}, Doc: "What it is for."},
		{Name: "tin", Default: "", OneOf: []string{"round", "square"}, Closed: true, Doc: "Its tin."},
	},
	Subtypes: []kind.SubtypeTable{{Name: "paint", Doc: "A paint."}},
}

func TestChoices(t *testing.T) {
	t.Parallel()
	type object = map[string]any
	inProperties := func(field, what string) string { return `properties["` + field + `"]: ` + what }
	for name, test := range map[string]struct {
		config object
		want   string
		words  string
	}{
		"known":               {object{"gloss": "matt", kind.RowProperties: object{"base": "oil", "uses": []any{"wall"}}}, "", ""},
		"the default":         {object{"gloss": "usual", kind.RowProperties: object{"base": "usual"}}, "", ""},
		"unknown":             {object{"gloss": "shinny"}, "Warning: gloss: Unknown value for gloss", `"shinny" is not among the values that eNMS knows: matt, shiny`},
		"closed":              {object{"unit": "pint"}, "Error: unit: Invalid Attribute Value Match", ""},
		"unknown, a property": {object{kind.RowProperties: object{"base": "watr"}}, "Warning: " + inProperties("base", "Unknown value for base"), `Did you mean "water"?`},
		"a member of no text": {object{kind.RowProperties: object{"uses": []any{1}}}, "Error: " + inProperties("uses", "Invalid value for properties.uses"), "It holds a number"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.config["name"] = "n"
			found := New(paint, kindtest.ValuesFor(paint, test.config), nil, nil, kindtest.Now).Diagnostics
			if got := kindtest.Said(found); got != test.want {
				t.Fatalf("got  %q\nwant %q", got, test.want)
			}
			if len(found) > 0 && !strings.Contains(found[0].Detail(), test.words) {
				t.Errorf("%q is not in %q", test.words, found[0].Detail())
			}
		})
	}
}

// What eNMS holds already needs no warning in each plan.
func TestChoicesThatAreThere(t *testing.T) {
	t.Parallel()
	type object = map[string]any
	held := object{"name": "n", "id": "7", "gloss": "velvet", kind.RowProperties: object{"base": "milk"}}
	plan := func(config object) diag.Diagnostics {
		config["name"] = "n"
		return New(paint, kindtest.ValuesFor(paint, config), kindtest.ValuesFor(paint, held), nil, kindtest.Now).Diagnostics
	}
	if found := plan(object{"gloss": "velvet", kind.RowProperties: object{"base": "milk"}}); len(found) > 0 {
		t.Errorf("as it is: %s", kindtest.Said(found))
	}
	if got := kindtest.Said(plan(object{"gloss": "satin", kind.RowProperties: object{"base": "milk"}})); got != "Warning: gloss: Unknown value for gloss" {
		t.Errorf("another value: %s", got)
	}
}
