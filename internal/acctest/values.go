// This file makes and reads values of configurations and states for tests.

package acctest

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Number is a number, written as a fraction by math/big, so that equal numbers are equal strings.
type Number string

// Whole reports whether it is a whole number of 64 bits.
func (n Number) Whole() bool {
	_, err := strconv.ParseInt(string(n), 10, 64)
	return err == nil
}

// Exact returns a JSON value with each number as a Number. It returns false if a number is too large or too
// small for any database.
func Exact(x any) (any, bool) {
	switch x := x.(type) {
	case json.Number:
		if strings.Contains(x.String(), "e") && len(x) > 3 || len(x) > 100 {
			return nil, false
		}
		n, ok := new(big.Rat).SetString(x.String())
		return Number(n.RatString()), ok
	case []any:
		out := make([]any, len(x))
		for i, member := range x {
			var ok bool
			out[i], ok = Exact(member)
			if !ok {
				return nil, false
			}
		}
		return out, true
	case map[string]any:
		out := map[string]any{}
		for name, member := range x {
			var ok bool
			out[name], ok = Exact(member)
			if !ok {
				return nil, false
			}
		}
		return out, true
	}
	return x, true
}

// GoValue returns a value of a state in Go, with each number as a Number.
func GoValue(t testing.TB, v tftypes.Value) any {
	t.Helper()
	switch {
	case v.IsNull():
		return nil
	case !v.IsKnown():
		return "unknown"
	case v.Type().Is(tftypes.String):
		var s string
		_ = v.As(&s)
		return s
	case v.Type().Is(tftypes.Bool):
		var b bool
		_ = v.As(&b)
		return b
	case v.Type().Is(tftypes.Number):
		f := new(big.Float)
		_ = v.As(&f)
		n, _ := f.Rat(nil)
		return Number(n.RatString())
	}
	var object map[string]tftypes.Value
	if v.As(&object) == nil {
		out := map[string]any{}
		for name, member := range object {
			out[name] = GoValue(t, member)
		}
		return out
	}
	var list []tftypes.Value
	if err := v.As(&list); err != nil {
		t.Fatal(err)
	}
	out := []any{}
	for _, member := range list {
		out = append(out, GoValue(t, member))
	}
	return out
}

// Sorted returns a list after it has sorted it, and any other value as it is.
func Sorted(x any) any {
	if list, is := x.([]any); is {
		slices.SortFunc(list, func(x, y any) int { return strings.Compare(fmt.Sprint(x), fmt.Sprint(y)) })
	}
	return x
}

// Attributes is a configuration in Go: strings, ints, bools, []string, and
// tftypes.Value for anything else.
type Attributes map[string]any

// ObjectOf returns a configuration as an object of a schema.
func ObjectOf(t testing.TB, schema *tfprotov6.Schema, values Attributes) tftypes.Value {
	t.Helper()
	types := map[string]tftypes.Type{}
	out := map[string]tftypes.Value{}
	for _, a := range schema.Block.Attributes {
		types[a.Name] = a.ValueType()
	}
	for _, block := range schema.Block.BlockTypes {
		types[block.TypeName] = block.ValueType()
	}
	for name, typ := range types {
		out[name] = ValueOf(typ, values[name])
	}
	for name := range values {
		if _, ok := types[name]; !ok {
			t.Fatalf("no attribute %q", name)
		}
	}
	return tftypes.NewValue(tftypes.Object{AttributeTypes: types}, out)
}

// ValueOf returns a value of a type from a string, a number, a Boolean, a list of strings or an object in Go, or
// a tftypes.Value as it is. Attributes that an object does not set are null.
func ValueOf(typ tftypes.Type, v any) tftypes.Value {
	switch v := v.(type) {
	case tftypes.Value:
		return v
	case []string:
		elements := []tftypes.Value{}
		for _, s := range v {
			elements = append(elements, tftypes.NewValue(tftypes.String, s))
		}
		return tftypes.NewValue(typ, elements)
	case map[string]any:
		object, is := typ.(tftypes.Object)
		if !is {
			return ObjectValue(v)
		}
		members := map[string]tftypes.Value{}
		for name, t := range object.AttributeTypes {
			members[name] = ValueOf(t, v[name])
		}
		return tftypes.NewValue(object, members)
	case int:
		return tftypes.NewValue(typ, int64(v))
	}
	return tftypes.NewValue(typ, v)
}

// ObjectValue returns an HCL object of strings, ints, bools, lists and objects.
func ObjectValue(members map[string]any) tftypes.Value {
	types, values := map[string]tftypes.Type{}, map[string]tftypes.Value{}
	for name, v := range members {
		values[name] = Literal(v)
		types[name] = values[name].Type()
	}
	return tftypes.NewValue(tftypes.Object{AttributeTypes: types}, values)
}

// Literal returns the value that HCL makes of a literal.
func Literal(v any) tftypes.Value {
	switch v := v.(type) {
	case nil:
		return tftypes.NewValue(tftypes.DynamicPseudoType, nil)
	case string:
		return tftypes.NewValue(tftypes.String, v)
	case bool:
		return tftypes.NewValue(tftypes.Bool, v)
	case int:
		return tftypes.NewValue(tftypes.Number, int64(v))
	case float64:
		return tftypes.NewValue(tftypes.Number, v)
	case []any:
		types, values := []tftypes.Type{}, []tftypes.Value{}
		for _, member := range v {
			values = append(values, Literal(member))
			types = append(types, values[len(values)-1].Type())
		}
		return tftypes.NewValue(tftypes.Tuple{ElementTypes: types}, values)
	case []string:
		list := make([]any, len(v))
		for i, member := range v {
			list[i] = member
		}
		return Literal(list)
	case map[string]any:
		return ObjectValue(v)
	case tftypes.Value:
		return v
	}
	panic(fmt.Sprintf("no literal for %T", v))
}
