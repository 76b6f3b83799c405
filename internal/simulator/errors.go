// Exceptions of Python.

package simulator

import (
	"errors"
	"fmt"
)

// pyError is a Python exception that reaches the client as the last line of a
// traceback (0.1) or, outside the upsert, as an error status.
type pyError struct{ class, text string }

// errServer ends a request with 500 before anything is written: an exception that
// eNMS does not catch, whose text nobody sees.
var errServer = errors.New("the handler raised")

// raise returns an exception of a class.
func raise(class, format string, args ...any) *pyError {
	return &pyError{class: class, text: fmt.Sprintf(format, args...)}
}

// Error returns the last line of the traceback.
func (e *pyError) Error() string {
	if e.text == "" {
		return e.class
	}
	return e.class + ": " + e.text
}

// traceback returns the text of a failure, of which only the last line tells anything.
func traceback(err error) string {
	return "Traceback (most recent call last):\n" +
		"  File \"simulated.py\", line 1, in upsert\n" +
		err.Error() + "\n"
}
