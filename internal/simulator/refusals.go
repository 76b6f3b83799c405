// The exceptions that eNMS raises itself.

package simulator

import "errors"

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
