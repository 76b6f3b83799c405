// This file refuses plans of two resources that want the same object (run_plans.go): two that
// create it, or one that deletes or takes over what another one keeps.

package lifecycle

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// CheckCreation refuses the plan of a creation if another resource of the same plan creates
// an object with that name. Nothing is known as long as the name or the type is not.
func (r *Instances) CheckCreation(planned kind.Values, of Fingerprint) (diags diag.Diagnostics) {
	name := value.Text(planned[kind.RowName])
	if r.provider == nil || name == "" || r.kind.Namespace == "" || !r.provider.planned.create(objectKey{r.kind.Namespace, name}, of) {
		return nil
	}
	diags.AddAttributeError(path.Root(kind.RowName), "Duplicate name",
		fmt.Sprintf("Another resource of the same configuration creates an object named %q, too, and both share one set of names in eNMS. Keep one of the two, or give one of them another name.", name))
	return diags
}

// Held returns the object of a state.
func (r *Instances) Held(state kind.Values) Held {
	return Held{heldObject: heldObject{r.kind.Namespace, value.Text(state[kind.RowName]), value.Text(state[kind.RowID])}, typ: r.kind.Name}
}

// heldBy returns the object of a state in the plan of a resource.
func (r *Instances) heldBy(of Fingerprint, state kind.Values) Held {
	held := r.Held(state)
	held.of = of
	return held
}

// CheckDeletion refuses the plan of a deletion if another resource of the same plan keeps the
// object: both have it, most often because an apply was interrupted that brought it to
// another address.
func (r *Instances) CheckDeletion(state kind.Values) diag.Diagnostics {
	gone := r.Held(state)
	if r.provider == nil || r.policy(state) == kind.PolicyAbandon || !r.provider.planned.delete(gone.heldObject) {
		return nil
	}
	return diag.Diagnostics{gone.destroyed()}
}

// CheckAdoption refuses the plan of an entry that would take over what another resource of the
// same plan keeps.
func (r *Instances) CheckAdoption(planned kind.Values) diag.Diagnostics {
	return r.checkAdoption(planned, Fingerprint{})
}

// checkAdoption refuses the plan of a creation that would take over what another resource of
// the same plan keeps: both would have it, also when the other one is to rename it.
func (r *Instances) checkAdoption(planned kind.Values, of Fingerprint) diag.Diagnostics {
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
// plan deletes one of them, or takes it over. The list is asked for only if there is such a
// plan.
func (p *Provider) CheckKept(list func() []Held) (diags diag.Diagnostics) {
	if p == nil {
		return nil
	}
	deleted, adopted := p.planned.keep(list)
	for _, kept := range deleted {
		diags.Append(kept.destroyed())
	}
	for _, kept := range adopted {
		diags.Append(kept.adopted())
	}
	return diags
}

// adopted returns the error of an object that one resource takes over and another one keeps.
func (h Held) adopted() diag.Diagnostic {
	return diag.NewErrorDiagnostic(fmt.Sprintf("Cannot take over %s %q in this apply", h.typ, h.name),
		fmt.Sprintf("Another resource of the same configuration manages it (id %s). Because adopt_existing is set, this plan would take it over. If the other resource is to be renamed, first apply that without the new resource, or without the replacement. If the other resource refers to the new one, or is to get its name, give it a third name first. Otherwise keep one of the two, or give one of them another name.", h.id))
}

// destroyed returns the error of an object that one resource deletes and another one keeps.
func (h Held) destroyed() diag.Diagnostic {
	return diag.NewErrorDiagnostic(fmt.Sprintf("Cannot destroy %s %q in this apply", h.typ, h.name),
		fmt.Sprintf("Two resources of the same configuration have %s %q (id %s), and this plan deletes it in one of them, which would delete it for both. Remove it from the state there: for an entry that is removed from enms_instances, set deletion_policy = \"abandon\" for one apply; for a resource that is destroyed, write a removed block with destroy = false, or run terraform state rm with its address.", h.typ, h.name, h.id))
}

// Saw notes names in a state of the run, in a list that is asked for only when it matters:
// Terraform hands over each state before it is planned, and mostly nothing comes of it.
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

// Applying notes that Terraform applies: what is planned from now on was planned before.
func (p *Provider) Applying() {
	if p != nil {
		p.planned.apply()
	}
}

// Free notes that the plan of a resource gives up the name of an instance.
func (r *Instances) Free(state kind.Values) {
	if r.provider != nil {
		r.provider.planned.free(objectKey{r.kind.Namespace, value.Text(state[kind.RowName])})
	}
}
