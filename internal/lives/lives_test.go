// The tests: random lives, and lives that broke a law once.

package lives

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/simtest"
)

// together is how many lives are played at the same time: they wait most of the time.
const together = 40

// TestMain has rapid draw the same lives each time, unless a seed is given.
func TestMain(m *testing.M) {
	defaults := map[string]string{"rapid.seed": "20", "rapid.checks": "6", "rapid.shrinktime": "15s", "rapid.nofailfile": "true"}
	if os.Getenv("ENMS_TEST_LONG") != "" {
		defaults["rapid.checks"] = "250"
	}
	for name, v := range defaults {
		if err := flag.Set(name, v); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// TestLives plays random lives. One that breaks a law is shortened and printed as a table
// of steps, which TestOldLives takes as it is.
func TestLives(t *testing.T) {
	t.Parallel()
	total := &tally{counts: map[string]int{}}
	defer func() { fmt.Println(total) }()
	var shortest []step
	defer func() {
		if shortest != nil {
			report(t, shorten(t, shortest))
		}
	}()
	rapid.Check(t, func(rt *rapid.T) {
		batch := rapid.SliceOfN(lives(), rapid.SampledFrom([]int{together, 1}).Draw(rt, "at least"), together).Draw(rt, "lives")
		if failed := playAll(t, total, batch); failed != nil {
			shortest = failed
			rt.Fatalf("a life broke a law")
		}
	})
}

// playEach plays lives at the same time, and returns what each breaks.
func playEach(t *testing.T, total *tally, batch [][]step, lived []*life) (broken []*violation) {
	broken = make([]*violation, len(batch))
	var playing sync.WaitGroup
	for i, steps := range batch {
		playing.Go(func() {
			var l *life
			l, broken[i] = play(t, serverOptions(), steps)
			total.add(l.counts)
			if lived != nil {
				lived[i] = l
			}
		})
	}
	playing.Wait()
	return broken
}

// playAll plays lives at the same time, and returns the shortest that breaks a law.
func playAll(t *testing.T, total *tally, batch [][]step) (failed []step) {
	for i, broken := range playEach(t, total, batch, nil) {
		if broken != nil && total.known(broken, batch[i]) {
			continue
		}
		if broken != nil && (failed == nil || len(batch[i]) < len(failed)) {
			failed = batch[i]
		}
	}
	return failed
}

// report prints a life that broke a law.
func report(t *testing.T, steps []step) {
	t.Helper()
	_, broken := playLife(t, serverOptions(), steps)
	if broken == nil {
		t.Errorf("this life broke a law, but not each time:\n%s", stepsString(steps))
		return
	}
	t.Errorf("%s\n%s\n%s", broken, stepsString(steps), strings.Join(broken.trace, "\n"))
}

// serverOptions are the options of the simulators of this run.
func serverOptions() simulator.Options {
	options, known := simtest.Servers[simtest.ServerName()]
	if !known {
		panic("ENMS_TEST_SERVER=" + simtest.ServerName() + " is none of the servers of simtest")
	}
	return options
}

// tally counts over all lives.
type tally struct {
	mu     sync.Mutex
	lives  int
	counts map[string]int
}

func (c *tally) add(counts map[string]int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lives++
	for name, n := range counts {
		c.counts[name] += n
	}
}

// known counts a life that broke a law because of a fault that is known.
func (c *tally) known(v *violation, steps []step) bool {
	fault := knownFault(v, steps)
	if fault != "" {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.counts["lives that show "+fault]++
	}
	return fault != ""
}

func (c *tally) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := []string{fmt.Sprintf("%d lives", c.lives)}
	for _, name := range slices.Sorted(maps.Keys(c.counts)) {
		all = append(all, fmt.Sprintf("%d %s", c.counts[name], name))
	}
	return strings.Join(all, ", ")
}
