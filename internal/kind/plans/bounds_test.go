// Tests of the bounds of values.

package plans

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/kindtest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// note is a kind that has a text of each length.
var note = &kind.Kind{
	Name: "note", Namespace: "note",
	Attributes: []kind.Attribute{
		{Name: "type", Role: kind.Subtype, Default: "note", OneOf: []string{"note", "memo"}, Doc: "Its sort."},
		{Name: "title", Doc: "Its title."},
		{Name: "tag", MaxLength: kind.ShortLength, Doc: "A word."},
		{Name: "body", MaxLength: kind.Unbounded, Doc: "What it says."},
		{Name: "pages", Type: kind.Number, Doc: "How many."},
		{Name: "copies", Type: kind.Number, Range: kind.NotNegative, Doc: "How many."},
		{Name: "weight", Type: kind.Number, Range: &kind.Range{Min: 1, Max: 9}, Doc: "How heavy."},
		{Name: "extra", Type: kind.JSON},
	},
}

func TestBoundsOfPlan(t *testing.T) {
	t.Parallel()
	long := func(n int) string { return strings.Repeat("ü", n) }
	open := tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
	halfKnown := tftypes.NewValue(tftypes.Object{AttributeTypes: map[string]tftypes.Type{"a": tftypes.String, "b": tftypes.String}},
		map[string]tftypes.Value{"a": open, "b": tftypes.NewValue(tftypes.String, "\x00")})
	type object = map[string]any
	for name, test := range map[string]struct {
		attribute    string
		config, have any // have is in the state of an instance that exists
		words        []string
	}{
		"common, full":       {attribute: "title", config: long(255)},
		"common, too long":   {attribute: "title", config: long(256), words: []string{"256 characters", "the maximum is 255", "Shorten it by 1.", "PostgreSQL and MariaDB"}},
		"short, full":        {attribute: "tag", config: long(64)},
		"short, too long":    {attribute: "tag", config: long(70), words: []string{"70 characters", "the maximum is 64", "Shorten it by 6."}},
		"of any length":      {attribute: "body", config: long(100000)},
		"unknown":            {attribute: "title", config: open},
		"there already":      {attribute: "tag", config: long(70), have: long(70)},
		"longer than before": {attribute: "tag", config: long(71), have: long(70), words: []string{"71 characters"}},
		"shorter, not yet":   {attribute: "tag", config: long(69), have: long(70), words: []string{"69 characters"}},

		"NUL in a text":           {attribute: "body", config: "a\x00b", words: []string{"body contains a NUL", "PostgreSQL"}},
		"NUL there already":       {attribute: "body", config: "a\x00b", have: "a\x00b"},
		"NUL in an object":        {attribute: "extra", config: object{"a": []any{1, object{"b c": "\x00"}}}, words: []string{`extra.a[1]["b c"] contains a NUL`}},
		"a large number":          {attribute: "extra", config: object{"a": 1e200}, words: []string{"extra.a has more digits than Terraform"}},
		"NUL in a key":            {attribute: "extra", config: object{"a": object{"\x00": 1}}, words: []string{`extra.a["\x00"] contains a NUL`}},
		"object there already":    {attribute: "extra", config: object{"a": "\x00"}, have: object{"a": "\x00"}},
		"NUL in what is known":    {attribute: "extra", config: halfKnown, words: []string{"extra.b contains a NUL"}},
		"NUL in a field":          {attribute: kind.RowProperties, config: object{"x": "\x00"}, words: []string{"properties.x contains a NUL"}},
		"NUL in a field's name":   {attribute: kind.RowProperties, config: object{"\x00": 1}, words: []string{`properties["\x00"] contains a NUL`}},
		"NUL beside known fields": {attribute: kind.RowProperties, config: halfKnown, words: []string{"properties.b contains a NUL"}},
		"field there already":     {attribute: kind.RowProperties, config: object{"x": "\x00", "y": 2}, have: object{"x": "\x00", "y": 1}},
		"known field with a NUL":  {attribute: kind.RowProperties, config: halfKnown, have: object{"b": "\x00"}},
		"long field":              {attribute: kind.RowProperties, config: object{"x": long(300)}},
		"no NUL":                  {attribute: "extra", config: object{"a": []any{nil, true, 1.5, "x"}, "": object{}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var prior kind.Values
			if test.have != nil {
				prior = kindtest.ValuesFor(note, map[string]any{"name": "n", "id": "7", "type": "note", test.attribute: test.have})
			}
			p := New(note, kindtest.ValuesFor(note, map[string]any{"name": "n", test.attribute: test.config}), prior, nil, kindtest.Now)
			if len(test.words) == 0 {
				if p.Diagnostics.HasError() {
					t.Error(p.Diagnostics)
				}
				return
			}
			errors := p.Diagnostics.Errors()
			if len(errors) != 1 {
				t.Fatalf("%d errors: %v", len(errors), errors)
			}
			at, ok := errors[0].(interface{ Path() path.Path })
			if !ok || !at.Path().Equal(path.Root(test.attribute)) {
				t.Errorf("%v is not on %s", errors[0], test.attribute)
			}
			for _, w := range test.words {
				if !strings.Contains(errors[0].Detail(), w) {
					t.Errorf("%q is not in %q", w, errors[0].Detail())
				}
			}
		})
	}
}

// What MariaDB made of a number stays in the words of the configuration; another
// number in the configuration is always sent.
func TestPlanOfFewerDigits(t *testing.T) {
	t.Parallel()
	with := func(x string) kind.Values {
		return kindtest.ValuesFor(note, map[string]any{"name": "n", "id": "7", "type": "note", kind.RowProperties: value.FromJSON(map[string]any{"x": json.Number(x)})})
	}
	state, err := states.Of(note, value.Object{"id": json.Number("7"), "name": "n", "type": "note", "x": json.Number("12.3457")}, with("12.3456789"))
	if want := with("12.3456789")[kind.RowProperties]; err != nil || !reflect.DeepEqual(state[kind.RowProperties], want) {
		t.Errorf("the state has %s, %v", kindtest.Show(state), err)
	}
	set := []string{kind.RowProperties, propertyKey("x")}
	for name, test := range map[string]struct {
		config, state string
		set           []string
		changes       bool
	}{
		"the same":           {"12.3456789", "12.3456789", set, false},
		"imported":           {"12.3456789", "12.3457", nil, false},
		"one more digit":     {"12.34571", "12.3457", set, true},
		"one digit less":     {"12.3457", "12.3456789", set, true},
		"imported, another":  {"12.3446789", "12.3457", nil, true},
		"imported, a longer": {"12.3457", "12.3456789", nil, true},
	} {
		if p := New(note, with(test.config), with(test.state), test.set, kindtest.Now); p.Changed(kind.RowProperties) != test.changes {
			t.Errorf("%s: planned %s", name, kindtest.Show(p.Planned))
		}
	}
}
