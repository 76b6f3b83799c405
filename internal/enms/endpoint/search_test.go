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

func TestChunks(t *testing.T) {
	t.Parallel()
	var names []string
	for i := range 2500 {
		names = append(names, fmt.Sprint("device-", i))
	}
	names = append(names, strings.Repeat("x", 2*MaxPattern), "y")
	var all []string
	for _, part := range Chunks(names) {
		if len(part) > MaxNames || len(Pattern(part)) > MaxPattern+10 && len(part) > 1 {
			t.Errorf("%d names, %d bytes", len(part), len(Pattern(part)))
		}
		all = append(all, part...)
	}
	if !slices.Equal(all, names) || len(Chunks(nil)) != 0 {
		t.Error("names were lost")
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
