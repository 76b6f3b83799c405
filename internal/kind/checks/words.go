// This file finds known names that are similar to an unknown one, and completes sentences.

package checks

import (
	"slices"
	"strings"
)

// Nearest returns the known name that differs from name in the fewest characters, ignoring case, or "" if
// none is similar. If several are equally similar, it returns the first in alphabetical order.
func Nearest(name string, known []string) string {
	nearest, fewest := "", max(1, len(name)/3)+1 // up to a third of the characters may differ, or one of a short name
	for _, candidate := range slices.Sorted(slices.Values(known)) {
		if strings.EqualFold(name, candidate) {
			return candidate
		}
		if d := distance(name, candidate); d < fewest {
			nearest, fewest = candidate, d
		}
	}
	return nearest
}

// Abbreviated returns the one known name that a short name abbreviates: its beginning, one of its words or the first
// letters of them, as ip does ip_address. It returns "" if there are several or none.
func Abbreviated(short string, known []string) string {
	short = strings.ToLower(short)
	var long []string
	for _, candidate := range known {
		words, initials := strings.Split(candidate, "_"), ""
		for _, word := range words {
			initials += word[:min(1, len(word))]
		}
		if strings.HasPrefix(candidate, short) || slices.Contains(words, short) || initials == short {
			long = append(long, candidate)
		}
	}
	if len(long) != 1 || len(short) < 2 {
		return ""
	}
	return long[0]
}

// distance returns how many characters have to be inserted, removed, replaced, or exchanged with
// the next one, to convert one string to the other.
func distance(x, y string) int {
	from, to := []rune(x), []rune(y)
	rows := make([][]int, len(from)+1) // rows[i][j] is the distance of the first i characters of x and the first j of y
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

// Sentence returns the message of an error as a sentence, for a diagnostic.
func Sentence(s string) string {
	if s == "" {
		return s
	}
	s = strings.TrimRight(s, ". ") + "."
	if strings.HasPrefix(s, "eNMS") {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
