// Cells of a table as SQL compares them.

package simulator

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
)

// compareCells orders values as SQLite does: NULL, numbers, texts.
func compareCells(a, b any) int {
	rank := func(v any) int {
		switch v.(type) {
		case nil:
			return 0
		case string:
			return 2
		default:
			return 1
		}
	}
	if byRank := cmp.Compare(rank(a), rank(b)); byRank != 0 {
		return byRank
	}
	switch a := a.(type) {
	case nil:
		return 0
	case string:
		return strings.Compare(a, b.(string))
	default:
		return cmp.Compare(toFloat(a), toFloat(b))
	}
}

func toFloat(v any) float64 {
	f, _ := convertFloat(v)
	n, _ := f.(float64)
	return n
}

func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

var numberAtStart = regexp.MustCompile(`^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?`)

func leadingNumber(text string) float64 {
	n, _ := strconv.ParseFloat(strings.TrimSpace(numberAtStart.FindString(text)), 64)
	return n
}
