// This file compares JSON values: by content, or a value that was sent with what eNMS keeps of it. Line ends are
// ignored: eNMS's forms store CR LF, and configurations use LF (enms-rest.md 1.1).

package value

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Same reports whether two Terraform values are equal. It sorts sets of strings to compare them, because Value.Equal
// takes quadratic time for sets.
func Same(x, y tftypes.Value) bool {
	for _, v := range []tftypes.Value{x, y} {
		if v.Type() == nil || !v.Type().Is(StringSet) || v.IsNull() || !v.IsFullyKnown() {
			return x.Equal(y)
		}
	}
	return slices.Equal(slices.Sorted(slices.Values(Names(x))), slices.Sorted(slices.Values(Names(y))))
}

// Equal compares two JSON values by content: numbers by their value, and strings without regard
// to line ends. A value that Terraform cannot represent equals its substitute, see Plain.
func Equal(x, y any) bool {
	x, y = plainScalar(x), plainScalar(y)
	switch x := x.(type) {
	case string:
		y, ok := y.(string)
		return ok && SameText(x, y)
	case json.Number:
		y, _ := y.(json.Number) // an empty one equals no number
		return equalNumbers(x.String(), y.String())
	case []any:
		y, ok := y.([]any)
		return ok && slices.EqualFunc(x, y, Equal)
	case map[string]any:
		y, ok := y.(map[string]any)
		return ok && maps.EqualFunc(x, y, Equal)
	}
	return x == y
}

// equalNumbers compares two numbers: as Terraform has them, and fractions as eNMS has them, in 64 bits. Texts
// that are no numbers are equal if they are the same.
func equalNumbers(x, y string) bool {
	f, err1 := parseNumber(x)
	g, err2 := parseNumber(y)
	if err1 != nil || err2 != nil {
		return x == y
	}
	if f.Cmp(g) == 0 {
		return true
	}
	d, _ := f.Float64()
	e, _ := g.Float64()
	return d == e && !f.IsInt()
}

// Comparison says how the value of a field is compared with what eNMS keeps of it.
type Comparison struct {
	Unordered bool // the field is a relation, whose order is ignored
	// Whole: eNMS replaces an object in the field as a whole. In other fields it may merge
	// objects, so only the members that were sent are compared.
	Whole bool
	// Answered: the second value comes from an answer. Otherwise both values come from
	// configurations and are compared in full, so that no change is missed.
	Answered bool
}

// Keeps reports whether have is what eNMS keeps of want. eNMS converts a scalar to the type of its column (5 to "5",
// true to "1", "no" to true), may merge objects, and on MariaDB keeps six digits of a number (enms-rest.md 1.1).
func (c Comparison) Keeps(want, have any) bool {
	if Equal(want, have) {
		return true
	}
	if c.Unordered {
		w, ok1 := want.([]any)
		h, ok2 := have.([]any)
		return ok1 && ok2 && sameNames(w, h)
	}
	if members, ok := want.(map[string]any); ok {
		h, ok := have.(map[string]any)
		return ok && c.Answered && !c.Whole && hasMembers(members, h)
	}
	if flag, ok := have.(bool); ok { // a Boolean column
		read, meant := readAsBoolean(want)
		return meant && flag == read
	}
	w, ok1 := scalarText(want)
	h, ok2 := scalarText(have)
	if !ok1 || !ok2 {
		return false
	}
	_, wantNumber := want.(json.Number)
	_, haveNumber := have.(json.Number)
	return w == h || (wantNumber || haveNumber) && equalNumbers(w, h) || c.Answered && haveNumber && sixDigits(w, h)
}

// readAsBoolean returns what eNMS reads for a value of a Boolean field: false for false, "false" and 0, and
// true for everything else (enms-rest.md 1.1). meant is false for a value that does not stand for a
// Boolean, and for a Boolean, which eNMS keeps as it is.
func readAsBoolean(sent any) (read, meant bool) {
	switch sent := sent.(type) {
	case json.Number:
		f, _ := sent.Float64() // one that is out of range is not 0
		return f != 0, true
	case string:
		return sent != "false", slices.Contains(booleanWords, strings.ToLower(sent))
	case []any:
		return true, len(sent) == 0
	}
	return false, false
}

// booleanWords are the strings by which somebody means a Boolean, whatever eNMS reads.
var booleanWords = []string{"true", "false", "yes", "no", "on", "off", "1", "0", ""}

// sixDigits reports whether a fraction in an answer is what MariaDB keeps of a number: six
// significant digits, rounded from the number itself or from the nearest 32-bit number. A whole
// number, which has neither a point nor an exponent, keeps every digit (enms-rest.md 1.1).
func sixDigits(want, answered string) bool {
	if !strings.ContainsAny(answered, ".eE") {
		return false
	}
	w, wantErr := strconv.ParseFloat(want, 64)
	h, haveErr := strconv.ParseFloat(answered, 64)
	if wantErr != nil || haveErr != nil {
		return false
	}
	return roundedToSix(w) == h || roundedToSix(float64(float32(w))) == h
}

// roundedToSix rounds a number to six significant digits.
func roundedToSix(x float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 5, 64), 64)
	return rounded
}

// hasMembers reports whether an object has all wanted members with equal values.
func hasMembers(want, have map[string]any) bool {
	for name, w := range want {
		if h, ok := have[name]; !ok || !Equal(w, h) {
			return false
		}
	}
	return true
}

// sameNames compares two lists without regard to their order.
func sameNames(x, y []any) bool {
	byText := func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) }
	return slices.EqualFunc(slices.SortedFunc(slices.Values(x), byText), slices.SortedFunc(slices.Values(y), byText), Equal)
}

// scalarText returns the text that a column of strings keeps of a scalar. ok is false for other values.
func scalarText(x any) (text string, ok bool) {
	switch x := x.(type) {
	case string:
		return x, true
	case json.Number:
		return x.String(), true
	case bool:
		if x {
			return "1", true
		}
		return "0", true
	}
	return "", false
}

// lineEnds replaces line ends of any form by LF.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// SameText reports whether two strings are the same except for their line ends, which are CR LF, CR or LF.
func SameText(x, y string) bool {
	return x == y || lineEnds.Replace(x) == lineEnds.Replace(y)
}

// WithLF returns a value with LF in place of CR LF in all of its strings, at any depth. A single
// CR remains: no form stores it, and on some devices it is a key.
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

// HasLineEnd reports whether a JSON value contains, at any depth, a string with a line end.
func HasLineEnd(x any) bool {
	_, _, found := find(x, func(scalar any) bool {
		s, ok := scalar.(string)
		return ok && strings.ContainsAny(s, "\r\n")
	})
	return found
}
