// Package rest makes requests to the REST interface of eNMS: one request, with
// its retries, and its answer or an error that says what happened. It knows
// nothing of instances.
package rest

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Client makes requests to one server as one user. Goroutines may share it.
type Client struct {
	cfg       Config
	base      string // BaseURL without a slash at its end
	host      string // its host and port, for errors
	transport *http.Transport
	pace      *pace
}

// New makes a client. It fails when BaseURL or ProxyURL is not usable, and
// sends nothing.
func New(cfg Config) (*Client, error) {
	base, err := url.Parse(cfg.BaseURL)
	switch {
	// The text of a parse error quotes the URL, which may hold a password.
	case err != nil:
		return nil, errors.New("the base URL is not a URL")
	case base.Scheme != "http" && base.Scheme != "https":
		return nil, errors.New("the base URL must begin with http:// or https://")
	case base.Hostname() == "":
		return nil, errors.New("the base URL names no host")
	case base.User != nil:
		return nil, errors.New("the base URL must not hold a user name or a password")
	case base.RawQuery != "" || base.ForceQuery || base.Fragment != "":
		return nil, errors.New("the base URL must not hold a query or a fragment")
	case cfg.MaxRetries < 0 || cfg.RequestTimeout < 0 || cfg.RetryWait < 0:
		return nil, errors.New("the number of retries and the times must not be negative")
	}
	if cfg.RequestTimeout == 0 {
		cfg.RequestTimeout = defaultRequestTimeout
	}
	if cfg.RetryWait == 0 {
		cfg.RetryWait = defaultRetryWait
	}
	transport, err := newTransport(cfg)
	if err != nil {
		return nil, err
	}
	return &Client{
		cfg:       cfg,
		base:      strings.TrimRight(base.String(), "/"),
		host:      base.Host,
		transport: transport,
		pace:      &pace{first: cfg.RetryWait},
	}, nil
}

// Close closes idle connections. The client stays usable.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// Host is the host and port of the base URL.
func (c *Client) Host() string { return c.host }

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

// Do makes a request with its retries. An answer comes only with a status of
// success; when err is not nil, the answer tells no more than whether an
// attempt was lost.
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

// Exhausted tells whether a request that failed with cause has been sent for
// the last time. attempt counts from 0, begin is when it was first sent.
func (c *Client) Exhausted(attempt int, begin time.Time, cause error) bool {
	return attempt >= c.cfg.MaxRetries && !(RateLimited(cause) && time.Since(begin) < c.cfg.rateLimitedMost())
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
	return sleep(ctx, wait)
}

// Redact takes out of a line that came from the server what must not be shown,
// in case the server echoed it: the client's own secrets and those of payload.
func (c *Client) Redact(line string, payload any) string {
	return redact(line, append(c.cfg.secrets(), secretsOf(payload, false)...))
}

// Path makes the path of an endpoint; each segment is encoded as one.
func Path(segments ...string) string {
	var path strings.Builder
	path.WriteString("/rest")
	for _, segment := range segments {
		path.WriteByte('/')
		path.WriteString(escapeSegment(segment))
	}
	return path.String()
}

// escapeSegment encodes s as one segment of a path. "." and ".." are encoded,
// too, because proxies would take them for steps in the path.
func escapeSegment(s string) string {
	if s == "." || s == ".." {
		return strings.ReplaceAll(s, ".", "%2E")
	}
	return url.PathEscape(s)
}
