// This file plans an instance: kind.NewPlan plans its attributes, and the checks here compare the
// plan with the other plans of the run. They refuse plans of two resources that want the same
// object, and plans that delete an instance and keep one that eNMS would delete with it. The
// plans of the run are recorded in run_plans.go and run_cascades.go. Package protocol calls it in
// the framework's place.

package lifecycle

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/payloads"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Planner plans the instances of a kind.
type Planner struct {
	kind     *kind.Kind
	kinds    []*kind.Kind
	provider func() *Provider
}

// NewPlanner returns the planner of a kind, which is one of kinds. provider returns the
// configured provider, nil while Terraform validates.
func NewPlanner(k *kind.Kind, kinds []*kind.Kind, provider func() *Provider) *Planner {
	return &Planner{kind: k, kinds: kinds, provider: provider}
}

// PlanRequest holds what the plan of a creation or an update depends on.
type PlanRequest struct {
	Config kind.Values
	Prior  kind.Values // nil for a creation
	// Private are the fields of the private state by their keys.
	Private map[string][]byte
	// Again is set for the creation that follows the deletion in a replacement, which
	// Terraform plans after the replacement itself.
	Again bool
}

// Plan plans a creation, an update or a replacement.
func (p *Planner) Plan(ctx context.Context, req PlanRequest) (*kind.Plan, diag.Diagnostics) {
	i := (&Instances{kind: p.kind, provider: p.provider()}).of(req.Config)
	config, prior := plans.WithDefaults(i.kind, req.Config, i.Defaults()), plans.Effective(i.kind, req.Prior)
	if i.provider.Ready() { // a response in the same run may echo a secret that was sent before
		i.provider.Client.AddSecrets(payloads.Secrets(i.kind, config))
	}
	plan, prior, diags := i.plan(config, prior, req.Private)
	defer plans.ShowDefaults(plan, req.Config, req.Prior, i.Defaults())
	own := value.Members(req.Config[kind.RowProperties])
	diags = plans.OwnFindings(diags, func(property string) bool { return own[property] != nil })
	of := sync.OnceValue(func() Fingerprint { return FingerprintOf(p.kind.TypeName(), value.ObjectOf(req.Config)) })
	changes := &Changes{}
	i.planChange(changes, relate.Dependences(i.kind, p.kinds), plan, prior)
	if !diags.HasError() {
		diags.Append(i.CheckCriteria(ctx, plan.Planned, prior)...)
	}
	switch {
	case diags.HasError():
	case prior == nil:
		diags.Append(i.CheckType(ctx, value.Text(plan.Planned[i.kind.SubtypeRow()]))...)
		named, err := i.named(ctx, config, plan.Planned)
		if err != nil && i.provider.lookups.failed.CompareAndSwap(false, true) {
			diags.Append(i.errorDiagnostic(verbPlan, value.Text(named[kind.RowName]), named, err)...)
		}
		diags.Append(i.CheckCreation(named, of())...)
		if req.Again {
			diags.Append(i.CheckAdoption(named, of())...)
			break
		}
		diags.Append(i.CheckAdoption(named, Fingerprint{})...)
		if !diags.HasError() && !config[kind.RowName].IsNull() {
			diags.Append(i.CheckName(ctx, plan.Planned)...)
		}
	case len(plan.Replaced) > 0:
		i.Free(prior)
		diags.Append(i.CheckDeletion(prior)...)
		again := plan.Planned[kind.RowName].Equal(prior[kind.RowName])
		diags.Append(i.LastTargets(ctx, Deletion{State: prior, Again: again})...)
	default:
		if !plan.Planned[kind.RowName].Equal(prior[kind.RowName]) {
			i.Free(prior)
			diags.Append(i.checkRename(prior, of())...)
		}
		diags.Append(i.provider.CheckKept(func() []Held { return []Held{i.Held(prior, of())} })...)
	}
	i.NotePlanned(plan.Planned)
	if !diags.HasError() {
		diags.Append(i.CheckReferences(ctx, plan.Planned, prior)...)
	}
	return plan, append(diags, i.meet(changes)...)
}

// PlanDeletion plans the deletion of the instance of a state.
func (p *Planner) PlanDeletion(ctx context.Context, prior kind.Values) diag.Diagnostics {
	i, changes := (&Instances{kind: p.kind, provider: p.provider()}).of(prior), &Changes{}
	i.Free(prior)
	i.PlanDeletion(changes, prior, false)
	diags := slices.Concat(i.CheckPolicy(prior), i.meet(changes), i.CheckDeletion(prior))
	if !diags.HasError() {
		diags.Append(i.LastTargets(ctx, Deletion{State: prior})...)
	}
	return diags
}

// SawState records the name in a state, which Terraform stores in JSON.
func (p *Planner) SawState(state []byte) {
	p.provider().Saw(func() []Name {
		var members map[string]any
		if json.Unmarshal(state, &members) != nil {
			return nil // a read of this state returns the error
		}
		name, _ := members[kind.RowName].(string)
		subtype, _ := members[p.kind.SubtypeRow()].(string)
		return []Name{p.nameOf(name, subtype)}
	})
}

// SawInstance records the name in a state.
func (p *Planner) SawInstance(state kind.Values) {
	p.provider().Saw(func() []Name {
		return []Name{p.nameOf(value.Text(state[kind.RowName]), value.Text(state[p.kind.SubtypeRow()]))}
	})
}

func (p *Planner) nameOf(name, subtype string) Name {
	of := p.kind.For(kind.Values{p.kind.SubtypeRow(): tftypes.NewValue(tftypes.String, subtype)})
	return Name{of.Namespace, name}
}

// plan plans the attributes of an instance that is configured. before is the prior state,
// with the name and the id that the instance is known by.
func (r *Instances) plan(config, prior kind.Values, private map[string][]byte) (plan *kind.Plan, before kind.Values, diags diag.Diagnostics) {
	diags = r.CheckPolicy(config)
	var kept Record
	if prior != nil {
		var damaged diag.Diagnostics
		kept, damaged = decodeRecord(private[privateKey])
		diags.Append(damaged...)
		if kept.Moved && r.provider.Ready() { // there was no read between the move and the plan
			name := value.Text(prior[kind.RowName])
			diags.AddError(fmt.Sprintf("Cannot move %s %q without reading it", r.kind.Name, name),
				"A moved block from another type of resource takes only the name from the state. Plan without -refresh=false.")
		}
	}
	if known, warning := r.Known(value.Text(config[kind.RowName]), prior, kept); known != nil {
		plan = plans.New(r.kind, config, nil, nil, time.Now()) // the state holds the values of another instance
		return plan, known, slices.Concat(diags, warning, plan.Diagnostics)
	}
	plan = plans.New(r.kind, config, prior, kept.Managed, time.Now())
	if prior == nil && r.Adopts(plan.Planned) {
		plans.ForgetCriteria(plan)
		plans.ForgetMade(plan)
	}
	if kept.Unfinished != nil {
		plan.Forget(kind.RowID) // so that there is something to do
	}
	if name := plan.Planned[kind.RowName]; name.IsKnown() && kept.IsGone(value.Text(name)) {
		plan.Recreate()
	}
	diags.Append(plan.Diagnostics...)
	return plan, prior, diags
}

// Known returns the instance of a resource after its state got the values of another instance: a
// read found the other one under the name in the state (Record.PossibleID), while the plan uses
// the new name of the resource's own instance. In that case, it returns the state with the name
// and the id of the own instance, and a warning; otherwise nil.
func (r *Instances) Known(planned string, state kind.Values, kept Record) (known kind.Values, diags diag.Diagnostics) {
	known = kept.known(planned, state)
	if known == nil {
		return nil, nil
	}
	name, now := value.Text(state[kind.RowName]), value.Text(known[kind.RowName])
	diags.AddAttributeWarning(path.Root(kind.RowName), fmt.Sprintf("The %s %q is already named %q", r.kind.Name, name, now),
		fmt.Sprintf("An interrupted apply has renamed it: %q has its id (%s). This apply continues with that instance. %q (id %s) is another instance and is not changed.",
			now, value.Text(known[kind.RowID]), name, value.Text(state[kind.RowID])))
	return known, diags
}

// CheckCreation refuses the plan of a creation if another resource of the same plan creates an
// object with that name. It accepts an unknown name or type.
func (r *Instances) CheckCreation(planned kind.Values, of Fingerprint) (diags diag.Diagnostics) {
	name := value.Text(planned[kind.RowName])
	if r.provider == nil || name == "" || r.kind.Namespace == "" || !r.provider.planned.create(objectKey{r.kind.Namespace, name}, of) {
		return nil
	}
	diags.AddAttributeError(path.Root(kind.RowName), "Duplicate name",
		fmt.Sprintf("Another resource of the same configuration creates an object named %q, too, and both share one set of names in eNMS. Keep one of the two, or give one of them another name.", name))
	return diags
}

// Held returns the object of a state. of is the fingerprint of its resource, which is zero for
// entries of enms_instances.
func (r *Instances) Held(state kind.Values, of Fingerprint) Held {
	return Held{heldObject{r.kind.Namespace, value.Text(state[kind.RowName]), value.Text(state[kind.RowID])}, r.kind.Name, strings.Join(r.kind.Unique, ", "), of}
}

// CheckDeletion refuses the plan of a deletion if another resource of the same plan keeps the
// object: both states have it, usually because an apply was interrupted that moved it to another
// address.
func (r *Instances) CheckDeletion(state kind.Values) diag.Diagnostics {
	gone := r.Held(state, Fingerprint{})
	if r.provider == nil || r.policy(state) == kind.PolicyAbandon || !r.provider.planned.delete(gone.heldObject) {
		return nil
	}
	return diag.Diagnostics{gone.destroyed()}
}

// checkRename refuses the plan of a rename if another resource of the same plan keeps the object:
// both states have it, usually because an apply was interrupted that replaced the object of the
// one and created the object of the other under its name.
func (r *Instances) checkRename(prior kind.Values, of Fingerprint) diag.Diagnostics {
	object := r.Held(prior, of)
	if r.provider == nil || !r.provider.planned.rename(object.heldObject, of) {
		return nil
	}
	return diag.Diagnostics{object.renamed()}
}

// CheckAdoption refuses the plan of a creation that would adopt an object that another resource
// of the same plan keeps: both would have it, even if the other resource renames it. of is the
// fingerprint of a replaced resource, otherwise zero.
func (r *Instances) CheckAdoption(planned kind.Values, of Fingerprint) diag.Diagnostics {
	name := value.Text(planned[kind.RowName])
	if r.provider == nil || name == "" || r.kind.Namespace == "" || !r.Adopts(planned) {
		return nil
	}
	if kept, is := r.provider.planned.adopt(objectKey{r.kind.Namespace, name}, of); is {
		return diag.Diagnostics{kept.adopted()}
	}
	return nil
}

// CheckKept refuses the plan of a resource that keeps objects if another resource of the same
// plan deletes, adopts or renames one of them. It calls list only if there is such a plan.
func (p *Provider) CheckKept(list func() []Held) (diags diag.Diagnostics) {
	if p == nil {
		return nil
	}
	deleted, adopted, renamed := p.planned.keep(list)
	for _, kept := range deleted {
		diags.Append(kept.destroyed())
	}
	for _, kept := range adopted {
		diags.Append(kept.adopted())
	}
	for _, kept := range renamed {
		diags.Append(kept.renamed())
	}
	return diags
}

// adopted returns the error of an object that one resource takes over and another one keeps.
func (h Held) adopted() diag.Diagnostic {
	place := ""
	if h.unique != "" {
		place = fmt.Sprintf(" If a new %s is to have what this one has now (%s), set adopt_existing = false for the new one: it is then created after this one has changed.", h.typ, h.unique)
	}
	return diag.NewErrorDiagnostic(fmt.Sprintf("Cannot take over %s %q in this apply", h.typ, h.name),
		fmt.Sprintf("Another resource of the same configuration manages it (id %s). Because adopt_existing is set, this plan would take it over. If the other resource is to be renamed, first apply that without the new resource, or without the replacement. If the other resource refers to the new one, or is to get its name, give it a third name first. Otherwise keep one of the two, or give one of them another name.%s", h.id, place))
}

// destroyed returns the error of an object that one resource deletes and another one keeps.
func (h Held) destroyed() diag.Diagnostic {
	return diag.NewErrorDiagnostic(fmt.Sprintf("Cannot destroy %s %q in this apply", h.typ, h.name),
		fmt.Sprintf("Two resources of the same configuration have %s %q (id %s), and this plan deletes it in one of them, which would delete it for both. Remove it from the state there: for an entry that is removed from enms_instances, set deletion_policy = \"abandon\" for one apply; for a resource that is destroyed, write a removed block with destroy = false, or run terraform state rm with its address.", h.typ, h.name, h.id))
}

// renamed returns the error of an object that one resource renames and another one keeps.
func (h Held) renamed() diag.Diagnostic {
	return diag.NewErrorDiagnostic(fmt.Sprintf("Cannot rename %s %q in this apply", h.typ, h.name),
		fmt.Sprintf("Two resources of the same configuration have %s %q (id %s), and this plan renames it in one of them, which would take it from the other. This happens when an apply was interrupted that replaced the one and created the other under its name. Run terraform state rm with the address of the one that is to be renamed, and apply again: its own %s is then created.", h.typ, h.name, h.id, h.typ))
}

// Saw records a function that lists the names in a state. It is called only if they matter:
// Terraform passes each state before it plans, and usually the names are not needed.
func (p *Provider) Saw(list func() []Name) {
	if p == nil {
		return
	}
	p.planned.mu.Lock()
	defer p.planned.mu.Unlock()
	if !p.planned.applied {
		p.planned.states = append(p.planned.states, list)
	}
}

// Applying records that Terraform applies: all plans from now on repeat earlier ones.
func (p *Provider) Applying() {
	if p != nil {
		p.planned.apply()
	}
}

// Free records that the plan of a resource gives up the name of an instance.
func (r *Instances) Free(state kind.Values) {
	if r.provider != nil {
		r.provider.planned.free(objectKey{r.kind.Namespace, value.Text(state[kind.RowName])})
	}
}

// Meet records the plan of a resource, and returns its conflicts with the plans of other
// resources in this run.
func (p *Provider) Meet(plan *Changes) []Conflict {
	if p == nil {
		return nil
	}
	return p.cascades.meet(plan)
}

// meet is Provider.Meet for the plan of a resource of one instance.
func (r *Instances) meet(plan *Changes) (diags diag.Diagnostics) {
	for _, conflict := range r.provider.Meet(plan) {
		diags.Append(conflict.Error)
	}
	return diags
}

// references returns the types of the instance of a state with its name.
func (r *Instances) references(state kind.Values) (all []reference) {
	for _, typ := range relate.Types(r.kind, state) {
		all = append(all, reference{typ, value.Text(state[kind.RowName])})
	}
	return all
}

// deletion returns the planned deletion of the instance of a state, or nil if eNMS deletes
// nothing with it or the deletion policy leaves it in eNMS.
func (r *Instances) deletion(plan *Changes, state kind.Values, replaced bool) *plannedDeletion {
	if len(r.kind.Cascades) == 0 || !r.Deletes(state) {
		return nil
	}
	return &plannedDeletion{plan: plan, kind: r.kind.Name, name: value.Text(state[kind.RowName]),
		references: r.references(state), cascade: r.policy(state) == kind.PolicyCascade, replaced: replaced}
}

// PlanDeletion records that the instance of a state is deleted; replaced means that it is
// created again.
func (r *Instances) PlanDeletion(plan *Changes, state kind.Values, replaced bool) {
	plan.gone = append(plan.gone, reference{r.kind.Name, value.Text(state[kind.RowName])})
	if deletion := r.deletion(plan, state, replaced); deletion != nil {
		plan.deletions = append(plan.deletions, deletion)
	}
}

// planChange records the plan of an instance. prior is nil for a creation. The instance is
// replaced, too, if another one is replaced and eNMS would delete this one with it.
func (r *Instances) planChange(plan *Changes, dependences []relate.Dependence, planned *kind.Plan, prior kind.Values) {
	plan.as = reference{r.kind.Name, value.Text(planned.Planned[kind.RowName])}
	if prior == nil {
		plan.created = true
		return
	}
	d := r.Dependent(plan, dependences, prior)
	if d != nil && r.provider != nil && r.provider.cascades.replacedWith(d, r.Dependent(plan, dependences, planned.Planned)) {
		planned.Recreate()
	}
	if len(planned.Replaced) > 0 {
		r.PlanDeletion(plan, prior, true)
		return
	}
	plan.stays = r.deletion(plan, prior, true)
	if d != nil {
		d.planned = plan.as
		plan.dependents = append(plan.dependents, d)
	}
}

// Dependent returns the instance of a state as a dependent that is kept, or nil if eNMS never
// deletes it together with another one.
func (r *Instances) Dependent(plan *Changes, dependences []relate.Dependence, state kind.Values) *Dependent {
	d := &Dependent{plan: plan, instance: instance{r.kind.Name, value.Text(state[kind.RowName]), value.Text(state[kind.RowID])}}
	for _, dependence := range dependences {
		for _, holders := range dependence.Holders(state) {
			for _, name := range holders.Names {
				d.holders = append(d.holders, reference{holders.Type, name})
				d.attribute, d.allowed = dependence.Attribute, dependence.Allowed
			}
		}
	}
	if len(d.holders) == 0 {
		return nil
	}
	return d
}
