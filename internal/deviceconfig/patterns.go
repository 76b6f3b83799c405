// This file matches lines against regular expressions.

package deviceconfig

import (
	"fmt"
	"regexp"
	"slices"
)

// Patterns are regular expressions of lines without their indentation.
type Patterns []*regexp.Regexp

// All matches each line.
var All = Patterns{regexp.MustCompile("")}

// Compile compiles regular expressions. The error quotes the one that is none.
func Compile(expressions []string) (Patterns, error) {
	var patterns Patterns
	for _, expression := range expressions {
		p, err := regexp.Compile(expression)
		if err != nil {
			return nil, fmt.Errorf("%q is not a regular expression: %w", expression, err)
		}
		patterns = append(patterns, p)
	}
	return patterns, nil
}

// matches returns for each line whether it, or a line that it belongs to, matches one of the expressions.
func (p Patterns) matches(lines []line) []bool {
	matched := make([]bool, len(lines))
	for i, l := range lines {
		matched[i] = l.above != none && matched[l.above] || slices.ContainsFunc(p, func(p *regexp.Regexp) bool { return p.MatchString(l.text) })
	}
	return matched
}
