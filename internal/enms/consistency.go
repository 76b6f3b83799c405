// Reads that contradict this client's own writes. Where eNMS has several workers
// and its database keeps snapshots (REPEATABLE READ), a worker may answer one
// request from a snapshot that is older than a write which another worker has
// committed (enms-rest.md 10). This file only repeats the question. That an answer
// contradicts a write is noticed by those who ask: queryOne misses an instance
// that this client wrote, Get and Delete meet a 403 for one that a query finds,
// write meets a refusal for want of one that it wrote, related and List find one that it
// deleted, and the callers of FindUntil, FindNowUntil, FindByIDUntil and GetUntil miss a
// value that was written.

package enms

import (
	"context"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
)

const (
	// consistentTries is how often a question is asked in all: each stale
	// answer makes its worker fresh again, so this is about how many workers may
	// be stale at a time.
	consistentTries = 8
	// doubtfulTries is the same where less speaks for a stale answer: most often it
	// means what it says.
	doubtfulTries = 4
	// consistentWait is the pause between two tries, for another worker to be the
	// next that is free.
	consistentWait = 10 * time.Millisecond
)

// untilConsistent calls ask until it returns true, tries times at most, with a short pause
// between two. ask returns false when what it read contradicts what this client has written.
// It ends early with ctx.
func untilConsistent(ctx context.Context, tries int, ask func() (consistent bool)) {
	for try := 1; !ask() && try < tries; try++ {
		if rest.Sleep(ctx, consistentWait) != nil {
			return
		}
	}
}

// repeatRead calls read until agrees accepts what it returns, or read fails, up to
// consistentTries times.
func repeatRead(ctx context.Context, read func() (Object, error), agrees func(Object) bool) (found Object, err error) {
	untilConsistent(ctx, consistentTries, func() bool {
		found, err = read()
		return err != nil || agrees(found)
	})
	return found, err
}
