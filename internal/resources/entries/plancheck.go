// This file checks a plan against eNMS. It refuses entries that refer to a removed entry, if eNMS would delete
// them with it. It looks up whether the names of new entries are free, and warns about tasks and services that lose
// their last target.

package entries

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/payloads"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/planning"
)

// checkIdentities refuses to change or delete instances that the read could not identify, or that others have renamed.
func (c *collection) checkIdentities(ctx context.Context, items []*item) (diags diag.Diagnostics) {
	for _, i := range items {
		switch {
		case i.removed:
			gone := c.stateToDelete(i.prior) // before i.prior.instance is read: it derives the record
			diags.Append(ofEntry(i.prior.name, c.instances.Checker.CheckIdentityToDelete(gone, i.prior.instance))...)
		case i.planned != nil && i.prior != nil && payloads.Update(c.kind, i.config, i.planned, i.prior.state) != nil:
			diags.Append(ofEntry(i.name, c.instances.Checker.CheckIdentityToUpdate(ctx, i.planned, i.prior.state, i.prior.instance))...)
		}
	}
	return diags
}

// checkStaying refuses entries that still refer to an instance that the same plan removes, if eNMS would
// delete them with that instance.
func (c *collection) checkStaying(items []*item) (diags diag.Diagnostics) {
	removed := map[applying.Reference]bool{}
	for _, i := range items {
		if i.removed {
			for _, typ := range relate.Types(c.kind, c.stateToDelete(i.prior)) {
				removed[applying.Reference{Type: typ, Name: i.prior.name}] = true
			}
		}
	}
	if len(removed) == 0 || !c.instances.Provider.Deletes(c.settings) {
		return nil
	}
	for _, dependence := range relate.Dependences(c.kind, c.kinds) {
		for _, i := range items {
			for _, parents := range dependence.Parents(c.valuesAfterApply(i)) {
				for _, name := range parents.Names {
					if removed[applying.Reference{Type: parents.Type, Name: name}] {
						diags.AddAttributeError(at(i.name).AtMapKey(dependence.Attribute), "Reference to a removed instance",
							fmt.Sprintf("%q is removed in this plan, and eNMS would delete %q with it. Remove both, or let %q refer to another %s.", name, i.name, i.name, parents.Type))
					}
				}
			}
		}
	}
	return diags
}

// valuesAfterApply returns the values that the instance of an item has after the apply: the planned ones, or its state
// if it does not change; nil if it is removed.
func (c *collection) valuesAfterApply(i *item) kind.Values {
	if i.planned == nil && !i.removed && i.prior != nil {
		return c.derive(i.prior).state
	}
	return i.planned
}

// stateToDelete returns the state with which the instance of a removed entry is deleted, with the deletion policy of the
// resource.
func (c *collection) stateToDelete(p *priorEntry) kind.Values {
	if p.state == nil {
		c.derive(p)
	}
	gone := maps.Clone(p.state)
	gone[kind.RowDeletionPolicy] = c.settings[kind.RowDeletionPolicy]
	return gone
}

// lookUp calls check, which asks eNMS, for each of the items, and returns what it finds, in their order.
func (c *collection) lookUp(items []*item, check func(*item) diag.Diagnostics) (diags diag.Diagnostics) {
	found := &outcomes{}
	inParallel(items, mostTogether, func(i *item) { found.set(i.name, outcome{diags: check(i)}) })
	for _, i := range items {
		diags.Append(ofEntry(i.name, found.of[i.name].diags)...)
	}
	return diags
}

// checkAgainstServer refuses criteria and fields that this eNMS does not have, and warns of references
// to names that neither eNMS nor this plan has. It first records all planned names, so that references to
// them are known.
func (c *collection) checkAgainstServer(ctx context.Context, items []*item) diag.Diagnostics {
	var changed []*item
	for _, i := range items {
		if i.planned != nil {
			changed = append(changed, i)
			c.instances.Checker.AddPlanned(i.planned)
		}
	}
	return c.lookUp(changed, func(i *item) diag.Diagnostics {
		return slices.Concat(c.instances.Checker.CheckCriteria(ctx, i.planned, i.stateBefore()), c.instances.Checker.CheckLine(ctx, i.config),
			c.instances.Checker.CheckReferences(ctx, i.planned, i.stateBefore()),
			c.instances.Checker.CheckAndRecordTargets(ctx, &kind.Plan{Kind: c.kind, Config: i.config, Prior: i.stateBefore(), Planned: i.planned}))
	})
}

// warnOfLastTargets warns about tasks and services that lose their last target because entries are removed. The
// warnings have no attribute, because the configuration no longer has these entries.
func (c *collection) warnOfLastTargets(ctx context.Context, items []*item) diag.Diagnostics {
	var deletions []planning.Deletion
	for _, i := range items {
		if i.removed {
			deletions = append(deletions, planning.Deletion{State: c.stateToDelete(i.prior)})
		}
	}
	return c.instances.Checker.LastTargets(ctx, deletions...)
}
