// This file bounds how many operations are under way at the same time.

package rest

import "context"

// Slots bounds how many operations are under way at the same time. nil is no bound.
type Slots chan struct{}

// NewSlots returns Slots for so many operations, 0 for any number.
func NewSlots(most int) Slots {
	if most == 0 {
		return nil
	}
	return make(Slots, most)
}

// Acquire waits until an operation may be under way, which Release ends, or until ctx ends.
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

// Release lets another operation be under way.
func (s Slots) Release() {
	if s != nil {
		<-s
	}
}
