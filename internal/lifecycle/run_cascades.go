// This file records what the plans of one run delete, and what they keep that eNMS would delete
// with it. Terraform destroys an instance before it updates the instances that referred to it,
// and eNMS deletes those that still refer to it (enms-rest.md 3). So a plan that destroys the one
// and keeps the other cannot be applied. Terraform plans the two in any order: the plan that
// comes second finds the conflict.

package lifecycle

import (
	"fmt"
	"slices"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

// reference is one of the types of an instance, by which others refer to it, and its name.
type reference struct{ typ, name string }

// Changes are the part of a resource's plan that matters for cascades: what it deletes, and
// what it keeps that could be deleted with something else.
type Changes struct {
	deletions  []*plannedDeletion
	dependents []*Dependent
	waiting    []func() []*Dependent
	gone       []reference      // the kinds and names of instances that are deleted, or replaced
	stays      *plannedDeletion // set for an instance that is not deleted, in case the user requests its replacement
	as         reference        // the kind and the planned name of an instance that stays, or is created
	created    bool             // it is created, possibly in a replacement of an instance that an earlier plan kept
}

// plannedDeletion is an instance that a plan deletes.
type plannedDeletion struct {
	plan       *Changes
	kind, name string
	references []reference
	cascade    bool // its policy is "cascade"; with other policies, the deletion fails if there are dependents
	replaced   bool // it is created again afterwards
	told       int  // how many errors have named it
}

// takes reports whether the deletion cannot be applied because of a dependent. With a policy
// other than "cascade", an instance that is replaced is not deleted while something depends on
// it, unless the dependent is replaced too, which only its own plan will show.
func (d *plannedDeletion) takes(along *Dependent) bool {
	cascade := d.cascade || along.allowed
	if along.Removed {
		return !cascade
	}
	return cascade || !d.replaced
}

// Dependent is an instance that a plan keeps, or deletes only after the instance it depends
// on, so that eNMS would delete it together with that one.
type Dependent struct {
	Entry     string // the key of its entry in enms_instances
	Removed   bool   // the entry is removed by an update of its resource, which comes after the destruction of what it depends on
	plan      *Changes
	instance  instance
	allowed   bool      // it may be deleted with the other, whatever the policy
	planned   reference // its kind and its planned name
	attribute string    // an attribute that refers to what it depends on
	holders   []reference
	outdated  bool // there is a newer plan for the instance
}

// plannedCascades are the plans of a run. The zero value is ready to use.
type plannedCascades struct {
	mu         sync.Mutex
	deletions  map[reference]*plannedDeletion
	dependents map[reference][]*Dependent // by what they depend on
	kept       map[reference]*Dependent   // by their own kinds and names
	planned    map[reference]*Dependent   // by their kinds and planned names
	staying    map[reference]*plannedDeletion
	waiting    []func() []*Dependent // lists of dependents that are not called yet
}

// Conflict is an error of a plan, and the entry of enms_instances that it is about, or "" if it
// is about the resource.
type Conflict struct {
	Entry string
	Error diag.Diagnostic
}

// meet records the plan of a resource, and returns its conflicts with the plans recorded
// before.
func (all *plannedCascades) meet(plan *Changes) (conflicts []Conflict) {
	all.mu.Lock()
	defer all.mu.Unlock()
	for _, ref := range plan.gone {
		forget(all.kept, ref)
	}
	all.noteStaying(plan)
	added := slices.Clone(plan.dependents)
	if all.waiting = append(all.waiting, plan.waiting...); len(all.deletions)+len(plan.deletions) > 0 {
		for _, list := range all.waiting {
			added = append(added, list()...)
		}
		all.waiting = nil
	}
	all.add(added)
	for _, ref := range plan.gone { // an earlier plan may have kept it, which shows only when its list is called
		if d := all.kept[ref]; d != nil && d.plan != plan {
			forget(all.kept, ref)
		}
	}
	for _, d := range added {
		for _, ref := range d.holders {
			if deletion := all.deletions[ref]; deletion != nil && deletion.plan != plan && !d.outdated && deletion.takes(d) && deletion.told < maxNamed {
				deletion.told++
				conflicts = append(conflicts, Conflict{d.Entry, deletion.refusal([]instance{d.instance}, d.attribute)})
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

// noteStaying records an instance that is not deleted. If the user requested its replacement
// (-replace), Terraform plans it again, as a creation: then it is deleted after all.
func (all *plannedCascades) noteStaying(plan *Changes) {
	if plan.stays != nil {
		for _, ref := range plan.stays.references {
			delete(all.deletions, ref)
		}
		all.staying = put(all.staying, plan.as, plan.stays)
	}
	if !plan.created {
		return
	}
	forget(all.planned, plan.as)
	if deletion := all.staying[plan.as]; deletion != nil {
		plan.deletions = append(plan.deletions, deletion)
		delete(all.staying, plan.as)
	}
}

func (all *plannedCascades) add(dependents []*Dependent) {
	for _, d := range dependents {
		own := reference{d.instance.typ, d.instance.name}
		forget(all.kept, own)
		all.kept = put(all.kept, own, d)
		all.planned = put(all.planned, d.planned, d)
		for _, ref := range d.holders {
			all.dependents = put(all.dependents, ref, append(all.dependents[ref], d))
		}
	}
}

// forget marks the earlier plan of an instance as outdated.
func forget(plans map[reference]*Dependent, of reference) {
	if before := plans[of]; before != nil {
		before.outdated = true
		delete(plans, of)
	}
}

// delete records a deletion, and returns the instances that eNMS would delete with it although
// another plan keeps them.
func (all *plannedCascades) delete(deletion *plannedDeletion) (found []instance) {
	for _, ref := range deletion.references {
		all.deletions = put(all.deletions, ref, deletion)
		for _, d := range all.dependents[ref] {
			if d.plan != deletion.plan && !d.outdated && deletion.takes(d) && !slices.Contains(found, d.instance) {
				found = append(found, d.instance)
			}
		}
	}
	return found
}

// refusal returns the error of a deletion with which eNMS would delete others. attribute is
// the attribute at fault, if there is one.
func (d *plannedDeletion) refusal(along []instance, attribute string) diag.Diagnostic {
	summary := fmt.Sprintf("Cannot destroy %s %q in this apply", d.kind, d.name)
	remedy := "First apply a configuration that still holds %[2]q, and in which nothing else refers to it; then remove it and apply again. If %[2]q only moved to another address in the configuration, write a moved block instead. If %[2]q is a deposed object, first apply a configuration without the resources that refer to it."
	if d.replaced {
		remedy = "First apply a configuration in which nothing else refers to %[2]q; then replace it and apply again."
	}
	detail := fmt.Sprintf("eNMS would also delete: %[1]s. Terraform destroys %[2]q before it changes what refers to it. "+remedy, listed(along), d.name)
	if attribute != "" {
		return diag.NewAttributeErrorDiagnostic(path.Root(attribute), summary, detail)
	}
	return diag.NewErrorDiagnostic(summary, detail)
}

// replacedWith reports whether a dependent must be replaced because the instance that it
// depends on, before and after, is replaced.
func (all *plannedCascades) replacedWith(d, planned *Dependent) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	return slices.ContainsFunc(d.holders, func(ref reference) bool {
		deletion := all.deletions[ref]
		return deletion != nil && deletion.replaced && deletion.takes(d) && planned != nil && slices.Contains(planned.holders, ref)
	})
}

// Wait records a function that lists dependents. It is called only if something is deleted:
// usually nothing is, and there may be thousands of dependents.
func (c *Changes) Wait(list func() []*Dependent) { c.waiting = append(c.waiting, list) }
