// This file creates, changes and deletes instances as planned.

package bulk

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// change makes the instances what is configured. The state is what was planned, or, when
// an entry failed, what is there.
func (s *Server) change(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest, config, held kind.Values, kept private) (
	*tfprotov6.ApplyResourceChangeResponse, error) {
	resp := &tfprotov6.ApplyResourceChangeResponse{NewState: req.PriorState, Private: req.PlannedPrivate}
	c, diags := s.collectionOf(config)
	configured, _, found := entriesOf(config[attrInstances])
	var err error
	if diags.Append(found...); !diags.HasError() {
		diags.Append(c.checkNames(ctx, configured)...) // those that the plan did not know
	}
	if diags.HasError() {
		resp.Diagnostics = diagnosticsOf(diags)
		resp.NewIdentity, err = identityOf(held)
		return resp, err
	}
	var before map[string]entry
	if held != nil {
		before, _, _ = entriesOf(held[attrInstances])
	}
	renames := textsOf(config[attrRenames])
	items, found := itemsOf(configured, before, kept, renames)
	diags.Append(found...)
	items = c.followScopes(items)
	if held == nil {
		defer c.instances.BeginCreation()()
	}
	next := c.apply(ctx, items)
	if held == nil && (diags.HasError() || next.failed()) {
		next.withoutAdopted(c.instances.Release)
	}
	entries, records, found := next.all()
	diags.Append(found...)
	if resp.NewState = req.PlannedState; diags.HasError() {
		config[attrInstances] = instancesOf(entries, config[attrInstances])
		resp.NewState, err = encode(config)
	}
	if held == nil && diags.HasError() {
		if len(entries) == 0 {
			config = nil
			resp.NewState, err = nothing()
		} else {
			diags.AddWarning("The resource is in the state, marked as tainted", taintedHint)
		}
	}
	if err == nil {
		resp.NewIdentity, err = identityOf(config)
	}
	resp.Private = private{Records: records, Renamed: next.renamed(renames, kept.Renamed, entries, items)}.encode(&diags)
	resp.Diagnostics = diagnosticsOf(diags)
	return resp, err
}

// taintedHint says how to keep what a creation made before a part of it failed.
const taintedHint = "Terraform marks a resource as tainted if a part of its creation fails: the next apply deletes the created entries and creates all of them again. Adopted instances are not in the state, and are adopted again. To keep the created entries and create only the missing ones, run terraform untaint with the address of the resource before the next apply."

// apply does what is planned for each of the items, in the order that order.go finds.
func (c *collection) apply(ctx context.Context, items []*item) *outcomes {
	next := &outcomes{}
	var pending []*item
	for _, i := range items {
		found := c.planItem(i)
		switch {
		case found.HasError():
			next.set(i, i.unchanged(found))
		case i.removed, i.prior == nil, i.differs:
			pending = append(pending, i)
		default:
			next.set(i, outcome{entry: i.entry, record: i.prior.record})
		}
	}
	for len(pending) > 0 {
		ready, blocked := c.nextItems(pending)
		if aside := blocked.inCircle(); len(ready) == 0 && aside != nil {
			// Two entries that exchange their names wait for each other.
			state, found := c.instances.StepAside(ctx, aside.prior.state)
			if aside.prior.state = state; found.HasError() {
				next.set(aside, aside.unchanged(found))
				pending = without(pending, aside)
			}
			continue
		}
		if len(ready) == 0 {
			ready = pending // They refer to each other.
		}
		c.work(ctx, ready, next)
		pending = without(pending, ready...)
	}
	return next
}

// work deletes, changes or creates items, several at a time.
func (c *collection) work(ctx context.Context, items []*item, next *outcomes) {
	var removals, changes, additions []*item
	for _, i := range items {
		switch {
		case i.removed:
			removals = append(removals, i)
		case i.prior == nil:
			additions = append(additions, i)
		default:
			changes = append(changes, i)
		}
	}
	each(ctx, "deleting", c.typ, removals, mostDeleted, func(i *item) { next.set(i, c.remove(ctx, i)) })
	each(ctx, "updating", c.typ, changes, mostTogether, func(i *item) { next.set(i, c.update(ctx, i)) })
	each(ctx, "creating", c.typ, additions, mostTogether, func(i *item) {
		next.set(i, c.create(ctx, i))
		i.config, i.planned = nil, nil // thousands of them are a burden
	})
}

// unchanged returns the outcome of an item that stays as it is, with what was found.
func (i *item) unchanged(found diag.Diagnostics) outcome {
	if i.prior == nil {
		return outcome{diags: found}
	}
	return outcome{key: i.prior.name, entry: i.prior.entry, record: i.prior.record, diags: found}
}

// remove deletes what has no entry any longer.
func (c *collection) remove(ctx context.Context, i *item) outcome {
	state := maps.Clone(i.prior.state)
	if i.prior.record.ID == "" { // nothing is known but what is configured
		state = maps.Clone(i.prior.config)
		state[kind.RowName] = i.prior.state[kind.RowName]
	}
	state[kind.RowDeletionPolicy] = c.settings[kind.RowDeletionPolicy]
	diags := c.instances.Delete(ctx, state, i.prior.kept)
	if diags.HasError() {
		return i.unchanged(diags)
	}
	return outcome{diags: diags}
}

// create creates an instance, or takes an existing one over.
func (c *collection) create(ctx context.Context, i *item) outcome {
	state, kept, diags := c.instances.Create(ctx, i.config, i.planned)
	if state == nil {
		return outcome{diags: diags}
	}
	result := outcome{entry: i.entry, record: recordOf(c.kind, i.config, state, kept), adopted: kept.Adopted, diags: diags}
	if diags.HasError() {
		result.entry = c.kind.EntryOf(i.entry, i.config, state)
	}
	return result
}

// update changes an instance.
func (c *collection) update(ctx context.Context, i *item) outcome {
	state, kept, diags := c.instances.Update(ctx, i.config, i.planned, i.prior.state, i.prior.kept)
	result := outcome{entry: i.entry, record: recordOf(c.kind, i.config, state, kept), diags: diags}
	if diags.HasError() {
		result.key = i.keyOf(state)
		// What may have been written and what was there before are watched both.
		both := maps.Clone(i.prior.entry)
		maps.Copy(both, i.entry)
		delete(both, kind.RowName)
		config, _ := c.configOf(result.key, both)
		result.entry, result.record = c.kind.EntryOf(both, config, state), recordOf(c.kind, config, state, kept)
	}
	return result
}

// keyOf returns the key for an item whose update failed: the old one while the instance
// has its old name, so that the next apply renames it again.
func (i *item) keyOf(state kind.Values) string {
	if value.Text(state[kind.RowName]) == i.prior.name {
		return i.prior.name
	}
	return i.name
}
