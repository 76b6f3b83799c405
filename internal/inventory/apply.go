// This file creates, changes and deletes instances as planned.

package inventory

import (
	"context"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

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
	if diags.Append(found...); diags.HasError() {
		resp.Diagnostics = protocol(diags)
		resp.NewIdentity, err = identityOf(held)
		return resp, err
	}
	var before map[string]entry
	if held != nil {
		before, _, _ = entriesOf(held[attrInstances])
	}
	items, found := itemsOf(configured, before, kept, textsOf(config[attrRenames]))
	diags.Append(found...)
	if held == nil {
		items = append(items, takeUp(items, s.left.take(c.typ, configured))...)
	}
	next := c.apply(ctx, items)
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
	resp.Private = private{Records: records}.encode(&diags)
	resp.Diagnostics = protocol(diags)
	return resp, err
}

// taintedHint is what to do about a creation of which a part failed.
const taintedHint = "Terraform marks a resource so whenever its creation fails in part, and will show it as replaced. The next apply takes up what is there all the same, and deletes nothing of it. To see the plan entry by entry instead, run terraform untaint with the address of the resource."

// apply does what is planned for each of the items: removals first, which make names
// free, then changes, then additions.
func (c *collection) apply(ctx context.Context, items []*item) *outcomes {
	next := &outcomes{}
	var removals, changes, additions []*item
	for _, i := range items {
		found := c.planItem(i)
		switch {
		case found.HasError():
			next.set(i.name, i.unchanged(found))
		case i.removed:
			removals = append(removals, i)
		case i.prior == nil:
			additions = append(additions, i)
		case i.differs:
			changes = append(changes, i)
		default:
			result := i.unchanged(nil)
			result.entry = i.entry
			next.set(i.name, result)
		}
	}
	removed := c.byReference(removals)
	slices.Reverse(removed)
	for _, wave := range removed {
		each(ctx, "deleting", c.typ, wave, mostDeleted, func(i *item) { next.set(i.name, c.remove(ctx, i)) })
	}
	for _, wave := range byName(changes) {
		each(ctx, "updating", c.typ, wave, mostTogether, func(i *item) { next.set(i.name, c.update(ctx, i)) })
	}
	for _, wave := range c.byReference(additions) {
		each(ctx, "creating", c.typ, wave, mostTogether, func(i *item) {
			next.set(i.name, c.create(ctx, i))
			i.config, i.planned = nil, nil // thousands of them are a burden
		})
	}
	return next
}

// unchanged is the outcome of an item that stays as it is, with what was found.
func (i *item) unchanged(found diag.Diagnostics) outcome {
	if i.prior == nil {
		return outcome{diags: found}
	}
	return outcome{entry: i.prior.entry, record: i.prior.record, diags: found}
}

// remove deletes what has no entry any longer.
func (c *collection) remove(ctx context.Context, i *item) outcome {
	state := maps.Clone(i.prior.state)
	state[kind.RowDeletionPolicy] = c.settings[kind.RowDeletionPolicy]
	diags := c.many.Delete(ctx, state, i.prior.kept)
	if diags.HasError() {
		return i.unchanged(diags)
	}
	return outcome{diags: diags}
}

// create creates an instance, or takes an existing one over: then what differs is
// written, and nothing else.
func (c *collection) create(ctx context.Context, i *item) outcome {
	if i.left {
		i.planned[kind.RowAdoptExisting] = tftypes.NewValue(tftypes.Bool, true)
	}
	existing, diags := c.many.Adopt(ctx, i.config, i.planned)
	if diags.HasError() {
		return outcome{diags: diags}
	}
	if existing != nil {
		plan := c.kind.NewPlan(i.config, existing, nil, c.now)
		i.prior = &prior{name: i.name, entry: entry{}, config: i.config, state: existing}
		if i.planned = plan.Planned(); plan.Diagnostics.HasError() {
			return outcome{diags: plan.Diagnostics}
		}
		result := c.update(ctx, i)
		if result.diags.HasError() { // what was not taken over is not in the state
			return outcome{diags: result.diags}
		}
		return result
	}
	i.planned[kind.RowAdoptExisting] = tftypes.NewValue(tftypes.Bool, false) // it was looked for
	state, kept, diags := c.many.Create(ctx, i.config, i.planned)
	if state == nil {
		return outcome{diags: diags}
	}
	result := outcome{entry: i.entry, record: recordOf(c.kind, i.config, state, kept), diags: diags}
	if diags.HasError() {
		result.entry = c.kind.EntryOf(i.entry, i.config, state)
	}
	return result
}

// update changes an instance.
func (c *collection) update(ctx context.Context, i *item) outcome {
	state, kept, diags := c.many.Update(ctx, i.config, i.planned, i.prior.state, i.prior.kept)
	result := outcome{entry: i.entry, record: recordOf(c.kind, i.config, state, kept), diags: diags}
	if diags.HasError() {
		// What may have been written and what was there before are watched both.
		both := maps.Clone(i.prior.entry)
		maps.Copy(both, i.entry)
		config, _ := c.configOf(i.name, both)
		result.entry, result.record = c.kind.EntryOf(both, config, state), recordOf(c.kind, config, state, kept)
	}
	return result
}

// byReference puts items that refer to others after those.
func (c *collection) byReference(items []*item) [][]*item {
	refersTo := map[*item][]string{}
	for _, i := range items {
		values := i.planned
		if i.removed {
			values = i.prior.state
		}
		for _, related := range c.kind.NewlyRelated(values, nil) {
			refersTo[i] = append(refersTo[i], related.Names...)
		}
	}
	return waves(items, func(i *item, pending map[string]*item) bool {
		return slices.ContainsFunc(refersTo[i], func(name string) bool { return name != i.name && pending[name] != nil })
	}, func(i *item) string { return i.name })
}

// byName puts items that take the name of others after those.
func byName(items []*item) [][]*item {
	return waves(items, func(i *item, pending map[string]*item) bool {
		holder := pending[value.Text(i.planned[kind.RowName])]
		return holder != nil && holder != i
	}, func(i *item) string { return value.Text(i.prior.state[kind.RowName]) })
}

// waves puts items in an order in which none waits for what is still pending, by the
// names of those. Items that wait for each other come last.
func waves(items []*item, waits func(i *item, pending map[string]*item) bool, nameOf func(*item) string) (order [][]*item) {
	for len(items) > 0 {
		pending := make(map[string]*item, len(items))
		for _, i := range items {
			pending[nameOf(i)] = i
		}
		var ready, waiting []*item
		for _, i := range items {
			if waits(i, pending) {
				waiting = append(waiting, i)
			} else {
				ready = append(ready, i)
			}
		}
		if len(ready) == 0 {
			return append(order, waiting)
		}
		order, items = append(order, ready), waiting
	}
	return order
}

// takeUp marks the items that a tainted resource has left, and gives those that the
// configuration does not hold any longer.
func takeUp(items []*item, left map[string]entry) (removed []*item) {
	configured := map[string]bool{}
	for _, i := range items {
		configured[i.name] = true
		_, i.left = left[i.name]
	}
	for _, name := range sorted(left) {
		if !configured[name] {
			removed = append(removed, &item{name: name, removed: true, prior: &prior{name: name, entry: left[name]}})
		}
	}
	return removed
}
