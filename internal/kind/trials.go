// This file tells which criteria are to be tried before they are written.

package kind

import (
	"maps"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Trial is a criterion to be written that some databases cannot evaluate.
type Trial struct {
	Attribute, Property string
	Criterion           Criterion
	Type                string       // the type whose instances it chooses
	Search              value.Object // the criterion as searches have it (enms-rest.md 5.2)
}

// Trials returns the criteria of a plan that are neither in the state nor known to work on
// every database. prior is nil for a creation.
func (k *Kind) Trials(planned, prior Values) (trials []Trial) {
	for _, a := range k.rows().criteria {
		want, have := knownCriteria(planned[a.Name]), map[string]Criterion{}
		if prior != nil {
			have = knownCriteria(prior[a.Name])
		}
		for _, property := range slices.Sorted(maps.Keys(want)) {
			c := want[property]
			if held, has := have[property]; has && held == c || !c.condition() || a.Portable(property, c) {
				continue
			}
			trials = append(trials, Trial{Attribute: a.Name, Property: property, Criterion: c, Type: a.Compares,
				Search: value.Object{property: c.Value, property + FilterSuffix: c.Match}})
		}
	}
	return trials
}
