// This file coordinates the layouts of one run. If somebody moves positions from one layout resource to
// another, the one still removes what the other draws.

package applying

import "sync"

// Drawing is a member or a label of a workflow or network: the type and the name of the workflow or
// network, and either the name of the member or the text of the label.
type Drawing struct{ Type, Of, Member, Label string }

// Drawings records what the layouts of a run draw. The zero value is ready to use.
type Drawings struct {
	mu      sync.Mutex
	writing map[Reference]*sync.Mutex
	drawn   map[Drawing]bool
}

// Lock waits until no other layout of this run writes the workflow or network, and keeps others from
// writing it until unlock is called.
func (d *Drawings) Lock(typ, name string) (unlock func()) {
	d.mu.Lock()
	key := Reference{typ, name}
	if d.writing[key] == nil {
		d.writing = put(d.writing, key, &sync.Mutex{})
	}
	container := d.writing[key]
	d.mu.Unlock()
	container.Lock()
	return container.Unlock
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
