// Exceptions of Python.

package python

import (
	"errors"
	"fmt"
)

// Error is a Python exception that reaches the client as the last line of a
// traceback (0.1) or, outside the upsert, as an error status.
type Error struct{ Class, text string }

// ErrServer ends a request with 500 before anything is written: an exception that
// eNMS does not catch, whose text nobody sees.
var ErrServer = errors.New("the handler raised")

// Raise returns an exception of a class.
func Raise(class, format string, args ...any) *Error {
	return &Error{Class: class, text: fmt.Sprintf(format, args...)}
}

// Error returns the last line of the traceback.
func (e *Error) Error() string {
	if e.text == "" {
		return e.Class
	}
	return e.Class + ": " + e.text
}

// Traceback returns the text of a failure, of which only the last line is of use.
func Traceback(err error) string {
	return "Traceback (most recent call last):\n" +
		"  File \"simulated.py\", line 1, in upsert\n" +
		err.Error() + "\n"
}
