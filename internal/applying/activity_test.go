// Tests of operations that wait for others, and of computations that writes outdate.

package applying

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// after calls what after a number of seconds.
func after(seconds int, what func()) {
	go func() {
		time.Sleep(time.Duration(seconds) * time.Second)
		what()
	}()
}

// An operation waits until what it waits for has come, or all others have waited for a second.
func TestAwait(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		begin func(a *Activity, arrive, cancel func())
		came  bool
		takes time.Duration
	}{
		"nothing else goes on": {func(*Activity, func(), func()) {}, false, time.Second},
		"it comes":             {func(a *Activity, arrive, _ func()) { after(5, a.Begin()); after(3, arrive) }, true, 3 * time.Second},
		"another one ends":     {func(a *Activity, _, _ func()) { after(5, a.Begin()) }, false, 6 * time.Second},
		"one of two ends":      {func(a *Activity, _, _ func()) { after(5, a.Begin()); after(2, a.Begin()) }, false, 6 * time.Second},
		"another one waits":    {func(a *Activity, _, _ func()) { a.Begin(); a.Pause() }, false, time.Second},
		"it goes on":           {func(a *Activity, _, _ func()) { after(9, a.Begin()); resume := a.Pause(); resume() }, false, 10 * time.Second},
		"it is interrupted":    {func(a *Activity, _, cancel func()) { a.Begin(); after(4, cancel) }, false, 4 * time.Second},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var a Activity
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				a.Begin()
				var came atomic.Bool
				c.begin(&a, func() { came.Store(true); a.change(0, 0) }, cancel)
				before, waited := time.Now(), a.Waiting()
				if got := a.Await(ctx, nil, time.Second, came.Load); got != c.came || time.Since(before) != c.takes {
					t.Errorf("it came: %v, after %s; want %v after %s", got, time.Since(before), c.came, c.takes)
				}
				if a.Waiting() != waited || !a.Await(ctx, nil, time.Second, func() bool { return true }) || time.Since(before) != c.takes {
					t.Error("who waited waits still, or waits for what is there")
				}
				time.Sleep(time.Minute)
			})
		})
	}
}

// Those of a group give up together, after the pause of one. The others go on waiting, and so does a group that waits later.
func TestAwait_group(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var a Activity
		await := func(group any, pause, takes time.Duration) {
			defer a.Begin()()
			before := time.Now()
			if a.Await(t.Context(), group, pause, func() bool { return false }) || time.Since(before) != takes {
				t.Errorf("group %v waited for %s, want %s", group, time.Since(before), takes)
			}
		}
		for range 2 {
			for range 100 {
				go await("entries", time.Second, time.Second)
			}
			go await("others", 2*time.Second, 3*time.Second)
			await(nil, 4*time.Second, 7*time.Second)
			synctest.Wait()
		}
	})
}

// A place is free once the instance in it has left it after the attempt.
func TestPlaces(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var p Places
		defer p.Writes.Begin()()
		p.Leave("1")
		if p.Await(t.Context(), nil, "1", p.Now(), time.Second) {
			t.Error("an instance that left before counts as leaving")
		}
		since, before := p.Now(), time.Now()
		after(2, func() { p.Leave("2") })
		after(3, func() { p.Leave("1") })
		after(5, p.Writes.Begin())
		if !p.Await(t.Context(), nil, "1", since, time.Second) || time.Since(before) != 3*time.Second {
			t.Errorf("it waited for %s", time.Since(before))
		}
		time.Sleep(time.Minute)
	})
}

// Only the last write computes: the one that ends when no other is in progress.
func TestComputations_awaitLast(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		begin func(c *Computations, cancel func())
		last  bool
	}{
		"alone":              {func(*Computations, func()) {}, true},
		"another one":        {func(c *Computations, _ func()) { c.Writes.Begin() }, false},
		"another one begins": {func(c *Computations, _ func()) { go c.Writes.Begin() }, false},
		"it is interrupted":  {func(_ *Computations, cancel func()) { cancel() }, false},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var computations Computations
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				c.begin(&computations, cancel)
				if got := computations.AwaitLast(ctx); got != c.last {
					t.Errorf("it is the last one: %v", got)
				}
			})
		})
	}
}

func TestComputations_due(t *testing.T) {
	t.Parallel()
	var c Computations
	steps := []struct {
		what string
		do   func(endpoint string)
		due  bool
	}{
		{"written before the first request", c.Outdate, false},
		{"requested", c.AddRequest, false},
		{"written after it", c.Outdate, true},
		{"written again", c.Outdate, true},
		{"requested again", c.AddRequest, false},
		{"written after that", c.Outdate, true},
		{"taken", func(endpoint string) {
			if !c.TakeDue(endpoint) || c.TakeDue(endpoint) {
				t.Error("what is due is not taken once")
			}
		}, false},
		{"written after it was taken", c.Outdate, true},
	}
	for _, step := range steps {
		step.do("update_all_pools")
		if got := c.IsDue("update_all_pools"); got != step.due {
			t.Errorf("%s: due is %v", step.what, got)
		}
		if c.IsDue("another") {
			t.Errorf("%s: another computation is due", step.what)
		}
	}
}
