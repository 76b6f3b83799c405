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
	best, fewest := "", max(1, len(name)/3)+1
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

// distance is how many characters have to be inserted, removed, replaced, or exchanged with
// the next one, to make one text of the other.
func distance(x, y string) int {
	from, to := []rune(x), []rune(y)
	rows := make([][]int, len(from)+1)
	for i := range rows {
		rows[i] = make([]int, len(to)+1)
		rows[i][0] = i
	}
	for j := range to {
		rows[0][j+1] = j + 1
	}
	for i, r := range from {
		for j, s := range to {
			replaced := rows[i][j]
			if r != s {
				replaced++
			}
			rows[i+1][j+1] = min(replaced, rows[i][j+1]+1, rows[i+1][j]+1)
			if i > 0 && j > 0 && r == to[j-1] && from[i-1] == s {
				rows[i+1][j+1] = min(rows[i+1][j+1], rows[i-1][j-1]+1)
			}
		}
	}
	return rows[len(from)][len(to)]
}
