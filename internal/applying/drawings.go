// This file coordinates the layouts of one run.

package applying

import "sync"

// Label is a label of a workflow.
type Label struct{ Workflow, Key string }

// Drawings records what layouts write. The zero value is ready to use.
type Drawings struct {
	mu      sync.Mutex
	writing map[Reference]*sync.Mutex
	drawn   map[Label]bool
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

// Note records that a layout of this run draws a label. If somebody moves a label from one layout resource
// to another, the one does not remove what the other draws.
func (d *Drawings) Note(label Label) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.drawn = put(d.drawn, label, true)
}

// Has reports whether a layout of this run draws a label.
func (d *Drawings) Has(label Label) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.drawn[label]
}
