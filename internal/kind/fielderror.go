// This file makes the error of an answer that is not as it should be.

package kind

import (
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/instance"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// FieldError returns a *instance.FieldError about a field of an answer.
func (k *Kind) FieldError(answer value.Object, field, reason string) error {
	name, _ := answer["name"].(string)
	return &instance.FieldError{Type: k.Name, Name: name, Field: field, Reason: reason}
}
