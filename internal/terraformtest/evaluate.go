// The values of the expressions of a configuration.

package terraformtest

import (
	"maps"
	"slices"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hcldec"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// scope has the values to which expressions refer.
type scope struct {
	config *Config
	value  func(address string) cty.Value // of a resource or a data source
	each   map[string]cty.Value           // the value of count or each
}

// context returns the values of the variables that an expression has.
func (s scope) context(variables []hcl.Traversal) (*hcl.EvalContext, Problems) {
	roots := map[string]map[string]cty.Value{}
	set := func(root, name string, v cty.Value) {
		if roots[root] == nil {
			roots[root] = map[string]cty.Value{}
		}
		roots[root][name] = v
	}
	data := map[string]map[string]cty.Value{}
	for _, v := range variables {
		root, name := v.RootName(), step(v, 1)
		switch root {
		case "each", "count": // s.each
		case "path":
			set(root, name, cty.StringVal(s.config.dir))
		case "var", "local":
			value, diags := s.named(root, name)
			if diags.Failed() {
				return nil, diags
			}
			set(root, name, value)
		case "data":
			if data[name] == nil {
				data[name] = map[string]cty.Value{}
			}
			data[name][step(v, 2)] = s.value("data." + name + "." + step(v, 2))
		default:
			set(root, name, s.value(root+"."+name))
		}
	}
	for typ, values := range data {
		set("data", typ, cty.ObjectVal(values))
	}
	context := &hcl.EvalContext{Functions: s.config.functions, Variables: maps.Clone(s.each)}
	if context.Variables == nil {
		context.Variables = map[string]cty.Value{}
	}
	for root, values := range roots {
		context.Variables[root] = cty.ObjectVal(values)
	}
	return context, nil
}

// named returns the value of a variable (the root is var) or a local.
func (s scope) named(root, name string) (cty.Value, Problems) {
	s.each = nil // belongs to a block
	if root == "local" {
		return s.evaluate(s.config.locals[name])
	}
	v := s.config.variables[name]
	value, diags := s.evaluate(v.value)
	if diags.Failed() {
		return value, diags
	}
	value, err := convert.Convert(value, v.typ)
	if err != nil {
		return value, Problem("Invalid value for variable", "%s: %v", name, err)
	}
	return value, nil
}

// evaluate returns the value of an expression.
func (s scope) evaluate(e hcl.Expression) (cty.Value, Problems) {
	context, diags := s.context(e.Variables())
	if diags.Failed() {
		return cty.DynamicVal, diags
	}
	value, wrong := e.Value(context)
	return value, problemsOf(wrong)
}

// object returns the value of a block that has a schema.
func (s scope) object(body hcl.Body, schema *tfprotov6.Schema) (tftypes.Value, Problems) {
	spec := specOfSchema(schema)
	context, diags := s.context(hcldec.Variables(body, spec))
	if diags.Failed() {
		return tftypes.Value{}, diags
	}
	value, wrong := hcldec.Decode(body, spec, context)
	if diags := problemsOf(wrong); diags.Failed() {
		return tftypes.Value{}, diags
	}
	return protocolValue(value, schema.ValueType()), nil
}

// specs has the results of specOf, by schema.
var specs sync.Map

// specOfSchema returns how a schema is read.
func specOfSchema(schema *tfprotov6.Schema) hcldec.Spec {
	spec, is := specs.Load(schema)
	if !is {
		spec, _ = specs.LoadOrStore(schema, specOf(schema.Block))
	}
	return spec.(hcldec.Spec)
}

// specOf returns how the block of a schema is read.
func specOf(b *tfprotov6.SchemaBlock) hcldec.ObjectSpec {
	spec := hcldec.ObjectSpec{}
	for _, a := range b.Attributes {
		spec[a.Name] = &hcldec.AttrSpec{Name: a.Name, Type: configType(a), Required: a.Required}
	}
	for _, nested := range b.BlockTypes {
		if nested.Nesting != tfprotov6.SchemaNestedBlockNestingModeSingle {
			panic("the model has single nested blocks only: " + nested.TypeName)
		}
		spec[nested.TypeName] = &hcldec.BlockSpec{TypeName: nested.TypeName, Nested: specOf(nested.Block)}
	}
	return spec
}

// configType returns the type of an attribute in a configuration, where objects need only have the required
// attributes.
func configType(a *tfprotov6.SchemaAttribute) cty.Type {
	if a.NestedType == nil {
		return ctyType(a.Type)
	}
	types, optional := map[string]cty.Type{}, []string{}
	for _, member := range a.NestedType.Attributes {
		types[member.Name] = configType(member)
		if !member.Required {
			optional = append(optional, member.Name)
		}
	}
	object := cty.ObjectWithOptionalAttrs(types, optional)
	switch a.NestedType.Nesting {
	case tfprotov6.SchemaObjectNestingModeList:
		return cty.List(object)
	case tfprotov6.SchemaObjectNestingModeSet:
		return cty.Set(object)
	case tfprotov6.SchemaObjectNestingModeMap:
		return cty.Map(object)
	}
	return object
}

// instances returns the instances of a block.
func (s scope) instances(b *block) ([]instance, Problems) {
	switch {
	case b.count != nil:
		value, diags := s.evaluate(b.count)
		if diags.Failed() {
			return nil, diags
		}
		value, err := convert.Convert(value, cty.Number)
		if err != nil || !value.IsKnown() || value.IsNull() {
			return nil, Problem("Invalid count argument", "The \"count\" value depends on resource attributes that cannot be determined until apply, or is no number.")
		}
		n, _ := value.AsBigFloat().Int64()
		all := []instance{}
		for i := range n {
			key := cty.NumberIntVal(i)
			all = append(all, instance{keyOf(key), map[string]cty.Value{"count": cty.ObjectVal(map[string]cty.Value{"index": key})}})
		}
		return all, nil
	case b.forEach != nil:
		value, diags := s.evaluate(b.forEach)
		if diags.Failed() {
			return nil, diags
		}
		if !value.IsKnown() || value.IsNull() || !value.CanIterateElements() || value.Type().IsSetType() && !value.IsWhollyKnown() {
			return nil, Problem("Invalid for_each argument", "The \"for_each\" value depends on resource attributes that cannot be determined until apply, or is no map or set.")
		}
		all := []instance{}
		for key, v := range value.Elements() {
			if value.Type().IsSetType() {
				key = v
			}
			all = append(all, instance{keyOf(key), map[string]cty.Value{"each": cty.ObjectVal(map[string]cty.Value{"key": key, "value": v})}})
		}
		return all, nil
	}
	return []instance{{}}, nil
}

// keyOf writes the key of an instance.
func keyOf(key cty.Value) string {
	if key.Type() == cty.Number {
		return "[" + key.AsBigFloat().Text('f', -1) + "]"
	}
	return "[" + string(hclwrite.TokensForValue(key).Bytes()) + "]"
}

// together returns the value of a block, made from the values of its instances, which value returns by their
// keys.
func (b *block) together(instances []instance, value func(key string) cty.Value) cty.Value {
	var all []cty.Value
	named := map[string]cty.Value{}
	for _, i := range instances {
		v := value(i.key)
		all = append(all, v)
		if b.forEach != nil {
			named[i.each["each"].GetAttr("key").AsString()] = v
		}
	}
	switch {
	case b.count != nil:
		return cty.TupleVal(all)
	case b.forEach != nil:
		return cty.ObjectVal(named)
	}
	return all[0]
}

// without returns a configuration in which the ignored attributes have the values of the state, as
// ignore_changes makes Terraform do.
func without(ignored []string, config, prior tftypes.Value) tftypes.Value {
	if prior.IsNull() || len(ignored) == 0 {
		return config
	}
	values, old := Members(config), Members(prior)
	for name := range values {
		if slices.Contains(ignored, name) {
			values[name] = old[name]
		}
	}
	return tftypes.NewValue(config.Type(), values)
}
