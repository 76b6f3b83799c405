// This file counts what is in progress, so that an operation can find out whether others may still come.

package applying

import (
	"context"
	"sync"
	"time"
)

// Activity counts what is in progress, such as writes. The zero value is ready to use.
type Activity struct {
	mu               sync.Mutex
	running, waiting int
	changed          chan struct{} // closed with each change; nil while nobody waits
}

func (a *Activity) change(running, waiting int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.running += running
	a.waiting += waiting
	if a.changed != nil {
		close(a.changed)
		a.changed = nil
	}
}

// Begin records that something is in progress, until end is called.
func (a *Activity) Begin() (end func()) {
	a.change(1, 0)
	return func() { a.change(-1, 0) }
}

// state reports whether anything in progress does something else than wait, and returns a channel that
// is closed at the next change.
func (a *Activity) state() (busy bool, changed <-chan struct{}) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.changed == nil {
		a.changed = make(chan struct{})
	}
	return a.running > a.waiting, a.changed
}

// Await waits until done returns true, and reports whether it did. The caller is itself in progress.
// Await gives up after a pause in which everything else in progress was waiting, too.
func (a *Activity) Await(ctx context.Context, pause time.Duration, done func() bool) bool {
	if done() {
		return true
	}
	a.change(0, 1)
	defer a.change(0, -1)
	for {
		var quiet <-chan time.Time
		busy, changed := a.state() // before done: a later change then closes the channel
		if done() {
			return true
		}
		if !busy {
			quiet = time.After(pause)
		}
		select {
		case <-changed:
		case <-quiet:
			return false
		case <-ctx.Done():
			return false
		}
	}
}
