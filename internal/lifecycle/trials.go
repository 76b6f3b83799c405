// This file tries criteria before they are written. One by which the database of eNMS
// cannot search breaks every pool on the server as soon as it is there, and for everybody
// (enms-rest.md 2.4).

package lifecycle

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// tryCriteria searches by each criterion that is to be written and that not every
// database can search by. prior is nil for a creation. After an error nothing may be
// written.
func (r *Instances) tryCriteria(ctx context.Context, verb string, planned, prior kind.Values) (diags diag.Diagnostics) {
	name := value.Text(planned[kind.RowName])
	for _, trial := range r.kind.Trials(planned, prior) {
		works, err := r.provider.Client.Searchable(ctx, trial.Type, trial.Search)
		switch {
		case err != nil:
			return append(diags, r.errorDiagnostic(verb, name, planned, err)...)
		case !works:
			diags.AddAttributeError(path.Root(trial.Attribute).AtMapKey(trial.Property), fmt.Sprintf("Cannot %s %s %q", verb, r.kind.Name, name),
				fmt.Sprintf("eNMS's database cannot search %ss by %s with match = %q and value = %q. With this criterion, eNMS could not compute the members of any %s on the server, so nothing was written. %s",
					trial.Type, trial.Property, trial.Criterion.Match, trial.Criterion.Value, r.kind.Name, trialHint(trial.Criterion)))
		}
	}
	return diags
}

// trialHint returns what to write in place of a criterion by which eNMS cannot search.
func trialHint(c kind.Criterion) string {
	if c.Match == kind.MatchRegex {
		return "Use a regular expression that the database of this eNMS supports."
	}
	return `If the property is a number, use match = "equality" with a whole number; if it is a Boolean, value = "bool-true" or "bool-false"; otherwise match = "regex".`
}
