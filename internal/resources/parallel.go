// This file calls a function for many items at the same time, so that their requests are shared.

package resources

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// Each returns what do returns for each of the items, in their order, or the first error, with which the ctx of the other
// calls ends.
func Each[T, R any](ctx context.Context, items []T, do func(ctx context.Context, item T) (R, error)) ([]R, error) {
	results := make([]R, len(items))
	calls, ctx := errgroup.WithContext(ctx)
	for i, item := range items {
		calls.Go(func() (err error) {
			results[i], err = do(ctx, item)
			return err
		})
	}
	return results, calls.Wait()
}
