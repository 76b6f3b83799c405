// This file computes the positions of the services of a workflow: from the edges the columns (graph.go) and
// the order within each column (order.go), and from both the coordinates. It uses integers, so that every
// machine computes the same.

package function

import "slices"

// passes is how often rows moves the vertices, in each direction.
const passes = 8

// Distances in a layout, in the unit of the positions that eNMS stores.
const (
	columnGap = 80  // between the boxes of one column and those of the next
	rowGap    = 120 // from the middle of a box to the middle of the one below
)

// point is the center of the box of a service.
type point struct{ x, y int }

// layout returns the position of each service to which an edge refers.
func layout(edges []Edge) map[string]point {
	g := newGraph(edges)
	c := newColumns(g)
	c.order()
	y := c.rows()
	points := make(map[string]point, len(g.names))
	x, right := 0, 0
	for i, column := range c.vertices {
		width := c.width(i)
		if i > 0 {
			x = right + columnGap + width/2
		}
		right = x + width - width/2
		for _, v := range column {
			if v < len(g.names) { // a service
				points[g.names[v]] = point{x: x, y: y[v]}
			}
		}
	}
	return points
}

// rows returns the y of each vertex, near the mean y of its neighbours; 0 for the first vertex of the first column.
func (c *columns) rows() []int {
	y := make([]int, len(c.column))
	for _, column := range c.vertices {
		for i, v := range column {
			y[v] = i * rowGap
		}
	}
	for range passes {
		for _, column := range c.vertices {
			c.settle(column, c.before, y)
		}
		for _, column := range slices.Backward(c.vertices) {
			c.settle(column, c.after, y)
		}
	}
	if len(c.vertices) > 0 {
		origin := y[c.vertices[0][0]]
		for v := range y {
			y[v] -= origin
		}
	}
	return y
}

// settle moves the vertices of a column as near as possible to the mean y of their neighbours on one side (wish). The
// vertices keep their order and a minimum distance: those that would be too close form a block, which moves as one.
func (c *columns) settle(column []int, neighbours [][]int, y []int) {
	type block struct { // the mean sum/count is the y of the column's top that suits the vertices of the block
		sum, count int
	}
	var blocks []block
	for i, v := range column {
		wish := y[v]
		if list := neighbours[v]; len(list) > 0 {
			wish = 0
			for _, u := range list {
				wish += y[u]
			}
			wish = floor(wish, len(list))
		}
		b := block{sum: wish - i*rowGap, count: 1}
		for len(blocks) > 0 {
			last := blocks[len(blocks)-1]
			if floor(last.sum, last.count) <= floor(b.sum, b.count) {
				break
			}
			b.sum, b.count = b.sum+last.sum, b.count+last.count
			blocks = blocks[:len(blocks)-1]
		}
		blocks = append(blocks, b)
	}
	i := 0
	for _, b := range blocks {
		for range b.count {
			y[column[i]] = floor(b.sum, b.count) + i*rowGap
			i++
		}
	}
}

// floor divides by a positive number, and rounds negative results down, too.
func floor(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
