package planning

import (
	"maps"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// Names are the same by what the database ignores, character by character: an accent that
// stands alone counts, as do letters that are no other letter with an accent.
func TestAlike(t *testing.T) {
	t.Parallel()
	all := enms.Comparison{Case: true, Accents: true, TrailingBlanks: true}
	for _, test := range []struct {
		first, second string
		ignored       enms.Comparison
		same          bool
	}{
		{"R1", "r1", all, true},
		{"muller", "MÜLLER ", all, true},
		{"strase", "straße", all, true},
		{"R1", "r1", enms.Comparison{TrailingBlanks: true}, false},
		{"a", "a  ", enms.Comparison{TrailingBlanks: true}, true},
		{"muller", "müller", enms.Comparison{Case: true}, false},
		{" a", "a", all, false},
		{"a\t", "a", all, false},
		{"mu\u0308", "mu", all, false},
		{"strasse", "straße", all, false},
		{"o", "ø", all, false},
		{"ae", "æ", all, false},
		{"R1", "R2", all, false},
	} {
		want := map[string]string{}
		if test.same {
			want[max(test.first, test.second)] = min(test.first, test.second)
		}
		if got := alike([]string{test.first, test.second}, test.ignored); !maps.Equal(got, want) {
			t.Errorf("%q and %q: %v", test.first, test.second, got)
		}
	}
}
