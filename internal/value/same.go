// This file tells when two JSON values count as the same: by content, or as what
// was sent and what eNMS keeps of it.

package value

import (
	"encoding/json"
	"math/big"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Equal compares two JSON values by content; numbers by their value.
func Equal(x, y any) bool {
	switch x := x.(type) {
	case json.Number:
		y, ok := y.(json.Number)
		return ok && equalNumbers(x.String(), y.String())
	case []any:
		y, ok := y.([]any)
		return ok && slices.EqualFunc(x, y, Equal)
	case map[string]any:
		y, ok := y.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for name, member := range x {
			other, ok := y[name]
			if !ok || !Equal(member, other) {
				return false
			}
		}
		return true
	}
	return x == y
}

func equalNumbers(x, y string) bool {
	f, _, err1 := big.ParseFloat(x, 10, 512, big.ToNearestEven)
	g, _, err2 := big.ParseFloat(y, 10, 512, big.ToNearestEven)
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

// Field says how a field is compared with what eNMS keeps of it.
type Field struct {
	// Unordered: it is a relation, whose order does not count.
	Unordered bool
	// Whole: eNMS replaces an object in it as a whole. Into others it may merge
	// what is sent, so that only the members that were sent count.
	Whole bool
	// Answered: the other value is one that eNMS answered. Otherwise both were
	// configured and are compared in full, so that no change is missed.
	Answered bool
}

// Keeps tells whether a field that holds have holds what was sent or configured
// as want. eNMS turns a scalar into what its column holds (5 into "5", true into
// "1", "no" into true), may merge objects, and on MariaDB keeps six digits of a
// number (enms-rest.md 1.1).
func (f Field) Keeps(want, have any) bool {
	if Equal(want, have) {
		return true
	}
	if f.Unordered {
		w, ok1 := want.([]any)
		h, ok2 := have.([]any)
		return ok1 && ok2 && sameNames(w, h)
	}
	if members, ok := want.(map[string]any); ok {
		h, ok := have.(map[string]any)
		return ok && f.Answered && !f.Whole && within(members, h)
	}
	if flag, ok := have.(bool); ok {
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
	return w == h || (wantNumber || haveNumber) && equalNumbers(w, h) || f.Answered && haveNumber && sixDigits(w, h)
}

// readAsBoolean tells what eNMS reads a value as that is sent to a boolean field:
// everything but false, "false" and 0 is true (enms-rest.md 1.1). Texts are only
// meant for such a field when they are some word for a boolean: what somebody else
// put into a field of texts is none.
func readAsBoolean(sent any) (read, meant bool) {
	switch sent := sent.(type) {
	case bool:
		return sent, true
	case json.Number:
		f, err := sent.Float64()
		return err != nil || f != 0, true
	case string:
		return sent != "false", slices.Contains(booleanWords, strings.ToLower(sent))
	case []any:
		return true, len(sent) == 0
	}
	return false, false
}

// booleanWords are what people write for true and for false.
var booleanWords = []string{"true", "false", "yes", "no", "on", "off", "1", "0", ""}

// sixDigits tells whether a fraction that eNMS answered is what MariaDB keeps
// of a number: six significant digits, rounded from the number itself or from
// the nearest of 32 bits. A column of whole numbers answers neither a point nor
// an exponent, and keeps every digit (enms-rest.md 1.1).
func sixDigits(want, answered string) bool {
	if !strings.ContainsAny(answered, ".eE") {
		return false
	}
	w, wantErr := strconv.ParseFloat(want, 64)
	h, haveErr := strconv.ParseFloat(answered, 64)
	return wantErr == nil && haveErr == nil && (roundedToSix(w) == h || roundedToSix(float64(float32(w))) == h)
}

func roundedToSix(x float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 5, 64), 64)
	return rounded
}

// within tells whether an object has all of the wanted members.
func within(want, have map[string]any) bool {
	for name, w := range want {
		if h, ok := have[name]; !ok || !Equal(w, h) {
			return false
		}
	}
	return true
}

// sameNames compares two lists of texts without regard to their order.
func sameNames(x, y []any) bool {
	sorted := func(list []any) ([]string, bool) {
		out := make([]string, len(list))
		for i, member := range list {
			s, ok := member.(string)
			if !ok {
				return nil, false
			}
			out[i] = s
		}
		sort.Strings(out)
		return out, true
	}
	xs, ok1 := sorted(x)
	ys, ok2 := sorted(y)
	return ok1 && ok2 && slices.Equal(xs, ys)
}

func scalarText(x any) (string, bool) {
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
