// Command mutants makes small faults in packages, and prints those that no test notices.
//
//	mutants [-seed n] [-places n] [-own] [-tests packages] [-timeout d] package...
//
// It draws the places from all Go files of the packages that are no tests: an operator, half of a condition, a
// constant, an error that is returned, or a statement. The same seed draws the same faults, as long as the code is the same.
//
// All faults are compiled into the packages at once (faults.go finds them, schemata.go writes them, build.go compiles them),
// and a variable of the environment chooses one of them (package mut). Each test runs alone at first, to see which
// faults it comes to (suite.go runs it; together_unix.go and together_other.go end what it started). Then those that
// come to a fault run with it, those of its package and the fast ones first, until one fails.
//
// The tree is never written: the go command reads the files with the faults from a temporary directory (-overlay), also
// when a test builds the provider.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"text/tabwriter"
	"time"
)

const (
	// firstBatch is how long the first tests that run with a fault take; each batch that follows takes longer.
	firstBatch  = 200 * time.Millisecond
	batchGrowth = 4
)

func main() {
	m := &mutator{out: os.Stdout}
	flag.Uint64Var(&m.seed, "seed", 1, "the seed of the draw")
	flag.IntVar(&m.places, "places", 10, "how many faults are drawn; 0 for all")
	flag.BoolVar(&m.own, "own", false, "run only the tests of a fault's package")
	tests := flag.String("tests", "", "further packages whose tests run, separated by commas")
	flag.StringVar(&m.root, "C", "..", "the directory of the module")
	flag.DurationVar(&m.timeout, "timeout", 2*time.Minute, "how long tests run with a fault, after which it lived so far")
	flag.Parse()
	m.packages = flag.Args()
	if *tests != "" {
		m.tests = strings.Split(*tests, ",")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := m.run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// mutator makes faults in the packages of a module.
type mutator struct {
	module
	tests   []string // further packages whose tests run
	own     bool
	seed    uint64
	places  int
	timeout time.Duration
	out     io.Writer
}

// run makes faults and prints what became of each.
func (m *mutator) run(ctx context.Context) (err error) {
	if len(m.packages) == 0 {
		return errors.New("no package is given, such as ./internal/kind/many")
	}
	if m.root, err = filepath.Abs(m.root); err != nil {
		return err
	}
	if m.dir, err = os.MkdirTemp("", "mutants-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(cmp.Or(ctx.Err(), err), os.RemoveAll(m.dir)) }()
	m.environment = []string{"GOTMPDIR=" + m.dir} // the go command leaves files behind when it is interrupted
	tested := m.packages
	if !m.own {
		tested = slices.Concat(tested, m.tests)
	}
	all, suites, err := m.build(ctx, tested)
	if err != nil {
		return err
	}
	drawn := slices.Clone(all)
	if m.places > 0 {
		rand.New(rand.NewPCG(m.seed, 0)).Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] }) //nolint:gosec // a draw that can be repeated
		drawn = drawn[:min(m.places, len(drawn))]
	}
	tests, err := m.testsOf(ctx, drawn, suites)
	if err != nil {
		return err
	}
	fmt.Fprintf(m.out, "%d of %d faults (seed %d):\n", len(drawn), len(all), m.seed)
	var printing sync.Mutex
	err = atOnce(ctx, drawn, func(ctx context.Context, f *fault) error {
		if err := m.try(ctx, f, tests[f.number]); err != nil {
			return err
		}
		printing.Lock()
		defer printing.Unlock()
		fmt.Fprintln(m.out, f)
		return nil
	})
	if err == nil {
		m.report(drawn)
	}
	return err
}

// testsOf returns the tests that come to each fault, the fastest first.
func (m *mutator) testsOf(ctx context.Context, faults []*fault, suites []*suite) (tests map[int][]*test, err error) {
	var all []*test
	for _, s := range suites {
		of, err := s.list(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, of...)
	}
	fmt.Fprintf(m.out, "running %d tests without a fault\n", len(all))
	recorded := make(map[*test]map[int]bool, len(all))
	var writing sync.Mutex
	err = atOnce(ctx, all, func(ctx context.Context, t *test) error {
		comesTo, err := t.record(ctx)
		writing.Lock()
		defer writing.Unlock()
		if recorded[t] = comesTo; err == nil && comesTo == nil {
			fmt.Fprintln(m.out, t, "is left out, because it fails without a fault")
		}
		return err
	})
	slices.SortFunc(all, func(a, b *test) int { return cmp.Compare(a.took, b.took) })
	tests = map[int][]*test{}
	for _, f := range faults {
		for _, t := range all {
			if recorded[t][f.number] && (t.pkg == f.pkg || !m.own) {
				tests[f.number] = append(tests[f.number], t)
			}
		}
	}
	return tests, err
}

// try runs the tests that come to a fault in growing batches, until one notices it.
func (m *mutator) try(ctx context.Context, f *fault, tests []*test) error {
	if len(tests) == 0 {
		f.fate = fate{unreached, "no test comes here"}
		return nil
	}
	own, others := []*test{}, []*test{}
	for _, t := range tests {
		if t.pkg == f.pkg {
			own = append(own, t)
		} else {
			others = append(others, t)
		}
	}
	begin, size := time.Now(), firstBatch
	for len(own)+len(others) > 0 {
		if took := time.Since(begin); took > m.timeout {
			f.fate = fate{lived, fmt.Sprintf("LIVED so far (%.0f s)", took.Seconds())}
			return nil
		}
		from := &own
		if len(own) == 0 {
			from = &others
		}
		for _, batch := range nextBatch(from, size) {
			switch by, err := batch[0].notice(ctx, f.number, batch); {
			case err != nil:
				return err
			case by != "":
				f.fate = fate{noticed, "noticed by " + by}
				return nil
			}
		}
		size *= batchGrowth
	}
	f.fate = fate{lived, "LIVED"}
	return nil
}

// nextBatch takes the first tests that take a time together from a list, but at least one. It returns them suite by suite.
func nextBatch(from *[]*test, size time.Duration) (batches [][]*test) {
	of := map[*suite]int{}
	for len(*from) > 0 && (len(batches) == 0 || (*from)[0].took <= size) {
		t := (*from)[0]
		*from, size = (*from)[1:], size-t.took
		i, is := of[t.suite]
		if !is {
			i, of[t.suite] = len(batches), len(batches)
			batches = append(batches, nil)
		}
		batches[i] = append(batches[i], t)
	}
	return batches
}

// report prints the faults that no test notices, and a table of the packages.
func (m *mutator) report(faults []*fault) {
	slices.SortFunc(faults, func(a, b *fault) int {
		return cmp.Or(strings.Compare(a.file, b.file), cmp.Compare(a.line, b.line), cmp.Compare(a.number, b.number))
	})
	dirs, counts := []string{}, map[string]map[int]int{}
	fmt.Fprintln(m.out, "\nNo test notices:")
	for _, f := range faults {
		dir := path.Dir(f.file)
		if counts[dir] == nil {
			dirs, counts[dir] = append(dirs, dir), map[int]int{}
		}
		counts[dir][f.fate.kind]++
		if f.fate.kind != noticed {
			fmt.Fprintln(m.out, f)
		}
	}
	fmt.Fprintln(m.out)
	table := tabwriter.NewWriter(m.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "faults\tnoticed\tlived\tnot reached\tshare noticed\t  package")
	for _, dir := range dirs {
		count := counts[dir]
		all := count[noticed] + count[lived] + count[unreached]
		fmt.Fprintf(table, "%d\t%d\t%d\t%d\t%d %%\t  %s\n", all, count[noticed], count[lived], count[unreached], 100*count[noticed]/all, dir)
	}
	_ = table.Flush() // like all that is printed
}
