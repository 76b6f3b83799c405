// This file counts the calls of Terraform that are in progress, so that a plan can wait until the
// others that Terraform begins with have been noted.

package lifecycle

import (
	"context"
	"sync"
	"time"
)

// quietPause is how long await waits for further calls of Terraform, once all calls in
// progress are waiting.
const quietPause = 250 * time.Millisecond

// activity counts the calls of Terraform that are in progress. The zero value is ready to use.
type activity struct {
	mu               sync.Mutex
	running, waiting int
	changed          chan struct{} // closed with each change; nil while nobody waits
}

// change changes the counts and wakes those who wait.
func (a *activity) change(running, waiting int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.running += running
	a.waiting += waiting
	if a.changed != nil {
		close(a.changed)
		a.changed = nil
	}
}

// state reports whether any call in progress is not waiting, and returns a channel that is
// closed at the next change.
func (a *activity) state() (busy bool, changed <-chan struct{}) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.changed == nil {
		a.changed = make(chan struct{})
	}
	return a.running > a.waiting, a.changed
}

// await waits, in a call, until done returns true or Terraform makes no more calls.
func (a *activity) await(ctx context.Context, done func() bool) {
	if done() {
		return
	}
	a.change(0, 1)
	defer a.change(0, -1)
	for !done() {
		var quiet <-chan time.Time
		busy, changed := a.state()
		if !busy {
			quiet = time.After(quietPause)
		}
		select {
		case <-changed:
		case <-quiet:
			return
		case <-ctx.Done():
			return
		}
	}
}
