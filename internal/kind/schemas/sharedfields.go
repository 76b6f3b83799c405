// This file finds the fields that several subtypes have in the same form, so that a page shows them once.

package schemas

import (
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// A set is worth a section of its own if it has at least fewestShared rows, and the page at least fewestSaved rows
// fewer with it.
const (
	fewestShared = 2
	fewestSaved  = 6
)

// described is a row, and its line in a table. Rows with the same line are the same to a reader.
type described struct {
	row  kind.Attribute
	line string
}

// shared is a set of rows that several subtypes have.
type shared struct {
	rows     []described
	subtypes []string
}

// divide returns the sets of rows that are worth a section, the largest saving first, and the rows that are left to
// each subtype. No row is in two sets of a subtype.
func divide(subtypes []string, rows map[string][]described) (sets []shared, own map[string][]described) {
	own = map[string][]described{}
	for name, all := range rows {
		own[name] = slices.Clone(all)
	}
	for {
		best, saved := shared{}, fewestSaved-1
		for _, candidate := range intersections(subtypes, own) {
			var with []string
			for _, name := range subtypes {
				if len(common(candidate, own[name])) == len(candidate) {
					with = append(with, name)
				}
			}
			if s := len(candidate) * (len(with) - 1); len(candidate) >= fewestShared && s > saved {
				best, saved = shared{rows: candidate, subtypes: with}, s
			}
		}
		if best.rows == nil {
			return sets, own
		}
		sets = append(sets, best)
		for _, name := range best.subtypes {
			own[name] = slices.DeleteFunc(own[name], func(d described) bool { return has(best.rows, d) })
		}
	}
}

// intersections returns what two or more subtypes have in common, each set once.
func intersections(subtypes []string, rows map[string][]described) (all [][]described) {
	seen := map[string]bool{}
	add := func(set []described) {
		var key strings.Builder
		for _, d := range set {
			key.WriteString(d.line + "\n")
		}
		if !seen[key.String()] {
			seen[key.String()] = true
			all = append(all, set)
		}
	}
	for i, name := range subtypes {
		for _, other := range subtypes[:i] {
			add(common(rows[name], rows[other]))
		}
	}
	for fresh := all; len(fresh) > 0; { // what three have in common, then four, and so on
		before := len(all)
		for _, set := range fresh {
			for _, name := range subtypes {
				add(common(set, rows[name]))
			}
		}
		fresh = all[before:]
	}
	return all
}

// common returns the rows of a that b has, too, in the order of a.
func common(a, b []described) (both []described) {
	for _, d := range a {
		if has(b, d) {
			both = append(both, d)
		}
	}
	return both
}

func has(rows []described, d described) bool {
	return slices.ContainsFunc(rows, func(other described) bool { return other.line == d.line })
}
