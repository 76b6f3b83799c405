// This file turns errors of the client into diagnostics. The summary says what failed; the
// detail says what eNMS answered, and what to do next.

package failures

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
)

// missingHint returns the advice for a reference to an instance that does not exist.
func missingHint(remedy string, nothingChanged bool) string {
	if nothingChanged {
		return remedy + " " + NothingChanged
	}
	return remedy
}

// Failed returns the diagnostic of an error of an operation on an instance. verb is one of the verbs in
// subject.go.
func (s Subject) Failed(verb, name string, values kind.Values, err error) diag.Diagnostics {
	summary := fmt.Sprintf("Cannot %s %s %q", verb, s.Kind.Name, name)
	attribute, hint := s.explain(verb, name, values, err)
	detail := strings.TrimSuffix(checks.Sentence(err.Error())+" "+hint, " ")
	switch {
	case attribute != "":
		return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root(attribute), summary, detail)}
	case errors.Is(err, context.Canceled):
		return diag.Diagnostics{interrupted{diag.NewErrorDiagnostic(summary, detail)}}
	}
	return diag.Diagnostics{diag.NewErrorDiagnostic(summary, detail)}
}

// interrupted is the diagnostic of an operation that an interrupt of Terraform has ended.
type interrupted struct{ diag.ErrorDiagnostic }

// Interrupted reports whether there are errors, and all of them are those of interrupted operations.
func Interrupted(diags diag.Diagnostics) bool {
	isOther := func(d diag.Diagnostic) bool {
		_, is := d.(interrupted)
		return !is
	}
	return diags.HasError() && !slices.ContainsFunc(diags.Errors(), isOther)
}

// Diagnostic returns the diagnostic of an error of the client that is not about an instance of
// a kind.
func Diagnostic(summary string, err error) diag.Diagnostic {
	return diag.NewErrorDiagnostic(summary, Explained(err))
}

// Explained returns the message of an error of the client as a sentence, followed by advice.
func Explained(err error) string {
	return strings.TrimSuffix(checks.Sentence(err.Error())+" "+generalHint(err), " ")
}

// explain returns the attribute at fault and the advice for an error, each "" if there is none. The order matters:
// an error may wrap another one, about which it knows more.
func (s Subject) explain(verb, name string, values kind.Values, err error) (attribute, hint string) {
	if ofName, ok := errors.AsType[errorOfName](err); ok {
		return kind.RowName, ofName.hint()
	}
	if exists, ok := errors.AsType[*enms.ExistsError](err); ok {
		return kind.RowName, s.TakenHint(verb, name, exists)
	}
	if other, ok := errors.AsType[*enms.NotFoundError](err); ok && other.Spelling != "" {
		return cmp.Or(relate.ReferringRow(s.Kind, values, other.Type, other.Name), kind.RowName),
			fmt.Sprintf("Use the spelling of eNMS: %q.", other.Spelling)
	}
	isWrite := verb == Create || verb == Update // eNMS refuses a missing reference before it changes anything
	if missing, ok := errors.AsType[*Missing](err); ok {
		return missing.References[0].Attribute, missingHint(missing.Remedy, isWrite || missing.Cause == nil)
	}
	refused, isRefused := errors.AsType[*enms.RefusedError](err)
	switch {
	case isRefused && refused.Missing != nil:
		return relate.ReferringRow(s.Kind, values, refused.Missing.Type, refused.Missing.Name), missingHint(resources.CreateFirst, isWrite)
	case isRefused && refused.UnknownType == s.Kind.Path(values):
		return s.Kind.SubtypeRow(),
			fmt.Sprintf("This eNMS has no type %q. Check the spelling, and that the type is installed on the server.", refused.UnknownType)
	}
	if fault, ok := errors.AsType[*enms.FieldError](err); ok && fault.Field != "" {
		hint = "eNMS has an invalid value in this field, most often because another client wrote it. Correct it in eNMS."
		if unreadable, is := errors.AsType[*Unreadable](err); is && unreadable.SoftDeleted {
			hint = "Restore that instance, or delete it permanently, in eNMS."
		} else if is {
			hint = "Most likely this user cannot read that instance: add one of the user's groups to its rbac_read, or use another user."
		} else if fault.Field == kind.RowName || fault.Field == kind.RowID {
			hint = "Every instance in eNMS has both, so this answer is not about one. Look whether base_url is that of eNMS, and whether a proxy in between changes answers."
		}
		return s.Kind.RowOfField(values, fault.Field), hint
	}
	return "", generalHint(err)
}
