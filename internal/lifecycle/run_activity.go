// This file counts the calls of Terraform and the writes that are in progress, so that a plan can
// wait until the others that Terraform begins with have been noted, and a computation until
// everything that it depends on is written: a pool by criteria may be created before devices to
// which no reference of its leads (enms-rest.md 2.4).

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

// computations are those that eNMS was asked for in this run. The zero value is ready for use.
type computations struct {
	writes activity // creations and updates in progress

	mu   sync.Mutex
	made map[string]bool // by their endpoints
	due  map[string]bool // out of date: something that they depend on was written since
}

// note notes that a computation is made, of everything that was written until now.
func (c *computations) note(endpoint string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.made == nil {
		c.made, c.due = map[string]bool{}, map[string]bool{}
	}
	c.made[endpoint] = true
	delete(c.due, endpoint)
}

// outdate notes that something was written that a computation depends on.
func (c *computations) outdate(endpoint string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.made[endpoint] {
		c.due[endpoint] = true
	}
}

// isDue reports whether a computation is to be made again.
func (c *computations) isDue(endpoint string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.due[endpoint]
}

// begin notes that a creation or an update is under way until end is called.
func (c *computations) begin() (end func()) {
	c.writes.change(1, 0)
	return func() { c.writes.change(-1, 0) }
}

// last reports, at the end of a creation or an update, whether no other one is under way, nor
// begins in a moment.
func (c *computations) last(ctx context.Context) bool {
	c.writes.change(0, 1)
	defer c.writes.change(0, -1)
	quiet := time.After(quietPause)
	for {
		busy, changed := c.writes.state()
		if busy {
			return false
		}
		select {
		case <-changed:
		case <-quiet:
			return true
		case <-ctx.Done():
			return false
		}
	}
}
