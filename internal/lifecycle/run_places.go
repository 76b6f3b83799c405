// This file records which instances of one run wait for the places of others: for values that no
// two instances may share (enms-rest.md 1.13).

package lifecycle

import (
	"context"
	"sync"
	"time"
)

// places records which instances have left their places, and which wait. The zero value is
// ready to use.
type places struct {
	mu      sync.Mutex
	moves   int               // how often any instance has left its place
	left    map[string]int    // what moves was when an instance last left its place, by its id
	waits   map[string]string // the id of the instance whose place another waits for, by the id of the other
	busy    int               // how many instances are being written, those that wait left out
	changed chan struct{}     // closed when any of this changes
}

// lock locks p and makes what it needs.
func (p *places) lock() {
	p.mu.Lock()
	if p.left == nil {
		p.left, p.waits, p.changed = map[string]int{}, map[string]string{}, make(chan struct{})
	}
}

// tell wakes up those that wait. p is locked.
func (p *places) tell() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// write records that an instance is being written, until done is called.
func (p *places) write() (done func()) {
	p.addBusy(1)
	return func() { p.addBusy(-1) }
}

func (p *places) addBusy(n int) {
	p.lock()
	defer p.mu.Unlock()
	p.busy += n
	p.tell()
}

// now returns how often any instance has left its place.
func (p *places) now() int {
	p.lock()
	defer p.mu.Unlock()
	return p.moves
}

// leave wakes those that wait for an instance: it may have left its place.
func (p *places) leave(id string) {
	p.lock()
	defer p.mu.Unlock()
	p.moves++
	p.left[id] = p.moves
	p.tell()
}

// begin records that an instance waits for another one. It reports a circle, and records
// nothing, if the instance would wait for itself; only the last instance of a circle sees
// that. An instance that is being created has no id, and nobody waits for it.
func (p *places) begin(id, holder string) (circle bool) {
	p.lock()
	defer p.mu.Unlock()
	if id == "" {
		return false
	}
	for next, steps := holder, 0; next != "" && steps <= len(p.waits); next, steps = p.waits[next], steps+1 {
		if next == id {
			return true
		}
	}
	p.waits[id] = holder
	return false
}

// wait waits until an instance has left its place after since, and reports whether it has. It
// gives up after patience if all other writes in progress are waiting too: Terraform begins
// the write of the other instance at about the same time.
func (p *places) wait(ctx context.Context, id, holder string, since int, patience time.Duration) bool {
	p.addBusy(-1)
	defer func() {
		p.lock()
		delete(p.waits, id)
		p.mu.Unlock()
		p.addBusy(1)
	}()
	for {
		p.lock()
		left, busy, changed := p.left[holder], p.busy > 0, p.changed
		p.mu.Unlock()
		if left > since {
			return true
		}
		var idle <-chan time.Time
		if !busy {
			idle = time.After(patience)
		}
		select {
		case <-changed:
		case <-idle:
			return false
		case <-ctx.Done():
			return false
		}
	}
}
