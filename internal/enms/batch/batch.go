// Package batch gathers operations that are under way at the same time into batches. The caller
// decides what a batch does, and which operations may share one.
//
// Operations with the same key may share a batch. Each key belongs to a lane, which runs one batch
// at a time: whoever arrives meanwhile waits for the next one. While a lane runs a batch, the other lanes
// wait for a while (gather), because its callers may bring them operations next. Exclusive batches never
// run beside each other.
package batch

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

const (
	// shortPause is the pause before a batch if no further caller can be expected (pause): just long enough
	// for operations that one caller brings at the same time to share the batch.
	shortPause = 2 * time.Millisecond
	// firstTurn is the first estimate of Batcher.turn. longestTurn is its bound: a call that begins later
	// than a request takes is not worth waiting for.
	firstTurn, longestTurn = 12 * time.Millisecond, 250 * time.Millisecond
	// usualCallers is the first estimate of Batcher.most: by default, Terraform has up to ten calls open.
	usualCallers = 10
	// longestPause is after how long a batch starts in any case (gather).
	longestPause = 2 * time.Second
)

// Rules say what batches are.
type Rules[K comparable, T Operation] struct {
	// Run finishes the operations of a batch. ctx ends when none of their callers waits any longer.
	Run func(ctx context.Context, key K, operations []T)
	// Lane returns the name of a key's lane.
	Lane func(key K) string
	// Exclusive reports whether the batches of a key never run beside other exclusive ones.
	Exclusive func(key K) bool
	// Names returns the names of an operation. Two operations with a name in common never share a
	// batch, and keep their order.
	Names func(key K, operation T) []string
	// Size returns by how much an operation adds to the size of a batch.
	Size func(operation T) int
	// MostOperations and MostSize bound a batch. One operation always fits.
	MostOperations, MostSize int
	// Unfinished is the error of operations that Run has not finished.
	Unfinished error
	// Grace returns for how long a caller whose context was cancelled still waits for the result
	// of an operation of a key, if its batch is under way.
	Grace func(key K) time.Duration
}

// Batcher gathers operations into batches.
type Batcher[K comparable, T Operation] struct {
	rules     Rules[K, T]
	exclusive chan struct{} // holds an element while an exclusive batch runs

	mu      sync.Mutex
	lanes   map[string]*lane[K, T]
	running int           // batches that are under way
	open    int           // calls that have begun and not ended
	most    int           // the most calls that were open at the same time, at least usualCallers
	waiting int           // operations whose callers wait for a result, queued or under way
	last    time.Time     // when a call last began or ended
	turn    time.Duration // an estimate of the longest time from the beginning or end of a call to the beginning of the next
}

// lane holds the operations that wait for a batch, in the order of their arrival. It has a
// goroutine only while it has operations.
type lane[K comparable, T Operation] struct {
	waiting []queued[K, T]
	changed chan struct{} // an operation has arrived, or a call has begun or ended
	running bool          // the lane has a goroutine
}

// queued is an operation that waits.
type queued[K comparable, T Operation] struct {
	key       K
	operation T
}

// New makes a batcher.
func New[K comparable, T Operation](rules Rules[K, T]) *Batcher[K, T] {
	return &Batcher[K, T]{rules: rules, exclusive: make(chan struct{}, 1), lanes: map[string]*lane[K, T]{}, most: usualCallers, turn: firstTurn}
}

// Begin records that a call is open, until end is called. An open call may bring an operation, so batches
// wait for it, see pause.
func (b *Batcher[K, T]) Begin() (end func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.last.IsZero() { // a long turn is forgotten slowly, over a few dozen calls
		b.turn = max(min(time.Since(b.last), longestTurn), b.turn-b.turn/32)
	}
	b.open++
	b.most = max(b.most, b.open)
	b.happened()
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.open--
		b.happened()
	}
}

// happened records that a call has begun or ended.
func (b *Batcher[K, T]) happened() {
	b.last = time.Now()
	b.wake()
}

// wake makes all lanes that gather operations check again whether their batch can start.
func (b *Batcher[K, T]) wake() {
	for _, l := range b.lanes {
		select {
		case l.changed <- struct{}{}:
		default:
		}
	}
}

// Do runs an operation in a batch and waits for its result, or until ctx ends, which does not
// affect the other operations of its batch. An operation that is still queued then is never run. For one that
// is under way, Do waits for up to Rules.Grace if ctx was cancelled, and not at all if its deadline has passed.
func (b *Batcher[K, T]) Do(ctx context.Context, key K, operation T) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r := operation.result()
	r.ctx, r.done = ctx, make(chan struct{})
	b.enqueue(key, operation)
	defer b.answered()
	select {
	case <-r.done:
		return r.err
	case <-ctx.Done():
	}
	if b.withdraw(key, r) {
		return ctx.Err()
	}
	grace := b.rules.Grace(key)
	if grace > 0 && errors.Is(ctx.Err(), context.Canceled) {
		select {
		case <-r.done:
		case <-time.After(grace):
		}
	}
	return b.leave(r)
}

// enqueue adds an operation to its lane, and starts the lane's goroutine if necessary.
func (b *Batcher[K, T]) enqueue(key K, operation T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	name := b.rules.Lane(key)
	l := b.lanes[name]
	if l == nil {
		l = &lane[K, T]{changed: make(chan struct{}, 1)}
		b.lanes[name] = l
	}
	l.waiting = append(l.waiting, queued[K, T]{key, operation})
	if !l.running {
		l.running = true
		go b.run(l)
	}
	b.waiting++
	b.wake()
}

// answered records that the caller of an operation waits no longer.
func (b *Batcher[K, T]) answered() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.waiting--
	b.wake()
}

// withdraw removes an operation from its lane, and reports whether it was still queued.
func (b *Batcher[K, T]) withdraw(key K, r *Result) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r.abandon != nil {
		return false
	}
	l := b.lanes[b.rules.Lane(key)]
	l.waiting = slices.DeleteFunc(l.waiting, func(q queued[K, T]) bool { return q.operation.result() == r })
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

// run runs the batches of a lane until no operation is queued.
func (b *Batcher[K, T]) run(l *lane[K, T]) {
	for {
		b.gather(l)
		key, ok := b.next(l)
		if !ok {
			return
		}
		if b.rules.Exclusive(key) {
			b.exclusive <- struct{}{}
			b.runBatch(l, key)
			<-b.exclusive
		} else {
			b.runBatch(l, key)
		}
	}
}

// gather waits until a lane may start a batch:
//
//	the lane has as many operations as a batch may have, or none any more    at once
//	it is not the lane's turn (isFirst)                                      after longestPause
//	it is its turn, and no further caller can be expected (pause)            after 2 ms without an event
//	it is its turn, and further callers may come                             after 2 turns without an event: 24 ms
//	                                                                         at first, at most 500 ms (Batcher.turn)
//
// An event is that a call begins or ends, an operation arrives or is answered, or a batch ends. In any case, the
// batch starts after longestPause.
func (b *Batcher[K, T]) gather(l *lane[K, T]) {
	for end := time.After(longestPause); ; {
		b.mu.Lock()
		decided := len(l.waiting) == 0 || len(l.waiting) >= b.rules.MostOperations
		var quiet <-chan time.Time
		if b.isFirst(l) {
			quiet = time.After(b.pause())
		}
		b.mu.Unlock()
		if decided {
			return
		}
		select {
		case <-l.changed:
		case <-quiet:
			return
		case <-end:
			return
		}
	}
}

// isFirst reports whether it is a lane's turn: no lane has more operations, and no batch is under way, because its
// callers may bring operations to this lane next. If no calls are open (Begin), no caller is known that could
// bring another operation, and every lane has its turn.
func (b *Batcher[K, T]) isFirst(l *lane[K, T]) bool {
	if b.open == 0 {
		return true
	}
	if b.running > 0 {
		return false
	}
	for _, other := range b.lanes {
		if len(other.waiting) > len(l.waiting) {
			return false
		}
	}
	return true
}

// pause returns how long a lane waits without an event (gather) before it starts a batch. A caller that comes
// after the start has to wait for the batch to end, and then needs another one. No further caller can be
// expected if all open calls wait for a batch, and as many calls are open as ever were.
func (b *Batcher[K, T]) pause() time.Duration {
	if b.waiting >= b.open && b.open >= b.most {
		return shortPause
	}
	return 2 * b.turn
}

// next returns the key of the operation that has waited longest. If none is queued, ok is false,
// and the lane's goroutine must end.
func (b *Batcher[K, T]) next(l *lane[K, T]) (key K, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(l.waiting) == 0 {
		l.running = false
		return key, false
	}
	return l.waiting[0].key, true
}

// runBatch runs a batch of the queued operations with a key, if there still are any.
func (b *Batcher[K, T]) runBatch(l *lane[K, T], key K) {
	ctx, cancel, operations := b.begin(l, key)
	if len(operations) == 0 {
		return
	}
	defer cancel()
	b.rules.Run(ctx, key, operations)
	FinishAll(operations, b.rules.Unfinished)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.running--
	b.wake()
}

// begin takes the operations of a batch from their lane. The context of the batch has the values of the
// first caller's context. It ends only when all callers have left.
func (b *Batcher[K, T]) begin(l *lane[K, T], key K) (ctx context.Context, cancel context.CancelFunc, operations []T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	operations, l.waiting = b.take(key, l.waiting)
	if len(operations) == 0 {
		return nil, nil, nil
	}
	b.running++
	ctx, cancel = context.WithCancel(context.WithoutCancel(operations[0].result().ctx))
	for _, operation := range operations {
		operation.result().abandon = func() {
			if len(Pending(operations)) == 0 {
				cancel()
			}
		}
	}
	return ctx, cancel, operations
}

// take splits the waiting operations into those with a key that fit into one batch, and the rest. An operation
// that has a name in common with an earlier one with the key stays behind, even if the earlier one does, too.
func (b *Batcher[K, T]) take(key K, waiting []queued[K, T]) (taken []T, left []queued[K, T]) {
	seen, size := map[string]bool{}, 0
	for _, q := range waiting {
		if q.key != key {
			left = append(left, q)
			continue
		}
		names, more := b.rules.Names(key, q.operation), b.rules.Size(q.operation)
		conflict := slices.ContainsFunc(names, func(name string) bool { return seen[name] })
		for _, name := range names {
			seen[name] = true
		}
		full := len(taken) >= b.rules.MostOperations || len(taken) > 0 && size+more > b.rules.MostSize
		if conflict || full {
			left = append(left, q)
			continue
		}
		size += more
		taken = append(taken, q.operation)
	}
	return taken, left
}
