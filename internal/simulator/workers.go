// The processes that answer requests, each with its view of the database; and the rate limit.

package simulator

import (
	"math"
	"slices"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
)

// workers are the processes, which answer in turn.
//
// A process that reads the database to check credentials or to show the login page, and then answers
// without calling an endpoint, leaves its transaction open. With REPEATABLE READ, it sees the database as it
// was then, until it has answered a request that calls an endpoint.
type workers struct {
	all   []*worker
	live  *database.Database
	turns int // requests that were given to workers
	stale bool
}

type worker struct {
	snapshot *database.Database // the database as the open transaction sees it; nil without one
}

func newWorkers(live *database.Database, count int, stale bool) *workers {
	all := make([]*worker, max(1, count))
	for i := range all {
		all[i] = &worker{}
	}
	return &workers{all: all, live: live, stale: stale}
}

// next returns the worker whose turn it is.
func (ws *workers) next() *worker {
	w := ws.all[ws.turns%len(ws.all)]
	ws.turns++
	return w
}

// hold opens a worker's transaction, unless it is already open, or Options.StaleReads is not set.
func (ws *workers) hold(w *worker) {
	if !ws.stale || w.snapshot != nil {
		return
	}
	for _, other := range ws.all { // workers that begin at the same time share a view
		if other.snapshot != nil && other.snapshot.Current() {
			w.snapshot = other.snapshot
			return
		}
	}
	w.snapshot = ws.live.Snapshot()
}

// viewOf returns the database as a worker sees it.
func (ws *workers) viewOf(w *worker) *database.Database {
	if w.snapshot != nil {
		return w.snapshot
	}
	return ws.live
}

// release ends a worker's transaction, and returns its view of the database for one request. A request that
// writes gets a copy if another worker has the same view.
func (ws *workers) release(w *worker, writes bool) *database.Database {
	view := ws.viewOf(w)
	w.snapshot = nil
	shared := func(other *worker) bool { return other.snapshot == view }
	if view != ws.live && writes && slices.ContainsFunc(ws.all, shared) {
		view = view.Snapshot()
	}
	return view
}

// window counts the requests of the current period of the rate limit.
type window struct {
	most   int           // 0 for any number
	length time.Duration // 0 is a minute
	begun  time.Time
	count  int
}

// limited counts a request, and returns after how many seconds the client may try again, or 0 if the
// request is within the limit.
func (w *window) limited(now time.Time) int {
	if w.most <= 0 {
		return 0
	}
	length := w.length
	if length <= 0 {
		length = time.Minute
	}
	if now.Sub(w.begun) >= length {
		w.begun, w.count = now, 0
	}
	w.count++
	if w.count <= w.most {
		return 0
	}
	return max(1, int(math.Ceil(w.begun.Add(length).Sub(now).Seconds())))
}
