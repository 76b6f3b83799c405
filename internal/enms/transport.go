// One HTTP exchange: what is sent with it, how long it may take, how much is
// read of the answer, what is logged.

package enms

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

// idleConnections is how many connections are kept. Terraform's usual ten
// operations and deletions at a higher -parallelism shall not open new ones
// all the time.
const idleConnections = 64

// newTransport makes the connections: TLS, proxy, keep-alive.
func newTransport(cfg Config) (*http.Transport, error) {
	transport, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		transport = &http.Transport{Proxy: http.ProxyFromEnvironment}
	}
	transport = transport.Clone()
	transport.MaxIdleConnsPerHost = idleConnections
	if cfg.TLS != nil {
		transport.TLSClientConfig = cfg.TLS.Clone()
	}
	if transport.TLSClientConfig == nil {
		transport.TLSClientConfig = &tls.Config{}
	}
	transport.TLSClientConfig.MinVersion = max(transport.TLSClientConfig.MinVersion, tls.VersionTLS12)
	if cfg.ProxyURL != "" {
		proxy, err := url.Parse(cfg.ProxyURL)
		// The text of a parse error quotes the URL, which may hold a password.
		if err != nil || proxy.Host == "" {
			return nil, errors.New("the proxy URL is not a URL with a host")
		}
		transport.Proxy = http.ProxyURL(proxy)
	}
	return transport, nil
}

// journey is what becomes of one request over its attempts. It travels in the
// context, because that is what reaches all the hooks.
type journey struct {
	once    bool // see request.once
	entries int  // for the log
	begin   time.Time
	attempt int         // counts from 1
	sent    atomic.Bool // the present attempt had a connection: eNMS may have seen it
	lost    bool        // an attempt before the last one may have been acted on
}

type journeyKey struct{}

// journeyOf gives the journey of a request that send made.
func journeyOf(ctx context.Context) *journey {
	trip, _ := ctx.Value(journeyKey{}).(*journey)
	return trip
}

// errSize is the error of an answer that is over maxAnswer.
var errSize = fmt.Errorf("the answer is larger than %d MiB", maxAnswer>>20)

// timeoutError tells that the time of an attempt was up.
type timeoutError struct{ after time.Duration }

// Error tells it in one line.
func (e *timeoutError) Error() string { return fmt.Sprintf("no whole answer within %s", e.after) }

// exchanger makes one attempt: it is the innermost round tripper, and reads the
// answer whole so that a connection that breaks in the middle of it is an error
// of the attempt, in time and retried like every other.
type exchanger struct {
	cfg   Config
	next  http.RoundTripper
	clock *clock
	pace  *pace
}

// RoundTrip sends one attempt and reads its answer.
func (x *exchanger) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := x.pace.wait(req.Context()); err != nil {
		return nil, err
	}
	trip := journeyOf(req.Context())
	trip.lost = trip.lost || trip.sent.Load()
	trip.attempt++
	trip.sent.Store(false)
	timeUp := &timeoutError{after: x.cfg.RequestTimeout}
	ctx, cancel := context.WithTimeoutCause(req.Context(), x.cfg.RequestTimeout, timeUp)
	defer cancel()
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) {
			// The transport by itself sends again what may be done twice, when a
			// connection that was kept breaks.
			trip.lost = trip.sent.Swap(true) || trip.lost
		},
	})
	out := req.Clone(ctx)
	x.dress(out)

	begin := time.Now()
	resp, err := x.next.RoundTrip(out)
	if err == nil {
		x.clock.heard(resp, begin)
		x.pace.heard(resp)
		err = readWhole(resp, maxAnswer)
	}
	if err != nil && req.Context().Err() == nil && errors.Is(context.Cause(ctx), timeUp) {
		err = timeUp
	}
	x.log(req, trip, resp, time.Since(begin))
	if err != nil {
		return nil, err
	}
	return resp, nil
}

// dress sets the headers that every request has.
func (x *exchanger) dress(req *http.Request) {
	req.SetBasicAuth(x.cfg.Username, x.cfg.Password)
	req.Header.Set("User-Agent", userAgent(x.cfg.Version))
	req.Header.Set("Accept", "application/json")
	if req.Method == http.MethodPost {
		req.Header.Set("Content-Type", "application/json") // without it eNMS answers 500 (enms-rest.md 7)
	}
	for key, value := range x.cfg.Headers {
		if http.CanonicalHeaderKey(key) == "Host" {
			req.Host = value
			continue
		}
		req.Header.Set(key, value)
	}
}

// readWhole replaces the body of resp by its bytes, of which limit may be.
func readWhole(resp *http.Response, limit int64) error {
	defer resp.Body.Close()
	if resp.ContentLength > limit {
		return errSize
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	if err != nil {
		return err
	}
	if int64(len(body)) > limit {
		return errSize
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return nil
}

// log tells one attempt. The query is left out, as are bodies and headers.
func (x *exchanger) log(req *http.Request, trip *journey, resp *http.Response, took time.Duration) {
	if x.cfg.Logger == nil {
		return
	}
	status := 0 // there was no answer
	if resp != nil {
		status = resp.StatusCode
	}
	x.cfg.Logger(req.Context(), "eNMS request", map[string]any{
		"method": req.Method, "path": req.URL.EscapedPath(), "entries": trip.entries,
		"status": status, "duration": took.String(), "attempt": trip.attempt,
	})
}

// pathTo makes the path of an endpoint; each segment is encoded as one.
func pathTo(segments ...string) string {
	var path strings.Builder
	path.WriteString("/rest")
	for _, segment := range segments {
		path.WriteByte('/')
		path.WriteString(escapeSegment(segment))
	}
	return path.String()
}

// escapeSegment encodes s as one segment of a path. A lone dot or two would be
// taken for a step in the path by whatever lies between, so they are encoded too.
func escapeSegment(s string) string {
	if s == "." || s == ".." {
		return strings.ReplaceAll(s, ".", "%2E")
	}
	return url.PathEscape(s)
}
