// The errors of the client: what went wrong, told so that callers can choose
// with errors.Is and errors.As, and in one line that a network engineer
// understands. No error holds a secret, a traceback or an echoed payload.

package enms

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

// ErrNotFound means that eNMS was asked and has no such instance: a query for
// it answered an empty list (enms-rest.md 5.1). Nothing else is ever told as it.
var ErrNotFound = errors.New("there is no such instance in eNMS")

// ErrUnauthorized means 401: eNMS, or a gateway before it, does not know the
// user or the password (enms-rest.md 6.2).
var ErrUnauthorized = errors.New("eNMS does not accept the user name or the password")

// ErrForbidden means a 403 that is not absence: the user may not do this
// (enms-rest.md 6.2).
var ErrForbidden = errors.New("the user may not do this in eNMS")

// RefusedError tells that eNMS refused one instance with a reason: an entry of
// "failure" (enms-rest.md 0.1) or a deletion that was aborted (3). After a
// refused create or update the instance may nevertheless exist or be partly
// changed.
type RefusedError struct {
	Op         string // "create", "update" or "delete"
	Type, Name string
	Reason     string // one line, without the class of the exception
}

// Error tells it in one line.
func (e *RefusedError) Error() string {
	return fmt.Sprintf("eNMS refused to %s %s %q: %s", e.Op, e.Type, e.Name, e.Reason)
}

// StatusError is an answer whose HTTP status is an error. It is ErrUnauthorized
// at 401 and ErrForbidden at 403.
type StatusError struct {
	Method, Path string
	Status       int
	Alert        string // what eNMS said, when it said anything (enms-rest.md 7)

	retryAfter time.Duration // what the answer asked to wait before the next attempt
}

// Error tells it in one line.
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

// UnreachableError tells that there was no whole answer: the connection was
// refused or broke, the name is unknown, TLS failed, or the time was up.
type UnreachableError struct {
	Host string // host and port of the base URL

	cause error
	sent  bool // a connection was had: eNMS may have seen the request
}

// Error tells it in one line.
func (e *UnreachableError) Error() string {
	return fmt.Sprintf("cannot reach eNMS at %s: %s", e.Host, oneLine(e.cause.Error()))
}

// Unwrap gives the error of the network or of TLS.
func (e *UnreachableError) Unwrap() error { return e.cause }

// RedirectError tells that the server answered with a redirect, which eNMS does
// when the base URL points at its web pages (enms-rest.md 7). Redirects are
// never followed.
type RedirectError struct {
	Location string // without its query; "" when the answer named none
}

// Error tells it in one line.
func (e *RedirectError) Error() string {
	to := ""
	if e.Location != "" {
		to = fmt.Sprintf(" (it redirects to %s)", e.Location)
	}
	return "the base URL points at web pages instead of the REST interface of eNMS" + to
}

// NotJSONError tells that the answer is not the JSON that eNMS gives: HTML of a
// gateway, an empty or cut answer, one that is too large or too deep.
type NotJSONError struct {
	Status      int
	ContentType string // as the answer had it
	Problem     string // one short line
}

// Error tells it in one line.
func (e *NotJSONError) Error() string {
	kind := ""
	if e.ContentType != "" {
		kind = " of type " + e.ContentType
	}
	return fmt.Sprintf("the server gave an answer%s with status %d that is not from the REST interface of eNMS: %s",
		kind, e.Status, e.Problem)
}

// ExistsError tells that the name is taken: names are unique in a name space
// that several types share (enms-rest.md 0.3).
type ExistsError struct {
	Type, Name string // what was to be created
	ID         string // id of the instance that has the name
	FoundType  string // its type
	// FoundName is its name where that is spelled otherwise and the database
	// of that eNMS takes both for the same (enms-rest.md 10); else empty.
	FoundName string
	// SoftDeleted: it was deleted in the Workflow Builder of eNMS 5, which
	// keeps the row and its name (enms-rest.md 8).
	SoftDeleted bool
}

// Error tells it in one line.
func (e *ExistsError) Error() string {
	found, name, remark := e.FoundType, e.Name, ""
	if found == "" {
		found = e.Type
	}
	if e.FoundName != "" {
		name, remark = e.FoundName, fmt.Sprintf(", which its database takes for the same name as %q", e.Name)
	}
	if e.SoftDeleted {
		remark += "; it was deleted in the Workflow Builder, which keeps it and its name"
	}
	return fmt.Sprintf("eNMS already has a %s named %q (id %s)%s", found, name, e.ID, remark)
}

// RenamedError tells that eNMS stored the instance under another name than was
// asked for, as it does with services (enms-rest.md 1.5). The instance exists,
// as Got.
type RenamedError struct {
	Asked, Got string
}

// Error tells it in one line.
func (e *RenamedError) Error() string {
	return fmt.Sprintf("eNMS stored %q under the name %q", e.Asked, e.Got)
}

// AmbiguousError tells that the answer to a write was lost and that reading
// could not settle whether it happened.
type AmbiguousError struct {
	Type, Name string

	cause error
}

// Error tells it in one line.
func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("it is unknown whether eNMS has written %s %q, because its answer was lost: %s",
		e.Type, e.Name, e.cause)
}

// Unwrap gives the error that lost the answer.
func (e *AmbiguousError) Unwrap() error { return e.cause }

// unsentError tells that a write was not sent, because of what it wraps.
type unsentError struct{ error }

// Unwrap gives the error that kept it from being sent.
func (e *unsentError) Unwrap() error { return e.error }

// Unacted tells whether err is the proof that a write was not acted on: it was
// not sent, nobody was reached, or whoever answered turned it away. eNMS itself
// does so before it acts, if at all (enms-rest.md 6.2, 7).
func Unacted(err error) bool {
	if _, unknown := as[*AmbiguousError](err); unknown {
		return false
	}
	if _, unsent := as[*unsentError](err); unsent {
		return true
	}
	if unreachable, ok := as[*UnreachableError](err); ok {
		return !unreachable.sent
	}
	if _, redirected := as[*RedirectError](err); redirected {
		return true
	}
	if page, ok := as[*NotJSONError](err); ok {
		return clientError(page.Status)
	}
	status, ok := as[*StatusError](err)
	return ok && clientError(status.Status)
}

// clientError tells a status by which a request is turned away for what it is.
func clientError(status int) bool {
	return status >= 400 && status < 500 && status != http.StatusTooManyRequests
}

// FieldError tells that an answer or a payload has a value of the wrong type in
// a field that the client itself decodes.
type FieldError struct {
	Type, Name string // the instance, as far as it is known
	Field      string
	Reason     string
}

// Error tells it in one line.
func (e *FieldError) Error() string {
	of := e.Type
	if e.Name != "" {
		of = fmt.Sprintf("%s %q", e.Type, e.Name)
	}
	return fmt.Sprintf("field %q of %s %s", e.Field, of, e.Reason)
}

// NotFoundError is an ErrNotFound that tells what was asked for.
type NotFoundError struct {
	Type, Name string
	// Spelling is the name of an instance that the database of that eNMS takes
	// for the same name, though it is spelled otherwise (enms-rest.md 10); else
	// empty.
	Spelling string
}

// Error tells it in one line.
func (e *NotFoundError) Error() string {
	if e.Spelling != "" {
		return fmt.Sprintf("%s: %s %q; it has %q, which its database takes for the same name", ErrNotFound, e.Type, e.Name, e.Spelling)
	}
	return fmt.Sprintf("%s: %s %q", ErrNotFound, e.Type, e.Name)
}

// Is makes the error ErrNotFound.
func (e *NotFoundError) Is(target error) bool { return target == ErrNotFound }

func notFound(typ, name string) error { return &NotFoundError{Type: typ, Name: name} }

// IgnoredRenameError tells that eNMS answered a rename with success and kept
// the old name: versions before March 2022 do not know new_name (enms-rest.md
// 8). Other changes of the same request were made.
type IgnoredRenameError struct {
	Type, Name, NewName string
}

// Error tells it in one line.
func (e *IgnoredRenameError) Error() string {
	return fmt.Sprintf("eNMS kept the name of %s %q when it was told to rename it to %q", e.Type, e.Name, e.NewName)
}

// lost tells whether a write that ended in err may have happened all the same,
// because what came back is not eNMS's own word on it.
func lost(err error) bool {
	if unreachable, ok := as[*UnreachableError](err); ok {
		return unreachable.sent
	}
	if status, ok := as[*StatusError](err); ok {
		return gatewayFailed(status.Status)
	}
	if page, ok := as[*NotJSONError](err); ok {
		return !clientError(page.Status)
	}
	if _, ok := as[*RedirectError](err); ok {
		return true
	}
	_, ok := as[*FieldError](err)
	return ok
}

// Refused tells whether err is eNMS's own 500, by which it says that it could
// not do what it was asked for, and says no more.
func Refused(err error) bool { return refusedWhole(err) }

// refusedWhole tells whether err is eNMS's own 500, which is its word that
// nothing of a list was kept (enms-rest.md 0.1; tasks are the exception).
func refusedWhole(err error) bool {
	status, ok := as[*StatusError](err)
	return ok && status.Status == http.StatusInternalServerError
}

// as finds the first error of type E in err's tree.
func as[E error](err error) (E, bool) {
	var found E
	ok := errors.As(err, &found)
	return found, ok
}
