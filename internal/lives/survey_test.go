// A survey of all that goes wrong: many lives, and the shortest of each sort that breaks
// a law. It is for those who look for faults; TestLives stops at the first.

package lives

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// TestSurvey plays ENMS_LIVES_SURVEY lives, from the seed ENMS_LIVES_SEED on.
func TestSurvey(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("ENMS_LIVES_SURVEY"))
	if n == 0 {
		t.Skip("set ENMS_LIVES_SURVEY to the number of lives")
	}
	first, _ := strconv.Atoi(os.Getenv("ENMS_LIVES_SEED"))
	total := &tally{counts: map[string]int{}}
	sorts, counts := map[string][]step{}, map[string]int{}
	for seed := first; seed < first+n; seed += together {
		batch := make([][]step, together)
		for i := range batch {
			batch[i] = lives().Example(seed + i)
		}
		for i, broken := range playEach(t, total, batch) {
			if broken == nil {
				continue
			}
			sort := sortOf(broken)
			counts[sort]++
			if old := sorts[sort]; old == nil || len(batch[i]) < len(old) {
				sorts[sort] = batch[i]
			}
		}
	}
	fmt.Println(total)
	for sort, steps := range sorts {
		fmt.Printf("=== %d times: %s\n", counts[sort], sort)
		shortest := shorten(t, steps)
		if _, broken := playLife(t, simulator.Options{}, shortest); broken != nil {
			fmt.Printf("%s\n%s\n%s\n", broken, stepsString(shortest), strings.Join(broken.trace, "\n"))
		} else {
			fmt.Printf("not each time:\n%s\n", stepsString(shortest))
		}
	}
}

var particular = regexp.MustCompile(`"[^"]*"|\d+|enms_(\w+)\.[a-z]\d?\b`)

// sortOf is a violation without what is particular to one life.
func sortOf(v *violation) string {
	text := v.law + ": " + v.what
	if at := strings.Index(text, "; the plan was"); at > 0 {
		text = text[:at]
	}
	text = particular.ReplaceAllString(text, "_")
	if lines := strings.SplitN(text, "\n", 3); len(lines) > 2 {
		text = lines[0] + lines[1]
	}
	return text[:min(len(text), 220)]
}
