// Tests of what is learned of the server from the times of requests.

package rest

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// serve plays a server with so many processes, each of which takes cost for a request. The
// requests begin at the given times, and are answered in the order in which they end.
func serve(l *load, processes int, cost time.Duration, begins ...time.Duration) {
	type event struct {
		at    time.Duration
		index int
		end   bool
	}
	var events []event
	free := make([]time.Duration, processes)
	for i, begin := range begins {
		first := 0
		for p, at := range free {
			if at < free[first] {
				first = p
			}
		}
		free[first] = max(free[first], begin) + cost
		events = append(events, event{begin, i, false}, event{free[first], i, true})
	}
	slices.SortStableFunc(events, func(a, b event) int { return int(a.at - b.at) })
	start, timings := time.Now(), map[int]*timing{}
	for _, e := range events {
		if e.end {
			l.answered(timings[e.index], start.Add(e.at), true)
		} else {
			timings[e.index] = l.sent(start.Add(e.at))
		}
	}
}

// together are the beginnings of requests that are sent one right after the other.
func together(count int) (begins []time.Duration) {
	for i := range count {
		begins = append(begins, time.Duration(i)*time.Millisecond)
	}
	return begins
}

func TestLoad_processes(t *testing.T) {
	t.Parallel()
	const cost = 200 * time.Millisecond
	for _, test := range []struct {
		name        string
		processes   int
		least, most int
		rounds      [][]time.Duration
	}{
		{"nothing beside another", 10, 0, 0, [][]time.Duration{{0}, {0, cost, 2 * cost}}},
		{"one is nearly done", 1, 0, 0, [][]time.Duration{{0, cost * 9 / 10}}},
		{"one process", 1, 1, 1, [][]time.Duration{together(2)}},
		{"one process, half beside", 1, 1, 1, [][]time.Duration{{0, cost * 4 / 10}}},
		{"one process, many", 1, 1, 1, [][]time.Duration{together(10), together(10)}},
		{"two at once", 10, 3, 3, [][]time.Duration{together(2)}},
		{"many at once", 10, 11, 11, [][]time.Duration{together(10)}},
		{"three processes", 3, 3, 4, [][]time.Duration{together(10), together(10), together(10)}},
		{"three processes that looked like one", 3, 3, 4, [][]time.Duration{together(3), together(10), together(10)}},
	} {
		l := newLoad(0)
		serve(l, test.processes, cost, 0)
		for _, begins := range test.rounds {
			serve(l, test.processes, cost, begins...)
		}
		if got := l.now(); got.Parallel < test.least || got.Parallel > test.most || got.Cost < cost || got.Cost > cost*11/10 {
			t.Errorf("%s: %+v, want %d to %d requests at a time", test.name, got, test.least, test.most)
		}
	}
}

// What is too short to tell, refused or much longer than other requests shows nothing.
func TestLoad_nothingShown(t *testing.T) {
	t.Parallel()
	l := newLoad(0)
	serve(l, 10, time.Millisecond, together(10)...)
	if got := l.now(); got != (Load{Parallel: 1}) {
		t.Errorf("a fast server: %+v", got)
	}
	l = newLoad(0)
	l.answered(l.sent(time.Now()), time.Now().Add(time.Second), false)
	if got := l.now(); got.Cost != 0 {
		t.Errorf("a refusal: %+v", got)
	}
	serve(l, 1, 100*time.Millisecond, 0)
	serve(l, 1, time.Minute, 0)
	if got := l.now(); got.Cost != 100*time.Millisecond {
		t.Errorf("a long run: %+v", got)
	}
	begin := time.Now()
	first, second := l.sent(begin), l.sent(begin)
	l.answered(first, begin.Add(100*time.Millisecond), true)
	l.answered(second, begin.Add(time.Minute), true)
	if got := l.now(); got.Parallel != 0 {
		t.Errorf("a long run beside another request: %+v", got)
	}
}

// That requests wait for each other is doubted after a while.
func TestLoad_doubt(t *testing.T) {
	t.Parallel()
	l := newLoad(0)
	serve(l, 1, 100*time.Millisecond, 0)
	serve(l, 1, 100*time.Millisecond, together(2)...)
	if got := l.now().Parallel; got != 1 {
		t.Fatalf("%d requests at a time", got)
	}
	l.learned = l.learned.Add(-2 * doubtful)
	if got := l.now().Parallel; got != 0 {
		t.Errorf("%d requests at a time after %s", got, 2*doubtful)
	}
}

// Never more requests than the limit are under way, and what is learned does not exceed it.
func TestMaxConcurrentRequests(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{1, 3} {
		var now, most atomic.Int64
		full := make(chan bool) // closed when as many as the limit are under way
		url := newHandler(t, func(w http.ResponseWriter, _ *http.Request) {
			n := now.Add(1)
			for m := most.Load(); n > m; m = most.Load() {
				if most.CompareAndSwap(m, n) && n == int64(limit) {
					close(full)
				}
			}
			<-full
			now.Add(-1)
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte("{}"))
		})
		c := newClient(t, Config{BaseURL: url, MaxConcurrentRequests: limit})
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				if _, err := c.Do(t.Context(), alive); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if got := most.Load(); got != int64(limit) {
			t.Errorf("%d requests at a time, want %d", got, limit)
		}
		if got := c.Load().Parallel; got > limit {
			t.Errorf("%d requests at a time pay beside a limit of %d", got, limit)
		}
	}
}

// Who waits for others does not wait longer than their context.
func TestMaxConcurrentRequests_interrupted(t *testing.T) {
	t.Parallel()
	arrived, proceed := make(chan bool), make(chan bool)
	url := newHandler(t, func(w http.ResponseWriter, _ *http.Request) {
		arrived <- true
		<-proceed
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte("{}"))
	})
	c := newClient(t, Config{BaseURL: url, MaxConcurrentRequests: 1})
	first := make(chan error)
	go func() {
		_, err := c.Do(t.Context(), alive)
		first <- err
	}()
	<-arrived
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Do(ctx, alive); err == nil {
		t.Error("a second request was made")
	}
	close(proceed)
	if err := <-first; err != nil {
		t.Error(err)
	}
}
