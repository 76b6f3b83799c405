// Reads that contradict this client's own writes. Where eNMS has several workers
// and its database keeps snapshots (REPEATABLE READ), a worker may answer one
// request from a snapshot that is older than a write which another worker has
// committed (enms-rest.md 10). Such an answer is asked for again.

package enms

import (
	"context"
	"errors"
	"sync"
	"time"
)

const (
	// consistentTries is how often a question is asked in all: each stale
	// answer makes its worker fresh again, so this is about how many workers may
	// be stale at a time.
	consistentTries = 8
	// consistentWait is the pause between two tries, for another worker to be the
	// next that is free.
	consistentWait = 10 * time.Millisecond
	// forbiddenTries is the same for a 403 to an instance that this client has
	// not written: most often it means what it says.
	forbiddenTries = 3
)

// UntilConsistent calls ask until it returns true, a fixed number of times at
// most, with a short pause between two. ask returns false when what it read contradicts what
// this client has written. It ends early with ctx.
func UntilConsistent(ctx context.Context, ask func() (consistent bool)) {
	for try := 1; !ask() && try < consistentTries; try++ {
		timer := time.NewTimer(consistentWait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
	}
}

// untilPermitted repeats what eNMS says the user may not do to an instance that
// a query has just found: a worker that does not know the instance yet says the
// same (enms-rest.md 6.2). Of an instance that this client has not written there
// is less reason to believe that.
func (c *Client) untilPermitted(ctx context.Context, name string, do func() error) {
	tries := 0
	UntilConsistent(ctx, func() bool {
		tries++
		return !errors.Is(do(), ErrForbidden) || !c.written.has(name) && tries >= forbiddenTries
	})
}

// nameSet is a set of names of instances, whatever their types, that goroutines
// may share.
type nameSet struct {
	mu    sync.Mutex
	names map[string]bool
}

func (s *nameSet) add(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.names == nil {
		s.names = map[string]bool{}
	}
	s.names[name] = true
}

func (s *nameSet) remove(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.names, name)
}

func (s *nameSet) has(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.names[name]
}
