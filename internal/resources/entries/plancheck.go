// This file checks a plan against the plans of other resources and against eNMS. It records which
// instances are deleted and kept, because eNMS would delete some of them together with others. It
// looks up whether the names of new entries are free, refuses entries whose names the database of
// eNMS treats as equal, and warns about tasks and services that lose their last target. It warns
// how many entries are deleted, and refuses more than max_deletions: Terraform itself counts only
// one changed resource.

package entries

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/planning"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// checkOthers compares the plan with those of other resources: removed items are deleted, the others
// are kept, or renamed. state is nil if the resource is destroyed.
func (s *Server) checkOthers(c *collection, state *tfprotov6.DynamicValue, private privateState, items []*item) (diags diag.Diagnostics) {
	moved := map[string]bool{}
	for _, i := range items {
		switch {
		case i.removed:
			gone := c.fillRemoved(i)
			c.instances.Free(gone)
			moved[i.prior.name] = true
			diags.Append(ofEntry(i.prior.name, c.instances.CheckDeletion(gone))...)
		case i.planned != nil && i.leavesName():
			c.instances.Free(i.prior.state)
			moved[i.prior.name] = true
			diags.Append(ofEntry(i.name, c.instances.CheckRename(i.prior.state))...)
		}
	}
	if state != nil {
		diags.Append(s.checkKept(state, private, moved)...)
	}
	return diags
}

// checkKept compares the plans of other resources with the entries of a state that are neither deleted
// nor renamed.
func (s *Server) checkKept(state *tfprotov6.DynamicValue, private privateState, moved map[string]bool) diag.Diagnostics {
	return planning.CheckKept(s.provider(), func() (*planning.Checker, []kind.Values) {
		prior, err := decode(state)
		c, found := s.collectionOf(prior)
		if err != nil || found.HasError() || c == nil {
			return nil, nil
		}
		var states []kind.Values
		entries, _, _ := entriesOf(prior[attrInstances])
		for name, e := range entries {
			if !moved[name] {
				states = append(states, c.fill(private.prior(name, e)).state)
			}
		}
		return &c.instances.Checker, states
	})
}

// checkReplaced compares the plan of a resource of which all entries are replaced with those of
// other resources.
func (s *Server) checkReplaced(prior kind.Values, private privateState) (diags diag.Diagnostics) {
	c, diags := s.collectionOf(prior)
	if c == nil || diags.HasError() {
		return diags
	}
	entries, _, _ := entriesOf(prior[attrInstances])
	for _, name := range sorted(entries) {
		gone := c.leaving(private.prior(name, entries[name]))
		c.instances.Free(gone)
		c.instances.NoteReplaced(gone)
		diags.Append(ofEntry(name, c.instances.CheckDeletion(gone))...)
	}
	return diags
}

// checkStaying refuses entries that still refer to an instance that the same plan removes, if
// eNMS would delete them with it.
func (c *collection) checkStaying(items []*item) (diags diag.Diagnostics) {
	type reference struct{ typ, name string }
	removed := map[reference]bool{}
	for _, i := range items {
		if state := c.fillRemoved(i); state != nil && c.instances.Provider.Deletes(state) {
			for _, typ := range relate.Types(c.kind, state) {
				removed[reference{typ, i.prior.name}] = true
			}
		}
	}
	if len(removed) == 0 {
		return nil
	}
	for _, dependence := range relate.Dependences(c.kind, c.kinds) {
		for _, i := range items {
			for _, holders := range dependence.Holders(c.stays(i)) {
				for _, name := range holders.Names {
					if removed[reference{holders.Type, name}] {
						diags.AddAttributeError(at(i.name).AtMapKey(dependence.Attribute), "Reference to a removed instance",
							fmt.Sprintf("%q is removed in this plan, and eNMS would delete %q with it. Remove both, or let %q refer to another %s.", name, i.name, i.name, holders.Type))
					}
				}
			}
		}
	}
	return diags
}

// stays returns the planned values of an item that is not removed, or its state if it does not
// change.
func (c *collection) stays(i *item) kind.Values {
	if i.planned == nil && !i.removed && i.prior != nil {
		return c.fill(i.prior).state
	}
	return i.planned
}

// fillRemoved returns the state of an item that is removed, with the deletion policy that is
// configured; nil for any other item.
func (c *collection) fillRemoved(i *item) kind.Values {
	if !i.removed {
		return nil
	}
	return c.leaving(i.prior)
}

// leaving returns the state of an instance that leaves the resource, with the deletion policy
// that is configured.
func (c *collection) leaving(p *priorEntry) kind.Values {
	gone := maps.Clone(c.fill(p).state)
	gone[kind.RowDeletionPolicy] = c.settings[kind.RowDeletionPolicy]
	return gone
}

// checkFree looks up whether the names of new entries are free.
func (c *collection) checkFree(ctx context.Context, added []*item) (diags diag.Diagnostics) {
	found := &outcomes{}
	eachRead(ctx, "looked up", c.typ, added, func(i *item) bool {
		return found.set(i, outcome{diags: c.instances.CheckName(ctx, i.planned)})
	})
	for _, i := range added {
		diags.Append(ofEntry(i.name, found.of[i.name].diags)...)
	}
	return diags
}

// checkAgainstServer refuses criteria that eNMS does not have, and warns of references to names that
// neither eNMS nor this plan has.
func (c *collection) checkAgainstServer(ctx context.Context, items []*item) (diags diag.Diagnostics) {
	var planned []*item
	for _, i := range items {
		if i.planned != nil {
			planned = append(planned, i)
			c.instances.NotePlanned(i.planned)
		}
	}
	found := &outcomes{}
	eachRead(ctx, "looked up", c.typ, planned, func(i *item) bool {
		return found.set(i, outcome{diags: append(append(c.instances.CheckCriteria(ctx, i.planned, i.stateBefore()), c.instances.CheckLine(ctx, i.config)...), c.instances.CheckReferences(ctx, i.planned, i.stateBefore())...)})
	})
	for _, i := range planned {
		diags.Append(ofEntry(i.name, found.of[i.name].diags)...)
	}
	return diags
}

// checkNames refuses entries whose names the database of this eNMS treats as equal: eNMS would
// create one of them and refuse the other.
func (c *collection) checkNames(ctx context.Context, entries map[string]entry) (diags diag.Diagnostics) {
	same := c.instances.SameNames(ctx, slices.Collect(maps.Keys(entries)))
	for _, name := range sorted(same) {
		var found diag.Diagnostics
		found.AddAttributeError(path.Root(kind.RowName), "Two entries have the same name",
			fmt.Sprintf("The database of this eNMS takes %q and %q for the same name: it ignores case, accents or blanks at the end. Choose another key for one of them.", same[name], name))
		diags.Append(ofEntry(name, found)...)
	}
	return diags
}

// warnOfLastTargets warns about tasks and services whose remaining targets are all removed
// entries. The warnings have no attribute, because the configuration has no such entries.
func (c *collection) warnOfLastTargets(ctx context.Context, items []*item) diag.Diagnostics {
	var deletions []planning.Deletion
	for _, i := range items {
		if gone := c.fillRemoved(i); gone != nil {
			deletions = append(deletions, planning.Deletion{State: gone})
		}
	}
	return c.instances.LastTargets(ctx, deletions...)
}

// warnOfReplacedTargets is warnOfLastTargets for a resource of which all entries are
// replaced by those of another collection.
func (c *collection) warnOfReplacedTargets(ctx context.Context, prior map[string]entry, private privateState, by *collection, configured map[string]entry) diag.Diagnostics {
	var deletions []planning.Deletion
	for name, e := range prior {
		d := planning.Deletion{State: c.leaving(private.prior(name, e))}
		_, stays := configured[value.Text(d.State[kind.RowName])]
		d.Again = stays && by.kind.Name == c.kind.Name
		deletions = append(deletions, d)
	}
	return c.instances.LastTargets(ctx, deletions...)
}

// mostDeletionsNamed is how many deleted instances a diagnostic names.
const mostDeletionsNamed = 10

// checkSettings refuses an unknown deletion policy, and a max_deletions that is not a number of
// entries.
func checkSettings(config kind.Values) (diags diag.Diagnostics) {
	diags = checkMaxDeletions(config[attrMaxDeletions])
	policy := value.Text(config[kind.RowDeletionPolicy])
	if policy != "" && !slices.Contains(kind.Policies, policy) {
		diags.AddAttributeError(path.Root(kind.RowDeletionPolicy), "Invalid deletion policy",
			fmt.Sprintf("%q is not one of %s.", policy, strings.Join(kind.Policies, ", ")))
	}
	return diags
}

// checkMaxDeletions refuses a max_deletions that is not a number of entries.
func checkMaxDeletions(v tftypes.Value) (diags diag.Diagnostics) {
	if _, _, fits := maxDeletions(v); !fits {
		diags.AddAttributeError(path.Root(attrMaxDeletions), "Invalid max_deletions",
			fmt.Sprintf("%v is not a number of entries. Write a whole number of at least 0, or remove the attribute.", value.ToJSON(v)))
	}
	return diags
}

// maxDeletions returns the value of the attribute. limited is false if it is not set, and fits is
// false if it is not a whole number of at least 0.
func maxDeletions(v tftypes.Value) (limit int, limited, fits bool) {
	if v.IsNull() || !v.IsKnown() {
		return 0, false, true
	}
	limit, err := strconv.Atoi(fmt.Sprint(value.ToJSON(v)))
	return limit, err == nil, err == nil && limit >= 0
}

// deletions returns the names of the instances that an update with these items deletes, in
// order. Entries whose names differ from new ones only by the name of their workflow do
// not count: eNMS renames them when Terraform renames the workflow.
func (c *collection) deletions(items []*item) (names []string) {
	if !c.instances.Provider.Deletes(c.settings) {
		return nil
	}
	renamed := map[string]int{}
	for _, i := range items {
		if own, is := c.ownName(i.name); is && i.prior == nil && !i.removed {
			renamed[own]++
		}
	}
	for _, i := range items {
		if !i.removed {
			continue
		}
		if own, is := c.ownName(i.prior.name); is && renamed[own] > 0 {
			renamed[own]--
			continue
		}
		names = append(names, i.prior.name)
	}
	slices.Sort(names)
	return names
}

// ownName returns the part of a name after the name of another instance, if it begins with one.
func (c *collection) ownName(name string) (own string, is bool) {
	if c.kind.Scope == nil {
		return "", false
	}
	scope, own := c.kind.Scope.Split(name)
	return own, scope != ""
}

// checkDeletions warns about the instances that an update deletes; more than the limit are an
// error. The warning has no attribute, because Terraform would print all of `instances` with it.
func (c *collection) checkDeletions(names []string, prior int, limit tftypes.Value) (diags diag.Diagnostics) {
	if len(names) == 0 {
		return nil
	}
	what := fmt.Sprintf("%d of the %d instances of type %s: %s", len(names), prior, c.typ, quotedNames(names))
	if diags = tooMany(len(names), limit, what, "write"); diags.HasError() {
		return diags
	}
	diags.AddWarning(fmt.Sprintf("Instances to be deleted: %d", len(names)), "This plan deletes "+what+
		". Terraform counts the resource as changed, and prevent_destroy does not protect its entries. To keep an instance whose key has changed, use renames. To limit the number of deletions, set max_deletions."+longDeletion(len(names)))
	return diags
}

// firstApply is how a higher limit is set for the deletion of a whole resource.
const firstApply = "first apply"

// checkDestruction warns about the instances that are deleted with the whole resource, or
// replaced; more than the limit are an error. how is the verb for setting a higher one.
func (c *collection) checkDestruction(names []string, limit tftypes.Value, how string) (diags diag.Diagnostics) {
	if len(names) == 0 || !c.instances.Provider.Deletes(c.settings) {
		return nil
	}
	slices.Sort(names)
	what := fmt.Sprintf("all %d instances of type %s: %s", len(names), c.typ, quotedNames(names))
	if diags = tooMany(len(names), limit, what, how); diags.HasError() {
		return diags
	}
	diags.AddWarning(fmt.Sprintf("Instances to be destroyed: %d", len(names)),
		"This plan deletes "+what+". Terraform counts them as one resource."+longDeletion(len(names)))
	return diags
}

// tooMany returns an error if there are more deletions than a limit. how is the verb for
// setting a higher one.
func tooMany(count int, limit tftypes.Value, what, how string) (diags diag.Diagnostics) {
	if most, limited, _ := maxDeletions(limit); limited && count > most {
		diags.AddAttributeError(path.Root(attrMaxDeletions), "Too many deletions",
			fmt.Sprintf("max_deletions is %d, and this plan deletes %s. If that is intended, %s max_deletions = %d. To leave the instances in eNMS, %s deletion_policy = \"abandon\".", most, what, how, count, how))
	}
	return diags
}

func quotedNames(names []string) string {
	quoted := make([]string, 0, mostDeletionsNamed)
	for _, name := range names[:min(len(names), mostDeletionsNamed)] {
		quoted = append(quoted, strconv.Quote(name))
	}
	if rest := len(names) - mostDeletionsNamed; rest > 0 {
		return strings.Join(quoted, ", ") + fmt.Sprintf(" and %d more", rest)
	}
	return strings.Join(quoted, ", ")
}
