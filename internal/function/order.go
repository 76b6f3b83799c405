// This file orders the services of each column so that few edges cross.

package function

import "slices"

// columns has the vertices of the layout in columns, from left to right: the services, and, for an edge that
// passes columns, a vertex without a name in each of them. Edges with the same destination share these. Vertices are
// numbers, those of services as in graph. In the methods, place has the place of each vertex in its column, from the top.
type columns struct {
	graph    *graph
	column   []int   // of each vertex: first the services, then the others
	before   [][]int // for each vertex, those of the previous column with an edge to it
	after    [][]int // for each vertex, those of the next column to which an edge leads
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

// connect adds the edges that lead to a service, with the vertices in the columns that they pass.
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

// join adds an edge from u to v, which is in the next column.
func (c *columns) join(u, v int) {
	c.after[u] = append(c.after[u], v)
	c.before[v] = append(c.before[v], u)
}

// order sorts each column by the mean places of neighbours: once from left to right, and once back. More passes do not
// leave fewer crossings.
func (c *columns) order() {
	place := make([]int, len(c.column))
	for i := range c.vertices {
		c.setPlaces(i, place)
	}
	for i := range c.vertices {
		c.sort(i, c.before, place)
	}
	for i := range slices.Backward(c.vertices) {
		c.sort(i, c.after, place)
	}
}

// sort sorts the column i by the mean places of the neighbours on one side, as fractions. A vertex without neighbours
// counts with its own place.
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
	c.setPlaces(i, place)
}

// setPlaces sets the places of the vertices of the column i.
func (c *columns) setPlaces(i int, place []int) {
	for n, v := range c.vertices[i] {
		place[v] = n
	}
}

// width returns the width of the widest box of the column i.
func (c *columns) width(i int) int {
	width := 0
	for _, v := range c.vertices[i] {
		if v < len(c.graph.names) {
			width = max(width, boxWidth(c.graph.names[v]))
		}
	}
	return width
}
