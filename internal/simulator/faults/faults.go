// Package faults makes things go wrong between a client and an HTTP server: it
// is a handler in front of another, which spoils the requests that its rules
// choose, before or after the server has acted. It knows nothing of eNMS but
// where a request names its instance type.
//
// A refused connection exists before any request does, so it can only be played
// by closing the connection unanswered as soon as the request is there; a port
// that nobody listens on is the real thing.
package faults

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"sync"
	"time"
)

// Injector is the handler in front. It may be used by many goroutines.
type Injector struct {
	next http.Handler

	mu       sync.Mutex
	rules    []*armed
	injected int
	inside   int        // requests under way
	left     *sync.Cond // one of them was answered
}

var _ http.Handler = (*Injector)(nil)

// New puts an injector with rules in front of next. The error tells which rule
// is wrong.
func New(next http.Handler, rules ...Rule) (*Injector, error) {
	i := &Injector{next: next}
	i.left = sync.NewCond(&i.mu)
	return i, i.Set(rules...)
}

// Set replaces the rules; without any, nothing goes wrong any longer. Requests
// that are being spoiled already stay so.
func (i *Injector) Set(rules ...Rule) error {
	fresh, err := arm(rules)
	if err != nil {
		return err
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.rules = fresh
	return nil
}

// Injected is the number of requests that were spoiled since New.
func (i *Injector) Injected() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.injected
}

// Wait returns when no request is under way, such as one that the server is to
// act on after its client has gone.
func (i *Injector) Wait() {
	i.mu.Lock()
	defer i.mu.Unlock()
	for i.inside > 0 {
		i.left.Wait()
	}
}

// ServeHTTP passes a request on, or spoils it.
func (i *Injector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	rule, ok, err := i.choose(r)
	defer i.leave()
	switch {
	case err != nil: // the client has gone in the middle of its request
		panic(http.ErrAbortHandler)
	case !ok:
		i.next.ServeHTTP(w, r)
	default:
		x := &exchange{w: w, r: r, rule: rule, next: i.next}
		if rule.When == After && rule.Fault != Late {
			x.act(r.Context())
		}
		faults[rule.Fault](x)
	}
}

// choose enters a request, reads its body, and finds the rule that spoils it.
func (i *Injector) choose(r *http.Request) (rule Rule, ok bool, err error) {
	i.mu.Lock()
	i.inside++
	idle := len(i.rules) == 0
	i.mu.Unlock()
	if idle {
		return Rule{}, false, nil
	}
	// All of the body: only then does net/http notice that a client goes away.
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return Rule{}, false, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	typ := typeOf(r.URL.Path, body)
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, a := range i.rules {
		if a.matches(r.Method, r.URL.Path, typ) && !ok && a.fires() {
			rule, ok = a.Rule, true
			i.injected++
		}
	}
	return rule, ok, nil
}

func (i *Injector) leave() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.inside--
	i.left.Broadcast()
}

// exchange is one request that is being spoiled.
type exchange struct {
	w    http.ResponseWriter
	r    *http.Request
	rule Rule
	next http.Handler
	// answer is what the server said; nil when it has not acted.
	answer *recorder
}

// act lets the server act and keeps its answer. Like a real one, it finishes
// what it has begun when the client goes away.
func (x *exchange) act(ctx context.Context) {
	x.answer = &recorder{header: http.Header{}, status: http.StatusOK}
	x.next.ServeHTTP(x.answer, x.r.WithContext(context.WithoutCancel(ctx)))
}

// hold waits until the client goes away, which is true, or until the rule's
// delay is over.
func (x *exchange) hold() (gone bool) {
	var over <-chan time.Time
	if x.rule.Delay > 0 {
		timer := time.NewTimer(time.Duration(x.rule.Delay))
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

// Header is the header of the answer.
func (r *recorder) Header() http.Header { return r.header }

// WriteHeader keeps the status.
func (r *recorder) WriteHeader(status int) { r.status = status }

// Write keeps a part of the body.
func (r *recorder) Write(p []byte) (int, error) { return r.body.Write(p) }

// deliver gives the answer to the client.
func (r *recorder) deliver(w http.ResponseWriter) {
	for key, values := range r.header {
		w.Header()[key] = values
	}
	w.WriteHeader(r.status)
	_, _ = w.Write(r.body.Bytes()) // a client that has gone away is no concern of the server
}
