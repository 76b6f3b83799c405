// This file plans the resource: whether any entry changes. planItem in collection.go plans each
// entry, and plancheck.go checks the plan against others.

package entries

import (
	"bytes"
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/protocol"
)

// PlanResourceChange plans entry by entry. Terraform accepts as a plan either the configuration
// or the state: an entry that is only written differently is not a change.
func (s *Server) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	resp := &tfprotov6.PlanResourceChangeResponse{PlannedState: req.ProposedNewState, PlannedPrivate: req.PriorPrivate}
	private, diags := readPrivate(req.PriorPrivate)
	if destroyed, err := req.ProposedNewState.IsNull(); err != nil || destroyed || diags.HasError() {
		if err == nil && !diags.HasError() {
			diags, err = s.planDeletion(ctx, req.PriorState, private)
		}
		resp.Diagnostics = diagnosticsOf(diags)
		return resp, err
	}
	if !private.Unfinished && !s.provider().HasDefaults() && bytes.Equal(req.Config.MsgPack, req.PriorState.MsgPack) {
		resp.PlannedState, resp.PlannedIdentity = req.PriorState, req.PriorIdentity
		resp.Diagnostics = diagnosticsOf(s.checkKept(req.PriorState, private, nil))
		return resp, nil
	}
	config, prior, err := decodeBoth(req.Config, req.PriorState)
	if err != nil {
		return nil, err
	}
	changed, items, diags := s.plan(ctx, config, prior, private)
	replaced := prior != nil && !config[attrType].Equal(prior[attrType])
	diags.Append(s.checkPlan(ctx, req, config, prior, private, items, replaced, diags.HasError())...)
	resp.Diagnostics = diagnosticsOf(diags)
	if replaced {
		resp.RequiresReplace = append(resp.RequiresReplace, protocol.Path(path.Root(attrType)))
	}
	if resp.PlannedState, err = plannedState(req.Config, config, prior, changed); err != nil {
		return nil, err
	}
	resp.PlannedIdentity, err = identityOf(config)
	return resp, err
}

// checkPlan checks the plan of entries against the limits of the resource and against the plans of
// others. After an error it only tells others what is planned.
func (s *Server) checkPlan(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest, config, prior kind.Values, private privateState, items []*item, replaced, failed bool) (diags diag.Diagnostics) {
	c, _ := s.collectionOf(config)
	if c != nil {
		workOf(items, c.instances.Provider.Deletes(c.settings)).tell(ctx, c.typ)
	}
	if prior != nil {
		diags.Append(s.comparePlans(config, prior, req.PriorState, private, items, replaced)...)
		if !failed && !diags.HasError() {
			diags.Append(s.announce(ctx, config, prior, private, items, replaced)...)
		}
	}
	if failed || diags.HasError() || replaced { // a replacement is planned once more, as a creation
		return diags
	}
	again := prior == nil && len(req.PriorPrivate) > 0
	if c != nil && again { // the user requested the replacement, of which the plan before knew nothing
		for _, name := range sorted(private.Records) {
			c.instances.NoteReplaced(c.leaving(private.prior(name, nil)))
		}
		diags.Append(c.checkDestruction(sorted(private.Records), config[attrMaxDeletions], firstApply)...)
	}
	diags.Append(s.checkCreations(ctx, config, prior, items, again)...)
	return diags
}

// plannedState returns the planned state: the configuration, or what the state holds if no entry
// changes.
func plannedState(configured *tfprotov6.DynamicValue, config, prior kind.Values, changed bool) (*tfprotov6.DynamicValue, error) {
	switch {
	case prior != nil && !changed:
		config[attrInstances] = prior[attrInstances]
	case config[attrDefaults].IsNull():
		return configured, nil
	}
	return encode(config)
}

// planDeletion checks that the deletion policy is possible, and that eNMS does not delete
// instances that other resources keep.
func (s *Server) planDeletion(ctx context.Context, state *tfprotov6.DynamicValue, private privateState) (diag.Diagnostics, error) {
	prior, err := decode(state)
	if err != nil || prior == nil {
		return nil, err
	}
	c, _ := s.collectionOf(prior)
	entries, _, _ := entriesOf(prior[attrInstances])
	items, _ := itemsOf(nil, entries, private, nil)
	workOf(items, c.instances.Provider.Deletes(c.settings)).tell(ctx, c.typ)
	diags := append(c.instances.CheckPolicy(prior), s.checkOthers(c, nil, private, items)...)
	if diags.Append(c.checkDestruction(sorted(entries), prior[attrMaxDeletions], firstApply)...); !diags.HasError() {
		diags.Append(c.warnOfLastTargets(ctx, items)...)
	}
	return diags, nil
}

// comparePlans compares the plan of a resource that has a state with those of other resources.
func (s *Server) comparePlans(config, prior kind.Values, state *tfprotov6.DynamicValue, private privateState, items []*item, replaced bool) diag.Diagnostics {
	if replaced {
		return s.checkReplaced(prior, private)
	}
	if c, _ := s.collectionOf(config); c != nil {
		return s.checkOthers(c, state, private, items)
	}
	return nil
}

// announce checks the deletions of a resource that is updated or replaced, and warns about tasks
// and services that lose their last target. A resource that is replaced is deleted by the
// settings in its state, as by destroy.
func (s *Server) announce(ctx context.Context, config, prior kind.Values, private privateState, items []*item, replaced bool) (diags diag.Diagnostics) {
	before, _, _ := entriesOf(prior[attrInstances])
	c, _ := s.collectionOf(config)
	if c == nil {
		return nil
	}
	if !replaced {
		diags = c.checkDeletions(c.deletions(items), len(before), config[attrMaxDeletions])
		diags = append(diags, workOf(items, c.instances.Provider.Deletes(c.settings)).longRenames(c.typ)...)
		return append(diags, c.warnOfLastTargets(ctx, items)...)
	}
	if was, _ := s.collectionOf(prior); was != nil {
		configured, _, _ := entriesOf(config[attrInstances])
		diags = was.checkDestruction(sorted(before), prior[attrMaxDeletions], firstApply)
		diags.Append(was.warnOfReplacedTargets(ctx, before, private, c, configured)...)
	}
	return diags
}

// plan plans all entries, and reports whether any of them changes.
func (s *Server) plan(ctx context.Context, config, prior kind.Values, private privateState) (changed bool, items []*item, diags diag.Diagnostics) {
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
	if prior != nil && prior[attrType].Equal(config[attrType]) {
		before, _, _ = entriesOf(prior[attrInstances])
	}
	items, found = itemsOf(configured, before, private, textsOf(config[attrRenames]))
	diags.Append(found...)
	for _, i := range items {
		diags.Append(ofEntry(i.name, c.planItem(i))...)
		changed = changed || i.differs
	}
	if !diags.HasError() {
		diags.Append(c.checkAgainstServer(ctx, items)...)
	}
	config[attrDefaults] = c.plannedDefaults(items, prior[attrDefaults])
	changed = changed || !config[attrDefaults].Equal(prior[attrDefaults])
	return changed, items, append(diags, c.checkStaying(items)...)
}

// checkCreations refuses entries of a type that eNMS does not have, and entries whose instances
// another resource of the same plan creates or keeps, too, and looks up whether the names are free.
// again is set for the second half of a replacement.
func (s *Server) checkCreations(ctx context.Context, config, prior kind.Values, items []*item, again bool) (diags diag.Diagnostics) {
	c, _ := s.collectionOf(config)
	if c == nil {
		return nil
	}
	created := slices.DeleteFunc(slices.Clone(items), func(i *item) bool { return i.prior != nil || i.removed || i.planned == nil })
	if len(created) == 0 {
		return nil
	}
	if diags = c.instances.CheckType(ctx, c.typ); diags.HasError() {
		return diags
	}
	var own map[string]entry
	if prior != nil {
		own, _, _ = entriesOf(prior[attrInstances])
	}
	for _, i := range created {
		found := c.instances.CheckCreation(i.planned)
		if again {
			c.instances.NoteReplaced(i.planned)
		} else if _, is := own[i.name]; !is { // otherwise another entry of this resource gives the name up
			found.Append(c.instances.CheckAdoption(i.planned)...)
		}
		diags.Append(ofEntry(i.name, found)...)
	}
	if !diags.HasError() {
		diags.Append(c.checkFree(ctx, created)...)
	}
	return diags
}
