// What one request has of eNMS: a session of its database, its caller, and the process that
// answers; and the errors that eNMS raises itself.

package simulator

import (
	"errors"
	"slices"
	"time"
)

// process is what a process of eNMS has beside its database.
type process struct {
	// now returns the local time.
	now func() time.Time
	// jobs are the scheduler, a process of its own, and what it has to do.
	jobs *scheduler
	// allowed is the allowed_automation of the server object last POSTed (1.14).
	allowed any
}

// session is what one request has.
type session struct {
	*tx
	*process
	// user is the caller; nil while the server installs itself.
	user *object
}

// timestamp returns the local time as eNMS writes it (1.3, last_modified).
func (p *process) timestamp() string { return p.now().Format("2006-01-02 15:04:05.000000") }

// allows reports whether the process may run what a trigger asks for.
func (p *process) allows(trigger string) bool {
	list, _ := p.allowed.([]any)
	return slices.Contains(list, any(trigger))
}

func (t *session) userName() string {
	if t.user == nil {
		return "admin"
	}
	return t.user.name()
}

// touch notes when and by whom an object was last POSTed (1.3).
func (t *session) touch(o *object) {
	t.set(o, "last_modified", t.timestamp())
	t.set(o, "last_modified_by", t.userName())
}

func imported(entry *dict) bool {
	v := entry.get("migration_import")
	return truthy(v)
}

const rbacClass = "eNMS.database.RbacError"

// forbidden returns the error of something that the caller may not do.
func forbidden(reason string) error { return raise(rbacClass, "%s", reason) }

// isForbidden reports whether an error is answered with 403 instead of 500 (6.2).
func isForbidden(err error) bool {
	var py *pyError
	return errors.As(err, &py) && py.class == rbacClass
}

// noSuch returns the error of a look-up that finds nothing the caller may see.
func noSuch(model, property string, value any) error {
	return raise(rbacClass, "There is no %s in the database with the following characteristics: {'%s': %s}",
		model, property, pythonRepr(value))
}

// errRecursion is the error of a workflow that is in itself.
var errRecursion = raise("RecursionError", "maximum recursion depth exceeded while calling a Python object")
