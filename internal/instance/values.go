// This file turns values between Terraform and JSON, and tells when two count
// as the same.

package instance

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Values are the attributes of one instance by their names in Terraform: a
// configuration, a plan or a state.
type Values map[string]tftypes.Value

// stringList is the type of a relation to many.
var stringList = tftypes.List{ElementType: tftypes.String}

// terraformTypes are the Terraform types of the meanings.
var terraformTypes = map[Meaning]tftypes.Type{
	Text:   tftypes.String,
	Number: tftypes.Number,
	Flag:   tftypes.Bool,
	One:    tftypes.String,
	Many:   stringList,
	JSON:   tftypes.DynamicPseudoType,
	Fields: tftypes.DynamicPseudoType,
}

func (a Attribute) null() tftypes.Value {
	return tftypes.NewValue(terraformTypes[a.Meaning], nil)
}

func (a Attribute) unknown() tftypes.Value {
	return tftypes.NewValue(terraformTypes[a.Meaning], tftypes.UnknownValue)
}

// value makes the attribute's value of a Go one, as a kind's table holds it: a
// string, an int, a bool or nil.
func (a Attribute) value(v any) tftypes.Value {
	switch v := v.(type) {
	case nil:
		return a.null()
	case int:
		return tftypes.NewValue(tftypes.Number, int64(v))
	default:
		return tftypes.NewValue(terraformTypes[a.Meaning], v)
	}
}

// resetValue is what the attribute goes back to when it is taken out of the
// configuration.
func (a Attribute) resetValue() tftypes.Value {
	switch a.Meaning {
	case Many:
		return tftypes.NewValue(stringList, []tftypes.Value{})
	case JSON:
		return fromJSON(map[string]any{})
	case Fields:
		return a.null()
	}
	if a.Reset != nil {
		return a.value(a.Reset)
	}
	return a.value(a.Default)
}

// same tells whether two known values say the same to eNMS: relations in any
// order, objects by their content whatever their Terraform types.
func (a Attribute) same(x, y tftypes.Value) bool {
	if !x.IsFullyKnown() || !y.IsFullyKnown() {
		return false
	}
	if x.IsNull() || y.IsNull() {
		return x.IsNull() && y.IsNull()
	}
	switch a.Meaning {
	case Many:
		xs, ys := names(x), names(y)
		sort.Strings(xs)
		sort.Strings(ys)
		return slices.Equal(xs, ys)
	case JSON:
		return equalJSON(toJSON(x), toJSON(y))
	case Fields:
		return a.holds(fields(x), fields(y), never)
	}
	return x.Equal(y)
}

// holds tells whether every one of the wanted further fields is as it should
// be among those that there are. Of those that eNMS answered, objects may hold
// more than is wanted, and fractions less.
func (a Attribute) holds(want, have map[string]any, answered func(name string) bool) bool {
	for name, w := range want {
		h, ok := have[name]
		if !ok || !a.alike(name, w, h, answered(name)) {
			return false
		}
	}
	return true
}

// never is for comparisons with what was configured, of which every member of
// an object counts, and every digit.
func never(string) bool { return false }

// fromAnswer makes the attribute's value of what eNMS answered. The error says
// what was wrong with it; the caller names the field.
func (a Attribute) fromAnswer(x any) (tftypes.Value, error) {
	if x == nil && a.Meaning != Many { // a relation without members is an empty list
		return a.null(), nil
	}
	switch a.Meaning {
	case Text, One:
		if s, ok := x.(string); ok {
			return tftypes.NewValue(tftypes.String, s), nil
		}
	case Number:
		if n, ok := x.(json.Number); ok {
			return wholeNumber(n)
		}
	case Flag:
		if b, ok := x.(bool); ok {
			return tftypes.NewValue(tftypes.Bool, b), nil
		}
	case Many:
		if list, ok := x.([]any); ok {
			return nameList(list)
		}
	case JSON, Fields:
		if object, ok := x.(map[string]any); ok {
			return fromJSON(object), keepable(object)
		}
	}
	return tftypes.Value{}, fmt.Errorf("is %s where %s belongs", describe(x), meaningNames[a.Meaning])
}

// meaningNames are the meanings as diagnostics call them.
var meaningNames = map[Meaning]string{
	Text: "a text", Number: "a whole number", Flag: "true or false", One: "a name",
	Many: "a list of names", JSON: "an object", Fields: "an object",
}

// wholeNumber reads a number of eNMS: SQLite keeps 22.0 and 22.5 in an integer
// column (enms-rest.md 1.1), of which the first is still a whole number.
func wholeNumber(n json.Number) (tftypes.Value, error) {
	f, _, err := big.ParseFloat(n.String(), 10, 512, big.ToNearestEven)
	if err != nil || !f.IsInt() {
		return tftypes.Value{}, fmt.Errorf("is %s where a whole number belongs", shown(n))
	}
	i, accuracy := f.Int64()
	if accuracy != big.Exact {
		return tftypes.Value{}, fmt.Errorf("is %s, which is beyond 64 bits", shown(n))
	}
	return tftypes.NewValue(tftypes.Number, i), nil
}

func nameList(list []any) (tftypes.Value, error) {
	elements := make([]tftypes.Value, len(list))
	for i, x := range list {
		s, ok := x.(string)
		if !ok {
			return tftypes.Value{}, fmt.Errorf("holds %s where a name belongs", describe(x))
		}
		elements[i] = tftypes.NewValue(tftypes.String, s)
	}
	return tftypes.NewValue(stringList, elements), nil
}

// maxDigits is how long a number may be so that Terraform keeps every digit: it
// has 512 bits for them.
const maxDigits = 150

// keepable tells whether Terraform can hold every number in a JSON value as it
// is. eNMS keeps doubles, and whole numbers of any length.
func keepable(x any) error {
	switch x := x.(type) {
	case json.Number:
		if d, err := x.Float64(); len(x) > maxDigits || err != nil || d == 0 && strings.ContainsAny(mantissa(x), "123456789") {
			return fmt.Errorf("holds the number %s, which is out of bounds", shown(x))
		}
	case []any:
		for _, member := range x {
			if err := keepable(member); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, member := range x {
			if err := keepable(member); err != nil {
				return err
			}
		}
	}
	return nil
}

// mantissa is a number without its exponent.
func mantissa(n json.Number) string {
	before, _, _ := strings.Cut(strings.ToLower(n.String()), "e")
	return before
}

// shown is a number for an error.
func shown(n json.Number) string {
	if len(n) > 40 {
		return n.String()[:40] + "…"
	}
	return n.String()
}

// describe says what a JSON value is without showing its content, which may be
// long or secret.
func describe(x any) string {
	switch x.(type) {
	case nil:
		return "null"
	case string:
		return "a text"
	case bool:
		return "true or false"
	case json.Number:
		return "a number"
	case []any:
		return "a list"
	}
	return "an object"
}

// names are the members of a known list of names.
func names(v tftypes.Value) []string {
	var elements []tftypes.Value
	if v.IsNull() || !v.IsKnown() || v.As(&elements) != nil {
		return nil
	}
	out := make([]string, 0, len(elements))
	for _, e := range elements {
		out = append(out, text(e))
	}
	return out
}

// text is a known string, "" when it is null or unknown.
func text(v tftypes.Value) string {
	var s string
	if v.IsKnown() && !v.IsNull() && v.Type().Is(tftypes.String) {
		_ = v.As(&s)
	}
	return s
}

// fields are the members of a known Fields value as JSON values. A null member
// is one that is not set: null is never sent.
func fields(v tftypes.Value) map[string]any {
	object, _ := toJSON(v).(map[string]any)
	for name, x := range object {
		if x == nil {
			delete(object, name)
		}
	}
	return object
}

// toJSON turns a fully known value into what encoding/json writes: nil, a
// string, a bool, a json.Number, a []any or a map[string]any.
func toJSON(v tftypes.Value) any {
	if v.IsNull() || !v.IsKnown() {
		return nil
	}
	switch t := v.Type(); {
	case t.Is(tftypes.String):
		return text(v)
	case t.Is(tftypes.Bool):
		var b bool
		_ = v.As(&b)
		return b
	case t.Is(tftypes.Number):
		f := new(big.Float)
		_ = v.As(&f)
		return formatNumber(f)
	}
	var object map[string]tftypes.Value
	if v.As(&object) == nil {
		out := make(map[string]any, len(object))
		for name, member := range object {
			out[name] = toJSON(member)
		}
		return out
	}
	var list []tftypes.Value
	_ = v.As(&list)
	out := make([]any, len(list))
	for i, member := range list {
		out[i] = toJSON(member)
	}
	return out
}

// formatNumber writes a number as JSON: whole numbers in full, others with as
// many digits as tell them from their neighbours in a double, which is what
// eNMS keeps.
func formatNumber(f *big.Float) json.Number {
	if f.IsInt() {
		return json.Number(f.Text('f', 0))
	}
	d, _ := f.Float64()
	return json.Number(strconv.FormatFloat(d, 'g', -1, 64))
}

// fromJSON makes the Terraform value that HCL would give for the same content:
// objects and tuples, whose members keep their own types.
func fromJSON(x any) tftypes.Value {
	switch x := x.(type) {
	case string:
		return tftypes.NewValue(tftypes.String, x)
	case bool:
		return tftypes.NewValue(tftypes.Bool, x)
	case json.Number:
		f, _, err := big.ParseFloat(x.String(), 10, 512, big.ToNearestEven)
		if err != nil || f.IsInf() {
			return tftypes.NewValue(tftypes.String, x.String())
		}
		return tftypes.NewValue(tftypes.Number, f)
	case []any:
		types, members := make([]tftypes.Type, len(x)), make([]tftypes.Value, len(x))
		for i, member := range x {
			members[i] = fromJSON(member)
			types[i] = members[i].Type()
		}
		return tftypes.NewValue(tftypes.Tuple{ElementTypes: types}, members)
	case map[string]any:
		types, members := make(map[string]tftypes.Type, len(x)), make(map[string]tftypes.Value, len(x))
		for name, member := range x {
			members[name] = fromJSON(member)
			types[name] = members[name].Type()
		}
		return tftypes.NewValue(tftypes.Object{AttributeTypes: types}, members)
	}
	return tftypes.NewValue(tftypes.DynamicPseudoType, nil)
}

// equalJSON compares two JSON values by content; numbers by their value.
func equalJSON(x, y any) bool {
	switch x := x.(type) {
	case json.Number:
		y, ok := y.(json.Number)
		return ok && equalNumbers(x.String(), y.String())
	case []any:
		y, ok := y.([]any)
		return ok && slices.EqualFunc(x, y, equalJSON)
	case map[string]any:
		y, ok := y.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for name, member := range x {
			other, ok := y[name]
			if !ok || !equalJSON(member, other) {
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

// alike compares a further field as it was configured with what eNMS keeps of
// it. eNMS turns a scalar into what its column holds (5 into "5", true into
// "1", "no" into true) and answers relations in any order. What it has
// answered may also be an object that was merged into what was there before, so
// that only the members that are wanted count, and a number of which MariaDB
// kept six digits (enms-rest.md 1.1). What was configured before is compared in
// full, so that no change of a configuration is missed.
func (a Attribute) alike(name string, want, have any, answered bool) bool {
	if equalJSON(want, have) {
		return true
	}
	if slices.Contains(a.unordered, name) {
		w, ok1 := want.([]any)
		h, ok2 := have.([]any)
		return ok1 && ok2 && sameNames(w, h)
	}
	if members, ok := want.(map[string]any); ok {
		h, ok := have.(map[string]any)
		return ok && answered && !slices.Contains(a.whole, name) && within(members, h)
	}
	if flag, ok := have.(bool); ok {
		return flag == readAsTrue(want)
	}
	w, ok1 := scalarText(want)
	h, ok2 := scalarText(have)
	if !ok1 || !ok2 {
		return false
	}
	_, wantNumber := want.(json.Number)
	_, haveNumber := have.(json.Number)
	return w == h || (wantNumber || haveNumber) && equalNumbers(w, h) || answered && haveNumber && sixDigits(w, h)
}

// readAsTrue tells what eNMS reads a value as that is sent to a boolean field:
// everything but false, "false" and 0 is true (enms-rest.md 1.1).
func readAsTrue(sent any) bool {
	if n, ok := sent.(json.Number); ok {
		f, err := n.Float64()
		return err != nil || f != 0
	}
	return sent != false && sent != "false"
}

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
		if h, ok := have[name]; !ok || !equalJSON(w, h) {
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
