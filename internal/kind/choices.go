// This file checks texts of which only some are known. eNMS's forms offer those and its
// interface takes any text, which code of a site's own may know: most others are warned of.

package kind

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// closed reports whether every value that is not in OneOf is an error.
func (a Attribute) closed() bool {
	return a.Closed || a.Role == Subtype || a.Role == Setting
}

// choices returns the values of OneOf as the documentation says them, "" when there are none.
func (a Attribute) choices() string {
	list := "`" + strings.Join(a.OneOf, "`, `") + "`."
	switch {
	case len(a.OneOf) == 0:
		return ""
	case !a.closed():
		return "Known values: " + list
	case a.Type == List:
		return "Some of " + list
	}
	return "One of " + list
}

// unknownChoices returns the texts of a value, or of the members of a list, that are not
// among the choices. The default is one, too: eNMS's is often none of its form's.
func (a Attribute) unknownChoices(x any) (unknown []string) {
	if len(a.OneOf) == 0 {
		return nil
	}
	for _, member := range membersOf(x) {
		if s, text := member.(string); text && s != a.Default && !slices.Contains(a.OneOf, s) {
			unknown = append(unknown, s)
		}
	}
	return unknown
}

// membersOf returns the members of a list, or a value that is none.
func membersOf(x any) []any {
	if members, is := x.([]any); is {
		return members
	}
	return []any{x}
}

// notAmong says that a value, or a member of a list, is none of the choices, "" when it is or
// may be one.
func (a Attribute) notAmong(x any) string {
	if len(a.OneOf) == 0 {
		return ""
	}
	for _, member := range membersOf(x) {
		if _, text := member.(string); !text {
			return fmt.Sprintf("It holds %s, where eNMS knows only %s.", value.Describe(member), strings.Join(a.OneOf, ", "))
		}
	}
	if unknown := a.unknownChoices(x); len(unknown) > 0 && a.closed() {
		return fmt.Sprintf("It is %q, where eNMS knows only %s.%s", unknown[0], strings.Join(a.OneOf, ", "), didYouMean(unknown[0], a.OneOf))
	}
	return ""
}

// warnOfChoices warns of values that eNMS takes and does not know by itself.
func (a Attribute) warnOfChoices(at path.Path, x any) (found diag.Diagnostics) {
	if a.closed() {
		return nil
	}
	for _, s := range a.unknownChoices(x) {
		found.AddAttributeWarning(at, fmt.Sprintf("Unknown value for %s", a.Name),
			fmt.Sprintf("%q is not among the values that eNMS knows: %s. eNMS stores any string, but its own code uses only these.%s If code of your own uses %q, ignore this warning.",
				s, strings.Join(a.OneOf, ", "), didYouMean(s, a.OneOf), s))
	}
	return found
}

// didYouMean returns a sentence, with a blank before it, that suggests the known name nearest
// to one that is not known; "" when none comes near.
func didYouMean(name string, known []string) string {
	if near := Nearest(name, known); near != "" {
		return fmt.Sprintf(" Did you mean %q?", near)
	}
	return ""
}
