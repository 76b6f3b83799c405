// Tests of the faults that are found and written into the code, and of what the tests of a module notice of them.

package main

import (
	"bytes"
	"context"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/go/packages"
)

// Each fault is numbered, and is written into the code, which stays the same without it.
func TestFind(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]struct {
		rewritten string
		faults    []string
	}{
		"_ = a == b": {"_ = (mut.On(1) != bool(a == b))", []string{"a != b"}},
		"_ = !is":    {"_ = (mut.On(1) != bool(!is))", []string{"is"}},
		"_ = is && !other": {
			"_ = (mut.On(1) != ((mut.On(1) != bool((mut.On(3) || bool(is)))) && (mut.On(1) != bool((mut.On(2) || bool((mut.On(4) != bool(!other))))))))",
			[]string{"is || !other", "is", "!other", "other"},
		},
		"_ = is || other": {
			"_ = (mut.On(1) != ((mut.On(1) != bool((!mut.On(3) && bool(is)))) || (mut.On(1) != bool((!mut.On(2) && bool(other))))))",
			[]string{"is && other", "is", "other"},
		},
		"_ = a < 5":              {"_ = mut.Less(1, a , mut.Or[int](2, 5, (5 + 1)))", []string{"a <= 5", "(5 + 1)"}},
		"_ = a-b >= a*b":         {"_ = mut.AtLeast(1, mut.Subtract(2, a,b) , mut.Multiply(3, a,b))", []string{"a-b > a*b", "a + b", "a / b"}},
		`_ = text + "b"`:         {`_ = text + mut.Or[string](1, "b", "bX")`, []string{`"bX"`}},
		`text = "a b" + "c\n"`:   {`if !mut.On(1) { text = "a b" + "c\n" }`, []string{""}},
		"if f() { f() }":         {"if (mut.On(1) != bool(f())) { if !mut.On(2) { f() } }", []string{"!(f())", ""}},
		"if a == b { panic(a) }": {"if (mut.On(1) != bool(a == b)) { panic(a) }", []string{"a != b"}},
		"return a, err":          {"return a, mut.Or[error](1, err, nil)", []string{"nil"}},
		"is = true":              {"if !mut.On(1) { is = mut.Or[bool](2, true, false) }", []string{"", "false"}},
		"time.Sleep(2)":          {"if !mut.On(1) { time.Sleep(mut.Or[time.Duration](2, 2, (2 + 1))) }", []string{"", "(2 + 1)"}},
		"_ = time.UTC.String":    {"_ = time.UTC.String", nil},
		"switch { case is: a = b; c := a; _ = c }": {"switch { case is: if !mut.On(1) { a = b }; c := a; _ = c }", []string{""}},
		"_ = func() error { return err }":          {"_ = func() error { return mut.Or[error](1, err, nil) }", []string{"nil"}},
		"const c = 5":                              {"const c = 5", nil},
		"type t struct { a int `json:\"a\"` }":     {"type t struct { a int `json:\"a\"` }", nil},
		"_ = [2]string{1: text}":                   {"_ = [2]string{1: text}", nil},
		`_ = map[string]int{"a": b}`:               {`_ = map[string]int{mut.Or[string](1, "a", "aX"): b}`, []string{`"aX"`}},
	} {
		const before = "package p\n\nimport \"time\"\n\nvar _ = time.UTC\n\nfunc f() (is bool) { return }\n\nfunc g(a, b int, is, other bool, text string, err error) (int, error) {\n\t"
		const after = "\n\tpanic(nil)\n}\n"
		f := finderOf(t, before+code+after)
		found := f.find()
		var have []string
		var edits []edit
		for _, f := range found {
			have, edits = append(have, f.is), append(edits, f.edits...)
			if f.line != 10 || f.file != "p.go" {
				t.Errorf("%s: the fault %s is in line %d of %s", code, f.is, f.line, f.file)
			}
		}
		if !slices.Equal(have, want.faults) {
			t.Errorf("%s has the faults\n%q, and not\n%q", code, have, want.faults)
		}
		text := string(rewritten(f.source, len("package p"), "m/mut", edits))
		text, isWhole := strings.CutPrefix(text, strings.Replace(before, "package p", "package p; import \"m/mut\"", 1))
		if text = strings.TrimSuffix(text, after); text != want.rewritten || !isWhole {
			t.Errorf("%s becomes\n%s, and not\n%s", code, text, want.rewritten)
		}
	}
}

// finderOf returns the finder of a file.
func finderOf(t *testing.T, source string) *finder {
	t.Helper()
	f := &finder{name: "p.go", source: []byte(source), pkg: &packages.Package{Fset: token.NewFileSet(), TypesInfo: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{},
	}}}
	var err error
	if f.syntax, err = parser.ParseFile(f.pkg.Fset, "p.go", source, parser.SkipObjectResolution); err != nil {
		t.Fatal(err)
	}
	if f.pkg.Types, err = (&types.Config{Importer: importer.Default()}).Check("p", f.pkg.Fset, []*ast.File{f.syntax}, f.pkg.TypesInfo); err != nil {
		t.Fatal(err)
	}
	return f
}

// newModule writes a module with two packages. One of its functions is called by no test.
func newModule(t *testing.T) (root string, files map[string]string) {
	t.Helper()
	root = t.TempDir()
	files = map[string]string{
		"go.mod":        "module example.org/m\n\ngo 1.26\n",
		"m.go":          "package m\n\nfunc Tested(a int) bool { return a > 5 }\n\nfunc Elsewhere(a int) bool { return a > 7 }\n\nfunc Untested() { Tested(1) }\n\ntype Small uint8\n\nfunc Largest() Small { return 255 }\n",
		"m_test.go":     "package m\n\nimport \"testing\"\n\nfunc TestTested(t *testing.T) {\n\tif Tested(5) || !Tested(6) {\n\t\tt.Error(\"it is not greater\")\n\t}\n}\n",
		"sub/s.go":      "package sub\n\nimport \"example.org/m\"\n\nvar Seven = m.Elsewhere(7)\n",
		"sub/s_test.go": "package sub\n\nimport \"testing\"\n\nfunc TestSeven(t *testing.T) {\n\tif Seven {\n\t\tt.Error(\"it is greater\")\n\t}\n}\n\nfunc TestNothing(t *testing.T) {}\n\nfunc TestFails(t *testing.T) { t.Error(\"always\") }\n",
	}
	for name, content := range files {
		path := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return root, files
}

// Faults are noticed by the tests of the package, and by those of others that are asked for; what does not compile is
// no fault. The module stays as it is.
func TestRun(t *testing.T) {
	t.Parallel()
	root, files := newModule(t)
	for _, test := range []struct {
		own  bool
		want []string
	}{
		{true, []string{
			"No test notices:", "no test comes here  m.go:5:37: a > 7 => a >= 7", "no test comes here  m.go:5:41: 7 => (7 + 1)", "no test comes here  m.go:7:19: Tested(1) => nothing",
			"no test comes here  m.go:7:26: 1 => (1 + 1)", "",
			"  faults  noticed  lived  not reached  share noticed  package", "       6        2      0            4           33 %  .",
		}},
		{false, []string{
			"No test notices:", "LIVED  m.go:5:41: 7 => (7 + 1)", "no test comes here  m.go:7:19: Tested(1) => nothing", "no test comes here  m.go:7:26: 1 => (1 + 1)", "",
			"  faults  noticed  lived  not reached  share noticed  package", "       6        3      1            2           50 %  .",
		}},
	} {
		var out bytes.Buffer
		m := &mutator{module: module{root: root, packages: []string{"."}}, tests: []string{"./sub"}, own: test.own, timeout: time.Minute, out: &out}
		if err := m.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		tried, end, _ := strings.Cut(out.String(), "\n\n")
		if have := strings.Split(strings.TrimSuffix(end, "\n"), "\n"); !slices.Equal(have, test.want) || !strings.Contains(tried, "noticed by m.TestTested  m.go:3:34: a > 5 => a >= 5") ||
			!test.own && !strings.Contains(tried, "sub.TestFails is left out, because it fails without a fault\n") ||
			!test.own && !strings.Contains(tried, "noticed by sub.TestSeven  m.go:5:37: a > 7 => a >= 7") {
			t.Errorf("it says\n%s", out.String())
		}
		if _, err := os.Stat(m.dir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is left: %v", m.dir, err)
		}
	}
	for name, content := range files {
		if now, err := os.ReadFile(filepath.Join(root, name)); err != nil || string(now) != content {
			t.Errorf("%s is %q, %v", name, now, err)
		}
	}
}

// What is interrupted ends with an error, and leaves nothing.
func TestRun_fails(t *testing.T) {
	t.Parallel()
	root, _ := newModule(t)
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	for want, test := range map[string]struct {
		ctx context.Context
		of  []string
	}{
		"context canceled":             {interrupted, []string{"."}},
		"no package is given":          {t.Context(), nil},
		filepath.Join(root, "missing"): {t.Context(), []string{"./missing"}},
	} {
		m := &mutator{module: module{root: root, packages: test.of}, timeout: time.Minute, out: &bytes.Buffer{}}
		if err := m.run(test.ctx); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if entries, err := os.ReadDir(m.dir); err == nil && m.dir != "" {
			t.Errorf("%v is left in %s", entries, m.dir)
		}
	}
}

// The first batch takes little time, and what is in one batch runs suite by suite.
func TestNextBatch(t *testing.T) {
	t.Parallel()
	a, b := &suite{pkg: "a"}, &suite{pkg: "b"}
	tests := []*test{{a, "1", 1}, {b, "2", 2}, {a, "3", 3}, {a, "7", 7}, {b, "9", 9}}
	var have []string
	for size := time.Duration(6); len(tests) > 0; size *= 2 {
		var batches []string
		for _, batch := range nextBatch(&tests, size) {
			var names []string
			for _, of := range batch {
				names = append(names, of.String())
			}
			batches = append(batches, strings.Join(names, " "))
		}
		have = append(have, strings.Join(batches, ", "))
	}
	if want := []string{"a.1 a.3, b.2", "a.7", "b.9"}; !slices.Equal(have, want) {
		t.Errorf("the batches are %q, want %q", have, want)
	}
}
