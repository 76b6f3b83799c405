// This file reads and extends the arguments that every resource has: ignore_changes and
// depends_on.

package existing

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// everything is the value of ignore_changes that stands for all attributes.
const everything = "all"

// Ignored returns the members of ignore_changes, such as "location" and "properties.commands".
func (r *Resource) Ignored() []string { return r.named(r.ignoreChanges()) }

// Ignores reports whether Terraform ignores changes of an attribute or of a member of it.
func (r *Resource) Ignores(attribute string) bool {
	return slices.ContainsFunc(r.Ignored(), func(ignored string) bool {
		return ignored == everything || ignored == attribute || strings.HasPrefix(attribute, ignored+".")
	})
}

// DependsOn returns the addresses in depends_on.
func (r *Resource) DependsOn() []string { return r.named(r.Attribute("depends_on")) }

// named returns the members of a list of references, as they are written.
func (r *Resource) named(a *hclsyntax.Attribute) (names []string) {
	if a == nil {
		return nil
	}
	list, is := a.Expr.(*hclsyntax.TupleConsExpr)
	if !is {
		return []string{strings.TrimSpace(r.File.Text(a.Expr.Range()))}
	}
	for _, expr := range list.Exprs {
		names = append(names, r.File.Text(expr.Range()))
	}
	return names
}

func (r *Resource) lifecycle() *hclsyntax.Block {
	for _, b := range r.Block.Body.Blocks {
		if b.Type == "lifecycle" {
			return b
		}
	}
	return nil
}

func (r *Resource) ignoreChanges() *hclsyntax.Attribute {
	if b := r.lifecycle(); b != nil {
		return b.Body.Attributes["ignore_changes"]
	}
	return nil
}

// AddIgnored adds attributes to ignore_changes.
func (r *Resource) AddIgnored(names []string) {
	line := "ignore_changes = [" + strings.Join(names, ", ") + "]"
	switch a, b := r.ignoreChanges(), r.lifecycle(); {
	case a != nil:
		r.addToList(a, names)
	case b != nil:
		r.File.addAttribute(b, line, nil)
	default:
		at := r.File.lineStart(r.Block.CloseBraceRange.Start.Byte)
		if at <= r.Block.OpenBraceRange.Start.Byte { // all on one line
			at = r.Block.CloseBraceRange.Start.Byte
		}
		r.File.replace(at, at, "\n  lifecycle {\n    "+line+"\n  }\n")
	}
}

// AddDependsOn adds addresses to depends_on.
func (r *Resource) AddDependsOn(addresses []string) {
	if a := r.Attribute("depends_on"); a != nil {
		r.addToList(a, addresses)
		return
	}
	r.File.addLast(r.Block, "depends_on = ["+strings.Join(addresses, ", ")+"]")
}

// addLast adds an attribute at the end of a block.
func (f *File) addLast(b *hclsyntax.Block, text string) {
	var last *hclsyntax.Attribute
	for _, a := range b.Body.Attributes {
		if last == nil || a.SrcRange.Start.Byte > last.SrcRange.Start.Byte {
			last = a
		}
	}
	after := []string{}
	if last != nil {
		after = append(after, last.Name)
	}
	f.addAttribute(b, text, after)
}

func (r *Resource) addToList(a *hclsyntax.Attribute, names []string) {
	list, is := a.Expr.(*hclsyntax.TupleConsExpr)
	switch {
	case !is: // "all"
	case len(list.Exprs) == 0:
		r.File.Replace(list.SrcRange, "["+strings.Join(names, ", ")+"]")
	default:
		items := elements(list)
		for _, name := range names {
			r.File.insertItem(items, len(items)-1, name, true)
		}
	}
}

// RemoveDependsOn removes addresses from depends_on.
func (r *Resource) RemoveDependsOn(addresses map[string]bool) {
	a := r.Attribute("depends_on")
	if a == nil {
		return
	}
	list, is := a.Expr.(*hclsyntax.TupleConsExpr)
	names := r.DependsOn()
	left := slices.ContainsFunc(names, func(name string) bool { return !addresses[name] })
	switch {
	case !is || !slices.ContainsFunc(names, func(name string) bool { return addresses[name] }):
	case !left:
		r.File.deleteLines(a.SrcRange.Start.Byte, a.SrcRange.End.Byte)
	default:
		r.File.removeItems(elements(list), func(n int) bool { return addresses[names[n]] })
	}
}

// AddressOf returns the address of the resource that a reference refers to, or "" if it refers to
// none.
func AddressOf(t hcl.Traversal) string {
	if len(t) < 2 {
		return ""
	}
	label, is := t[1].(hcl.TraverseAttr)
	if !is {
		return ""
	}
	return t.RootName() + "." + label.Name
}

// References returns the addresses of the resources that a block refers to.
func References(b *hclsyntax.Block) map[string]bool {
	named := map[string]bool{}
	_ = hclsyntax.VisitAll(b.Body, func(node hclsyntax.Node) hcl.Diagnostics {
		if expr, is := node.(*hclsyntax.ScopeTraversalExpr); is {
			named[AddressOf(expr.Traversal)] = true
		}
		return nil
	})
	return named
}

// Visit returns a function for hclsyntax.VisitAll. It calls do for each reference, with the root
// and the next name, such as "var" and "port".
func Visit(do func(root, name string)) hclsyntax.VisitFunc {
	return func(node hclsyntax.Node) hcl.Diagnostics {
		if expr, is := node.(*hclsyntax.ScopeTraversalExpr); is && len(expr.Traversal) > 1 {
			if name, is := expr.Traversal[1].(hcl.TraverseAttr); is {
				do(expr.Traversal.RootName(), name.Name)
			}
		}
		return nil
	}
}
