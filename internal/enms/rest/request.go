// This file makes one request with its retries. Requests are retried after errors of the connection and of
// gateways before eNMS (retryable), but not after a 500, which eNMS sends deliberately (enms-rest.md 7).
// Package enms decides whether a write is sent again after a 500, or after its answer was lost (create.go and
// change.go there).

package rest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"
	"time"
)

const (
	// maxWait bounds the pause between attempts: a gateway that restarts takes no longer.
	maxWait = 30 * time.Second
	// rateLimitedPauses bounds for how long a request is repeated while it gets 429s although its
	// retries are used up: so many times Config.RetryWait for each retry, which is three minutes
	// with the defaults. The window of a rate limit is usually one minute.
	rateLimitedPauses = 120
)

// Do makes a request with its retries. The answer has a status of success. If err is not nil,
// only its Lost is meaningful.
func (c *Client) Do(ctx context.Context, r Request) (*Answer, error) {
	state, begin := &attemptState{}, time.Now()
	for {
		answer, err := c.attempt(ctx, &r, state)
		answer.Lost = state.lost
		if !retryable(err, r) || c.Exhausted(state.count-1, begin, err) {
			return answer, err
		}
		if err := c.Wait(ctx, state.count-1, err); err != nil {
			return answer, err
		}
	}
}

// Exhausted reports whether a request that failed with cause has been sent for the last time: as often as
// MaxRetries allows, and, under a rate limit, for long enough (rateLimitedPauses). attempt is the number of
// the attempt that failed, from 0; begin is when the request was first sent.
func (c *Client) Exhausted(attempt int, begin time.Time, cause error) bool {
	if attempt < c.cfg.MaxRetries {
		return false
	}
	longest := time.Duration(c.cfg.MaxRetries) * rateLimitedPauses * c.cfg.RetryWait
	return !RateLimited(cause) || time.Since(begin) >= longest
}

// Wait pauses before the attempt that follows the one that failed with cause, and returns an error if ctx ends
// before. attempt is the number of the attempt that failed, from 0.
func (c *Client) Wait(ctx context.Context, attempt int, cause error) error {
	if RateLimited(cause) {
		return ctx.Err() // the next attempt waits for the pace
	}
	wait := backoff(c.cfg.RetryWait, attempt)
	if status, ok := errors.AsType[*StatusError](cause); ok && status.retryAfter > 0 {
		wait = status.retryAfter
	}
	return Sleep(ctx, wait)
}

// retryable reports whether it is safe to send a request again after err, and of any use.
func retryable(err error, r Request) bool {
	if r.Long && InProgress(err) {
		return false
	}
	if unreachable, ok := errors.AsType[*UnreachableError](err); ok {
		mayBeExecutedTwice := r.Once && unreachable.Sent
		return !mayBeExecutedTwice && !isPermanent(unreachable.cause)
	}
	return !r.Once && gatewayFailed(statusOf(err))
}

// isPermanent reports whether retrying cannot help.
func isPermanent(err error) bool {
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		return dns.IsNotFound
	}
	return errors.Is(err, errSize) || tlsMisconfigured(err) || Is[*SchemeError](err)
}

// backoff returns the pause after the given attempt, counted from 0. It doubles with each attempt up to
// maxWait; up to half of it is random, so that many clients do not return at the same time.
func backoff(first time.Duration, attempt int) time.Duration {
	wait := min(first, maxWait)
	for range attempt {
		wait = min(2*wait, maxWait)
	}
	return wait/2 + rand.N(wait/2+1)
}

// maxAnswer bounds an answer in bytes. The largest legitimate one is the answer to a deletion, which
// contains every related instance in full (enms-rest.md 3).
const maxAnswer = 256 << 20

// errSize is the error of an answer that is over its bound.
var errSize = errors.New("the answer is too large")

// Request is one request, over all its attempts.
type Request struct {
	Method, Path string // the path as Path makes it
	Query        url.Values
	Body         []byte // JSON
	Entries      int    // how many instances it is about, for the log
	// Once marks a request that must not be executed twice. It is sent again only if the server cannot have seen it.
	Once bool
	// Long marks a request that may take longer than an attempt. It is not sent again while the server
	// may still be executing it.
	Long bool
	// Limit bounds the answer in bytes; 0 is maxAnswer.
	Limit int64
}

// attemptState is the state of the attempts of one request.
type attemptState struct {
	count int         // the number of the current attempt, from 1
	sent  atomic.Bool // an attempt had a connection: the server may have seen the request
	lost  bool        // an earlier attempt may have been executed
}

// attempt sends a request once and reads its whole answer, so that a connection that breaks
// within the answer is an error of this attempt. The answer is never nil.
func (c *Client) attempt(ctx context.Context, r *Request, state *attemptState) (*Answer, error) {
	if err := c.slots.Acquire(ctx); err != nil {
		return &Answer{}, err
	}
	defer c.slots.Release()
	if err := c.pace.wait(ctx); err != nil {
		return &Answer{}, err
	}
	state.begin()
	timeUp := &timeoutError{after: c.cfg.RequestTimeout}
	limited, cancel := context.WithTimeoutCause(ctx, c.cfg.RequestTimeout, timeUp)
	defer cancel()
	req, err := c.newRequest(limited, r, state)
	if err != nil {
		const message = "the path of the request is malformed"
		return &Answer{}, &UnreachableError{Host: c.base.Host, cause: errors.New(message), message: message}
	}
	answer, header, err := c.exchange(limited, req, r, state.count)
	switch {
	case err == nil:
		return answer, c.checkStatus(r.Method, r.Path, header, answer)
	case ctx.Err() != nil:
		return &Answer{}, ctx.Err()
	case errors.Is(context.Cause(limited), timeUp):
		err = timeUp
	}
	return &Answer{}, c.unreachable(err, state)
}

// begin begins another attempt. If one before had a connection, eNMS may have executed it.
func (s *attemptState) begin() {
	s.count++
	s.lost = s.sent.Load()
}

// exchange sends an attempt, and reads the whole answer, whatever its status. ctx bounds the attempt. Unlike
// the context of req, it does not trace connections: the connection of heedLimiter's request must not count as
// one of req.
func (c *Client) exchange(ctx context.Context, req *http.Request, r *Request, attempt int) (*Answer, http.Header, error) {
	begin := time.Now()
	resp, err := c.transport.RoundTrip(req)
	if err != nil {
		c.log(req, r.Entries, attempt, 0, time.Since(begin))
		return nil, nil, err
	}
	if c.cfg.Answered != nil {
		c.cfg.Answered(resp, begin)
	}
	body, err := readWhole(resp, cmp.Or(r.Limit, maxAnswer))
	if err == nil {
		c.heedLimiter(ctx, resp, body)
	}
	pause := c.pace.update(resp)
	if pause > 0 && c.Waiting != nil {
		c.Waiting(pause)
	}
	c.log(req, r.Entries, attempt, resp.StatusCode, time.Since(begin))
	answer := &Answer{Status: resp.StatusCode, ContentType: c.Redact(resp.Header.Get("Content-Type")), Body: body, basePath: c.basePath()}
	if resp.StatusCode != http.StatusOK || mediaType(answer.ContentType) != "application/json" {
		answer.Title = shorten(c.Redact(title(body)), maxTitle)
	}
	return answer, resp.Header, err
}

// unreachable returns the error of an attempt without a complete answer.
func (c *Client) unreachable(err error, state *attemptState) error {
	if schemeError := c.schemeError(err); schemeError != nil {
		err = schemeError
	}
	sent := state.sent.Load()
	if tlsMisconfigured(err) || Is[*SchemeError](err) { // the request was not read
		sent = false
	}
	message := c.Redact(err.Error())
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		message = "the connection was closed before the answer was complete"
	}
	return &UnreachableError{Host: c.base.Host, Sent: sent, cause: err, message: message}
}

// newRequest makes the HTTP request of an attempt. state will record that the attempt has got a connection.
func (c *Client) newRequest(ctx context.Context, r *Request, state *attemptState) (*http.Request, error) {
	target := c.base.String() + r.Path
	if len(r.Query) > 0 {
		target += "?" + r.Query.Encode()
	}
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) {
			// The transport sends GET and DELETE again by itself when a kept connection breaks.
			state.lost = state.sent.Swap(true)
		},
	})
	var body io.Reader
	if r.Body != nil {
		body = bytes.NewReader(r.Body)
	}
	req, err := http.NewRequestWithContext(ctx, r.Method, target, body)
	if err == nil {
		c.cfg.setHeaders(req)
	}
	return req, err
}

// readWhole reads and closes the body of resp. A body of more than limit bytes is an error.
func readWhole(resp *http.Response, limit int64) ([]byte, error) {
	defer resp.Body.Close()
	tooLarge := fmt.Errorf("%w: it has more than %d MiB", errSize, limit>>20)
	if resp.ContentLength > limit {
		return nil, tooLarge
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	if int64(len(body)) > limit {
		return nil, tooLarge
	}
	return body, err
}

// log logs one attempt, without its query, bodies and headers. status is 0 if there was no answer.
func (c *Client) log(req *http.Request, entries, attempt, status int, took time.Duration) {
	if c.cfg.Logger == nil {
		return
	}
	c.cfg.Logger(req.Context(), "eNMS request", map[string]any{
		"method": req.Method, "path": req.URL.EscapedPath(), "entries": max(entries, 1),
		"status": status, "duration": took.String(), "attempt": attempt,
	})
}
