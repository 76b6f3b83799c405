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

// Injected returns the number of requests that were spoiled since New.
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
		x := &exchange{w: w, r: r, next: i.next, retryAfter: rule.RetryAfter, delay: time.Duration(rule.Delay)}
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
		if a.matches(r.Method, r.URL.Path, typ) && !ok && a.take() {
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
