// This file creates, changes and deletes instances as planned, and destroys the resource. The order follows from
// names and references (order.go): a name is given up before it is taken, a reference is removed before the instance
// that it refers to is deleted, and an instance is created before those that refer to it.

package entries

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/many"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/instance"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// change creates, updates and deletes instances as configured. The new state is the planned one,
// or the state of eNMS if an entry failed.
func (s *Server) change(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest, config, prior kind.Values, private privateState) *tfprotov6.ApplyResourceChangeResponse {
	c, diags := s.collectionOf(config)
	configured, _, found := entriesOf(config[attrInstances])
	if diags.Append(found...); !diags.HasError() {
		diags.Append(c.instances.Checker.CheckDefaultsKnown()...)
	}
	if diags.HasError() {
		return notApplied(req, prior, diags)
	}
	before, _, _ := private.entriesOf(prior) // none for a creation
	renames := textsOf(config[attrRenames])
	items, found := c.itemsOf(configured, before, private, renames)
	diags.Append(found...)
	items = c.followScopes(items)
	recreated := c.recreate(items)
	if prior == nil {
		end := c.instances.BeginCreation()
		defer end()
	}
	next, interrupted := c.apply(ctx, items), false
	if prior == nil {
		interrupted = next.endCreation(ctx, &diags, c.instances.Release)
	}
	entries, records, found := next.all()
	diags.Append(found...)
	resp := &tfprotov6.ApplyResourceChangeResponse{NewState: req.PlannedState}
	failed := diags.HasError()
	if failed || interrupted {
		if failed && prior == nil {
			entries = withIDs(entries, records)
		}
		config[attrInstances], config[attrDefaults] = instancesOf(entries, config[attrInstances]), defaultsOf(entries, records, config[attrDefaults])
		if failed && prior == nil && len(entries) == 0 {
			config = nil // nothing was created
		}
		resp.NewState = encode(config)
		// Terraform then accepts a state without the planned entries that were not created. After an
		// error, it would taint the resource.
		resp.UnsafeToUseLegacyTypeSystem = interrupted //nolint:staticcheck // there is no other way to say this
	} else if len(recreated) > 0 { // the planned state has unknown defaults (showRecreated)
		config[attrDefaults] = c.plannedDefaults(items, prior[attrDefaults])
		resp.NewState = encode(config)
	}
	if failed && prior == nil && config != nil {
		diags.AddWarning("The resource is in the state, marked as tainted", taintedHint)
	}
	resp.NewIdentity = identityOf(config)
	resp.Private = privateState{Records: records, Renamed: next.renamed(renames, private.Renamed, entries, items)}.encode(&diags)
	resp.Diagnostics = diagnosticsOf(diags)
	return resp
}

// taintedHint says how to keep the instances that a creation made before another part of it failed.
const taintedHint = "Terraform marks a resource as tainted if a part of its creation fails: the next apply deletes the created entries and creates all of them again. Adopted instances are not in the state, and are adopted again. To keep the created entries and create only the missing ones, run terraform untaint with the address of the resource before the next apply."

// apply applies the plan of each item, in the order of prerequisites.free.
func (c *collection) apply(ctx context.Context, items []*item) *outcomes {
	next := &outcomes{}
	var pending []*item
	for _, i := range items {
		found := c.planItem(ctx, i)
		switch {
		case found.HasError():
			next.set(i.name, i.unchanged(found))
		case i.removed, i.prior == nil, i.differs:
			pending = append(pending, i)
		default:
			next.set(i.name, outcome{entry: i.entry, record: i.prior.record}.split(i.defaults))
		}
	}
	for len(pending) > 0 {
		needs := c.prerequisites(pending)
		ready := needs.free(pending)
		if len(ready) == 0 {
			if blocking := needs.inCircle(); blocking != nil { // two entries that exchange their names wait for each other
				state, found := c.instances.RenameTemporarily(ctx, blocking.prior.state)
				blocking.prior.state = state
				if found.HasError() {
					next.set(blocking.name, blocking.unchanged(found))
					pending = without(pending, blocking)
				}
				continue
			}
			ready = pending // they refer to each other
		}
		c.work(ctx, ready, next)
		pending = without(pending, ready...)
	}
	return next
}

// work deletes, changes and creates items, several at the same time.
func (c *collection) work(ctx context.Context, items []*item, next *outcomes) {
	var at [stages][]*item
	for _, i := range items {
		at[i.stage()] = append(at[i.stage()], i)
	}
	inParallel(at[deletion], instance.MostDeletions, func(i *item) { next.set(i.name, c.remove(ctx, i)) })
	inParallel(at[change], mostTogether, func(i *item) { next.set(i.name, c.update(ctx, i)) })
	inParallel(at[creation], mostTogether, func(i *item) {
		next.set(i.name, c.create(ctx, i))
		i.config, i.planned = nil, nil // to save memory: there may be thousands
	})
}

// unchanged returns the outcome of an item that remains as it is, with diagnostics.
func (i *item) unchanged(found diag.Diagnostics) outcome {
	if i.prior == nil {
		return outcome{diags: found}
	}
	return outcome{key: i.prior.name, entry: i.prior.entry, record: i.prior.record, diags: found}.split(i.prior.record.Defaults)
}

// remove deletes the instance of a removed entry.
func (c *collection) remove(ctx context.Context, i *item) outcome {
	diags := c.instances.Delete(ctx, c.stateToDelete(i.prior), i.prior.instance)
	if diags.HasError() {
		return i.unchanged(diags)
	}
	return outcome{diags: diags}
}

// create creates or adopts the instance of a new entry. Its outcome has no entry if nothing is to be in the state.
func (c *collection) create(ctx context.Context, i *item) outcome {
	state, private, diags := c.instances.Create(ctx, i.config, i.planned)
	if state == nil {
		return outcome{diags: diags}
	}
	result := outcome{entry: i.entry, record: recordOf(c.kind, i.config, state, private), adopted: private.Adopted, diags: diags}
	if diags.HasError() {
		result.entry = many.Entry(c.kind, i.entry, i.config, state)
	}
	return result.split(i.defaults)
}

// update updates or renames the instance of a changed entry.
func (c *collection) update(ctx context.Context, i *item) outcome {
	state, private, diags := c.instances.Update(ctx, i.config, i.planned, i.prior.state, i.prior.instance)
	result := outcome{entry: i.entry, record: recordOf(c.kind, i.config, state, private), diags: diags}
	if diags.HasError() {
		result.key = i.name
		if value.Text(state[kind.RowName]) == i.prior.name {
			result.key = i.prior.name // so that the next apply repeats the rename
		}
		// Keep the old members besides the new ones, because either may now be in eNMS.
		both := maps.Clone(i.prior.entry)
		maps.Copy(both, i.entry)
		delete(both, kind.RowName)
		config, _ := c.configOf(result.key, both)
		result.entry, result.record = many.Entry(c.kind, both, config, state), recordOf(c.kind, config, state, private)
		return result.split(i.prior.record.Defaults, i.defaults)
	}
	return result.split(i.defaults)
}

// destroy deletes all instances. Terraform does not pass the private state of a tainted resource: then
// their ids are those that the state of a failed creation has (withIDs).
func (s *Server) destroy(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest, prior kind.Values, private privateState) *tfprotov6.ApplyResourceChangeResponse {
	c, diags := s.collectionOf(prior)
	entries, hadIDs, found := private.entriesOf(prior)
	if diags.Append(found...); diags.HasError() {
		return notApplied(req, prior, diags)
	}
	// Terraform does not plan the destruction of a resource that it replaces because it is tainted.
	if refused := c.checkDestruction(sorted(entries), prior[attrMaxDeletions], "run terraform untaint with its address if it is tainted, then apply"); refused.HasError() {
		return notApplied(req, prior, refused)
	}
	left, records, diags := c.apply(ctx, removedItems(entries, private)).all()
	resp := &tfprotov6.ApplyResourceChangeResponse{NewState: req.PlannedState}
	if diags.HasError() {
		if hadIDs {
			left = withIDs(left, records)
		}
		prior[attrInstances], prior[attrDefaults] = instancesOf(left, prior[attrInstances]), defaultsOf(left, records, prior[attrDefaults])
		resp.Private = privateState{Records: records}.encode(&diags)
		resp.NewState, resp.NewIdentity = encode(prior), identityOf(prior)
	}
	resp.Diagnostics = diagnosticsOf(diags)
	return resp
}
