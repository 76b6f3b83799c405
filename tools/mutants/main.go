// Command mutants makes small faults in packages, one at a time, and prints those that no test notices.
//
//	mutants [-seed n] [-places n] [-tests packages] [-timeout d] package...
//
// It draws the places from all Go files of the packages that are no tests: an operator, half of a condition, a
// constant, an error that is returned, or a statement. For each, it runs the tests of its package, and if these pass those
// of all the packages and of -tests.
// A fault that does not compile does not count. The same seed draws the same faults, as long as the code is the same.
//
// The tree is never written: the go command reads the file with the fault from a temporary directory (-overlay), also
// when a test builds the provider.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// parallel is how many tests of a package run at a time: most of them wait for Terraform.
const parallel = "16"

// patience is how long the go command may take to end after it was interrupted.
const patience = 10 * time.Second

func main() {
	m := &mutator{out: os.Stdout}
	seed := flag.Uint64("seed", 1, "the seed of the draw")
	places := flag.Int("places", 10, "how many faults are made")
	tests := flag.String("tests", "", "further packages whose tests run, separated by commas")
	flag.StringVar(&m.root, "C", "..", "the directory of the module")
	flag.DurationVar(&m.timeout, "timeout", 10*time.Minute, "how long the tests of a package may run; a fault by which they take longer is noticed")
	flag.Parse()
	m.packages = flag.Args()
	if *tests != "" {
		m.tests = strings.Split(*tests, ",")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := m.run(ctx, *seed, *places)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// mutator makes faults in the packages of a module.
type mutator struct {
	root            string
	packages, tests []string
	timeout         time.Duration
	out             io.Writer
	dir             string // holds the file with the fault, and what replaces which file
}

// run makes faults and prints what became of each.
func (m *mutator) run(ctx context.Context, seed uint64, places int) (err error) {
	if len(m.packages) == 0 {
		return errors.New("no package is given, such as ./internal/kind/many")
	}
	if m.dir, err = os.MkdirTemp("", "mutants-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(m.dir)) }()
	all, err := m.faults(ctx)
	if err != nil {
		return err
	}
	if output, passed := m.test(ctx, nil, slices.Concat(m.packages, m.tests)); !passed {
		return cmp.Or(ctx.Err(), fmt.Errorf("the tests fail without a fault:\n%s", output))
	}
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] }) //nolint:gosec // a draw that can be repeated
	var lived []string
	made := 0
	for _, f := range all {
		if made == places {
			break
		}
		compiles, noticed, err := m.try(ctx, f)
		switch {
		case err != nil:
			return err
		case !compiles:
			continue
		case noticed:
			fmt.Fprintln(m.out, "noticed", f)
		default:
			fmt.Fprintln(m.out, "LIVED  ", f)
			lived = append(lived, f.String())
		}
		made++
	}
	fmt.Fprintf(m.out, "\n%d of %d faults lived (seed %d):\n", len(lived), made, seed)
	for _, f := range lived {
		fmt.Fprintln(m.out, "  "+f)
	}
	return nil
}

// faults returns all faults that can be made in the packages. Their files are relative to the module.
func (m *mutator) faults(ctx context.Context) (all []fault, err error) {
	list := m.command(ctx, nil, slices.Concat([]string{"list", "-f", `{{range .GoFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}`}, m.packages)...)
	var problems bytes.Buffer
	list.Stderr = &problems
	names, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, problems.Bytes())
	}
	root, err := filepath.Abs(m.root)
	if err != nil {
		return nil, err
	}
	for name := range strings.SplitSeq(strings.TrimSpace(string(names)), "\n") {
		source, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		relative, err := filepath.Rel(root, name)
		if err != nil {
			return nil, err
		}
		found, err := faultsOf(filepath.ToSlash(relative), source)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// try runs the tests with a fault. noticed reports whether one of them failed.
func (m *mutator) try(ctx context.Context, f fault) (compiles, noticed bool, err error) {
	path, err := filepath.Abs(filepath.Join(m.root, f.file))
	if err != nil {
		return false, false, err
	}
	source, err := os.ReadFile(path)
	if err != nil {
		return false, false, err
	}
	changed, replaced := filepath.Join(m.dir, "changed.go"), filepath.Join(m.dir, "overlay.json")
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {path: changed}})
	if err == nil {
		err = errors.Join(os.WriteFile(changed, f.in(source), 0o600), os.WriteFile(replaced, overlay, 0o600))
	}
	if err != nil {
		return false, false, err
	}
	environment := []string{"GOFLAGS=" + strings.TrimSpace(os.Getenv("GOFLAGS")+" '-overlay="+replaced+"'")}
	own := "./" + filepath.ToSlash(filepath.Dir(f.file))
	if m.command(ctx, environment, "build", "-o", os.DevNull, own).Run() == nil {
		output, passed := m.test(ctx, environment, []string{own}) // most faults are noticed there, and soon
		if passed {
			output, passed = m.test(ctx, environment, slices.Concat(m.packages, m.tests))
		}
		compiles, noticed = !strings.Contains(output, "[build failed]"), !passed
	}
	return compiles, noticed, ctx.Err()
}

// test runs the tests of packages, and returns what they say.
func (m *mutator) test(ctx context.Context, environment, packages []string) (output string, passed bool) {
	args := []string{"test", "-count=1", "-failfast", "-vet=off", "-parallel", parallel, "-timeout", m.timeout.String()}
	raw, err := m.command(ctx, environment, slices.Concat(args, packages)...).CombinedOutput()
	return string(raw), err == nil
}

// command returns a go command in the module.
func (m *mutator) command(ctx context.Context, environment []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = m.root, append(os.Environ(), environment...)
	cmd.WaitDelay = patience
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	return cmd
}
