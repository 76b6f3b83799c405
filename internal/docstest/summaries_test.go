// This file reads from the source which errors and warnings the provider can raise: the
// summaries of its diagnostics, whichever way they are made.

package docstest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// diagnosticMakers are the functions of the framework that make a diagnostic, and which
// argument is its summary. What the project's own functions hand on to them is found.
var diagnosticMakers = map[string]int{
	"AddError": 0, "AddWarning": 0, "AddAttributeError": 1, "AddAttributeWarning": 1,
	"NewErrorDiagnostic": 0, "NewWarningDiagnostic": 0, "NewAttributeErrorDiagnostic": 1, "NewAttributeWarningDiagnostic": 1,
}

// varying stands for what is different each time.
const varying = "…"

// source is the code of the provider, without its tests.
type source struct {
	files     *token.FileSet
	functions []*function
	constants map[string]ast.Expr // and texts of package-level errors, by package and name
}

// function is a function of the source and what it calls.
type function struct {
	pkg   string
	decl  *ast.FuncDecl
	calls []*ast.CallExpr
}

// readSource parses the provider's own packages.
func readSource(t *testing.T) *source {
	t.Helper()
	s := &source{files: token.NewFileSet(), constants: map[string]ast.Expr{}}
	err := filepath.WalkDir(filepath.Join(acctest.Repository, "internal"), func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "simulator" || entry.Name() == "acctest" || entry.Name() == "terraformtest" || entry.Name() == "testserver" || entry.Name() == "testdata" || entry.Name() == "cmd"):
			return fs.SkipDir
		case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(s.files, path, nil, 0)
		if err == nil {
			s.add(file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// add takes up the functions and the constants of a file.
func (s *source) add(file *ast.File) {
	pkg := file.Name.Name
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			f := &function{pkg: pkg, decl: decl}
			ast.Inspect(decl, func(n ast.Node) bool {
				if call, is := n.(*ast.CallExpr); is {
					f.calls = append(f.calls, call)
				}
				return true
			})
			s.functions = append(s.functions, f)
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				value, is := spec.(*ast.ValueSpec)
				if !is || len(value.Values) != len(value.Names) {
					continue
				}
				for i, name := range value.Names {
					if call, is := value.Values[i].(*ast.CallExpr); is && called(call) == "New" && len(call.Args) == 1 {
						s.constants[pkg+"."+name.Name] = call.Args[0]
					} else if decl.Tok == token.CONST {
						s.constants[pkg+"."+name.Name] = value.Values[i]
					}
				}
			}
		}
	}
}

// summaries returns those of all diagnostics, each with the places that make it. What cannot
// be read is told.
func (s *source) summaries() (found map[string][]string, unread []string) {
	found = map[string][]string{}
	add := func(in *function, expr ast.Expr) {
		where := s.files.Position(expr.Pos()).String()
		texts, read := s.texts(in, expr, nil)
		if !read {
			unread = append(unread, where)
		}
		for _, text := range texts {
			found[text] = append(found[text], where)
		}
	}
	for _, f := range s.functions {
		for _, call := range f.calls {
			if at, is := diagnosticMakers[called(call)]; is && len(call.Args) > at {
				add(f, call.Args[at])
			}
		}
		ast.Inspect(f.decl, func(n ast.Node) bool {
			if literal, is := n.(*ast.CompositeLit); is {
				fields := map[string]ast.Expr{}
				for _, element := range literal.Elts {
					if pair, is := element.(*ast.KeyValueExpr); is {
						fields[fmt.Sprint(pair.Key)] = pair.Value
					}
				}
				if fields["Severity"] != nil && fields["Summary"] != nil { // a diagnostic of the protocol
					add(f, fields["Summary"])
				}
			}
			return true
		})
	}
	return found, unread
}

// packagesOfResources are the packages whose own errors diagnostics show.
var packagesOfResources = []string{"resources", "failures", "instance", "listing", "operations", "planning", "reading"}

// reasons returns what errors say that diagnostics show: what the methods Error of the client,
// of kinds and of resources return, and the errors that resources make themselves.
func (s *source) reasons() (found []string) {
	for _, f := range s.functions {
		if !slices.Contains(slices.Concat(packagesOfResources, []string{"object", "rest", "endpoint", "runs", "enms", "kind"}), f.pkg) {
			continue
		}
		if f.decl.Name.Name == "Error" && f.decl.Recv != nil && len(f.decl.Type.Params.List) == 0 {
			ast.Inspect(f.decl, func(n ast.Node) bool {
				if returned, is := n.(*ast.ReturnStmt); is {
					found = append(found, s.orVarying(f, returned.Results[0], nil)...)
				}
				return true
			})
		}
		for _, call := range f.calls {
			if slices.Contains(packagesOfResources, f.pkg) && called(call) == "Errorf" {
				found = append(found, s.formatted(f, call.Args, nil)...)
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// called returns the name of the function or method that a call calls.
func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// texts returns what an expression in a function can be. Texts that another diagnostic has are
// none; read is false when the expression is beyond reading. above are the functions that
// asked, against recursion.
func (s *source) texts(in *function, expr ast.Expr, above []*function) (texts []string, read bool) {
	switch expr := expr.(type) {
	case *ast.ParenExpr:
		return s.texts(in, expr.X, above)
	case *ast.BasicLit:
		text, err := strconv.Unquote(expr.Value)
		return []string{text}, err == nil
	case *ast.BinaryExpr:
		left, read := s.texts(in, expr.X, above)
		if !read {
			return nil, false
		}
		return products(left, s.orVarying(in, expr.Y, above), func(a, b string) string { return a + b }), true
	case *ast.Ident:
		return s.named(in, expr, above)
	case *ast.SelectorExpr: // a constant of another package
		if value, is := s.constants[fmt.Sprint(expr.X)+"."+expr.Sel.Name]; is {
			return s.texts(in, value, above)
		}
	case *ast.CallExpr:
		switch {
		case called(expr) == "Summary" && len(expr.Args) == 0:
			return nil, true
		case called(expr) == "Error" && len(expr.Args) == 0: // of an error of the package
			return s.texts(in, expr.Fun.(*ast.SelectorExpr).X, above)
		case called(expr) == "Sprintf":
			return s.formatted(in, expr.Args, above), true
		}
	}
	return nil, false
}

// orVarying is texts of what may be anything.
func (s *source) orVarying(in *function, expr ast.Expr, above []*function) []string {
	if texts, read := s.texts(in, expr, above); read && len(texts) > 0 {
		return texts
	}
	return []string{varying}
}

// products returns all pairs of two lists, joined.
func products(a, b []string, join func(a, b string) string) (all []string) {
	for _, x := range a {
		for _, y := range b {
			all = append(all, join(x, y))
		}
	}
	return all
}

// verb is one of a format.
var verb = regexp.MustCompile(`%[qsdvTw]`)

// formatted returns the texts that a format and its arguments can make.
func (s *source) formatted(in *function, args []ast.Expr, above []*function) []string {
	all := s.orVarying(in, args[0], above)
	for _, arg := range args[1:] {
		all = products(all, s.orVarying(in, arg, above), func(format, value string) string {
			at := verb.FindStringIndex(format)
			if at == nil {
				return format
			}
			if format[at[0]:at[1]] == "%q" {
				value = `"` + value + `"`
			}
			return format[:at[0]] + strings.ReplaceAll(value, "%", "%%") + format[at[1]:]
		})
	}
	for i, text := range all {
		all[i] = strings.ReplaceAll(text, "%%", "%")
	}
	return all
}

// named returns the texts of a constant, of a variable of the function, or of its parameter:
// those are what the callers give.
func (s *source) named(in *function, name *ast.Ident, above []*function) (texts []string, read bool) {
	if value, is := s.constants[in.pkg+"."+name.Name]; is {
		return s.texts(in, value, above)
	}
	position := 0
	for _, field := range in.decl.Type.Params.List {
		for _, parameter := range field.Names {
			if parameter.Name == name.Name {
				return s.given(in, position, above)
			}
			position++
		}
	}
	ast.Inspect(in.decl, func(n ast.Node) bool {
		assigned, is := n.(*ast.AssignStmt)
		if !is {
			return true
		}
		for i, left := range assigned.Lhs {
			if ident, is := left.(*ast.Ident); is && ident.Name == name.Name && len(assigned.Rhs) == len(assigned.Lhs) {
				more, ok := s.texts(in, assigned.Rhs[i], above)
				texts, read = append(texts, more...), ok
			}
		}
		return true
	})
	return texts, read
}

// given returns the texts that the callers of a function give as an argument.
func (s *source) given(to *function, position int, above []*function) (texts []string, read bool) {
	if slices.Contains(above, to) { // methods of several types may have the name, and hand it on to each other
		return nil, true
	}
	read = true
	for _, f := range s.functions {
		for _, call := range f.calls {
			if !s.calls(f, call, to) {
				continue
			}
			more, ok := s.texts(f, call.Args[position], append(slices.Clone(above), to))
			for _, text := range more {
				if !slices.Contains(texts, text) {
					texts = append(texts, text)
				}
			}
			read = read && ok
		}
	}
	return texts, read
}

// calls reports whether a call may be one of a function, by its name, its package, and its
// number of arguments.
func (s *source) calls(from *function, call *ast.CallExpr, to *function) bool {
	parameters := 0
	for _, field := range to.decl.Type.Params.List {
		parameters += max(1, len(field.Names))
	}
	if called(call) != to.decl.Name.Name || len(call.Args) != parameters {
		return false
	}
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return to.decl.Recv == nil && from.pkg == to.pkg
	case *ast.SelectorExpr:
		if to.decl.Recv != nil {
			return fmt.Sprint(f.X) != "tflog"
		}
		return fmt.Sprint(f.X) == to.pkg
	}
	return false
}
