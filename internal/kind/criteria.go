// This file reads and writes Criteria: conditions on the properties of other instances. eNMS
// stores each condition as three fields (enms-rest.md 1.7).

package kind

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	datasource "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	resource "github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// The members of a criterion, and eNMS's defaults for them.
const (
	criterionValue  = "value"
	criterionMatch  = "match"
	criterionInvert = "invert"

	matchSuffix  = "_match"
	invertSuffix = "_invert"
)

// The ways in which a criterion compares (enms-rest.md 1.7).
const (
	MatchInclusion = "inclusion"
	MatchEquality  = "equality"
	MatchRegex     = "regex"
	MatchEmpty     = "empty"
)

// noMatch is the match of no criterion.
const noMatch = "no such match"

// Matches are the ways in which a criterion compares, eNMS's default first.
var Matches = []string{MatchInclusion, MatchEquality, MatchRegex, MatchEmpty}

var (
	criterionType = tftypes.Object{AttributeTypes: map[string]tftypes.Type{
		criterionValue: tftypes.String, criterionMatch: tftypes.String, criterionInvert: tftypes.Bool}}
	criteriaType = tftypes.Map{ElementType: criterionType}
)

// condition reports whether the criterion has an effect: eNMS ignores an empty value, except for
// MatchEmpty.
func (c Criterion) condition() bool { return c.Value != "" || c.Match == MatchEmpty }

// toTerraform returns the criterion as a Terraform value.
func (c Criterion) toTerraform() tftypes.Value {
	return tftypes.NewValue(criterionType, map[string]tftypes.Value{
		criterionValue:  tftypes.NewValue(tftypes.String, c.Value),
		criterionMatch:  tftypes.NewValue(tftypes.String, c.Match),
		criterionInvert: tftypes.NewValue(tftypes.Bool, c.Invert),
	})
}

// fields returns the criterion as the fields of a payload; name is the property's with the
// prefix.
func (c Criterion) fields(name string) value.Object {
	return value.Object{name: c.Value, name + matchSuffix: c.Match, name + invertSuffix: c.Invert}
}

// criteria returns the criteria of a value with defaults (filled), by property; an unknown
// criterion is nil.
func criteria(v tftypes.Value) map[string]*Criterion {
	members := map[string]tftypes.Value{}
	if !v.IsKnown() || v.IsNull() || v.As(&members) != nil {
		return nil
	}
	all := map[string]*Criterion{}
	for property, member := range members {
		all[property] = nil
		fields := map[string]tftypes.Value{}
		if !member.IsFullyKnown() || member.IsNull() || member.As(&fields) != nil {
			continue
		}
		c := &Criterion{Value: value.Text(fields[criterionValue]), Match: value.Text(fields[criterionMatch])}
		_ = fields[criterionInvert].As(&c.Invert)
		all[property] = c
	}
	return all
}

// sameCriteria reports whether two values of an attribute are known and hold the same criteria.
func sameCriteria(x, y tftypes.Value) bool {
	return x.IsFullyKnown() && y.IsFullyKnown() && x.IsNull() == y.IsNull() &&
		maps.EqualFunc(criteria(x), criteria(y), (*Criterion).same)
}

// same reports whether two criteria are known and mean the same.
func (c *Criterion) same(other *Criterion) bool {
	return c != nil && other != nil && value.SameText(c.Value, other.Value) && c.Match == other.Match && c.Invert == other.Invert
}

// knownCriteria returns the criteria of a value that are known.
func knownCriteria(v tftypes.Value) map[string]Criterion {
	known := map[string]Criterion{}
	for property, c := range criteria(v) {
		if c != nil {
			known[property] = *c
		}
	}
	return known
}

// criteriaValue returns the criteria as a value; it is the inverse of criteria.
func criteriaValue(all map[string]*Criterion) tftypes.Value {
	members := map[string]tftypes.Value{}
	for property, c := range all {
		if c == nil {
			members[property] = tftypes.NewValue(criterionType, tftypes.UnknownValue)
			continue
		}
		members[property] = c.toTerraform()
	}
	return tftypes.NewValue(criteriaType, members)
}

// filled sets eNMS's defaults in criteria that the configuration leaves out; other values are
// returned unchanged. It makes new maps, because As returns those of the value itself, which
// other goroutines may be reading.
func (a Attribute) filled(config tftypes.Value) tftypes.Value {
	members := map[string]tftypes.Value{}
	if a.Type != Criteria || config.IsNull() || !config.IsKnown() || config.As(&members) != nil {
		return config
	}
	full := map[string]tftypes.Value{}
	for property, member := range members {
		full[property] = filledCriterion(member)
	}
	return tftypes.NewValue(criteriaType, full)
}

func filledCriterion(member tftypes.Value) tftypes.Value {
	fields := map[string]tftypes.Value{}
	if !member.IsKnown() || member.IsNull() || member.As(&fields) != nil {
		return member
	}
	full := maps.Clone(criterionDefaults)
	for name, field := range fields {
		if !field.IsNull() {
			full[name] = field
		}
	}
	return tftypes.NewValue(criterionType, full)
}

var criterionDefaults = map[string]tftypes.Value{
	criterionValue:  tftypes.NewValue(tftypes.String, ""),
	criterionMatch:  tftypes.NewValue(tftypes.String, MatchInclusion),
	criterionInvert: tftypes.NewValue(tftypes.Bool, false),
}

// criteriaPayload returns the fields of the planned criteria that differ from the prior ones, and
// fields that clear the criteria that are no longer planned.
func (a Attribute) criteriaPayload(planned, prior tftypes.Value) value.Object {
	payload, want, have := value.Object{}, criteria(planned), criteria(prior)
	for property, c := range want {
		if c != nil && (have[property] == nil || *have[property] != *c) {
			maps.Copy(payload, c.fields(a.Prefix+property))
		}
	}
	for property := range have {
		if _, wanted := want[property]; !wanted {
			maps.Copy(payload, Criterion{Match: MatchInclusion}.fields(a.Prefix+property))
		}
	}
	return payload
}

// criteriaOf returns the criteria in an answer. Criteria without an effect are kept only if they
// were there before, because a configuration may contain them. field is the field that an error
// is about.
func (a Attribute) criteriaOf(answer value.Object, before tftypes.Value) (v tftypes.Value, field string, err error) {
	was, all := criteria(before), map[string]*Criterion{}
	for field := range answer {
		property, match, is := a.criterionField(answer, field)
		if !is {
			continue
		}
		text, isText := answer[a.Prefix+property].(string)
		if x := answer[a.Prefix+property]; !isText && x != nil {
			return before, a.Prefix + property, fmt.Errorf("is %s where %s belongs", value.Describe(x), value.Describe(""))
		}
		c := &Criterion{Value: text, Match: match}
		c.Invert, _ = answer[a.Prefix+property+invertSuffix].(bool)
		if _, had := was[property]; had || c.condition() {
			all[property] = c
		}
	}
	if len(all) == 0 && (before.IsNull() || !before.IsKnown()) {
		return tftypes.NewValue(criteriaType, nil), "", nil
	}
	if v = criteriaValue(all); sameCriteria(v, before) {
		return before, "", nil
	}
	return v, "", nil
}

// criterionField reports whether a field of an answer is the match of a criterion.
func (a Attribute) criterionField(answer value.Object, field string) (property, match string, is bool) {
	property = strings.TrimSuffix(strings.TrimPrefix(field, a.Prefix), matchSuffix)
	if a.Prefix+property+matchSuffix != field {
		return "", "", false
	}
	match, is = answer[field].(string)
	_, hasValue := answer[a.Prefix+property]
	return property, match, is && hasValue
}

// ownsCriterion reports whether a field belongs to a criterion: in an answer, because all three
// fields are there; in a configuration, because its property is known.
func (a Attribute) ownsCriterion(answer value.Object, field string) bool {
	property := strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(field, a.Prefix), matchSuffix), invertSuffix)
	if a.Type != Criteria || !strings.HasPrefix(field, a.Prefix) {
		return false
	}
	_, _, answered := a.criterionField(answer, a.Prefix+property+matchSuffix)
	return answered || slices.Contains(a.Properties, property)
}

// columns returns the fields that a search must return for the attribute. state is its value in
// the state.
func (a Attribute) columns(state tftypes.Value) []string {
	if a.Type == Criteria {
		return a.criteriaColumns(state)
	}
	return []string{a.column()}
}

// criteriaColumns returns the fields that a search must return for the criteria: those of eNMS's
// own properties, and those of properties in the state, because sites may declare others.
func (a Attribute) criteriaColumns(state tftypes.Value) []string {
	var columns []string
	properties := slices.Clone(a.Properties)
	for property := range criteria(state) {
		if !slices.Contains(properties, property) {
			properties = append(properties, property)
		}
	}
	for _, property := range properties {
		columns = append(columns, a.Prefix+property, a.Prefix+property+matchSuffix, a.Prefix+property+invertSuffix)
	}
	return columns
}

// absentCriteria returns the planned properties for which an answer has no criterion.
func (a Attribute) absentCriteria(answer value.Object, planned tftypes.Value) []string {
	var absent []string
	if a.Type != Criteria {
		return nil
	}
	for property := range criteria(planned) {
		if _, held := answer[a.Prefix+property+matchSuffix]; !held {
			absent = append(absent, property)
		}
	}
	slices.Sort(absent)
	return absent
}

// criterionSchema and criterionData are a criterion in the schemas of the resource and
// of the data source.
var (
	criterionSchema = resource.NestedAttributeObject{Attributes: map[string]resource.Attribute{
		criterionValue: resource.StringAttribute{Optional: true, Computed: true,
			MarkdownDescription: "The value to compare the property with, as a string, even for numbers. If it is omitted, the condition is ignored, unless `match` is `empty`."},
		criterionMatch: resource.StringAttribute{Optional: true, Computed: true, Validators: []validator.String{stringvalidator.OneOf(Matches...)},
			MarkdownDescription: "How to compare: `inclusion` (the property contains the value), `equality`, `regex` (the property contains a match of the regular expression, in the syntax of eNMS's database), or `empty`. Default: `inclusion`."},
		criterionInvert: resource.BoolAttribute{Optional: true, Computed: true,
			MarkdownDescription: "Whether to negate the condition. Default: `false`."},
	}}
	criterionData = datasource.NestedAttributeObject{Attributes: map[string]datasource.Attribute{
		criterionValue:  datasource.StringAttribute{Computed: true, MarkdownDescription: "The value to compare the property with."},
		criterionMatch:  datasource.StringAttribute{Computed: true, MarkdownDescription: "How to compare: `inclusion`, `equality`, `regex` or `empty`."},
		criterionInvert: datasource.BoolAttribute{Computed: true, MarkdownDescription: "Whether the condition is negated."},
	}}
)

// FilterSuffix is the suffix of the key that says how a criterion of a search compares.
const FilterSuffix = "_filter"
