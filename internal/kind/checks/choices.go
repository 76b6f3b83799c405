// This file checks values against the choices of a row.

package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// closed reports whether other values than those in OneOf are errors.
func closed(a kind.Attribute) bool {
	return a.Closed || a.Role == kind.Subtype || a.Role == kind.Setting
}

// Choices returns the values of OneOf for the documentation, or "" if there are none.
func Choices(a kind.Attribute) string {
	list := "`" + strings.Join(a.OneOf, "`, `") + "`."
	switch {
	case len(a.OneOf) == 0:
		return ""
	case !closed(a):
		return "Known values: " + list
	case a.Type == kind.List:
		return "Some of " + list
	}
	return "One of " + list
}

// Lines says in Markdown which is the only line of eNMS that has the field, or the default of eNMS 5 if it is another
// one. It returns "" if the lines do not differ.
func Lines(a kind.Attribute) string {
	switch {
	case a.Line != 0:
		return fmt.Sprintf("Only eNMS %d has it.", a.Line)
	case a.Default5 != nil:
		return fmt.Sprintf("Defaults to `%v` on eNMS 5.", a.Default5)
	}
	return ""
}

// unknownChoices returns the strings of a value, or of a list, that are not among the choices.
// The default is allowed, too, because eNMS's default is often not a choice of its form.
func unknownChoices(a kind.Attribute, x any) (unknown []string) {
	if len(a.OneOf) == 0 {
		return nil
	}
	for _, member := range membersOf(x) {
		s, isString := member.(string)
		if isString && s != a.Default && !slices.Contains(a.OneOf, s) {
			unknown = append(unknown, s)
		}
	}
	return unknown
}

// membersOf returns the members of a list, or a single value as the only member.
func membersOf(x any) []any {
	if members, is := x.([]any); is {
		return members
	}
	return []any{x}
}

// NotAmong returns why a value, or a member of a list, is not one of the choices. It returns "" if each
// is a choice, or a string where other strings are allowed, too.
func NotAmong(a kind.Attribute, x any) string {
	if len(a.OneOf) == 0 {
		return ""
	}
	for _, member := range membersOf(x) {
		if _, text := member.(string); !text {
			return fmt.Sprintf("It holds %s, where eNMS knows only %s.", value.Describe(member), strings.Join(a.OneOf, ", "))
		}
	}
	if unknown := unknownChoices(a, x); len(unknown) > 0 && closed(a) {
		return fmt.Sprintf("It is %q, where eNMS knows only %s.%s", unknown[0], strings.Join(a.OneOf, ", "), DidYouMean(Nearest(unknown[0], a.OneOf)))
	}
	return ""
}

// WarnOfChoices warns about values that are not among the choices. eNMS accepts them: its forms offer
// the choices, but its REST interface accepts any string, which a site's own code may use. If the row
// only suggests values, it warns about a value only if it is similar to one of them, or if it is a usual value of
// another list of the same kind; beside are the rows of that kind.
func WarnOfChoices(a kind.Attribute, at path.Path, x any, beside ...kind.Attribute) (found diag.Diagnostics) {
	if closed(a) {
		return nil // other values are errors
	}
	for _, member := range membersOf(x) {
		s, _ := member.(string)
		if s == a.Default || len(a.Suggest) == 0 || slices.Contains(a.Suggest, s) {
			continue
		}
		hint := DidYouMean(nearestChoice(s, a.Suggest))
		if other := listWith(s, a, beside); other != "" {
			hint = fmt.Sprintf(" It is one of %s: write it there.", other)
		}
		if hint != "" {
			found.AddAttributeWarning(at, fmt.Sprintf("Unknown value for %s", a.Name),
				fmt.Sprintf("eNMS stores any string, but %q is not among the usual values of %s.%s If your eNMS has %q, ignore this warning.", s, a.Name, hint, s))
		}
	}
	for _, s := range unknownChoices(a, x) {
		found.AddAttributeWarning(at, fmt.Sprintf("Unknown value for %s", a.Name),
			fmt.Sprintf("%q is not among the values that eNMS knows: %s. eNMS stores any string, but its own code uses only these.%s If code of your own uses %q, ignore this warning.",
				s, strings.Join(a.OneOf, ", "), DidYouMean(nearestChoice(s, a.OneOf)), s))
	}
	return found
}

// nearestChoice is Nearest, but it also finds a choice of which s is the last word, such as rbac_read for "read", and
// not one that s ends with, after more than one other character: l3switch is an icon of its own, beside switch.
func nearestChoice(s string, choices []string) string {
	for _, choice := range choices {
		if strings.HasSuffix(choice, "_"+strings.ToLower(s)) {
			return choice
		}
	}
	near := Nearest(s, choices)
	if strings.HasSuffix(s, near) && len(s) > len(near)+1 {
		return ""
	}
	return near
}

// listWith returns the attribute whose usual values include s, or "" if there is none. Only lists are compared: s is a value
// of the list a, and none of its usual values.
func listWith(s string, a kind.Attribute, beside []kind.Attribute) string {
	for _, other := range beside {
		if a.Type == kind.Many && other.Type == kind.Many && slices.Contains(other.Suggest, s) {
			return other.Name
		}
	}
	return ""
}

// DidYouMean returns a sentence that suggests a similar name, with a space before it, or "" if there is
// no similar name.
func DidYouMean(near string) string {
	if near == "" {
		return ""
	}
	return fmt.Sprintf(" Did you mean %q?", near)
}
