// Package value converts values between Terraform and JSON, and compares them.
package value

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Object is an instance in an answer of eNMS, or a payload. Numbers in answers are json.Number.
type Object = map[string]any

// StringSet is the Terraform type of a relation to many.
var StringSet = tftypes.Set{ElementType: tftypes.String}

// Names returns the members of a known set or list of names.
func Names(v tftypes.Value) []string {
	var elements []tftypes.Value
	if v.IsNull() || v.As(&elements) != nil {
		return nil
	}
	out := make([]string, 0, len(elements))
	for _, e := range elements {
		out = append(out, Text(e))
	}
	return out
}

// Text returns a string, or "" if it is null or unknown.
func Text(v tftypes.Value) string {
	var s string
	if !v.IsNull() && v.Type().Is(tftypes.String) {
		_ = v.As(&s) // an error if it is unknown
	}
	return s
}

// Members returns the members of a known object as JSON values. A null member is one that is
// not set: null is never sent.
func Members(v tftypes.Value) map[string]any {
	object, _ := ToJSON(v).(map[string]any)
	maps.DeleteFunc(object, func(_ string, x any) bool { return x == nil })
	return object
}

// ObjectOf returns an object with members of their own types.
func ObjectOf(members map[string]tftypes.Value) tftypes.Value {
	types := make(map[string]tftypes.Type, len(members))
	for name, v := range members {
		types[name] = v.Type()
	}
	return tftypes.NewValue(tftypes.Object{AttributeTypes: types}, members)
}

// ToJSON converts a value to one that encoding/json can encode: a string, a bool, a json.Number, a []any or a
// map[string]any, and nil for null and unknown values.
func ToJSON(v tftypes.Value) any {
	if v.IsNull() || !v.IsKnown() {
		return nil
	}
	switch t := v.Type(); {
	case t.Is(tftypes.String):
		return Text(v)
	case t.Is(tftypes.Bool):
		var b bool
		_ = v.As(&b)
		return b
	case t.Is(tftypes.Number):
		f := new(big.Float)
		_ = v.As(&f)
		if f.IsInt() {
			return json.Number(f.Text('f', 0))
		}
		d, _ := f.Float64() // eNMS stores doubles, so write as many digits as identify one
		return json.Number(strconv.FormatFloat(d, 'g', -1, 64))
	}
	var object map[string]tftypes.Value
	if v.As(&object) == nil {
		out := make(map[string]any, len(object))
		for name, member := range object {
			out[name] = ToJSON(member)
		}
		return out
	}
	var list []tftypes.Value
	_ = v.As(&list)
	out := make([]any, len(list))
	for i, member := range list {
		out[i] = ToJSON(member)
	}
	return out
}

// FromJSON returns the Terraform value that HCL would produce for the same content: objects and tuples, whose
// members keep their own types.
//
// Terraform has neither NaN nor infinite numbers, nor half a surrogate pair: they are replaced as by Plain. A number
// that is too large for Terraform becomes a string.
func FromJSON(x any) tftypes.Value {
	switch x := plainScalar(x).(type) {
	case string:
		return tftypes.NewValue(tftypes.String, x)
	case bool:
		return tftypes.NewValue(tftypes.Bool, x)
	case json.Number:
		f, err := parseNumber(x.String())
		if err != nil || f.IsInf() {
			return tftypes.NewValue(tftypes.String, x.String())
		}
		return tftypes.NewValue(tftypes.Number, f)
	case []any:
		types, members := make([]tftypes.Type, len(x)), make([]tftypes.Value, len(x))
		for i, member := range x {
			members[i] = FromJSON(member)
			types[i] = members[i].Type()
		}
		return tftypes.NewValue(tftypes.Tuple{ElementTypes: types}, members)
	case map[string]any:
		members := make(map[string]tftypes.Value, len(x))
		for name, member := range x {
			members[name] = FromJSON(member)
		}
		return ObjectOf(members)
	}
	return tftypes.NewValue(tftypes.DynamicPseudoType, nil)
}

// precision is the number of bits in which Terraform keeps a number.
const precision = 512

// parseNumber reads a number as Terraform does.
func parseNumber(text string) (*big.Float, error) {
	f, _, err := big.ParseFloat(text, 10, precision, big.ToNearestEven)
	return f, err
}

// WholeNumber converts a number of eNMS. SQLite stores 22.0 and 22.5 in an integer column
// (enms-rest.md 1.1); the first counts as a whole number.
func WholeNumber(n json.Number) (tftypes.Value, error) {
	f, err := parseNumber(n.String())
	if err != nil || !f.IsInt() {
		return tftypes.Value{}, fmt.Errorf("is %s where a whole number belongs", shown(n))
	}
	i, accuracy := f.Int64()
	if accuracy != big.Exact {
		return tftypes.Value{}, fmt.Errorf("is %s, which is beyond 64 bits", shown(n))
	}
	return tftypes.NewValue(tftypes.Number, i), nil
}

// NameSet converts a list of names, as answers have it for a relation to many, to a set, in the order of the names.
func NameSet(list []any) (tftypes.Value, error) {
	names := make([]string, len(list))
	for i, x := range list {
		name, ok := x.(string)
		if !ok {
			return tftypes.Value{}, fmt.Errorf("holds %s where a name belongs", Describe(x))
		}
		names[i] = name
	}
	slices.Sort(names)
	return SetOf(slices.Compact(names)), nil
}

// SetOf returns a set of names, which must be different.
func SetOf(names []string) tftypes.Value {
	elements := make([]tftypes.Value, len(names))
	for i, name := range names {
		elements[i] = tftypes.NewValue(tftypes.String, name)
	}
	return tftypes.NewValue(StringSet, elements)
}

// shown returns a number for an error.
func shown(n json.Number) string {
	if len(n) > 40 {
		return n.String()[:40] + "…"
	}
	return n.String()
}

// Describe describes a JSON value without showing its content, which may be long or secret.
func Describe(x any) string {
	switch x.(type) {
	case nil:
		return "null"
	case string:
		return "a string"
	case bool:
		return "a Boolean"
	case json.RawMessage:
		return "a string that is not Unicode"
	case json.Number:
		return "a number"
	case []any:
		return "a list"
	}
	return "an object"
}

// constants are the numbers that JSON does not have, but that Python's json writes.
var constants = []json.Number{"NaN", "Infinity", "-Infinity"}

// Plain converts a value of an answer to valid JSON: the numbers NaN, Infinity and -Infinity become strings, and in
// strings that are not Unicode a replacement character (U+FFFD) takes the place of each half of a surrogate pair.
func Plain(x any) any {
	switch x := x.(type) {
	case []any:
		plain := make([]any, len(x))
		for i, member := range x {
			plain[i] = Plain(member)
		}
		return plain
	case map[string]any:
		plain := make(map[string]any, len(x))
		for name, member := range x {
			plain[name] = Plain(member)
		}
		return plain
	}
	return plainScalar(x)
}

// plainScalar is Plain for a value that is no list and no object. It returns these as they are.
func plainScalar(x any) any {
	switch x := x.(type) {
	case json.Number:
		if slices.Contains(constants, x) {
			return x.String()
		}
	case json.RawMessage: // a string that is not Unicode, as it is in the answer
		var text string
		if json.Unmarshal(x, &text) == nil {
			return text
		}
	}
	return x
}

// HasNUL reports whether a string contains the character NUL.
func HasNUL(s string) bool { return strings.ContainsRune(s, 0) }

// FindNUL looks for a NUL at any depth of a value. at is its path in HCL syntax, without values,
// because they may be secret.
func FindNUL(x any) (at string, found bool) {
	_, at, found = find(x, func(scalar any) bool {
		s, ok := scalar.(string)
		return ok && HasNUL(s)
	})
	return at, found
}

// CheckNumbers returns an error if Terraform cannot represent a number in a JSON value exactly.
// eNMS stores doubles, and whole numbers of any length.
func CheckNumbers(x any) error {
	if n, _, found := find(x, outOfBounds); found {
		return fmt.Errorf("holds the number %s, which is out of bounds", shown(n.(json.Number)))
	}
	return nil
}

// FindOutOfBounds looks for a number that Terraform cannot represent exactly, at any depth of a value.
// at is its path in HCL syntax.
func FindOutOfBounds(x any) (at string, found bool) {
	_, at, found = find(x, outOfBounds)
	return at, found
}

// maxDigits is how many digits of a number Terraform keeps, in its precision.
const maxDigits = 150

// outOfBounds reports whether a scalar is a number that Terraform cannot represent exactly.
func outOfBounds(scalar any) bool {
	n, ok := scalar.(json.Number)
	if !ok {
		return false
	}
	d, err := n.Float64()
	mantissa, _, _ := strings.Cut(strings.ToLower(n.String()), "e")
	tooSmall := d == 0 && strings.ContainsAny(mantissa, "123456789")
	return len(n) > maxDigits || err != nil || tooSmall
}

// find looks for a wanted scalar, or a wanted key of an object, at any depth of a JSON value. match is what was
// found, and at its path in HCL syntax.
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

// step returns the access to a member in HCL syntax.
func step(name string) string {
	if plainKey.MatchString(name) {
		return "." + name
	}
	return "[" + strconv.Quote(name) + "]"
}
