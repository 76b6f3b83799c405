// This file finds the faults that can be made in a file.

package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

// fault is a small change of the code.
type fault struct {
	number       int    // from 1
	pkg          string // the import path
	file         string // relative to the module
	line, column int
	endLine      int
	was, is      string
	edits        []edit // write it into the file
	fate         fate
}

// fate is what became of a fault, and says it.
type fate struct {
	kind int
	text string
}

const (
	noticed = iota
	lived
	unreached
)

// String says what became of the fault, where it is and what it changes, on one line.
func (f *fault) String() string {
	return fmt.Sprintf("%s  %s:%d:%d: %s => %s", f.fate.text, f.file, f.line, f.column, shortened(f.was), shortened(f.is))
}

// shortened returns a text on one line, with at most 80 characters.
func shortened(text string) string {
	line := []rune(strings.Join(strings.Fields(text), " "))
	switch {
	case len(line) == 0:
		return "nothing"
	case len(line) > 80:
		return string(line[:80]) + "…"
	}
	return string(line)
}

// swap is what becomes of an operator, and the function of the package mut that takes its place, if any.
type swap struct {
	is       token.Token
	function string
}

var swaps = map[token.Token]swap{
	token.EQL:  {is: token.NEQ},
	token.NEQ:  {is: token.EQL},
	token.LAND: {is: token.LOR},
	token.LOR:  {is: token.LAND},
	token.LSS:  {token.LEQ, "Less"},
	token.LEQ:  {token.LSS, "AtMost"},
	token.GTR:  {token.GEQ, "Greater"},
	token.GEQ:  {token.GTR, "AtLeast"},
	token.ADD:  {token.SUB, "Add"},
	token.SUB:  {token.ADD, "Subtract"},
	token.MUL:  {token.QUO, "Multiply"},
	token.QUO:  {token.MUL, "Divide"},
}

// finder collects the faults of a file.
type finder struct {
	pkg    *packages.Package
	name   string // of the file, relative to the module
	source []byte
	syntax *ast.File
	before int // the number of the last fault of the files before
	found  []*fault
}

// find returns the faults that can be made in the file, in the order in which they nest.
func (f *finder) find() []*fault {
	ast.PreorderStack(f.syntax, nil, func(n ast.Node, above []ast.Node) bool {
		if f.fixed(n, above) {
			return false
		}
		switch n := n.(type) {
		case *ast.BinaryExpr:
			f.binary(n)
		case *ast.UnaryExpr:
			if n.Op == token.NOT {
				f.negate(n, f.text(n.X))
			}
		case *ast.IfStmt:
			f.condition(n.Cond)
		case *ast.BasicLit:
			f.literal(n)
		case *ast.Ident:
			if object := f.pkg.TypesInfo.Uses[n]; object != nil && object.Parent() == types.Universe {
				if other := map[string]string{"true": "false", "false": "true"}[n.Name]; other != "" {
					f.instead(n, f.pkg.TypesInfo.TypeOf(n), other)
				}
			}
		case *ast.ReturnStmt:
			f.returned(n, above)
		case *ast.BlockStmt:
			f.statements(n.List)
		case *ast.CaseClause:
			f.statements(n.Body)
		case *ast.CommClause:
			f.statements(n.Body)
		}
		return true
	})
	return f.found
}

// fixed reports whether nothing can be chosen at run time in a part of the code.
func (f *finder) fixed(n ast.Node, above []ast.Node) bool {
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Tok != token.VAR
	case *ast.FuncType, *ast.StructType, *ast.InterfaceType:
		return true
	}
	if len(above) < 2 {
		return false
	}
	switch parent := above[len(above)-1].(type) {
	case *ast.ArrayType:
		return parent.Len == n
	case *ast.KeyValueExpr:
		list, is := above[len(above)-2].(*ast.CompositeLit)
		if !is || parent.Key != n {
			return false
		}
		switch f.pkg.TypesInfo.TypeOf(list).Underlying().(type) {
		case *types.Array, *types.Slice:
			return true
		}
	}
	return false
}

func (f *finder) offset(p token.Pos) int { return f.pkg.Fset.Position(p).Offset }

func (f *finder) text(n ast.Node) string {
	return string(f.source[f.offset(n.Pos()):f.offset(n.End())])
}

// add adds a fault and returns it, to be given its edits, and its number as it stands in the code.
func (f *finder) add(n ast.Node, is string) (*fault, string) {
	at := f.pkg.Fset.Position(n.Pos())
	added := &fault{
		number: f.before + len(f.found) + 1, pkg: f.pkg.PkgPath, file: f.name,
		line: at.Line, column: at.Column, endLine: f.pkg.Fset.Position(n.End()).Line,
		was: f.text(n), is: is,
	}
	f.found = append(f.found, added)
	return added, strconv.Itoa(added.number)
}

// wrap writes something before and after a part of the code.
func (f *finder) wrap(to *fault, n ast.Node, before, after string) {
	to.edits = append(to.edits,
		edit{fault: to.number, at: f.offset(n.Pos()), text: before, kind: opens},
		edit{fault: to.number, at: f.offset(n.End()), text: after, kind: closes})
}

// negate adds the fault that an expression has the opposite value.
func (f *finder) negate(n ast.Expr, is string) {
	added, number := f.add(n, is)
	f.wrap(added, n, "(mut.On("+number+") != bool(", "))")
}

// condition negates a condition, unless its operator is replaced with the same result.
func (f *finder) condition(n ast.Expr) {
	switch n := n.(type) {
	case *ast.UnaryExpr:
		return
	case *ast.BinaryExpr:
		if n.Op == token.EQL || n.Op == token.NEQ {
			return
		}
	}
	f.negate(n, "!("+f.text(n)+")")
}

// binary replaces an operator, and leaves out either half of a condition.
func (f *finder) binary(n *ast.BinaryExpr) {
	other, is := swaps[n.Op]
	if basic, isBasic := f.pkg.TypesInfo.TypeOf(n).Underlying().(*types.Basic); !is || n.Op == token.ADD && isBasic && basic.Info()&types.IsString != 0 {
		return
	}
	left := f.text(n.X)
	if x, is := n.X.(*ast.BinaryExpr); is && x.Op == token.LOR {
		left = "(" + left + ")"
	}
	swapped := left + " " + other.is.String() + " " + f.text(n.Y)
	if other.function == "" && n.Op != token.LAND && n.Op != token.LOR {
		f.negate(n, swapped)
		return
	}
	added, number := f.add(n, swapped)
	if other.function != "" {
		f.wrap(added, n, "mut."+other.function+"("+number+", ", ")")
		added.edits = append(added.edits, edit{fault: added.number, at: f.offset(n.OpPos), text: ",", without: len(n.Op.String())})
		return
	}
	// !(!a || !b) is a && b, and the other way round: thus no operand stands there twice.
	f.wrap(added, n, "(mut.On("+number+") != (", "))")
	f.wrap(added, n.X, "(mut.On("+number+") != bool(", "))")
	f.wrap(added, n.Y, "(mut.On("+number+") != bool(", "))")
	for _, half := range []struct{ leaves, out ast.Expr }{{n.X, n.Y}, {n.Y, n.X}} {
		added, number := f.add(n, f.text(half.leaves))
		before := "(mut.On(" + number + ") || bool("
		if n.Op == token.LOR {
			before = "(!mut.On(" + number + ") && bool("
		}
		f.wrap(added, half.out, before, "))")
	}
}

// literal changes a number, or a string that is a word: sentences are for people.
func (f *finder) literal(n *ast.BasicLit) {
	switch {
	case n.Kind == token.INT:
		f.instead(n, f.pkg.TypesInfo.TypeOf(n), "("+n.Value+" + 1)")
	case n.Kind == token.STRING && len(n.Value) > 2 && !strings.ContainsAny(n.Value, " \\\n"):
		f.instead(n, f.pkg.TypesInfo.TypeOf(n), n.Value[:len(n.Value)-1]+"X"+n.Value[len(n.Value)-1:])
	}
}

// returned drops an error.
func (f *finder) returned(n *ast.ReturnStmt, above []ast.Node) {
	if len(n.Results) == 0 {
		return
	}
	last := n.Results[len(n.Results)-1]
	if name, is := last.(*ast.Ident); !is || name.Name != "err" {
		return
	}
	for i := len(above) - 1; i >= 0; i-- {
		var of *ast.FuncType
		switch function := above[i].(type) {
		case *ast.FuncDecl:
			of = function.Type
		case *ast.FuncLit:
			of = function.Type
		default:
			continue
		}
		results := of.Results.List
		f.instead(last, f.pkg.TypesInfo.TypeOf(results[len(results)-1].Type), "nil")
		return
	}
}

// instead adds the fault that something else stands in the place of a value. The type has to be written with it.
func (f *finder) instead(n ast.Expr, of types.Type, is string) {
	name, known := f.typeName(of)
	if !known {
		return
	}
	added, number := f.add(n, is)
	f.wrap(added, n, "mut.Or["+name+"]("+number+", ", ", "+is+")")
}

// typeName returns how the file writes a type, if it imports what it takes.
func (f *finder) typeName(of types.Type) (name string, known bool) {
	known = of != nil
	if !known {
		return "", false
	}
	name = types.TypeString(types.Default(of), func(p *types.Package) string {
		if p == f.pkg.Types {
			return ""
		}
		for _, spec := range f.syntax.Imports {
			if imported := f.pkg.TypesInfo.PkgNameOf(spec); imported != nil && imported.Imported() == p {
				return imported.Name()
			}
		}
		known = false
		return p.Name()
	})
	return name, known
}

// statements leaves out calls and assignments, but not those to nothing, and no panic: a function may end with it.
func (f *finder) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt:
			if call, is := s.X.(*ast.CallExpr); is && f.text(call.Fun) == "panic" {
				continue
			}
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE || f.text(s.Lhs[0]) == "_" {
				continue
			}
		default:
			continue
		}
		added, number := f.add(s, "")
		f.wrap(added, s, "if !mut.On("+number+") { ", " }")
	}
}
