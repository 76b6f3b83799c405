// This file declares the errors of the client. Callers tell them apart with errors.Is and
// errors.As, and each message is one line that a network engineer understands. No error contains
// a secret, a traceback or an echoed payload.

package enms

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
)

// Types of the packages rest, endpoint and object that callers use.
type (
	// Object is endpoint.Object.
	Object = endpoint.Object
	// Relation is object.Relation.
	Relation = object.Relation
	// Dependents is object.Dependents.
	Dependents = object.Dependents
	// FieldError is object.FieldError.
	FieldError = object.FieldError
	// NotFoundError is endpoint.NotFoundError.
	NotFoundError = endpoint.NotFoundError
	// RefusedError is endpoint.RefusedError.
	RefusedError = endpoint.RefusedError
	// Reference is endpoint.Reference.
	Reference = endpoint.Reference
	// AnswerError is endpoint.AnswerError.
	AnswerError = endpoint.AnswerError
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

// ErrNotFound is endpoint.ErrNotFound. ErrUnauthorized means 401, and ErrForbidden a 403 that
// does not mean "not found".
var (
	ErrNotFound     = endpoint.ErrNotFound
	ErrUnauthorized = rest.ErrUnauthorized
	ErrForbidden    = rest.ErrForbidden
)

// Deleted reports whether the instance in a row was deleted in the Workflow Builder of eNMS 5.
func Deleted(row Object) bool { return endpoint.Deleted(row) }

// ExistsError means that the name is taken: a name is unique in a namespace, which several types may
// share (enms-rest.md 0.3).
type ExistsError struct {
	Type, Name string // what was to be created
	ID         string // id of the instance that has the name
	FoundType  string // its type
	// FoundName is the name of that instance if it is spelled differently, and the database treats both
	// as the same (enms-rest.md 10); otherwise empty.
	FoundName string
	// MayBeOwn: the refused list with the creation may have made the instance, and nothing shows whether it did.
	MayBeOwn bool
	// SoftDeleted: the instance was deleted in the Workflow Builder of eNMS 5, which keeps its
	// row and its name (enms-rest.md 8).
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

// RenamedError means that eNMS stored the instance under another name than the requested one, as it does
// with services (enms-rest.md 1.5). The instance exists, with the name Got.
type RenamedError struct {
	Asked, Got string

	shown string // Got without secrets
}

func (e *RenamedError) Error() string {
	return fmt.Sprintf("eNMS stored %q under the name %q", e.Asked, cmp.Or(e.shown, e.Got))
}

// AmbiguousError means that the answer to a write was lost, and that reads could not find out whether
// the write happened.
type AmbiguousError struct {
	Type, Name string

	cause error
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("it is unknown whether eNMS has written %s %q, because its answer was lost: %s",
		e.Type, e.Name, e.cause)
}

// Unwrap returns the error that lost the answer.
func (e *AmbiguousError) Unwrap() error { return e.cause }

// StoredError means that eNMS has stored an instance, and then failed to compute what follows from it,
// as eNMS 5 does (enms-rest.md 11.2).
type StoredError struct {
	Type, Name string

	cause error
}

func (e *StoredError) Error() string {
	return fmt.Sprintf("eNMS has stored %s %q, and has failed afterwards: %s", e.Type, e.Name, e.cause)
}

// unsentError means that a write was not sent, because of the error that it wraps.
type unsentError struct{ error }

// Unwrap returns the error that kept it from being sent.
func (e *unsentError) Unwrap() error { return e.error }

// Unsent returns the error of a write that was not sent because of err.
func Unsent(err error) error { return &unsentError{err} }

// Unacted reports whether err proves that a write was not acted on: it was not sent, no server
// was reached, a server rejected it, or eNMS did not find an instance that the payload refers to.
func Unacted(err error) bool {
	if refused, ok := errors.AsType[*RefusedError](err); ok {
		return refused.Missing != nil || refused.UnknownType != "" || refused.UnknownID
	}
	return rest.Is[*PayloadError](err) || rest.Is[*unsentError](err) || !rest.Is[*AmbiguousError](err) && rest.Unacted(err)
}

// InternalServerError reports whether err is eNMS's own 500, which gives no reason. If the
// request wrote a list, eNMS 4 has kept nothing of it (enms-rest.md 0.1), unless its type is
// CommittedOneByOne. eNMS 5 may have stored all of it (endpoint.Client.StoresFirst).
func InternalServerError(err error) bool { return rest.InternalServerError(err) }

// TimedOut reports whether there was no complete answer within Config.RequestTimeout.
func TimedOut(err error) bool { return rest.TimedOut(err) }

// PayloadError means that a payload cannot be sent.
type PayloadError struct {
	Type, Name string // the instance, as far as it is known
	Reason     string
}

func (e *PayloadError) Error() string {
	return fmt.Sprintf("the payload of %s %s", object.Describe(e.Type, e.Name), e.Reason)
}

// existsError returns the error of an operation whose name is taken by the instance in a row.
func existsError(typ, name string, row Object) *ExistsError {
	taken := &ExistsError{Type: typ, Name: name, ID: endpoint.IDText(row["id"]), FoundType: endpoint.String(row, "type"), SoftDeleted: endpoint.Deleted(row)}
	if found := endpoint.String(row, "name"); found != name {
		taken.FoundName = found
	}
	return taken
}

// wrongInAnswer is the Reason of a name or id in an answer that is not the requested one.
const wrongInAnswer = "is missing or another's in the answer"
