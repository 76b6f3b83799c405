// This file runs the tests of a package.

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/tools/mutants/mut"
)

const (
	// parallel is how many tests of a process run at a time: most of them wait for Terraform.
	parallel = "16"
	// patience is how long a program that should have ended by itself may go on.
	patience = 10 * time.Second
	// alone is how long a test may take without a fault.
	alone = 10 * time.Minute
	// startup and slowdown say when tests hang: when they take longer than startup and slowdown times what they took without a fault.
	startup  = 5 * time.Second
	slowdown = 3
)

// suite are the tests of a package, in a program.
type suite struct {
	pkg, dir, program string
	environment       []string
}

// test is a test of a suite.
type test struct {
	*suite
	name string
	took time.Duration // alone, without a fault
}

// String returns the name of the test and of its package.
func (t *test) String() string { return path.Base(t.pkg) + "." + t.name }

// list returns the tests of the suite.
func (s *suite) list(ctx context.Context) (tests []*test, err error) {
	output, passed, err := s.run(ctx, alone, nil, "-test.list", "^(Test|Fuzz|Example)")
	if err == nil && !passed {
		err = fmt.Errorf("the tests of %s cannot be listed:\n%s", s.pkg, output)
	}
	for name := range strings.FieldsSeq(output) {
		tests = append(tests, &test{suite: s, name: name})
	}
	return tests, err
}

// record runs a test alone, and returns the numbers of the faults that it comes to; nil if it fails twice: a busy
// machine may let it fail once.
func (t *test) record(ctx context.Context) (faults map[int]bool, err error) {
	file := t.program + "." + t.name
	passed := false
	for attempt := 0; attempt < 2 && !passed; attempt++ {
		begin := time.Now()
		if _, passed, err = t.run(ctx, alone, []string{mut.Record + "=" + file}, "-test.run", "^"+t.name+"$"); err != nil {
			return nil, err
		}
		t.took = time.Since(begin)
	}
	if !passed {
		return nil, nil
	}
	numbers, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // it comes to none
		return nil, err
	}
	faults = map[int]bool{}
	for line := range strings.FieldsSeq(string(numbers)) {
		number, err := strconv.Atoi(line)
		if err != nil {
			return nil, err
		}
		faults[number] = true
	}
	return faults, nil
}

// failed is the line that names a test that failed.
var failed = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)

// notice runs tests of the suite with a fault, and returns what notices it, or "".
func (s *suite) notice(ctx context.Context, fault int, tests []*test) (by string, err error) {
	limit := startup
	var names []string
	for _, t := range tests {
		limit += slowdown * t.took
		names = append(names, t.name)
	}
	output, passed, err := s.run(ctx, limit, []string{fmt.Sprintf("%s=%d", mut.Fault, fault)},
		"-test.failfast", "-test.run", "^("+strings.Join(names, "|")+")$")
	name := failed.FindStringSubmatch(output)
	switch {
	case err != nil || passed:
		return "", err
	case len(tests) == 1:
		return tests[0].String(), nil
	case name != nil:
		return path.Base(s.pkg) + "." + name[1], nil
	}
	return path.Base(s.pkg) + ", by a panic or a hang", nil
}

// run runs the program of the suite, and all that it starts, until it ends or time is over. What it leaves in the
// directory for temporary files is removed.
func (s *suite) run(ctx context.Context, limit time.Duration, environment []string, args ...string) (output string, passed bool, err error) {
	dir, err := os.MkdirTemp(filepath.Dir(s.program), "run-")
	if err != nil {
		return "", false, err
	}
	defer os.RemoveAll(dir)                             //nolint:errcheck // what still uses it is about to end, and it is removed along with all others
	out, err := os.Create(filepath.Join(dir, "output")) // no pipe, which a program that stays behind would hold
	if err != nil {
		return "", false, err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	late, cancel := context.WithTimeout(ctx, limit+patience)
	defer cancel()
	cmd := exec.CommandContext(late, s.program, slices.Concat([]string{"-test.paniconexit0", "-test.parallel=" + parallel, "-test.timeout=" + limit.String()}, args)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.dir, out, out
	cmd.Env = slices.Concat(os.Environ(), s.environment, environment, []string{"TMPDIR=" + dir})
	endTogether(cmd)
	failure := cmd.Run()
	killRest(cmd)
	switch {
	case ctx.Err() != nil:
		return "", false, ctx.Err()
	case failure != nil && late.Err() == nil && !errors.As(failure, new(*exec.ExitError)):
		return "", false, failure // it was not started
	}
	text, err := os.ReadFile(out.Name())
	return string(text), failure == nil, err
}
