// This file works on many entries at the same time.

package entries

import "golang.org/x/sync/errgroup"

// mostTogether is how many instances are read or written at the same time: enough for the client to fill its lists and
// searches.
const mostTogether = 2000

// inParallel calls do for each of the items, up to atATime calls at once.
func inParallel[T any](items []T, atATime int, do func(T)) {
	var calls errgroup.Group
	calls.SetLimit(atATime)
	for _, item := range items {
		calls.Go(func() error { do(item); return nil })
	}
	_ = calls.Wait() // no call returns an error
}
