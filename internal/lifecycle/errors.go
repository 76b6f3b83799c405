// This file declares the errors of operations on instances, beside those of the client.

package lifecycle

import (
	"errors"
	"fmt"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// nothingChanged is said only where no request of the operation has changed anything.
const nothingChanged = "Nothing was changed."

// hiddenError is the error of a name that an instance has which this user does not see.
type hiddenError struct{ exists *enms.ExistsError }

// Error returns the error in one line.
func (e *hiddenError) Error() string { return e.exists.Error() + ", which this user may not read" }

// Unwrap returns the *enms.ExistsError.
func (e *hiddenError) Unwrap() error { return e.exists }

// unreadableError is the error of a field that refers to an instance which this user does
// not see (enms-rest.md 6.2).
type unreadableError struct{ field error }

// Error returns the error in one line.
func (e *unreadableError) Error() string { return e.field.Error() }

// Unwrap returns the *enms.FieldError.
func (e *unreadableError) Unwrap() error { return e.field }

// unknownFieldError is the error of a field that was written and that eNMS does not have.
type unknownFieldError struct{ Field string }

// Error returns the error in one line.
func (e *unknownFieldError) Error() string { return fmt.Sprintf("this eNMS has no field %q", e.Field) }

// replacedError tells that what has the name of an instance is another one, with
// another id.
type replacedError struct{ ID string }

// Error returns the error in one line.
func (e *replacedError) Error() string {
	return fmt.Sprintf("after the plan was made, somebody deleted it and created another one (id %s) under its name", e.ID)
}

// unknownIDError is the error of a deletion of an instance whose id is not known, when
// nothing else shows that what has its name is that instance.
type unknownIDError struct{}

// Error returns the error in one line.
func (unknownIDError) Error() string {
	return "the instance with that name may not be the one that this resource created: the creation failed, and the instance has not been read since"
}

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// missingError tells that eNMS does not have what attributes refer to.
type missingError struct {
	references []missingReference // at least one
	cause      error              // what eNMS said; nil when it was not told to write anything
}

// missingReference is an instance that an attribute refers to and eNMS does not have.
type missingReference struct {
	attribute, typ, name string
	near                 string // the nearest name that eNMS has, or ""
}

// Error returns the error in one line.
func (e *missingError) Error() string {
	missing := make([]string, len(e.references))
	for i, r := range e.references {
		missing[i] = fmt.Sprintf("%s %q", r.typ, r.name)
		if r.near != "" {
			missing[i] += fmt.Sprintf(" (did you mean %q?)", r.near)
		}
	}
	return "there is no such instance in eNMS: " + strings.Join(missing, ", ")
}

// Unwrap returns what eNMS said.
func (e *missingError) Unwrap() error { return e.cause }

// elsewhereError tells that what has a name is another instance than is meant.
type elsewhereError struct {
	exists *enms.ExistsError
	unique []string
}

// Error returns the error in one line.
func (e *elsewhereError) Error() string {
	return e.exists.Error() + ", whose " + strings.Join(e.unique, ", ") + " are others by now"
}

// hint returns what to do about it.
func (e *elsewhereError) hint() string {
	return fmt.Sprintf("%s It kept its name when that was changed. Set a different name here, such as name = %s.", nothingChanged, quoted(e.exists.Name+" 2"))
}

// ownedError tells that an object belongs to another resource.
type ownedError struct {
	of, id string
	fate   fate
}

// Error returns the error in one line.
func (e *ownedError) Error() string {
	switch e.fate {
	case fateDeleted:
		return fmt.Sprintf("another resource of the same configuration deleted this %s (id %s) in this run", e.of, e.id)
	case fateReleased:
		return fmt.Sprintf("another resource of the same configuration was to take over this %s (id %s), and its creation failed", e.of, e.id)
	case fateKept:
		return fmt.Sprintf("another resource of the same configuration, which is to be destroyed, still has this %s (id %s), because it could not be deleted", e.of, e.id)
	}
	return fmt.Sprintf("another resource of the same configuration has this %s (id %s): it created, adopted or updated it in this run", e.of, e.id)
}

// hint returns what to do about it.
func (e *ownedError) hint() string {
	switch e.fate {
	case fateDeleted:
		return "Plan again."
	case fateReleased:
		return "Nothing was deleted. See the error of that resource, and apply again."
	case fateKept:
		return "See the error of that resource."
	}
	return "Keep one of the two, or give one of them another name."
}

// otherContentError is the error of an instance whose name is gone, or that of another one,
// while another name and another content have its id. It is an ErrNotFound.
type otherContentError struct {
	id, name string // of what has the id
	ours     bool   // this user wrote it last
}

// Error returns the error in one line.
func (e *otherContentError) Error() string { return fmt.Sprintf("its id is that of %q now", e.name) }

// Unwrap returns enms.ErrNotFound.
func (e *otherContentError) Unwrap() error { return enms.ErrNotFound }
