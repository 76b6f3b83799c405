// This file assigns the services of a workflow to columns, by their edges.

package function

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/servicename"
)

// The services at the beginning and the end of every workflow.
const (
	start = servicename.Start
	end   = servicename.End
)

func compareEdges(a, b Edge) int {
	return cmp.Or(strings.Compare(a.Source, b.Source), strings.Compare(a.Destination, b.Destination))
}

// graph has the services as numbers, and their edges without cycles.
type graph struct {
	names  []string // by number, sorted
	before [][]int  // for each service, those from which edges lead to it, sorted
	sorted []int    // the services, each after all in its before
}

// newGraph makes a graph of the edges. It reverses edges that would close a cycle, or lead to Start or from
// End.
func newGraph(edges []Edge) *graph {
	names := map[string]int{}
	for _, e := range edges {
		names[e.Source], names[e.Destination] = 0, 0
	}
	g := &graph{names: slices.Sorted(maps.Keys(names))}
	for i, name := range g.names {
		names[name] = i
	}
	after, incoming := make([][]int, len(g.names)), make([]int, len(g.names)) // destinations, and numbers of edges
	edges = slices.SortedFunc(slices.Values(edges), compareEdges)
	for _, e := range slices.Compact(edges) {
		if e.Destination == start || e.Source == end {
			e.Source, e.Destination = e.Destination, e.Source
		}
		if e.Source != e.Destination {
			u, v := names[e.Source], names[e.Destination]
			after[u] = append(after[u], v)
			incoming[v]++
		}
	}
	g.sort(after, incoming)
	return g
}

// sort sets before and sorted by a depth-first search: from Start, then from services without incoming edges,
// then from the others. It reverses the edges that close a cycle.
func (g *graph) sort(after [][]int, incoming []int) {
	const (
		unvisited = iota
		onPath
		done
	)
	state := make([]int, len(g.names))
	g.before = make([][]int, len(g.names))
	var walk func(u int)
	walk = func(u int) {
		state[u] = onPath
		for _, v := range after[u] {
			if state[v] == onPath {
				g.before[u] = append(g.before[u], v)
				continue
			}
			g.before[v] = append(g.before[v], u)
			if state[v] == unvisited {
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
			if state[v] == unvisited && begins(v) {
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

// columns returns the column of each service: the first one to the right of all services with edges to it, or without
// such edges, the one before the first service to which it leads. Start is alone in the first column, and End in the
// last.
func (g *graph) columns() []int {
	column := make([]int, len(g.names))
	next := make([]int, len(g.names)) // the first column to which a service leads; 0 if it leads to none
	last := 0
	for _, v := range g.sorted {
		if g.names[v] != start {
			column[v] = 1
		}
		for _, u := range g.before[v] {
			column[v] = max(column[v], column[u]+1)
		}
		if g.names[v] != end {
			last = max(last, column[v])
		}
	}
	if i, ok := slices.BinarySearch(g.names, end); ok {
		column[i] = last + 1
	}
	for v := range g.names {
		for _, u := range g.before[v] {
			if next[u] == 0 || column[v] < next[u] {
				next[u] = column[v]
			}
		}
	}
	for v, name := range g.names {
		if len(g.before[v]) == 0 && name != start && next[v] > 0 {
			column[v] = next[v] - 1
		}
	}
	return compact(column)
}

// compact removes empty columns.
func compact(column []int) []int {
	used := slices.Clone(column)
	slices.Sort(used)
	used = slices.Compact(used)
	for v, i := range column {
		column[v], _ = slices.BinarySearch(used, i)
	}
	return column
}

// boxWidth returns the minimum width of the box of a service: the Workflow Builder shows the scoped name above
// the type.
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
