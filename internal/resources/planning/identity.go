// This file refuses to plan a change of an instance if the read of this run does not know which instance it is, or has
// found that others renamed it.

package planning

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// CheckIdentityToDelete refuses to delete the instance of a state if the read of this run does not know which it is, or
// has found that others renamed it.
func (r *Checker) CheckIdentityToDelete(prior kind.Values, rec record.Record) diag.Diagnostics {
	found := r.Found(prior, rec)
	switch {
	case r.Provider.Policy(prior) == kind.PolicyAbandon:
		return nil
	case found.Untold != "":
		return r.Failed(failures.Delete, value.Text(prior[kind.RowName]), prior, &failures.Untold{Why: found.Untold})
	case found.Renamed != nil:
		return r.Failed(failures.Delete, found.Renamed.From, prior, found.Renamed)
	}
	return nil
}

// CheckIdentityToUpdate refuses to change an instance if the read of this run does not know which it is, or if it is to
// get the name back from which others renamed it, and another instance has that name by now.
func (r *Checker) CheckIdentityToUpdate(ctx context.Context, planned, prior kind.Values, rec record.Record) (diags diag.Diagnostics) {
	found := r.Found(prior, rec)
	if found.Untold != "" {
		return r.Failed(failures.Update, value.Text(prior[kind.RowName]), prior, &failures.Untold{Why: found.Untold})
	}
	renamed := found.Renamed
	if renamed == nil || value.Text(planned[kind.RowName]) != renamed.From || !r.LooksUp() {
		return nil
	}
	from := renamed.From
	taken, err := r.Provider.Client.Taken(ctx, r.searchedType(), from)
	if err != nil {
		return r.Failed(failures.Plan, from, prior, err)
	}
	if taken == nil || taken.ID == value.Text(prior[kind.RowID]) { // it has the name again, such as with its workflow
		return nil
	}
	write := fmt.Sprintf("write its new name in the configuration: %q", renamed.To)
	if r.InMany {
		write = fmt.Sprintf("use the key %q for it, or, if that is the key of another instance, exchange the keys with renames = { %q = %q, %q = %q }", renamed.To, from, renamed.To, renamed.To, from)
	}
	made := ""
	if rec.Origin != nil && rec.Origin.Mark != nil {
		fate, err := r.Provider.Client.Fate(ctx, enms.Subject{Type: taken.FoundType, Name: rec.Origin.Name, Wanted: from, Since: *rec.Origin.Mark, After: rec.Origin.After})
		if err == nil {
			made = madeBy(fate.Made)
		}
	}
	diags.AddAttributeError(path.Root(kind.RowName), fmt.Sprintf("The name %q belongs to another %s", from, r.Kind.Name),
		fmt.Sprintf("The %s in the state has another name: %s. The name %q now belongs to another one (id %s%s).\nTo keep the %s in the state, %s.\nTo manage the one with the name %q instead, and leave the other alone, set identify_by = \"name\" in the provider block, or ENMS_IDENTIFY_BY=name.",
			r.Kind.Name, renamed.Error(), from, taken.ID, made, r.Kind.Name, write, from))
	return diags
}
