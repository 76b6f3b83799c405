// The errors of answers about instances. None holds a secret, a traceback or an echoed payload.

package endpoint

import (
	"errors"
	"fmt"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
)

// ErrNotFound means that eNMS was asked for this instance alone and does not have it: the answer to the query was
// empty (enms-rest.md 5.1), or contained only deleted instances or names with another spelling. An instance that is
// missing in an answer about many is never reported as ErrNotFound.
var ErrNotFound = errors.New("there is no such instance in eNMS")

// NotFoundError is an ErrNotFound with the type and name of the instance.
type NotFoundError struct {
	Type, Name string
	// Spelling is the name of an existing instance that is spelled differently, but that the
	// database treats as the same name (enms-rest.md 10); otherwise empty.
	Spelling string
	// SoftDeleted is the name of the instance if it was deleted in the Workflow Builder of eNMS 5, which keeps it
	// (enms-rest.md 11.6); otherwise empty.
	SoftDeleted string
	// ByPersistentID is the instance whose persistent id is Name, from a GET (enms-rest.md 11.4); otherwise nil.
	ByPersistentID map[string]any
}

func (e *NotFoundError) Error() string {
	if e.Spelling != "" {
		return fmt.Sprintf("%s: %s %q; it has %q, which its database takes for the same name", ErrNotFound, e.Type, e.Name, e.Spelling)
	}
	return fmt.Sprintf("%s: %s %q", ErrNotFound, e.Type, e.Name)
}

// Is makes the error ErrNotFound.
func (e *NotFoundError) Is(target error) bool { return target == ErrNotFound }

// RefusedError means that eNMS refused one instance with a reason: an entry of "failure" (enms-rest.md 0.1) or a
// deletion that was aborted (enms-rest.md 3). After a refused create or update the instance may nevertheless exist
// or be partly changed.
type RefusedError struct {
	Op         string // "create", "update" or "delete"
	Type, Name string
	Reason     string // one line, without the class of the exception
	// Missing is the instance that the payload refers to and that eNMS does not have. Nil if that
	// is not the reason. eNMS looks for it before it changes anything (enms-rest.md 0.1).
	Missing *Reference
	// UnknownType is the type that eNMS does not know, or "" if that is not the reason.
	UnknownType string
	// UnknownID is set if eNMS has no instance with the id in the payload that the user may edit.
	UnknownID bool
}

// Reference is an instance that a payload refers to.
type Reference struct{ Type, Name string }

func (e *RefusedError) Error() string {
	return fmt.Sprintf("eNMS refused to %s %s %q: %s", e.Op, e.Type, e.Name, e.Reason)
}

// AnswerError means that an answer is JSON, but not in the form in which eNMS answers such a request.
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

// WrongType returns the error of an answer, or of a part of it, that has the wrong JSON type.
func WrongType(typ string, value any, must string) error {
	return &AnswerError{Type: typ, Reason: fmt.Sprintf("holds %s where %s belongs", rest.JSONType(value), must)}
}

// Lost reports whether a write that ended with err may have happened nevertheless, because the answer is
// not eNMS's own, or is not an answer to a write.
func Lost(err error) bool {
	return rest.Is[*object.FieldError](err) || rest.Is[*AnswerError](err) || rest.Lost(err)
}
