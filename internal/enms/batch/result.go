// This file declares the batcher's part of an operation.

package batch

import (
	"context"
	"slices"
	"sync/atomic"
)

// Operation is implemented by a pointer to a struct that embeds Result.
type Operation interface{ result() *Result }

// Result is the batcher's part of an operation, with its result.
type Result struct {
	ctx         context.Context
	done        chan struct{} // closed when there is a result
	err         error         // written before done is closed
	left        atomic.Bool   // its caller no longer waits; read by the batch
	abandon     func()        // ends the context of its batch if all callers have left; nil while it is queued
	interrupted bool          // its caller has left while the batch ran; read by the caller alone
}

func (r *Result) begin(ctx context.Context) { r.ctx, r.done = ctx, make(chan struct{}) }

func (r *Result) result() *Result { return r }

// finished reports whether there is a result.
func (r *Result) finished() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// Finish sets the result of an operation; only the first call counts. Only Run may call it, in one goroutine.
func (r *Result) Finish(err error) {
	if !r.finished() {
		r.err = err
		close(r.done)
	}
}

// Err returns the error that an operation has ended with, or nil if it has not ended yet.
func (r *Result) Err() error { return r.err }

// Interrupted reports, after Do, whether the caller left while the batch ran, so that the
// operation may still happen.
func (r *Result) Interrupted() bool { return r.interrupted }

// Pending returns the operations that have no result and whose callers wait.
func Pending[T Operation](operations []T) []T {
	return slices.DeleteFunc(slices.Clone(operations), func(operation T) bool {
		r := operation.result()
		return r.finished() || r.left.Load()
	})
}

// FinishAll sets the same error for all operations that have no result.
func FinishAll[T Operation](operations []T, err error) {
	for _, operation := range operations {
		operation.result().Finish(err)
	}
}

// Together runs operations as one batch at once, without a batcher, and returns the error of each. It is for tests.
// unfinished is the error of those that run has not finished.
func Together[T Operation](ctx context.Context, operations []T, unfinished error, run func([]T)) []error {
	for _, operation := range operations {
		operation.result().begin(ctx)
	}
	run(operations)
	FinishAll(operations, unfinished)
	errs := make([]error, len(operations))
	for i, operation := range operations {
		errs[i] = operation.result().err
	}
	return errs
}
