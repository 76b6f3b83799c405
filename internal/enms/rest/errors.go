// This file declares the errors of single requests, each in one line and without a secret, and
// tells what an error means: whether the request may have been acted on, who answered, and
// whether the scheme of the base URL does not fit the port.

package rest

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"html"
	"net"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// ErrUnauthorized means 401: eNMS, or a gateway before it, does not know the
// user or the password (enms-rest.md 6.2).
var ErrUnauthorized = errors.New("eNMS does not accept the user name or the password")

// ErrForbidden means a 403 that is not absence: the user may not do this
// (enms-rest.md 6.2).
var ErrForbidden = errors.New("the user may not do this in eNMS")

// StatusError is an answer whose HTTP status is an error. It is ErrUnauthorized
// at 401 and ErrForbidden at 403.
type StatusError struct {
	Method, Path string
	Status       int
	Alert        string // what eNMS said, when it said anything (enms-rest.md 7)

	retryAfter time.Duration // what the answer asked to wait before the next attempt
}

func (e *StatusError) Error() string {
	switch {
	case e.Status == http.StatusUnauthorized:
		return ErrUnauthorized.Error()
	case e.Status == http.StatusForbidden:
		return fmt.Sprintf("%s (%s %s answered 403)", ErrForbidden, e.Method, e.Path)
	case e.Alert != "":
		return fmt.Sprintf("%s %s: eNMS answered %q", e.Method, e.Path, e.Alert)
	}
	return fmt.Sprintf("%s %s answered %d %s", e.Method, e.Path, e.Status, http.StatusText(e.Status))
}

// Is makes the error ErrUnauthorized at 401 and ErrForbidden at 403.
func (e *StatusError) Is(target error) bool {
	return target == ErrUnauthorized && e.Status == http.StatusUnauthorized ||
		target == ErrForbidden && e.Status == http.StatusForbidden
}

// UnreachableError means that there was no whole answer: the connection was
// refused or broke, the name is unknown, TLS failed, or the time was up.
type UnreachableError struct {
	Host string // host and port of the base URL
	// Sent: a connection was had, so that the server may have seen the request.
	Sent bool

	cause   error
	message string // what the cause says, which may quote the answer, without secrets
}

func (e *UnreachableError) Error() string {
	return fmt.Sprintf("cannot reach eNMS at %s: %s", e.Host, OneLine(e.message))
}

// Unwrap returns the error of the network or of TLS.
func (e *UnreachableError) Unwrap() error { return e.cause }

// RedirectError means that the server answered with a redirect, which eNMS does
// when the base URL points at its web pages (enms-rest.md 7). Redirects are
// never followed.
type RedirectError struct {
	Location string // without its query; "" when the answer named none
}

func (e *RedirectError) Error() string {
	to := ""
	if e.Location != "" {
		to = fmt.Sprintf(" (it redirects to %s)", e.Location)
	}
	return "the base URL points at web pages instead of the REST interface of eNMS" + to
}

// NotJSONError means that the answer is not the JSON that eNMS gives: HTML of a
// gateway, an empty or cut answer, one that is too large or too deep.
type NotJSONError struct {
	Status      int
	ContentType string // as the answer had it
	Title       string // of an HTML page; may be empty
	Problem     string // one short line
}

func (e *NotJSONError) Error() string {
	kind := ""
	if e.ContentType != "" {
		kind = " of type " + e.ContentType
	}
	if e.Title != "" {
		kind += fmt.Sprintf(", titled %q,", e.Title)
	}
	return fmt.Sprintf("the server gave an answer%s with status %d that is not from the REST interface of eNMS: %s",
		kind, e.Status, e.Problem)
}

// timeoutError means that the time of an attempt was up.
type timeoutError struct{ after time.Duration }

func (e *timeoutError) Error() string { return fmt.Sprintf("no whole answer within %s", e.after) }

// Unacted reports whether err proves that the server has not acted on the request:
// nobody was reached, or whoever answered turned it away. eNMS itself does so
// before it acts, if at all (enms-rest.md 6.2, 7).
func Unacted(err error) bool {
	if unreachable, ok := errors.AsType[*UnreachableError](err); ok {
		return !unreachable.Sent
	}
	if page, ok := errors.AsType[*NotJSONError](err); ok {
		return clientError(page.Status)
	}
	return Redirected(err) || clientError(statusOf(err))
}

// Lost reports whether a request that ended in err may have been acted on all the
// same, because what came back is not eNMS's own word on it.
func Lost(err error) bool {
	if unreachable, ok := errors.AsType[*UnreachableError](err); ok {
		return unreachable.Sent
	}
	if page, ok := errors.AsType[*NotJSONError](err); ok {
		return !clientError(page.Status)
	}
	return Redirected(err) || gatewayFailed(statusOf(err))
}

// Redirected reports whether the answer was a redirect.
func Redirected(err error) bool {
	_, redirected := errors.AsType[*RedirectError](err)
	return redirected
}

// InProgress reports whether an answer was lost after which the server may still be at work
// on the request.
func InProgress(err error) bool {
	_, timeUp := errors.AsType[*timeoutError](err)
	return timeUp || statusOf(err) == http.StatusGatewayTimeout
}

// Permanent reports whether an answer is not eNMS's own and yet an error on purpose,
// such as a 500 in HTML: it would come again.
func Permanent(err error) bool {
	page, ok := errors.AsType[*NotJSONError](err)
	return ok && page.Status >= http.StatusBadRequest
}

// RateLimited reports whether a request went over somebody's limit (429).
func RateLimited(err error) bool { return statusOf(err) == http.StatusTooManyRequests }

// InternalServerError reports whether err is eNMS's own 500, which gives no reason.
func InternalServerError(err error) bool { return statusOf(err) == http.StatusInternalServerError }

func statusOf(err error) int {
	if status, ok := errors.AsType[*StatusError](err); ok {
		return status.Status
	}
	return 0
}

// clientError reports whether a request with this status was refused for what it is.
func clientError(status int) bool {
	return status >= 400 && status < 500 && status != http.StatusTooManyRequests
}

// gatewayFailed reports whether a status comes from a gateway before eNMS, or from a
// server that is starting: eNMS itself never gives one.
func gatewayFailed(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusBadGateway || status == http.StatusServiceUnavailable ||
		status == http.StatusGatewayTimeout
}

// badCertificate reports whether an error of TLS stays until somebody corrects it.
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

// Is reports whether an error of that type is in the chain of err.
func Is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// SchemeError means that the base URL has the wrong scheme for its port. Nothing was acted
// on.
type SchemeError struct {
	Speaks string // the scheme that the server speaks, "http" or "https"
	Use    string // the base URL with that scheme
	Said   string // what the server said to it, in one line; may be empty

	cause error // of the transport; nil for an answer
}

func (e *SchemeError) Error() string {
	if e.Speaks == "http" {
		return "it speaks plain HTTP, and base_url begins with https://"
	}
	said := ""
	if e.Said != "" {
		said = fmt.Sprintf(": it says %q", strings.TrimSuffix(e.Said, "."))
	}
	return "it speaks HTTPS, and base_url begins with http://" + said
}

// Unwrap returns the error of the transport.
func (e *SchemeError) Unwrap() error { return e.cause }

// schemeError returns the *SchemeError of an error of the transport that shows that the server
// speaks another scheme; nil for other errors.
func (c *Client) schemeError(err error) error {
	record, ok := errors.AsType[tls.RecordHeaderError](err)
	switch {
	case ok && speaksHTTP(record.RecordHeader):
		return &SchemeError{Speaks: "http", Use: c.with("http"), cause: err}
	case !strings.HasPrefix(c.base, "http:") || !tlsAlertAnswered(err):
		return nil
	}
	return &SchemeError{Speaks: "https", Use: c.with("https"), cause: err}
}

// speaksHTTP reports whether an answer that begins with these bytes is plain HTTP. eNMS's own
// server answers what it cannot read with a page that has no headers.
func speaksHTTP(header [5]byte) bool {
	return string(header[:]) == "HTTP/" || string(header[:2]) == "<!"
}

// tlsAlertAnswered reports whether the transport has found a TLS alert in place of an answer.
// That error has no type of its own.
func tlsAlertAnswered(err error) bool {
	return strings.Contains(err.Error(), `malformed HTTP response "\x15\x03`)
}

// with returns the base URL with another scheme.
func (c *Client) with(scheme string) string {
	_, rest, _ := strings.Cut(c.base, ":")
	return scheme + ":" + rest
}

// plainToTLS finds what servers and proxies say to a request in plain HTTP at a port for
// HTTPS: nginx, Go's own, Apache.
var plainToTLS = regexp.MustCompile(`(?i)plain HTTP request was sent to (the )?(HTTPS|TLS) port|sent an HTTP request to an HTTPS server|speaking plain HTTP to an SSL-enabled`)

// aboutScheme is how much of an answer is searched for that.
const aboutScheme = 4096

// answeredOverTLS returns the error of an answer that says that its port wants HTTPS; nil for
// others.
func (c *Client) answeredOverTLS(status int, body []byte, title string) error {
	begin := body[:min(len(body), aboutScheme)]
	said := plainToTLS.Find(begin)
	if status != http.StatusBadRequest || said == nil || !strings.HasPrefix(c.base, "http:") {
		return nil
	}
	err := &SchemeError{Speaks: "https", Use: c.with("https"), Said: title}
	if err.Said == "" {
		line, _, _ := bytes.Cut(begin, []byte("\n"))
		err.Said = shorten(OneLine(c.Redact(string(line))), longestTitle)
	}
	return &UnreachableError{Host: c.host, cause: err, message: err.Error()}
}

// longestTitle bounds the title of a page, in bytes.
const longestTitle = 120

var (
	titleOfPage = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)
	blanks      = regexp.MustCompile(`\s+`)
)

// title returns the title of an HTML page, "" for anything else.
func title(body []byte) string {
	found := titleOfPage.FindSubmatch(body[:min(len(body), aboutScheme)])
	if found == nil {
		return ""
	}
	return OneLine(blanks.ReplaceAllString(html.UnescapeString(string(found[1])), " "))
}
