// Tests of batches of one lane and of several.

package batch

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// cost is what a batch takes in these tests.
const cost = 100 * time.Millisecond

// server runs batches, each of which takes cost, and logs when they begin.
type server struct {
	mu        sync.Mutex
	batches   []string // key and names of each
	now, most int
}

func (s *server) run(_ context.Context, key string, jobs []*job) {
	s.mu.Lock()
	var names []string
	for _, j := range jobs {
		names = append(names, j.names...)
	}
	slices.Sort(names)
	s.batches = append(s.batches, key+" "+strings.Join(names, ""))
	s.now++
	s.most = max(s.most, s.now)
	s.mu.Unlock()
	time.Sleep(cost)
	s.mu.Lock()
	s.now--
	s.mu.Unlock()
	FinishAll(jobs, nil)
}

// arrival is an operation of a key, whose names are letters, and when it arrives.
type arrival struct {
	at         time.Duration
	key, names string
}

// play lets operations arrive, and returns when all of them are done.
func play(t *testing.T, b *Batcher[string, *job], arrivals ...arrival) time.Duration {
	t.Helper()
	begin := time.Now()
	var callers sync.WaitGroup
	for _, a := range arrivals {
		callers.Go(func() {
			time.Sleep(a.at)
			if err := b.Do(t.Context(), a.key, &job{names: strings.Split(a.names, "")}); err != nil {
				t.Error(err)
			}
		})
	}
	callers.Wait()
	return time.Since(begin)
}

func TestLanes(t *testing.T) {
	t.Parallel()
	later := 30 * time.Millisecond
	for _, test := range []struct {
		name     string
		arrivals []arrival
		batches  []string
		most     int
	}{
		{"a lane", []arrival{{0, "read", "a"}, {2 * later, "read", "b"}, {3 * later, "read", "c"}}, []string{"read a", "read bc"}, 1},
		{"two keys of a lane", []arrival{{0, "read", "a"}, {2 * later, "find", "b"}, {3 * later, "read", "c"}}, []string{"read a", "find b", "read c"}, 1},
		{"two lanes", []arrival{{0, "read/1", "a"}, {2 * later, "read/2", "b"}}, []string{"read/1 a", "read/2 b"}, 2},
		{"two exclusive batches", []arrival{{0, "WRITE/1", "a"}, {2 * later, "WRITE/2", "b"}, {2 * later, "read/3", "c"}}, []string{"WRITE/1 a", "read/3 c", "WRITE/2 b"}, 2},
		{"whoever arrives while another lane is exclusive", []arrival{{0, "WRITE/1", "a"}, {later, "WRITE/2", "b"}, {cost, "WRITE/2", "c"}}, []string{"WRITE/1 a", "WRITE/2 bc"}, 1},
		{"names", []arrival{{0, "read", "a"}, {0, "read", "b"}, {0, "read", "ab"}}, []string{"read ab", "read ab"}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &server{}
				play(t, newBatcher(s.run), test.arrivals...)
				if !slices.Equal(s.batches, test.batches) || s.most != test.most {
					t.Errorf("batches %q, %d at a time; want %q, %d", s.batches, s.most, test.batches, test.most)
				}
			})
		})
	}
}

// A batch waits for open calls, because those that come late wait for all of it; but no longer than
// they take to begin, and not at all when all that there are wait.
func TestBatchesWaitForOpenCalls(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		arrivals []arrival
		batches  []string
		idle     time.Duration
	}{
		"all wait":         {slices.Repeat([]arrival{{0, "WRITE", ""}}, usualCallers), []string{"WRITE "}, shortPause},
		"one comes late":   {[]arrival{{0, "WRITE", "a"}, {firstTurn, "WRITE", "b"}}, []string{"WRITE ab"}, 3 * firstTurn},
		"one is too late":  {[]arrival{{0, "WRITE", "a"}, {3 * firstTurn, "WRITE", "b"}}, []string{"WRITE a", "WRITE b"}, 4 * firstTurn},
		"the larger first": {[]arrival{{0, "find/1", "a"}, {0, "find/2", "b"}, {0, "find/2", "c"}}, []string{"find/2 bc", "find/1 a"}, 4 * firstTurn},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &server{}
			b := newBatcher(s.run)
			b.open = len(test.arrivals)
			if took := play(t, b, test.arrivals...) - time.Duration(len(test.batches))*cost; took > test.idle || !slices.Equal(s.batches, test.batches) {
				t.Errorf("%s: batches %q, and %s without any; want %q and at most %s", name, s.batches, took, test.batches, test.idle)
			}
		})
	}
}

// Terraform creates workflows, each with services, and edges between these, ten at a time. It takes
// a while for each step of its own, and another one of which it starts the next. Calls of a type
// stay together, and no more time passes without a request than Terraform takes.
func TestBatches_ofChains(t *testing.T) {
	t.Parallel()
	const workflows, services, edges, own = 20, 4, 5, 2 * time.Millisecond
	synctest.Test(t, func(t *testing.T) {
		s := &server{}
		b, slots, terraform, begin := newBatcher(s.run), make(chan struct{}, usualCallers), make(chan struct{}, 1), time.Now()
		create := func(typ string) {
			slots <- struct{}{}
			terraform <- struct{}{}
			time.Sleep(own)
			<-terraform
			end := b.Begin()
			for _, key := range []string{"WRITE/" + typ, "find/" + typ} {
				if err := b.Do(t.Context(), key, &job{}); err != nil {
					t.Error(err)
				}
			}
			end()
			<-slots
		}
		createAll := func(typ string, n int) {
			var all sync.WaitGroup
			for range n {
				all.Go(func() { create(typ) })
			}
			all.Wait()
		}
		var all sync.WaitGroup
		for range workflows {
			all.Go(func() {
				createAll("service", 1)
				createAll("service", services)
				createAll("edge", edges)
			})
		}
		all.Wait()
		const resources = workflows * (1 + services + edges)
		if idle := time.Since(begin) - time.Duration(len(s.batches))*cost; len(s.batches) > resources/2 || idle > 2*resources*own {
			t.Errorf("%d batches for %d resources, and %s without any", len(s.batches), resources, idle)
		}
	})
}

// Who leaves does not end a batch that others wait for, nor batches of other lanes.
func TestLeavingBesideOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &server{}
		b := newBatcher(s.run)
		ctx, cancel := context.WithTimeout(t.Context(), cost/2)
		defer cancel()
		left := make(chan error)
		go func() { left <- b.Do(ctx, "read/1", &job{names: []string{"a"}}) }()
		time.Sleep(cost / 4)
		play(t, b, arrival{0, "read/2", "b"})
		if err := <-left; err == nil {
			t.Error("the first was answered")
		}
		synctest.Wait()
		for name, l := range b.lanes {
			if l.running {
				t.Errorf("lane %s still runs", name)
			}
		}
	})
}
