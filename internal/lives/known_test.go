// Faults that are known and not mended yet: a random life that breaks a law because of
// one of them is counted, and does not fail the test. Whoever mends one takes it off.

package lives

import (
	"slices"
	"strings"
)

// known is a fault of the provider that is known.
type known struct {
	fault string
	is    func(v *violation, steps []step) bool
}

// knownFaults are told from what the life did before it broke a law.
var knownFaults = []known{
}

// traced reports whether one line of the trace has all of the words.
func (v *violation) traced(words ...string) bool {
	return slices.ContainsFunc(v.trace, func(line string) bool {
		return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(line, word) })
	})
}

// knownFault returns the known fault by which a life has broken a law, "" when there is
// none.
func knownFault(v *violation, steps []step) string {
	for _, k := range knownFaults {
		if k.is(v, steps) {
			return k.fault
		}
	}
	return ""
}
