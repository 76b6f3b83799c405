// This file holds the errors about fields, and how errors become sentences.

package kind

import (
	"fmt"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// FieldError tells that an answer has a field with a value that it must not have,
// or lacks it.
type FieldError struct {
	Type, Name string // the instance, as far as it is known
	Field      string
	Reason     string
}

// Error tells it in one line.
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

// RowOfField is the attribute that holds a field of an answer, "" when there is
// none.
func (k *Kind) RowOfField(values Values, field string) string {
	for _, a := range k.rows().resource {
		if a.ownsField(nil, field) {
			return a.Name
		}
	}
	if _, further := value.Members(values[RowProperties])[field]; further {
		return RowProperties
	}
	return ""
}
