// Values of configurations as the protocol has them.

package lives

import (
	"fmt"
	"maps"
	"math/big"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// scope answers what a reference stands for.
type scope func(address, attribute string) tftypes.Value

// objectOf evaluates a block as the object of its schema.
func objectOf(schema *tfprotov6.Schema, b map[string]any, at scope) tftypes.Value {
	types, values := map[string]tftypes.Type{}, map[string]tftypes.Value{}
	for _, a := range schema.Block.Attributes {
		types[a.Name] = a.ValueType()
		values[a.Name] = evaluate(types[a.Name], b[a.Name], at)
	}
	for _, nested := range schema.Block.BlockTypes {
		types[nested.TypeName] = nested.ValueType()
		values[nested.TypeName] = evaluate(types[nested.TypeName], b[nested.TypeName], at)
	}
	for name := range b {
		if _, known := types[name]; !known && name != dependsOn && name != createBeforeDestroy {
			panic(fmt.Sprintf("there is no attribute %q", name))
		}
	}
	return tftypes.NewValue(tftypes.Object{AttributeTypes: types}, values)
}

// evaluate gives a Go value the type of an attribute.
func evaluate(typ tftypes.Type, v any, at scope) tftypes.Value {
	if v == nil {
		return tftypes.NewValue(typ, nil)
	}
	switch {
	case typ.Is(tftypes.DynamicPseudoType):
		return dynamic(v, at)
	case typ.Is(tftypes.List{}):
		members := []tftypes.Value{}
		for _, member := range v.([]any) {
			members = append(members, evaluate(typ.(tftypes.List).ElementType, member, at))
		}
		return tftypes.NewValue(typ, members)
	case typ.Is(tftypes.Map{}):
		members := map[string]tftypes.Value{}
		for name, member := range v.(map[string]any) {
			members[name] = evaluate(typ.(tftypes.Map).ElementType, member, at)
		}
		return tftypes.NewValue(typ, members)
	case typ.Is(tftypes.Object{}):
		members := map[string]tftypes.Value{}
		for name, member := range typ.(tftypes.Object).AttributeTypes {
			members[name] = evaluate(member, v.(map[string]any)[name], at)
		}
		return tftypes.NewValue(typ, members)
	}
	value := dynamic(v, at)
	if !value.IsKnown() {
		return tftypes.NewValue(typ, tftypes.UnknownValue)
	}
	return tftypes.NewValue(typ, plain(value))
}

// dynamic gives a Go value the type that its HCL has.
func dynamic(v any, at scope) tftypes.Value {
	switch v := v.(type) {
	case string:
		return interpolated(v, at)
	case bool:
		return tftypes.NewValue(tftypes.Bool, v)
	case int:
		return tftypes.NewValue(tftypes.Number, int64(v))
	case []any:
		types, values := []tftypes.Type{}, []tftypes.Value{}
		for _, member := range v {
			value := dynamic(member, at)
			values, types = append(values, value), append(types, value.Type())
		}
		return tftypes.NewValue(tftypes.Tuple{ElementTypes: types}, values)
	case map[string]any:
		types, values := map[string]tftypes.Type{}, map[string]tftypes.Value{}
		for name, member := range v {
			values[name] = dynamic(member, at)
			types[name] = values[name].Type()
		}
		return tftypes.NewValue(tftypes.Object{AttributeTypes: types}, values)
	}
	panic(fmt.Sprintf("no configuration holds a %T", v))
}

// interpolated returns a string with what it refers to, unknown when any of that is.
func interpolated(s string, at scope) tftypes.Value {
	known := true
	text := reference.ReplaceAllStringFunc(s, func(found string) string {
		m := reference.FindStringSubmatch(found)
		v := at(m[1], m[2])
		if !v.IsKnown() {
			known = false
			return ""
		}
		return fmt.Sprint(plain(v))
	})
	if !known {
		return tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
	}
	return tftypes.NewValue(tftypes.String, text)
}

// plain returns what a value of the protocol holds, as Go has it; numbers become text where
// they are no integers.
func plain(v tftypes.Value) any {
	if v.IsNull() || !v.IsKnown() {
		return nil
	}
	switch typ := v.Type(); {
	case typ.Is(tftypes.String):
		var s string
		_ = v.As(&s)
		return s
	case typ.Is(tftypes.Bool):
		var b bool
		_ = v.As(&b)
		return b
	case typ.Is(tftypes.Number):
		n := new(big.Float)
		_ = v.As(&n)
		if i, exact := n.Int64(); exact == big.Exact {
			return i
		}
		return n.Text('g', -1)
	case typ.Is(tftypes.List{}), typ.Is(tftypes.Tuple{}), typ.Is(tftypes.Set{}):
		var members []tftypes.Value
		_ = v.As(&members)
		list := make([]any, len(members))
		for i, member := range members {
			list[i] = plain(member)
		}
		return list
	}
	object := map[string]any{}
	for name, member := range members(v) {
		object[name] = plain(member)
	}
	return object
}

// members returns the members of an object or a map; none of a null.
func members(v tftypes.Value) map[string]tftypes.Value {
	out := map[string]tftypes.Value{}
	if v.IsNull() || !v.IsKnown() {
		return out
	}
	if err := v.As(&out); err != nil {
		panic(err)
	}
	return maps.Clone(out) // As hands out the value's own map
}

// textOf returns a member as text, "" when it is null or unknown.
func textOf(v tftypes.Value, name string) string {
	switch v := plain(members(v)[name]).(type) {
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	}
	return ""
}

// problems are the diagnostics of a call.
type problems []*tfprotov6.Diagnostic

func (p problems) failed() bool {
	for _, d := range p {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			return true
		}
	}
	return false
}

// errors returns those of the diagnostics that are errors.
func (p problems) errors() (errors problems) {
	for _, d := range p {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			errors = append(errors, d)
		}
	}
	return errors
}

func (p problems) String() string {
	var b strings.Builder
	for _, d := range p {
		fmt.Fprintf(&b, "%s: %s [%s]: %s\n", d.Severity, d.Summary, d.Attribute, d.Detail)
	}
	return b.String()
}

// problem returns an error of Terraform itself.
func problem(summary, format string, args ...any) problems {
	return problems{{Severity: tfprotov6.DiagnosticSeverityError, Summary: summary, Detail: fmt.Sprintf(format, args...)}}
}
