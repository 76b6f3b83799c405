// This file counts the writes that are in progress, so that a computation can wait until everything
// that it depends on is written: a pool with criteria may be created before its devices, to which it
// has no references (enms-rest.md 2.4).

package lifecycle

import (
	"context"
	"sync"
	"time"
)

// quietPause is how long Terraform may take until its next call, once all calls in progress are
// waiting.
const quietPause = 250 * time.Millisecond

// activity counts what is in progress, such as calls of Terraform. The zero value is ready to use.
type activity struct {
	mu               sync.Mutex
	running, waiting int
	changed          chan struct{} // closed with each change; nil while nobody waits
}

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

// begin records that something is in progress, until end is called.
func (a *activity) begin() (end func()) {
	a.change(1, 0)
	return func() { a.change(-1, 0) }
}

// state reports whether anything in progress is not waiting, and returns a channel that is
// closed at the next change.
func (a *activity) state() (busy bool, changed <-chan struct{}) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.changed == nil {
		a.changed = make(chan struct{})
	}
	return a.running > a.waiting, a.changed
}

// await waits, in what is in progress, until done returns true, and reports whether it has. It
// gives up after a pause in which everything else in progress was waiting, too.
func (a *activity) await(ctx context.Context, pause time.Duration, done func() bool) bool {
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

// computations are the computations that this run has requested. The zero value is ready for use.
type computations struct {
	writes activity // creations and updates in progress

	mu   sync.Mutex
	made map[string]bool // by their endpoints
	due  map[string]bool // out of date: something that they depend on was written since
}

// note records that a computation is requested, which covers everything written so far.
func (c *computations) note(endpoint string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made = put(c.made, endpoint, true)
	delete(c.due, endpoint)
}

// outdate records that an instance was written on which a computation depends.
func (c *computations) outdate(endpoint string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.made[endpoint] {
		c.due = put(c.due, endpoint, true)
	}
}

// isDue reports whether a computation must be repeated.
func (c *computations) isDue(endpoint string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.due[endpoint]
}

// last reports, at the end of a creation or an update, whether no other one is in progress or
// begins within a short pause.
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

// put sets a member of a map, which it makes if there is none, and returns the map.
func put[K comparable, V any](into map[K]V, key K, v V) map[K]V {
	if into == nil {
		into = map[K]V{}
	}
	into[key] = v
	return into
}
