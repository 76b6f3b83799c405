// This file has eNMS compute once more what was computed in this run before everything was
// written that it depends on: a pool by criteria is created before devices to which no
// reference of its leads (enms-rest.md 2.4).

package lifecycle

import (
	"context"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// computations are those that eNMS was asked for in this run. The zero value is ready for use.
type computations struct {
	writes activity // creations and updates that are under way

	mu   sync.Mutex
	made map[string]bool // by their endpoints
	due  map[string]bool // those made before something was written that they depend on
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

// computeLate has what depends on instances of the kind computed again, if it was computed in
// this run before one of them was written: once, after the last write of those that are under
// way together. Every creation and update ends with it, whatever its kind.
func (r *Instances) computeLate(ctx context.Context, written bool) (diags diag.Diagnostics) {
	for _, k := range r.provider.Kinds {
		if k.Recompute == nil {
			continue
		}
		c, endpoint := &r.provider.computations, k.Recompute.Endpoint
		if written && k.Selects(r.kind) {
			c.outdate(endpoint)
		}
		if !c.isDue(endpoint) || !c.last(ctx) || !c.isDue(endpoint) {
			continue
		}
		c.note(endpoint)
		if err := r.provider.Client.Recompute(ctx, endpoint); err != nil {
			failed := Diagnostic("Cannot compute the "+k.Recompute.Computed+" of "+k.Name+"s again", err)
			diags.AddWarning(failed.Summary(), failed.Detail()+" They were computed before all devices and links of this apply were written. "+kind.Sentence(k.Recompute.Hint))
		}
	}
	return diags
}
