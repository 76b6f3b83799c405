// This file bounds how many deletions are under way at the same time. Writes share lists, and one
// list is sent at a time, but each deletion is a request of its own. On SQLite each of them locks
// the database, and eNMS answers 500 to the one that waits for the lock for longer than five
// seconds (enms-rest.md 7).

package enms

import (
	"context"
	"sync"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
)

const (
	// serialDeletions is how many deletions at a time keep a server busy that handles one request
	// at a time.
	serialDeletions = 3
	// usualDeletions is how many are sent as long as it is unknown what the server gains from: as
	// many as Terraform begins.
	usualDeletions = 10
	// mostDeletions bounds them on any server.
	mostDeletions = 50
)

// deletionsAt returns how many deletions at a time pay on a server.
func deletionsAt(load rest.Load) int {
	switch {
	case load.Cost == 0 || load.Parallel == 0:
		return usualDeletions
	case load.Parallel == 1:
		return serialDeletions
	default: // twice as many show whether more pay
		return min(2*load.Parallel, mostDeletions)
	}
}

// limiter lets a number of operations be under way at the same time, in the order in which they
// arrive. The number may change.
type limiter struct {
	most func() int // at least 1

	mu       sync.Mutex
	underWay int
	waiting  []chan struct{} // closed when it is an operation's turn
}

// begin waits until an operation may be under way, which end ends, or until ctx ends.
func (l *limiter) begin(ctx context.Context) error {
	turn := make(chan struct{})
	l.mu.Lock()
	l.waiting = append(l.waiting, turn)
	l.admit()
	l.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
		l.leave(turn)
		return ctx.Err()
	}
}

// leave takes an operation back that has begun to wait.
func (l *limiter) leave(turn chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, other := range l.waiting {
		if other == turn {
			l.waiting = append(l.waiting[:i], l.waiting[i+1:]...)
			return
		}
	}
	l.underWay-- // its turn came at the same moment
	l.admit()
}

func (l *limiter) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.underWay--
	l.admit()
}

// admit begins the operations whose turn it is. The caller holds mu.
func (l *limiter) admit() {
	for len(l.waiting) > 0 && l.underWay < l.most() {
		close(l.waiting[0])
		l.waiting = l.waiting[1:]
		l.underWay++
	}
}
