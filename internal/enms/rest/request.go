// This file makes one request with its retries: what is sent with an attempt, how long it may
// take, how much is read of the answer, and what is logged. It decides which requests are sent
// again whatever they ask for, and when: after errors of the connection and of the gateways
// before eNMS. After a 500 none is, because eNMS means it (enms-rest.md 7); whether a write is
// sent again after one, or after an answer that was lost, package enms decides (write.go and
// change.go there). answer.go judges the answer.

package rest

import (
	"bytes"
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
	// maxWait caps the pause between attempts: a gateway that restarts is back
	// by then.
	maxWait = 30 * time.Second
	// rateLimitedPauses tells for how long a request goes on meeting 429 although
	// its retries are used up: so many pauses of Config.RetryWait for each of
	// them, which is three minutes with the defaults. The windows of limits are a
	// minute, as a rule.
	rateLimitedPauses = 120
)

// Do makes a request with its retries. The answer has a status of success; if err is not nil,
// the answer only says whether an attempt was lost.
func (c *Client) Do(ctx context.Context, r Request) (*Answer, error) {
	state, begin := &attemptState{}, time.Now()
	for {
		answer, err := c.attempt(ctx, &r, state)
		if err == nil || !retryable(err, r.Once) || c.Exhausted(state.count-1, begin, err) {
			return answer, err
		}
		if err := c.Wait(ctx, state.count-1, err); err != nil {
			return answer, err
		}
	}
}

// Exhausted reports whether a request that failed with cause has been sent for
// the last time. attempt counts from 0, begin is when it was first sent.
func (c *Client) Exhausted(attempt int, begin time.Time, cause error) bool {
	most := time.Duration(c.cfg.MaxRetries) * rateLimitedPauses * c.cfg.RetryWait
	return attempt >= c.cfg.MaxRetries && !(RateLimited(cause) && time.Since(begin) < most)
}

// Wait pauses before the attempt that follows the one that failed with cause.
func (c *Client) Wait(ctx context.Context, attempt int, cause error) error {
	if RateLimited(cause) {
		return ctx.Err() // the pace waits
	}
	wait := backoff(c.cfg.RetryWait, attempt)
	if status, ok := errors.AsType[*StatusError](cause); ok && status.retryAfter > 0 {
		wait = status.retryAfter
	}
	return Sleep(ctx, wait)
}

// retryable reports whether a request may be sent again after err.
func retryable(err error, once bool) bool {
	if unreachable, ok := errors.AsType[*UnreachableError](err); ok {
		return !isPermanent(unreachable.cause) && !(once && unreachable.Sent)
	}
	return !once && gatewayFailed(statusOf(err))
}

func isPermanent(err error) bool {
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		return dns.IsNotFound
	}
	return errors.Is(err, errSize) || badCertificate(err) || Is[*SchemeError](err)
}

// backoff returns the pause after the given attempt, counted from 0: it doubles, is
// capped, and up to half of it is left to chance so that many clients do not
// come back at the same time.
func backoff(first time.Duration, attempt int) time.Duration {
	wait := first
	for range attempt {
		wait = min(2*wait, maxWait)
	}
	wait = min(wait, maxWait)
	return wait/2 + rand.N(wait/2+1)
}

// maxAnswer bounds an answer in bytes. The largest honest one is the deletion
// of something with very many relations, which eNMS expands (enms-rest.md 3).
const maxAnswer = 256 << 20

// errSize is the error of an answer that is over maxAnswer.
var errSize = fmt.Errorf("the answer is larger than %d MiB", maxAnswer>>20)

// Request is one request, over all its attempts.
type Request struct {
	Method, Path string // the path as Path makes it
	Query        url.Values
	Body         []byte // JSON
	Entries      int    // how many instances it is about, for the log
	// Once marks what must not be done twice. It is sent again only when the
	// server cannot have seen it.
	Once bool
}

// attemptState is the state of the attempts of one request.
type attemptState struct {
	count int
	sent  atomic.Bool // the present attempt had a connection: the server may have seen it
	lost  bool        // an attempt before the last one may have been acted on
}

// attempt sends a request once and reads its whole answer, so that a connection
// that breaks within the answer is an error of the attempt like every other.
func (c *Client) attempt(ctx context.Context, r *Request, state *attemptState) (*Answer, error) {
	if err := c.load.begin(ctx); err != nil {
		return &Answer{Lost: state.lost}, err
	}
	defer c.load.end()
	if err := c.pace.wait(ctx); err != nil {
		return &Answer{Lost: state.lost}, err
	}
	state.count++
	state.lost = state.lost || state.sent.Load()
	state.sent.Store(false)
	timeUp := &timeoutError{after: c.cfg.RequestTimeout}
	limited, cancel := context.WithTimeoutCause(ctx, c.cfg.RequestTimeout, timeUp)
	defer cancel()
	req, err := c.newRequest(limited, r, state)
	if err != nil {
		const message = "the path of the request is malformed"
		return &Answer{Lost: state.lost}, &UnreachableError{Host: c.host, cause: errors.New(message), message: message}
	}

	begin := time.Now()
	timing := c.load.sent(begin)
	resp, err := c.transport.RoundTrip(req)
	var body []byte
	if err == nil {
		if c.cfg.Answered != nil {
			c.cfg.Answered(resp, begin)
		}
		c.pace.heard(resp)
		body, err = readWhole(resp, maxAnswer)
	}
	c.load.answered(timing, time.Now(), err == nil && resp.StatusCode == http.StatusOK)
	c.log(ctx, req, r.Entries, state.count, resp, time.Since(begin))
	switch {
	case err == nil:
		answer := &Answer{Status: resp.StatusCode, ContentType: c.Redact(resp.Header.Get("Content-Type")), Body: body, Lost: state.lost}
		if resp.StatusCode != http.StatusOK || !jsonType(answer.ContentType) {
			answer.Title = shorten(c.Redact(title(body)), longestTitle)
		}
		return answer, c.checkStatus(r.Method, r.Path, resp, answer)
	case ctx.Err() != nil:
		err = ctx.Err()
	default:
		if errors.Is(context.Cause(limited), timeUp) {
			err = timeUp
		}
		if other := c.schemeError(err); other != nil {
			err = other
		}
		sent := (state.sent.Load() || state.lost) && !badCertificate(err) && !Is[*SchemeError](err)
		err = &UnreachableError{Host: c.host, Sent: sent, cause: err, message: c.Redact(err.Error())}
	}
	return &Answer{Lost: state.lost}, err
}

// newRequest makes the HTTP request of an attempt, which notes in state when it
// has a connection.
func (c *Client) newRequest(ctx context.Context, r *Request, state *attemptState) (*http.Request, error) {
	target := c.base + r.Path
	if len(r.Query) > 0 {
		target += "?" + r.Query.Encode()
	}
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) {
			// The transport sends GET and DELETE again by itself when a kept
			// connection breaks.
			state.lost = state.sent.Swap(true) || state.lost
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

// readWhole reads the body of resp, of which limit bytes may be.
func readWhole(resp *http.Response, limit int64) ([]byte, error) {
	defer resp.Body.Close()
	if resp.ContentLength > limit {
		return nil, errSize
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	if err == nil && int64(len(body)) > limit {
		return nil, errSize
	}
	return body, err
}

// log logs one attempt, without its query, bodies and headers.
func (c *Client) log(ctx context.Context, req *http.Request, entries, attempt int, resp *http.Response, took time.Duration) {
	if c.cfg.Logger == nil {
		return
	}
	status := 0 // there was no answer
	if resp != nil {
		status = resp.StatusCode
	}
	c.cfg.Logger(ctx, "eNMS request", map[string]any{
		"method": req.Method, "path": req.URL.EscapedPath(), "entries": max(entries, 1),
		"status": status, "duration": took.String(), "attempt": attempt,
	})
}
