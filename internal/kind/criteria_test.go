// Tests of the values of Criteria.

package kind_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// criterion returns a criterion with a match, which may be null or unknown.
func criterion(match tftypes.Value) tftypes.Value {
	return tftypes.NewValue(kind.CriterionType, map[string]tftypes.Value{
		kind.CriterionValue: text("red"), kind.CriterionMatch: match, kind.CriterionInvert: tftypes.NewValue(tftypes.Bool, nil)})
}

// criteria returns the criteria that are given by property, which may be null or unknown.
func criteria(all map[string]tftypes.Value) tftypes.Value {
	return tftypes.NewValue(kind.CriteriaType, all)
}

var (
	nullCriterion    = tftypes.NewValue(kind.CriterionType, nil)
	unknownCriterion = tftypes.NewValue(kind.CriterionType, tftypes.UnknownValue)
)

func TestCriteria(t *testing.T) {
	t.Parallel()
	all := criteria(map[string]tftypes.Value{
		"known": criterion(text(kind.MatchRegex)), "half": criterion(unknown), "null": nullCriterion, "unknown": unknownCriterion})
	same(t, "properties", slices.Sorted(maps.Keys(kind.CriteriaIn(all))), "[half known null unknown]")
	same(t, "known criteria", fmt.Sprintf("%+v", kind.KnownCriteria(all)), "map[known:{Value:red Match:regex Invert:false}]")
	back := map[string]*kind.Criterion{"a": {Value: "x", Match: kind.MatchEquality, Invert: true}, "b": nil}
	if v := kind.CriteriaValue(back); !reflect.DeepEqual(kind.CriteriaIn(v), back) || !kind.ValuesOf(v)["b"].Equal(unknownCriterion) {
		t.Errorf("the value is %s", v)
	}
	same(t, "fields", kind.Criterion{Value: "x", Match: kind.MatchEquality, Invert: true}.Fields("part_a"), value.Object{"part_a": "x", "part_a_match": "equality", "part_a_invert": true})
	for c, want := range map[kind.Criterion]bool{{}: false, {Value: "x"}: true, {Match: kind.MatchEmpty}: true, {Match: kind.MatchRegex}: false} {
		if c.HasEffect() != want {
			t.Errorf("%+v has an effect: %v", c, !want)
		}
	}
}

func TestSameCriteria(t *testing.T) {
	t.Parallel()
	with := func(c kind.Criterion) tftypes.Value { return kind.CriteriaValue(map[string]*kind.Criterion{"a": &c}) }
	base := kind.Criterion{Value: "a\nb", Match: kind.MatchEquality}
	none, noValue := criteria(map[string]tftypes.Value{}), tftypes.NewValue(kind.CriteriaType, nil)
	ofNull := criteria(map[string]tftypes.Value{"a": nullCriterion})
	for name, test := range map[string]struct {
		x, y tftypes.Value
		want bool
	}{
		"same":                   {with(base), with(kind.Criterion{Value: "a\r\nb", Match: kind.MatchEquality}), true},
		"another value":          {with(base), with(kind.Criterion{Value: "c", Match: kind.MatchEquality}), false},
		"another match":          {with(base), with(kind.Criterion{Value: "a\nb", Match: kind.MatchRegex}), false},
		"inverted":               {with(base), with(kind.Criterion{Value: "a\nb", Match: kind.MatchEquality, Invert: true}), false},
		"one less":               {with(base), none, false},
		"none":                   {none, none, true},
		"null":                   {noValue, noValue, true},
		"null and none":          {noValue, none, false},
		"unknown":                {tftypes.NewValue(kind.CriteriaType, tftypes.UnknownValue), none, false},
		"unknown second":         {none, tftypes.NewValue(kind.CriteriaType, tftypes.UnknownValue), false},
		"null criterion":         {ofNull, with(base), false},
		"null criterion, second": {with(base), ofNull, false},
	} {
		if got := kind.SameCriteria(test.x, test.y); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestAttribute_Filled(t *testing.T) {
	t.Parallel()
	filter := crate.Row("filter")
	config := criteria(map[string]tftypes.Value{"a": criterion(null), "b": criterion(unknown), "null": nullCriterion, "unknown": unknownCriterion})
	filled := func(match tftypes.Value) tftypes.Value {
		return tftypes.NewValue(kind.CriterionType, map[string]tftypes.Value{kind.CriterionValue: text("red"), kind.CriterionMatch: match, kind.CriterionInvert: flag(false)})
	}
	want := criteria(map[string]tftypes.Value{"a": filled(text(kind.MatchInclusion)), "b": filled(unknown), "null": nullCriterion, "unknown": unknownCriterion})
	if got := filter.Filled(config); !got.Equal(want) {
		t.Errorf("got %s", got)
	}
	for name, test := range map[string]struct {
		a kind.Attribute
		v tftypes.Value
	}{
		"null": {filter, filter.Null()}, "unknown": {filter, filter.Unknown()}, "another type": {crate.Row("extra"), members(map[string]any{"a": map[string]any{}})},
	} {
		if got := test.a.Filled(test.v); !got.Equal(test.v) {
			t.Errorf("%s becomes %s", name, got)
		}
	}
}

func TestAttribute_CriterionField(t *testing.T) {
	t.Parallel()
	filter := crate.Row("filter")
	answer := value.Object{"part_shape": "round", "part_shape_match": "regex", "part_size": "9", "part_size_match": 5, "part_lost_match": "regex"}
	for field, want := range map[string]struct {
		criterion string
		owned     bool
	}{
		"part_shape_match":  {"shape regex true", true},
		"part_shape":        {"  false", true},
		"part_shape_invert": {"  false", true},
		"part_size_match":   {"size  false", false},
		"part_lost_match":   {"lost regex false", false},
		"shape_match":       {"  false", false},
		"part_color":        {"  false", true},
		"part_color_match":  {"color  false", true},
		"part_color_invert": {"  false", true},
		"color":             {"  false", false},
	} {
		property, match, is := filter.CriterionField(answer, field)
		same(t, field, property+" "+match+" "+fmt.Sprint(is), want.criterion)
		if got := filter.OwnsCriterion(answer, field); got != want.owned {
			t.Errorf("%s belongs to a criterion: %v", field, got)
		}
	}
	if other := (kind.Attribute{Conditions: filter.Conditions}); other.OwnsCriterion(answer, "part_color") {
		t.Error("a text has criteria")
	}
}
