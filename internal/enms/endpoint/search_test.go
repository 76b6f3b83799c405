// Tests of the patterns of searches.

package endpoint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// oddNames are names that eNMS takes and that need care.
var oddNames = []string{
	" lead and trail ", "a#b", "100%", "%2F", "what?", "a;b", "a+b", "[Shared] x", "(a|b)", "^x$", "a.b*c", "{1,2}", "-", "~",
	"Zürich", "日本", "a&b=c", ".", "..", "\\d", "tab\there", "line\nend",
}

// Parts are full, and no name is left alone for its length.
func TestChunks_bounds(t *testing.T) {
	t.Parallel()
	half, large := strings.Repeat("x", MaxPattern/2-1), strings.Repeat("x", MaxPattern)
	for i, test := range []struct {
		names []string
		want  string // how many names the parts have
	}{
		{nil, "[]"}, {[]string{half, half}, "[2]"}, {[]string{half, half + "x"}, "[1 1]"}, {[]string{half, half, half, half}, "[2 2]"},
		{[]string{large, "y"}, "[1 1]"}, {[]string{"y", large}, "[1 1]"}, {slices.Repeat([]string{"y"}, MaxNames+1), "[1000 1]"}, {[]string{half, half[2:] + "."}, "[2]"}, {[]string{half, half[1:] + "."}, "[1 1]"},
	} {
		sizes := []int{}
		for _, part := range Chunks(test.names) {
			sizes = append(sizes, len(part))
		}
		if got := fmt.Sprint(sizes); got != test.want {
			t.Errorf("%d: %s, want %s", i, got, test.want)
		}
	}
	if got := Pattern([]string{"a.b", "c"}); got != `^(a\.b|c)$` {
		t.Error(got)
	}
}

func FuzzPattern(f *testing.F) {
	for i, name := range oddNames {
		f.Add(name, oddNames[(i+1)%len(oddNames)])
	}
	f.Fuzz(func(t *testing.T, name, other string) {
		if !utf8.ValidString(name) || !utf8.ValidString(other) {
			t.Skip("JSON cannot carry it")
		}
		match, err := regexp.Compile(Pattern([]string{name, "neighbour"}))
		if err != nil {
			t.Fatal(err)
		}
		if !match.MatchString(name) {
			t.Errorf("%q does not match itself", name)
		}
		if other != name && other != "neighbour" && match.MatchString(other) {
			t.Errorf("%q matches %q", name, other)
		}
	})
}
