// This file brings expressions into a canonical form, which is the same for all ways to write the
// same values and references, and makes digests of it.

package exportmerge

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// canonical returns the canonical form of an expression in a file. plain reports whether it
// consists of values, references to attributes of resources, and files.
func canonical(f *file, expr hclsyntax.Expression) (form string, plain bool) {
	switch expr := expr.(type) {
	case *hclsyntax.LiteralValueExpr:
		return literal(expr.Val), true
	case *hclsyntax.TemplateExpr:
		return template(f, expr)
	case *hclsyntax.TemplateWrapExpr:
		form, plain = canonical(f, expr.Wrapped)
		return `"${` + form + `}"`, plain
	case *hclsyntax.ParenthesesExpr:
		return canonical(f, expr.Expression)
	case *hclsyntax.ObjectConsKeyExpr:
		return key(f, expr), true
	case *hclsyntax.UnaryOpExpr:
		form, plain = canonical(f, expr.Val)
		_, isLiteral := expr.Val.(*hclsyntax.LiteralValueExpr)
		return "-" + form, plain && isLiteral && expr.Op == hclsyntax.OpNegate
	case *hclsyntax.ScopeTraversalExpr:
		return f.asRecorded(expr.Traversal, words(f, expr.Range())), isReference(expr.Traversal)
	case *hclsyntax.TupleConsExpr:
		return list(expr.Exprs, "[", "]", func(e hclsyntax.Expression) (string, bool) { return canonical(f, e) })
	case *hclsyntax.ObjectConsExpr:
		return object(f, expr)
	case *hclsyntax.FunctionCallExpr:
		return call(f, expr)
	}
	return words(f, expr.Range()), false
}

// literal returns a value as JSON.
func literal(v cty.Value) string {
	if !v.IsWhollyKnown() || v.IsNull() {
		return "null"
	}
	document, err := ctyjson.Marshal(v, v.Type())
	if err != nil {
		return "null"
	}
	return string(document)
}

// template returns the form of a string, which may contain references.
func template(f *file, expr *hclsyntax.TemplateExpr) (form string, plain bool) {
	if v, diags := expr.Value(nil); !diags.HasErrors() {
		return literal(v), true
	}
	return list(expr.Parts, `"`, `"`, func(e hclsyntax.Expression) (string, bool) {
		part, plain := canonical(f, e)
		if _, isText := e.(*hclsyntax.LiteralValueExpr); !isText {
			part = "${" + part + "}"
		}
		return part, plain
	})
}

// call returns the form of a call of a function. Those that an export writes count as plain.
func call(f *file, expr *hclsyntax.FunctionCallExpr) (form string, plain bool) {
	form, _ = list(expr.Args, expr.Name+"(", ")", func(e hclsyntax.Expression) (string, bool) { return canonical(f, e) })
	if expr.Name == "chomp" && len(expr.Args) == 1 {
		if v, diags := expr.Args[0].Value(nil); !diags.HasErrors() && v.Type() == cty.String {
			return literal(cty.StringVal(strings.TrimRight(v.AsString(), "\r\n"))), true
		}
	}
	if _, reads := fileOf(f, expr); reads {
		return form, true
	}
	return form, false
}

// fileOf returns the file that a call of the function file reads in the directory of the module.
func fileOf(f *file, expr hclsyntax.Expression) (name string, is bool) {
	called, isCall := expr.(*hclsyntax.FunctionCallExpr)
	if !isCall || called.Name != "file" || len(called.Args) != 1 {
		return "", false
	}
	return strings.CutPrefix(strings.Trim(f.source(called.Args[0].Range()), `"`), "${path.module}/")
}

// list joins the forms of expressions.
func list(all []hclsyntax.Expression, before, after string, of func(hclsyntax.Expression) (string, bool)) (form string, plain bool) {
	var forms []string
	plain = true
	for _, e := range all {
		made, is := of(e)
		forms, plain = append(forms, made), plain && is
	}
	return before + strings.Join(forms, ",") + after, plain
}

// object returns the form of an object; the order of its members is irrelevant.
func object(f *file, expr *hclsyntax.ObjectConsExpr) (form string, plain bool) {
	var forms []string
	plain = true
	for _, item := range expr.Items {
		made, is := canonical(f, item.ValueExpr)
		forms, plain = append(forms, key(f, item.KeyExpr)+"="+made), plain && is
	}
	slices.Sort(forms)
	return "{" + strings.Join(forms, ",") + "}", plain
}

// key returns the form of the key of an object's member: its text, or a reference in parentheses.
func key(f *file, expr hclsyntax.Expression) string {
	if wrapped, is := expr.(*hclsyntax.ObjectConsKeyExpr); is {
		if name := hcl.ExprAsKeyword(wrapped.Wrapped); name != "" && !wrapped.ForceNonLiteral {
			return name
		}
		expr = wrapped.Wrapped
	}
	if v, diags := expr.Value(nil); !diags.HasErrors() && v.Type() == cty.String && v.IsKnown() && !v.IsNull() {
		return v.AsString()
	}
	form, _ := canonical(f, expr)
	return "(" + form + ")"
}

// isReference reports whether a traversal is that of an attribute of a resource or of an output of
// a module.
func isReference(t hcl.Traversal) bool {
	return t.RootName() == "module" || strings.HasPrefix(t.RootName(), "enms_")
}

// asRecorded returns the form of a reference with the address that its block had in the record.
func (f *file) asRecorded(t hcl.Traversal, form string) string {
	address := addressOf(t)
	for _, address := range []string{address, instanceOf(t)} {
		if before, is := f.recorded[address]; is {
			return before + strings.TrimPrefix(form, address)
		}
	}
	return form
}

// instanceOf returns the address of the instance that a traversal refers to, with its key.
func instanceOf(t hcl.Traversal) string {
	if len(t) < 3 {
		return ""
	}
	at, is := t[2].(hcl.TraverseIndex)
	if !is || at.Key.Type() != cty.String {
		return ""
	}
	return addressOf(t) + "[" + Quote(at.Key.AsString()) + "]"
}

// addressOf returns the address of the block that a traversal refers to.
func addressOf(t hcl.Traversal) string {
	if len(t) < 2 {
		return ""
	}
	name, is := t[1].(hcl.TraverseAttr)
	if !is {
		return ""
	}
	return t.RootName() + "." + name.Name
}

// digest returns a digest of the canonical form of a value at a place: equal values at different
// places have different digests.
func digest(id, path, form string) string {
	return Digest([]string{id, path, form})
}

// Digest returns a digest of a JSON value, or "" for what is none.
func Digest(x any) string {
	document, err := json.Marshal(x)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(document)
	return hex.EncodeToString(sum[:6])
}
