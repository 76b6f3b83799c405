// This file lets writes wait for places: values that no two instances may share, such as the ends of
// an edge (enms-rest.md 1.13).

package applying

import (
	"context"
	"sync"
	"time"
)

// Places records which instances have left their places, and which wait. The zero value is
// ready to use.
type Places struct {
	Writes Activity // the writes in progress of instances that have places

	left  releases[string] // by the ids of the instances that have left their places
	mu    sync.Mutex
	waits map[string]string // by the id of a waiting instance: the id of the instance whose place it waits for
}

// Now returns how often any instance has left its place.
func (p *Places) Now() int { return p.left.now() }

// Leave wakes the operations that wait for an instance: it may have left its place.
func (p *Places) Leave(id string) {
	p.left.add(id)
	p.Writes.change(0, 0)
}

// Begin records that an instance waits for the one that holds its place. It reports a circle, and records
// nothing, if the instance would wait for itself, directly or through others; only the last instance of a circle
// sees that, so there is none among those that are recorded. An instance that is being created has no id, and
// nobody waits for it.
func (p *Places) Begin(id, holder string) (circle bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if id == "" {
		return false
	}
	for next := holder; next != ""; next = p.waits[next] {
		if next == id {
			return true
		}
	}
	p.waits = put(p.waits, id, holder)
	return false
}

// Wait waits until holder has left its place after since, a value of Now, and reports whether it has. It ends what
// Begin has recorded for id. It gives up after patience if all other writes in progress are waiting too:
// Terraform begins the write of the other instance at about the same time.
func (p *Places) Wait(ctx context.Context, id, holder string, since int, patience time.Duration) bool {
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.waits, id)
	}()
	return p.Writes.Await(ctx, patience, func() bool { return p.left.since(holder, since) })
}
