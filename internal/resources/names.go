// This file names instances in diagnostics.

package resources

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Instance identifies an instance.
type Instance struct{ Type, Name, ID string }

// InstanceOf returns the instance of a type that an answer is about.
func InstanceOf(typ string, answer value.Object) Instance {
	name, _ := answer["name"].(string)
	return Instance{Type: typ, Name: name, ID: fmt.Sprint(answer["id"])}
}

// MaxNamed is how many names a diagnostic lists.
const MaxNamed = 10

// Listed names instances for an error, in alphabetical order, as Some does.
func Listed(found []Instance) string {
	var named []string
	for _, x := range found {
		named = append(named, fmt.Sprintf("%s %q", x.Type, x.Name))
	}
	slices.Sort(named)
	return Some(named, func(name string) string { return name })
}

// AllQuoted returns strings in quotes, as Some does.
func AllQuoted(texts []string) string { return Some(texts, Quoted) }

// Some returns what show returns for each name, with commas between them. Of many names it shows the first
// MaxNamed, and says how many more there are.
func Some(names []string, show func(name string) string) string {
	var shown []string
	for _, name := range names[:min(len(names), MaxNamed)] {
		shown = append(shown, show(name))
	}
	text := strings.Join(shown, ", ")
	if more := len(names) - MaxNamed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// Quoted returns a string in quotes, as HCL writes it.
func Quoted(s string) string {
	return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(strconv.Quote(s))
}

// SpellingHint returns a space, and the advice to use the name near, or to check the spelling if near is "".
func SpellingHint(near string) string { return cmp.Or(checks.DidYouMean(near), " Check the spelling.") }
