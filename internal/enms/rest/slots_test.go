// Tests of how many requests are under way at the same time.

package rest

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
)

// Never more requests than the limit are under way.
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
