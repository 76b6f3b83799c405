// Tests of states that are made of answers, and of the comparison of answers.

package states

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/kindtest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

func TestStateOfAnswer(t *testing.T) {
	t.Parallel()
	before := kindtest.ValuesFor(kindtest.Gadget, map[string]any{"name": "g", "parts": []string{"c", "b", "a"}, "owner": "o", "deletion_policy": "abandon",
		"properties": map[string]any{"a": 1, "password": "secret", "friends": []any{"p"}, "merged": map[string]any{"k": 1}}})
	state, err := Of(kindtest.Gadget, kindtest.Answer(map[string]any{"id": 7, "name": "g", "type": "gizmo", "label": nil, "size": 22.0, "active": true, "owner_name": nil,
		"parts": []string{"z", "a", "c", "d"}, "extra": map[string]any{"k": nil}, "mode": "odd", "a": "1", "unnamed": 5, "merged": map[string]any{"k": 1, "of others": 2}}), before)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"active":true,"deletion_policy":"abandon","extra":{"k":null},"id":"7","mode":"odd","name":"g","parts":["a","c","d","z"],"properties":{"a":1,"friends":["p"],"merged":{"k":1},"password":"secret"},"size":22,"type":"gizmo"}`
	if got := kindtest.Show(state); got != want {
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
			answer := kindtest.Answer(map[string]any{"id": 7, "name": "g", "type": "gadget"})
			answer[field] = v
			if n, ok := v.(float64); ok {
				answer[field] = json.Number(fmt.Sprint(n))
			}
			if n, ok := v.(int); ok {
				answer[field] = json.Number(fmt.Sprint(n))
			}
			state, err := Of(kindtest.Gadget, answer, kind.Values{})
			wrong, ok := errors.AsType[*object.FieldError](err)
			if !ok || wrong.Field != field || v != nil && wrong.Reason == "is null, where there is always a value" {
				t.Errorf("%s = %v: state %s, error %v", field, v, kindtest.Show(state), err)
			}
		}
	}
}

// An import leaves the defaults out, and what a search answers later does not bring
// them back.
func TestImportLeavesDefaultsOut(t *testing.T) {
	t.Parallel()
	number := func(digits string) json.Number { return json.Number(digits) }
	answer := value.Object{"id": number("7"), "name": "n", "type": "crate", "weight": number("1"), "colour": "", "stamps": []any{}, "sealed": false,
		"label": "", "house_rule": true, "count": number("3"), "price": number("2.50"), "fragile": true, "route": []any{}, "lid": "", "contents": value.Object{}, "note": value.Object{},
		"parts": []any{"a"}, "lorries": []any{"b"}, "seen_at": "noon", "theirs": ""}
	for name, test := range map[string]struct {
		changes value.Object
		want    value.Object
	}{
		"defaults":         {value.Object{}, value.Object{"theirs": ""}},
		"other values":     {value.Object{"count": number("4"), "fragile": false, "route": []any{"x"}}, value.Object{"theirs": "", "count": number("4"), "fragile": false, "route": []any{"x"}}},
		"null":             {value.Object{"lid": nil}, value.Object{"theirs": ""}},
		"site's own type":  {value.Object{"type": "barrel", "note": "x"}, value.Object{"theirs": "", "count": number("3"), "price": number("2.5"), "fragile": true, "route": []any{}, "lid": "", "contents": value.Object{}, "note": "x"}},
		"sample, declared": {value.Object{"house_rule": "another"}, value.Object{"theirs": "", "house_rule": "another"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			changed := value.Object{}
			for field, x := range answer {
				changed[field] = x
			}
			for field, x := range test.changes {
				changed[field] = x
			}
			state, err := Imported(kindtest.Parcel, changed, kindtest.ValuesFor(kindtest.Parcel, map[string]any{"name": "n"}))
			if err != nil {
				t.Fatal(err)
			}
			if got := value.Members(state[kind.RowProperties]); !value.Equal(got, test.want) {
				t.Errorf("got  %v\nwant %v", got, test.want)
			}
		})
	}
}

// crateOf returns the values of a crate.
func crateOf(changes map[string]any) kind.Values {
	all := map[string]any{"name": "c"}
	maps.Copy(all, changes)
	return kindtest.ValuesFor(crate, all)
}

// crateAnswer returns an answer with a crate.
func crateAnswer(changes map[string]any) value.Object {
	all := map[string]any{"id": 7, "name": "c", "type": "crate"}
	maps.Copy(all, changes)
	return kindtest.Answer(all)
}

func TestOf_crate(t *testing.T) {
	t.Parallel()
	type object = map[string]any
	unknown := crate.Row("color").Unknown()
	for name, test := range map[string]struct {
		answer object
		before kind.Values
		want   string // without null, id, name and type
	}{
		"nothing before":                 {object{"owners": []any{"me"}, "readers": []any{"b", "a", "b"}, "first": true}, kind.Values{}, `"first":false,"keepers":[],"owners":["me"],"readers":["a","b"],"tags":[]`},
		"not configured":                 {object{"owners": []any{"me"}, "tags": []any{"x"}}, crateOf(nil), `"first":false,"keepers":[],"readers":[],"tags":["x"]`},
		"what an answer lacks":           {object{"type": "trunk"}, crateOf(object{"keepers": []string{"k"}, "shelf": "s", "color": unknown, "tags": crate.Row("tags").Unknown(), "first": true}), `"first":true,"keepers":["k"],"readers":[],"shelf":"s","tags":[]`},
		"members that eNMS adds":         {object{"readers": []any{"a", "b"}, "keepers": []any{"a", "b"}, "owners": []any{"me"}}, crateOf(object{"readers": []string{"a"}, "keepers": []string{"a"}, "owners": []string{"a"}}), `"first":false,"keepers":["a","b"],"owners":["me"],"readers":["a"],"tags":[]`},
		"another notation":               {object{"color": "a\r\nb"}, crateOf(object{"color": "a\nb"}), `"color":"a\nb","first":false,"keepers":[],"readers":[],"tags":[]`},
		"a member that is gone":          {object{"readers": []any{"b"}}, crateOf(object{"readers": []string{"a"}}), `"first":false,"keepers":[],"readers":["b"],"tags":[]`},
		"properties":                     {object{"label": "new", "mine": 1}, crateOf(object{kind.RowProperties: object{"label": "old", "code": "x"}}), `"first":false,"keepers":[],"properties":{"code":"x","label":"new"},"readers":[],"tags":[]`},
		"a large number, not configured": {object{"mine": json.Number("1e999")}, crateOf(object{kind.RowProperties: object{"label": "x"}}), `"first":false,"keepers":[],"properties":{"label":"x"},"readers":[],"tags":[]`},
		"criteria":                       {object{"part_color": "red", "part_color_match": "regex"}, crateOf(nil), `"filter":{"color":{"invert":false,"match":"regex","value":"red"}},"first":false,"keepers":[],"readers":[],"tags":[]`},
		"secret and settings":            {object{"key": "x", "adopt_existing": true}, crateOf(object{"key_wo_version": 1}), `"first":false,"keepers":[],"key_wo_version":1,"readers":[],"tags":[]`},
	} {
		state, err := Of(crate, crateAnswer(test.answer), test.before)
		for _, row := range []string{"id", "name", "type"} {
			if state[row].IsNull() {
				t.Errorf("%s: %s is null", name, row)
			}
			delete(state, row)
		}
		if got := kindtest.Show(state); err != nil || got != "{"+test.want+"}" {
			t.Errorf("%s: %v\n got %s\nwant {%s}", name, err, got, test.want)
		}
	}
	if state, err := Of(crate, crateAnswer(map[string]any{"mine": json.Number("1e999")}), crateOf(object{kind.RowProperties: object{"mine": 1}})); err == nil {
		t.Errorf("a number that is too large: %s", kindtest.Show(state))
	}
}

func TestImported_crate(t *testing.T) {
	t.Parallel()
	type object = map[string]any
	for name, test := range map[string]struct {
		k      *kind.Kind
		answer object
		typ    any // that the import names
		want   string
	}{
		"defaults, relations, secrets": {crate, object{"label": "", "room_name": "r", "room_id": 1, "stamps": []any{"s"}, "seen": 1, "gone": 1, "nothing": nil, "now": "n", "key": "x", "mine": []any{"a"}}, nil,
			`{"first":false,"id":"7","keepers":[],"name":"c","properties":{"mine":["a"]},"readers":[],"room":"r","tags":[],"type":"crate"}`},
		"filled in":           {crate, object{"owners": []any{"me"}}, nil, `{"first":false,"id":"7","keepers":[],"name":"c","properties":{},"readers":[],"tags":[],"type":"crate"}`},
		"no longer filled in": {crate, object{"owners": []any{"me", "you"}, "color": "a\r\nb"}, nil, `{"color":"a\nb","first":false,"id":"7","keepers":[],"name":"c","owners":["me","you"],"properties":{},"readers":[],"tags":[],"type":"crate"}`},
		"emptied":             {crate, object{"owners": []any{}}, nil, `{"first":false,"id":"7","keepers":[],"name":"c","properties":{},"readers":[],"tags":[],"type":"crate"}`},
		"of its type":         {crate, object{}, "crate", `{"first":false,"id":"7","keepers":[],"name":"c","properties":{},"readers":[],"tags":[],"type":"crate"}`},
		"of another type":     {crate, object{}, "trunk", "{}"},
		"wrong":               {crate, object{"size": "x"}, nil, "{}"},
		"a large number":      {crate, object{"mine": json.Number("1e999")}, nil, "{}"},
		"anything":            {anything, object{"mine": "x", "others": []any{"a"}}, "van", `{"id":"7","name":"c","properties":{"mine":"x"},"type":"crate"}`},
	} {
		before := kindtest.ValuesFor(test.k, object{"name": "c", "type": test.typ, "deletion_policy": nil})
		count := len(before)
		state, err := Imported(test.k, crateAnswer(test.answer), before)
		if got := kindtest.Show(state); got != test.want || (err != nil) != (test.want == "{}") || len(before) != count {
			t.Errorf("%s: %v\n got %s\nwant %s", name, err, got, test.want)
		}
	}
	data, err := Data(crate, crateAnswer(object{"now": "n", "mine": 1, "nothing": nil, "key": "x"}))
	if got, want := kindtest.Show(data), `{"first":false,"id":"7","keepers":[],"name":"c","now":"n","owners":[],"properties":{"mine":1},"readers":[],"tags":[],"type":"crate"}`; err != nil || got != want {
		t.Errorf("data: %v\n got %s\nwant %s", err, got, want)
	}
	properties, err := Data(&kind.Kind{Name: "plain"}, crateAnswer(nil))
	if err != nil || len(value.Members(properties[kind.RowProperties])) != 0 {
		t.Errorf("the type is a property: %s, %v", kindtest.Show(properties), err)
	}
}

func TestMinimal(t *testing.T) {
	t.Parallel()
	planned := crateOf(map[string]any{"type": "trunk", "color": "red", "deletion_policy": "abandon", "key_wo_version": 1})
	state := Minimal(crate, planned)
	if got, want := kindtest.Show(state), `{"deletion_policy":"abandon","key_wo_version":1,"name":"c","type":"trunk"}`; got != want || len(state) != len(crate.Table().Resource) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	before := crateOf(map[string]any{"key_wo_version": 1, "properties_wo_version": 2})
	kept := WithoutVersions(crate, crateOf(map[string]any{"key_wo_version": 1, "properties_wo_version": 3}), before)
	if got, want := kindtest.Show(kept), `{"name":"c","properties_wo_version":3}`; got != want {
		t.Errorf("without versions:\n got %s\nwant %s", got, want)
	}
}
