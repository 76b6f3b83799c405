// This file coordinates the layouts of one run: a layout may move to another address, so that one
// resource draws what another one no longer does.

package applying

import "sync"

// Drawing is a member or a label of a workflow or network.
type Drawing struct{ Type, Of, Member, Label string }

// Drawings records what layouts draw. The zero value is ready to use.
type Drawings struct {
	mu      sync.Mutex
	writing map[Reference]*sync.Mutex
	drawn   map[Drawing]bool
}

// Lock waits until no other layout writes the same workflow or network.
func (d *Drawings) Lock(typ, name string) (unlock func()) {
	d.mu.Lock()
	key := Reference{typ, name}
	if d.writing[key] == nil {
		d.writing = put(d.writing, key, &sync.Mutex{})
	}
	of := d.writing[key]
	d.mu.Unlock()
	of.Lock()
	return of.Unlock
}

// Note records that a layout of this run draws something.
func (d *Drawings) Note(drawing Drawing) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.drawn = put(d.drawn, drawing, true)
}

// Has reports whether a layout of this run draws something.
func (d *Drawings) Has(drawing Drawing) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.drawn[drawing]
}
