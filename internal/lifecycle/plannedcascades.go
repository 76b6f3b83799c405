// This file refuses plans that delete one instance and keep another one that eNMS would delete
// with it (run_cascades.go).

package lifecycle

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Meet notes the plan of a resource, and returns what does not go with the plans of other
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
	for _, typ := range r.kind.Types(state) {
		all = append(all, reference{typ, value.Text(state[kind.RowName])})
	}
	return all
}

// deletion returns the deletion of the instance of a state; nil when eNMS deletes nothing
// along, or when the deletion policy leaves it in eNMS.
func (r *Instances) deletion(plan *Changes, state kind.Values, replaced bool) *plannedDeletion {
	if len(r.kind.Cascades) == 0 || !r.Deletes(state) {
		return nil
	}
	return &plannedDeletion{plan: plan, kind: r.kind.Name, name: value.Text(state[kind.RowName]),
		references: r.references(state), cascade: r.policy(state) == kind.PolicyCascade, replaced: replaced}
}

// PlanDeletion notes that the instance of a state is deleted, and perhaps created again.
func (r *Instances) PlanDeletion(plan *Changes, state kind.Values, replaced bool) {
	plan.gone = append(plan.gone, reference{r.kind.Name, value.Text(state[kind.RowName])})
	if deletion := r.deletion(plan, state, replaced); deletion != nil {
		plan.deletions = append(plan.deletions, deletion)
	}
}

// planChange notes what becomes of the instance of a prior state, nil when there is none. It
// is replaced when another one is that takes it along.
func (r *Instances) planChange(plan *Changes, dependences []kind.Dependence, planned *kind.Plan, prior kind.Values) {
	plan.as = reference{r.kind.Name, value.Text(planned.Planned()[kind.RowName])}
	if prior == nil {
		plan.created = true
		return
	}
	d := r.Dependent(plan, dependences, prior)
	if d != nil && r.provider != nil && r.provider.cascades.replacedWith(d, r.Dependent(plan, dependences, planned.Planned())) {
		planned.Recreate()
	}
	if len(planned.Replaced()) > 0 {
		r.PlanDeletion(plan, prior, true)
		return
	}
	plan.stays = r.deletion(plan, prior, true)
	if d != nil {
		d.planned = plan.as
		plan.dependents = append(plan.dependents, d)
	}
}

// Dependent returns the instance of a state as one that is kept; nil when eNMS deletes it
// with no other.
func (r *Instances) Dependent(plan *Changes, dependences []kind.Dependence, state kind.Values) *Dependent {
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
