// This file lets the plans of one run of Terraform meet. Terraform destroys an instance
// before it changes what has referred to it, and eNMS deletes along with it what refers to
// it at that moment (enms-rest.md 3): a plan that destroys the one and keeps the other
// cannot be applied. The two are planned in any order, so the one that comes second tells.

package lifecycle

import (
	"fmt"
	"slices"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// reference is one of the types of an instance, by which others refer to it, and its name.
type reference struct{ typ, name string }

// Changes are what the plan of one resource does with instances, as far as others may be
// deleted with them, or they with others.
type Changes struct {
	deletions  []*plannedDeletion
	dependents []*Dependent
	waiting    []func() []*Dependent
	created    []reference // instances that are made anew, perhaps in place of what was kept
	kept       []reference // instances that are not deleted
}

// plannedDeletion is an instance that a plan deletes.
type plannedDeletion struct {
	plan       *Changes
	kind, name string
	references []reference
	cascade    bool // its policy is "cascade": others refuse to take anything along
	replaced   bool // it is created again
	told       int  // how many errors name it
}

// takes reports whether a dependent keeps a deletion from being applied. What is replaced
// under another policy than "cascade" is not deleted as long as something depends on it,
// unless that is replaced as well, which its plan does not say before.
func (d *plannedDeletion) takes(along *Dependent) bool {
	if along.Removed {
		return !d.cascade
	}
	return d.cascade || !d.replaced
}

// Dependent is an instance that a plan keeps, or deletes too late, and that eNMS would delete
// with others.
type Dependent struct {
	Entry     string // the key of its entry in enms_instances
	Removed   bool   // the entry is removed when Terraform updates its resource, after what it depends on was destroyed
	plan      *Changes
	instance  instance
	planned   reference // its kind and its planned name
	attribute string    // one of those that hold what it depends on
	holders   []reference
	outdated  bool // its plan is not the newest one about the instance
}

// plannedCascades are the plans of a run. The zero value is ready to use.
type plannedCascades struct {
	mu         sync.Mutex
	deletions  map[reference]*plannedDeletion
	dependents map[reference][]*Dependent // by what they depend on
	kept       map[reference]*Dependent   // by their own kinds and names
	planned    map[reference]*Dependent   // by their kinds and planned names
	waiting    []func() []*Dependent      // those that are not listed yet
}

// Conflict is an error of a plan, and the entry of enms_instances that it is about; "" when
// it is about the resource.
type Conflict struct {
	Entry string
	Error diag.Diagnostic
}

// meet notes the plan of a resource. It returns what does not go with the plans that were
// noted before.
func (all *plannedCascades) meet(plan *Changes) (conflicts []Conflict) {
	all.mu.Lock()
	defer all.mu.Unlock()
	for _, ref := range plan.created {
		forget(all.kept, ref)
		forget(all.planned, ref)
	}
	for _, ref := range plan.kept {
		delete(all.deletions, ref)
	}
	added := slices.Clone(plan.dependents)
	if all.waiting = append(all.waiting, plan.waiting...); len(all.deletions)+len(plan.deletions) > 0 {
		for _, list := range all.waiting {
			added = append(added, list()...)
		}
		all.waiting = nil
	}
	all.add(added)
	for _, d := range added {
		for _, ref := range d.holders {
			if deletion := all.deletions[ref]; deletion != nil && deletion.plan != plan && deletion.takes(d) && deletion.told < maxNamed {
				deletion.told++
				conflicts = append(conflicts, Conflict{d.Entry, deletion.refusal([]instance{d.instance}, d.attribute)})
				break
			}
		}
	}
	for _, deletion := range plan.deletions {
		if found := all.delete(deletion); len(found) > 0 {
			conflicts = append(conflicts, Conflict{Error: deletion.refusal(found, "")})
		}
	}
	return conflicts
}

// add notes dependents.
func (all *plannedCascades) add(dependents []*Dependent) {
	if all.dependents == nil {
		all.dependents, all.kept, all.planned = map[reference][]*Dependent{}, map[reference]*Dependent{}, map[reference]*Dependent{}
	}
	for _, d := range dependents {
		own := reference{d.instance.typ, d.instance.name}
		forget(all.kept, own)
		all.kept[own], all.planned[d.planned] = d, d
		for _, ref := range d.holders {
			all.dependents[ref] = append(all.dependents[ref], d)
		}
	}
}

// forget makes what was planned before for an instance outdated.
func forget(plans map[reference]*Dependent, of reference) {
	if before := plans[of]; before != nil {
		before.outdated = true
		delete(plans, of)
	}
}

// delete notes a deletion, and returns what another plan keeps that eNMS would delete along.
func (all *plannedCascades) delete(deletion *plannedDeletion) (found []instance) {
	if all.deletions == nil {
		all.deletions = map[reference]*plannedDeletion{}
	}
	for _, ref := range deletion.references {
		all.deletions[ref] = deletion
		for _, d := range all.dependents[ref] {
			if d.plan != deletion.plan && !d.outdated && deletion.takes(d) && !slices.Contains(found, d.instance) {
				found = append(found, d.instance)
			}
		}
	}
	return found
}

// refusal returns the error of a deletion by which eNMS would delete others along; attribute
// is the one at fault, if there is one.
func (d *plannedDeletion) refusal(along []instance, attribute string) diag.Diagnostic {
	summary := fmt.Sprintf("Cannot destroy %s %q in this apply", d.kind, d.name)
	remedy := "First apply a configuration that still holds %[2]q, and in which nothing else refers to it; then remove it and apply again. If %[2]q only has another address in the configuration, write a moved block instead."
	if d.replaced {
		remedy = "First apply a configuration in which nothing else refers to %[2]q; then replace it and apply again."
	}
	detail := fmt.Sprintf("eNMS would delete along with it: %[1]s. Terraform destroys %[2]q before it changes what refers to it. "+remedy, listed(along), d.name)
	if attribute != "" {
		return diag.NewAttributeErrorDiagnostic(path.Root(attribute), summary, detail)
	}
	return diag.NewErrorDiagnostic(summary, detail)
}

// Meet notes the plan of a resource, and returns what does not go with the plans of other
// resources in this run.
func (p *Provider) Meet(plan *Changes) []Conflict {
	if p == nil {
		return nil
	}
	return p.cascades.meet(plan)
}

// replacesAny reports whether one of the instances is replaced, and takes along what depends
// on it.
func (all *plannedCascades) replacesAny(refs []reference) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	return slices.ContainsFunc(refs, func(ref reference) bool {
		deletion := all.deletions[ref]
		return deletion != nil && deletion.replaced && deletion.cascade
	})
}

// Wait notes dependents of any of the kinds that are listed when something is deleted that
// they may depend on: mostly nothing is, and they may be thousands.
func (c *Changes) Wait(list func() []*Dependent) { c.waiting = append(c.waiting, list) }

// meet is Provider.Meet for the plan of a resource of one instance.
func (r *instances) meet(plan *Changes) (diags diag.Diagnostics) {
	for _, conflict := range r.provider.Meet(plan) {
		diags.Append(conflict.Error)
	}
	return diags
}

// references returns the types of the instance of a state with its name.
func (r *instances) references(state kind.Values) (all []reference) {
	for _, typ := range r.kind.Types(state) {
		all = append(all, reference{typ, value.Text(state[kind.RowName])})
	}
	return all
}

// planDeletion notes that the instance of a state is deleted, unless its deletion policy
// leaves it in eNMS.
func (r *instances) planDeletion(plan *Changes, state kind.Values) {
	plan.created = append(plan.created, reference{r.kind.Name, value.Text(state[kind.RowName])})
	policy := r.policy(state)
	if len(r.kind.Cascades) == 0 || policy == kind.PolicyAbandon || policy == kind.PolicyDisable {
		return
	}
	plan.deletions = append(plan.deletions, &plannedDeletion{plan: plan, kind: r.kind.Name, name: value.Text(state[kind.RowName]),
		references: r.references(state), cascade: policy == kind.PolicyCascade})
}

// planReplacement notes that the instance of a state is replaced.
func (r *instances) planReplacement(plan *Changes, state kind.Values) {
	r.planDeletion(plan, state)
	for _, d := range plan.deletions {
		d.replaced = true
	}
}

// planChange notes that the instance of a prior state is kept, unless it is replaced. It is
// replaced, too, when another one is that takes it along.
func (r *instances) planChange(plan *Changes, dependences []kind.Dependence, planned *kind.Plan, prior kind.Values) {
	var d *Dependent
	if prior != nil {
		d = r.dependent(plan, dependences, prior)
	}
	if d != nil && r.provider != nil && r.provider.cascades.replacesAny(d.holders) {
		planned.Recreate()
	}
	if prior == nil || len(planned.Replaced()) > 0 {
		for _, values := range []kind.Values{planned.Planned(), prior} {
			plan.created = append(plan.created, reference{r.kind.Name, value.Text(values[kind.RowName])})
		}
		if prior != nil {
			r.planReplacement(plan, prior)
		}
		return
	}
	plan.kept = r.references(prior)
	if d != nil {
		d.planned = reference{r.kind.Name, value.Text(planned.Planned()[kind.RowName])}
		plan.dependents = append(plan.dependents, d)
	}
}

// dependent returns the instance of a state as one that is kept; nil when eNMS deletes it
// with no other.
func (r *instances) dependent(plan *Changes, dependences []kind.Dependence, state kind.Values) *Dependent {
	d := &Dependent{plan: plan, instance: instance{r.kind.Name, value.Text(state[kind.RowName]), value.Text(state[kind.RowID])}}
	for _, dependence := range dependences {
		for _, holders := range dependence.Holders(state) {
			for _, name := range holders.Names {
				d.holders, d.attribute = append(d.holders, reference{holders.Type, name}), dependence.Attribute
			}
		}
	}
	if len(d.holders) == 0 {
		return nil
	}
	return d
}
