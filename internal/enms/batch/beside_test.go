// Tests of batches that run beside each other.

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

// newParallel makes a batcher for a server on which so many batches at a time pay. Keys in upper
// case do not run beside each other.
func newParallel(s *server, parallel int) *Batcher[string, *job] {
	b := newBatcher(s.run)
	b.rules.Load = func() (time.Duration, int) { return cost, parallel }
	b.rules.Beside = func(key, other string) bool { return key != strings.ToUpper(key) || other != strings.ToUpper(other) }
	return b
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

func TestBeside(t *testing.T) {
	t.Parallel()
	later := 30 * time.Millisecond
	for _, test := range []struct {
		name     string
		parallel int
		arrivals []arrival
		batches  []string
		most     int
	}{
		{"one at a time", 1, []arrival{{0, "read", "a"}, {later, "read", "b"}, {2 * later, "read", "c"}}, []string{"read a", "read bc"}, 1},
		{"reads", 3, []arrival{{0, "read", "a"}, {later, "read", "b"}, {2 * later, "read", "c"}}, []string{"read a", "read b", "read c"}, 3},
		{"not more than pay", 2, []arrival{{0, "read", "a"}, {later, "read", "b"}, {2 * later, "read", "c"}, {2 * later, "read", "d"}}, []string{"read a", "read b", "read cd"}, 2},
		{"unknown how many", 0, []arrival{{0, "read", "a"}, {2 * later, "read", "b"}, {3 * later, "read", "c"}}, []string{"read a", "read b", "read c"}, 2},
		{"writes", 3, []arrival{{0, "WRITE", "a"}, {later, "WRITE", "b"}, {2 * later, "OTHER", "c"}}, []string{"WRITE a", "OTHER c", "WRITE b"}, 1},
		{"reads beside a write", 3, []arrival{{0, "WRITE", "a"}, {later, "read", "b"}, {2 * later, "WRITE", "c"}}, []string{"WRITE a", "read b", "WRITE c"}, 2},
		{"names under way", 3, []arrival{{0, "read", "a"}, {later, "other", "ab"}, {later, "other", "c"}, {2 * later, "more", "b"}}, []string{"read a", "other c", "more b", "other ab"}, 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &server{}
				play(t, newParallel(s, test.parallel), test.arrivals...)
				if !slices.Equal(s.batches, test.batches) || s.most != test.most {
					t.Errorf("batches %q, %d at a time; want %q, %d", s.batches, s.most, test.batches, test.most)
				}
			})
		})
	}
}

// Where batches do not hold up others, an operation does not wait for further ones.
func TestShortWaitBesideOthers(t *testing.T) {
	t.Parallel()
	for parallel, most := range map[int]time.Duration{1: cost + shortPause, 2: cost + leastPause} {
		synctest.Test(t, func(t *testing.T) {
			b := newParallel(&server{}, parallel)
			b.callers = 10 // who came before
			if took := play(t, b, arrival{0, "read", "a"}); took > most {
				t.Errorf("%d at a time: a read took %s", parallel, took)
			}
		})
	}
}

// A write waits for the callers that came before, because those that come late wait for all of it;
// but not for those that did not come in time.
func TestWritesWaitForAllCallers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &server{}
		b := newParallel(s, 5)
		play(t, b, arrival{0, "WRITE", "a"}, arrival{0, "WRITE", "b"}, arrival{0, "WRITE", "c"})
		play(t, b, arrival{0, "WRITE", "a"}, arrival{cost / 5, "WRITE", "b"}, arrival{cost / 3, "WRITE", "c"})
		if want := []string{"WRITE abc", "WRITE abc"}; !slices.Equal(s.batches, want) {
			t.Errorf("batches %q, want %q", s.batches, want)
		}
		if took := play(t, b, arrival{0, "WRITE", "a"}); took > 2*cost {
			t.Errorf("one of three took %s", took)
		}
		if took := play(t, b, arrival{0, "WRITE", "a"}); took > cost+leastPause {
			t.Errorf("the only one left took %s", took)
		}
	})
}

// Who leaves does not end a batch that others wait for, nor batches beside it.
func TestLeavingBesideOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &server{}
		b := newParallel(s, 3)
		ctx, cancel := context.WithTimeout(t.Context(), cost/2)
		defer cancel()
		left := make(chan error)
		go func() { left <- b.Do(ctx, "read", &job{names: []string{"a"}}) }()
		time.Sleep(cost / 4)
		play(t, b, arrival{0, "read", "b"})
		if err := <-left; err == nil {
			t.Error("the first was answered")
		}
		synctest.Wait()
		if len(b.underWay) != 0 || b.running {
			t.Errorf("%d batches are left", len(b.underWay))
		}
	})
}
