// This file counts what is in progress, so that an operation can find out whether others may still come,
// and remembers which computations a run has requested. A computation is repeated after the last write on
// which it depends: a pool with criteria may be created before its devices, to which it has no references
// (enms-rest.md 2.4).

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
	changed          chan struct{}         // closed with each change; nil while nobody waits
	rounds           map[any]chan struct{} // for each group of which some wait, what is closed when one of them gives up
}

// change adds to the numbers of those in progress and of those among them that wait, and wakes Await and AwaitLast.
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

// Pause records that something in progress waits for something else in progress, until resume is called.
func (a *Activity) Pause() (resume func()) {
	a.change(0, 1)
	return func() { a.change(0, -1) }
}

// Waiting returns how much of what is in progress waits.
func (a *Activity) Waiting() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.waiting
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

// join returns a channel that is closed when an operation of a group gives up, and leave, which such an operation calls.
// If the group is nil, the operation is alone: the channel is nil.
func (a *Activity) join(group any) (over <-chan struct{}, leave func()) {
	if group == nil {
		return nil, func() {}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	round, waiting := a.rounds[group]
	if !waiting {
		round = make(chan struct{})
		a.rounds = put(a.rounds, group, round)
	}
	return round, func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.rounds[group] == round { // the first of them
			delete(a.rounds, group)
			close(round)
		}
	}
}

// Await waits until done returns true, and reports whether it did. It calls done after each change. The caller is
// itself in progress. Await gives up after a pause in which everything else in progress was waiting, too; those of the
// same group that wait then give up with it. If group is nil, the caller gives up alone.
func (a *Activity) Await(ctx context.Context, group any, pause time.Duration, done func() bool) bool {
	if done() {
		return true
	}
	over, leave := a.join(group)
	resume := a.Pause()
	defer resume()
	for {
		var quiet <-chan time.Time // nil, which never delivers, while something is busy
		busy, changed := a.state() // before done: a later change then closes the channel
		if done() {
			return true
		}
		if !busy {
			quiet = time.After(pause)
		}
		select {
		case <-changed:
		case <-over:
			return done()
		case <-quiet:
			leave()
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// quietPause is how long Terraform may take until its next operation, once none is in progress.
const quietPause = 50 * time.Millisecond

// Computations are the computations that this run has requested. The zero value is ready for use.
type Computations struct {
	Writes Activity // creations and updates in progress

	mu   sync.Mutex
	made map[string]bool // by their endpoints
	due  map[string]bool // the computations that are out of date, because something on which they depend was written since
}

// AddRequest records that a computation is requested now, which covers everything written so far.
func (c *Computations) AddRequest(endpoint string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made = put(c.made, endpoint, true)
	delete(c.due, endpoint)
}

// Outdate records that an instance was written on which a computation depends. It matters only if this run has
// requested the computation before.
func (c *Computations) Outdate(endpoint string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.made[endpoint] {
		c.due = put(c.due, endpoint, true)
	}
}

// IsDue reports whether a computation must be repeated.
func (c *Computations) IsDue(endpoint string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.due[endpoint]
}

// TakeDue is IsDue, and records that the caller requests the computation now: only one of several callers gets it.
func (c *Computations) TakeDue(endpoint string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	due := c.due[endpoint]
	delete(c.due, endpoint)
	return due
}

// AwaitLast waits, after the end of a creation or an update, and reports whether it was the last one: none is in
// progress, and none begins within a short pause.
func (c *Computations) AwaitLast(ctx context.Context) bool {
	quiet := time.After(quietPause)
	for {
		busy, changed := c.Writes.state()
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

// put sets a member of a map and returns the map. If the map is nil, it makes one.
func put[K comparable, V any](into map[K]V, key K, v V) map[K]V {
	if into == nil {
		into = map[K]V{}
	}
	into[key] = v
	return into
}
