// This file reads and writes the values of Criteria: conditions on the properties of other
// instances. eNMS stores each condition as three fields (enms-rest.md 1.7).

package kind

import (
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// The ways in which a criterion compares (enms-rest.md 1.7).
const (
	MatchInclusion = "inclusion"
	MatchEquality  = "equality"
	MatchRegex     = "regex"
	MatchEmpty     = "empty"
)

// Matches are the ways in which a criterion compares, eNMS's default first.
var Matches = []string{MatchInclusion, MatchEquality, MatchRegex, MatchEmpty}

// The suffixes of the fields of a criterion in eNMS: the field with the value has none.
const (
	MatchSuffix  = "_match"
	InvertSuffix = "_invert"
)

// HasEffect reports whether the criterion has an effect: eNMS ignores an empty value, except for MatchEmpty.
func (c Criterion) HasEffect() bool { return c.Value != "" || c.Match == MatchEmpty }

// Fields returns the criterion as the fields of a payload. name is the name of the property with the
// prefix of the criteria.
func (c Criterion) Fields(name string) value.Object {
	return value.Object{name: c.Value, name + MatchSuffix: c.Match, name + InvertSuffix: c.Invert}
}

// same reports whether two criteria are known and mean the same.
func (c *Criterion) same(other *Criterion) bool {
	return c != nil && other != nil && value.SameText(c.Value, other.Value) && c.Match == other.Match && c.Invert == other.Invert
}

// CriteriaIn returns the criteria of a value with defaults (Filled), by property; an unknown criterion is nil.
func CriteriaIn(v tftypes.Value) map[string]*Criterion {
	all := map[string]*Criterion{}
	for property, member := range ValuesOf(v) {
		all[property] = nil
		if fields := ValuesOf(member); fields != nil && member.IsFullyKnown() {
			all[property] = &Criterion{Value: value.Text(fields[CriterionValue]), Match: value.Text(fields[CriterionMatch]), Invert: IsTrue(fields[CriterionInvert])}
		}
	}
	return all
}

// SameCriteria reports whether two values of an attribute are known and contain the same criteria.
func SameCriteria(x, y tftypes.Value) bool {
	return x.IsFullyKnown() && y.IsFullyKnown() && x.IsNull() == y.IsNull() &&
		maps.EqualFunc(CriteriaIn(x), CriteriaIn(y), (*Criterion).same)
}

// KnownCriteria returns the criteria of a value that are known.
func KnownCriteria(v tftypes.Value) map[string]Criterion {
	known := map[string]Criterion{}
	for property, c := range CriteriaIn(v) {
		if c != nil {
			known[property] = *c
		}
	}
	return known
}

// CriteriaValue returns the criteria as a value; it is the inverse of CriteriaIn.
func CriteriaValue(all map[string]*Criterion) tftypes.Value {
	members := map[string]tftypes.Value{}
	for property, c := range all {
		if c == nil {
			members[property] = tftypes.NewValue(CriterionType, tftypes.UnknownValue)
			continue
		}
		members[property] = tftypes.NewValue(CriterionType, map[string]tftypes.Value{
			CriterionValue:  tftypes.NewValue(tftypes.String, c.Value),
			CriterionMatch:  tftypes.NewValue(tftypes.String, c.Match),
			CriterionInvert: tftypes.NewValue(tftypes.Bool, c.Invert),
		})
	}
	return tftypes.NewValue(CriteriaType, members)
}

// Filled adds eNMS's defaults to configured criteria, for the members that they leave out. Values of other types are
// returned unchanged. It makes new maps: those of ValuesOf belong to the value, which other goroutines may be reading.
func (a Attribute) Filled(config tftypes.Value) tftypes.Value {
	if a.Type != Criteria || config.IsNull() || !config.IsKnown() {
		return config
	}
	full := map[string]tftypes.Value{}
	for property, member := range ValuesOf(config) {
		full[property] = filledCriterion(member)
	}
	return tftypes.NewValue(CriteriaType, full)
}

// filledCriterion is Filled for one criterion.
func filledCriterion(member tftypes.Value) tftypes.Value {
	if !member.IsKnown() || member.IsNull() {
		return member
	}
	full := maps.Clone(CriterionDefaults)
	for name, field := range ValuesOf(member) {
		if !field.IsNull() {
			full[name] = field
		}
	}
	return tftypes.NewValue(CriterionType, full)
}

// CriterionDefaults are eNMS's defaults for the members of a criterion.
var CriterionDefaults = map[string]tftypes.Value{
	CriterionValue:  tftypes.NewValue(tftypes.String, ""),
	CriterionMatch:  tftypes.NewValue(tftypes.String, MatchInclusion),
	CriterionInvert: tftypes.NewValue(tftypes.Bool, false),
}

// CriterionField returns the property and the match of a criterion, if a field of an answer is the match
// of one, and the answer has its value, too.
func (a Attribute) CriterionField(answer value.Object, field string) (property, match string, is bool) {
	property = strings.TrimSuffix(strings.TrimPrefix(field, a.Prefix), MatchSuffix)
	if field != a.Prefix+property+MatchSuffix {
		return "", "", false
	}
	match, is = answer[field].(string)
	_, hasValue := answer[a.Prefix+property]
	return property, match, is && hasValue
}

// OwnsCriterion reports whether a field belongs to a criterion: its property is one that every eNMS has (Properties),
// or the answer has the value and the match of a criterion with the property, which a site may have added.
func (a Attribute) OwnsCriterion(answer value.Object, field string) bool {
	property, hasPrefix := strings.CutPrefix(field, a.Prefix)
	if a.Type != Criteria || !hasPrefix {
		return false
	}
	property = strings.TrimSuffix(strings.TrimSuffix(property, MatchSuffix), InvertSuffix)
	_, _, answered := a.CriterionField(answer, a.Prefix+property+MatchSuffix)
	return answered || slices.Contains(a.Properties, property)
}

// FilterSuffix is the suffix of the key that says how a criterion of a search compares.
const FilterSuffix = "_filter"
