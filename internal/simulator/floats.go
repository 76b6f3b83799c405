// Floats, as Python prints them.

package simulator

import (
	"math"
	"strconv"
	"strings"
)

// finite says whether a float is a number that JSON has.
func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// pythonFloat is repr of a Python float: always with a fraction or an exponent.
func pythonFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 0):
		return strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(f, 'g', -1, 64)), "+")
	}
	if abs := math.Abs(f); f != 0 && (abs < 1e-4 || abs >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	text := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// jsonFloat is how Python's json writes a number.
func jsonFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	return pythonFloat(f)
}
