// This file evaluates expressions.

package existing

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// Scope holds the values that expressions of a directory may refer to.
type Scope struct {
	directory *Directory
	variables map[string]cty.Value
	functions map[string]function.Function
}

// Known holds the known attributes of resources, as JSON values, by the addresses of instances.
type Known map[string]map[string]any

// Scope returns a scope in which resources have their known attributes.
func (d *Directory) Scope(known Known) *Scope {
	s := &Scope{directory: d, functions: functions(d.read)}
	here := cty.ObjectVal(map[string]cty.Value{"module": cty.StringVal("."), "root": cty.StringVal("."), "cwd": cty.DynamicVal})
	s.variables = map[string]cty.Value{"path": here, "var": object(d.variables), "data": cty.DynamicVal, "module": cty.DynamicVal, "terraform": cty.DynamicVal}
	maps.Copy(s.variables, known.values())
	s.setLocals()
	return s
}

// setLocals evaluates the locals, which may refer to each other.
func (s *Scope) setLocals() {
	locals := map[string]cty.Value{}
	for name := range s.directory.locals {
		locals[name] = cty.DynamicVal
	}
	for found := true; found; {
		s.variables["local"] = object(locals)
		found = false
		for name, expr := range s.directory.locals {
			if locals[name] != cty.DynamicVal {
				continue
			}
			if v, ok := s.Value(expr, nil); ok {
				locals[name], found = v, true
			}
		}
	}
	s.variables["local"] = object(locals)
}

// object returns an object value, which may be empty.
func object(members map[string]cty.Value) cty.Value {
	if len(members) == 0 {
		return cty.EmptyObjectVal
	}
	return cty.ObjectVal(members)
}

// values returns the resources for expressions, by type.
func (k Known) values() map[string]cty.Value {
	types := map[string]map[string]cty.Value{}
	keyed := map[string]map[string]map[string]cty.Value{}
	for address, attributes := range k {
		traversal, diags := hclsyntax.ParseTraversalAbs([]byte(address), "", hcl.InitialPos)
		if diags.HasErrors() || len(traversal) < 2 {
			continue
		}
		label, is := traversal[1].(hcl.TraverseAttr)
		if !is {
			continue
		}
		typ := traversal.RootName()
		if types[typ] == nil {
			types[typ], keyed[typ] = map[string]cty.Value{}, map[string]map[string]cty.Value{}
		}
		members := map[string]cty.Value{}
		for name, x := range attributes {
			members[name] = FromJSON(x)
		}
		if len(traversal) == 2 {
			types[typ][label.Name] = object(members)
			continue
		}
		index, is := traversal[2].(hcl.TraverseIndex)
		if !is || index.Key.Type() != cty.String {
			continue
		}
		if keyed[typ][label.Name] == nil {
			keyed[typ][label.Name] = map[string]cty.Value{}
		}
		keyed[typ][label.Name][index.Key.AsString()] = object(members)
	}
	all := map[string]cty.Value{}
	for typ, labels := range types {
		for label, instances := range keyed[typ] {
			labels[label] = object(instances)
		}
		all[typ] = object(labels)
	}
	return all
}

// Instance is an instance of a resource.
type Instance struct {
	*Resource
	key   cty.Value // cty.NilVal without for_each
	value cty.Value
}

// Key returns the key of the instance, or "" without for_each.
func (i *Instance) Key() string {
	if i.key == cty.NilVal {
		return ""
	}
	return i.key.AsString()
}

// Keyed reports whether the instance is one of for_each.
func (i *Instance) Keyed() bool { return i.key != cty.NilVal }

// Address returns the address of the instance.
func (i *Instance) Address() string {
	if !i.Keyed() {
		return i.Resource.Address()
	}
	return i.InstanceAddress(i.Key())
}

// InstanceAddress returns the address of the instance with a key.
func (r *Resource) InstanceAddress(key string) string { return r.Address() + "[" + quote(key) + "]" }

// quote writes a key in quotes.
func quote(s string) string {
	return string(bytes.ReplaceAll([]byte(strconv.Quote(s)), []byte("${"), []byte("$${")))
}

// Instances returns the instances of a resource. known is false if for_each cannot be evaluated,
// and for resources with count.
func (s *Scope) Instances(r *Resource) (all []*Instance, known bool) {
	switch each := r.Attribute("for_each"); {
	case r.Attribute("count") != nil:
		return nil, false
	case each == nil:
		return []*Instance{{Resource: r}}, true
	default:
		return s.instances(r, each.Expr)
	}
}

func (s *Scope) instances(r *Resource, each hclsyntax.Expression) (all []*Instance, known bool) {
	if members, is := s.literal(each); is { // some of its values may be unknown
		for _, item := range members.Items {
			key, ok := s.Value(item.KeyExpr, nil)
			key, err := convert.Convert(key, cty.String)
			if !ok || err != nil {
				return nil, false
			}
			all = append(all, &Instance{Resource: r, key: key, value: s.partly(item.ValueExpr)})
		}
		return all, true
	}
	v, ok := s.Value(each, nil)
	if !ok || !v.CanIterateElements() {
		return nil, false
	}
	for it := v.ElementIterator(); it.Next(); {
		key, value := it.Element()
		if v.Type().IsSetType() {
			key = value
		}
		if key.Type() != cty.String {
			return nil, false
		}
		all = append(all, &Instance{Resource: r, key: key, value: value})
	}
	return all, true
}

// partly evaluates an expression. Members of an object that cannot be evaluated are unknown.
func (s *Scope) partly(expr hclsyntax.Expression) cty.Value {
	members, is := expr.(*hclsyntax.ObjectConsExpr)
	if !is {
		v, _ := s.value(expr, nil)
		return v
	}
	all := map[string]cty.Value{}
	for _, item := range members.Items {
		key, ok := s.Value(item.KeyExpr, nil)
		if !ok || key.Type() != cty.String {
			return cty.DynamicVal
		}
		all[key.AsString()] = s.partly(item.ValueExpr)
	}
	return object(all)
}

// literal returns the object expression that an expression is, or that the local value has to
// which it refers.
func (s *Scope) literal(expr hclsyntax.Expression) (*hclsyntax.ObjectConsExpr, bool) {
	switch expr := expr.(type) {
	case *hclsyntax.ObjectConsExpr:
		return expr, true
	case *hclsyntax.ParenthesesExpr:
		return s.literal(expr.Expression)
	case *hclsyntax.ScopeTraversalExpr:
		if name, is := member(expr, "local"); is && s.directory.locals[name] != nil {
			return s.literal(s.directory.locals[name])
		}
	}
	return nil, false
}

// member returns the name in a reference, such as x in "local.x".
func member(expr *hclsyntax.ScopeTraversalExpr, roots ...string) (string, bool) {
	if len(expr.Traversal) != len(roots)+1 || expr.Traversal.RootName() != roots[0] {
		return "", false
	}
	var name string
	for n, step := range expr.Traversal[1:] {
		attr, is := step.(hcl.TraverseAttr)
		if !is || n+1 < len(roots) && attr.Name != roots[n+1] {
			return "", false
		}
		name = attr.Name
	}
	return name, true
}

// value evaluates an expression for an instance, which may be nil.
func (s *Scope) value(expr hclsyntax.Expression, in *Instance) (cty.Value, bool) {
	context := &hcl.EvalContext{Variables: s.variables, Functions: s.functions}
	if in != nil && in.Keyed() {
		context = context.NewChild()
		context.Variables = map[string]cty.Value{"each": cty.ObjectVal(map[string]cty.Value{"key": in.key, "value": in.value})}
	}
	v, diags := expr.Value(context)
	if diags.HasErrors() {
		return cty.DynamicVal, false
	}
	v, _ = v.UnmarkDeep()
	return v, true
}

// Value returns the value of an expression for an instance, which may be nil. known is false if
// any part of it is unknown.
func (s *Scope) Value(expr hclsyntax.Expression, in *Instance) (v cty.Value, known bool) {
	v, ok := s.value(expr, in)
	return v, ok && v.IsWhollyKnown()
}

// JSON returns the value of an expression as JSON.
func (s *Scope) JSON(expr hclsyntax.Expression, in *Instance) (x any, known bool) {
	v, known := s.Value(expr, in)
	if !known {
		return nil, false
	}
	return ToJSON(v), true
}

// Text returns the value of an attribute of an instance that is a string.
func (s *Scope) Text(in *Instance, attribute string) (text string, known bool) {
	a := in.Attribute(attribute)
	if a == nil {
		return "", false
	}
	x, known := s.JSON(a.Expr, in)
	text, is := x.(string)
	return text, known && is
}

// ToJSON returns a known value as JSON, numbers as json.Number.
func ToJSON(v cty.Value) any {
	if v.IsNull() {
		return nil
	}
	document, err := ctyjson.Marshal(v, v.Type())
	if err != nil {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	var x any
	_ = decoder.Decode(&x) // it was just encoded
	return x
}

// FromJSON converts a JSON value, whose numbers are json.Number.
func FromJSON(x any) cty.Value {
	switch x := x.(type) {
	case string:
		return cty.StringVal(x)
	case bool:
		return cty.BoolVal(x)
	case json.Number:
		if v, err := cty.ParseNumberVal(x.String()); err == nil {
			return v
		}
	case []any:
		members := make([]cty.Value, len(x))
		for n, member := range x {
			members[n] = FromJSON(member)
		}
		return cty.TupleVal(members)
	case map[string]any:
		members := map[string]cty.Value{}
		for _, name := range slices.Sorted(maps.Keys(x)) {
			members[name] = FromJSON(x[name])
		}
		return object(members)
	}
	return cty.NullVal(cty.DynamicPseudoType)
}

// FilesNamed counts the calls of file() by the files that they name.
func (s *Scope) FilesNamed() map[string]int { return s.filesNamed(s.directory.Files()) }

// Names returns the attributes of the block in their order.
func (r *Resource) Names() []string {
	return slices.SortedFunc(maps.Keys(r.Block.Body.Attributes), func(x, y string) int {
		return r.Attribute(x).SrcRange.Start.Byte - r.Attribute(y).SrcRange.Start.Byte
	})
}

// EachMember returns x if an attribute is "each.value.x" or "try(each.value.x, null)". optional
// reports whether it is the latter.
func (r *Resource) EachMember(attribute string) (member string, optional, is bool) {
	a := r.Attribute(attribute)
	if a == nil {
		return "", false, false
	}
	member, is = ofEach(a.Expr)
	_, optional = a.Expr.(*hclsyntax.FunctionCallExpr)
	return member, optional, is
}

// SetAttribute replaces the expression of an attribute.
func (r *Resource) SetAttribute(name, text string) {
	r.File.Replace(r.Attribute(name).Expr.Range(), text)
}

// Text returns the block as it is written.
func (r *Resource) Text() string { return r.File.Text(r.Block.Range()) + "\n" }

// ofEach returns x if the expression is "each.value.x" or "try(each.value.x, null)".
func ofEach(expr hclsyntax.Expression) (string, bool) {
	switch expr := expr.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		return member(expr, "each", "value")
	case *hclsyntax.FunctionCallExpr:
		if expr.Name == "try" && len(expr.Args) == 2 {
			if literal, is := expr.Args[1].(*hclsyntax.LiteralValueExpr); is && literal.Val.IsNull() {
				return ofEach(expr.Args[0])
			}
		}
	}
	return "", false
}

// filesNamed counts the calls of file() by the files that they name.
func (s *Scope) filesNamed(files []*File) map[string]int {
	count := map[string]int{}
	for _, f := range files {
		_ = hclsyntax.VisitAll(f.Body, func(node hclsyntax.Node) hcl.Diagnostics {
			if expr, is := node.(hclsyntax.Expression); is {
				if name, is := s.fileOf(expr, nil); is {
					count[name]++
				}
			}
			return nil
		})
	}
	return count
}

// fileOf returns the name of the file whose content is the value of an expression.
func (s *Scope) fileOf(expr hclsyntax.Expression, in *Instance) (string, bool) {
	call, is := expr.(*hclsyntax.FunctionCallExpr)
	if !is || call.Name != "file" || len(call.Args) != 1 {
		return "", false
	}
	v, known := s.Value(call.Args[0], in)
	if !known || v.IsNull() || v.Type() != cty.String {
		return "", false
	}
	return local(v.AsString())
}

// FilesOf counts the calls of file() in a block by the files that they name.
func (s *Scope) FilesOf(b *Block) map[string]int {
	return s.filesNamed([]*File{{Body: b.Body}})
}
