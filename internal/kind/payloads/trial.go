// This file makes the searches that try criteria before a write.

package payloads

import (
	"maps"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Trial is a planned criterion that some databases cannot evaluate.
type Trial struct {
	Attribute, Property string
	Criterion           kind.Criterion
	Type                string       // the type of the instances to search
	Search              value.Object // the criterion as a search expects it (enms-rest.md 5.2)
}

// Trials returns the criteria of a plan that are neither in the state nor known to work on
// every database. prior is nil for a creation.
func Trials(k *kind.Kind, planned, prior kind.Values) (trials []Trial) {
	for _, a := range k.Table().Criteria {
		want, have := kind.KnownCriteria(planned[a.Name]), kind.KnownCriteria(prior[a.Name])
		for _, property := range slices.Sorted(maps.Keys(want)) {
			c := want[property]
			if have[property] == c || !c.HasEffect() || a.Portable(property, c) {
				continue
			}
			trials = append(trials, Trial{Attribute: a.Name, Property: property, Criterion: c, Type: a.Compares,
				Search: value.Object{property: c.Value, property + kind.FilterSuffix: c.Match}})
		}
	}
	return trials
}

// UnknownCriterion is a planned criterion on a property that neither the table nor the state has.
type UnknownCriterion struct {
	Attribute, Property string
	Nearest             string       // the most similar property of the table, or ""
	Search              value.Object // a search that finds nothing, unless eNMS does not know the criterion and ignores it
}

// UnknownCriteria returns the criteria of a plan that eNMS might not have. prior is nil for a creation.
func UnknownCriteria(k *kind.Kind, planned, prior kind.Values) (unknown []UnknownCriterion) {
	for _, a := range k.Table().Criteria {
		held := kind.CriteriaIn(prior[a.Name])
		for _, property := range slices.Sorted(maps.Keys(kind.CriteriaIn(planned[a.Name]))) {
			if _, has := held[property]; has || slices.Contains(a.Properties, property) {
				continue
			}
			field := a.Prefix + property + kind.MatchSuffix
			unknown = append(unknown, UnknownCriterion{Attribute: a.Name, Property: property, Nearest: checks.Nearest(property, a.Properties),
				Search: value.Object{field: noMatch, field + kind.FilterSuffix: kind.MatchEquality}})
		}
	}
	return unknown
}

// noMatch is a match that no criterion has.
const noMatch = "no such match"
