// This file checks names, and makes validators of strings.

package kind

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// TextCheck returns a validator of strings. problem returns the detail of the error, or "" for a
// valid string; attribute is the path of the attribute.
func TextCheck(summary string, problem func(s, attribute string) (detail string)) validator.String {
	return StringCheck(func(req validator.StringRequest, resp *validator.StringResponse) {
		if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
			return
		}
		if detail := problem(req.ConfigValue.ValueString(), req.Path.String()); detail != "" {
			resp.Diagnostics.AddAttributeError(req.Path, summary, detail)
		}
	})
}

// StringCheck is a validator without a description: its error says what is wrong.
type StringCheck func(validator.StringRequest, *validator.StringResponse)

// Description is empty.
func (StringCheck) Description(context.Context) string { return "" }

// MarkdownDescription is empty.
func (StringCheck) MarkdownDescription(context.Context) string { return "" }

// ValidateString runs the check.
func (check StringCheck) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	check(req, resp)
}

// NameChecks are the validators of names (enms-rest.md 0.3).
var NameChecks = []validator.String{TextCheck("Invalid name", func(name, _ string) string { return WrongName(name) })}

// WrongName returns what is wrong with a name, or "" if it is valid.
func WrongName(name string) string {
	switch length := utf8.RuneCountInString(name); {
	case name == "":
		return "The name is empty."
	case length > CommonLength:
		return fmt.Sprintf("The name has %d characters; the maximum is %d.", length, CommonLength)
	}
	return WrongCharacters(name)
}

// WrongCharacters returns which character of a name is not allowed, or "" if all are.
func WrongCharacters(name string) string {
	switch {
	case strings.ContainsAny(name, `/\'"`):
		return fmt.Sprintf("%q contains a slash, a backslash or a quote, which eNMS does not allow in names.", name)
	case strings.Contains(name, "\n"):
		return fmt.Sprintf("%q contains a line break. eNMS would store it, but could neither show nor delete the instance.", name)
	case value.HasNUL(name):
		return fmt.Sprintf("%q contains a NUL (U+0000). %s", name, NoNUL)
	}
	return ""
}

// surroundingBlanks is the Doubt of a name that begins or ends with a blank, which eNMS keeps.
func surroundingBlanks(name string, _ func(string) any) string {
	if trimmed := strings.TrimSpace(name); trimmed != name {
		return fmt.Sprintf("%q begins or ends with a blank, which nobody sees, and %q would be another instance. Write %q.", name, trimmed, trimmed)
	}
	return ""
}

// NoNUL is the reason why a NUL is refused.
const NoNUL = "PostgreSQL cannot store that character, and eNMS would refuse the whole instance without a reason. Remove it."
