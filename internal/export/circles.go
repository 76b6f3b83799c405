// This file finds circles of references and decides where they are broken.

package export

import (
	"maps"
	"slices"
)

// arrow is a reference from one block to another. Both are addresses.
type arrow struct{ from, to string }

// brokenArrows returns references without which the others form no circles. The result depends only on
// the addresses.
func brokenArrows(references map[string][]string) map[arrow]bool {
	const (
		unvisited = iota
		open
		done
	)
	broken, state := map[arrow]bool{}, map[string]int{}
	var visit func(from string)
	visit = func(from string) {
		state[from] = open
		targets := slices.Clone(references[from])
		slices.Sort(targets)
		for _, to := range slices.Compact(targets) {
			switch state[to] {
			case unvisited:
				visit(to)
			case open:
				broken[arrow{from, to}] = true
			}
		}
		state[from] = done
	}
	for _, from := range slices.Sorted(maps.Keys(references)) {
		if state[from] == unvisited {
			visit(from)
		}
	}
	return broken
}
