// This file finds the known name that is nearest to one that is not known.

package kind

import (
	"slices"
	"strings"
)

// Nearest returns the name that takes the fewest changes of a character, "" when none
// comes near. Upper and lower case are the same. Of several, it is the first in the order
// of the alphabet.
func Nearest(name string, known []string) string {
	best, fewest := "", max(2, len(name)/3)+1
	for _, candidate := range slices.Sorted(slices.Values(known)) {
		if strings.EqualFold(name, candidate) && name != "" {
			return candidate
		}
		if d := distance(name, candidate); d < fewest {
			best, fewest = candidate, d
		}
	}
	return best
}

// distance is how many characters have to be put in, taken out or exchanged to
// make one text of the other.
func distance(x, y string) int {
	from, to := []rune(x), []rune(y)
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range from {
		diagonal := row[0]
		row[0] = i + 1
		for j, s := range to {
			changed := diagonal
			if r != s {
				changed++
			}
			diagonal = row[j+1]
			row[j+1] = min(changed, row[j]+1, diagonal+1)
		}
	}
	return row[len(to)]
}
