// The errors of the client: what went wrong, told so that callers can choose
// with errors.Is and errors.As, and in one line that a network engineer
// understands. No error holds a secret, a traceback or an echoed payload.

package enms

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
)

// Errors of single requests, so that callers need not import rest.
type (
	// StatusError is rest.StatusError.
	StatusError = rest.StatusError
	// UnreachableError is rest.UnreachableError.
	UnreachableError = rest.UnreachableError
	// RedirectError is rest.RedirectError.
	RedirectError = rest.RedirectError
	// NotJSONError is rest.NotJSONError.
	NotJSONError = rest.NotJSONError
	// SchemeError is rest.SchemeError.
	SchemeError = rest.SchemeError
)

// ErrUnauthorized and ErrForbidden are 401, and a 403 that is not absence.
var (
	ErrUnauthorized = rest.ErrUnauthorized
	ErrForbidden    = rest.ErrForbidden
)

// ErrNotFound means that eNMS was asked for this instance alone and has none such:
// the answer to the query was empty (enms-rest.md 5.1), or held only instances
// that were deleted or whose names are spelled otherwise, see queryOnce. That an
// instance is missing in an answer about many is never told as ErrNotFound.
var ErrNotFound = errors.New("there is no such instance in eNMS")

// RefusedError tells that eNMS refused one instance with a reason: an entry of
// "failure" (enms-rest.md 0.1) or a deletion that was aborted (enms-rest.md 3).
// After a refused create or update the instance may nevertheless exist or be
// partly changed.
type RefusedError struct {
	Op         string // "create", "update" or "delete"
	Type, Name string
	Reason     string // one line, without the class of the exception
	// Missing is the instance that the payload refers to and that eNMS does not
	// have, nil when that is not the reason. eNMS looks for it before it changes
	// anything (enms-rest.md 0.1).
	Missing *Reference
	// UnknownType is the type that eNMS does not know, "" when that is not the
	// reason.
	UnknownType string
}

// Reference is an instance that a payload refers to.
type Reference struct{ Type, Name string }

func (e *RefusedError) Error() string {
	return fmt.Sprintf("eNMS refused to %s %s %q: %s", e.Op, e.Type, e.Name, e.Reason)
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

func (e *ExistsError) Error() string {
	found, name, remark := cmp.Or(e.FoundType, e.Type), e.Name, ""
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

	shown string // Got without secrets
}

func (e *RenamedError) Error() string {
	return fmt.Sprintf("eNMS stored %q under the name %q", e.Asked, cmp.Or(e.shown, e.Got))
}

// AmbiguousError tells that the answer to a write was lost and that reading
// could not tell whether it happened.
type AmbiguousError struct {
	Type, Name string

	cause error
}

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

// Unacted tells whether err proves that a write was not acted on: it was not
// sent, nobody was reached, whoever answered turned it away, or eNMS missed
// something that it looks for first.
func Unacted(err error) bool {
	if refused, ok := errors.AsType[*RefusedError](err); ok {
		return refused.Missing != nil || refused.UnknownType != ""
	}
	return is[*PayloadError](err) || is[*unsentError](err) || !is[*AmbiguousError](err) && rest.Unacted(err)
}

// InternalServerError tells whether err is eNMS's own 500, which gives no reason.
// Of a list it means that nothing was kept (enms-rest.md 0.1), unless its type is
// CommittedOneByOne.
func InternalServerError(err error) bool { return rest.InternalServerError(err) }

// lost tells whether a write that ended in err may have happened all the same,
// because what came back is not eNMS's own word on it.
func lost(err error) bool {
	return is[*FieldError](err) || is[*AnswerError](err) || rest.Lost(err)
}

// is tells whether an error of that type is in the chain of err.
func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// PayloadError tells that a payload cannot be sent.
type PayloadError struct {
	Type, Name string // the instance, as far as it is known
	Reason     string
}

func (e *PayloadError) Error() string {
	return fmt.Sprintf("the payload of %s %s", instance(e.Type, e.Name), e.Reason)
}

// AnswerError tells that an answer is JSON, but not what eNMS answers to such a
// request.
type AnswerError struct {
	Type   string // of the instances that the request was about; may be empty
	Reason string
}

func (e *AnswerError) Error() string {
	if e.Type == "" {
		return "the answer " + e.Reason
	}
	return fmt.Sprintf("the answer about %s %s", e.Type, e.Reason)
}

// wrongAnswer is the error of an answer, or a part of it, that is of another JSON
// type than belongs there.
func wrongAnswer(typ string, value any, belongs string) error {
	return &AnswerError{Type: typ, Reason: fmt.Sprintf("holds %s where %s belongs", rest.JSONType(value), belongs)}
}

// instance names an instance in an error, by its type alone when it has no name.
func instance(typ, name string) string {
	if name == "" {
		return typ
	}
	return fmt.Sprintf("%s %q", typ, name)
}

// FieldError tells that an instance in an answer has a value of the wrong type in
// a field that the client itself decodes, or another instance's.
type FieldError struct {
	Type, Name string // the instance, as far as it is known
	Field      string
	Reason     string
}

func (e *FieldError) Error() string {
	return fmt.Sprintf("field %q of %s %s", e.Field, instance(e.Type, e.Name), e.Reason)
}

// NotFoundError is an ErrNotFound that tells what was asked for.
type NotFoundError struct {
	Type, Name string
	// Spelling is the name of an instance that the database of that eNMS takes
	// for the same name, though it is spelled otherwise (enms-rest.md 10); else
	// empty.
	Spelling string
}

func (e *NotFoundError) Error() string {
	if e.Spelling != "" {
		return fmt.Sprintf("%s: %s %q; it has %q, which its database takes for the same name", ErrNotFound, e.Type, e.Name, e.Spelling)
	}
	return fmt.Sprintf("%s: %s %q", ErrNotFound, e.Type, e.Name)
}

// Is makes the error ErrNotFound.
func (e *NotFoundError) Is(target error) bool { return target == ErrNotFound }

// IgnoredRenameError tells that eNMS answered a rename with success and kept
// the old name: versions before March 2022 do not know new_name (enms-rest.md
// 8). Other changes of the same request were made.
type IgnoredRenameError struct {
	Type, Name, NewName string
}

func (e *IgnoredRenameError) Error() string {
	return fmt.Sprintf("eNMS kept the name of %s %q when it was told to rename it to %q", e.Type, e.Name, e.NewName)
}
