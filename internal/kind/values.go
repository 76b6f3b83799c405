// This file makes and compares the values of an attribute.

package kind

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Values are the attributes of one instance by their names in Terraform: a
// configuration, a plan or a state.
type Values = map[string]tftypes.Value

// terraformTypes are the Terraform types of the value types.
var terraformTypes = map[ValueType]tftypes.Type{
	Text:   tftypes.String,
	Number: tftypes.Number,
	Flag:   tftypes.Bool,
	One:    tftypes.String,
	Many:   value.StringList,
	JSON:   tftypes.DynamicPseudoType,
	Fields: tftypes.DynamicPseudoType,
}

func (a Attribute) null() tftypes.Value {
	return tftypes.NewValue(terraformTypes[a.Type], nil)
}

func (a Attribute) unknown() tftypes.Value {
	return tftypes.NewValue(terraformTypes[a.Type], tftypes.UnknownValue)
}

// Value makes the attribute's value of a Go one, as a kind's table holds it: a
// string, an int, a bool or nil.
func (a Attribute) Value(v any) tftypes.Value {
	switch v := v.(type) {
	case nil:
		return a.null()
	case int:
		return tftypes.NewValue(tftypes.Number, int64(v))
	default:
		return tftypes.NewValue(terraformTypes[a.Type], v)
	}
}

// resetValue is what the attribute goes back to when it is taken out of the
// configuration.
func (a Attribute) resetValue() tftypes.Value {
	switch a.Type {
	case Many:
		return tftypes.NewValue(value.StringList, []tftypes.Value{})
	case JSON:
		return value.FromJSON(map[string]any{})
	case Fields:
		return a.null()
	}
	if a.Reset != nil {
		return a.Value(a.Reset)
	}
	return a.Value(a.Default)
}

// same tells whether two known values of an attribute say the same to eNMS:
// relations in any order, objects by their content whatever their Terraform types.
// Of further fields, what was sent is compared with what eNMS keeps by
// value.Field.Keeps, see holds.
func (a Attribute) same(x, y tftypes.Value) bool {
	if !x.IsFullyKnown() || !y.IsFullyKnown() {
		return false
	}
	if x.IsNull() || y.IsNull() {
		return x.IsNull() && y.IsNull()
	}
	switch a.Type {
	case Many:
		return value.Field{Unordered: true}.Keeps(value.ToJSON(x), value.ToJSON(y))
	case JSON:
		return value.Equal(value.ToJSON(x), value.ToJSON(y))
	case Fields:
		return a.holds(value.Members(x), value.Members(y), noneAnswered)
	}
	return x.Equal(y)
}

// holds tells whether every one of the wanted further fields is as it should
// be among those that there are. Of those that eNMS answered, objects may hold
// more than is wanted, and fractions less.
func (a Attribute) holds(want, have map[string]any, answered func(name string) bool) bool {
	for name, w := range want {
		h, ok := have[name]
		if !ok || !a.field(name, answered(name)).Keeps(w, h) {
			return false
		}
	}
	return true
}

// noneAnswered is the last argument of holds for comparisons with what was
// configured, of which every member of an object counts, and every digit.
func noneAnswered(string) bool { return false }

// fromAnswer makes the attribute's value of what eNMS answered. The error says
// what was wrong with it; the caller names the field.
func (a Attribute) fromAnswer(x any) (tftypes.Value, error) {
	if x == nil && a.Type != Many { // a relation without members is an empty list
		return a.null(), nil
	}
	switch a.Type {
	case Text, One:
		if s, ok := x.(string); ok {
			return tftypes.NewValue(tftypes.String, s), nil
		}
	case Number:
		if n, ok := x.(json.Number); ok {
			return value.WholeNumber(n)
		}
	case Flag:
		if b, ok := x.(bool); ok {
			return tftypes.NewValue(tftypes.Bool, b), nil
		}
	case Many:
		if list, ok := x.([]any); ok {
			return value.NameList(list)
		}
	case JSON, Fields:
		if object, ok := x.(map[string]any); ok {
			return value.FromJSON(object), value.CheckNumbers(object)
		}
	}
	return tftypes.Value{}, fmt.Errorf("is %s where %s belongs", value.Describe(x), typeNames[a.Type])
}

// typeNames are the value types as diagnostics call them.
var typeNames = map[ValueType]string{
	Text: "a text", Number: "a whole number", Flag: "true or false", One: "a name",
	Many: "a list of names", JSON: "an object", Fields: "an object",
	Decimal: "a number", List: "a list", Anything: "any value",
}

// field says how a further field is compared with what eNMS keeps of it, or with
// what was configured before.
func (a Attribute) field(name string, answered bool) value.Field {
	return value.Field{Unordered: slices.Contains(a.unordered, name), Whole: slices.Contains(a.whole, name), Answered: answered}
}
