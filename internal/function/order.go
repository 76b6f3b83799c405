// This file puts the services of each column into an order in which few edges
// cross.

package function

import (
	"slices"
)

// sweeps is how many times order sorts the columns at most, alternately from left to right and back;
// rows always moves them there and back as many times.
const sweeps = 8

// columns are the services in columns, from left to right. An edge that passes
// columns is a vertex without a name in each of them, which keeps a place free
// for it; edges with the same destination share these. place, below, holds for each vertex its number
// in its column, from the top.
type columns struct {
	graph    *graph
	column   []int   // of each vertex; first those of the graph, then the others
	before   [][]int // vertices of the column before that an edge leads from
	after    [][]int // vertices of the next column that an edge leads to
	vertices [][]int // of each column, from top to bottom
}

func newColumns(g *graph) *columns {
	c := &columns{graph: g, column: g.columns(), before: make([][]int, len(g.names)), after: make([][]int, len(g.names))}
	for v := range g.names {
		c.connect(v)
	}
	for v, i := range c.column {
		for len(c.vertices) <= i {
			c.vertices = append(c.vertices, nil)
		}
		c.vertices[i] = append(c.vertices[i], v)
	}
	return c
}

// connect makes the edges that lead to a service, with what they pass.
func (c *columns) connect(v int) {
	passed := map[int]int{c.column[v]: v} // by column
	for _, u := range c.graph.before[v] {
		for i := c.column[v] - 1; i > c.column[u]; i-- {
			if _, ok := passed[i]; ok {
				continue
			}
			passed[i] = len(c.column)
			c.column = append(c.column, i)
			c.before, c.after = append(c.before, nil), append(c.after, nil)
			c.join(passed[i], passed[i+1])
		}
		c.join(u, passed[c.column[u]+1])
	}
}

func (c *columns) join(u, v int) {
	c.after[u] = append(c.after[u], v)
	c.before[v] = append(c.before[v], u)
}

// order sorts each column by the middle of its neighbours, from left to right
// and back, and keeps the order with the fewest crossings.
func (c *columns) order() {
	place := make([]int, len(c.column))
	for i := range c.vertices {
		c.number(i, place)
	}
	best, fewest := c.copy(), c.crossings(place)
	for sweep := 0; sweep < sweeps && fewest > 0; sweep++ {
		for n := range c.vertices {
			i, neighbours := n, c.before
			if sweep%2 == 1 {
				i, neighbours = len(c.vertices)-1-n, c.after
			}
			c.sort(i, neighbours, place)
		}
		if count := c.crossings(place); count < fewest {
			best, fewest = c.copy(), count
		}
	}
	c.vertices = best
}

// sort orders a column by the mean place of its neighbours on one side. Those
// without any keep to those that they stand with.
func (c *columns) sort(i int, neighbours [][]int, place []int) {
	sum, count := map[int]int{}, map[int]int{}
	for _, v := range c.vertices[i] {
		sum[v], count[v] = place[v], 1
		if list := neighbours[v]; len(list) > 0 {
			sum[v], count[v] = 0, len(list)
			for _, u := range list {
				sum[v] += place[u]
			}
		}
	}
	slices.SortStableFunc(c.vertices[i], func(a, b int) int { return sum[a]*count[b] - sum[b]*count[a] })
	c.number(i, place)
}

// number sets the places of a column's vertices.
func (c *columns) number(i int, place []int) {
	for n, v := range c.vertices[i] {
		place[v] = n
	}
}

func (c *columns) copy() [][]int {
	out := make([][]int, len(c.vertices))
	for i, column := range c.vertices {
		out[i] = slices.Clone(column)
	}
	return out
}

// crossings counts how many pairs of edges cross.
func (c *columns) crossings(place []int) int {
	count := 0
	for i := range len(c.vertices) - 1 {
		// Edges in the order of their sources: each crosses those before it whose destination is
		// further down. tree is a Fenwick tree of the numbers of edges that lead to each place; total
		// is the number of them all.
		tree, total := make([]int, len(c.vertices[i+1])+1), 0
		for _, u := range c.vertices[i] {
			for _, v := range c.after[u] {
				count += total
				for n := place[v] + 1; n > 0; n -= n & -n {
					count -= tree[n]
				}
			}
			for _, v := range c.after[u] {
				total++
				for n := place[v] + 1; n < len(tree); n += n & -n {
					tree[n]++
				}
			}
		}
	}
	return count
}

// width returns the width of the widest box of a column.
func (c *columns) width(i int) int {
	width := 0
	for _, v := range c.vertices[i] {
		if v < len(c.graph.names) {
			width = max(width, boxWidth(c.graph.names[v]))
		}
	}
	return width
}
