// Tests of payloads.

package payloads

import (
	"maps"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/kindtest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

func TestPayloads(t *testing.T) {
	t.Parallel()
	config := kindtest.ValuesFor(kindtest.Gadget, map[string]any{"name": "g", "type": "gizmo", "size": 0, "active": false, "label": "", "parts": []string{}, "owner": "o",
		"extra": map[string]any{}, "properties": map[string]any{"color": "red", "empty": nil}, "adopt_existing": true})
	planned := plans.New(kindtest.Gadget, config, nil, nil, kindtest.Now).Planned
	planned["short_name"] = tftypes.NewValue(tftypes.String, "g")
	want := map[string]any{"name": "g", "size": 0, "active": false, "label": "", "parts": []string{}, "owner": "o", "extra": map[string]any{}, "short_name": "g", "color": "red", "mode": "even"}
	kindtest.Same(t, "create", Create(kindtest.Gadget, config, planned), want)
}

func TestUpdatePayload(t *testing.T) {
	t.Parallel()
	state := map[string]any{"id": "7", "name": "g", "label": "x", "size": 5, "short_name": "g", "properties": map[string]any{"a": 1, "b": 2}}
	for name, test := range map[string]struct{ change, want map[string]any }{
		"nothing":     {nil, nil},
		"a setting":   {map[string]any{"deletion_policy": "abandon"}, nil},
		"a value":     {map[string]any{"size": 0}, map[string]any{"name": "g", "size": 0, "short_name": "g"}},
		"null":        {map[string]any{"size": nil}, nil},
		"a field":     {map[string]any{"properties": map[string]any{"a": 1, "b": 3}}, map[string]any{"name": "g", "b": 3, "short_name": "g"}},
		"a field out": {map[string]any{"properties": map[string]any{"a": 1}}, nil},
		"a rename":    {map[string]any{"name": "h", "short_name": "h"}, map[string]any{"name": "g", "new_name": "h", "short_name": "h"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			planned := kindtest.ValuesFor(kindtest.Gadget, state)
			for attribute, v := range test.change {
				planned[attribute] = kindtest.ValuesFor(kindtest.Gadget, map[string]any{attribute: v})[attribute]
			}
			payload := Update(kindtest.Gadget, nil, planned, kindtest.ValuesFor(kindtest.Gadget, state))
			if test.want == nil {
				if payload != nil {
					t.Errorf("got %v, want nothing", payload)
				}
				return
			}
			kindtest.Same(t, "payload", payload, test.want)
		})
	}
}

// A relation to one that is taken out of the configuration is unset by its id, as
// eNMS refuses null for the relation itself, and tells by the id that it is unset.
func TestRelationToOneIsUnset(t *testing.T) {
	t.Parallel()
	config := kindtest.ValuesFor(kindtest.Gadget, map[string]any{"name": "g"})
	state := kindtest.ValuesFor(kindtest.Gadget, map[string]any{"id": "7", "name": "g", "type": "gadget", "keeper": "k"})
	for name, test := range map[string]struct {
		managed []string
		want    any
	}{
		"managed":    {[]string{"keeper"}, map[string]any{"name": "g", "keeper_id": nil}},
		"left alone": {nil, value.Object(nil)},
	} {
		planned := plans.New(kindtest.Gadget, config, state, test.managed, kindtest.Now).Planned
		payload := Update(kindtest.Gadget, nil, planned, state)
		kindtest.Same(t, name, payload, test.want)
		if payload == nil {
			continue
		}
		unset := kindtest.Answer(map[string]any{"id": 7, "name": "g", "type": "gadget", "keeper_id": nil})
		if !OnlyRelations(kindtest.Gadget, payload, planned, state) || !states.ShowsRelations(kindtest.Gadget, payload, unset, planned) {
			t.Errorf("%s: %v is not held by %v", name, payload, unset)
		}
		set := kindtest.Answer(map[string]any{"id": 7, "name": "g", "type": "gadget", "keeper_id": 5, "keeper": "k"})
		if states.ShowsRelations(kindtest.Gadget, payload, set, planned) {
			t.Errorf("%s: %v is held by %v", name, payload, set)
		}
	}
	for name, test := range map[string]struct {
		answer map[string]any
		want   string
	}{
		"unset by somebody": {map[string]any{"keeper_id": nil}, ""},
		"another":           {map[string]any{"keeper_id": 6, "keeper": "l"}, "l"},
		"of a search":       {map[string]any{}, "k"},
	} {
		object := kindtest.Answer(map[string]any{"id": 7, "name": "g", "type": "gadget"})
		maps.Copy(object, kindtest.Answer(test.answer))
		got, err := states.Of(kindtest.Gadget, object, state)
		if err != nil || value.Text(got["keeper"]) != test.want {
			t.Errorf("%s: %s, %v", name, kindtest.Show(got), err)
		}
		imported, err := states.Imported(kindtest.Gadget, object, kind.Values{})
		if properties := value.Members(imported[kind.RowProperties]); err != nil || len(properties) > 0 {
			t.Errorf("%s: imported properties %v, %v", name, properties, err)
		}
	}
	p := plans.New(kindtest.Gadget, kindtest.ValuesFor(kindtest.Gadget, map[string]any{"name": "g", "properties": map[string]any{"keeper_id": 5}}), nil, nil, kindtest.Now)
	if !p.Diagnostics.HasError() {
		t.Error("keeper_id is taken as a property")
	}
}
