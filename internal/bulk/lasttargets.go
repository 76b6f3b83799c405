// This file has the plan warn of tasks and services that lose their last target with an
// entry.

package bulk

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/lifecycle"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// warnOfLastTargets warns of what runs on nothing but entries that are removed. The warnings
// stand on no attribute, because the configuration has no such entries.
func (c *collection) warnOfLastTargets(ctx context.Context, items []*item) (diags diag.Diagnostics) {
	var deletions []lifecycle.Deletion
	for _, i := range items {
		if gone := c.fillRemoved(i); gone != nil {
			deletions = append(deletions, lifecycle.Deletion{State: gone})
		}
	}
	return inOrder(c.instances.LastTargets(ctx, deletions))
}

// warnOfReplacedTargets is warnOfLastTargets for a resource of which all entries are
// replaced by those of another collection.
func (c *collection) warnOfReplacedTargets(ctx context.Context, held map[string]entry, kept private, by *collection, configured map[string]entry) diag.Diagnostics {
	var deletions []lifecycle.Deletion
	for name, e := range held {
		d := lifecycle.Deletion{State: c.leaving(&prior{name: name, entry: e, record: kept.Records[name]})}
		_, stays := configured[value.Text(d.State[kind.RowName])]
		d.Again = stays && by.kind.Name == c.kind.Name
		deletions = append(deletions, d)
	}
	return inOrder(c.instances.LastTargets(ctx, deletions))
}

// inOrder returns the diagnostics of entries in the order of their names.
func inOrder(of map[string]diag.Diagnostics) (diags diag.Diagnostics) {
	for _, name := range sorted(of) {
		diags.Append(of[name]...)
	}
	return diags
}
