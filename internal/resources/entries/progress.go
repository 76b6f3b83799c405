// This file logs the progress of long work at INFO, and estimates how many requests a plan will
// take.

package entries

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

const (
	// mostTogether is how many instances are read or written at the same time: enough for the
	// client to fill its lists and searches.
	mostTogether = 2000
	// tellEvery is how often the progress is logged.
	tellEvery = 5 * time.Second
	// mostRequestsUntold is how many requests an apply may take without a word in the plan: at
	// a quarter of a second each, about a minute.
	mostRequestsUntold = 300
)

// count is how many of the entries that are worked on in one way are done.
type count struct {
	done          string // what they are then, such as "deleted"
	total         int
	began         atomic.Pointer[time.Time] // nil before the first of them
	ended, failed atomic.Int64
	told          int64 // how many had ended when the log said so
}

// progress logs how far work on the entries of a type is.
type progress struct {
	typ      string
	counts   []*count
	finished chan struct{}
	loggers  sync.WaitGroup
}

// newProgress starts to log how far the counts are, every few seconds until end is called.
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

// end stops the logging. A last line says what came of it.
func (p *progress) end(ctx context.Context) {
	p.stop()
	p.tell(ctx)
}

// stop stops the logging.
func (p *progress) stop() {
	close(p.finished)
	p.loggers.Wait()
}

// tell logs the counts that have begun and were not complete when it did so before.
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

// each calls do for each of the items, up to atATime at once, and counts them. do
// reports whether it has succeeded.
func each[T any](c *count, items []T, atATime int, do func(T) bool) {
	if len(items) == 0 {
		return
	}
	c.began.CompareAndSwap(nil, new(time.Now()))
	underWay, ended := 0, make(chan struct{})
	for _, item := range items {
		if underWay == atATime {
			<-ended
		} else {
			underWay++
		}
		go func() {
			if !do(item) {
				c.failed.Add(1)
			}
			c.ended.Add(1)
			ended <- struct{}{}
		}()
	}
	for ; underWay > 0; underWay-- {
		<-ended
	}
}

// eachRead calls do, which only reads, for each of the items, and logs how far it is if that takes
// longer than a few seconds.
func eachRead[T any](ctx context.Context, done, typ string, items []T, do func(T) bool) {
	read := &count{done: done, total: len(items)}
	p := newProgress(ctx, typ, read)
	each(read, items, mostTogether, do)
	if p.stop(); len(items) > 0 && time.Since(*read.began.Load()) >= tellEvery {
		p.tell(ctx)
	}
}

// work is how many instances an apply creates, updates, renames and deletes.
type work struct{ created, updated, renamed, deleted int }

// workOf counts the work that items are. deletes is false if eNMS keeps the instances of entries
// that are removed.
func workOf(items []*item, deletes bool) (w work) {
	for _, i := range items {
		switch {
		case i.removed && deletes:
			w.deleted++
		case i.removed:
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

// requests returns the least number of requests for the work: eNMS deletes one instance at a time,
// and a rename asks first whether the instance still has its old name; what is created and updated
// travels in lists.
func (w work) requests() int {
	const list = 1000
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

// longDeletion returns what a warning of so many deletions says about the time that they take; it
// is empty when they take little.
func longDeletion(deletions int) string {
	if deletions <= mostRequestsUntold {
		return ""
	}
	return fmt.Sprintf(" eNMS deletes one instance at a time: the apply takes at least %d requests. With TF_LOG_PROVIDER=INFO, the log shows how far it is.", deletions)
}
