// This file declares the errors of single requests, whose messages are one line without secrets.
// It classifies errors: whether the request may have been executed, which server answered, and
// whether the base URL has the wrong scheme for its port.

package rest

import (
	"bytes"
	"crypto/tls"
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

// ErrForbidden means 403: the user is not allowed to do this, or there is no such instance (enms-rest.md 6.2).
var ErrForbidden = errors.New("the user is not allowed to do this in eNMS")

// StatusError is an answer whose HTTP status is an error. It is ErrUnauthorized at 401 and ErrForbidden at 403.
type StatusError struct {
	Method, Path string
	Status       int
	Alert        string // the message of eNMS, if there is one (enms-rest.md 7)

	retryAfter time.Duration // the pause that the answer asks for before the next attempt
	basePath   string        // that of the address of eNMS
}

func (e *StatusError) Error() string {
	switch {
	case e.Status == http.StatusUnauthorized:
		return ErrUnauthorized.Error()
	case e.Status == http.StatusForbidden:
		if missing := missingRow.FindString(e.Alert); missing != "" {
			return fmt.Sprintf("%s (%s %s answered 403: %s)", ErrForbidden, e.Method, e.Path, missing)
		}
		return fmt.Sprintf("%s (%s %s answered 403)", ErrForbidden, e.Method, e.Path)
	case e.Alert != "" && e.Status == http.StatusNotFound:
		return fmt.Sprintf("%s %s: eNMS answered %q%s", e.Method, e.Path, e.Alert, underPath(e.basePath))
	case e.Alert != "":
		return fmt.Sprintf("%s %s: eNMS answered %q", e.Method, e.Path, e.Alert)
	}
	return fmt.Sprintf("%s %s answered %d %s", e.Method, e.Path, e.Status, http.StatusText(e.Status))
}

// missingRow matches what eNMS 5 says in a 403 about an instance that it does not find, or that the user cannot
// read (enms-rest.md 11).
var missingRow = regexp.MustCompile(`There is no \w+ in the database with the following characteristics: \{.*\}`)

// Is makes the error ErrUnauthorized at 401 and ErrForbidden at 403.
func (e *StatusError) Is(target error) bool {
	return target == ErrUnauthorized && e.Status == http.StatusUnauthorized ||
		target == ErrForbidden && e.Status == http.StatusForbidden
}

// UnreachableError means that there was no complete answer: the connection was refused or broke,
// the host name is unknown, TLS failed, or the time was up.
type UnreachableError struct {
	Host string // host and port of the base URL
	// Sent: there was a connection, so that the server may have seen the request.
	Sent bool

	cause   error
	message string // the message of the cause without secrets, because it may quote the answer
}

func (e *UnreachableError) Error() string {
	return fmt.Sprintf("cannot reach eNMS at %s: %s", e.Host, OneLine(e.message))
}

// Unwrap returns the error of the network or of TLS.
func (e *UnreachableError) Unwrap() error { return e.cause }

// RedirectError means that the server answered with a redirect, which eNMS does when the base URL points at its web
// pages (enms-rest.md 7). Redirects are never followed.
type RedirectError struct {
	Location string // without its query; "" if the answer has none
	// HTTPS is the base URL that the server wants, if it redirects from http:// to https:// alone; otherwise "".
	HTTPS string

	basePath string // that of the address of eNMS
}

func (e *RedirectError) Error() string {
	if e.HTTPS != "" {
		return "the server redirects http:// to https://, at " + e.HTTPS
	}
	to := ""
	if e.Location != "" {
		to = fmt.Sprintf(" (it redirects to %s)", e.Location)
	}
	return "the base URL points at web pages instead of the REST interface of eNMS" + to + underPath(e.basePath)
}

// NotJSONError means that the answer is not JSON as eNMS sends it: HTML of a gateway, an empty or
// truncated answer, or one that is too large or too deeply nested.
type NotJSONError struct {
	Status      int
	ContentType string // of the answer
	Title       string // of an HTML page; may be empty
	Problem     string // one short line

	basePath string // that of the address of eNMS
}

func (e *NotJSONError) Error() string {
	description := ""
	if e.ContentType != "" {
		description = " of type " + e.ContentType
	}
	if e.Title != "" {
		description += fmt.Sprintf(", titled %q,", e.Title)
	}
	return fmt.Sprintf("the server gave an answer%s with status %d that is not from the REST interface of eNMS: %s%s",
		description, e.Status, e.Problem, underPath(e.basePath))
}

// timeoutError means that the time of an attempt was up.
type timeoutError struct{ after time.Duration }

func (e *timeoutError) Error() string { return fmt.Sprintf("no whole answer within %s", e.after) }

// Unacted reports whether err proves that the request was not executed: no server was reached, or a server rejected
// it. If eNMS itself rejects a request, it does so before it changes anything (enms-rest.md 6.2, 7).
func Unacted(err error) bool {
	if unreachable, ok := errors.AsType[*UnreachableError](err); ok {
		return !unreachable.Sent
	}
	if page, ok := errors.AsType[*NotJSONError](err); ok {
		return clientError(page.Status)
	}
	return Redirected(err) || clientError(statusOf(err))
}

// Lost reports whether a request that ended in err may nevertheless have been executed, because
// the answer is not eNMS's own.
func Lost(err error) bool {
	if unreachable, ok := errors.AsType[*UnreachableError](err); ok {
		return unreachable.Sent
	}
	if page, ok := errors.AsType[*NotJSONError](err); ok {
		return !clientError(page.Status)
	}
	return Redirected(err) || gatewayFailed(statusOf(err))
}

// Redirected reports whether err is a redirect.
func Redirected(err error) bool { return Is[*RedirectError](err) }

// InProgress reports whether the answer was lost in a way after which the server may still be executing the request.
func InProgress(err error) bool {
	return TimedOut(err) || statusOf(err) == http.StatusGatewayTimeout
}

// TimedOut reports whether there was no complete answer within Config.RequestTimeout.
func TimedOut(err error) bool { return Is[*timeoutError](err) }

// Permanent reports whether an answer that is not eNMS's own would be the same again, such as a 500 in HTML.
func Permanent(err error) bool {
	page, ok := errors.AsType[*NotJSONError](err)
	return ok && page.Status >= http.StatusBadRequest
}

// RateLimited reports whether a request exceeded a rate limit (429).
func RateLimited(err error) bool { return statusOf(err) == http.StatusTooManyRequests }

// InternalServerError reports whether err is eNMS's own 500, which gives no reason.
func InternalServerError(err error) bool { return statusOf(err) == http.StatusInternalServerError }

// statusOf returns the status of a *StatusError, or 0.
func statusOf(err error) int {
	if status, ok := errors.AsType[*StatusError](err); ok {
		return status.Status
	}
	return 0
}

// clientError reports whether a status means that the request itself was at fault.
func clientError(status int) bool {
	return status >= 400 && status < 500 && status != http.StatusTooManyRequests
}

// gatewayFailed reports whether a status comes from a gateway before eNMS, from a server that is starting, or
// from heedLimiter, which makes a 429 of the answer of eNMS 5's rate limiter. eNMS itself sends none of them.
func gatewayFailed(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// tlsMisconfigured reports whether err is a TLS error that remains until somebody corrects its cause.
func tlsMisconfigured(err error) bool {
	if Is[*tls.CertificateVerificationError](err) || Is[tls.RecordHeaderError](err) {
		return true
	}
	// crypto/tls reports an alert of the server in this way, for example that the server requires a
	// client certificate.
	network, ok := errors.AsType[*net.OpError](err)
	return ok && network.Op == "remote error"
}

// Is reports whether the chain of err contains an error of type E.
func Is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// SchemeError means that the base URL has the wrong scheme for its port. The request was not executed.
type SchemeError struct {
	Speaks string // the scheme that the server speaks, "http" or "https"
	Use    string // the base URL with that scheme
	Said   string // the title of the answer, or else its first line; may be empty

	cause error // an error of the transport; nil if there was an answer
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

// schemeError returns a *SchemeError if an error of the transport shows that the server speaks
// the other scheme, otherwise nil.
func (c *Client) schemeError(err error) error {
	if record, _ := errors.AsType[tls.RecordHeaderError](err); speaksHTTP(record.RecordHeader) {
		return &SchemeError{Speaks: "http", Use: c.withScheme("http"), cause: err}
	}
	if tlsAlertAnswered(err) {
		return &SchemeError{Speaks: "https", Use: c.withScheme("https"), cause: err}
	}
	return nil
}

// speaksHTTP reports whether an answer that begins with these bytes is plain HTTP. eNMS's own
// server responds to a request that it cannot read with a page without headers.
func speaksHTTP(header [5]byte) bool {
	return string(header[:]) == "HTTP/" || string(header[:2]) == "<!"
}

// tlsAlertAnswered reports whether the transport received a TLS alert instead of an answer. That
// error has no type of its own.
func tlsAlertAnswered(err error) bool {
	return strings.Contains(err.Error(), `malformed HTTP response "\x15\x03`)
}

// withScheme returns the base URL with another scheme.
func (c *Client) withScheme(scheme string) string {
	base := *c.base
	base.Scheme = scheme
	return base.String()
}

// plainToTLS matches the messages of servers and proxies about plain HTTP at a port for HTTPS:
// nginx, Go's own, Apache.
var plainToTLS = regexp.MustCompile(`(?i)plain HTTP request was sent to (the )?(HTTPS|TLS) port|sent an HTTP request to an HTTPS server|speaking plain HTTP to an SSL-enabled`)

// maxSearched is how many bytes of an answer are searched for its title and for plainToTLS.
const maxSearched = 4096

// requiresHTTPS returns an *UnreachableError that wraps a *SchemeError if the answer says that its port
// requires HTTPS, otherwise nil.
func (c *Client) requiresHTTPS(status int, body []byte, title string) error {
	begin := body[:min(len(body), maxSearched)]
	refusesHTTP := status == http.StatusBadRequest && plainToTLS.Match(begin)
	if !refusesHTTP || c.base.Scheme != "http" {
		return nil
	}
	err := &SchemeError{Speaks: "https", Use: c.withScheme("https"), Said: title}
	if err.Said == "" {
		line, _, _ := bytes.Cut(begin, []byte("\n"))
		err.Said = shorten(OneLine(c.Redact(string(line))), maxTitle)
	}
	return &UnreachableError{Host: c.base.Host, cause: err, message: err.Error()}
}

// maxTitle bounds the title of a page, in bytes.
const maxTitle = 120

var (
	titleOfPage = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)
	blanks      = regexp.MustCompile(`\s+`)
)

// title returns the title of an HTML page, "" for anything else.
func title(body []byte) string {
	found := titleOfPage.FindSubmatch(body[:min(len(body), maxSearched)])
	if found == nil {
		return ""
	}
	return OneLine(blanks.ReplaceAllString(html.UnescapeString(string(found[1])), " "))
}

// underPath returns a remark on the path of the address of eNMS for an error that a wrong one may cause, or "".
func underPath(path string) string {
	if path == "" {
		return ""
	}
	return fmt.Sprintf("; base_url has the path %q, which is right only if a proxy serves eNMS under it", path)
}
