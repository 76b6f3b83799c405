// This file decides which instances a query offers.

package lists

import (
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Offers reports whether a query lists the row of a search: the row meets the conditions, a plan would accept the
// instance as it is, and the instance is not built in, unless the query includes built-in ones.
func (l *Listing) Offers(row value.Object) bool {
	name, _ := row[kind.RowName].(string)
	return l.Matches(row) && (l.builtIn || !l.kind.IsBuiltIn(name, kind.LineOf(row))) && manageable(l.kind, Listed(l.kind, row))
}

// Matches reports whether a row of eNMS's answer meets the conditions. Conditions that only the
// database can evaluate count as met.
func (l *Listing) Matches(row value.Object) bool {
	if l.only != "" && row["type"] != l.only {
		return false
	}
	return !slices.ContainsFunc(l.conditions, func(c condition) bool { return !c.holds(row, l.match) })
}

// Listed returns the state of an instance of which only a row of a search is known: its name and its type.
func Listed(k *kind.Kind, row value.Object) kind.Values {
	values := kind.Values{}
	for _, a := range k.IdentityRows() {
		text, _ := row[a.AnswerField()].(string)
		values[a.Name] = tftypes.NewValue(tftypes.String, text)
	}
	return states.Minimal(k, values)
}

// manageable reports whether a plan would accept the instance as it is.
func manageable(k *kind.Kind, known kind.Values) bool {
	return len(plans.New(k, known, known, nil, time.Time{}).Refused) == 0 // these errors do not depend on the time
}
