// Tests of the faults that are found, and of what the tests of a module notice of them.

package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestFaultsOf(t *testing.T) {
	t.Parallel()
	for code, want := range map[string][]string{
		"_ = a == b && !c":                     {"a != b && !c", "a == b || !c", "a == b", "!c", "a == b && c"},
		"_ = a < 5":                            {"a <= 5", "a < (5 + 1)"},
		`_ = a + "b"`:                          {`a + "bX"`},
		`_ = "a sentence, and an \n"`:          nil,
		"if a { b() }":                         {"if !(a) { b() }", "if a {  }"},
		"return a, err":                        {"return a, nil"},
		"a = true":                             {"", "a = false"},
		"switch { case a: b = c; d := e }":     {"switch { case a: ; d := e }"},
		"type t struct { a int `json:\"a\"` }": nil,
	} {
		source := "package p\n\nimport \"fmt\"\n\nfunc f() {\n\t" + code + "\n}\n"
		found, err := faultsOf("p.go", []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		var have []string
		for _, f := range found {
			changed := strings.TrimSuffix(strings.TrimPrefix(string(f.in([]byte(source))), "package p\n\nimport \"fmt\"\n\nfunc f() {\n\t"), "\n}\n")
			have = append(have, strings.TrimPrefix(changed, "_ = "))
			if f.line != 6 || f.file != "p.go" {
				t.Errorf("%s: the fault is in line %d of %s", code, f.line, f.file)
			}
		}
		slices.Sort(have)
		slices.Sort(want)
		if !slices.Equal(have, want) {
			t.Errorf("%s becomes\n%q, and not\n%q", code, have, want)
		}
	}
}

// module writes a module, one of whose two conditions is tested.
func module(t *testing.T) (root string, files map[string]string) {
	t.Helper()
	root = t.TempDir()
	files = map[string]string{
		"go.mod":        "module example.org/m\n\ngo 1.26\n",
		"m.go":          "package m\n\nfunc Tested(a int) bool { return a > 5 }\n\nfunc Untested(a int) bool { return a > 7 }\n",
		"m_test.go":     "package m\n\nimport \"testing\"\n\nfunc TestTested(t *testing.T) {\n\tif Tested(5) || !Tested(6) {\n\t\tt.Error(\"it is not greater\")\n\t}\n}\n",
		"sub/s.go":      "package sub\n\nimport \"example.org/m\"\n\nvar Seven = m.Untested(7)\n",
		"sub/s_test.go": "package sub\n\nimport \"testing\"\n\nfunc TestSeven(t *testing.T) {\n\tif Seven {\n\t\tt.Error(\"it is greater\")\n\t}\n}\n",
	}
	for name, content := range files {
		path := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return root, files
}

// Faults are noticed by the tests of the package, and by those of others that are asked for. The module stays as it is.
func TestRun(t *testing.T) {
	t.Parallel()
	root, files := module(t)
	for _, test := range []struct {
		tests []string
		want  []string // the faults that live
	}{
		{nil, []string{"m.go:5: 7 => (7 + 1)", "m.go:5: > => >="}},
		{[]string{"./sub"}, []string{"m.go:5: 7 => (7 + 1)"}},
	} {
		var out bytes.Buffer
		m := &mutator{root: root, packages: []string{"."}, tests: test.tests, timeout: time.Minute, out: &out}
		if err := m.run(t.Context(), 1, 100); err != nil {
			t.Fatal(err)
		}
		_, list, _ := strings.Cut(out.String(), "of 4 faults lived (seed 1):\n")
		lived := strings.Split(strings.TrimSpace(list), "\n  ")
		slices.Sort(lived)
		if !slices.Equal(lived, test.want) {
			t.Errorf("with the tests of %v it says\n%s", test.tests, out.String())
		}
		if _, err := os.Stat(m.dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is left: %v", m.dir, err)
		}
	}
	for name, content := range files {
		if now, err := os.ReadFile(filepath.Join(root, name)); err != nil || string(now) != content {
			t.Errorf("%s is %q, %v", name, now, err)
		}
	}
}

// What is interrupted ends with an error, and leaves nothing. So does what fails without a fault.
func TestRun_fails(t *testing.T) {
	t.Parallel()
	root, _ := module(t)
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	if err := os.WriteFile(filepath.Join(root, "sub", "fails_test.go"), []byte("package sub\n\nimport \"testing\"\n\nfunc TestFails(t *testing.T) { t.Error(\"always\") }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, test := range map[string]struct {
		ctx context.Context
		of  []string
	}{
		"context canceled":               {interrupted, []string{"."}},
		"the tests fail without a fault": {t.Context(), []string{"./sub"}},
		"no package is given":            {t.Context(), nil},
		"go list":                        {t.Context(), []string{"./missing"}},
	} {
		m := &mutator{root: root, packages: test.of, timeout: time.Minute, out: &bytes.Buffer{}}
		if err := m.run(test.ctx, 1, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if entries, err := os.ReadDir(m.dir); err == nil && m.dir != "" {
			t.Errorf("%v is left in %s", entries, m.dir)
		}
	}
}
