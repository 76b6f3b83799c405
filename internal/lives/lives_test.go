// The tests: random lives, and how the ones that break a law are told.

package lives

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

const (
	// together is how many lives are played at the same time: they wait most of the time.
	together = 64
	// firstSeed is where the lives of each run begin, unless ENMS_LIVES_SEED says another one.
	firstSeed = 2000
	// shownSorts is how many sorts of violations are shortened.
	shownSorts = 8
)

// livesToPlay returns how many lives TestLives plays: what ENMS_LIVES says; otherwise
// twenty, or in the long form what makes a hundred thousand steps.
func livesToPlay(t *testing.T) int {
	t.Helper()
	if os.Getenv("ENMS_LIVES") == "" && os.Getenv("ENMS_TEST_LONG") != "" {
		return 8000
	}
	return number(t, "ENMS_LIVES", 20)
}

// number reads an environment variable.
func number(t *testing.T, variable string, fallback int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return fallback
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s=%q is no number", variable, text)
	}
	return n
}

// TestLives plays random lives. Of those that break a law, the shortest of each sort is
// shortened and printed as a table of steps, which TestOldLives takes as it is.
func TestLives(t *testing.T) {
	t.Parallel()
	playAll(t, livesToPlay(t), lives().Example)
}

// TestLives_defaults plays the same lives, with a provider block whose defaults change meanwhile.
func TestLives_defaults(t *testing.T) {
	t.Parallel()
	playAll(t, livesToPlay(t)/3, func(seed ...int) []step { return withDefaults(lives().Example(seed...), seed[0]) })
}

// TestLives_restores plays the same lives, on a server that is restored from a backup after
// applies.
func TestLives_restores(t *testing.T) {
	t.Parallel()
	playAll(t, livesToPlay(t)/3, func(seed ...int) []step { return withRestores(lives().Example(seed...), seed[0]) })
}

// withRestores inserts a restore after every third apply.
func withRestores(steps []step, seed int) (all []step) {
	applies := seed
	for _, s := range steps {
		all = append(all, s)
		if _, is := s.(apply); is {
			if applies++; applies%3 == 0 {
				all = append(all, restore{uint64(seed), applies%2 == 0})
			}
		}
	}
	return append(all, restore{uint64(seed), seed%2 == 0}, apply{})
}

// withDefaults inserts steps that change the defaults: at the beginning, and twice on the way.
func withDefaults(steps []step, seed int) []step {
	theirs, types := []any{"admin"}, map[string]any{"managed_by": "terraform"}
	defaults := []any{
		map[string]any{"owners": theirs},
		map[string]any{"owners": theirs, "device": map[string]any{"properties": types}},
		map[string]any{"device": map[string]any{"owners": theirs}, "service": map[string]any{"owners": theirs}},
		nil,
	}
	third := (len(steps) + 2) / 3
	var all []step
	for i, part := range slices.Collect(slices.Chunk(steps, third)) {
		all = append(append(all, settings{"defaults": defaults[(seed+i)%len(defaults)]}), part...)
	}
	return all
}

// playAll plays lives, and tells of those that break a law.
func playAll(t *testing.T, count int, life func(seed ...int) []step) {
	t.Helper()
	r := &report{counts: map[string]int{}, broken: map[string]*brokenLife{}}
	first := number(t, "ENMS_LIVES_SEED", firstSeed)
	seeds := make(chan int)
	var playing sync.WaitGroup
	for range together {
		playing.Go(func() {
			for seed := range seeds {
				steps := life(seed)
				l, broken := play(t, serverOptions(), steps)
				r.add(seed, steps, l, broken)
			}
		})
	}
	for seed := range count {
		seeds <- first + seed
	}
	close(seeds)
	playing.Wait()
	r.print(t)
}

// serverOptions returns the options of the simulators of this run. Some defaults are custom
// properties.
func serverOptions() simulator.Options {
	options := acctest.ServerOptions()
	options.CustomProperties = true
	return options
}

// report gathers what the lives of a run tell.
type report struct {
	mu     sync.Mutex
	lives  int
	counts map[string]int
	broken map[string]*brokenLife // by the sort of the violation
}

// brokenLife is the shortest life with a violation of one sort.
type brokenLife struct {
	times, seed int
	steps       []step
	violation   *violation
}

// add adds a life that was played.
func (r *report) add(seed int, steps []step, l *life, broken *violation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lives++
	for name, n := range l.counts {
		r.counts[name] += n
	}
	if broken == nil {
		return
	}
	sort := sortOf(broken)
	b := r.broken[sort]
	if b == nil {
		b = &brokenLife{}
		r.broken[sort] = b
	}
	if b.times++; b.steps == nil || len(steps) < len(b.steps) {
		b.seed, b.steps, b.violation = seed, steps, broken
	}
}

// print prints the counts, and fails for each sort of violation.
func (r *report) print(t *testing.T) {
	t.Helper()
	fmt.Println(r)
	sorts := sortedKeys(r.broken)
	slices.SortStableFunc(sorts, func(a, b string) int { return r.broken[b].times - r.broken[a].times })
	for _, sort := range sorts {
		fmt.Printf("%d times, with the seed %d: %s\n", r.broken[sort].times, r.broken[sort].seed, sort) // before they are shortened
	}
	for i, sort := range sorts {
		b := r.broken[sort]
		if i < shownSorts {
			b.shorten(t)
		}
		t.Errorf("%d times, with the seed %d: %s\n%s\n%s", b.times, b.seed, b.violation, stepsString(b.steps), strings.Join(b.violation.trace, "\n"))
	}
}

func (r *report) String() string {
	all := []string{fmt.Sprintf("%d lives", r.lives)}
	for _, name := range slices.Sorted(maps.Keys(r.counts)) {
		all = append(all, fmt.Sprintf("%d %s", r.counts[name], name))
	}
	return strings.Join(all, ", ")
}
