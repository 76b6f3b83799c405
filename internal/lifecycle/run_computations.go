// This file records which computations eNMS was asked for in this run, and whether something was
// written since that they depend on: a pool by criteria may be created before devices to which
// no reference of its leads (enms-rest.md 2.4).

package lifecycle

import (
	"context"
	"sync"
	"time"
)

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
