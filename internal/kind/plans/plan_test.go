// Tests of plans of one instance.

package plans

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/kindtest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

func TestPlanOfCreation(t *testing.T) {
	t.Parallel()
	p := New(kindtest.Gadget, kindtest.ValuesFor(kindtest.Gadget, map[string]any{"name": "g", "size": 0, "label": ""}), nil, nil, kindtest.Now)
	want := `{"active":"?","extra":"?","id":"?","info":"?","label":"","mode":"even","name":"g","often":"?","parts":"?","short_name":"?","size":0,"type":"gadget"}`
	if got := kindtest.Show(p.Planned); got != want || len(p.Replaced) > 0 {
		t.Errorf("got  %s, replace %v\nwant %s", got, p.Replaced, want)
	}
}

func TestPlanOfUpdate(t *testing.T) {
	t.Parallel()
	state := map[string]any{"id": "7", "name": "g", "type": "gadget", "label": "x", "size": 5, "active": true, "owner": "o",
		"parts": []string{"b", "a"}, "extra": map[string]any{"k": 1}, "mode": "odd", "short_name": "g", "info": "i"}
	list := func(s ...string) []string { return s }
	tests := map[string]struct {
		config  map[string]any
		set     []string
		change  map[string]any // what differs from the state; nil for nothing
		replace []string
	}{
		"nothing":                   {config: map[string]any{"name": "g"}},
		"the same in another order": {config: map[string]any{"name": "g", "parts": list("a", "b")}},
		"the same as a map":         {config: map[string]any{"name": "g", "extra": tftypes.NewValue(tftypes.Map{ElementType: tftypes.Number}, map[string]tftypes.Value{"k": tftypes.NewValue(tftypes.Number, 1)})}},
		"a falsy value":             {config: map[string]any{"name": "g", "size": 0}, change: map[string]any{"size": 0, "active": "?"}},
		"an empty relation":         {config: map[string]any{"name": "g", "parts": list()}, change: map[string]any{"parts": list(), "active": "?"}},
		"a flag that is configured": {config: map[string]any{"name": "g", "active": true, "label": "y"}, change: map[string]any{"label": "y"}},
		"taken out, set before":     {config: map[string]any{"name": "g"}, set: list("label", "size", "parts", "extra", "mode"), change: map[string]any{"label": "", "size": 22, "parts": list(), "extra": map[string]any{}, "mode": "even", "active": "?"}},
		"taken out, null meanwhile": {config: map[string]any{"name": "g"}, set: list("often"), change: map[string]any{"often": 0, "active": "?"}},
		"another name":              {config: map[string]any{"name": "h"}, change: map[string]any{"name": "h", "active": "?"}},
		"another type":              {config: map[string]any{"name": "g", "type": "gizmo"}, change: map[string]any{"type": "gizmo", "active": "?"}, replace: list("type")},
		"a setting alone":           {config: map[string]any{"name": "g", "deletion_policy": "abandon"}, change: map[string]any{"deletion_policy": "abandon"}},
		"properties, first time":    {config: map[string]any{"name": "g", "properties": map[string]any{"a": 1}}, change: map[string]any{"properties": map[string]any{"a": 1}, "active": "?"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := New(kindtest.Gadget, kindtest.ValuesFor(kindtest.Gadget, test.config), kindtest.ValuesFor(kindtest.Gadget, state), test.set, kindtest.Now)
			want := kindtest.ValuesFor(kindtest.Gadget, state)
			for attribute, v := range test.change {
				if v == "?" {
					want[attribute] = kindtest.Gadget.Row(attribute).Unknown()
				} else {
					want[attribute] = kindtest.ValuesFor(kindtest.Gadget, map[string]any{attribute: v})[attribute]
				}
			}
			if got, want := kindtest.Show(p.Planned), kindtest.Show(want); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			kindtest.Same(t, "replace", p.Replaced, test.replace)
		})
	}
}

// A property that this provider has set is missed when the configuration no longer names it.
func TestPlanOfProperties(t *testing.T) {
	t.Parallel()
	state := map[string]any{"name": "g", "properties": map[string]any{"a": "1", "b": "x", "o": map[string]any{"k": 1, "l": 2}}}
	for name, test := range map[string]struct {
		config  map[string]any
		set     []string
		changes bool
	}{
		"a member, merely imported": {map[string]any{"o": map[string]any{"k": 1}}, nil, false},
		"a member out, set before":  {map[string]any{"o": map[string]any{"k": 1}}, []string{"properties", "properties.o"}, true},
		"a new field":               {map[string]any{"c": 1}, nil, true},
		"null is no field":          {map[string]any{"c": nil}, nil, false},
		"dropped, set before":       {map[string]any{"a": "1"}, []string{"properties", "properties.b"}, true},
		"dropped, merely imported":  {map[string]any{"a": "1"}, []string{"properties", "properties.a"}, false},
		"nothing, merely imported":  {map[string]any{}, nil, false},
	} {
		p := New(kindtest.Gadget, kindtest.ValuesFor(kindtest.Gadget, map[string]any{"name": "g", "properties": test.config}), kindtest.ValuesFor(kindtest.Gadget, state), test.set, kindtest.Now)
		if p.Changed(kind.RowProperties) != test.changes {
			t.Errorf("%s: planned %s", name, kindtest.Show(p.Planned))
		}
	}
}

// What MariaDB made of a number stays in the words of the configuration; another number in the configuration is always
// sent.
func TestPlanOfFewerDigits(t *testing.T) {
	t.Parallel()
	with := func(x string) kind.Values {
		return kindtest.ValuesFor(kindtest.Gadget, map[string]any{"name": "g", "id": "7", "type": "gadget", kind.RowProperties: value.FromJSON(map[string]any{"x": json.Number(x)})})
	}
	state, err := states.Of(kindtest.Gadget, value.Object{"id": json.Number("7"), "name": "g", "type": "gadget", "x": json.Number("12.3457")}, with("12.3456789"))
	if want := with("12.3456789")[kind.RowProperties]; err != nil || !state[kind.RowProperties].Equal(want) {
		t.Errorf("the state has %s, %v", kindtest.Show(state), err)
	}
	set := []string{kind.RowProperties, propertyKey("x")}
	for name, test := range map[string]struct {
		config, state string
		set           []string
		changes       bool
	}{
		"the same":          {"12.3456789", "12.3456789", set, false},
		"imported":          {"12.3456789", "12.3457", nil, false},
		"one more digit":    {"12.34571", "12.3457", set, true},
		"one digit less":    {"12.3457", "12.3456789", set, true},
		"imported, another": {"12.3446789", "12.3457", nil, true},
	} {
		if p := New(kindtest.Gadget, with(test.config), with(test.state), test.set, kindtest.Now); p.Changed(kind.RowProperties) != test.changes {
			t.Errorf("%s: planned %s", name, kindtest.Show(p.Planned))
		}
	}
}
