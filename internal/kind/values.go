// This file makes and reads the values of an attribute.

package kind

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Values are the values of an instance's attributes by name: a configuration, a plan or a state.
type Values = map[string]tftypes.Value

// valueTypes are the Terraform types of the value types, and their names in errors.
var valueTypes = map[ValueType]struct {
	terraform tftypes.Type
	name      string
}{
	Text:       {tftypes.String, "a string"},
	Number:     {tftypes.Number, "a whole number"},
	Flag:       {tftypes.Bool, "true or false"},
	One:        {tftypes.String, "a name"},
	Many:       {value.StringSet, "a list of names"},
	JSON:       {tftypes.DynamicPseudoType, "an object"},
	Properties: {tftypes.DynamicPseudoType, "an object"},
	Criteria:   {CriteriaType, "a map of criteria"},
	Decimal:    {tftypes.Number, "a number"},
	List:       {tftypes.DynamicPseudoType, "a list"},
	Anything:   {tftypes.DynamicPseudoType, "any value"},
}

// ValuesOf returns the values of an object that Terraform or the framework made by the schema, or
// nil if it is null or unknown.
func ValuesOf(v tftypes.Value) Values {
	if v.IsNull() || !v.IsKnown() {
		return nil
	}
	values := Values{}
	_ = v.As(&values) // it is an object
	return values
}

// Merged returns an object with the members of two objects. If both have a member, it is that of the second object.
func Merged(x, y tftypes.Value) tftypes.Value {
	all := Values{}
	maps.Copy(all, ValuesOf(x))
	maps.Copy(all, ValuesOf(y))
	return value.ObjectOf(all)
}

// IsKnown reports whether all values are known in full.
func IsKnown(values Values) bool {
	for _, v := range values {
		if !v.IsFullyKnown() {
			return false
		}
	}
	return true
}

// InWords returns the type with an article, for errors and pages.
func (t ValueType) InWords() string { return valueTypes[t].name }

// TerraformType returns the type of the attribute's values.
func (a Attribute) TerraformType() tftypes.Type { return valueTypes[a.Type].terraform }

// Null returns null in the type of the attribute.
func (a Attribute) Null() tftypes.Value {
	return tftypes.NewValue(valueTypes[a.Type].terraform, nil)
}

// Unknown returns an unknown value of the attribute.
func (a Attribute) Unknown() tftypes.Value {
	return tftypes.NewValue(valueTypes[a.Type].terraform, tftypes.UnknownValue)
}

// Value returns the attribute's value for a Go value as tables hold it: a string, an int, a bool or nil.
func (a Attribute) Value(v any) tftypes.Value {
	switch v := v.(type) {
	case nil:
		return a.Null()
	case int:
		return tftypes.NewValue(tftypes.Number, int64(v))
	}
	return tftypes.NewValue(valueTypes[a.Type].terraform, v)
}

// ResetValue returns the value to which an attribute is reset when it is removed from the configuration.
func (a Attribute) ResetValue() tftypes.Value {
	switch a.Type {
	case Many:
		return value.SetOf(nil)
	case JSON:
		return value.FromJSON(map[string]any{})
	case Properties, Criteria:
		return a.Null()
	}
	if a.Reset != nil {
		return a.Value(a.Reset)
	}
	return a.Value(a.Default)
}

// PlannedDefault returns the value that a plan shows for an attribute that a new instance is configured without. certain
// is false if eNMS alone decides: the lines of eNMS differ, eNMS derives the value, other instances may change it, or a
// site may have another default. A value that is not null is sent, so that eNMS has what the plan shows.
func (a Attribute) PlannedDefault() (v tftypes.Value, certain bool) {
	switch {
	case a.Role != Field || a.ReadOnly || a.Derived || a.AfterCreate || a.ChangesOnWrite || a.Sample || a.Needed,
		a.Automatic != nil || a.Holds != nil || a.Default5 != nil || a.Line != 0 || a.Name5 != "":
		return a.Unknown(), false
	case a.Type == Many:
		return a.ResetValue(), a.OnCreate != nil // which is []
	case a.OnCreate != nil:
		return a.Value(a.OnCreate), true
	}
	return a.Value(a.Default), a.Type == One || a.Default != nil
}

// LineOf returns the line of the eNMS that has returned an answer.
func LineOf(answer value.Object) int {
	if _, has := answer[object.LineField]; has {
		return object.Line5
	}
	return object.Line4
}

// TextIn returns a field of an answer that is a text, or "" if it is none.
func TextIn(answer value.Object, field string) string {
	text, _ := answer[field].(string)
	return text
}

// CreatedJSON returns the value of a field in an instance that was created without the field on a line
// of eNMS. For the line 0, which means that the line is unknown, it returns nil if the lines differ.
func (a Attribute) CreatedJSON(line int) any {
	if a.OnCreate != nil {
		return a.OnCreate
	}
	if a.Default5 != nil && line == 0 {
		return nil
	}
	if a.Default5 != nil && line == object.Line5 {
		a.Default = a.Default5
	}
	return a.DefaultJSON()
}

// DefaultJSON returns eNMS's default, as it is in an answer.
func (a Attribute) DefaultJSON() any {
	switch {
	case a.Default == nil && (a.Type == JSON || a.Type == Anything):
		return map[string]any{}
	case a.Default == nil && (a.Type == List || a.Type == Many):
		return []any{}
	}
	document, err := json.Marshal(a.Default)
	if err != nil {
		panic("kind: the default of " + a.Name + " is no JSON value: " + err.Error())
	}
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	var x any
	_ = decoder.Decode(&x) // it was just encoded
	return x
}

// In returns the value of the attribute in a field of an answer or a payload; held is false if there is none. A
// relation to one that is not set has no field, but its IDField is nil: then the value is nil. For a Flag with Holds, the
// value says whether the member is in the relation; instances of another subtype have no such relation.
func (a Attribute) In(answer value.Object, field string) (x any, held bool) {
	if h := a.Holds; h != nil {
		members, known := object.Names(answer[h.Relation])
		typ, hasType := answer["type"].(string)
		return slices.Contains(members, h.Member), known || hasType && typ != h.Subtype
	}
	x, held = answer[field]
	if id, has := answer[a.IDField]; !held && has && id == nil {
		return nil, true
	}
	return x, held
}

// FromAnswer converts a value in an answer to the attribute's type. The error says what is wrong
// with it; the caller adds the name of the field.
func (a Attribute) FromAnswer(x any) (tftypes.Value, error) {
	if x == nil && a.Type != Many { // a relation without members is [], never null
		return a.Null(), nil
	}
	if a.Role == Identity {
		return IDFromAnswer(x)
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
			return value.NameSet(list)
		}
	case JSON, Properties:
		if members, ok := x.(map[string]any); ok {
			return value.FromJSON(members), value.CheckNumbers(members)
		}
	}
	return tftypes.Value{}, fmt.Errorf("is %s where %s belongs", value.Describe(x), valueTypes[a.Type].name)
}

// IDFromAnswer returns the id as a string, as Terraform requires.
func IDFromAnswer(x any) (tftypes.Value, error) {
	n, ok := x.(json.Number)
	if !ok {
		return tftypes.Value{}, fmt.Errorf("is %s where a whole number belongs", value.Describe(x))
	}
	v, err := value.WholeNumber(n)
	return tftypes.NewValue(tftypes.String, fmt.Sprint(value.ToJSON(v))), err // as eNMS writes it: 7 for 7.0, 0 for -0
}

// FromJSON converts a value in a payload to the attribute's type. The payload may come from the
// private state, and so from JSON. A value that does not fit the type is null.
func (a Attribute) FromJSON(sent any) tftypes.Value {
	if n, ok := sent.(int); ok {
		return a.Value(n)
	}
	v, err := a.FromAnswer(sent)
	if err != nil {
		return a.Null()
	}
	return v
}

// IsTrue reports whether a Boolean is known and true.
func IsTrue(v tftypes.Value) bool { return v.Equal(tftypes.NewValue(tftypes.Bool, true)) }
