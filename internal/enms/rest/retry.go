package rest

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"time"
)

const (
	// maxWait caps the pause between attempts: a gateway that restarts is back
	// by then.
	maxWait = 30 * time.Second
	// maxRetryAfter caps what an answer may ask for; a person is waiting.
	maxRetryAfter = 60 * time.Second
)

// retryable tells whether a request may be sent again after err: after errors
// of the connection and of gateways. A 500 never is, because eNMS means it
// (enms-rest.md 7).
func retryable(err error, once bool) bool {
	if unreachable, ok := errors.AsType[*UnreachableError](err); ok {
		return !final(unreachable.cause) && !(once && unreachable.Sent)
	}
	status, ok := errors.AsType[*StatusError](err)
	return ok && gatewayFailed(status.Status) && !once
}

// gatewayFailed tells a status that comes from a gateway before eNMS, or from a
// server that is starting: eNMS itself never gives one.
func gatewayFailed(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusBadGateway || status == http.StatusServiceUnavailable ||
		status == http.StatusGatewayTimeout
}

// final tells an error that another attempt would only repeat.
func final(err error) bool {
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		return dns.IsNotFound
	}
	return errors.Is(err, errSize) || badCertificate(err)
}

// badCertificate tells an error of TLS that stays until somebody mends it.
func badCertificate(err error) bool {
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return true
	}
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return true
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		return true
	}
	// This is how crypto/tls tells an alert of the other side, such as that it
	// wants a certificate from the client.
	network, ok := errors.AsType[*net.OpError](err)
	return ok && network.Op == "remote error"
}

// backoff is the pause after the given attempt, counted from 0: it doubles, is
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

// retryAfter is what the answer asks to wait, 0 when it does not.
func retryAfter(resp *http.Response) time.Duration {
	header := resp.Header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(header, 10, 16); err == nil {
		return min(time.Duration(seconds)*time.Second, maxRetryAfter)
	}
	if when, err := http.ParseTime(header); err == nil {
		return min(max(time.Until(when), 0), maxRetryAfter)
	}
	return 0
}

// sleep waits, or until ctx ends.
func sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
