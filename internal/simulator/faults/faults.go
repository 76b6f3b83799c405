// Package faults injects faults between a client and an HTTP server: its handler, in front of another one,
// spoils the requests that rules select, before or after the server has acted.
//
// A handler cannot refuse a connection. Refuse closes it instead, without an answer, when the request has
// arrived. Use a port without a listener to test a refused connection.
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

// New returns an injector with rules in front of next. The error says which rule is invalid.
func New(next http.Handler, rules ...Rule) (*Injector, error) {
	i := &Injector{next: next}
	i.left = sync.NewCond(&i.mu)
	return i, i.Set(rules...)
}

// Set replaces the rules. Requests that are already being spoiled remain so.
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

// Wait waits until no request is under way, not even one whose client has gone.
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
			x.act()
		}
		faults[rule.Fault](x)
	}
}

// choose enters a request, reads its body, and finds the rule that spoils it; ok is false if there is none.
func (i *Injector) choose(r *http.Request) (rule Rule, ok bool, err error) {
	i.mu.Lock()
	i.inside++
	idle := len(i.rules) == 0
	i.mu.Unlock()
	if idle {
		return Rule{}, false, nil
	}
	// net/http notices that a client goes away only after the whole body was read.
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

// leave is the end of a request that choose has entered.
func (i *Injector) leave() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.inside--
	i.left.Broadcast()
}
