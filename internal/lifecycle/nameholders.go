// This file knows, in a plan, which resource of the same run has the object with a name, as
// far as Terraform has told by then. Terraform hands over the states of resources in any
// order, each before it is read and planned.

package lifecycle

import (
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Name is the name of an object in a state, and the type within which it is unique.
type Name struct{ Namespace, Name string }

// holder is what is known in a plan of who has the object with a name.
type holder int

const (
	holderNone  holder = iota // no resource of this run, as far as is known
	holderKeeps               // a resource that keeps it under the name
	holderOther               // a resource that gives it up, or of which no more is known yet
)

// holder returns what is known of who has the object with a name.
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

// holdsName reports whether a state of the run holds a name.
func (p *plannedObjects) holdsName(key objectKey) bool {
	if p.inState == nil {
		p.inState = map[objectKey]bool{}
	}
	for _, list := range p.states {
		for _, name := range list() {
			p.inState[objectKey{name.Namespace, name.Name}] = true
		}
	}
	p.states = nil
	return p.inState[key]
}

// free notes that a resource gives up the name of an object.
func (p *plannedObjects) free(key objectKey) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.freed == nil {
		p.freed = map[objectKey]bool{}
	}
	p.freed[key] = true
}

// isApplied reports whether something was applied.
func (p *plannedObjects) isApplied() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.applied
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

// Held is an object that is in the state of a resource, and its type.
type Held struct {
	heldObject
	typ string
}

// heldObject is an object that is in the state of a resource.
type heldObject struct{ namespace, name, id string }
