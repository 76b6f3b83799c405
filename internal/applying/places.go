// This file lets writes wait for places: values that no two instances may share, such as the ends of
// an edge (enms-rest.md 1.13).

package applying

import (
	"context"
	"sync"
	"time"
)

// Places records which instances have left their places. The zero value is ready to use.
type Places struct {
	Writes Activity // the instances that are being written

	mu    sync.Mutex
	moves int            // how often any instance has left its place
	left  map[string]int // by the key of an instance: the value of moves when it last left its place
}

// Now returns how often any instance has left its place.
func (p *Places) Now() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.moves
}

// Leave wakes the operations that wait for an instance: it may have left its place.
func (p *Places) Leave(key string) {
	p.mu.Lock()
	p.moves++
	p.left = put(p.left, key, p.moves)
	p.mu.Unlock()
	p.Writes.change(0, 0)
}

// Wait waits until an instance has left its place after since, and reports whether it has. It
// gives up after patience if all other writes in progress are waiting too: Terraform begins
// the write of the other instance at about the same time.
func (p *Places) Wait(ctx context.Context, holder string, since int, patience time.Duration) bool {
	return p.Writes.Await(ctx, patience, func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.left[holder] > since
	})
}
