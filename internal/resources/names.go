// This file names instances in diagnostics.

package resources

import (
	"cmp"
	"fmt"
	"sort"
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

// MaxNamed is how many instances an error names.
const MaxNamed = 10

// Listed names instances for an error.
func Listed(found []Instance) string {
	var named []string
	for _, x := range found {
		named = append(named, fmt.Sprintf("%s %q", x.Type, x.Name))
	}
	sort.Strings(named)
	if rest := len(named) - MaxNamed; rest > 0 {
		return strings.Join(named[:MaxNamed], ", ") + fmt.Sprintf(" and %d more", rest)
	}
	return strings.Join(named, ", ")
}

// AllQuoted returns strings in quotes, with commas between them; of many, the first.
func AllQuoted(texts []string) string {
	var all []string
	for _, text := range texts[:min(len(texts), MaxNamed)] {
		all = append(all, Quoted(text))
	}
	if rest := len(texts) - MaxNamed; rest > 0 {
		return strings.Join(all, ", ") + fmt.Sprintf(" and %d more", rest)
	}
	return strings.Join(all, ", ")
}

// Quoted returns a string in quotes, as HCL writes it.
func Quoted(s string) string {
	return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(strconv.Quote(s))
}

// SpellingHint returns the advice to use a similar name, or to check the spelling if there is none,
// after a blank.
func SpellingHint(near string) string { return cmp.Or(checks.DidYouMean(near), " Check the spelling.") }
