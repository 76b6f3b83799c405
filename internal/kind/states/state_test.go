// Tests of states that are made of answers, and of the comparison of answers.

package states

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
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
			if !ok || wrong.Field != field {
				t.Errorf("%s = %v: state %s, error %v", field, v, kindtest.Show(state), err)
			}
		}
	}
}

func TestOf_membersOnceAndSorted(t *testing.T) {
	t.Parallel()
	answer := kindtest.Answer(map[string]any{"id": 7, "name": "g", "type": "gadget", "parts": []string{"c", "a", "b", "a"}})
	state, err := Of(kindtest.Gadget, answer, kind.Values{})
	if got := value.Names(state["parts"]); err != nil || !reflect.DeepEqual(got, []string{"a", "b", "c"}) {
		t.Error(got, err)
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
		answer := map[string]any{}
		for k, v := range base {
			answer[k] = v
		}
		for k, v := range test.change {
			answer[k] = v
		}
		if got := MayBeOutcome(kindtest.Gadget, payload, kindtest.Answer(answer), InPart); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
