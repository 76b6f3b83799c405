// This file declares the errors of operations on instances, beside those of the client, and
// names instances in errors.

package lifecycle

import (
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// nothingChanged is for errors of operations of which no request has changed anything.
const nothingChanged = "Nothing was changed."

// hiddenError means that the name belongs to an instance that this user may not read.
type hiddenError struct{ exists *enms.ExistsError }

func (e *hiddenError) Error() string { return e.exists.Error() + ", which this user may not read" }

func (e *hiddenError) Unwrap() error { return e.exists }

// unreadableError means that a field refers to an instance that this user may not read
// (enms-rest.md 6.2).
type unreadableError struct{ field error }

func (e *unreadableError) Error() string { return e.field.Error() }

func (e *unreadableError) Unwrap() error { return e.field }

// unknownFieldError means that eNMS does not have a field that was written.
type unknownFieldError struct{ Field string }

func (e *unknownFieldError) Error() string { return fmt.Sprintf("this eNMS has no field %q", e.Field) }

// replacedError means that another instance, with another id, has the name.
type replacedError struct{ ID string }

func (e *replacedError) Error() string {
	return fmt.Sprintf("after the plan was made, somebody deleted it and created another one (id %s) under its name", e.ID)
}

// goneError means that no instance has the name or the id of the state any longer.
type goneError struct{}

func (goneError) Error() string { return "somebody deleted it after the plan was made" }

// unknownIDError means that an instance with an unknown id cannot be deleted, because nothing
// shows that the instance with its name is the same.
type unknownIDError struct{}

func (unknownIDError) Error() string {
	return "the instance with that name may not be the one that this resource created: the creation failed, and the instance has not been read since"
}

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// missingError means that attributes refer to instances that do not exist.
type missingError struct {
	references []missingReference // at least one
	cause      error              // the error of eNMS; nil if nothing was sent to it
}

// missingReference is a reference to an instance that does not exist.
type missingReference struct {
	attribute, typ, name string
	hint                 string // which name may be meant, after a blank, or ""
}

func (e *missingError) Error() string {
	missing := make([]string, len(e.references))
	for i, r := range e.references {
		missing[i] = fmt.Sprintf("%s %q", r.typ, r.name) + r.hint
	}
	return "there is no such instance in eNMS: " + strings.Join(missing, ", ")
}

func (e *missingError) Unwrap() error { return e.cause }

// elsewhereError means that the name belongs to another instance than the planned one.
type elsewhereError struct {
	exists *enms.ExistsError
	unique []string
}

func (e *elsewhereError) Error() string {
	return e.exists.Error() + ", whose " + strings.Join(e.unique, ", ") + " are others by now"
}

func (e *elsewhereError) hint() string {
	return fmt.Sprintf("%s It kept its name when that was changed. Set a different name here, such as name = %s.", nothingChanged, quoted(e.exists.Name+" 2"))
}

// ownedError means that an object belongs to another resource of this run.
type ownedError struct {
	of, id string
	status applying.Status
}

func (e *ownedError) Error() string {
	switch e.status {
	case applying.Deleted:
		return fmt.Sprintf("another resource of the same configuration deleted this %s (id %s) in this run", e.of, e.id)
	case applying.Released:
		return fmt.Sprintf("another resource of the same configuration was to take over this %s (id %s), and its creation failed", e.of, e.id)
	case applying.Undeleted:
		return fmt.Sprintf("another resource of the same configuration, which is to be destroyed, still has this %s (id %s), because it could not be deleted", e.of, e.id)
	}
	return fmt.Sprintf("another resource of the same configuration has this %s (id %s): it created, adopted or updated it in this run", e.of, e.id)
}

func (e *ownedError) hint() string {
	switch e.status {
	case applying.Deleted:
		return "Plan again."
	case applying.Released:
		return "Nothing was deleted. See the error of that resource, and apply again."
	case applying.Undeleted:
		return "See the error of that resource."
	}
	return "Keep one of the two, or give one of them another name."
}

// otherContentError means that the id of an instance now has another name and other content,
// while its name does not exist or belongs to another instance. It is an ErrNotFound.
type otherContentError struct {
	id, name string // of the instance that has the id
	ours     bool   // this user wrote it last
}

func (e *otherContentError) Error() string { return fmt.Sprintf("its id is that of %q now", e.name) }

func (e *otherContentError) Unwrap() error { return enms.ErrNotFound }

// warnOfOther warns that the instance with the id of one that is gone may be the same instance, if
// this user wrote it last: an interrupted apply may have renamed and changed it.
func (r *Instances) warnOfOther(name string, gone error) (diags diag.Diagnostics) {
	if other, is := errors.AsType[*otherContentError](gone); is && other.ours {
		diags.AddWarning(fmt.Sprintf("The %s %q no longer exists", r.kind.Name, name),
			fmt.Sprintf("eNMS has %q with its id %s and other values, written by this user. If an interrupted apply renamed it, rename it back in eNMS, or set adopt_existing = true to take it over; if it is no longer configured, delete it in eNMS. If the server was restored from a backup, or the id was reused, ignore this.", other.name, other.id))
	}
	return diags
}

// instance identifies an instance.
type instance struct{ typ, name, id string }

func instanceOf(typ string, answer value.Object) instance {
	name, _ := answer["name"].(string)
	return instance{typ: typ, name: name, id: fmt.Sprint(answer["id"])}
}

// maxNamed is how many instances an error names.
const maxNamed = 10

// listed names instances for an error.
func listed(found []instance) string {
	var named []string
	for _, x := range found {
		named = append(named, fmt.Sprintf("%s %q", x.typ, x.name))
	}
	sort.Strings(named)
	if rest := len(named) - maxNamed; rest > 0 {
		return strings.Join(named[:maxNamed], ", ") + fmt.Sprintf(" and %d more", rest)
	}
	return strings.Join(named, ", ")
}

// ambiguousError means that several instances have the content of a state, and none has its name.
type ambiguousError struct {
	id    string
	names []string // the one with the id of the state comes first
}

func (e *ambiguousError) Error() string {
	return fmt.Sprintf("it cannot be told from others. %s has the id in the state (%s) and its values, but these have the same values: %s",
		quoted(e.names[0]), e.id, allQuoted(e.names[1:]))
}

// allQuoted returns strings in quotes, with commas between them; of many, the first.
func allQuoted(texts []string) string {
	var all []string
	for _, text := range texts[:min(len(texts), maxNamed)] {
		all = append(all, quoted(text))
	}
	if rest := len(texts) - maxNamed; rest > 0 {
		return strings.Join(all, ", ") + fmt.Sprintf(" and %d more", rest)
	}
	return strings.Join(all, ", ")
}

// quoted returns a string in quotes, as HCL writes it.
func quoted(s string) string {
	return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(strconv.Quote(s))
}
