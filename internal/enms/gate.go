// The gate: what is under way at the same time is gathered and travels
// together. One request of a batch is in flight at a time, because eNMS answers
// one at a time anyway, and whoever arrives meanwhile gathers for the next.

package enms

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// lingerMost ends the gathering although callers keep coming.
	lingerMost = 5 * time.Second
	// maxEntries bounds a batch: a list of a thousand takes eNMS two seconds,
	// more would come close to the timeouts of gateways.
	maxEntries = 1000
	// maxListBytes bounds the JSON of a list, far below the 100 MB that eNMS
	// takes (enms-rest.md 7).
	maxListBytes = 8 << 20
	// maxPassedOver is how many writes in a row may go before waiting reads.
	maxPassedOver = 16
)

// operation is what the calls of a lane do.
type operation int

const (
	opCreate operation = iota
	opUpsert
	opRename
	opFind
	opFindNow
	opRelated
	opRelatedByID
)

// write tells whether the operation changes eNMS.
func (o operation) write() bool { return o <= opRename }

// lane names calls that may travel together.
type lane struct {
	op  operation
	typ string
	// detail is the name space of a creation, the relation of a look for related.
	detail string
}

// call is one caller's wish.
type call struct {
	ctx     context.Context
	name    string            // the instance it is about
	newName string            // for a rename
	payload Object            // for a write
	made    func(Object) bool // for a creation: whether an instance is what it makes
	body    []byte            // the payload as JSON
	columns []string          // for a find

	free    bool      // its name was seen to be free before it was first sent; see undated
	absent  bool      // after its list was refused, nothing with its name was found
	again   bool      // it was refused alone, without a reason, and sent once more
	lost    bool      // it was sent before, and the answer was lost
	sent    time.Time // when it was first sent; zero when it was not
	refusal error     // why eNMS refused it, in its answer to a list
	ticket  *ticket
}

// ticket is what the gate knows of a call, and its result. The result is
// written by finish, before done is closed.
type ticket struct {
	batch    *batch        // nil while it is queued
	gone     atomic.Bool   // the caller does not wait any longer
	released atomic.Bool   // it does not count in its batch any longer
	done     chan struct{} // closed when there is a result
	settled  bool          // touched by the goroutine that runs the batch only

	row  Object
	rows []Object
	err  error
}

// batch is what calls that travel together share.
type batch struct {
	waiting atomic.Int64 // callers who still wait
	cancel  context.CancelFunc
}

// release lets a call not count in its batch any longer. The last who goes
// away without a result stops the batch.
func (t *ticket) release(gone bool) {
	if t.batch == nil || t.released.Swap(true) {
		return
	}
	if t.batch.waiting.Add(-1) == 0 && gone {
		t.batch.cancel()
	}
}

// finish gives a call its result. Only the first counts.
func (k *call) finish(err error) {
	if k.ticket.settled {
		return
	}
	k.ticket.settled = true
	k.ticket.err = err
	k.ticket.release(false)
	close(k.ticket.done)
}

// found finishes a call that has no result yet with a row.
func (k *call) found(row Object) {
	k.ticket.row = row
	k.finish(nil)
}

// live are the calls that still want something done.
func live(calls []*call) []*call {
	return slices.DeleteFunc(slices.Clone(calls), func(k *call) bool {
		return k.ticket.settled || k.ticket.gone.Load()
	})
}

// failAll gives all calls that have no result the same error.
func failAll(calls []*call, err error) {
	for _, k := range calls {
		k.finish(err)
	}
}

// gate gathers calls into batches and runs them one after the other. A
// goroutine runs only while there are calls.
type gate struct {
	run func(context.Context, lane, []*call)

	mu      sync.Mutex
	queues  map[lane]*queue
	running bool
	turn    uint64 // counts batches
	passed  int    // writes in a row that went before waiting reads
	company company
	serving *batch        // the batch in flight
	arrived chan struct{} // wakes the lingering goroutine
}

// queue holds the calls of a lane, in the order of their arrival.
type queue struct {
	calls []*call
	turn  uint64 // when its last batch left
}

func newGate(run func(context.Context, lane, []*call)) *gate {
	return &gate{run: run, queues: map[lane]*queue{}, arrived: make(chan struct{}, 1)}
}

// submit queues a call and waits for its result, or until its caller's context
// ends; the others of its batch do not notice.
func (g *gate) submit(l lane, k *call) error {
	g.mu.Lock()
	if g.queues[l] == nil {
		g.queues[l] = &queue{}
	}
	g.queues[l].calls = append(g.queues[l].calls, k)
	g.notice(l.op.write())
	if !g.running {
		g.running = true
		go g.drive()
	}
	g.mu.Unlock()
	select {
	case g.arrived <- struct{}{}:
	default:
	}

	select {
	case <-k.ticket.done:
		return k.ticket.err
	case <-k.ctx.Done():
		return g.leave(l, k)
	}
}

// leave takes a caller out. A result that is there all the same is given.
func (g *gate) leave(l lane, k *call) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-k.ticket.done:
		return k.ticket.err
	default:
	}
	k.ticket.gone.Store(true)
	k.ticket.release(true)
	q := g.queues[l]
	q.calls = slices.DeleteFunc(q.calls, func(other *call) bool { return other == k })
	if l.op == opCreate && k.ticket.batch != nil {
		return &AmbiguousError{Type: l.typ, Name: k.name, cause: k.ctx.Err()} // it may be done yet
	}
	return k.ctx.Err()
}

// notice notes an arrival. The caller holds the lock.
func (g *gate) notice(write bool) {
	g.company.came(time.Now(), write, g.serving != nil)
	count := g.queued()
	if g.serving != nil {
		count += int(g.serving.waiting.Load())
	}
	g.company.around(count)
}

// drive runs batches until nothing is queued.
func (g *gate) drive() {
	for g.needed() {
		g.linger()
		l, calls, ctx := g.next()
		if len(calls) == 0 {
			continue // Their callers have gone away.
		}
		g.run(ctx, l, calls)
		failAll(calls, errUnaccounted)
		calls[0].ticket.batch.cancel()
		g.served()
	}
}

// needed tells whether anything is queued; otherwise the goroutine must end.
func (g *gate) needed() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.running = g.queued() > 0
	return g.running
}

// served notes that a batch is done.
func (g *gate) served() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.serving = nil
	g.company.answered(time.Now())
}

// linger waits until all have come who can be expected, or nobody has come for
// a moment.
func (g *gate) linger() {
	end := time.After(lingerMost)
	for {
		quiet, all := g.wait()
		if all {
			return
		}
		select {
		case <-g.arrived:
		case <-time.After(quiet):
			g.gathered(true)
			return
		case <-end:
			return
		}
	}
}

// wait tells how long to wait for the next caller, or that all have come.
func (g *gate) wait() (quiet time.Duration, all bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	write, queued := g.writing(), g.queued()
	quiet, all = g.company.quiet(write, queued)
	if all {
		g.company.gathered(write, false, queued)
	}
	return quiet, all
}

// gathered notes how the waiting ended.
func (g *gate) gathered(quiet bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.company.gathered(g.writing(), quiet, g.queued())
}

// queued counts those who wait. The caller holds the lock.
func (g *gate) queued() int {
	n := 0
	for _, q := range g.queues {
		n += len(q.calls)
	}
	return n
}

// writing tells whether a write waits. The caller holds the lock.
func (g *gate) writing() bool {
	_, has := g.oldest(true)
	return has
}

// next takes the calls of the next batch out of their queue; none when nothing
// is queued any longer.
func (g *gate) next() (lane, []*call, context.Context) {
	g.mu.Lock()
	defer g.mu.Unlock()
	l, ok := g.choose()
	if !ok {
		return lane{}, nil, nil
	}
	g.turn++
	q := g.queues[l]
	q.turn = g.turn
	calls := q.take(l.op)
	// The values of a context, such as its logger, are the first caller's; its
	// end is not, because it must not be the others'.
	ctx, cancel := context.WithCancel(context.WithoutCancel(calls[0].ctx))
	b := &batch{cancel: cancel}
	b.waiting.Store(int64(len(calls)))
	for _, k := range calls {
		k.ticket.batch = b
	}
	g.serving = b
	return l, calls, ctx
}

// choose picks the lane whose turn it is. Writes go before reads, so that the
// callers of several batches of writes get to their reads together; not for
// ever, though. Among equals the one goes that has waited for the most turns.
func (g *gate) choose() (lane, bool) {
	write, hasWrite := g.oldest(true)
	read, hasRead := g.oldest(false)
	if hasWrite && hasRead && g.passed < maxPassedOver {
		g.passed++
		return write, true
	}
	g.passed = 0
	if hasRead {
		return read, true
	}
	return write, hasWrite
}

// oldest finds the waiting lane that was served the longest time ago.
func (g *gate) oldest(writes bool) (lane, bool) {
	var found lane
	var at *queue
	for l, q := range g.queues {
		if len(q.calls) > 0 && l.op.write() == writes && (at == nil || q.turn < at.turn) {
			found, at = l, q
		}
	}
	return found, at != nil
}

// take removes what fits into one batch. Two writes that touch the same name
// never travel together, and never overtake each other: eNMS would take the
// second for a new instance (enms-rest.md 0.1).
func (q *queue) take(op operation) []*call {
	var taken, left []*call
	names, size := map[string]bool{}, 0
	for _, k := range q.calls {
		clash := op.write() && (names[k.name] || k.newName != "" && names[k.newName])
		names[k.name] = true
		if k.newName != "" {
			names[k.newName] = true
		}
		full := len(taken) >= maxEntries || len(taken) > 0 && size+len(k.body) > maxListBytes
		if clash || full {
			left = append(left, k)
			continue
		}
		size += len(k.body) + 1
		taken = append(taken, k)
	}
	q.calls = left
	return taken
}
