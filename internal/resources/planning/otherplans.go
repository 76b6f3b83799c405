// This file records what later plans must know of the plan of a resource. Package applying says why they must.

package planning

import (
	"slices"

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
		takesAlong := func(ref applying.Reference) bool {
			return r.Provider.Run.Plans.TakesAlong(ref, dependence.Allowed)
		}
		if anyOf(parents, takesAlong) {
			return true
		}
	}
	return false
}

// DeletedWithParent reports whether this run has deleted an instance to which that of a state refers, and together with
// which eNMS deletes it.
func (r *Checker) DeletedWithParent(prior kind.Values) bool {
	isDeleted := func(ref applying.Reference) bool {
		return r.Provider.Run.Owners.HasDeleted(r.NamespaceOf(ref.Type), ref.Name)
	}
	return slices.ContainsFunc(relate.Dependences(r.Kind, r.Provider.Kinds), func(d relate.Dependence) bool {
		return anyOf(d.Parents(prior), isDeleted)
	})
}

// anyOf reports whether is is true for any of the related instances.
func anyOf(all []relate.Related, is func(applying.Reference) bool) bool {
	return slices.ContainsFunc(all, func(related relate.Related) bool {
		return slices.ContainsFunc(related.Names, func(name string) bool {
			return is(applying.Reference{Type: related.Type, Name: name})
		})
	})
}
