// Package batch gathers operations that are under way at the same time into batches. As many
// batches run beside each other as the server gains from; whoever arrives meanwhile is gathered
// for the next. The caller decides what a batch does, which operations may share one, and which
// batches may run at the same time.
package batch

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// A batch is run when no operation has arrived for shortPause, or for longerPause while fewer
	// operations wait than the last batch of a Recurring key held and some caller is missing:
	// Terraform starts its next operations some time after the last ones were answered. Both are
	// for servers on which a batch holds up others, and at most twice the cost of a request.
	shortPause  = 25 * time.Millisecond
	longerPause = 300 * time.Millisecond
	// leastPause is the pause on servers on which batches do not hold up others, and, until that
	// is known, when as many callers are there as before. It lets operations that arrive together
	// share a batch.
	leastPause = 5 * time.Millisecond
	// longestPause is after how long a batch is run although operations keep arriving.
	longestPause = 5 * time.Second
	// mostPassedOver is how many First batches in a row may go before waiting ones that are not
	// First.
	mostPassedOver = 16
)

// Rules say what batches are. Operations of the same key may share one.
type Rules[K comparable, T Operation] struct {
	// Run finishes the operations of a batch. ctx ends when none of their
	// callers waits any longer.
	Run func(ctx context.Context, key K, operations []T)
	// First reports whether the batches of a key go before others.
	First func(key K) bool
	// Recurring reports whether the callers of a key return together: a batch then waits longer
	// for as many operations as the last one held.
	Recurring func(key K) bool
	// Names returns the names of an operation. Two operations with a name in common never share a
	// batch, and keep their order.
	Names func(key K, operation T) []string
	// Size returns by how much an operation adds to the size of a batch.
	Size func(operation T) int
	// MostOperations and MostSize bound a batch. One operation always fits.
	MostOperations, MostSize int
	// Unfinished is the error of operations that Run has not finished.
	Unfinished error
	// Load tells what a request costs, 0 if that is unknown, and how many batches
	// at a time pay, 0 if that is unknown. Without it, one batch runs at a time.
	Load func() (cost time.Duration, parallel int)
	// Beside tells whether batches of two keys may run at the same time. Operations
	// with a name in common never do.
	Beside func(key, other K) bool
	// Grace returns for how long a caller whose context was cancelled still waits for the result
	// of an operation of a key, if its batch is under way.
	Grace func(key K) time.Duration
}

// Batcher gathers operations into batches. A goroutine runs only while there
// are operations.
type Batcher[K comparable, T Operation] struct {
	rules Rules[K, T]

	mu         sync.Mutex
	queues     map[K]*queue[T]
	underWay   []*readyBatch[K, T]
	running    bool
	turn       uint64        // counts batches
	callers    int           // how many come back for further operations, as far as that has shown
	passedOver int           // batches in a row that went before waiting ones that are not First
	changed    chan struct{} // an operation has arrived, or a batch has ended
}

// queue holds the operations of a key, in the order of their arrival.
type queue[T Operation] struct {
	operations []T
	turn       uint64 // the turn of its last batch; 0 before the first
	last       int    // how many operations that batch held
}

// New makes a batcher.
func New[K comparable, T Operation](rules Rules[K, T]) *Batcher[K, T] {
	return &Batcher[K, T]{rules: rules, queues: map[K]*queue[T]{}, changed: make(chan struct{}, 1)}
}

// Do runs an operation in a batch and waits for its result, or until ctx ends, which does not
// affect the other operations of its batch. An operation that is still queued then is never run;
// for one that is under way, Do waits as long as Rules.Grace says. The context of a batch has the
// values of its first operation's context.
func (b *Batcher[K, T]) Do(ctx context.Context, key K, operation T) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r := operation.result()
	r.begin(ctx)
	b.enqueue(key, operation)
	select {
	case <-r.done:
		return r.err
	case <-ctx.Done():
	}
	if b.withdraw(key, operation) {
		return ctx.Err()
	}
	if grace := b.rules.Grace(key); grace > 0 && errors.Is(ctx.Err(), context.Canceled) {
		select {
		case <-r.done:
		case <-time.After(grace):
		}
	}
	return b.leave(r)
}

// enqueue queues an operation, and starts the goroutine that runs batches if necessary.
func (b *Batcher[K, T]) enqueue(key K, operation T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.queues[key] == nil {
		b.queues[key] = &queue[T]{}
	}
	b.queues[key].operations = append(b.queues[key].operations, operation)
	b.callers = max(b.callers, b.present())
	if !b.running {
		b.running = true
		go b.run()
	}
	b.signal()
}

// present returns how many operations are queued or under way.
func (b *Batcher[K, T]) present() int {
	present := 0
	for _, q := range b.queues {
		present += len(q.operations)
	}
	for _, batch := range b.underWay {
		present += len(batch.operations)
	}
	return present
}

// signal tells the goroutine that something has changed.
func (b *Batcher[K, T]) signal() {
	select {
	case b.changed <- struct{}{}:
	default:
	}
}

// withdraw removes an operation from its queue, and reports whether it was still there.
func (b *Batcher[K, T]) withdraw(key K, operation T) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	r, q := operation.result(), b.queues[key]
	if r.abandon != nil {
		return false
	}
	r.left.Store(true)
	q.operations = slices.DeleteFunc(q.operations, func(other T) bool { return other.result() == r })
	return true
}

// leave ends the waiting of a caller whose batch is under way. If there is a result nevertheless,
// it returns that. The last caller of a batch who leaves ends the context of the batch.
func (b *Batcher[K, T]) leave(r *Result) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r.finished() {
		return r.err
	}
	r.left.Store(true)
	r.interrupted = true
	r.abandon()
	return r.ctx.Err()
}

// run starts batches until nothing is queued or under way.
func (b *Batcher[K, T]) run() {
	for b.gather() {
		if next := b.next(); next != nil {
			go b.finish(next)
		}
	}
}

// finish runs a batch.
func (b *Batcher[K, T]) finish(batch *readyBatch[K, T]) {
	b.rules.Run(batch.ctx, batch.key, batch.operations)
	FinishAll(batch.operations, b.rules.Unfinished)
	batch.cancel()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.underWay = slices.DeleteFunc(b.underWay, func(other *readyBatch[K, T]) bool { return other == batch })
	b.signal()
}

// gather waits until a batch may run, and then until nobody has arrived for a moment, or a
// batch is full. It returns false when nothing is queued or under way: the goroutine must end.
func (b *Batcher[K, T]) gather() bool {
	var end <-chan time.Time
	for {
		pause, next := b.decide()
		switch {
		case next == stop:
			return false
		case next == await:
			<-b.changed
			end = nil
			continue
		case pause == 0:
			return true
		case end == nil:
			end = time.After(longestPause)
		}
		select {
		case <-b.changed:
		case <-time.After(pause):
			return true
		case <-end:
			return true
		}
	}
}

// decision is what the goroutine does next.
type decision int

const (
	stop  decision = iota // nothing is queued or under way
	await                 // until something changes, because no batch may run
	start                 // a batch
)

// decide says what to do next; before a batch, after how long without an arrival.
func (b *Batcher[K, T]) decide() (time.Duration, decision) {
	b.mu.Lock()
	defer b.mu.Unlock()
	queued := false
	for _, q := range b.queues {
		queued = queued || len(q.operations) > 0
	}
	if b.running = queued || len(b.underWay) > 0; !b.running {
		return 0, stop
	}
	cost, parallel := b.load()
	if len(b.underWay) >= cmp.Or(parallel, untilKnown) {
		return 0, await
	}
	return b.pause(cost, parallel)
}

// untilKnown is how many batches run at a time until it is known how many pay: the second shows
// it.
const untilKnown = 2

func (b *Batcher[K, T]) load() (cost time.Duration, parallel int) {
	if b.rules.Load == nil {
		return 0, 1
	}
	return b.rules.Load()
}

// pause returns how long no operation must have arrived before a batch is run, 0 when
// one is full. Where batches run beside each other, whoever comes late is not held up, and waits
// are short; but a batch that holds up the others of its key waits for all callers.
func (b *Batcher[K, T]) pause(cost time.Duration, parallel int) (pause time.Duration, next decision) {
	pause, longer, next := shortPause, longerPause, await
	if cost > 0 {
		longer = min(longer, 2*cost)
	}
	if parallel > 1 {
		longer = min(longer, cost)
	}
	all := b.present() >= b.callers
	if cost > 0 && (parallel > 1 || parallel == 0 && all && b.turn > 0) {
		pause = leastPause
	}
	for key, q := range b.queues {
		missing := len(q.operations) < q.last && !all
		if parallel != 1 {
			missing = !all && !b.rules.Beside(key, key)
		}
		switch {
		case !b.mayRun(key, q):
			continue
		case len(q.operations) >= b.rules.MostOperations:
			return 0, start
		case missing && b.rules.Recurring(key):
			pause = max(pause, longer)
		}
		next = start
	}
	return pause, next
}

// mayRun reports whether operations of a key wait that may run beside those that are under way.
func (b *Batcher[K, T]) mayRun(key K, q *queue[T]) bool {
	if slices.ContainsFunc(b.underWay, func(other *readyBatch[K, T]) bool { return !b.rules.Beside(key, other.key) }) {
		return false
	}
	names := b.namesUnderWay()
	return slices.ContainsFunc(q.operations, func(operation T) bool {
		return !slices.ContainsFunc(b.rules.Names(key, operation), func(name string) bool { return names[name] })
	})
}

// namesUnderWay returns the names of the operations that are under way.
func (b *Batcher[K, T]) namesUnderWay() map[string]bool {
	names := map[string]bool{}
	for _, batch := range b.underWay {
		for _, operation := range batch.operations {
			for _, name := range b.rules.Names(batch.key, operation) {
				names[name] = true
			}
		}
	}
	return names
}

// readyBatch is a batch that is to run now.
type readyBatch[K comparable, T Operation] struct {
	ctx        context.Context // ends with cancel, or when the last caller has left
	cancel     context.CancelFunc
	key        K
	operations []T
}

// next removes the operations of the next batch from their queue. It returns nil if nothing is
// queued any longer.
func (b *Batcher[K, T]) next() *readyBatch[K, T] {
	b.mu.Lock()
	defer b.mu.Unlock()
	key, ok := b.choose()
	if !ok {
		return nil
	}
	b.turn++
	q := b.queues[key]
	q.turn = b.turn
	ready := &readyBatch[K, T]{key: key}
	ready.operations, q.operations = b.take(key, q.operations)
	q.last = len(ready.operations)
	b.callers = b.present() + q.last // Those who did not come in time are not waited for again.
	b.underWay = append(b.underWay, ready)
	// If the context of the first caller ends, the batch must go on for the others.
	ready.ctx, ready.cancel = context.WithCancel(context.WithoutCancel(ready.operations[0].result().ctx))
	for _, operation := range ready.operations {
		operation.result().abandon = func() {
			if len(Pending(ready.operations)) == 0 {
				ready.cancel()
			}
		}
	}
	return ready
}

// choose returns the key whose turn it is: First keys before others, but at most mostPassedOver
// times in a row.
func (b *Batcher[K, T]) choose() (K, bool) {
	first, hasFirst := b.oldest(true)
	other, hasOther := b.oldest(false)
	if hasFirst && hasOther && b.passedOver < mostPassedOver {
		b.passedOver++
		return first, true
	}
	b.passedOver = 0
	if hasOther {
		return other, true
	}
	return first, hasFirst
}

// oldest returns the key with waiting operations whose last batch was the longest time ago.
func (b *Batcher[K, T]) oldest(first bool) (found K, ok bool) {
	turn := b.turn + 1
	for key, q := range b.queues {
		if b.rules.First(key) == first && q.turn < turn && b.mayRun(key, q) {
			found, turn, ok = key, q.turn, true
		}
	}
	return found, ok
}

// take splits the waiting operations into those that fit into one batch, and the rest.
func (b *Batcher[K, T]) take(key K, waiting []T) (taken, left []T) {
	seen, size := b.namesUnderWay(), 0
	for _, operation := range waiting {
		names := b.rules.Names(key, operation)
		conflict := slices.ContainsFunc(names, func(name string) bool { return seen[name] })
		for _, name := range names {
			seen[name] = true
		}
		more := b.rules.Size(operation)
		full := len(taken) >= b.rules.MostOperations || len(taken) > 0 && size+more > b.rules.MostSize
		if conflict || full {
			left = append(left, operation)
			continue
		}
		size += more
		taken = append(taken, operation)
	}
	return taken, left
}

// Operation is implemented by a pointer to a struct that embeds Result.
type Operation interface{ result() *Result }

// Result is the batcher's part of an operation, with its result.
type Result struct {
	ctx         context.Context
	done        chan struct{} // closed when there is a result
	err         error         // written before done is closed
	left        atomic.Bool   // its caller no longer waits
	abandon     func()        // tells its batch that a caller has left; nil while it is queued
	interrupted bool
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

// Finish sets the result of an operation; only the first call counts. Only Run may call it, in
// one goroutine.
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

// Together runs operations as one batch at once, and returns the error of each. unfinished is the
// error of those that run has not finished.
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
