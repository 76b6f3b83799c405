// This file does something for each of many entries, several at a time, and says in the
// log how far it is.

package bulk

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

const (
	// mostTogether is how many instances are read or written at a time: enough for the
	// client to fill its lists and searches.
	mostTogether = 2000
	// mostDeleted is how many are deleted at a time, each of which is a request: those
	// that wait for their turn in eNMS must not run into the timeout.
	mostDeleted = 50
	// tellEvery is how often the log says how far it is.
	tellEvery = 5 * time.Second
)

// each calls do for each of the items, so many at a time.
func each[T any](ctx context.Context, doing, typ string, items []T, atATime int, do func(T)) {
	if len(items) == 0 {
		return
	}
	var done atomic.Int64
	finished := make(chan struct{})
	go tell(ctx, doing, typ, &done, len(items), finished)
	defer close(finished)
	var workers sync.WaitGroup
	queue := make(chan T)
	for range min(atATime, len(items)) {
		workers.Go(func() {
			for item := range queue {
				do(item)
				done.Add(1)
			}
		})
	}
	for _, item := range items {
		queue <- item
	}
	close(queue)
	workers.Wait()
}

// tell writes to the log how far it is until all is finished.
func tell(ctx context.Context, doing, typ string, done *atomic.Int64, total int, finished <-chan struct{}) {
	ticker := time.NewTicker(tellEvery)
	defer ticker.Stop()
	for {
		select {
		case <-finished:
			return
		case <-ticker.C:
			tflog.Info(ctx, "enms_instances: "+doing, map[string]any{"type": typ, "done": done.Load(), "of": total})
		}
	}
}
