// This file compares and converts the ends of lines: eNMS's forms store CR LF, and
// configurations hold LF (enms-rest.md 1.1).

package value

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// lineEnds replaces each end of a line, whatever it is, by LF.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// SameText reports whether two strings are the same but for the ends of their lines, which
// are CR LF, CR or LF.
func SameText(x, y string) bool {
	if x == y {
		return true
	}
	if !strings.Contains(x, "\r") && !strings.Contains(y, "\r") {
		return false
	}
	return lineEnds.Replace(x) == lineEnds.Replace(y)
}

// WithLF returns a value with LF in place of CR LF in all of its strings, at any depth. A CR
// that stands alone stays: no form stores it, and on some devices it is a key.
func WithLF(v tftypes.Value) tftypes.Value {
	converted, err := tftypes.Transform(v, func(_ *tftypes.AttributePath, v tftypes.Value) (tftypes.Value, error) {
		if s := Text(v); strings.Contains(s, "\r\n") {
			return tftypes.NewValue(tftypes.String, strings.ReplaceAll(s, "\r\n", "\n")), nil
		}
		return v, nil
	})
	if err != nil {
		panic("value: a string cannot be replaced by another one: " + err.Error())
	}
	return converted
}

// HasLineEnd reports whether a string at any depth of a JSON value holds the end of a line.
func HasLineEnd(x any) bool {
	_, _, found := find(x, func(scalar any) bool {
		s, ok := scalar.(string)
		return ok && strings.ContainsAny(s, "\r\n")
	})
	return found
}
