// Regular expressions as the databases search by them (2.4, 10.6).

package simulator

import (
	"regexp"
	"strings"

	"github.com/dlclark/regexp2"
)

// expression reports whether a text contains a match of a regular expression.
type expression func(text string) bool

// compile makes an expression of a pattern in the notation of Go. What Go does not
// know and every database does, such as lookaround and references to groups, is left
// to regexp2, which is much slower.
func compile(pattern string) (expression, error) {
	if simple, err := regexp.Compile(pattern); err == nil {
		return simple.MatchString, nil
	}
	full, err := regexp2.Compile(strings.ReplaceAll(pattern, "(?P<", "(?<"), regexp2.None)
	if err != nil {
		return nil, err
	}
	return func(text string) bool {
		found, err := full.MatchString(text)
		return found && err == nil
	}, nil
}
