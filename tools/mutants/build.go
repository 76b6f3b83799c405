// This file compiles the packages with all their faults: their tests, and the program that acceptance tests start.

package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"
	"golang.org/x/tools/go/packages"
)

//go:embed mut/mut.go
var mutSource []byte

// sourceFile is a file in which faults can be made.
type sourceFile struct {
	path, name string // the latter is relative to the module
	copied     string // the path of its copy with the faults
	source     []byte
	nameEnd    int // the offset after the name of its package
	faults     []*fault
}

// module is a module, in whose packages faults are made.
type module struct {
	root        string // absolute
	packages    []string
	dir         string   // holds all files that are made
	environment []string // of the go command and of tests
}

// build compiles the packages with all their faults, which it returns, and the tests of packages.
func (m *module) build(ctx context.Context, tested []string) (faults []*fault, suites []*suite, err error) {
	files, mut, err := m.sourceFiles(ctx)
	if err != nil {
		return nil, nil, err
	}
	if err := m.compile(ctx, files, mut); err != nil {
		return nil, nil, err
	}
	for _, file := range files {
		faults = append(faults, file.faults...)
	}
	if err := m.buildProgram(ctx); err != nil {
		return nil, nil, err
	}
	suites, err = m.suites(ctx, tested)
	return faults, suites, err
}

// buildProgram builds the program of the module, if it has one, which acceptance tests start.
func (m *module) buildProgram(ctx context.Context) error {
	kind, err := m.goCommand(ctx, "list", "-e", "-f", "{{.Name}}", ".").Output()
	if err != nil || string(bytes.TrimSpace(kind)) != "main" {
		return err
	}
	programs := filepath.Join(m.dir, "program")
	if output, err := m.goCommand(ctx, "build", "-o", programs+string(filepath.Separator), ".").CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, output)
	}
	built, err := os.ReadDir(programs)
	if err != nil {
		return err
	}
	m.environment = append(m.environment, "ENMS_TEST_PROGRAM="+filepath.Join(programs, built[0].Name()))
	return nil
}

// load returns packages of the module.
func (m *module) load(ctx context.Context, mode packages.LoadMode, patterns []string) ([]*packages.Package, error) {
	loaded, err := packages.Load(&packages.Config{Context: ctx, Mode: mode, Dir: m.root, Env: append(os.Environ(), m.environment...)}, patterns...)
	for _, p := range loaded {
		for _, problem := range p.Errors {
			err = errors.Join(err, problem)
		}
	}
	return loaded, err
}

// sourceFiles finds the faults of the packages, and the import path for the package mut.
func (m *module) sourceFiles(ctx context.Context) (files []*sourceFile, mut string, err error) {
	loaded, err := m.load(ctx, packages.LoadSyntax|packages.NeedModule, m.packages)
	if err != nil {
		return nil, "", err
	}
	number := 0
	for _, p := range loaded {
		mut = path.Join(p.Module.Path, "internal/mut")
		for _, syntax := range p.Syntax {
			place := p.Fset.Position(syntax.Name.End())
			if !slices.Contains(p.GoFiles, place.Filename) || ast.IsGenerated(syntax) {
				continue
			}
			file := &sourceFile{path: place.Filename, copied: filepath.Join(m.dir, strconv.Itoa(len(files))+".go"), nameEnd: place.Offset}
			if file.source, err = os.ReadFile(file.path); err != nil {
				return nil, "", err
			}
			if file.name, err = filepath.Rel(p.Module.Dir, file.path); err != nil {
				return nil, "", err
			}
			file.name = filepath.ToSlash(file.name)
			f := finder{pkg: p, name: file.name, source: file.source, syntax: syntax, before: number}
			file.faults = f.find()
			number += len(file.faults)
			files = append(files, file)
		}
	}
	return files, mut, nil
}

// compile compiles the packages, and drops faults on lines of which the compiler complains. All go commands
// then read the files that it has written, in the place of those in the tree.
func (m *module) compile(ctx context.Context, files []*sourceFile, mut string) error {
	overlay := filepath.Join(m.dir, "overlay.json")
	m.environment = append(m.environment, "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" '-overlay="+overlay+"'"))
	for {
		if err := m.write(overlay, files, mut); err != nil {
			return err
		}
		output, err := m.goCommand(ctx, slices.Concat([]string{"build", "-o", os.DevNull}, m.packages)...).CombinedOutput()
		if err == nil || ctx.Err() != nil {
			return ctx.Err()
		}
		if !m.drop(files, output) {
			return fmt.Errorf("go build: %w\n%s", err, output)
		}
	}
}

// write writes the files with their faults, and the overlay that tells the go command of them.
func (m *module) write(overlay string, files []*sourceFile, mut string) error {
	replace := map[string]string{}
	for _, file := range files {
		if len(file.faults) == 0 {
			continue
		}
		var edits []edit
		for _, f := range file.faults {
			edits = append(edits, f.edits...)
		}
		replace[file.path] = file.copied
		if err := os.WriteFile(file.copied, rewritten(file.source, file.nameEnd, mut, edits), 0o600); err != nil {
			return err
		}
	}
	source := filepath.Join(m.dir, "mut.go")
	replace[filepath.Join(m.root, "internal", "mut", "mut.go")] = source
	content, err := json.Marshal(map[string]any{"Replace": replace})
	return errors.Join(err, os.WriteFile(source, mutSource, 0o600), os.WriteFile(overlay, content, 0o600))
}

// complaint is the beginning of a line of the compiler.
var complaint = regexp.MustCompile(`(?m)^(.+\.go):(\d+):`)

// drop drops the faults of the lines of which the compiler complains: those that begin there, or else all that
// reach there. It reports whether there are any.
func (m *module) drop(files []*sourceFile, output []byte) (dropped bool) {
	for _, match := range complaint.FindAllSubmatch(output, -1) {
		name, at := string(match[1]), string(match[2])
		if !filepath.IsAbs(name) {
			name = filepath.Join(m.root, name)
		}
		line, _ := strconv.Atoi(at)
		for _, file := range files {
			if file.copied != name {
				continue
			}
			is := func(f *fault) bool { return f.line == line }
			if !slices.ContainsFunc(file.faults, is) {
				is = func(f *fault) bool { return f.line < line && line <= f.endLine }
			}
			before := len(file.faults)
			file.faults = slices.DeleteFunc(file.faults, is)
			dropped = dropped || len(file.faults) < before
		}
	}
	return dropped
}

// suites compiles the tests of packages.
func (m *module) suites(ctx context.Context, tested []string) (suites []*suite, err error) {
	loaded, err := m.load(ctx, packages.NeedName|packages.NeedFiles, tested)
	if err != nil {
		return nil, err
	}
	for i, p := range loaded {
		suites = append(suites, &suite{pkg: p.PkgPath, dir: p.Dir, program: filepath.Join(m.dir, strconv.Itoa(i)+".test"), environment: m.environment})
	}
	err = atOnce(ctx, suites, func(ctx context.Context, s *suite) error {
		if output, err := m.goCommand(ctx, "test", "-c", "-vet=off", "-o", s.program, s.pkg).CombinedOutput(); err != nil {
			return fmt.Errorf("go test -c: %w\n%s", err, output)
		}
		return nil
	})
	return slices.DeleteFunc(suites, func(s *suite) bool {
		_, err := os.Stat(s.program)
		return err != nil // it has no tests
	}), err
}

// goCommand returns a go command in the module.
func (m *module) goCommand(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = m.root, append(os.Environ(), m.environment...)
	endTogether(cmd)
	return cmd
}

// atOnce does something with each element, as many at once as keep the machine busy, until there is an error.
func atOnce[T any](ctx context.Context, list []T, do func(context.Context, T) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(2 * runtime.NumCPU()) // many tests wait
	for _, element := range list {
		group.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return do(ctx, element)
		})
	}
	return group.Wait()
}
