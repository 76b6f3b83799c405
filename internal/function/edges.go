// This file reads edges from the argument of a function, which may be any collection.

package function

import (
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Edge is an edge from one service of a workflow to another, with the full names of services and workflows. Only
// diagrams need the workflow and the subtype, which are "" for what they are by default (complete).
type Edge struct{ Workflow, Source, Destination, Subtype string }

// edgesParameter returns the parameter for the edges of a workflow. It allows unknown values, because edges
// that are to be created have some, such as their ids, which are not needed here.
func edgesParameter() function.Parameter {
	return function.DynamicParameter{
		Name:               "edges",
		AllowUnknownValues: true,
		MarkdownDescription: "The edges: a list or map (such as a resource with `for_each`) of objects with the attributes `source` and `destination`, the full names of services, such as `[Backup] Show version`. " +
			"Other attributes are ignored.",
	}
}

// parseEdges reads the edges. known is false if a name is unknown until apply. The error is a sentence without
// a period, which Terraform adds.
func parseEdges(argument attr.Value) (edges []Edge, known bool, err error) {
	argument = underlying(argument)
	if argument.IsUnknown() {
		return nil, false, nil
	}
	labels, elements, ok := collection(argument)
	if !ok {
		return nil, false, fmt.Errorf("The edges must be a list or a map of objects with source and destination, not %s", describe(argument))
	}
	known = true
	for i, element := range elements {
		e, elementKnown, err := parseEdge(underlying(element))
		if err != nil {
			return nil, false, fmt.Errorf("Edge %s %w", labels[i], err)
		}
		known = known && elementKnown
		edges = append(edges, e)
	}
	return edges, known, nil
}

// parseEdge reads one edge. Its error continues a sentence that begins with "Edge".
func parseEdge(element attr.Value) (e Edge, known bool, err error) {
	if element.IsUnknown() {
		return Edge{}, false, nil
	}
	fields := members(element)
	if element.IsNull() || fields == nil {
		return Edge{}, false, fmt.Errorf("must be an object with source and destination, not %s", describe(element))
	}
	known = true
	for _, attribute := range []struct {
		name string
		into *string
	}{{"source", &e.Source}, {"destination", &e.Destination}} {
		field, ok := fields[attribute.name]
		if !ok {
			return Edge{}, false, fmt.Errorf("has no %s", attribute.name)
		}
		field = underlying(field)
		if field.IsUnknown() {
			known = false
			continue
		}
		text, _ := field.(types.String)
		if text.ValueString() == "" {
			return Edge{}, false, fmt.Errorf("must have the name of a service as its %s, not %s", attribute.name, describe(field))
		}
		*attribute.into = text.ValueString()
	}
	return e, known, nil
}

// members returns the attributes of an object, or the elements of a map, otherwise nil.
func members(element attr.Value) map[string]attr.Value {
	switch v := element.(type) {
	case types.Object:
		return v.Attributes()
	case types.Map:
		return v.Elements()
	}
	return nil
}

// collection returns the elements of any collection, each with a label for messages. ok is false for other
// values.
func collection(v attr.Value) (labels []string, elements []attr.Value, ok bool) {
	if v.IsNull() {
		return nil, nil, false
	}
	switch v := v.(type) {
	case types.List:
		elements = v.Elements()
	case types.Tuple:
		elements = v.Elements()
	case types.Set:
		elements = v.Elements()
	case types.Map:
		labels, elements = byKey(v.Elements())
		return labels, elements, true
	case types.Object:
		labels, elements = byKey(v.Attributes())
		return labels, elements, true
	default:
		return nil, nil, false
	}
	for i := range elements {
		labels = append(labels, fmt.Sprint(i))
	}
	return labels, elements, true
}

func byKey(members map[string]attr.Value) (labels []string, elements []attr.Value) {
	for _, key := range slices.Sorted(maps.Keys(members)) {
		labels = append(labels, fmt.Sprintf("%q", key))
		elements = append(elements, members[key])
	}
	return labels, elements
}

// underlying returns the value inside a dynamic value.
func underlying(v attr.Value) attr.Value {
	if d, ok := v.(types.Dynamic); ok && !d.IsNull() && !d.IsUnknown() {
		return d.UnderlyingValue()
	}
	return v
}

// describe describes an unexpected value, for an error.
func describe(v attr.Value) string {
	if v.IsNull() {
		return "null"
	}
	switch v := v.(type) {
	case types.String:
		if v.ValueString() == "" {
			return "an empty string"
		}
		return fmt.Sprintf("the string %q", v.ValueString())
	case types.Number:
		return "a number"
	case types.Bool:
		return "a Boolean"
	default:
		return "a list or an object"
	}
}

// number returns the Terraform number of an integer.
func number(n int) types.Number { return types.NumberValue(new(big.Float).SetInt64(int64(n))) }
