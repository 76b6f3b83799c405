// This file tells the plans of other resources which instances this one deletes and keeps,
// because eNMS would delete some of them along with others.

package bulk

import (
	"fmt"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/lifecycle"
)

// meet notes what a plan does with the entries of a state: it deletes those of the items
// that are removed, and keeps the others. state is nil when the resource is destroyed. It
// returns what does not go with the plans of other resources.
func (s *Server) meet(c *collection, state *tfprotov6.DynamicValue, kept private, items []*item) (diags diag.Diagnostics) {
	changes, deleted := &lifecycle.Changes{}, map[string]bool{}
	for _, i := range items {
		if i.prior != nil && (i.removed || i.prior.name != i.name) {
			c.instances.Free(c.fill(i.prior).state)
		}
		gone := c.fillRemoved(i)
		if gone == nil {
			continue
		}
		deleted[i.prior.name] = true
		c.instances.PlanDeletion(changes, gone, false)
		diags.Append(ofEntry(i.prior.name, c.instances.CheckDeletion(gone))...)
	}
	if state == nil {
		return append(diags, s.conflicts(changes)...)
	}
	diags.Append(s.provider().CheckKept(func() []lifecycle.Held { return s.held(state, kept, deleted) })...)
	changes.Wait(func() []*lifecycle.Dependent { return s.dependents(changes, state, kept, deleted) })
	return append(diags, s.conflicts(changes)...)
}

// meetReplaced is meet for a resource of which all entries are replaced.
func (s *Server) meetReplaced(held kind.Values, kept private) (diags diag.Diagnostics) {
	c, diags := s.collectionOf(held)
	if c == nil || diags.HasError() {
		return diags
	}
	changes := &lifecycle.Changes{}
	entries, _, _ := entriesOf(held[attrInstances])
	for _, name := range sorted(entries) {
		gone := c.fill(&prior{name: name, entry: entries[name], record: kept.Records[name]}).state
		c.instances.Free(gone)
		c.instances.PlanDeletion(changes, gone, true)
		diags.Append(ofEntry(name, c.instances.CheckDeletion(gone))...)
	}
	return append(diags, s.conflicts(changes)...)
}

// meetReplacedByUser is meetReplaced for the creation that follows the deletion in a
// replacement, which is all that tells of one that the user requested (-replace): the plan
// before it has kept the entries. Their state is not known any more, except for their names;
// whether two resources have one of them was checked by that plan.
func (s *Server) meetReplacedByUser(config kind.Values, kept private) diag.Diagnostics {
	c, diags := s.collectionOf(config)
	if c == nil || diags.HasError() {
		return nil // told already
	}
	changes := &lifecycle.Changes{}
	entries, _, _ := entriesOf(config[attrInstances])
	for _, name := range sorted(kept.Records) {
		c.instances.PlanDeletion(changes, c.fill(&prior{name: name, entry: entries[name], record: kept.Records[name]}).state, true)
	}
	return s.conflicts(changes)
}

// conflicts records the plan of this resource, and returns its conflicts with the plans of
// other resources.
func (s *Server) conflicts(changes *lifecycle.Changes) (diags diag.Diagnostics) {
	for _, conflict := range s.provider().Meet(changes) {
		found := diag.Diagnostics{conflict.Error}
		if conflict.Entry != "" {
			found = ofEntry(conflict.Entry, found)
		}
		diags.Append(found...)
	}
	return diags
}

// checkStaying refuses entries that go on to refer to what the same plan removes, when eNMS
// would delete them along with that.
func (c *collection) checkStaying(items []*item) (diags diag.Diagnostics) {
	type reference struct{ typ, name string }
	removed := map[reference]bool{}
	for _, i := range items {
		if state := c.fillRemoved(i); state != nil && c.instances.Deletes(state) {
			for _, typ := range c.kind.Types(state) {
				removed[reference{typ, i.prior.name}] = true
			}
		}
	}
	if len(removed) == 0 {
		return nil
	}
	for _, dependence := range c.kind.Dependences(c.kinds) {
		for _, i := range items {
			for _, holders := range dependence.Holders(c.kept(i)) {
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

// kept returns what is planned of an item that is not removed: as it is, when nothing is.
func (c *collection) kept(i *item) kind.Values {
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
func (c *collection) leaving(p *prior) kind.Values {
	gone := maps.Clone(c.fill(p).state)
	gone[kind.RowDeletionPolicy] = c.settings[kind.RowDeletionPolicy]
	return gone
}

// held lists the objects of a state, but for those that are deleted.
func (s *Server) held(state *tfprotov6.DynamicValue, kept private, deleted map[string]bool) (all []lifecycle.Held) {
	held, err := decode(state)
	if err != nil || held == nil {
		return nil
	}
	c, _ := s.collectionOf(held)
	entries, _, _ := entriesOf(held[attrInstances])
	for name, e := range entries {
		if !deleted[name] {
			all = append(all, c.instances.Held(c.fill(&prior{name: name, entry: e, record: kept.Records[name]}).state))
		}
	}
	return all
}

// dependents lists the entries of a state that eNMS deletes with others, but for those that
// are deleted. It is called only when something is deleted that they may depend on.
func (s *Server) dependents(changes *lifecycle.Changes, state *tfprotov6.DynamicValue, kept private, deleted map[string]bool) (all []*lifecycle.Dependent) {
	held, err := decode(state)
	if err != nil || held == nil {
		return nil
	}
	c, _ := s.collectionOf(held)
	dependences := c.kind.Dependences(s.kinds)
	if len(dependences) == 0 {
		return nil
	}
	entries, _, _ := entriesOf(held[attrInstances])
	for name, e := range entries {
		if d := c.instances.Dependent(changes, dependences, c.fill(&prior{name: name, entry: e, record: kept.Records[name]}).state); d != nil {
			d.Entry, d.Removed = name, deleted[name]
			all = append(all, d)
		}
	}
	return all
}
