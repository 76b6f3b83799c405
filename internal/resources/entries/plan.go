// This file plans the resource: whether any entry changes. planItem in collection.go plans each entry,
// plancheck.go checks the plan against eNMS, and deletions.go checks how many entries are deleted.

package entries

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/protocol"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/planning"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// PlanResourceChange plans entry by entry. Terraform accepts either the configuration or the state as a
// plan: if the entries are only written differently, the plan is the state.
func (s *Server) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	resp := &tfprotov6.PlanResourceChangeResponse{PlannedState: req.ProposedNewState, PlannedPrivate: req.PriorPrivate}
	private, diags := readPrivate(req.PriorPrivate)
	_, refused := s.provider().CheckAddress(private.server())
	diags.Append(refused...)
	destroyed, err := req.ProposedNewState.IsNull()
	if err == nil && destroyed && !diags.HasError() {
		diags, err = s.planDeletion(ctx, req.PriorState, private)
	}
	if err != nil || destroyed || diags.HasError() {
		resp.Diagnostics = diagnosticsOf(diags)
		return resp, err
	}
	// A shortcut for a state that is as configured, without a look at the entries.
	if !private.pending() && !s.provider().HasDefaults() && !s.provider().ReplacesAny() && bytes.Equal(req.Config.MsgPack, req.PriorState.MsgPack) {
		resp.PlannedState, resp.PlannedIdentity = req.PriorState, req.PriorIdentity
		return resp, nil
	}
	config, prior, err := decodeBoth(req.Config, req.PriorState)
	if err != nil {
		return nil, err
	}
	p := &resourcePlan{server: s, config: config, prior: prior, private: private, defaults: config[attrDefaults],
		replaced: prior != nil && !config[attrType].Equal(prior[attrType]), again: prior == nil && len(req.PriorPrivate) > 0}
	if diags = p.planEntries(ctx); !diags.HasError() {
		diags.Append(p.check(ctx)...)
	}
	if prior != nil && !reflect.DeepEqual(settingsOf(config), settingsOf(prior)) {
		private.State = settingsOf(prior)
		resp.PlannedPrivate = private.encode(&diags)
	}
	resp.Diagnostics = diagnosticsOf(diags)
	if p.replaced {
		resp.RequiresReplace = append(resp.RequiresReplace, protocol.Path(path.Root(attrType)))
	}
	planned := p.planned()
	resp.PlannedState = req.Config
	if p.unchanged || !p.defaults.IsNull() { // otherwise planned is the configuration, which is encoded already
		resp.PlannedState = encode(planned)
	}
	resp.PlannedIdentity = identityOf(planned)
	return resp, nil
}

// resourcePlan is the plan of the resource: what Terraform has passed, and what follows from it.
type resourcePlan struct {
	server        *Server
	config, prior kind.Values // prior is nil for a creation
	private       privateState
	replaced      bool // the type changes, and with it all instances
	again         bool // the creation after the deletion in a replacement

	collection *collection      // nil while the type is unknown
	configured map[string]entry // the entries of config
	before     map[string]entry // the entries of prior; nil for a creation
	items      []*item          // nil while the names of the entries are unknown
	defaults   tftypes.Value    // the attribute defaults as planned
	unchanged  bool             // no entry differs from the state
}

// planEntries plans all entries, and checks them against eNMS and against each other.
func (p *resourcePlan) planEntries(ctx context.Context) (diags diag.Diagnostics) {
	if p.server.provider().HasDefaults() {
		p.defaults = unknownDefaults
	}
	p.before, _, _ = p.private.entriesOf(p.prior)
	c, diags := p.server.collectionOf(p.config)
	p.collection = c
	if c == nil || diags.HasError() {
		return diags
	}
	diags.Append(checkSettings(p.config)...)
	diags.Append(c.instances.Checker.CheckPolicy(p.config)...)
	configured, known, found := entriesOf(p.config[attrInstances])
	diags.Append(found...)
	p.configured = configured
	if !known {
		return diags
	}
	before := p.before
	if p.replaced { // all entries are created anew
		before = nil
	}
	p.items, found = c.itemsOf(configured, before, p.private, textsOf(p.config[attrRenames]))
	diags.Append(found...)
	recreated := c.recreate(p.items)
	changed := false // recreated are creations, which differ
	for _, i := range p.items {
		diags.Append(ofEntry(i.name, c.planItem(ctx, i))...)
		changed = changed || i.differs
	}
	if !diags.HasError() {
		diags.Append(c.checkAgainstServer(ctx, p.items)...)
	}
	p.defaults = c.plannedDefaults(p.items, p.prior[attrDefaults])
	if len(recreated) > 0 {
		diags.Append(p.showRecreated(recreated)...)
	}
	p.unchanged = p.prior != nil && !changed && p.defaults.Equal(p.prior[attrDefaults])
	return append(diags, c.checkStaying(p.items)...)
}

// recreate makes creations of the items whose instances eNMS deletes with others that this run replaces, and returns
// their names.
func (c *collection) recreate(items []*item) (names []string) {
	checker := c.instances.Checker
	if !c.instances.Provider.ReplacesAny() || len(relate.Dependences(c.kind, c.kinds)) == 0 {
		return nil
	}
	for _, i := range items {
		if i.prior == nil || i.entry == nil { // it is created, removed, or may be anything
			continue
		}
		config, _ := c.configOf(i.name, i.entry)
		if prior := c.derive(i.prior).state; checker.GoesWithReplaced(config, prior) || checker.DeletedWithParent(prior) {
			c.addReplaced(i.prior)
			i.prior = nil
			names = append(names, i.name)
		}
	}
	return names
}

// showRecreated makes the plan an update, for Terraform sees no change in entries that are created again: the attribute
// `defaults` becomes unknown. The plan that Terraform makes during an apply leaves it known if it can, because an
// instance whose deletion the first plan did not foresee may be among them.
func (p *resourcePlan) showRecreated(names []string) (diags diag.Diagnostics) {
	isApplying := p.server.provider().Run.Plans.IsApplying()
	if !isApplying || p.config[attrInstances].Equal(p.prior[attrInstances]) {
		p.defaults = unknownDefaults
	}
	if !isApplying {
		diags.AddWarning(fmt.Sprintf("Instances to be created again: %d", len(names)),
			fmt.Sprintf("eNMS deletes these together with instances that this plan replaces, and the apply creates them again, with new ids: %s. Terraform shows only that defaults is known after the apply, because no entry differs.", resources.AllQuoted(names)))
	}
	return diags
}

// planned returns the planned values: those of the configuration, or the entries of the state if none of
// them changes.
func (p *resourcePlan) planned() kind.Values {
	planned := maps.Clone(p.config)
	planned[attrDefaults] = p.defaults
	if p.unchanged {
		planned[attrInstances] = p.prior[attrInstances]
	}
	return planned
}

// check checks the plan of the entries against the limits of the resource and against eNMS.
func (p *resourcePlan) check(ctx context.Context) (diags diag.Diagnostics) {
	c := p.collection
	switch {
	case p.replaced: // it is planned once more, as a creation
		return p.checkReplacement(ctx)
	case c == nil:
		return nil
	case p.prior != nil:
		diags = p.checkUpdate(ctx)
	}
	if diags.HasError() {
		return diags
	}
	if p.again {
		diags.Append(p.checkDeletionAgain()...)
	}
	diags.Append(p.checkCreations(ctx)...)
	return diags
}

// checkDeletionAgain checks the deletion in a replacement when Terraform plans its second half, the creation. If the
// user has requested the replacement with -replace, the first half was planned as an update, without a deletion.
func (p *resourcePlan) checkDeletionAgain() diag.Diagnostics {
	state := p.config
	if p.private.State != nil {
		state = p.private.State.values()
	}
	was, diags := p.server.collectionOf(state)
	if was == nil || diags.HasError() {
		return diags
	}
	for _, name := range sorted(p.private.Records) {
		was.addReplaced(p.private.prior(name, nil))
	}
	return append(diags, was.checkDestruction(sorted(p.private.Records), state[attrMaxDeletions], adviceFirstApply)...)
}

// checkUpdate checks the plan of an update: the identity of each instance that is changed or deleted, and the number of
// deletions. It warns about tasks and services that lose their last target.
func (p *resourcePlan) checkUpdate(ctx context.Context) diag.Diagnostics {
	c := p.collection
	renames := c.likelyRenames(p.items, p.before, p.configured)
	return slices.Concat(c.checkIdentities(ctx, p.items),
		c.checkDeletions(c.deletions(p.items), len(p.before), p.config[attrMaxDeletions], renames), c.warnOfLastTargets(ctx, p.items))
}

// checkReplacement is checkUpdate for a resource all of whose entries are replaced. They are deleted by
// the settings in the state, as destroy does.
func (p *resourcePlan) checkReplacement(ctx context.Context) diag.Diagnostics {
	was, diags := p.server.collectionOf(p.prior)
	if was == nil || diags.HasError() {
		return diags
	}
	for _, name := range sorted(p.before) {
		before := p.private.prior(name, p.before[name])
		was.addReplaced(before) // which derives its state and record
		diags.Append(ofEntry(name, was.instances.Checker.CheckIdentityToDelete(was.stateToDelete(before), before.instance))...)
	}
	if p.collection == nil {
		return diags
	}
	diags.Append(was.checkDestruction(sorted(p.before), p.prior[attrMaxDeletions], adviceFirstApply)...)
	diags.Append(p.warnOfReplacedTargets(ctx, was)...)
	return diags
}

// addReplaced records for the plans of other resources that an instance is deleted, and its resource created
// again.
func (c *collection) addReplaced(p *priorEntry) {
	c.instances.Checker.AddReplaced(c.stateToDelete(p))
}

// warnOfReplacedTargets is warnOfLastTargets for a resource all of whose entries are replaced. was is
// the collection of these entries.
func (p *resourcePlan) warnOfReplacedTargets(ctx context.Context, was *collection) diag.Diagnostics {
	var deletions []planning.Deletion
	for name, e := range p.before {
		d := planning.Deletion{State: was.stateToDelete(p.private.prior(name, e))}
		_, stays := p.configured[value.Text(d.State[kind.RowName])]
		d.Again = stays && p.collection.kind.Name == was.kind.Name
		deletions = append(deletions, d)
	}
	return was.instances.Checker.LastTargets(ctx, deletions...)
}

// checkCreations checks the entries that are created: that eNMS has their type, and that their names are free, except
// for those that this apply frees before.
func (p *resourcePlan) checkCreations(ctx context.Context) (diags diag.Diagnostics) {
	c := p.collection
	created := slices.DeleteFunc(slices.Clone(p.items), func(i *item) bool {
		return i.prior != nil || i.removed || i.planned == nil || p.before[i.name] != nil // its name is freed before
	})
	if len(created) == 0 {
		return nil
	}
	if diags = c.instances.CheckType(ctx, c.typ); diags.HasError() {
		return diags
	}
	if p.again {
		for _, i := range created {
			c.instances.Checker.AddReplaced(i.planned)
		}
		created = slices.DeleteFunc(created, func(i *item) bool { _, had := p.private.Records[i.name]; return had })
	}
	return append(diags, c.lookUp(created, func(i *item) diag.Diagnostics { return c.instances.Checker.CheckName(ctx, i.planned) })...)
}

// planDeletion checks the deletion of the whole resource: the policy, the identity of each instance and max_deletions. It
// warns about tasks and services that lose their last target.
func (s *Server) planDeletion(ctx context.Context, state *tfprotov6.DynamicValue, private privateState) (diag.Diagnostics, error) {
	prior, err := decode(state)
	if prior == nil {
		return nil, err
	}
	c, diags := s.collectionOf(prior)
	entries, _, found := private.entriesOf(prior)
	if diags.Append(found...); diags.HasError() {
		return diags, nil
	}
	items := removedItems(entries, private)
	diags.Append(slices.Concat(c.instances.Checker.CheckPolicy(prior), c.checkIdentities(ctx, items))...)
	if diags.Append(c.checkDestruction(sorted(entries), prior[attrMaxDeletions], adviceFirstApply)...); !diags.HasError() {
		diags.Append(c.warnOfLastTargets(ctx, items)...)
	}
	return diags, nil
}
