// This file coordinates the layouts of one run: a layout may move to another address, so that
// one resource draws what another one lets go of.

package layout

import (
	"sync"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/lifecycle"
)

// run is what the layouts of one run know of each other.
type run struct {
	mu      sync.Mutex
	writing map[string]*sync.Mutex
	drawn   map[drawing]bool
}

// drawing is a member or a label of a workflow or network.
type drawing struct{ typ, of, member, label string }

type runKey struct{}

// runOf returns what layouts know in the run of a provider.
func runOf(p *lifecycle.Provider) *run {
	r, _ := p.Beside.LoadOrStore(runKey{}, &run{writing: map[string]*sync.Mutex{}, drawn: map[drawing]bool{}})
	return r.(*run)
}

// lock waits until no other layout writes the same workflow or network.
func (r *run) lock(typ, name string) (unlock func()) {
	r.mu.Lock()
	key := typ + " " + name
	if r.writing[key] == nil {
		r.writing[key] = &sync.Mutex{}
	}
	of := r.writing[key]
	r.mu.Unlock()
	of.Lock()
	return of.Unlock
}

// note notes that a layout of this run draws something.
func (r *run) note(d drawing) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drawn[d] = true
}

// draws reports whether a layout of this run draws something.
func (r *run) draws(d drawing) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.drawn[d]
}
