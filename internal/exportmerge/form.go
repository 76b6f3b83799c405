// This file brings expressions into a canonical form, which is the same for all ways to write the
// same values and references.

package exportmerge

import (
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// canonical returns the canonical form of an expression in a file. plain reports whether an export could
// have written the expression: it consists of values, references to resources of this provider and to
// modules, file() and chomp().
func canonical(f *file, node hclsyntax.Node) (form string, plain bool) {
	switch expr := node.(type) {
	case *hclsyntax.LiteralValueExpr:
		return literal(expr.Val), true
	case *hclsyntax.TemplateExpr:
		return template(f, expr)
	case *hclsyntax.TemplateWrapExpr:
		form, plain = canonical(f, expr.Wrapped)
		return `"${` + form + `}"`, plain
	case *hclsyntax.ParenthesesExpr:
		return canonical(f, expr.Expression)
	case *hclsyntax.UnaryOpExpr:
		form, _ = canonical(f, expr.Val)
		_, isLiteral := expr.Val.(*hclsyntax.LiteralValueExpr)
		return "-" + form, isLiteral && expr.Op == hclsyntax.OpNegate
	case *hclsyntax.ScopeTraversalExpr:
		root := expr.Traversal.RootName()
		return f.asRecorded(expr.Traversal), root == "module" || strings.HasPrefix(root, "enms_")
	case *hclsyntax.TupleConsExpr:
		return list(f, expr.Exprs, "[", "]")
	case *hclsyntax.ObjectConsExpr:
		return object(f, expr)
	case *hclsyntax.FunctionCallExpr:
		return call(f, expr)
	}
	return bareText(f, node.Range()), false
}

// literal returns a value as JSON.
func literal(v cty.Value) string {
	document, _ := ctyjson.Marshal(v, v.Type()) // a literal is known: no error
	return string(document)
}

// template returns the form of a string, which may contain references.
func template(f *file, expr *hclsyntax.TemplateExpr) (form string, plain bool) {
	if s, is := text(expr); is {
		return literal(cty.StringVal(s)), true
	}
	plain = true
	for _, e := range expr.Parts {
		part, is := canonical(f, e)
		if _, isText := e.(*hclsyntax.LiteralValueExpr); !isText {
			part = "${" + part + "}"
		}
		form, plain = form+part+",", plain && is
	}
	return `"` + form + `"`, plain
}

// call returns the form of a call of a function. Plain are those that an export writes: file(), and chomp() of a string.
func call(f *file, expr *hclsyntax.FunctionCallExpr) (form string, plain bool) {
	form, _ = list(f, expr.Args, expr.Name+"(", ")")
	if expr.Name == "chomp" && len(expr.Args) == 1 {
		if s, is := text(expr.Args[0]); is {
			return literal(cty.StringVal(strings.TrimRight(s, "\r\n"))), true
		}
	}
	// template writes file("${path.module}/code/name.py") as file("${path.module},"/code/name.py",").
	name, reads := strings.CutPrefix(form, `file("${path.module},"/`)
	if reads && f.noRecord { // without a record, the new export may name the file otherwise: its content counts
		content, err := f.code.readFile(path.Join(path.Dir(f.name), strings.TrimSuffix(name, `",")`)))
		if err == nil {
			return literal(cty.StringVal(string(content))), true
		}
	}
	return form, reads
}

// list joins the forms of expressions.
func list(f *file, all []hclsyntax.Expression, before, after string) (form string, plain bool) {
	var forms []string
	plain = true
	for _, e := range all {
		made, is := canonical(f, e)
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
		forms, plain = append(forms, keyForm(f, item.KeyExpr)+"="+made), plain && is
	}
	slices.Sort(forms)
	return "{" + strings.Join(forms, ",") + "}", plain
}

// keyForm returns the form of the key of an object's member: its text, or a reference in parentheses.
func keyForm(f *file, expr hclsyntax.Expression) string {
	if wrapped, is := expr.(*hclsyntax.ObjectConsKeyExpr); is {
		if name := hcl.ExprAsKeyword(wrapped.Wrapped); name != "" {
			return name
		}
		expr = wrapped.Wrapped
	}
	if s, is := text(expr); is {
		return s
	}
	form, _ := canonical(f, expr)
	return "(" + form + ")"
}

// asRecorded returns the form of a reference with the address that its block had in the record.
func (f *file) asRecorded(t hcl.Traversal) string {
	form, prefix := bareText(f, t.SourceRange()), modulePrefix(f.name)
	for _, address := range []string{addressOf(t), instanceOf(t)} {
		if before, is := f.recorded[prefix+address]; is {
			return strings.TrimPrefix(before, prefix) + strings.TrimPrefix(form, address)
		}
	}
	return form
}

// instanceOf returns the address of the instance that a traversal refers to, with its key.
func instanceOf(t hcl.Traversal) string {
	if len(t) >= 3 {
		if at, is := t[2].(hcl.TraverseIndex); is && at.Key.Type() == cty.String {
			return addressOf(t) + "[" + Quote(at.Key.AsString()) + "]"
		}
	}
	return ""
}

// addressOf returns the address of the block that a traversal refers to.
func addressOf(t hcl.Traversal) string {
	if len(t) >= 2 {
		if name, is := t[1].(hcl.TraverseAttr); is {
			return t.RootName() + "." + name.Name
		}
	}
	return ""
}
