// This file tests which arguments are read as edges, and what is said of others.

package function

import (
	"context"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

var (
	text     = types.StringValue
	edgeType = types.ObjectType{AttrTypes: map[string]attr.Type{"source": types.StringType, "destination": types.StringType}}
)

func object(members map[string]attr.Value) types.Object {
	kinds := map[string]attr.Type{}
	for name, v := range members {
		kinds[name] = v.Type(context.Background())
	}
	return types.ObjectValueMust(kinds, members)
}

func tuple(elements ...attr.Value) types.Dynamic {
	var kinds []attr.Type
	for _, v := range elements {
		kinds = append(kinds, v.Type(context.Background()))
	}
	return types.DynamicValue(types.TupleValueMust(kinds, elements))
}

func TestParseEdges(t *testing.T) {
	t.Parallel()
	ab := object(map[string]attr.Value{"source": text("a"), "destination": text("b")})
	bc := object(map[string]attr.Value{"source": text("b"), "destination": text("c")})
	both := []Edge{{Source: "a", Destination: "b"}, {Source: "b", Destination: "c"}}
	for name, c := range map[string]struct {
		argument attr.Value
		want     []Edge
	}{
		"a list":        {types.DynamicValue(types.ListValueMust(edgeType, []attr.Value{ab, bc})), both},
		"a set":         {types.DynamicValue(types.SetValueMust(edgeType, []attr.Value{ab, bc})), both},
		"a map":         {types.DynamicValue(types.MapValueMust(edgeType, map[string]attr.Value{"1": ab, "2": bc})), both},
		"an object":     {types.DynamicValue(object(map[string]attr.Value{"1": ab, "2": bc})), both},
		"maps of texts": {tuple(types.MapValueMust(types.StringType, map[string]attr.Value{"source": text("a"), "destination": text("b")}), bc), both},
		"further attributes": {tuple(object(map[string]attr.Value{
			"source": text("a"), "destination": types.DynamicValue(text("b")), "label": types.StringNull(), "id": types.StringUnknown(), "n": number(7),
		}), types.DynamicValue(bc)), both},
		"nothing": {tuple(), nil},
	} {
		got, known, err := parseEdges(c.argument)
		if err != nil || !known || !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, %t, %v", name, got, known, err)
		}
	}
}

func TestParseEdgesUnknown(t *testing.T) {
	t.Parallel()
	for name, argument := range map[string]attr.Value{
		"all":        types.DynamicUnknown(),
		"a list":     types.DynamicValue(types.ListUnknown(edgeType)),
		"an edge":    tuple(types.ObjectUnknown(edgeType.AttrTypes)),
		"one of two": tuple(object(map[string]attr.Value{"source": text("a"), "destination": types.StringUnknown()}), object(map[string]attr.Value{"source": text("a"), "destination": text("b")})),
		"an end":     tuple(object(map[string]attr.Value{"source": text("a"), "destination": types.StringUnknown()})),
	} {
		if _, known, err := parseEdges(argument); known || err != nil {
			t.Errorf("%s: got %t, %v", name, known, err)
		}
	}
}

func TestParseEdgesWrong(t *testing.T) {
	t.Parallel()
	for want, argument := range map[string]attr.Value{
		`The edges must be a list or a map of objects with source and destination, not the string "a"`: types.DynamicValue(text("a")),
		`The edges must be a list or a map of objects with source and destination, not null`:           types.DynamicValue(types.ListNull(edgeType)),
		`Edge 0 must be an object with source and destination, not the string "a"`:                     tuple(text("a")),
		`Edge 0 must be an object with source and destination, not null`:                               tuple(types.ObjectNull(edgeType.AttrTypes)),
		`Edge "source" must be an object with source and destination, not the string "a"`:              types.DynamicValue(object(map[string]attr.Value{"source": text("a")})),
		`Edge 0 must be an object with source and destination, not a list or an object`:                tuple(tuple(text("a"))),
		`Edge 0 has no destination`: tuple(object(map[string]attr.Value{"source": text("a")})),
		`Edge 0 must have the name of a service as its source, not a number`:        tuple(object(map[string]attr.Value{"source": number(7), "destination": text("b")})),
		`Edge 0 must have the name of a service as its source, not an empty string`: tuple(object(map[string]attr.Value{"source": text(""), "destination": text("b")})),
		`Edge 0 must have the name of a service as its destination, not null`:       tuple(object(map[string]attr.Value{"source": text("a"), "destination": types.StringNull()})),
		`Edge 0 must have the name of a service as its destination, not a Boolean`:  tuple(object(map[string]attr.Value{"source": text("a"), "destination": types.BoolValue(true)})),
	} {
		if _, known, err := parseEdges(argument); known || err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}
