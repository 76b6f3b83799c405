// This file is the error of an answer that is not as it should be.

package kind

import (
	"fmt"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// FieldError tells that an answer lacks a field, or has a wrong value in it.
type FieldError struct {
	Type, Name string // the instance, as far as it is known
	Field      string
	Reason     string
}

// Error returns the error in one line.
func (e *FieldError) Error() string {
	of := e.Type
	if e.Name != "" {
		of = fmt.Sprintf("%s %q", e.Type, e.Name)
	}
	return fmt.Sprintf("field %q of %s %s", e.Field, of, e.Reason)
}

// FieldError returns the error of a field of an answer.
func (k *Kind) FieldError(answer value.Object, field, reason string) error {
	name, _ := answer["name"].(string)
	return &FieldError{Type: k.Name, Name: name, Field: field, Reason: reason}
}
