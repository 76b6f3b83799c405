// This file plans the resource: whether any entry changes. planItem in collection.go plans each
// entry, and plancheck.go checks the plan against others.

package bulk

import (
	"bytes"
	"context"
	"slices"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/lifecycle"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/protocol"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// PlanResourceChange plans entry by entry. Terraform accepts as a plan either the configuration
// or the state: an entry that is only written differently is not a change.
func (s *Server) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	resp := &tfprotov6.PlanResourceChangeResponse{PlannedState: req.ProposedNewState, PlannedPrivate: req.PriorPrivate}
	kept, diags := readPrivate(req.PriorPrivate)
	if destroyed, err := req.ProposedNewState.IsNull(); err != nil || destroyed || diags.HasError() {
		if err == nil && !diags.HasError() {
			diags, err = s.planDeletion(ctx, req.PriorState, kept)
		}
		resp.Diagnostics = diagnosticsOf(diags)
		return resp, err
	}
	if !kept.Unfinished && !s.provider().HasDefaults() && bytes.Equal(req.Config.MsgPack, req.PriorState.MsgPack) {
		resp.PlannedState, resp.PlannedIdentity = req.PriorState, req.PriorIdentity
		resp.Diagnostics = diagnosticsOf(s.meet(nil, req.PriorState, kept, nil))
		return resp, nil
	}
	config, held, err := decodeBoth(req.Config, req.PriorState)
	if err != nil {
		return nil, err
	}
	resp.PlannedPrivate = kept.noteHeldPolicy(req.PriorPrivate, config, held, &diags)
	changed, items, found := s.plan(ctx, config, held, kept)
	diags.Append(found...)
	if c, _ := s.collectionOf(config); c != nil {
		workOf(items, c.instances.Deletes(c.settings)).tell(ctx, c.typ)
	}
	replaced := held != nil && !config[attrType].Equal(held[attrType])
	if held != nil {
		diags.Append(s.checkOthers(config, held, req.PriorState, kept, items, replaced)...)
		if !diags.HasError() {
			diags.Append(s.announce(ctx, config, held, kept, items, replaced)...)
		}
	}
	again := held == nil && len(req.PriorPrivate) > 0 // the creation after the deletion of a replacement
	if again && !diags.HasError() {
		diags.Append(s.meetReplacedByUser(config, kept)...)
	}
	diags = s.checkAdditions(ctx, config, held, items, again, diags)
	resp.Diagnostics = diagnosticsOf(diags)
	if replaced {
		resp.RequiresReplace = append(resp.RequiresReplace, protocol.Path(path.Root(attrType)))
	}
	if resp.PlannedState, err = plannedState(req.Config, config, held, changed); err != nil {
		return nil, err
	}
	resp.PlannedIdentity, err = identityOf(config)
	return resp, err
}

// noteHeldPolicy notes the deletion policy in the state if the plan changes it, and returns the
// private state with it. raw is the private state as it was.
func (p *private) noteHeldPolicy(raw []byte, config, held kind.Values, diags *diag.Diagnostics) []byte {
	if held == nil {
		return raw
	}
	before := p.HeldPolicy
	p.HeldPolicy = nil
	if !held[kind.RowDeletionPolicy].Equal(config[kind.RowDeletionPolicy]) {
		p.HeldPolicy = new(value.Text(held[kind.RowDeletionPolicy]))
	}
	if before == nil && p.HeldPolicy == nil {
		return raw
	}
	return p.encode(diags)
}

// plannedState returns the planned state: the configuration, or what the state holds if no entry
// changes.
func plannedState(configured *tfprotov6.DynamicValue, config, held kind.Values, changed bool) (*tfprotov6.DynamicValue, error) {
	switch {
	case held != nil && !changed:
		config[attrInstances] = held[attrInstances]
	case config[attrDefaults].IsNull():
		return configured, nil
	}
	return encode(config)
}

// checkAdditions checks the entries that are to be created, unless there is an error already.
// again is set for the creation that follows the deletion in a replacement: then the entries of
// the resource itself count as kept.
func (s *Server) checkAdditions(ctx context.Context, config, held kind.Values, items []*item, again bool, diags diag.Diagnostics) diag.Diagnostics {
	if !diags.HasError() && !again {
		diags.Append(s.checkAdoptions(config, held, items)...)
	}
	if !diags.HasError() {
		diags.Append(s.checkCreations(ctx, config, items)...)
	}
	return diags
}

// planDeletion checks that the deletion policy is possible, and that eNMS does not delete
// instances that other resources keep.
func (s *Server) planDeletion(ctx context.Context, state *tfprotov6.DynamicValue, kept private) (diag.Diagnostics, error) {
	held, err := decode(state)
	if err != nil || held == nil {
		return nil, err
	}
	c, _ := s.collectionOf(held)
	entries, _, _ := entriesOf(held[attrInstances])
	items, _ := itemsOf(nil, entries, kept, nil)
	workOf(items, c.instances.Deletes(c.settings)).tell(ctx, c.typ)
	diags := append(c.instances.CheckPolicy(held), s.meet(c, nil, kept, items)...)
	if diags.Append(c.checkDestruction(sorted(entries), held[attrMaxDeletions], firstApply)...); !diags.HasError() {
		diags.Append(c.warnOfLastTargets(ctx, items)...)
	}
	return diags, nil
}

// checkOthers checks the plan of a resource that has a state against those of other resources.
func (s *Server) checkOthers(config, held kind.Values, state *tfprotov6.DynamicValue, kept private, items []*item, replaced bool) diag.Diagnostics {
	if replaced {
		return s.meetReplaced(held, kept)
	}
	if c, _ := s.collectionOf(config); c != nil {
		return s.meet(c, state, kept, items)
	}
	return nil
}

// announce checks the deletions of a resource that is updated or replaced, and warns about tasks
// and services that lose their last target. A resource that is replaced is deleted by the
// settings in its state, as by destroy.
func (s *Server) announce(ctx context.Context, config, held kind.Values, kept private, items []*item, replaced bool) (diags diag.Diagnostics) {
	before, _, _ := entriesOf(held[attrInstances])
	c, _ := s.collectionOf(config)
	if c == nil {
		return nil
	}
	if !replaced {
		diags = c.checkDeletions(c.deletions(items), len(before), config[attrMaxDeletions])
		diags = append(diags, workOf(items, c.instances.Deletes(c.settings)).longRenames(c.typ)...)
		return append(diags, c.warnOfLastTargets(ctx, items)...)
	}
	if was, _ := s.collectionOf(held); was != nil {
		configured, _, _ := entriesOf(config[attrInstances])
		diags = was.checkDestruction(sorted(before), held[attrMaxDeletions], firstApply)
		diags.Append(was.warnOfReplacedTargets(ctx, before, kept, c, configured)...)
	}
	return diags
}

// plan plans all entries, and reports whether any of them changes.
func (s *Server) plan(ctx context.Context, config, held kind.Values, kept private) (changed bool, items []*item, diags diag.Diagnostics) {
	if s.provider().HasDefaults() {
		config[attrDefaults] = unknownDefaults
	}
	c, diags := s.collectionOf(config)
	if c == nil || diags.HasError() {
		return true, nil, diags
	}
	diags.Append(checkSettings(config)...)
	diags.Append(c.instances.CheckPolicy(config)...)
	configured, known, found := entriesOf(config[attrInstances])
	diags.Append(found...)
	if !known {
		return true, nil, diags
	}
	diags.Append(c.checkNames(ctx, configured)...)
	before := map[string]entry{}
	if held != nil && held[attrType].Equal(config[attrType]) {
		before, _, _ = entriesOf(held[attrInstances])
	}
	items, found = itemsOf(configured, before, kept, textsOf(config[attrRenames]))
	diags.Append(found...)
	for _, i := range items {
		diags.Append(ofEntry(i.name, c.planItem(i))...)
		changed = changed || i.differs
	}
	if !diags.HasError() {
		diags.Append(c.checkAgainstServer(ctx, items)...)
	}
	config[attrDefaults] = c.plannedDefaults(items, held[attrDefaults])
	changed = changed || !config[attrDefaults].Equal(held[attrDefaults])
	return changed, items, append(diags, c.checkStaying(items)...)
}

// checkAdoptions refuses entries that would adopt an instance that another resource of the same
// plan keeps. If the resource itself has the name, another of its entries gives it up first.
func (s *Server) checkAdoptions(config, held kind.Values, items []*item) (diags diag.Diagnostics) {
	c, _ := s.collectionOf(config)
	if c == nil {
		return nil
	}
	var own map[string]entry
	if held != nil {
		own, _, _ = entriesOf(held[attrInstances])
	}
	for _, i := range items {
		if _, is := own[i.name]; !is && i.prior == nil && i.planned != nil {
			diags.Append(ofEntry(i.name, c.instances.CheckAdoption(i.planned, lifecycle.Fingerprint{}))...)
		}
	}
	return diags
}

// checkCreations refuses entries of a type that eNMS does not have, and entries whose
// instances another resource of the same plan creates, too, and looks up whether the names
// are free.
func (s *Server) checkCreations(ctx context.Context, config kind.Values, items []*item) (diags diag.Diagnostics) {
	c, _ := s.collectionOf(config)
	if c == nil {
		return nil
	}
	created := func(i *item) bool { return i.prior == nil && !i.removed }
	if slices.ContainsFunc(items, created) {
		if diags = c.instances.CheckType(ctx, c.typ); diags.HasError() {
			return diags
		}
	}
	of := sync.OnceValue(func() lifecycle.Fingerprint {
		return lifecycle.FingerprintOf(TypeName+"/"+c.typ, config[attrInstances])
	})
	for _, i := range items {
		if created(i) {
			diags.Append(ofEntry(i.name, c.instances.CheckCreation(i.planned, of()))...)
		}
	}
	if !diags.HasError() {
		diags.Append(c.checkFree(ctx, items)...)
	}
	return diags
}
