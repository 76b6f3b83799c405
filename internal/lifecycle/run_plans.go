// This file records what the plans of one run create, keep, delete and adopt, which resource has
// the object with a name, and which targets of tasks and services are deleted. Terraform hands
// over states and plans resources in any order: the plan that comes second finds the conflict.

package lifecycle

import (
	"context"
	"crypto/sha256"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// lookups are the lookups of names in the plans of a run. The zero value is ready to use.
type lookups struct {
	failed atomic.Bool // a lookup has failed, and the plan ends with its error
}

// Fingerprint identifies a resource by its configuration. Terraform does not pass the address of
// a resource to the provider, and plans a replaced resource twice: two plans with the same
// fingerprint count as plans of one resource.
type Fingerprint [sha256.Size]byte

// FingerprintOf returns the fingerprint of a resource. It hashes the string form of the
// configuration, where the keys of maps are sorted; in its encoded form they are not.
func FingerprintOf(typ string, config tftypes.Value) Fingerprint {
	return sha256.Sum256([]byte(typ + "\n" + config.String()))
}

// plannedObjects are the objects of the plans of a run. The zero value is ready for use.
type plannedObjects struct {
	mu       sync.Mutex
	created  map[objectKey]Fingerprint    // by their names
	names    map[objectKey]bool           // the names that plans so far give to objects
	imported map[objectKey]bool           // the names of objects that are imported
	adopted  map[objectKey]Fingerprint    // the names of objects that creations would adopt
	kept     map[heldObject][]Fingerprint // the resources that keep each object
	keeper   map[objectKey]Held           // the objects that are kept, by name
	deleted  map[heldObject]bool
	renamed  map[heldObject]Fingerprint // the objects that a resource gives another name
	waiting  []func() []Held            // lists of kept objects that are not called yet
	freed    map[objectKey]bool         // the names that plans give up, by a deletion or a rename
	states   []func() []Name            // lists of names in states that are not called yet
	inState  map[objectKey]bool         // the names in the states of the run
	applied  bool                       // something was applied: plans from now on repeat earlier ones
}

// create records that a resource creates an object, and reports whether another resource does
// so, too.
func (p *plannedObjects) create(key objectKey, of Fingerprint) (twice bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.applied {
		return false
	}
	if first, noted := p.created[key]; noted {
		return first != of
	}
	p.created = put(p.created, key, of)
	return false
}

// keep records that a resource keeps the objects of a list, and returns those that another
// resource deletes, adopts or renames. The list is requested only if any object is.
func (p *plannedObjects) keep(list func() []Held) (deleted, adopted, renamed []Held) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.applied {
		return nil, nil, nil
	}
	if p.waiting = append(p.waiting, list); len(p.deleted) == 0 && len(p.adopted) == 0 && len(p.renamed) == 0 {
		return nil, nil, nil
	}
	for _, kept := range p.listKept() {
		if p.deleted[kept.heldObject] {
			deleted = append(deleted, kept)
		}
		if of, is := p.adopted[objectKey{kept.namespace, kept.name}]; is && !kept.isOf(of) {
			adopted = append(adopted, kept)
		}
		if of, is := p.renamed[kept.heldObject]; is && !kept.isOf(of) {
			renamed = append(renamed, kept)
		}
	}
	return deleted, adopted, renamed
}

// rename records that a resource renames an object, and reports whether another one keeps it.
func (p *plannedObjects) rename(object heldObject, of Fingerprint) (kept bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.applied || object.id == "" {
		return false
	}
	p.listKept()
	p.renamed = put(p.renamed, object, of)
	return slices.ContainsFunc(p.kept[object], func(other Fingerprint) bool { return other != of })
}

// imports records that an object is imported, and reports whether this is the second time in a run.
func (p *plannedObjects) imports(key objectKey) (twice bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	twice = p.imported[key]
	p.imported = put(p.imported, key, true)
	return twice
}

// adopt records that a resource would adopt the object with a name, and returns the object
// that another resource keeps under that name. of is the fingerprint of a replaced resource:
// with -replace, its first plan kept its own object.
func (p *plannedObjects) adopt(key objectKey, of Fingerprint) (kept Held, is bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.applied {
		return Held{}, false
	}
	p.adopted = put(p.adopted, key, of)
	p.listKept()
	kept, is = p.keeper[key]
	return kept, is && !kept.isOf(of)
}

// delete records that a resource deletes an object, and reports whether another one keeps it.
func (p *plannedObjects) delete(gone heldObject) (kept bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.applied || gone.id == "" {
		return false
	}
	p.listKept()
	p.deleted = put(p.deleted, gone, true)
	return len(p.kept[gone]) > 0
}

// listKept calls the lists that were not called yet, and returns their objects.
func (p *plannedObjects) listKept() (all []Held) {
	for _, list := range p.waiting {
		all = append(all, list()...)
	}
	p.waiting = nil
	for _, kept := range all {
		p.kept = put(p.kept, kept.heldObject, append(p.kept[kept.heldObject], kept.of))
		p.keeper = put(p.keeper, objectKey{kept.namespace, kept.name}, kept)
	}
	return all
}

func (p *plannedObjects) apply() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.applied {
		p.applied, p.created, p.adopted, p.kept, p.keeper, p.deleted, p.renamed, p.waiting = true, nil, nil, nil, nil, nil, nil, nil
		p.freed, p.states, p.inState, p.names = nil, nil, nil, nil
	}
}

// Name is the name of an object in a state, and the type within which it is unique.
type Name struct{ Namespace, Name string }

// holder is what a plan knows about which resource has the object with a name.
type holder int

const (
	holderNone  holder = iota // no resource of this run, as far as is known
	holderKeeps               // a resource that keeps it under the name
	holderOther               // a resource that gives it up, or whose plan is not known yet
)

// holder returns what is known about which resource has the object with a name.
func (p *plannedObjects) holder(key objectKey) holder {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.listKept()
	_, kept := p.keeper[key]
	switch {
	case p.applied || p.freed[key]:
		return holderOther
	case kept:
		return holderKeeps
	case p.holdsName(key):
		return holderOther
	}
	return holderNone
}

func (p *plannedObjects) holdsName(key objectKey) bool {
	for _, list := range p.states {
		for _, name := range list() {
			p.inState = put(p.inState, objectKey{name.Namespace, name.Name}, true)
		}
	}
	p.states = nil
	return p.inState[key]
}

// free records that a resource gives up the name of an object.
func (p *plannedObjects) free(key objectKey) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.freed = put(p.freed, key, true)
}

// has reports whether a plan so far gives a name to an object.
func (p *plannedObjects) has(key objectKey) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.names[key]
}

// name records that a plan gives a name to an object, new or not.
func (p *plannedObjects) name(key objectKey) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.applied {
		p.names = put(p.names, key, true)
	}
}

func (p *plannedObjects) isApplied() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.applied
}

// Held is an object that is in the state of a resource, and its type.
type Held struct {
	heldObject
	typ    string
	unique string      // the attributes that no other object of its type may share (kind.Kind.Unique), or ""
	of     Fingerprint // of the resource; zero for entries of enms_instances
}

// isOf reports whether an object is in the state of the resource with a fingerprint.
func (h Held) isOf(of Fingerprint) bool { return of != Fingerprint{} && h.of == of }

// heldObject is an object that is in the state of a resource.
type heldObject struct{ namespace, name, id string }

// targets are the instances that the plans of a run delete and that tasks and services may run
// on. The zero value is ready to use.
type targets struct {
	mu      sync.Mutex
	deleted map[reference]bool // by the kinds and names of the targets
	named   map[reference]bool // the tasks and services that a warning has named
	holders sync.Map           // by task or service: a function that reads its targets once
	waiting []awaited          // what one plan waits for; empty while no plan waits
}

// awaited are deletions that a plan waits for.
type awaited struct {
	planned func() bool // whether all tasks and services that run on them are known
	warn    func(ctx context.Context) diag.Diagnostics
}

// use is a task or service that an instance is a target of.
type use struct {
	by         reference // its kind and name
	namespace  string
	remark     string           // what is shown beside the name
	attributes []kind.Attribute // its relations to targets
}

// of returns the targets of a task or service. They are read once in a run.
func (t *targets) of(by reference, read func() (map[string][]string, error)) (map[string][]string, error) {
	once, _ := t.holders.LoadOrStore(by, sync.OnceValues(read))
	return once.(func() (map[string][]string, error))()
}

// delete records that plans delete instances.
func (t *targets) delete(typ string, names []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, name := range names {
		t.deleted = put(t.deleted, reference{typ, name}, true)
	}
}

// handOver gives deletions to the plan that is waiting. It returns false if none was: then the
// caller is to wait.
func (t *targets) handOver(deleted awaited) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waiting = append(t.waiting, deleted)
	return len(t.waiting) > 1
}

// stopIfPlanned ends the waiting, and returns true, if everything that was waited for is planned.
func (t *targets) stopIfPlanned() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if slices.ContainsFunc(t.waiting, func(deleted awaited) bool { return !deleted.planned() }) {
		return false
	}
	t.waiting = nil
	return true
}

// stop ends the waiting, and returns what was waited for.
func (t *targets) stop() []awaited {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := t.waiting
	t.waiting = nil
	return all
}

// loses reports whether a target is the last one of a task or service: it has no other target
// that the plans keep. It returns true only once for each.
func (t *targets) loses(u use, target reference, held map[string][]string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	has := false
	for _, a := range u.attributes {
		for _, name := range held[a.Name] {
			if !t.deleted[reference{a.Of, name}] {
				return false
			}
			has = has || reference{a.Of, name} == target
		}
	}
	first := has && !t.named[u.by]
	t.named = put(t.named, u.by, t.named[u.by] || has)
	return first
}
