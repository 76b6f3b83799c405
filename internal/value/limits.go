// This file finds what one side cannot hold: numbers beyond Terraform's precision,
// and the character NUL, which PostgreSQL refuses.

package value

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// HasNUL reports whether a text holds the character NUL.
func HasNUL(s string) bool { return strings.ContainsRune(s, 0) }

// FindNUL looks for a NUL in a value of any depth. at is its path in HCL syntax; values
// are left out of it, because they may be secret.
func FindNUL(x any) (at string, found bool) {
	_, at, found = find(x, func(scalar any) bool {
		s, ok := scalar.(string)
		return ok && HasNUL(s)
	})
	return at, found
}

// CheckNumbers reports whether Terraform can hold every number in a JSON value as it is. eNMS
// keeps doubles, and whole numbers of any length.
func CheckNumbers(x any) error {
	if n, _, found := find(x, outOfBounds); found {
		return fmt.Errorf("holds the number %s, which is out of bounds", shown(n.(json.Number)))
	}
	return nil
}

// maxDigits is how long a number may be so that Terraform keeps every digit: it
// has 512 bits for them.
const maxDigits = 150

func outOfBounds(scalar any) bool {
	n, ok := scalar.(json.Number)
	if !ok {
		return false
	}
	mantissa, _, _ := strings.Cut(strings.ToLower(n.String()), "e")
	d, err := n.Float64()
	return len(n) > maxDigits || err != nil || d == 0 && strings.ContainsAny(mantissa, "123456789")
}

// find looks for a scalar or a key in a JSON value of any depth. at is its path in
// HCL syntax.
func find(x any, wanted func(scalar any) bool) (match any, at string, found bool) {
	switch x := x.(type) {
	case []any:
		for i, member := range x {
			if match, at, found = find(member, wanted); found {
				return match, fmt.Sprintf("[%d]%s", i, at), true
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(x)) {
			if wanted(name) {
				return name, step(name), true
			}
			if match, at, found = find(x[name], wanted); found {
				return match, step(name) + at, true
			}
		}
	default:
		return x, "", wanted(x)
	}
	return nil, "", false
}

var plainKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// step is one member access of a path.
func step(name string) string {
	if plainKey.MatchString(name) {
		return "." + name
	}
	return "[" + strconv.Quote(name) + "]"
}
