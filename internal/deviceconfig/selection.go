// This file selects lines.

package deviceconfig

import "strings"

// Select returns the lines of a configuration that match only, with what belongs to them, and the lines that
// they belong to. Lines that match ignore are left out with what belongs to them, and so are comments and
// empty lines: nothing but what was selected is in the result.
func Select(config string, only, ignore Patterns) string {
	lines := linesOf(config)
	matching, ignored, selected := only.matches(lines), ignore.matches(lines), make([]bool, len(lines))
	for i := len(lines) - 1; i >= 0; i-- { // from the last, so that a line comes before the one that it belongs to
		selected[i] = selected[i] || matching[i] && !ignored[i]
		if above := lines[i].above; selected[i] && above != none {
			selected[above] = true
		}
	}
	var b strings.Builder
	for i, l := range lines {
		if selected[i] {
			b.WriteString(l.raw + "\n")
		}
	}
	return b.String()
}
