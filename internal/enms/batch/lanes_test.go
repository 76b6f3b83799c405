// Tests of batches of one lane and of several.

package batch

import (
	"context"
	"math/rand/v2"
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

// A batch waits for the callers that came before, because those that come late wait for all of it;
// but not for those that did not come in time.
func TestBatchesWaitForAllCallers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &server{}
		b := newBatcher(s.run)
		play(t, b, arrival{0, "WRITE", "a"}, arrival{0, "WRITE", "b"}, arrival{0, "WRITE", "c"})
		play(t, b, arrival{0, "WRITE", "a"}, arrival{cost / 5, "WRITE", "b"}, arrival{cost, "WRITE", "c"})
		if want := []string{"WRITE abc", "WRITE abc"}; !slices.Equal(s.batches, want) {
			t.Errorf("batches %q, want %q", s.batches, want)
		}
		if took := play(t, b, arrival{0, "WRITE", "a"}); took > cost+patience {
			t.Errorf("one of three took %s", took)
		}
		if took := play(t, b, arrival{0, "WRITE", "a"}); took > cost+shortPause {
			t.Errorf("the only one left took %s", took)
		}
	})
}

// Ten callers, each of which writes, reads back and begins anew, stay one group, whenever each of
// them comes.
func TestCallersStayTogether(t *testing.T) {
	t.Parallel()
	for seed := range uint64(5) {
		synctest.Test(t, func(t *testing.T) {
			s, random := &server{}, rand.New(rand.NewPCG(seed, 1))
			b, instances := newBatcher(s.run), make(chan time.Duration, 100)
			for range 100 {
				instances <- time.Duration(random.Int64N(int64(cost) / 2))
			}
			close(instances)
			var callers sync.WaitGroup
			for range 10 {
				callers.Go(func() {
					for pause := range instances {
						for _, key := range []string{"WRITE", "read"} {
							time.Sleep(pause)
							if err := b.Do(t.Context(), key, &job{}); err != nil {
								t.Error(err)
							}
						}
					}
				})
			}
			callers.Wait()
			if len(s.batches) > 24 {
				t.Errorf("seed %d: %d batches for 100 writes and reads by ten", seed, len(s.batches))
			}
		})
	}
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
			if l.running || l.underWay != 0 {
				t.Errorf("lane %s still runs", name)
			}
		}
	})
}
