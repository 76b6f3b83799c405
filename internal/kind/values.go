// This file makes, reads and compares the values of an attribute.

package kind

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Values are the values of an instance's attributes by name: a configuration, a plan
// or a state.
type Values = map[string]tftypes.Value

// ValuesOf returns the values of an object that Terraform or the framework made by the schema, or
// nil if it is null or unknown.
func ValuesOf(object tftypes.Value) Values {
	if object.IsNull() || !object.IsKnown() {
		return nil
	}
	values := Values{}
	_ = object.As(&values) // it is an object
	return values
}

// valueTypes are the Terraform types of the value types, and their names in errors.
var valueTypes = map[ValueType]struct {
	terraform tftypes.Type
	name      string
}{
	Text:       {tftypes.String, "a string"},
	Number:     {tftypes.Number, "a whole number"},
	Flag:       {tftypes.Bool, "true or false"},
	One:        {tftypes.String, "a name"},
	Many:       {value.StringList, "a list of names"},
	JSON:       {tftypes.DynamicPseudoType, "an object"},
	Properties: {tftypes.DynamicPseudoType, "an object"},
	Criteria:   {criteriaType, "a map of criteria"},
	Decimal:    {tftypes.Number, "a number"},
	List:       {tftypes.DynamicPseudoType, "a list"},
	Anything:   {tftypes.DynamicPseudoType, "any value"},
}

func (a Attribute) null() tftypes.Value {
	return tftypes.NewValue(valueTypes[a.Type].terraform, nil)
}

func (a Attribute) unknown() tftypes.Value {
	return tftypes.NewValue(valueTypes[a.Type].terraform, tftypes.UnknownValue)
}

// InWords returns the type with an article, for errors and pages.
func (t ValueType) InWords() string { return valueTypes[t].name }

// TerraformType returns the type of the attribute's values.
func (a Attribute) TerraformType() tftypes.Type { return valueTypes[a.Type].terraform }

// Value returns the attribute's value for a Go value as tables hold it: a string, an int, a
// bool or nil.
func (a Attribute) Value(v any) tftypes.Value {
	switch v := v.(type) {
	case nil:
		return a.null()
	case int:
		return tftypes.NewValue(tftypes.Number, int64(v))
	}
	return tftypes.NewValue(valueTypes[a.Type].terraform, v)
}

// resetValue returns the value to which an attribute is reset when it is removed from the
// configuration.
func (a Attribute) resetValue() tftypes.Value {
	switch a.Type {
	case Many:
		return tftypes.NewValue(value.StringList, []tftypes.Value{})
	case JSON:
		return value.FromJSON(map[string]any{})
	case Properties, Criteria:
		return a.null()
	}
	if a.Reset != nil {
		return a.Value(a.Reset)
	}
	return a.Value(a.Default)
}

// same reports whether two known values of an attribute are the same for eNMS: relations in
// any order, objects by their content whatever their Terraform types, strings whatever the
// ends of their lines.
func (a Attribute) same(x, y tftypes.Value) bool {
	if !x.IsFullyKnown() || !y.IsFullyKnown() {
		return false
	}
	if x.IsNull() || y.IsNull() {
		return x.IsNull() && y.IsNull()
	}
	switch a.Type {
	case Many:
		return value.Comparison{Unordered: true}.Keeps(value.ToJSON(x), value.ToJSON(y))
	case JSON:
		return value.Equal(value.ToJSON(x), value.ToJSON(y))
	case Criteria:
		return sameCriteria(x, y)
	case Properties:
		return a.holds(value.Members(x), value.Members(y), noneAnswered)
	}
	if x.Type().Is(tftypes.String) && y.Type().Is(tftypes.String) {
		return value.SameText(value.Text(x), value.Text(y))
	}
	return x.Equal(y)
}

func (a Attribute) includes(all, some tftypes.Value) bool {
	have := value.Names(all)
	return some.IsFullyKnown() && !some.IsNull() &&
		!slices.ContainsFunc(value.Names(some), func(name string) bool { return !slices.Contains(have, name) })
}

// holds reports whether have contains all of the wanted properties. If a property comes from eNMS
// (answered), an object may have more members, and a fraction fewer digits.
func (a Attribute) holds(want, have map[string]any, answered func(name string) bool) bool {
	for name, w := range want {
		h, ok := have[name]
		if !ok || !a.comparison(name, answered(name)).Keeps(w, h) {
			return false
		}
	}
	return true
}

// noneAnswered is the last argument of holds if both values were configured.
func noneAnswered(string) bool { return false }

// in returns the value of the attribute in a field of an answer or a payload. It is nil for a
// relation to one that is unset, which only IDField shows.
func (a Attribute) in(object value.Object, field string) (x any, held bool) {
	if a.Holds != nil {
		return a.Holds.in(object)
	}
	x, held = object[field]
	if id, has := object[a.IDField]; !held && has && id == nil {
		return nil, true
	}
	return x, held
}

// fromAnswer converts a value in an answer to the attribute's type. The error says what is wrong
// with it; the caller adds the name of the field.
func (a Attribute) fromAnswer(x any) (tftypes.Value, error) {
	if x == nil && a.Type != Many { // a relation without members is an empty list
		return a.null(), nil
	}
	if a.Role == Identity {
		return idFromAnswer(x)
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
	case JSON, Properties:
		if object, ok := x.(map[string]any); ok {
			return value.FromJSON(object), value.CheckNumbers(object)
		}
	}
	return tftypes.Value{}, fmt.Errorf("is %s where %s belongs", value.Describe(x), valueTypes[a.Type].name)
}

// idFromAnswer returns the id as a string, as Terraform requires.
func idFromAnswer(x any) (tftypes.Value, error) {
	n, ok := x.(json.Number)
	if !ok {
		return tftypes.Value{}, fmt.Errorf("is %s where a whole number belongs", value.Describe(x))
	}
	v, err := value.WholeNumber(n)
	return tftypes.NewValue(tftypes.String, fmt.Sprint(value.ToJSON(v))), err // -0 is 0
}

// comparison returns how to compare a property with its value in eNMS if answered, or else with
// what was configured before.
func (a Attribute) comparison(name string, answered bool) value.Comparison {
	return value.Comparison{
		Unordered: a.anyOrder || slices.Contains(a.unordered, name), Whole: slices.Contains(a.whole, name), Answered: answered,
	}
}

// withMembers returns properties with the values that their members have in an answer. Members
// that eNMS does not return, such as secrets, keep their values.
func (a Attribute) withMembers(properties tftypes.Value, answer value.Object) tftypes.Value {
	if !properties.IsFullyKnown() {
		return properties
	}
	changed, now := false, value.Members(properties)
	for name, was := range now {
		if x, answered := answer[name]; answered && !a.comparison(name, true).Keeps(was, x) {
			now[name], changed = x, true
		}
	}
	if !changed {
		return properties
	}
	return value.FromJSON(now)
}

// changedProperties returns the planned properties that are known and not in the state.
func (a Attribute) changedProperties(planned, prior tftypes.Value) map[string]any {
	have, changed := value.Members(prior), value.Members(planned)
	maps.DeleteFunc(changed, func(name string, x any) bool {
		return a.holds(map[string]any{name: x}, have, noneAnswered)
	})
	return changed
}

// in reports whether a member is in an answer or a payload. known is true if the object contains
// the relation, or is about an instance that does not have it.
func (h *Holds) in(object value.Object) (x any, known bool) {
	members, known := namesIn(object[h.Relation])
	typ, told := object["type"].(string)
	return slices.Contains(members, h.Member), known || told && typ != h.Subtype
}

// namesIn returns the names of a relation in an answer or a payload.
func namesIn(relation any) (names []string, known bool) {
	switch relation := relation.(type) {
	case []string:
		return relation, true
	case []any:
		for _, x := range relation {
			if name, is := x.(string); is {
				names = append(names, name)
			}
		}
		return names, true
	}
	return nil, false
}

// isTrue reports whether a Boolean is known and true.
func isTrue(v tftypes.Value) bool {
	var flag bool
	return v.Type() != nil && v.Type().Is(tftypes.Bool) && v.IsKnown() && !v.IsNull() && v.As(&flag) == nil && flag
}
