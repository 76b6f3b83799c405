// Tests of how many deletions are under way at the same time.

package enms

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

func TestDeletions_atATime(t *testing.T) {
	t.Parallel()
	for load, want := range map[rest.Load]int{
		{}:                                   10, // nothing is known
		{Parallel: 1}:                        10, // what a request costs is too little to tell
		{Cost: time.Second}:                  10, // how many pay is unknown
		{Cost: time.Second, Parallel: 1}:     3,
		{Cost: time.Second, Parallel: 4}:     8,
		{Cost: time.Second, Parallel: 11}:    22,
		{Cost: time.Second, Parallel: 10000}: 50,
	} {
		if got := deletionsAt(load); got != want {
			t.Errorf("%+v: %d deletions at a time, want %d", load, got, want)
		}
	}
}

// Operations begin in the order in which they arrive, and as many as the limit says at that time.
func TestLimiter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var limit, now, most atomic.Int64
		limit.Store(2)
		l := &limiter{most: func() int { return int(limit.Load()) }}
		var order []int
		var mu sync.Mutex
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				if err := l.begin(t.Context()); err != nil {
					t.Error(err)
				}
				defer l.end()
				mu.Lock()
				order = append(order, i)
				mu.Unlock()
				most.Store(max(most.Load(), now.Add(1)))
				time.Sleep(time.Second)
				now.Add(-1)
			})
			synctest.Wait()
		}
		time.Sleep(time.Second / 2)
		if most.Load() != 2 {
			t.Errorf("%d at a time, want 2", most.Load())
		}
		limit.Store(5)
		time.Sleep(time.Second)
		synctest.Wait()
		if now.Load() != 5 {
			t.Errorf("%d at a time after the limit has grown, want 5", now.Load())
		}
		limit.Store(1)
		time.Sleep(time.Second)
		synctest.Wait()
		if now.Load() != 1 {
			t.Errorf("%d at a time after the limit has shrunk, want 1", now.Load())
		}
		all.Wait()
		for i, at := range order[2:] {
			if i > 0 && at < order[2:][i]-5 {
				t.Errorf("%v is not the order of arrival", order)
			}
		}
		if now.Load() != 0 || l.underWay != 0 || len(l.waiting) != 0 {
			t.Errorf("%d are under way, %d wait", l.underWay, len(l.waiting))
		}
	})
}

// Who no longer waits takes nobody's turn.
func TestLimiter_interrupted(t *testing.T) {
	t.Parallel()
	l := &limiter{most: func() int { return 1 }}
	if err := l.begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 100 { // whichever comes first, the turn or the end of the context
		if l.begin(ctx) == nil {
			t.Fatal("two at a time")
		}
	}
	l.end()
	for range 100 {
		if err := l.begin(ctx); err == nil {
			l.end()
		}
		if l.underWay != 0 || len(l.waiting) != 0 {
			t.Fatalf("%d are under way, %d wait", l.underWay, len(l.waiting))
		}
	}
}

// A server that handles one request at a time gets few deletions at once, and one that handles
// any number gets more and more.
func TestDelete_atATime(t *testing.T) {
	t.Parallel()
	const devices = 150
	for _, test := range []struct {
		serial      bool
		least, most int
	}{
		{serial: true, least: 2, most: serialDeletions},
		{serial: false, least: 30, most: mostDeletions},
	} {
		synctest.Test(t, func(t *testing.T) {
			f, c := serverOf(t, simulator.Options{Serial: test.serial})
			for i := range devices {
				f.Add(t, "device", Object{"name": testserver.Device(i)})
			}
			deleteAll := func(from, to int) {
				var all sync.WaitGroup
				for i := from; i < to; i++ {
					all.Go(func() {
						time.Sleep(time.Duration(i) * time.Millisecond / 8) // so that the server gets them in the order in which they are sent
						if _, err := c.Delete(t.Context(), "device", testserver.Device(i)); err != nil {
							t.Error(err)
						}
					})
				}
				all.Wait()
			}
			deleteAll(0, 1) // which shows what a deletion costs, and those after it how many pay
			deleteAll(1, 20)
			f.Set(t)
			deleteAll(20, devices)
			if got := f.Most(); got < test.least || got > test.most {
				t.Errorf("serial=%v: %d deletions at a time, want %d to %d", test.serial, got, test.least, test.most)
			}
		})
	}
}
