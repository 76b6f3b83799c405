// Tests of when two values of an attribute are the same for eNMS.

package kind_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/kindtest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

func TestAttribute_Same(t *testing.T) {
	t.Parallel()
	red := kind.CriteriaValue(map[string]*kind.Criterion{"color": {Value: "red"}})
	asMap := tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, map[string]tftypes.Value{"a": text("x")})
	for name, test := range map[string]struct {
		typ  kind.ValueType
		x, y tftypes.Value
		want bool
	}{
		"text":                {kind.Text, text("a\r\nb"), text("a\nb"), true},
		"another text":        {kind.Text, text("a"), text("b"), false},
		"relation":            {kind.One, text("a"), text("a"), true},
		"unknown":             {kind.Text, unknown, text(""), false},
		"unknown, too":        {kind.Text, text(""), unknown, false},
		"null":                {kind.Text, null, null, true},
		"null beside a text":  {kind.Text, null, text(""), false},
		"text beside null":    {kind.Text, text(""), null, false},
		"number":              {kind.Number, number(1), number(1), true},
		"another number":      {kind.Number, number(1), number(2), false},
		"relation to many":    {kind.Many, names("a", "b"), names("b", "a"), true},
		"another member":      {kind.Many, names("a", "b"), names("a", "c"), false},
		"object":              {kind.JSON, asMap, members(map[string]any{"a": "x"}), true},
		"another object":      {kind.JSON, asMap, members(map[string]any{"a": "x", "b": 1}), false},
		"criteria":            {kind.Criteria, red, red, true},
		"other criteria":      {kind.Criteria, red, kind.CriteriaValue(nil), false},
		"properties":          {kind.Properties, members(map[string]any{"a": 1}), members(map[string]any{"a": "1", "b": 2}), true},
		"a property is gone":  {kind.Properties, members(map[string]any{"a": 1, "b": 2}), members(map[string]any{"a": 1}), false},
		"a member was merged": {kind.Properties, members(map[string]any{"a": map[string]any{}}), members(map[string]any{"a": map[string]any{"b": 1}}), false},
	} {
		if got := (kind.Attribute{Type: test.typ}).Same(test.x, test.y); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestAttribute_Includes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		some tftypes.Value
		want bool
	}{
		"all": {names("a", "b"), true}, "some": {names("b"), true}, "none": {names(), true}, "another": {names("a", "c"), false},
		"null": {tftypes.NewValue(value.StringSet, nil), false}, "unknown": {tftypes.NewValue(value.StringSet, tftypes.UnknownValue), false},
	} {
		if got := (kind.Attribute{}).Includes(names("a", "b"), test.some); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// How a property is compared depends on its row, on its kind, and on whether the second value comes from eNMS.
func TestAttribute_Contains(t *testing.T) {
	t.Parallel()
	type object = map[string]any
	for name, test := range map[string]struct {
		k                   *kind.Kind
		field               string
		want, have          any
		configured, fromAPI bool // whether it is the same if both are configured, and if the second comes from eNMS
	}{
		"number for its text":        {crate, "label", "5", 5, true, true},
		"another text":               {crate, "label", "5", "6", false, false},
		"more members":               {crate, "house", object{"a": 1}, object{"a": 1, "b": 2}, false, true},
		"more members of a whole":    {crate, "note", object{"a": 1}, object{"a": 1, "b": 2}, false, false},
		"another order of a list":    {crate, "label", []any{"a", "b"}, []any{"b", "a"}, false, false},
		"another order of relations": {crate, "friends", []any{"a", "b"}, []any{"b", "a"}, true, true},
		"another order of anything":  {anyKind, "label", []any{"a", "b"}, []any{"b", "a"}, true, true},
		"JSON of an object":          {crate, "form", `{"a": 1}`, object{"a": 1}, true, true},
		"JSON that stays a text":     {crate, "form", `{"a": 1}`, `{"a": 1}`, true, true},
		"no JSON of an object":       {crate, "form", "x", object{"a": 1}, false, false},
		"object":                     {crate, "form", object{"a": 1}, object{"a": 1}, true, true},
		"JSON in another field":      {crate, "house", `{"a": 1}`, object{"a": 1}, false, false},
	} {
		a, want, have := test.k.Row(kind.RowProperties), object{test.field: kindtest.Decoded(test.want)}, object{test.field: kindtest.Decoded(test.have), "more": 1}
		fromAPI := func(string) bool { return true }
		if c, api := a.Contains(want, have, kind.NoneAnswered), a.Contains(want, have, fromAPI); c != test.configured || api != test.fromAPI {
			t.Errorf("%s: %v if configured, %v if answered", name, c, api)
		}
		if a.Contains(want, object{}, fromAPI) {
			t.Errorf("%s: nothing contains it", name)
		}
		if test.field != "form" && a.KeepsSent(test.field, want[test.field], have[test.field]) != test.fromAPI {
			t.Errorf("%s: what was sent is kept: %v", name, !test.fromAPI)
		}
	}
}

func TestAttribute_SameProperties(t *testing.T) {
	t.Parallel()
	type object = map[string]any
	mayAdd := func(name string) bool { return name == "imported" }
	for name, test := range map[string]struct {
		x, y tftypes.Value
		want bool
	}{
		"same":                {members(object{"a": 1}), members(object{"a": "1"}), true},
		"other":               {members(object{"a": 1}), members(object{"a": 2}), false},
		"one that may be new": {members(object{"a": 1}), members(object{"a": 1, "imported": 1}), true},
		"one more":            {members(object{"a": 1}), members(object{"a": 1, "b": 1}), false},
		"one less":            {members(object{"a": 1, "b": 1}), members(object{"a": 1}), false},
		"unknown":             {halfKnown, members(object{"a": "x"}), false},
		"unknown before":      {members(object{"a": "x"}), halfKnown, false},
	} {
		if got := crate.Row(kind.RowProperties).SameProperties(test.x, test.y, mayAdd, kind.NoneAnswered); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestAttribute_WithMembers(t *testing.T) {
	t.Parallel()
	a := crate.Row(kind.RowProperties)
	configured := tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, map[string]tftypes.Value{"a": text("1"), "secret": text("s")})
	for name, test := range map[string]struct {
		properties tftypes.Value
		answer     map[string]any
		want       tftypes.Value
	}{
		"in eNMS's notation": {configured, map[string]any{"a": 1, "b": 2}, configured},
		"changed":            {configured, map[string]any{"a": 2, "b": 2}, members(map[string]any{"a": 2, "secret": "s"})},
		"unknown":            {halfKnown, map[string]any{"a": 2}, halfKnown},
	} {
		if got := a.WithMembers(test.properties, kindtest.Answer(test.answer)); !got.Equal(test.want) {
			t.Errorf("%s: %s", name, got)
		}
	}
	changed := a.ChangedProperties(members(map[string]any{"a": 1, "b": 2, "c": 3}), members(map[string]any{"a": "1", "b": 3, "d": 4}))
	same(t, "changed", changed, fmt.Sprint(map[string]any{"b": 2, "c": 3}))
}
