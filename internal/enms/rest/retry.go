// Which requests are sent again whatever they ask for, and when: after errors of the
// connection and of the gateways before eNMS. After a 500 none is, because eNMS means
// it (enms-rest.md 7); whether a write is sent again after one, or after an answer that
// was lost, package enms decides (create.go, upsert.go and delete.go there).

package rest

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
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

// isPermanent reports whether retrying cannot help.
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
