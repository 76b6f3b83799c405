// What a request works with: a transaction, the caller, and the process that answers; and the
// errors that eNMS raises itself.

package model

import (
	"errors"
	"slices"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/scheduler"
)

// Process is the state of an eNMS process beside its database.
type Process struct {
	// Now returns the local time.
	Now func() time.Time
	// Jobs are the scheduler, a process of its own, and what it has to do.
	Jobs *scheduler.Scheduler
	// AllowedAutomation is the allowed_automation of the server object last POSTed (1.14).
	AllowedAutomation any
}

// Session is what a request works with.
type Session struct {
	*database.Tx
	*Process
	// User is the caller; nil while the server installs itself.
	User *database.Object
}

// timestamp returns the local time as eNMS writes it (1.3, last_modified).
func (p *Process) timestamp() string { return p.Now().Format("2006-01-02 15:04:05.000000") }

// Allows reports whether the process may run what a trigger asks for.
func (p *Process) Allows(trigger string) bool {
	list, _ := p.AllowedAutomation.([]any)
	return slices.Contains(list, any(trigger))
}

// UserName returns the name of the caller, which is admin for the server itself.
func (s *Session) UserName() string {
	if s.User == nil {
		return "admin"
	}
	return s.User.Name()
}

// touch notes when and by whom an object was last POSTed (1.3).
func (s *Session) touch(o *database.Object) {
	s.Set(o, "last_modified", s.timestamp())
	s.Set(o, "last_modified_by", s.UserName())
}

// imported reports whether an entry comes from a migration, of which eNMS computes nothing.
func imported(entry *python.Dict) bool {
	return python.Truthy(entry.Get("migration_import"))
}

const rbacClass = "eNMS.database.RbacError"

// Forbidden returns the error of something that the caller may not do.
func Forbidden(reason string) error { return python.Raise(rbacClass, "%s", reason) }

// IsForbidden reports whether an error is answered with 403 instead of 500 (6.2).
func IsForbidden(err error) bool {
	var py *python.Error
	return errors.As(err, &py) && py.Class == rbacClass
}

// NoSuch returns the error of a look-up that finds nothing the caller may see.
func NoSuch(model, property string, value any) error {
	return python.Raise(rbacClass, "There is no %s in the database with the following characteristics: {'%s': %s}",
		model, property, python.Repr(value))
}

// ErrRecursion is the error of a workflow that is in itself.
var ErrRecursion = python.Raise("RecursionError", "maximum recursion depth exceeded while calling a Python object")
