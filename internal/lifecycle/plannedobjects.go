// This file finds resources of one plan that want the same object: two that create it, or
// one that deletes or takes over what another one keeps. Terraform plans them in any order,
// so the one that comes second tells.

package lifecycle

import (
	"crypto/sha256"
	"fmt"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Fingerprint stands for the configuration of a resource. Terraform does not tell a provider
// which resource it plans, and plans one that is replaced twice: two plans with one
// fingerprint count as plans of one resource.
type Fingerprint [sha256.Size]byte

// FingerprintOf returns the fingerprint of a resource of a type. What is hashed is the text of
// the configuration, in which the keys of maps are in order: their encodings are not.
func FingerprintOf(typ string, config tftypes.Value) Fingerprint {
	return sha256.Sum256([]byte(typ + "\n" + config.String()))
}

// plannedObjects are the objects of the plans of a run. The zero value is ready for use.
type plannedObjects struct {
	mu      sync.Mutex
	created map[objectKey]Fingerprint // by their names
	adopted map[objectKey]bool        // the names that creations would take over
	kept    map[heldObject]bool
	keeper  map[objectKey]Held // what is kept, by the names
	deleted map[heldObject]bool
	waiting []func() []Held    // lists of what is kept that are not asked for yet
	freed   map[objectKey]bool // the names that plans give up, by a deletion or a rename
	states  []func() []Name    // lists of what states hold that are not asked for yet
	inState map[objectKey]bool // the names in the states of the run
	applied bool               // something was applied: what is planned now was planned before
}

// create notes that a resource creates an object, and reports whether another resource does,
// too.
func (p *plannedObjects) create(key objectKey, of Fingerprint) (twice bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.applied {
		return false
	}
	if first, noted := p.created[key]; noted {
		return first != of
	}
	if p.created == nil {
		p.created = map[objectKey]Fingerprint{}
	}
	p.created[key] = of
	return false
}

// keep notes that a resource keeps the objects of a list, which is asked for only if one is
// deleted or taken over, and returns those that another resource deletes or takes over.
func (p *plannedObjects) keep(list func() []Held) (deleted, adopted []Held) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.applied {
		return nil, nil
	}
	if p.waiting = append(p.waiting, list); len(p.deleted) == 0 && len(p.adopted) == 0 {
		return nil, nil
	}
	for _, kept := range p.listKept() {
		if p.deleted[kept.heldObject] {
			deleted = append(deleted, kept)
		}
		if p.adopted[objectKey{kept.namespace, kept.name}] {
			adopted = append(adopted, kept)
		}
	}
	return deleted, adopted
}

// adopt notes that a resource would take over what has a name, and returns what another
// resource keeps under it.
func (p *plannedObjects) adopt(key objectKey) (kept Held, is bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.applied {
		return Held{}, false
	}
	if p.adopted == nil {
		p.adopted = map[objectKey]bool{}
	}
	p.adopted[key] = true
	p.listKept()
	kept, is = p.keeper[key]
	return kept, is
}

// delete notes that a resource deletes an object, and reports whether another one keeps it.
func (p *plannedObjects) delete(gone heldObject) (kept bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.applied || gone.id == "" {
		return false
	}
	if p.deleted == nil {
		p.deleted = map[heldObject]bool{}
	}
	p.listKept()
	p.deleted[gone] = true
	return p.kept[gone]
}

// listKept asks for the lists that are waiting, and returns what they hold.
func (p *plannedObjects) listKept() (all []Held) {
	if p.kept == nil {
		p.kept, p.keeper = map[heldObject]bool{}, map[objectKey]Held{}
	}
	for _, list := range p.waiting {
		all = append(all, list()...)
	}
	p.waiting = nil
	for _, kept := range all {
		p.kept[kept.heldObject], p.keeper[objectKey{kept.namespace, kept.name}] = true, kept
	}
	return all
}

// apply notes that the plan is over.
func (p *plannedObjects) apply() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.applied {
		p.applied, p.created, p.adopted, p.kept, p.keeper, p.deleted, p.waiting = true, nil, nil, nil, nil, nil, nil
		p.freed, p.states, p.inState = nil, nil, nil
	}
}

// CheckCreation refuses the plan of a creation if another resource of the same plan creates
// an object with that name. Nothing is known as long as the name or the type is not.
func (r *Instances) CheckCreation(planned kind.Values, of Fingerprint) (diags diag.Diagnostics) {
	name := value.Text(planned[kind.RowName])
	if r.provider == nil || name == "" || r.kind.Namespace == "" || !r.provider.planned.create(objectKey{r.kind.Namespace, name}, of) {
		return nil
	}
	diags.AddAttributeError(path.Root(kind.RowName), "Duplicate name",
		fmt.Sprintf("Another resource of the same configuration creates an object named %q, too, and eNMS keeps the names of both in one place. Keep one of the two, or give one of them another name.", name))
	return diags
}

// Held is the object of a state.
func (r *Instances) Held(state kind.Values) Held {
	return Held{heldObject{r.kind.Namespace, value.Text(state[kind.RowName]), value.Text(state[kind.RowID])}, r.kind.Name}
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

// checkAdoption refuses the plan of a creation that would take over what another resource of
// the same plan keeps: both would have it, also when the other one is to rename it.
func (r *Instances) checkAdoption(planned kind.Values) diag.Diagnostics {
	name := value.Text(planned[kind.RowName])
	if r.provider == nil || name == "" || r.kind.Namespace == "" || !r.Adopts(planned) {
		return nil
	}
	if kept, is := r.provider.planned.adopt(objectKey{r.kind.Namespace, name}); is {
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

// adopted is the error of an object that one resource takes over and another one keeps.
func (h Held) adopted() diag.Diagnostic {
	return diag.NewErrorDiagnostic(fmt.Sprintf("Cannot take over %s %q in this apply", h.typ, h.name),
		fmt.Sprintf("Another resource of the same configuration has it (id %s), and this plan would have one that is created take it over, because adopt_existing is set. If the other one is to be renamed, apply that first, without the one that is created, and with a third name if it refers to that one. Otherwise keep one of the two, or give one of them another name.", h.id))
}

// destroyed is the error of an object that one resource deletes and another one keeps.
func (h Held) destroyed() diag.Diagnostic {
	return diag.NewErrorDiagnostic(fmt.Sprintf("Cannot destroy %s %q in this apply", h.typ, h.name),
		fmt.Sprintf("Two resources of the same configuration have %s %q (id %s), and this plan deletes it in one of them, which would delete it for both. Take it out of the state there: for an entry that is taken out of enms_instances, set deletion_policy = \"abandon\" beside it for one apply; for a resource that is destroyed, write a removed block with destroy = false, or run terraform state rm with its address.", h.typ, h.name, h.id))
}
