// This file looks for the character NUL, which PostgreSQL cannot hold.

package value

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// HasNUL tells whether a text holds the character NUL.
func HasNUL(s string) bool { return strings.ContainsRune(s, 0) }

// FindNUL looks for a NUL in a value of any depth. at is the way there, as HCL
// writes it; values are left out of it, because they may be secret.
func FindNUL(x any) (at string, found bool) {
	switch x := x.(type) {
	case string:
		return "", HasNUL(x)
	case []any:
		for i, member := range x {
			if at, found := FindNUL(member); found {
				return fmt.Sprintf("[%d]%s", i, at), true
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(x)) {
			if HasNUL(name) {
				return step(name), true
			}
			if at, found := FindNUL(x[name]); found {
				return step(name) + at, true
			}
		}
	}
	return "", false
}

var plainKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// step is the way to a member of an object.
func step(name string) string {
	if plainKey.MatchString(name) {
		return "." + name
	}
	return "[" + strconv.Quote(name) + "]"
}
