// This file holds what the plans of one run of Terraform know of each other, which is little: a plan follows from its
// configuration, its state and eNMS. Terraform plans up to ten resources at a time, in any order. With
// -minimal-refresh, it plans a resource, drops that plan, and plans again after a read. It never says which resource a
// plan is for. So a record of what plans do cannot tell two resources from two plans of one resource. If two resources
// want one object, the apply refuses the operation that comes second (owners.go).

package applying

import (
	"slices"
	"sync"
	"sync/atomic"
)

// Plans holds what a plan needs to know of the run and of the plans before it. What a dropped plan has recorded stays;
// the comment of each set says why that is harmless. The zero value is ready for use.
type Plans struct {
	// Planned are the names that plans give to objects, new or not. The warning about missing references needs them:
	// Terraform plans a resource after those that it refers to, and without Planned, every reference to a new object would
	// be a warning. A name of a dropped plan only leaves out a warning.
	Planned Set[Name]

	// Untargeted are planned services that run on targets and have none. The warning about a task without targets needs
	// them. A name of a dropped plan only adds or leaves out a warning.
	Untargeted Set[Name]

	// replaced are the instances that are deleted and created again, and whether with their dependents. Edges need
	// them: eNMS deletes an edge with its service, and Terraform plans the edge after the service. Without them, the apply would
	// succeed and the edge be lost. The type of an instance decides whether it is replaced, and no read
	// changes a type, so the plan after a read replaces what the dropped one did.
	mu       sync.Mutex
	replaced map[Reference]bool

	applying      atomic.Bool // something was applied: plans from now on repeat earlier ones, and look nothing up
	lookupsFailed atomic.Bool // one error stands for all: without it, every plan would wait for an eNMS that is not there
}

// FailLookups records that a request of a plan has failed, so that later plans make no requests. It reports whether
// it is the first one, whose error is reported.
func (p *Plans) FailLookups() (first bool) { return p.lookupsFailed.CompareAndSwap(false, true) }

// LookupsFailed reports whether a request of a plan has failed.
func (p *Plans) LookupsFailed() bool { return p.lookupsFailed.Load() }

// StartApply records that Terraform applies.
func (p *Plans) StartApply() { p.applying.Store(true) }

// IsApplying reports whether Terraform applies.
func (p *Plans) IsApplying() bool { return p.applying.Load() }

// Set is a set that several goroutines may use. The zero value is an empty set.
type Set[K comparable] struct{ members sync.Map }

// Add adds a member.
func (s *Set[K]) Add(member K) { s.members.Store(member, true) }

// Has reports whether a member was added.
func (s *Set[K]) Has(member K) bool {
	_, has := s.members.Load(member)
	return has
}

// Reference is one of the types of an instance, by which others refer to it, and its name.
type Reference struct{ Type, Name string }

// Replace records that an instance is replaced. If cascade is set, its dependents are deleted with it.
// Terraform plans a replacement a second time as a creation, without cascade, which does not undo that.
func (p *Plans) Replace(ref Reference, cascade bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.replaced = put(p.replaced, ref, cascade || p.replaced[ref])
}

// ReplacesAny reports whether any instance is replaced.
func (p *Plans) ReplacesAny() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.replaced) > 0
}

// TakesAlong reports whether an instance is replaced and its dependents are deleted with it: because the
// replacement cascades, or because that is allowed anyway (kind.Cascade.Allowed).
func (p *Plans) TakesAlong(ref Reference, allowed bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	cascade, replaced := p.replaced[ref]
	return replaced && (cascade || allowed)
}

// Targets are the tasks and services that lose their last target by the plans of a run. Two resources may each delete
// one of two targets: the plan that comes last then warns, whichever it is. The zero value is ready to use.
type Targets struct {
	Deleted        Set[Reference] // the instances that plans delete, of those types on which tasks and services may run
	warningTargets sync.Map       // by task or service, the target whose deletion warns about it, each a Reference
}

// ClaimWarning reports whether plans delete all targets of a task or service (user), of which target is one, and whether
// the plan of target is the one that warns: for each task or service, it returns true for the first target that asks,
// also if the deletion of that target is planned again.
func (t *Targets) ClaimWarning(target, user Reference, all []Reference) bool {
	stays := func(target Reference) bool { return !t.Deleted.Has(target) }
	if !slices.Contains(all, target) || slices.ContainsFunc(all, stays) {
		return false
	}
	warning, _ := t.warningTargets.LoadOrStore(user, target)
	return warning == target
}
