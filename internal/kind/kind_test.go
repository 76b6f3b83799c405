// Tests of the pure functions between configuration, plan, payload and state,
// over a kind that has an attribute of every type.

package kind

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/instance"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// now is when the tests plan.
var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

var gadget = &Kind{
	Name: "gadget", Namespace: "gadget",
	Attributes: []Attribute{
		{Name: "type", Role: Subtype, Default: "gadget", Recreate: true, OneOf: []string{"gadget", "gizmo"}},
		{Name: "label", Default: ""},
		{Name: "size", Type: Number, Default: 22},
		{Name: "often", Type: Number, Reset: 0},
		{Name: "active", Type: Flag, Default: false, ChangesOnWrite: true},
		{Name: "owner", Type: One, Of: "person", ReadFrom: "owner_name"},
		{Name: "keeper", Type: One, Of: "person", IDField: "keeper_id"},
		{Name: "parts", Type: Many, Of: "part"},
		{Name: "extra", Type: JSON},
		{Name: "mode", Default: "odd", OnCreate: "even", Reset: "even"},
		{Name: "short_name", Derived: true},
		{Name: "info", ReadOnly: true},
		{Name: "now", ReadOnly: true, DataOnly: true},
	},
	ChangesOnWrite: func(*Plan) bool { return true },

	Relations: []string{"friends"},
	Unwatched: []string{"last_seen"},
	Secrets:   []string{"password"},
	Off:       value.Object{"active": false},
}

// of makes a gadget's values of Go ones; what is not given is null.
func of(given map[string]any) Values { return valuesFor(gadget, given) }

func valuesFor(k *Kind, given map[string]any) Values {
	values := Values{}
	for _, a := range k.Rows() {
		if a.DataOnly {
			continue
		}
		switch v := given[a.Name].(type) {
		case tftypes.Value:
			values[a.Name] = v
		case []string:
			members := []tftypes.Value{}
			for _, s := range v {
				members = append(members, tftypes.NewValue(tftypes.String, s))
			}
			values[a.Name] = tftypes.NewValue(value.StringList, members)
		case map[string]any:
			values[a.Name] = value.FromJSON(decoded(v))
		default:
			values[a.Name] = a.Value(v)
		}
	}
	return values
}

// decoded returns a Go value as an answer would have it.
func decoded(v any) any {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	decoder := json.NewDecoder(strings.NewReader(string(raw)))
	decoder.UseNumber()
	var out any
	if err := decoder.Decode(&out); err != nil {
		panic(err)
	}
	return out
}

func answer(v map[string]any) value.Object { return decoded(v).(map[string]any) }

// show are values as JSON, unknown ones as "?", null ones left out.
func show(values Values) string {
	out := map[string]any{}
	for name, v := range values {
		switch {
		case !v.IsFullyKnown():
			out[name] = "?"
		case !v.IsNull():
			out[name] = value.ToJSON(v)
		}
	}
	raw, _ := json.Marshal(out)
	return string(raw)
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	g, _ := json.Marshal(got)
	w, _ := json.Marshal(want)
	if !bytes.Equal(g, w) {
		t.Errorf("%s:\n got %s\nwant %s", what, g, w)
	}
}

func TestPlanOfCreation(t *testing.T) {
	t.Parallel()
	p := gadget.NewPlan(of(map[string]any{"name": "g", "size": 0, "label": ""}), nil, nil, now)
	want := `{"active":"?","extra":"?","id":"?","info":"?","keeper":"?","label":"","mode":"?","name":"g","often":"?","owner":"?","parts":"?","short_name":"?","size":0,"type":"gadget"}`
	if got := show(p.Planned); got != want || len(p.Replaced) > 0 {
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
			p := gadget.NewPlan(of(test.config), of(state), test.set, now)
			want := of(state)
			for attribute, v := range test.change {
				if v == "?" {
					want[attribute] = gadget.row(attribute).unknown()
				} else {
					want[attribute] = of(map[string]any{attribute: v})[attribute]
				}
			}
			if got, want := show(p.Planned), show(want); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			same(t, "replace", p.Replaced, test.replace)
		})
	}
}

// Properties are compared only where the configuration names them, and one
// that this provider has set is missed when it is no longer named.
func TestPlanOfProperties(t *testing.T) {
	t.Parallel()
	state := map[string]any{"name": "g", "properties": map[string]any{"a": "1", "b": []any{"x", "y"}, "friends": []any{"p", "q"}, "imported": true, "o": map[string]any{"k": 1, "l": 2}}}
	for name, test := range map[string]struct {
		config  map[string]any
		set     []string
		changes bool
	}{
		"all the same":              {map[string]any{"a": "1", "b": []any{"x", "y"}}, nil, false},
		"a number for its text":     {map[string]any{"a": 1}, nil, false},
		"true for 1":                {map[string]any{"a": true}, nil, false},
		"a relation in any order":   {map[string]any{"friends": []any{"q", "p"}}, nil, false},
		"a list in another order":   {map[string]any{"b": []any{"y", "x"}}, nil, true},
		"another value":             {map[string]any{"a": "2"}, nil, true},
		"a member, merely imported": {map[string]any{"o": map[string]any{"k": 1}}, nil, false},
		"a member out, set before":  {map[string]any{"o": map[string]any{"k": 1}}, []string{"properties", "properties.o"}, true},
		"another member":            {map[string]any{"o": map[string]any{"z": 1}}, nil, true},
		"a new field":               {map[string]any{"c": 1}, nil, true},
		"null is no field":          {map[string]any{"c": nil}, nil, false},
		"dropped, set before":       {map[string]any{"a": "1"}, []string{"properties", "properties.b"}, true},
		"dropped, merely imported":  {map[string]any{"a": "1"}, []string{"properties", "properties.a"}, false},
		"nothing, merely imported":  {map[string]any{}, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := gadget.NewPlan(of(map[string]any{"name": "g", "properties": test.config}), of(state), test.set, now)
			if p.Changed(RowProperties) != test.changes {
				t.Errorf("planned %s", show(p.Planned))
			}
		})
	}
}

func TestPayloads(t *testing.T) {
	t.Parallel()
	config := of(map[string]any{"name": "g", "type": "gizmo", "size": 0, "active": false, "label": "", "parts": []string{}, "owner": "o",
		"extra": map[string]any{}, "properties": map[string]any{"color": "red", "empty": nil}, "adopt_existing": true})
	planned := gadget.NewPlan(config, nil, nil, now).Planned
	planned["short_name"] = tftypes.NewValue(tftypes.String, "g")
	adopt := map[string]any{"name": "g", "size": 0, "active": false, "label": "", "parts": []string{}, "owner": "o", "extra": map[string]any{}, "short_name": "g", "color": "red"}
	same(t, "adopt", gadget.AdoptPayload(config, planned), adopt)
	adopt["mode"] = "even"
	same(t, "create", gadget.CreatePayload(config, planned), adopt)
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
			planned := of(state)
			for attribute, v := range test.change {
				planned[attribute] = of(map[string]any{attribute: v})[attribute]
			}
			payload := gadget.UpdatePayload(nil, planned, of(state))
			if test.want == nil {
				if payload != nil {
					t.Errorf("got %v, want nothing", payload)
				}
				return
			}
			same(t, "payload", payload, test.want)
		})
	}
}

// A relation to one that is taken out of the configuration is unset by its id, as
// eNMS refuses null for the relation itself, and tells by the id that it is unset.
func TestRelationToOneIsUnset(t *testing.T) {
	t.Parallel()
	config := of(map[string]any{"name": "g"})
	state := of(map[string]any{"id": "7", "name": "g", "type": "gadget", "keeper": "k"})
	for name, test := range map[string]struct {
		managed []string
		want    any
	}{
		"managed":    {[]string{"keeper"}, map[string]any{"name": "g", "keeper_id": nil}},
		"left alone": {nil, value.Object(nil)},
	} {
		planned := gadget.NewPlan(config, state, test.managed, now).Planned
		payload := gadget.UpdatePayload(nil, planned, state)
		same(t, name, payload, test.want)
		if payload == nil {
			continue
		}
		unset := answer(map[string]any{"id": 7, "name": "g", "type": "gadget", "keeper_id": nil})
		if !gadget.OnlyRelations(payload, planned, state) || !gadget.HoldsRelations(payload, unset, planned) {
			t.Errorf("%s: %v is not held by %v", name, payload, unset)
		}
		set := answer(map[string]any{"id": 7, "name": "g", "type": "gadget", "keeper_id": 5, "keeper": "k"})
		if gadget.HoldsRelations(payload, set, planned) {
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
		object := answer(map[string]any{"id": 7, "name": "g", "type": "gadget"})
		maps.Copy(object, answer(test.answer))
		got, err := gadget.State(object, state)
		if err != nil || value.Text(got["keeper"]) != test.want {
			t.Errorf("%s: %s, %v", name, show(got), err)
		}
		imported, err := gadget.ImportedState(object, Values{})
		if properties := value.Members(imported[RowProperties]); err != nil || len(properties) > 0 {
			t.Errorf("%s: imported properties %v, %v", name, properties, err)
		}
	}
	p := gadget.NewPlan(of(map[string]any{"name": "g", "properties": map[string]any{"keeper_id": 5}}), nil, nil, now)
	if !p.Diagnostics.HasError() {
		t.Error("keeper_id is taken as a property")
	}
}

func TestStateOfAnswer(t *testing.T) {
	t.Parallel()
	before := of(map[string]any{"name": "g", "parts": []string{"c", "b", "a"}, "owner": "o", "deletion_policy": "abandon",
		"properties": map[string]any{"a": 1, "password": "secret", "friends": []any{"p"}, "merged": map[string]any{"k": 1}}})
	state, err := gadget.State(answer(map[string]any{"id": 7, "name": "g", "type": "gizmo", "label": nil, "size": 22.0, "active": true, "owner_name": nil,
		"parts": []string{"z", "a", "c", "d"}, "extra": map[string]any{"k": nil}, "mode": "odd", "a": "1", "unnamed": 5, "merged": map[string]any{"k": 1, "of others": 2}}), before)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"active":true,"deletion_policy":"abandon","extra":{"k":null},"id":"7","mode":"odd","name":"g","parts":["c","a","d","z"],"properties":{"a":1,"friends":["p"],"merged":{"k":1},"password":"secret"},"size":22,"type":"gizmo"}`
	if got := show(state); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestStateRefusesWrongTypes(t *testing.T) {
	t.Parallel()
	for field, values := range map[string][]any{
		"id":         {nil, "7", 1.5, true, []any{}, json.Number("99999999999999999999")},
		"name":       {nil, 5, []any{}, map[string]any{}},
		"label":      {5, true, []any{}, map[string]any{}},
		"size":       {"22", 22.5, true, []any{}, json.Number("99999999999999999999"), json.Number("1e400")},
		"active":     {"true", 1, []any{}},
		"owner_name": {5, []any{}},
		"parts":      {"a", 5, []any{1}, []any{nil}, []any{[]any{}}, map[string]any{}},
		"extra":      {"{}", []any{}, 5, false},
	} {
		for _, v := range values {
			object := answer(map[string]any{"id": 7, "name": "g", "type": "gadget"})
			object[field] = v
			if n, ok := v.(float64); ok {
				object[field] = json.Number(fmt.Sprint(n))
			}
			if n, ok := v.(int); ok {
				object[field] = json.Number(fmt.Sprint(n))
			}
			state, err := gadget.State(object, Values{})
			wrong, ok := errors.AsType[*instance.FieldError](err)
			if !ok || wrong.Field != field {
				t.Errorf("%s = %v: state %s, error %v", field, v, show(state), err)
			}
		}
	}
}

func TestMembersKeepTheirOrder(t *testing.T) {
	t.Parallel()
	parts := gadget.row("parts")
	list := func(s ...string) tftypes.Value { return of(map[string]any{"parts": s})["parts"] }
	if got := value.Names(value.InOrderOf(list("c", "a", "b"), list("a", "b", "y", "x"))); !reflect.DeepEqual(got, []string{"a", "b", "x", "y"}) {
		t.Error(got)
	}
	if got := value.Names(value.InOrderOf(parts.unknown(), list("b", "a"))); !reflect.DeepEqual(got, []string{"a", "b"}) {
		t.Error(got)
	}
}

func TestOutcome(t *testing.T) {
	t.Parallel()
	payload := value.Object{"name": "g", "size": json.Number("5"), "mode": "even", "parts": []any{"a"}}
	base := map[string]any{"id": 1, "name": "g", "size": 5, "label": "", "mode": "even", "parts": []string{"a"}, "extra": map[string]any{}}
	for name, test := range map[string]struct {
		change map[string]any
		want   bool
	}{
		"whole":                 {nil, true},
		"half":                  {map[string]any{"size": 22, "mode": "odd", "parts": []string{}}, true},
		"another's value":       {map[string]any{"size": 6}, false},
		"another's label":       {map[string]any{"label": "theirs"}, false},
		"another's parts":       {map[string]any{"parts": []string{"b"}}, false},
		"a wrong value":         {map[string]any{"size": "x"}, false},
		"what changes on write": {map[string]any{"active": true}, true},
	} {
		object := map[string]any{}
		for k, v := range base {
			object[k] = v
		}
		for k, v := range test.change {
			object[k] = v
		}
		if got := gadget.OutcomeOf(payload, answer(object)); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// An instance under another name is the same when the rest is as it was, or as the
// pending rename sent it, in whatever JSON type eNMS keeps it.
func TestSameContent(t *testing.T) {
	t.Parallel()
	state := of(map[string]any{"id": "7", "name": "g", "type": "gadget", "label": "x", "size": 5, "active": true, "parts": []string{"a"}, "short_name": "g",
		"properties": map[string]any{"flag": "0", "code": "1"}})
	base := map[string]any{"id": 7, "name": "h", "type": "gadget", "label": "x", "size": 5, "active": true, "short_name": "h", "flag": "0", "code": "1"}
	rename := value.Object{"name": "g", "new_name": "h", "size": json.Number("6"), "flag": true, "code": json.Number("5")}
	for name, test := range map[string]struct {
		change  map[string]any
		pending value.Object
		want    bool
	}{
		"renamed":                   {nil, nil, true},
		"renamed and switched":      {map[string]any{"active": false}, nil, true},
		"another label":             {map[string]any{"label": "y"}, nil, false},
		"another id":                {map[string]any{"id": 8}, nil, true},
		"another type":              {map[string]any{"type": "gizmo"}, nil, false},
		"another field":             {map[string]any{"flag": "1"}, nil, false},
		"as the rename sent it":     {map[string]any{"size": 6, "flag": "1", "code": "5"}, rename, true},
		"half of what it sent":      {map[string]any{"size": 6}, rename, true},
		"nothing of what it sent":   {nil, rename, true},
		"other than it sent":        {map[string]any{"size": 7}, rename, false},
		"a field other than sent":   {map[string]any{"code": "6"}, rename, false},
		"as sent, but another name": {map[string]any{"name": "i", "size": 6}, rename, false},
	} {
		object := maps.Clone(base)
		maps.Copy(object, test.change)
		if got := gadget.SameContent(answer(object), state, test.pending); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
