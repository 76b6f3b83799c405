// This file tests where circles of references are broken.

package export

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestBrokenArrows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		references map[string][]string
		want       []arrow
	}{
		{map[string][]string{"a": {"b"}, "b": {"c"}, "c": nil}, nil},
		{map[string][]string{"a": {"b"}, "b": {"a"}}, []arrow{{"b", "a"}}},
		{map[string][]string{"a": {"c", "b"}, "b": {"c"}, "c": {"b"}}, []arrow{{"c", "b"}}},
		{map[string][]string{"a": {"a"}}, []arrow{{"a", "a"}}},
		{map[string][]string{"a": {"b", "c"}, "b": {"d"}, "c": {"d"}, "d": {"a"}}, []arrow{{"d", "a"}}},
	} {
		got := slices.Collect(maps.Keys(brokenArrows(c.references)))
		if !slices.Equal(got, c.want) {
			t.Errorf("%v is broken at %v, want %v", c.references, got, c.want)
		}
	}
}

// Without the broken references there are no circles, and each of them was in one.
func TestBrokenArrows_none(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 8).Draw(t, "n")
		references := map[string][]string{}
		for i := range n {
			references[fmt.Sprint(i)] = nil
			for _, to := range rapid.SliceOfN(rapid.IntRange(0, n-1), 0, 4).Draw(t, "to") {
				references[fmt.Sprint(i)] = append(references[fmt.Sprint(i)], fmt.Sprint(to))
			}
		}
		broken := brokenArrows(references)
		rest := map[string][]string{}
		for from, targets := range references {
			for _, to := range targets {
				if !broken[arrow{from, to}] {
					rest[from] = append(rest[from], to)
				}
			}
		}
		for from := range references {
			if reaches(rest, from, from) {
				t.Fatalf("%s is still in a circle: %v without %v", from, references, broken)
			}
		}
		for a := range broken {
			if !reaches(references, a.to, a.from) && a.from != a.to {
				t.Fatalf("%v was in no circle: %v", a, references)
			}
		}
	})
}

// reaches reports whether references lead from one block to another.
func reaches(references map[string][]string, from, to string) bool {
	seen, queue := map[string]bool{}, slices.Clone(references[from])
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		if next == to {
			return true
		}
		if !seen[next] {
			seen[next] = true
			queue = append(queue, references[next]...)
		}
	}
	return false
}
