// This file holds the errors of fields, and makes sentences of errors.

package kind

import (
	"fmt"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// FieldError tells that an answer lacks a field, or has a wrong value in it.
type FieldError struct {
	Type, Name string // the instance, as far as it is known
	Field      string
	Reason     string
}

// Error is the error in one line.
func (e *FieldError) Error() string {
	of := e.Type
	if e.Name != "" {
		of = fmt.Sprintf("%s %q", e.Type, e.Name)
	}
	return fmt.Sprintf("field %q of %s %s", e.Field, of, e.Reason)
}

// Sentence makes a sentence of the text of an error, for a diagnostic.
func Sentence(s string) string {
	if s == "" {
		return s
	}
	s = strings.TrimRight(s, ". ") + "."
	if strings.HasPrefix(s, "eNMS") {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// RowOfField is the attribute that holds a field of an answer, "" when there is none.
func (k *Kind) RowOfField(values Values, field string) string {
	for _, a := range k.rows().resource {
		if a.readFrom() == field {
			return a.Name
		}
	}
	if _, is := value.Members(values[RowProperties])[field]; is {
		return RowProperties
	}
	return ""
}
