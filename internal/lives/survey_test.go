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
	needless, examples := map[string]int{}, map[string]string{}
	for seed := first; seed < first+n; seed += together {
		batch := make([][]step, together)
		for i := range batch {
			batch[i] = lives().Example(seed + i)
		}
		lived := make([]*life, len(batch))
		for i, broken := range playEach(t, total, batch, lived) {
			for _, text := range lived[i].needless {
				sort := sortOf(&violation{what: text})
				needless[sort]++
				examples[sort] = fmt.Sprintf("seed %d\n%s\n%s", seed+i, stepsString(batch[i]), text)
			}
			if broken == nil {
				continue
			}
			sort := sortOf(broken)
			if fault := knownFault(broken, batch[i]); fault != "" && os.Getenv("ENMS_LIVES_KNOWN") == "" {
				counts[fault]++
				continue
			}
			counts[sort]++
			if old := sorts[sort]; old == nil || len(batch[i]) < len(old) {
				sorts[sort] = batch[i]
			}
		}
	}
	fmt.Println(total)
	for _, sort := range sortedKeys(needless) {
		fmt.Printf("--- %d times in the first attempt, with nothing from outside: %s\n%s\n", needless[sort], sort, examples[sort])
	}
	for _, k := range knownFaults {
		fmt.Printf("%d times: %s\n", counts[k.fault], k.fault)
	}
	for sort, steps := range sorts {
		fmt.Printf("=== %d times: %s\n", counts[sort], sort)
		shortest := shorten(t, steps)
		if _, broken := playLife(t, serverOptions(), shortest); broken != nil {
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
