// A request that is being spoiled.

package faults

import (
	"bytes"
	"context"
	"net/http"
	"time"
)

// exchange is one request that is being spoiled.
type exchange struct {
	w          http.ResponseWriter
	r          *http.Request
	next       http.Handler
	retryAfter int           // in seconds; 0 leaves it out
	delay      time.Duration // 0 is until the client goes away
	// answer is what the server said; nil when it has not acted.
	answer *recorder
}

// act lets the server act and keeps its answer. Like a real one, it finishes
// what it has begun when the client goes away.
func (x *exchange) act(ctx context.Context) {
	x.answer = &recorder{header: http.Header{}, status: http.StatusOK}
	x.next.ServeHTTP(x.answer, x.r.WithContext(context.WithoutCancel(ctx)))
}

// hold waits until the delay is over, or the client goes away, which it reports.
func (x *exchange) hold() (gone bool) {
	var over <-chan time.Time
	if x.delay > 0 {
		timer := time.NewTimer(x.delay)
		defer timer.Stop()
		over = timer.C
	}
	select {
	case <-x.r.Context().Done():
		return true
	case <-over:
		return false
	}
}

// recorder keeps an answer.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header returns the header of the answer.
func (r *recorder) Header() http.Header { return r.header }

// WriteHeader keeps the status.
func (r *recorder) WriteHeader(status int) { r.status = status }

// Write keeps a part of the body.
func (r *recorder) Write(p []byte) (int, error) { return r.body.Write(p) }

// deliver writes the answer to the client.
func (r *recorder) deliver(w http.ResponseWriter) {
	for key, values := range r.header {
		w.Header()[key] = values
	}
	w.WriteHeader(r.status)
	_, _ = w.Write(r.body.Bytes()) // a client that has gone away is no concern of the server
}
