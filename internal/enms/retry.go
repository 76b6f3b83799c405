// What is sent again, and when. Errors of the connection and of the gateways
// before eNMS are; a 500 never is, because eNMS means it (enms-rest.md 7).

package enms

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

const (
	// maxWait caps the pause between attempts: a gateway that restarts is back
	// by then.
	maxWait = 30 * time.Second
	// maxRetryAfter caps what an answer may ask for; a person is waiting.
	maxRetryAfter = 60 * time.Second
)

// newRetrier puts the retries around single exchanges.
func newRetrier(cfg Config, next http.RoundTripper) *retryablehttp.Client {
	return &retryablehttp.Client{
		HTTPClient: &http.Client{
			Transport:     next,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		RetryMax:     math.MaxInt32, // checkRetry counts
		RetryWaitMin: cfg.RetryWait,
		RetryWaitMax: maxWait,
		CheckRetry: func(ctx context.Context, resp *http.Response, err error) (bool, error) {
			return checkRetry(ctx, cfg, resp, err)
		},
		Backoff: func(first, _ time.Duration, attempt int, resp *http.Response) time.Duration {
			if resp != nil && resp.StatusCode == http.StatusTooManyRequests {
				return 0 // the pace waits
			}
			if asked := retryAfter(resp); asked > 0 {
				return asked
			}
			return pause(first, attempt)
		},
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
}

// checkRetry tells whether another attempt may follow. What must not be done
// twice is only sent again when eNMS cannot have seen it.
func checkRetry(ctx context.Context, cfg Config, resp *http.Response, err error) (bool, error) {
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	trip := journeyOf(ctx)
	switch {
	case err != nil && (final(err) || trip.once && trip.sent.Load()):
		return false, nil
	case err == nil && (!gatewayFailed(resp.StatusCode) || trip.once):
		return false, nil
	}
	limited := err == nil && resp.StatusCode == http.StatusTooManyRequests
	return trip.attempt <= cfg.MaxRetries || limited && time.Since(trip.begin) < cfg.limitedMost(), nil
}

// gatewayFailed tells a status that comes from a gateway before eNMS, or from a
// server that is starting: eNMS itself never gives one.
func gatewayFailed(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusBadGateway || status == http.StatusServiceUnavailable ||
		status == http.StatusGatewayTimeout
}

// final tells an error that another attempt would only repeat.
func final(err error) bool {
	if dns, ok := as[*net.DNSError](err); ok {
		return dns.IsNotFound
	}
	return errors.Is(err, errSize) || badCertificate(err)
}

// badCertificate tells an error of TLS that stays until somebody mends it.
func badCertificate(err error) bool {
	if _, ok := as[*tls.CertificateVerificationError](err); ok {
		return true
	}
	if _, ok := as[x509.UnknownAuthorityError](err); ok {
		return true
	}
	if _, ok := as[tls.RecordHeaderError](err); ok {
		return true
	}
	// This is how crypto/tls tells an alert of the other side, such as that it
	// wants a certificate from the client.
	network, ok := as[*net.OpError](err)
	return ok && network.Op == "remote error"
}

// pause is the wait after the given attempt, counted from 0: it doubles, is
// capped, and up to half of it is left to chance so that many clients do not
// come back at the same time.
func pause(first time.Duration, attempt int) time.Duration {
	wait := first
	for range attempt {
		wait = min(2*wait, maxWait)
	}
	wait = min(wait, maxWait)
	return wait/2 + rand.N(wait/2+1)
}

// retryAfter is what the answer asks to wait, 0 when it does not.
func retryAfter(resp *http.Response) time.Duration {
	if resp == nil {
		return 0
	}
	header := resp.Header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(header, 10, 16); err == nil {
		return min(time.Duration(seconds)*time.Second, maxRetryAfter)
	}
	if when, err := http.ParseTime(header); err == nil {
		return min(max(time.Until(when), 0), maxRetryAfter)
	}
	return 0
}

// exhausted tells whether a list has been sent for the last time after its
// answer was lost. A limit of requests is met for longer.
func (c *Client) exhausted(calls []*call, attempt int, cause error) bool {
	return attempt >= c.cfg.MaxRetries && !(turnedAway(cause) && time.Since(calls[0].sent) < c.cfg.limitedMost())
}

// waitBefore pauses before a write is sent again that cause lost.
func (c *Client) waitBefore(ctx context.Context, attempt int, cause error) error {
	wait := pause(c.cfg.RetryWait, attempt)
	if status, ok := as[*StatusError](cause); ok && status.retryAfter > 0 {
		wait = status.retryAfter
	}
	if turnedAway(cause) {
		return ctx.Err() // the pace waits
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
