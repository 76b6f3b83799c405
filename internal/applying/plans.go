// This file records what the plans of one run of Terraform know of each other. Terraform reads and
// plans up to ten resources at a time, in any order. No plan waits for another one: if two resources
// contradict each other, the plan that comes second is refused. If no plan can know it, because a name is
// unknown, the operation that comes second is refused (owners.go).

package applying

import (
	"slices"
	"sync"
	"sync/atomic"
)

// Plans are the plans of a run so far. The zero value is ready for use.
type Plans struct {
	mu       sync.Mutex
	adopted  map[Name]bool         // the names of objects that creations may take over
	deleted  map[StateObject]bool  // the objects that deletions delete
	renamed  map[StateObject]bool  // the objects that get another name, with the old one
	kept     map[StateObject]bool  // the objects that stay in the state of a resource, as far as they were listed
	keptName map[Name]bool         // the names of kept objects, and the old ones of renamed objects
	unlisted []func() []KeptObject // functions that list further kept objects, called when they are needed
	replaced map[Reference]bool    // the instances that are deleted and created again, and whether with their dependents

	InState  Set[Name] // the names in the states that Terraform has passed so far
	Planned  Set[Name] // the names that plans give to objects, new or not
	Freed    Set[Name] // the names that plans give up, by a deletion or a rename
	Imported Set[Name] // the names of objects that are imported

	created       Set[Name]   // the names that creations take
	applying      atomic.Bool // something was applied: plans from now on repeat earlier ones
	lookupsFailed atomic.Bool
}

// FailLookups records that a request of a plan has failed, so that later plans make no requests. It reports whether
// it is the first one, whose error is reported.
func (p *Plans) FailLookups() (first bool) { return p.lookupsFailed.CompareAndSwap(false, true) }

// LookupsFailed reports whether a request of a plan has failed.
func (p *Plans) LookupsFailed() bool { return p.lookupsFailed.Load() }

// Set is a set that several goroutines may use. The zero value is an empty set.
type Set[K comparable] struct{ members sync.Map }

// Add adds a member, and reports whether the set had it before.
func (s *Set[K]) Add(member K) (again bool) {
	_, again = s.members.LoadOrStore(member, true)
	return again
}

// Has reports whether a member was added.
func (s *Set[K]) Has(member K) bool {
	_, has := s.members.Load(member)
	return has
}

// StateObject is an object that is in the state of a resource.
type StateObject struct {
	Name
	ID string
}

// KeptObject is an object that stays in the state of a resource.
type KeptObject struct {
	StateObject
	Type   string
	Unique string // the attributes that no other object of its type may share (kind.Kind.Unique), or ""
}

// Reference is one of the types of an instance, by which others refer to it, and its name.
type Reference struct{ Type, Name string }

// StartApply records that Terraform applies.
func (p *Plans) StartApply() { p.applying.Store(true) }

// IsApplying reports whether Terraform applies.
func (p *Plans) IsApplying() bool { return p.applying.Load() }

// Create records a creation, and reports whether another resource creates an object with the name. It reports
// none while Terraform applies: plans then repeat themselves.
func (p *Plans) Create(key Name) (twice bool) { return p.created.Add(key) && !p.IsApplying() }

// Adopt records a creation that may take over an object, and reports whether another resource keeps it.
func (p *Plans) Adopt(key Name) (kept bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.adopted = put(p.adopted, key, true)
	p.listKept()
	return p.keptName[key] && !p.IsApplying()
}

// Delete records a deletion, and reports whether another resource keeps the object.
func (p *Plans) Delete(object StateObject) (kept bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.deleted = put(p.deleted, object, true)
	p.listKept()
	return (p.kept[object] || p.renamed[object]) && object.ID != "" && !p.IsApplying()
}

// Conflict says what other resources do with an object that one resource keeps or renames.
type Conflict struct{ Deleted, Adopted, Renamed bool }

// Rename records that a resource gives its object another name, and returns what other resources do with the object.
// Renamed is then set if another resource keeps the object under its old name.
func (p *Plans) Rename(object StateObject) (c Conflict) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.IsApplying() || object.ID == "" {
		return c
	}
	p.renamed, p.keptName = put(p.renamed, object, true), put(p.keptName, object.Name, true)
	p.listKept()
	return Conflict{Deleted: p.deleted[object], Adopted: p.adopted[object.Name], Renamed: p.kept[object]}
}

// Keep records that a resource keeps the objects of a list under their names, and calls found for each
// with a conflict. It calls list only if a plan deletes, adopts or renames any object; until then, no object
// has a conflict.
func (p *Plans) Keep(list func() []KeptObject, found func(KeptObject, Conflict)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unlisted = append(p.unlisted, list)
	if p.IsApplying() || len(p.deleted)+len(p.adopted)+len(p.renamed) == 0 {
		return
	}
	for _, object := range p.listKept() {
		hasID := object.ID != ""
		c := Conflict{Deleted: hasID && p.deleted[object.StateObject], Adopted: p.adopted[object.Name], Renamed: hasID && p.renamed[object.StateObject]}
		if c != (Conflict{}) {
			found(object, c)
		}
	}
}

// listKept calls the functions that were not called yet, and returns their objects.
func (p *Plans) listKept() (all []KeptObject) {
	for _, list := range p.unlisted {
		all = append(all, list()...)
	}
	p.unlisted = nil
	for _, object := range all {
		p.kept, p.keptName = put(p.kept, object.StateObject, true), put(p.keptName, object.Name, true)
	}
	return all
}

// IsKept reports whether a resource keeps the object with this name.
func (p *Plans) IsKept(key Name) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.listKept()
	return p.keptName[key]
}

// Replace records that an instance is replaced. If cascade is set, its dependents are deleted with it.
// Terraform plans a replacement a second time as a creation, without cascade, which does not undo that.
func (p *Plans) Replace(ref Reference, cascade bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.replaced = put(p.replaced, ref, cascade || p.replaced[ref])
}

// TakesAlong reports whether an instance is replaced and its dependents are deleted with it: because the
// replacement cascades, or because that is allowed anyway (kind.Cascade.Allowed).
func (p *Plans) TakesAlong(ref Reference, allowed bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	cascade, replaced := p.replaced[ref]
	return replaced && (cascade || allowed)
}

// Targets are the tasks and services that lose their last target by the plans of a run. The zero value is ready to use.
type Targets struct {
	Deleted Set[Reference] // the instances that plans delete, of those types on which tasks and services may run
	warned  Set[Reference] // the tasks and services that a warning has named
}

// IsLast reports whether plans delete all targets of a task or service (user), of which target is one. It returns
// true only once for each task or service.
func (t *Targets) IsLast(target, user Reference, all []Reference) bool {
	stays := func(target Reference) bool { return !t.Deleted.Has(target) }
	return slices.Contains(all, target) && !slices.ContainsFunc(all, stays) && !t.warned.Add(user)
}
