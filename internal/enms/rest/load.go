// This file learns how the server handles requests that are under way at the same time: a server
// with one process answers one after the other, one with several processes as many at once. And
// it bounds how many are under way.

package rest

import (
	"context"
	"sync"
	"time"
)

const (
	// leastCost is the shortest time of a request from which the server's behavior can be told:
	// below, it is this machine's own time that is measured.
	leastCost = 20 * time.Millisecond
	// saturated is how many times as long as alone a request takes, at least, that had to wait
	// for others.
	saturated = 1.3
	// heavy is how many times as long as another a request takes that does not show what one
	// costs, such as a run of a service.
	heavy = 4
	// doubtful is how long it is believed that a server answers one request at a time, which
	// somebody else's requests may have made it look like.
	doubtful = time.Minute
)

// load is what was learned of the server from the times of requests. A request that others were
// before shows most: if it takes as long as one that was alone, the server answers as many at
// once; if it takes longer, the server answered as many times fewer.
type load struct {
	slots chan struct{} // one for each request that may be under way; nil without a limit

	mu       sync.Mutex
	underWay []*timing
	alone    time.Duration // what a request takes that no other is before; 0 before one was
	parallel float64       // how many requests the server answers at once
	learned  time.Time     // when parallel was last learned; zero before
}

// timing is a request that is under way.
type timing struct {
	begun  time.Time
	before []time.Duration // for how long requests that were before it have been under way beside it
}

func newLoad(limit int) *load {
	l := &load{parallel: 1}
	if limit > 0 {
		l.slots = make(chan struct{}, limit)
	}
	return l
}

// begin waits until a request may be under way, which end ends.
func (l *load) begin(ctx context.Context) error {
	if l.slots == nil {
		return nil
	}
	select {
	case l.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// end lets another request be under way.
func (l *load) end() {
	if l.slots != nil {
		<-l.slots
	}
}

// sent notes that a request is sent now.
func (l *load) sent(now time.Time) *timing {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := &timing{begun: now}
	l.underWay = append(l.underWay, t)
	return t
}

// answered notes that a request has ended, and learns from its time if it was served.
func (l *load) answered(t *timing, now time.Time, served bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var left []*timing
	later := false // than t
	for _, other := range l.underWay {
		switch {
		case other == t:
			later = true
			continue
		case later:
			other.before = append(other.before, now.Sub(other.begun))
		default:
			t.before = append(t.before, now.Sub(t.begun))
		}
		left = append(left, other)
	}
	l.underWay = left
	if served {
		l.learn(t, now)
	}
}

// learn learns from the time of a request.
func (l *load) learn(t *timing, now time.Time) {
	took := now.Sub(t.begun)
	switch {
	case len(t.before) > 0 || l.alone > 0 && took > heavy*l.alone:
	case l.alone == 0 || took < l.alone:
		l.alone = took
	default:
		l.alone += (took - l.alone) / 8
	}
	if l.alone < leastCost {
		return
	}
	beside := 1
	for _, overlap := range t.before {
		if overlap >= l.alone/2 { // of one that is nearly done, nothing shows
			beside++
		}
	}
	if beside == 1 {
		return
	}
	times := took.Seconds() / l.alone.Seconds()
	if times > float64(beside)+1 {
		return // It is more than others that it had to wait for.
	}
	l.learned = now
	if times < saturated {
		l.parallel = max(l.parallel, float64(beside))
		return
	}
	l.parallel = max(1, l.parallel+(float64(beside)/times-l.parallel)/2)
}

// Load is what was learned of how a server handles requests.
type Load struct {
	// Cost is what a request takes that is alone; 0 if that is unknown, or less than can be told
	// from what this machine takes.
	Cost time.Duration
	// Parallel is how many requests at once pay: 1 on a server that answers one at a time. 0 if
	// that is unknown.
	Parallel int
}

// now returns what was learned so far.
func (l *load) now() Load {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.alone < leastCost:
		return Load{Parallel: 1}
	case cap(l.slots) == 1:
		return Load{Cost: l.alone, Parallel: 1}
	}
	learned := Load{Cost: l.alone, Parallel: 1}
	switch {
	case l.parallel >= 1.5:
		learned.Parallel = int(l.parallel) + 1 // one more shows whether that pays, too
	case l.learned.IsZero(), time.Since(l.learned) > doubtful:
		learned.Parallel = 0
	}
	if most := cap(l.slots); most > 0 {
		learned.Parallel = min(learned.Parallel, most)
	}
	return learned
}
