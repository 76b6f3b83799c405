// This file records what the plans of one run of Terraform know of each other. Terraform reads and
// plans up to ten resources at a time, in any order. No plan waits for another one: what two
// resources must not do together is refused by the plan that comes second. What no plan can know,
// such as an unknown name, is refused by the operation that comes second (run_objects.go).

package lifecycle

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// plans are the plans of a run so far. The zero value is ready for use.
type plans struct {
	mu       sync.Mutex
	applying bool               // something was applied: plans from now on repeat earlier ones
	inState  map[objectKey]bool // the names in the states that Terraform has passed so far
	imported map[objectKey]bool // the names of objects that are imported
	created  map[objectKey]bool // the names that creations take
	adopted  map[objectKey]bool // the names of objects that creations may take over
	named    map[objectKey]bool // the names that plans give to objects, new or not
	freed    map[objectKey]bool // the names that plans give up, by a deletion or a rename
	deleted  map[stateObject]bool
	kept     map[stateObject]bool // the objects that stay in the state of a resource
	keptName map[objectKey]bool
	unlisted []func() []keptObject // lists of kept objects that were not needed yet
	replaced map[reference]bool    // the instances that are deleted and created again

	lookupFailed atomic.Bool // eNMS could not be asked, and the plan ends with the error
}

// stateObject is an object that is in the state of a resource.
type stateObject struct {
	objectKey
	id string
}

// keptObject is an object that stays in the state of a resource.
type keptObject struct {
	stateObject
	typ    string
	unique string // the attributes that no other object of its type may share (kind.Kind.Unique), or ""
}

// reference is one of the types of an instance, by which others refer to it, and its name.
type reference struct{ typ, name string }

// startApply records that Terraform applies.
func (p *plans) startApply() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.applying = true
}

func (p *plans) isApplying() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.applying
}

// imports records that an object is imported, and reports whether this is the second time in a run.
func (p *plans) imports(key objectKey) (twice bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	twice = p.imported[key]
	p.imported = put(p.imported, key, true)
	return twice
}

// passState records that Terraform has passed a state with objects of these names.
func (p *plans) passState(keys ...objectKey) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, key := range keys {
		p.inState = put(p.inState, key, true)
	}
}

// isInState reports whether Terraform has passed a state with an object of a name.
func (p *plans) isInState(key objectKey) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.inState[key]
}

// create records a creation, and reports whether another resource creates an object with the name.
func (p *plans) create(key objectKey) (twice bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	twice = p.created[key] && !p.applying
	p.created = put(p.created, key, true)
	return twice
}

// adopt records a creation that may take over an object, and reports whether another resource
// keeps it.
func (p *plans) adopt(key objectKey) (kept bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.adopted = put(p.adopted, key, true)
	p.listKept()
	return p.keptName[key] && !p.applying
}

// delete records a deletion, and reports whether another resource keeps the object.
func (p *plans) delete(object stateObject) (kept bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.deleted = put(p.deleted, object, true)
	p.listKept()
	return p.kept[object] && object.id != "" && !p.applying
}

// keep records that a resource keeps the objects of a list, and returns those that another one
// deletes, or takes over. It calls the function only if any object is deleted or taken over.
func (p *plans) keep(list func() []keptObject) (deleted, adopted []keptObject) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.unlisted = append(p.unlisted, list); p.applying || len(p.deleted)+len(p.adopted) == 0 {
		return nil, nil
	}
	for _, object := range p.listKept() {
		switch {
		case p.deleted[object.stateObject] && object.id != "":
			deleted = append(deleted, object)
		case p.adopted[object.objectKey]:
			adopted = append(adopted, object)
		}
	}
	return deleted, adopted
}

// listKept calls the functions that were not called yet, and returns their objects.
func (p *plans) listKept() (all []keptObject) {
	for _, list := range p.unlisted {
		all = append(all, list()...)
	}
	p.unlisted = nil
	for _, object := range all {
		p.kept, p.keptName = put(p.kept, object.stateObject, true), put(p.keptName, object.objectKey, true)
	}
	return all
}

// isKept reports whether a resource keeps an object with a name.
func (p *plans) isKept(key objectKey) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.listKept()
	return p.keptName[key]
}

// free records that a resource gives up the name of an object.
func (p *plans) free(key objectKey) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.freed = put(p.freed, key, true)
}

func (p *plans) isFreed(key objectKey) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.freed[key]
}

// name records that a plan gives a name to an object, new or not.
func (p *plans) name(key objectKey) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.named = put(p.named, key, true)
}

func (p *plans) isNamed(key objectKey) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.named[key]
}

// replace records that an instance is replaced. With cascade, all its dependents are deleted with it.
func (p *plans) replace(ref reference, cascade bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.replaced = put(p.replaced, ref, cascade)
}

// takesAlong reports whether an instance is replaced and its dependents are deleted with it. allowed
// is that of their kind.Cascade.
func (p *plans) takesAlong(ref reference, allowed bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	cascade, replaced := p.replaced[ref]
	return replaced && (cascade || allowed)
}

// Applying records that Terraform applies: all plans from now on repeat earlier ones.
func (p *Provider) Applying() {
	if p != nil {
		p.plans.startApply()
	}
}

// PassState records the names in a state. Terraform passes each state before it reads or plans
// anything of the resource.
func (r *Instances) PassState(names ...string) {
	if r.provider == nil {
		return
	}
	keys := make([]objectKey, len(names))
	for i, name := range names {
		keys[i] = objectKey{r.kind.Namespace, name}
	}
	r.provider.plans.passState(keys...)
}

// isKnown reports whether the name and the type within which it is unique are known.
func (k objectKey) isKnown() bool { return k.namespace != "" && k.text != "" }

// keyOf returns the name of an instance, as the plans of a run know it.
func (r *Instances) keyOf(values kind.Values) objectKey {
	return objectKey{r.kind.Namespace, value.Text(values[kind.RowName])}
}

// stateObjectOf returns the object of a state, as the plans of a run know it.
func (r *Instances) stateObjectOf(state kind.Values) stateObject {
	return stateObject{r.keyOf(state), value.Text(state[kind.RowID])}
}

// Free records that the plan of a resource gives up the name of an instance.
func (r *Instances) Free(state kind.Values) {
	if r.provider != nil {
		r.provider.plans.free(r.keyOf(state))
	}
}

// NotePlanned records the name of a planned instance, to which later plans may refer.
func (r *Instances) NotePlanned(planned kind.Values) {
	if key := r.keyOf(planned); r.provider != nil && key.text != "" {
		r.provider.plans.name(key)
	}
}

// CheckCreation refuses the plan of a creation if another resource of the same plan creates an
// object with that name. It accepts an unknown name or type.
func (r *Instances) CheckCreation(planned kind.Values) (diags diag.Diagnostics) {
	key := r.keyOf(planned)
	if r.provider != nil && key.isKnown() && r.provider.plans.create(key) {
		diags.AddAttributeError(path.Root(kind.RowName), "Duplicate name",
			fmt.Sprintf("Another resource of the same configuration creates an object named %q, too, and both share one set of names in eNMS. Keep one of the two, or give one of them another name.", key.text))
	}
	return diags
}

// CheckAdoption refuses the plan of a creation that would adopt an object that another resource
// keeps: both would have it, even if the other resource renames it.
func (r *Instances) CheckAdoption(planned kind.Values) (diags diag.Diagnostics) {
	key := r.keyOf(planned)
	if r.provider != nil && key.isKnown() && r.Adopts(planned) && r.provider.plans.adopt(key) {
		diags.Append(r.kept(stateObject{objectKey: key}).isAdopted())
	}
	return diags
}

// CheckImport refuses the import of an instance that another import block of the same plan imports.
func (r *Instances) CheckImport(name string) (diags diag.Diagnostics) {
	key := objectKey{r.kind.Namespace, name}
	if r.provider != nil && key.isKnown() && r.provider.plans.imports(key) {
		diags.AddError(fmt.Sprintf("Cannot import %s %q", r.kind.Name, name),
			"Another import block of the same configuration imports it, too. An instance belongs to one resource, or to one entry of enms_instances: remove one of the blocks.")
	}
	return diags
}

// CheckDeletion refuses the plan of a deletion if another resource keeps the object, usually because
// an apply was interrupted that moved it to another address.
func (r *Instances) CheckDeletion(state kind.Values) diag.Diagnostics {
	object := r.kept(r.stateObjectOf(state))
	if r.provider != nil && r.policy(state) != kind.PolicyAbandon && r.provider.plans.delete(object.stateObject) {
		return diag.Diagnostics{object.isDeleted()}
	}
	return nil
}

// CheckKept refuses the plan of a resource that keeps the objects of states if another one deletes
// one of them, or takes it over. It calls list only if anything is deleted or taken over.
func (p *Provider) CheckKept(list func() (*Instances, []kind.Values)) (diags diag.Diagnostics) {
	if p == nil {
		return nil
	}
	deleted, adopted := p.plans.keep(func() (objects []keptObject) {
		of, states := list()
		for _, state := range states {
			objects = append(objects, of.kept(of.stateObjectOf(state)))
		}
		return objects
	})
	for _, object := range deleted {
		diags.Append(object.isDeleted())
	}
	for _, object := range adopted {
		diags.Append(object.isAdopted())
	}
	return diags
}

func (r *Instances) kept(object stateObject) keptObject {
	return keptObject{object, r.kind.Name, strings.Join(r.kind.Unique, ", ")}
}

// isAdopted returns the error of an object that one resource keeps and another one takes over.
func (o keptObject) isAdopted() diag.Diagnostic {
	detail := "Another resource of the same configuration manages it. Because adopt_existing is set, this plan would take it over. If the other resource is to be renamed, first apply that without the new resource. Otherwise keep one of the two, or give one of them another name."
	if o.unique != "" {
		detail += fmt.Sprintf(" If a new %s is to have what this one has now (%s), set adopt_existing = false for the new one: it is then created after this one has changed.", o.typ, o.unique)
	}
	return diag.NewErrorDiagnostic(fmt.Sprintf("Cannot take over %s %q in this apply", o.typ, o.text), detail)
}

// isDeleted returns the error of an object that one resource keeps and another one deletes.
func (o keptObject) isDeleted() diag.Diagnostic {
	return diag.NewErrorDiagnostic(fmt.Sprintf("Cannot destroy %s %q in this apply", o.typ, o.text),
		fmt.Sprintf("Two resources of the same configuration have %s %q (id %s), and this plan deletes it in one of them, which would delete it for both. Remove it from the state there: for an entry that is removed from enms_instances, set deletion_policy = \"abandon\" for one apply; for a resource that is destroyed, write a removed block with destroy = false, or run terraform state rm with its address.", o.typ, o.text, o.id))
}

// NoteReplaced records that the instance of a state is replaced.
func (r *Instances) NoteReplaced(state kind.Values) {
	if r.provider == nil || !r.Deletes(state) {
		return
	}
	for _, typ := range r.kind.Types(state) {
		r.provider.plans.replace(reference{typ, value.Text(state[kind.RowName])}, r.policy(state) == kind.PolicyCascade)
	}
}

// goesWithReplaced reports whether eNMS deletes the instance of a state because this run replaces
// another one that it refers to, before and after, such as the edges of a service. Terraform plans
// a resource after those that it refers to.
func (r *Instances) goesWithReplaced(planned, prior kind.Values) bool {
	if r.provider == nil {
		return false
	}
	for _, dependence := range r.kind.Dependences(r.provider.Kinds) {
		for _, holders := range dependence.Holders(prior) {
			for _, name := range holders.Names {
				if planned[dependence.Attribute].Equal(prior[dependence.Attribute]) && r.provider.plans.takesAlong(reference{holders.Type, name}, dependence.Allowed) {
					return true
				}
			}
		}
	}
	return false
}
