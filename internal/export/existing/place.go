// This file finds the expression that sets an attribute of an instance.

package existing

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Place is where the value of an attribute, or of a member of it, is written, or would be
// written.
type Place struct {
	Name string

	scope *Scope
	in    *Instance
	file  *File
	expr  hclsyntax.Expression      // nil if nothing is written
	block *hclsyntax.Body           // the block with the attribute, or
	whole *hclsyntax.ObjectConsExpr // the object with the member
	item  int                       // the index of the member in whole
	at    hcl.Range                 // the position to report if nothing is written
	each  bool                      // whether several instances share the expression
}

// Place returns the place of an attribute of an instance: in the block, or in the instance's
// member of for_each if the block refers to it.
func (s *Scope) Place(in *Instance, name string) Place {
	p := Place{Name: name, scope: s, in: in, file: in.File, block: in.Block.Body, at: in.Block.DefRange()}
	a := in.Attribute(name)
	if a == nil {
		return p
	}
	p.expr, p.each = a.Expr, in.Keyed()
	if member, is := ofEach(a.Expr); is && in.Keyed() {
		if entry, is := s.entry(in); is {
			return entry.Member(member)
		}
	}
	return p
}

// entry returns the instance's member of for_each, if that is written as an object.
func (s *Scope) entry(in *Instance) (Place, bool) {
	whole, is := s.literal(in.Attribute("for_each").Expr)
	if !is {
		return Place{}, false
	}
	p := Place{scope: s, in: in, file: s.directory.files[whole.SrcRange.Filename], expr: whole, at: whole.SrcRange}.Member(in.Key())
	_, is = p.expr.(*hclsyntax.ObjectConsExpr)
	return p, is
}

// Each returns the place of for_each of a resource, if it is written as an object.
func (s *Scope) Each(r *Resource) (Place, bool) {
	each := r.Attribute("for_each")
	if each == nil {
		return Place{}, false
	}
	whole, is := s.literal(each.Expr)
	if !is {
		return Place{}, false
	}
	return Place{Name: "for_each", scope: s, in: &Instance{Resource: r}, file: s.directory.files[whole.SrcRange.Filename], expr: whole, at: whole.SrcRange}, true
}

// IsWritten reports whether there is an expression.
func (p Place) IsWritten() bool { return p.expr != nil }

// IsObject reports whether the expression is written as an object, member by member.
func (p Place) IsObject() bool {
	_, is := p.expr.(*hclsyntax.ObjectConsExpr)
	return is
}

// InEach reports whether the value is a member of for_each.
func (p Place) InEach() bool { return p.whole != nil }

// Member returns the place of a member of the object at this place.
func (p Place) Member(name string) Place {
	whole, _ := p.expr.(*hclsyntax.ObjectConsExpr)
	m := Place{Name: name, scope: p.scope, in: p.in, file: p.file, whole: whole, at: p.Range(), each: p.each}
	if whole == nil {
		return m
	}
	for n, item := range whole.Items {
		if key, known := p.scope.JSON(item.KeyExpr, p.in); known && key == name {
			m.expr, m.item = item.ValueExpr, n
		}
	}
	return m
}

// Members returns the names of the members of an object in their order. known is false if a name
// cannot be evaluated.
func (p Place) Members() (names []string, known bool) {
	whole, is := p.expr.(*hclsyntax.ObjectConsExpr)
	if !is {
		return nil, false
	}
	for _, item := range whole.Items {
		key, known := p.scope.JSON(item.KeyExpr, p.in)
		name, is := key.(string)
		if !known || !is {
			return nil, false
		}
		names = append(names, name)
	}
	return names, true
}

// Range returns the range of the expression, or of what would contain it.
func (p Place) Range() hcl.Range {
	if p.expr == nil {
		return p.at
	}
	return p.expr.Range()
}

// Position returns the file and the line, such as "main.tf:12".
func (p Place) Position() string { return Position(p.Range()) }

// Value returns the value as JSON. known is false if it cannot be evaluated.
func (p Place) Value() (x any, known bool) {
	if p.expr == nil {
		return nil, true
	}
	return p.scope.JSON(p.expr, p.in)
}

// Text returns the expression as it is written.
func (p Place) Text() string { return p.file.Text(p.expr.Range()) }

// FilesNamed returns the files in calls of file() in the expression.
func (p Place) FilesNamed() (names []string) {
	_ = hclsyntax.VisitAll(p.expr, func(node hclsyntax.Node) hcl.Diagnostics {
		if expr, is := node.(hclsyntax.Expression); is {
			if name, is := p.scope.fileOf(expr, p.in); is {
				names = append(names, name)
			}
		}
		return nil
	})
	return names
}

// File returns the content of a file to which an expression refers.
func (p Place) File(name string) ([]byte, error) { return p.scope.directory.read(name) }

// Replace replaces the expression by that of another place.
func (p Place) Replace(from Place) { p.file.Replace(p.expr.Range(), from.Text()) }

// Entry returns the instance's member of for_each, if that is written as an object.
func (s *Scope) Entry(in *Instance) (entry Place, is bool) {
	if !in.Keyed() {
		return Place{}, false
	}
	return s.entry(in)
}

// inline returns the value of a place on one line.
func (p Place) inline() string {
	x, _ := p.Value()
	return literal(x)
}
