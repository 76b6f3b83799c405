// This file declares sets of small numbers, such as the minutes or the weekdays of an expression.

package schedule

import (
	"fmt"
	"math/bits"
	"strings"
)

// set holds numbers from 0 to 63.
type set uint64

func (s set) has(n int) bool { return s&(1<<n) != 0 }

func (s set) with(n int) set { return s | 1<<n }

// steps returns the set of first, first+step and so on up to last.
func steps(first, last, step int) set {
	var s set
	for n := first; n <= last; n += step {
		s = s.with(n)
	}
	return s
}

// list returns the members in order, separated by commas. If withRanges, it writes three or more consecutive
// members as a range.
func (s set) list(withRanges bool) string {
	var parts []string
	for s != 0 {
		first := bits.TrailingZeros64(uint64(s))
		run := bits.TrailingZeros64(^uint64(s >> first))
		if !withRanges || run < 3 {
			run = 1
			parts = append(parts, fmt.Sprint(first))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d", first, first+run-1))
		}
		s &^= (1<<run - 1) << first
	}
	return strings.Join(parts, ",")
}
