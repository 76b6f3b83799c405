// This file finds the places of a file where a small fault can be made.

package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// fault is a change of a file: the text between two offsets is replaced. Not every fault compiles.
type fault struct {
	file     string
	line     int
	from, to int // offsets in bytes
	was, is  string
}

// String says where the fault is and what it changes, on one line.
func (f fault) String() string {
	return fmt.Sprintf("%s:%d: %s => %s", f.file, f.line, shortened(f.was), shortened(f.is))
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

// in returns the source with the fault.
func (f fault) in(source []byte) []byte {
	return slices.Concat(source[:f.from], []byte(f.is), source[f.to:])
}

// others has for each operator the one that takes its place.
var others = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.LAND: token.LOR, token.LOR: token.LAND, token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL,
}

// finder collects the faults of a file.
type finder struct {
	set    *token.FileSet
	source []byte
	found  []fault
}

// faultsOf returns the faults that can be made in a file.
func faultsOf(name string, source []byte) ([]fault, error) {
	f := &finder{set: token.NewFileSet(), source: source}
	file, err := parser.ParseFile(f.set, name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field: // its tag is no value
			return n.Tag == nil
		case *ast.BinaryExpr:
			f.binary(n)
		case *ast.UnaryExpr:
			if n.Op == token.NOT {
				f.replace(n, f.text(n.X))
			}
		case *ast.IfStmt:
			f.replace(n.Cond, "!("+f.text(n.Cond)+")")
		case *ast.BasicLit:
			f.literal(n)
		case *ast.Ident:
			if other := map[string]string{"true": "false", "false": "true"}[n.Name]; other != "" {
				f.replace(n, other)
			}
		case *ast.ReturnStmt:
			f.returned(n)
		case *ast.BlockStmt:
			f.statements(n.List)
		case *ast.CaseClause:
			f.statements(n.Body)
		}
		return true
	})
	return f.found, nil
}

func (f *finder) text(n ast.Node) string {
	return string(f.source[f.set.Position(n.Pos()).Offset:f.set.Position(n.End()).Offset])
}

func (f *finder) replace(n ast.Node, is string) { f.replaceBetween(n.Pos(), n.End(), is) }

func (f *finder) replaceBetween(from, to token.Pos, is string) {
	at, end := f.set.Position(from), f.set.Position(to)
	f.found = append(f.found, fault{file: at.Filename, line: at.Line, from: at.Offset, to: end.Offset, was: string(f.source[at.Offset:end.Offset]), is: is})
}

// binary replaces an operator, and leaves out either half of a condition.
func (f *finder) binary(n *ast.BinaryExpr) {
	other, is := others[n.Op]
	if !is || n.Op == token.ADD && (isString(n.X) || isString(n.Y)) {
		return
	}
	f.replaceBetween(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), other.String())
	if n.Op == token.LAND || n.Op == token.LOR {
		f.replace(n, f.text(n.X))
		f.replace(n, f.text(n.Y))
	}
}

// isString reports whether an expression is a string literal, or a sum with one.
func isString(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Kind == token.STRING
	case *ast.BinaryExpr:
		return isString(e.X) || isString(e.Y)
	}
	return false
}

// literal changes a number, or a string that is a word: sentences are for people.
func (f *finder) literal(n *ast.BasicLit) {
	switch {
	case n.Kind == token.INT:
		f.replace(n, "("+n.Value+" + 1)")
	case n.Kind == token.STRING && len(n.Value) > 2 && !strings.ContainsAny(n.Value, " \\\n"):
		f.replace(n, n.Value[:len(n.Value)-1]+"X"+n.Value[len(n.Value)-1:])
	}
}

// returned drops an error.
func (f *finder) returned(n *ast.ReturnStmt) {
	if len(n.Results) == 0 {
		return
	}
	last := n.Results[len(n.Results)-1]
	if name, is := last.(*ast.Ident); is && name.Name == "err" {
		f.replace(last, "nil")
	}
}

// statements leaves out calls and assignments, but not those to nothing.
func (f *finder) statements(list []ast.Stmt) {
	for _, s := range list {
		_, calls := s.(*ast.ExprStmt)
		assignment, assigns := s.(*ast.AssignStmt)
		if calls || assigns && assignment.Tok != token.DEFINE && f.text(assignment.Lhs[0]) != "_" {
			f.replace(s, "")
		}
	}
}
