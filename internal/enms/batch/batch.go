// Package batch gathers operations that come at about the same time into batches. The caller
// decides what a batch does, and which operations may share one.
//
//	batch.go      operations that end one by one, as writes do
//	questions.go  questions that are answered together
//	lanes.go      which batch has its turn
//	result.go     the result of an operation
package batch

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

const (
	// Window is after how long without a further operation a batch that has its turn starts: whoever comes later waits
	// for the whole batch, and then needs another one. It starts after mostWindows in any case.
	Window      = 30 * time.Millisecond
	mostWindows = 10
	// shortWindow is the window of a batch that nobody else is expected to join (Batcher.usual): long enough for
	// operations that one caller brings at the same time.
	shortWindow = 2 * time.Millisecond
	// usualCallers is how many operations are expected at the same time at first: by default, Terraform has up to ten
	// calls open.
	usualCallers = 10
)

// Rules say what batches are.
type Rules[K comparable, T Operation] struct {
	// Run finishes the operations of a batch. ctx ends when none of their callers waits any longer.
	Run func(ctx context.Context, key K, operations []T)
	// Lane returns the name of a key's lane: batches of a lane take turns.
	Lane func(key K) string
	// Exclusive is set if batches never run beside other exclusive ones, whatever their lanes.
	Exclusive bool
	// Names returns the names of an operation, or nil. Two operations with a name in common never share a
	// batch, and keep their order. If Names is nil, no operation has names.
	Names func(key K, operation T) []string
	// Size returns by how much an operation adds to the size of a batch. If Size is nil, nothing bounds it.
	Size func(operation T) int
	// MostOperations and MostSize bound a batch. One operation always fits.
	MostOperations, MostSize int
	// Unfinished is the error of operations that Run has not finished.
	Unfinished error
	// Grace is for how long a caller whose context was cancelled still waits for the result of an operation
	// whose batch is under way.
	Grace time.Duration
}

// Batcher gathers operations into batches. Operations with the same key may share one.
type Batcher[K comparable, T Operation] struct {
	rules Rules[K, T]
	lanes *Lanes

	mu      sync.Mutex
	waiting map[K][]*forming[T] // the batches that have not started, in the order in which they will
	usual   int                 // how many operations a batch may get: the most that one has had, at least usualCallers
}

// forming is a batch that has not started.
type forming[T Operation] struct {
	operations []T
	size       int
	names      map[string]bool // those of its operations
	changed    chan struct{}   // has an element when it has got an operation
}

// New makes a batcher, whose batches take turns with those of other batchers in the same lanes.
func New[K comparable, T Operation](lanes *Lanes, rules Rules[K, T]) *Batcher[K, T] {
	return &Batcher[K, T]{rules: rules, lanes: lanes, waiting: map[K][]*forming[T]{}, usual: usualCallers}
}

// Do runs an operation in a batch and waits for its result, or until ctx ends, which does not
// affect the other operations of its batch. An operation that still waits for its batch then is never run. For one
// that is under way, Do waits for up to Rules.Grace if ctx was cancelled, and not at all if its deadline has passed.
func (b *Batcher[K, T]) Do(ctx context.Context, key K, operation T) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r := operation.result()
	r.ctx, r.done = ctx, make(chan struct{})
	b.enqueue(key, operation)
	select {
	case <-r.done:
		return r.err
	case <-ctx.Done():
	}
	if b.withdraw(key, r) {
		return ctx.Err()
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		select {
		case <-r.done:
		case <-time.After(b.rules.Grace):
		}
	}
	return b.leave(r)
}

// enqueue adds an operation to the first batch that may have it: one with room, after all that have a name in common
// with it. If there is none, it makes one.
func (b *Batcher[K, T]) enqueue(key K, operation T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var names []string
	if b.rules.Names != nil {
		names = b.rules.Names(key, operation)
	}
	size := 0
	if b.rules.Size != nil {
		size = b.rules.Size(operation)
	}
	var batch *forming[T]
	for _, f := range b.waiting[key] {
		switch {
		case slices.ContainsFunc(names, func(name string) bool { return f.names[name] }):
			batch = nil
		case batch == nil && len(f.operations) < b.rules.MostOperations && f.size+size <= b.rules.MostSize:
			batch = f
		}
	}
	if batch == nil {
		batch = &forming[T]{names: map[string]bool{}, changed: make(chan struct{}, 1)}
		b.waiting[key] = append(b.waiting[key], batch)
		turn, end := b.lanes.enter(b.rules.Lane(key))
		go b.run(key, batch, turn, end)
	}
	batch.operations = append(batch.operations, operation)
	batch.size += size
	for _, name := range names {
		batch.names[name] = true
	}
	select {
	case batch.changed <- struct{}{}:
	default:
	}
}

// withdraw removes an operation from its batch, and reports whether that had not started.
func (b *Batcher[K, T]) withdraw(key K, r *Result) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r.abandon != nil {
		return false
	}
	for _, f := range b.waiting[key] {
		f.operations = slices.DeleteFunc(f.operations, func(o T) bool { return o.result() == r })
	}
	return true
}

// leave ends the waiting of a caller whose batch is under way, and returns the error of the caller's
// context, or of the operation if it has finished meanwhile. The last caller who leaves ends the context
// of the batch.
func (b *Batcher[K, T]) leave(r *Result) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r.ended.Load() {
		return r.err
	}
	r.left.Store(true)
	r.interrupted = true
	r.abandon()
	return r.ctx.Err()
}

// run runs a batch when it is its turn in its lane and its window is over, and then calls end.
func (b *Batcher[K, T]) run(key K, batch *forming[T], turn <-chan struct{}, end func()) {
	defer end()
	<-turn
	b.gather(batch)
	if b.rules.Exclusive {
		b.lanes.exclusive <- struct{}{}
		defer func() { <-b.lanes.exclusive }()
	}
	ctx, cancel := b.start(key, batch)
	defer cancel()
	if len(batch.operations) > 0 {
		b.rules.Run(ctx, key, batch.operations)
		FinishAll(batch.operations, b.rules.Unfinished)
	}
}

// gather waits until a batch is full, or its window is over.
func (b *Batcher[K, T]) gather(batch *forming[T]) {
	for end := time.After(mostWindows * b.lanes.window); ; {
		b.mu.Lock()
		has, window := len(batch.operations), b.lanes.window
		if has >= b.usual {
			window = shortWindow
		}
		b.mu.Unlock()
		if has >= b.rules.MostOperations {
			return
		}
		select {
		case <-batch.changed:
		case <-time.After(window):
			return
		case <-end:
			return
		}
	}
}

// start takes a batch off those that wait, so that no operation joins it any longer. The context of the batch has the
// values of the first caller's context. It ends only when all callers have left.
func (b *Batcher[K, T]) start(key K, batch *forming[T]) (ctx context.Context, cancel context.CancelFunc) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting[key] = slices.DeleteFunc(b.waiting[key], func(f *forming[T]) bool { return f == batch })
	if len(b.waiting[key]) == 0 {
		delete(b.waiting, key)
	}
	b.usual = max(b.usual, len(batch.operations))
	ctx = context.Background()
	if len(batch.operations) > 0 { // otherwise all were withdrawn
		ctx = context.WithoutCancel(batch.operations[0].result().ctx)
	}
	ctx, cancel = context.WithCancel(ctx)
	for _, operation := range batch.operations {
		operation.result().abandon = func() {
			if len(Pending(batch.operations)) == 0 {
				cancel()
			}
		}
	}
	return ctx, cancel
}
