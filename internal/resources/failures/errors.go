// This file declares the errors of operations on instances, beside those of the client.

package failures

import (
	"errors"
	"fmt"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
)

// NothingChanged is part of the errors of operations that have changed nothing.
const NothingChanged = "Nothing was changed."

// errorOfName is an error about the name of an instance that says itself what to do.
type errorOfName interface {
	error
	hint() string
}

// Hidden means that the name belongs to an instance that this user cannot read.
type Hidden struct{ Exists *enms.ExistsError }

func (e *Hidden) Error() string { return e.Exists.Error() + ", which this user cannot read" }

func (e *Hidden) Unwrap() error { return e.Exists }

// hint does not advise to import or adopt the instance, because that is impossible.
func (e *Hidden) hint() string {
	return NothingChanged + " Choose another name; or, to manage that instance, add a group of this user to its rbac_read and rbac_edit."
}

// Unreadable means that a field refers to an instance that this user cannot read (enms-rest.md 6.2), or, if SoftDeleted,
// that was deleted in the Workflow Builder of eNMS 5.
type Unreadable struct {
	Cause       error
	SoftDeleted bool
}

func (e *Unreadable) Error() string { return e.Cause.Error() }

func (e *Unreadable) Unwrap() error { return e.Cause }

// UnknownField means that eNMS does not have a field that was written.
type UnknownField struct{ Field string }

func (e *UnknownField) Error() string { return fmt.Sprintf("this eNMS has no field %q", e.Field) }

// Replaced means that another instance, with another id, has the name.
type Replaced struct{ ID string }

func (e *Replaced) Error() string {
	return fmt.Sprintf("somebody deleted it and created another one (id %s) under its name", e.ID)
}

// Gone means that no instance has the name or the id of the state any longer.
type Gone struct{}

func (Gone) Error() string { return "somebody deleted it after the plan was made" }

// UnknownID means that the state has no id. So the instance is neither changed nor deleted: that with its name may be
// another one.
type UnknownID struct{}

func (UnknownID) Error() string {
	return "the instance with that name might not be the one that this resource created: its id is not in the state"
}

// Missing means that attributes refer to instances that do not exist, or that this user cannot read.
type Missing struct {
	References []MissingReference // at least one
	Hidden     bool               // eNMS may have them and hide them from this user
	Remedy     string             // what to do, in whole sentences
	Cause      error              // the error of eNMS; nil if nothing was sent to it
}

// MissingReference is a reference to an instance that does not exist.
type MissingReference struct {
	Attribute, Type, Name string
	Hint                  string // a similar name, with a blank before it, or ""
}

func (e *Missing) Error() string {
	missing := make([]string, len(e.References))
	for i, r := range e.References {
		missing[i] = fmt.Sprintf("%s %q", r.Type, r.Name) + r.Hint
	}
	if e.Hidden {
		return fmt.Sprintf("eNMS has no %s that this user can read", strings.Join(missing, ", "))
	}
	return "eNMS has no " + strings.Join(missing, ", ")
}

func (e *Missing) Unwrap() error { return e.Cause }

// Elsewhere means that the name belongs to an instance with other values of the unique attributes than planned: they were
// changed, and it kept its name.
type Elsewhere struct {
	Exists *enms.ExistsError
	Unique []string // the attributes of the place (kind.Place)
}

func (e *Elsewhere) Error() string {
	return e.Exists.Error() + ", whose " + strings.Join(e.Unique, ", ") + " are others by now"
}

func (e *Elsewhere) hint() string {
	return fmt.Sprintf("%s It kept its name when that was changed. Set a different name here, such as name = %s.", NothingChanged, resources.Quoted(e.Exists.Name+" 2"))
}

// Meanwhile means that an instance is to be adopted that did not exist yet when the creation looked for it.
type Meanwhile struct{ Exists *enms.ExistsError }

func (e *Meanwhile) Error() string {
	if e.Exists.MayBeOwn {
		return e.Exists.Error() + ", which somebody or this apply has created at the same time"
	}
	return e.Exists.Error() + ", which somebody has created at the same time"
}

func (e *Meanwhile) Unwrap() error { return e.Exists }

func (e *Meanwhile) hint() string {
	if e.Exists.MayBeOwn {
		return "Apply again to take it over."
	}
	return NothingChanged + " Apply again to take it over."
}

// Owned means that another resource of this run has an object, or has done with it what Status says.
type Owned struct {
	Type, ID string
	Status   applying.Status
}

func (e *Owned) Error() string {
	switch e.Status {
	case applying.Deleted:
		return fmt.Sprintf("another resource of the same configuration deleted this %s (id %s) in this run", e.Type, e.ID)
	case applying.Released:
		return fmt.Sprintf("another resource of the same configuration was to take over this %s (id %s), and its creation failed", e.Type, e.ID)
	case applying.Undeleted:
		return fmt.Sprintf("another resource of the same configuration, which is to be destroyed, still has this %s (id %s), because it could not be deleted", e.Type, e.ID)
	}
	return fmt.Sprintf("another resource of the same configuration has this %s (id %s): it created, adopted or updated it in this run", e.Type, e.ID)
}

func (e *Owned) hint() string {
	switch e.Status {
	case applying.Deleted:
		return "Plan again."
	case applying.Released:
		return "Nothing was deleted. See the error of that resource, and apply again."
	case applying.Undeleted:
		return "See the error of that resource."
	}
	return "Keep one of the two, or give one of them another name. If this one was to leave it to the other one, apply again: it is then created anew."
}

// Untold means that neither eNMS nor the user tells which instance is the one of a state.
type Untold struct {
	Why     string // the beginning of a sentence
	Missing bool   // nothing has the name
}

func (e *Untold) Error() string { return e.Why }

// hint says both ways on.
func (e *Untold) hint() string {
	if e.Missing {
		return "Nothing has this name. If it was renamed, write its new name in the configuration. Then, or if it was deleted, " + ByNameHint + " What was deleted is created again."
	}
	return NothingChanged + " If the one with the name is the right one, " + ByNameHint
}

// ByNameHint is the end of a sentence: how to say that the name decides.
const ByNameHint = `set identify_by = "name" in the provider block, or ENMS_IDENTIFY_BY=name, for one apply.`

// Renamed means that others have renamed an instance that is to be changed or deleted under the name in the state.
type Renamed struct {
	From, To string
	By, At   string // the user and the time, "" if the changelog does not tell
}

func (e *Renamed) Error() string {
	by := ""
	if e.By != "" {
		by = fmt.Sprintf(" by user %q at %s", e.By, e.At)
	}
	return fmt.Sprintf("it was renamed to %q%s", e.To, by)
}

// Is reports whether the chain of an error contains one of type E.
func Is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// MayHaveActed reports whether eNMS may have executed an operation although it failed.
func MayHaveActed(err error) bool { return !enms.Unacted(err) && !Is[*enms.UnreachableError](err) }
