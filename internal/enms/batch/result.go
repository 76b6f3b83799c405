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
	done        chan struct{} // closed when there is a result; nil for an operation that no batcher runs, as in tests
	ended       atomic.Bool   // there is a result
	err         error         // written before ended is set
	left        atomic.Bool   // its caller no longer waits; read by the batch
	abandon     func()        // ends the context of its batch if all callers have left; nil while it is queued
	interrupted bool          // its caller has left while the batch ran; read by the caller alone
}

func (r *Result) result() *Result { return r }

// Finish sets the result of an operation; only the first call counts. Only Run may call it, in one goroutine.
func (r *Result) Finish(err error) {
	if r.ended.Load() {
		return
	}
	r.err = err
	r.ended.Store(true)
	if r.done != nil {
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
		return r.ended.Load() || r.left.Load()
	})
}

// FinishAll sets the same error for all operations that have no result.
func FinishAll[T Operation](operations []T, err error) {
	for _, operation := range operations {
		operation.result().Finish(err)
	}
}
