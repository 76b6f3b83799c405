// This file bounds how many operations are under way at the same time.

package rest

import "context"

// Slots has an element for each operation that runs. Its capacity bounds them; nil is no bound.
type Slots chan struct{}

// NewSlots returns Slots for at most n operations; 0 is no bound.
func NewSlots(n int) Slots {
	if n == 0 {
		return nil
	}
	return make(Slots, n)
}

// Acquire waits until an operation may begin, or returns the error of ctx. After the operation, call Release.
func (s Slots) Acquire(ctx context.Context) error {
	if s == nil {
		return nil
	}
	select {
	case s <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Release lets another operation begin.
func (s Slots) Release() {
	if s != nil {
		<-s
	}
}
