// This file lets batches take turns.

package batch

import (
	"sync"
	"time"
)

// Lanes let batches take turns: those of a lane run one after another, in the order in which they entered it. Exclusive
// ones never run beside each other.
type Lanes struct {
	window    time.Duration // see Window
	exclusive chan struct{} // holds an element while an exclusive batch runs

	mu   sync.Mutex
	last map[string]chan struct{} // by lane: closed when the last batch that has entered ends
}

// NewLanes makes lanes, whatever their names. window is usually Window.
func NewLanes(window time.Duration) *Lanes {
	return &Lanes{window: window, exclusive: make(chan struct{}, 1), last: map[string]chan struct{}{}}
}

// enter adds a batch to a lane. turn is closed when it may run, and then it must call end.
func (l *Lanes) enter(lane string) (turn <-chan struct{}, end func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	before := l.last[lane]
	if before == nil {
		before = make(chan struct{})
		close(before)
	}
	after := make(chan struct{})
	l.last[lane] = after
	return before, func() { close(after) }
}
