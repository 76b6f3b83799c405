// This file logs the progress of long work at INFO, and estimates how many requests a plan will take.

package entries

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/instance"
)

const (
	// mostTogether is how many instances are read or written at the same time: enough for the
	// client to fill its lists and searches.
	mostTogether = 2000
	// tellEvery is how often the progress is logged.
	tellEvery = 5 * time.Second
	// mostRequestsUntold is how many requests the deletions of an apply may take without a sentence about them
	// in the plan: at a quarter of a second each, about a minute.
	mostRequestsUntold = 300
)

// count counts the entries that an operation works on, and those that it has finished.
type count struct {
	done          string // what the finished entries are, such as "deleted"
	total         int
	began         atomic.Pointer[time.Time] // nil before work on the first entry begins
	ended, failed atomic.Int64
	told          int64 // how many were finished when they were last logged
}

// progress logs the progress of the work on the entries of a type.
type progress struct {
	typ      string
	counts   []*count
	finished chan struct{}
	loggers  sync.WaitGroup
}

// newProgress starts to log the counts, every few seconds until end is called.
func newProgress(ctx context.Context, typ string, counts ...*count) *progress {
	p := &progress{typ: typ, counts: counts, finished: make(chan struct{})}
	p.loggers.Go(func() {
		ticker := time.NewTicker(tellEvery)
		defer ticker.Stop()
		for {
			select {
			case <-p.finished:
				return
			case <-ticker.C:
				p.tell(ctx)
			}
		}
	})
	return p
}

// end stops the logging, and logs the result in a last line.
func (p *progress) end(ctx context.Context) {
	p.stop()
	p.tell(ctx)
}

// stop stops the logging.
func (p *progress) stop() {
	close(p.finished)
	p.loggers.Wait()
}

// tell logs the counts whose work has begun and was not complete at the last call.
func (p *progress) tell(ctx context.Context) {
	for _, c := range p.counts {
		began, failed := c.began.Load(), c.failed.Load()
		if began == nil || c.told == int64(c.total) {
			continue
		}
		ended := c.ended.Load()
		c.told = ended
		elapsed := time.Since(*began)
		line := fmt.Sprintf("enms_instances: %d of %d instances of type %s %s after %s", ended-failed, c.total, p.typ, c.done, elapsed.Round(time.Second))
		if failed > 0 {
			line += fmt.Sprintf(", %d failed", failed)
		}
		if left := int64(c.total) - ended; left > 0 && ended > 0 {
			line += fmt.Sprintf(", about %s left", (elapsed * time.Duration(left) / time.Duration(ended)).Round(time.Second))
		}
		tflog.Info(ctx, line)
	}
}

// each calls do for each of the items, up to atATime calls at once, and counts the items. do reports
// whether it has succeeded.
func each[T any](c *count, items []T, atATime int, do func(T) bool) {
	if len(items) == 0 {
		return
	}
	c.began.CompareAndSwap(nil, new(time.Now()))
	var calls sync.WaitGroup
	underWay := make(chan struct{}, atATime)
	for _, item := range items {
		underWay <- struct{}{}
		calls.Go(func() {
			if !do(item) {
				c.failed.Add(1)
			}
			c.ended.Add(1)
			<-underWay
		})
	}
	calls.Wait()
}

// eachRead calls do, which only reads, for each of the items. It logs the progress if that takes longer
// than a few seconds.
func eachRead[T any](ctx context.Context, done, typ string, items []T, do func(T) bool) {
	read := &count{done: done, total: len(items)}
	p := newProgress(ctx, typ, read)
	each(read, items, mostTogether, do)
	p.stop()
	if len(items) > 0 && time.Since(*read.began.Load()) >= tellEvery {
		p.tell(ctx)
	}
}

// work is how many instances an apply creates, updates, renames and deletes.
type work struct{ created, updated, renamed, deleted int }

// workOf counts what an apply of the items does. deletes is false if eNMS keeps the instances of removed entries.
func workOf(items []*item, deletes bool) (w work) {
	for _, i := range items {
		switch {
		case i.removed:
			if deletes {
				w.deleted++
			}
		case i.prior == nil:
			w.created++
		case i.differs && i.prior.name != i.name:
			w.renamed++
		case i.differs:
			w.updated++
		}
	}
	return w
}

// requests returns the least number of requests for the work. eNMS deletes one instance with each request.
// A rename takes a request to find out whether the instance still has its old name. Creations, updates and
// renames are written in lists.
func (w work) requests() int {
	const list = instance.MaxWritten
	written := (w.created+list-1)/list + (w.updated+w.renamed+list-1)/list
	return w.deleted + w.renamed + written
}

// tell logs what a plan will do.
func (w work) tell(ctx context.Context, typ string) {
	if w == (work{}) {
		return
	}
	tflog.Info(ctx, fmt.Sprintf("enms_instances: the plan creates %d, updates %d, renames %d and deletes %d instances of type %s, in at least %d requests",
		w.created, w.updated, w.renamed, w.deleted, typ, w.requests()))
}

// longDeletion returns a sentence for the warning about deletions that says how long they take, or "" if
// that is short.
func longDeletion(deletions int) string {
	if deletions <= mostRequestsUntold {
		return ""
	}
	return fmt.Sprintf(" eNMS deletes one instance at a time: the apply takes at least %d requests. With TF_LOG_PROVIDER=INFO, the log shows how far it is.", deletions)
}
