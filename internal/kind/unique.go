// This file tells of what eNMS computes only on demand, and of which attributes it
// has no two instances with the same values.

package kind

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// NeedsRecompute reports whether eNMS is to compute what depends on attributes that a write
// has changed. prior is nil for a creation.
func (k *Kind) NeedsRecompute(planned, prior Values) bool {
	return k.Recomputes(planned) && slices.ContainsFunc(k.Recompute.Attributes, func(name string) bool {
		if prior == nil {
			return planned[name].IsKnown() && !planned[name].IsNull()
		}
		return !planned[name].Equal(prior[name])
	})
}

// Recomputes reports whether what depends on the attributes may be computed.
func (k *Kind) Recomputes(planned Values) bool {
	return k.Recompute != nil && !planned[k.Recompute.Setting].Equal(tftypes.NewValue(tftypes.Bool, false))
}

// Selects reports whether criteria of the kind are about instances of another one.
func (k *Kind) Selects(other *Kind) bool {
	return slices.ContainsFunc(k.rows().criteria, func(a Attribute) bool { return a.Compares == other.Name })
}

// UniqueCriteria searches for the instance that has the planned values of the
// attributes which no two instances share; nil when the kind has no such.
func (k *Kind) UniqueCriteria(planned Values) map[string]any {
	if len(k.Unique) == 0 {
		return nil
	}
	criteria := map[string]any{}
	for _, name := range k.Unique {
		text := value.Text(planned[name])
		if k.row(name).isRelation() {
			criteria[name] = []string{text}
			continue
		}
		criteria[name], criteria[name+FilterSuffix] = text, MatchEquality
	}
	return criteria
}
