// One attempt of a request: what is sent with it, how long it may take, how much
// is read of the answer, and what is logged. answer.go judges the answer.

package rest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"
	"time"
)

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
	resp, err := c.transport.RoundTrip(req)
	var body []byte
	if err == nil {
		if c.cfg.Answered != nil {
			c.cfg.Answered(resp, begin)
		}
		c.pace.heard(resp)
		body, err = readWhole(resp, maxAnswer)
	}
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
