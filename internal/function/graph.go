// This file puts the services of a workflow into columns, by the edges between
// them.

package function

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/servicename"
)

// The services with which every workflow begins and ends.
const (
	start = "[" + servicename.Shared + "] Start"
	end   = "[" + servicename.Shared + "] End"
)

// edge leads from one service to another.
type edge struct{ source, destination string }

func compareEdges(a, b edge) int {
	return cmp.Or(strings.Compare(a.source, b.source), strings.Compare(a.destination, b.destination))
}

// graph is the services, by number, and what leads to them, without circles.
type graph struct {
	names  []string // sorted
	before [][]int  // sorted
	sorted []int    // the services, each after all that lead to it
}

// newGraph makes a graph of the edges. An edge that would close a circle, lead
// to Start or from End counts the other way round.
func newGraph(edges []edge) *graph {
	names := map[string]int{}
	for _, e := range edges {
		names[e.source], names[e.destination] = 0, 0
	}
	g := &graph{names: slices.Sorted(maps.Keys(names))}
	for i, name := range g.names {
		names[name] = i
	}
	after, before := make([][]int, len(g.names)), make([]int, len(g.names))
	edges = slices.SortedFunc(slices.Values(edges), compareEdges)
	for _, e := range slices.Compact(edges) {
		if e.destination == start || e.source == end {
			e.source, e.destination = e.destination, e.source
		}
		if e.source != e.destination {
			u, v := names[e.source], names[e.destination]
			after[u] = append(after[u], v)
			before[v]++
		}
	}
	g.straighten(after, before)
	return g
}

// straighten walks through the graph, from Start, then from services that
// nothing leads to, then from what is left. An edge that leads back on the way
// on which the walk came closes a circle.
func (g *graph) straighten(after [][]int, incoming []int) {
	const (
		unseen = iota
		onTheWay
		done
	)
	state := make([]int, len(g.names))
	g.before = make([][]int, len(g.names))
	var walk func(u int)
	walk = func(u int) {
		state[u] = onTheWay
		for _, v := range after[u] {
			if state[v] == onTheWay {
				g.before[u] = append(g.before[u], v)
				continue
			}
			g.before[v] = append(g.before[v], u)
			if state[v] == unseen {
				walk(v)
			}
		}
		state[u] = done
		g.sorted = append(g.sorted, u)
	}
	for _, begins := range []func(v int) bool{
		func(v int) bool { return g.names[v] == start },
		func(v int) bool { return incoming[v] == 0 },
		func(int) bool { return true },
	} {
		for v := range g.names {
			if state[v] == unseen && begins(v) {
				walk(v)
			}
		}
	}
	slices.Reverse(g.sorted)
	for v := range g.before {
		slices.Sort(g.before[v])
		g.before[v] = slices.Compact(g.before[v])
	}
}

// columns gives each service its column: right of all that lead to it, Start
// alone in the first, End alone in the last.
func (g *graph) columns() []int {
	column := make([]int, len(g.names))
	_, hasStart := slices.BinarySearch(g.names, start)
	next := make([]int, len(g.names)) // the first column that a service leads to
	last := 0
	for _, v := range g.sorted {
		if hasStart && g.names[v] != start {
			column[v] = 1
		}
		for _, u := range g.before[v] {
			column[v] = max(column[v], column[u]+1)
		}
		if g.names[v] != end {
			last = max(last, column[v])
		}
	}
	if i, ok := slices.BinarySearch(g.names, end); ok && len(g.names) > 1 {
		column[i] = last + 1
	}
	for v := range g.names {
		for _, u := range g.before[v] {
			if next[u] == 0 || column[v] < next[u] {
				next[u] = column[v]
			}
		}
	}
	for v, name := range g.names { // what nothing leads to stands by what it leads to
		if len(g.before[v]) == 0 && name != start && next[v] > 0 {
			column[v] = next[v] - 1
		}
	}
	return compact(column)
}

// compact leaves out columns that hold nothing.
func compact(column []int) []int {
	used := slices.Clone(column)
	slices.Sort(used)
	used = slices.Compact(used)
	for v, i := range column {
		column[v], _ = slices.BinarySearch(used, i)
	}
	return column
}

// boxWidth is how wide a service is drawn, at least: the Workflow Builder shows
// the name without the prefix in brackets, above the type.
func boxWidth(name string) int {
	if name == start || name == end {
		return 60
	}
	width := 20
	_, scoped := servicename.Split(name)
	for _, r := range scoped {
		if r <= unicode.MaxLatin1 {
			width += 9
		} else {
			width += 16
		}
	}
	return max(width, 180)
}
