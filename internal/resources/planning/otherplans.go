// This file records what later plans must know of the plan of a resource. Package applying says why they must.

package planning

import (
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// AddPlanned records the name of a planned instance, to which later plans may refer.
func (r *Checker) AddPlanned(planned kind.Values) {
	if key := r.NameOf(planned); key.Text != "" {
		r.Provider.Run.Plans.Planned.Add(key)
	}
}

// AddReplaced records that the instance of a state is replaced.
func (r *Checker) AddReplaced(state kind.Values) {
	if !r.Provider.Deletes(state) {
		return
	}
	for _, typ := range relate.Types(r.Kind, state) {
		r.Provider.Run.Plans.Replace(applying.Reference{Type: typ, Name: value.Text(state[kind.RowName])}, r.Provider.Policy(state) == kind.PolicyCascade)
	}
}

// GoesWithReplaced reports whether eNMS deletes the instance of a state because this run replaces another
// instance to which it refers, such as the service of an edge. Terraform plans a resource after those that it
// refers to, and changes it only after it has replaced them.
//
// What eNMS deletes with any parent is replaced also if it refers to another one by then: an edge whose service is
// replaced under another name would be gone before its update. The plan knows a replaced instance by its name in the
// state, and, with -replace, only by that in the plan.
func (r *Checker) GoesWithReplaced(planned, prior kind.Values) bool {
	for _, dependence := range relate.Dependences(r.Kind, r.Provider.Kinds) {
		parents := dependence.Parents(prior)
		if !value.Same(planned[dependence.Attribute], prior[dependence.Attribute]) {
			if !dependence.Allowed {
				continue
			}
			parents = append(parents, dependence.Parents(planned)...)
		}
		for _, parents := range parents {
			for _, name := range parents.Names {
				if r.Provider.Run.Plans.TakesAlong(applying.Reference{Type: parents.Type, Name: name}, dependence.Allowed) {
					return true
				}
			}
		}
	}
	return false
}

// DeletedWithParent reports whether this run has deleted an instance to which that of a state refers, and together with
// which eNMS deletes it.
func (r *Checker) DeletedWithParent(prior kind.Values) bool {
	for _, dependence := range relate.Dependences(r.Kind, r.Provider.Kinds) {
		for _, parents := range dependence.Parents(prior) {
			for _, name := range parents.Names {
				if parent := r.Provider.Run.Owners.Find(r.NamespaceOf(parents.Type), name, ""); parent != nil && parent.Status == applying.Deleted {
					return true
				}
			}
		}
	}
	return false
}
