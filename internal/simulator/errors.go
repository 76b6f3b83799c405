// The ways in which a request to eNMS fails.

package simulator

import (
	"errors"
	"fmt"
)

// pyError is a Python exception that reaches the client as the last line of a
// traceback (0.1) or, outside the upsert, as an error status.
type pyError struct{ class, text string }

// Error is the last line of the traceback.
func (e *pyError) Error() string {
	if e.text == "" {
		return e.class
	}
	return e.class + ": " + e.text
}

// traceback is the text a failure carries: useless but for its last line.
func traceback(err error) string {
	return "Traceback (most recent call last):\n" +
		"  File \"simulated.py\", line 1, in upsert\n" +
		err.Error() + "\n"
}

const rbacClass = "eNMS.database.RbacError"

// isRefusal tells the errors that become 403 from those that become 500 (6.2).
func isRefusal(err error) bool {
	var py *pyError
	return errors.As(err, &py) && py.class == rbacClass
}

func raise(class, format string, args ...any) *pyError {
	return &pyError{class: class, text: fmt.Sprintf(format, args...)}
}

// refusedBy is an error of the database as SQLAlchemy words it: what the database
// said is not in the last line.
func refusedBy(class, code, format string, args ...any) *pyError {
	return raise("sqlalchemy.exc."+class, format+"\n[SQL: ...]\n(Background on this error at: https://sqlalche.me/e/14/"+code+")", args...)
}

// noSuch is the answer to a look-up that finds nothing the caller may see.
func noSuch(model, property string, value any) *pyError {
	return raise(rbacClass, "There is no %s in the database with the following characteristics: {'%s': %s}",
		model, property, pythonRepr(value))
}

// errPending is a session whose commit has failed and that nobody has rolled back.
var errPending = raise("sqlalchemy.exc.PendingRollbackError", "This Session's transaction has been rolled back due to a previous exception during flush. (Background on this error at: https://sqlalche.me/e/14/7s2a)")

// errRecursion is a workflow that is in itself.
var errRecursion = raise("RecursionError", "maximum recursion depth exceeded while calling a Python object")

// errServer is a request that breaks before anything is written.
var errServer = errors.New("the handler raised")
