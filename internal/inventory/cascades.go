// This file tells the plans of other resources which instances this one deletes and keeps,
// because eNMS would delete some of them along with others.

package inventory

import (
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
			c.many.Free(c.fill(i.prior).state)
		}
		if !i.removed {
			continue
		}
		deleted[i.prior.name] = true
		gone := maps.Clone(c.fill(i.prior).state)
		gone[kind.RowDeletionPolicy] = c.settings[kind.RowDeletionPolicy]
		c.many.PlanDeletion(changes, gone)
		diags.Append(ofEntry(i.prior.name, c.many.CheckDeletion(gone))...)
	}
	if state == nil {
		return append(diags, s.conflicts(changes)...)
	}
	diags.Append(s.provider().CheckKept(func() []lifecycle.Held { return s.held(state, kept, deleted) })...)
	changes.Wait(func() []*lifecycle.Dependent { return s.dependents(changes, state, kept, deleted) })
	return append(diags, s.conflicts(changes)...)
}

// meetReplaced is meet for a resource of which all entries are replaced.
func (s *Server) meetReplaced(held kind.Values, kept private) diag.Diagnostics {
	c, diags := s.collectionOf(held)
	if c == nil || diags.HasError() {
		return diags
	}
	changes := &lifecycle.Changes{}
	entries, _, _ := entriesOf(held[attrInstances])
	for name, e := range entries {
		gone := c.fill(&prior{name: name, entry: e, record: kept.Records[name]}).state
		c.many.Free(gone)
		c.many.PlanReplacement(changes, gone)
	}
	return s.conflicts(changes)
}

// conflicts notes a plan, and returns what does not go with those of other resources.
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
			all = append(all, c.many.Held(c.fill(&prior{name: name, entry: e, record: kept.Records[name]}).state))
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
		if d := c.many.Dependent(changes, dependences, c.fill(&prior{name: name, entry: e, record: kept.Records[name]}).state); d != nil {
			d.Entry, d.Removed = name, deleted[name]
			all = append(all, d)
		}
	}
	return all
}
