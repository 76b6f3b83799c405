// This file draws flowcharts as SVG: nodes in columns, so that arrows go from left to right.

package main

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// The measures of a picture, in pixels.
const (
	letterWidth = 8 // at most, on average
	boxHeight   = 40
	boxPadding  = 16
	rowGap      = 28
	columnGap   = 48
	margin      = 12
	loopHeight  = 34
)

// flowStyle has colours for a light and for a dark page. What has a class of the flowchart has the same on both.
const flowStyle = `<style>
text { font: 14px -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; fill: #1f2328; text-anchor: middle; dominant-baseline: central }
rect { fill: #f6f8fa; stroke: #59636e }
path { fill: none; stroke: #59636e; stroke-width: 1.5 }
polygon { fill: #59636e }
.label { font-size: 12px; fill: #59636e }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc }
rect { fill: #151b23; stroke: #9198a1 }
path { stroke: #9198a1 }
polygon { fill: #9198a1 }
.label { fill: #9198a1 }
}
</style>
`

// place is a node in a column, or where an arrow passes through a column without a node.
type place struct {
	node          *node // nil where an arrow passes
	x, y, width   int   // of the left edge and of the middle
	column        int
	before, after []*place
}

func (p *place) right() int { return p.x + p.width }

// route is an arrow with the places that it goes through.
type route struct {
	*edge
	through []*place
	back    bool // it goes to an earlier column, below all others
}

// drawing is a flowchart whose nodes have their places.
type drawing struct {
	columns       [][]*place
	routes        []route
	width, height int
}

// svg returns the picture, which needs nothing else.
func (f *flowchart) svg() string {
	d := f.arrange()
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img">`+"\n", d.width, d.height)
	fmt.Fprintf(&b, "<title>%s</title>\n%s", escaped(f.inWords()), flowStyle)
	for _, r := range d.routes {
		b.WriteString(r.svg(d.height))
	}
	for _, p := range slices.Concat(d.columns...) {
		if p.node != nil {
			b.WriteString(f.box(p))
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// arrange gives every node its place.
func (f *flowchart) arrange() drawing {
	var d drawing
	column, back := f.ranks()
	places := map[*node]*place{}
	put := func(n *node, c int) *place {
		for len(d.columns) <= c {
			d.columns = append(d.columns, nil)
		}
		p := &place{node: n, column: c}
		d.columns[c] = append(d.columns[c], p)
		return p
	}
	for _, n := range f.nodes {
		places[n] = put(n, column[n])
		places[n].width = utf8.RuneCountInString(n.label)*letterWidth + 2*boxPadding
	}
	gaps := make([]int, len(d.columns))
	bottom, top := margin, margin
	for _, e := range f.edges {
		r := route{edge: e, through: []*place{places[e.from]}, back: back[e]}
		if !r.back && e.from != e.to {
			for c := column[e.from] + 1; c < column[e.to]; c++ {
				r.through = append(r.through, put(nil, c))
			}
		}
		r.through = append(r.through, places[e.to])
		for i, p := range r.through[1:] {
			if from := r.through[i]; !r.back && e.from != e.to {
				from.after, p.before = append(from.after, p), append(p.before, from)
			}
		}
		switch label := utf8.RuneCountInString(e.label) * letterWidth; {
		case r.back:
			bottom = margin + loopHeight
		case e.from == e.to:
			top = margin + loopHeight
		case label > 0:
			gaps[column[e.from]] = max(gaps[column[e.from]], label)
		}
		d.routes = append(d.routes, r)
	}
	d.sort()
	d.measure(gaps, top, bottom)
	return d
}

// ranks returns the column of each node, and the arrows that go back.
func (f *flowchart) ranks() (column map[*node]int, back map[*edge]bool) {
	column, back = map[*node]int{}, map[*edge]bool{}
	const visiting, done = 1, 2
	state := map[*node]int{}
	var order []*node // each node before those to which its arrows go
	var visit func(n *node)
	visit = func(n *node) {
		state[n] = visiting
		for _, e := range f.edges {
			switch {
			case e.from != n || e.to == n:
			case state[e.to] == visiting:
				back[e] = true
			case state[e.to] == 0:
				visit(e.to)
			}
		}
		state[n] = done
		order = append([]*node{n}, order...)
	}
	for _, n := range f.nodes {
		if state[n] == 0 && !slices.ContainsFunc(f.edges, func(e *edge) bool { return e.to == n && e.from != n }) {
			visit(n)
		}
	}
	for _, n := range f.nodes {
		if state[n] == 0 {
			visit(n)
		}
	}
	for _, n := range order {
		for _, e := range f.edges {
			if e.from == n && e.to != n && !back[e] {
				column[e.to] = max(column[e.to], column[n]+1)
			}
		}
	}
	return column, back
}

// sort orders the places of each column by the middle of those to the left that have arrows to them.
func (d *drawing) sort() {
	for c, places := range d.columns {
		if c == 0 {
			continue
		}
		middle := func(p *place) int {
			sum := 0
			for _, from := range p.before {
				sum += slices.Index(d.columns[c-1], from) * 1000 / len(p.before)
			}
			return sum
		}
		slices.SortStableFunc(places, func(a, b *place) int { return cmp.Compare(middle(a), middle(b)) })
	}
}

// measure gives places their coordinates. gaps are what labels need to the right of each column.
func (d *drawing) measure(gaps []int, top, bottom int) {
	rows := 0
	for _, places := range d.columns {
		rows = max(rows, len(places))
	}
	inner := rows*(boxHeight+rowGap) - rowGap
	d.height = top + inner + bottom
	x := margin
	for c, places := range d.columns {
		widest := 0
		for _, p := range places {
			widest = max(widest, p.width)
		}
		y := top + (inner-len(places)*(boxHeight+rowGap)+rowGap)/2 + boxHeight/2
		for i, p := range places {
			if p.node == nil { // an arrow passes straight through the column
				p.width = widest
			}
			p.x, p.y = x+(widest-p.width)/2, y+i*(boxHeight+rowGap)
		}
		d.width = x + widest + margin
		x += widest + columnGap + gaps[c]
	}
}

// svg draws an arrow.
func (r route) svg(height int) string {
	from, to := r.through[0], r.through[len(r.through)-1]
	var line, head string
	var labelX, labelY int
	switch {
	case from == to: // above the node
		left, right, y := from.x+from.width/3, from.right()-from.width/3, from.y-boxHeight/2
		line = fmt.Sprintf("M%d %dC%d %d %d %d %d %d", left, y, left, y-loopHeight+4, right, y-loopHeight+4, right, y)
		head = fmt.Sprintf("%d,%d %d,%d %d,%d", right, y, right-5, y-9, right+5, y-9)
		labelX, labelY = from.x+from.width/2, y-loopHeight+2
	case r.back: // below all nodes
		start, end, y := from.x+from.width/2, to.x+to.width/2, height-margin
		line = fmt.Sprintf("M%d %dQ%d %d %d %dL%d %dQ%d %d %d %d", start, from.y+boxHeight/2, start, y, start-loopHeight, y, end+loopHeight, y, end, y, end, to.y+boxHeight/2+6)
		head = fmt.Sprintf("%d,%d %d,%d %d,%d", end, to.y+boxHeight/2, end-5, to.y+boxHeight/2+9, end+5, to.y+boxHeight/2+9)
		labelX, labelY = (start+end)/2, y-9
	default:
		line = fmt.Sprintf("M%d %d", from.right(), from.y)
		for i, p := range r.through[1:] {
			last := r.through[i]
			bend := (p.x - last.right()) / 2
			line += fmt.Sprintf("C%d %d %d %d %d %d", last.right()+bend, last.y, p.x-bend, p.y, p.x, p.y)
			if p.node == nil {
				line += fmt.Sprintf("L%d %d", p.right(), p.y)
			}
		}
		head = fmt.Sprintf("%d,%d %d,%d %d,%d", to.x, to.y, to.x-9, to.y-5, to.x-9, to.y+5)
		next := r.through[1]
		labelX, labelY = (from.right()+next.x)/2, min(from.y, next.y)-10
	}
	stroke, fill := "", ""
	if r.stroke != "" {
		stroke, fill = fmt.Sprintf(` style="stroke:%s"`, r.stroke), fmt.Sprintf(` style="fill:%s"`, r.stroke)
	}
	if r.dashed {
		stroke += ` stroke-dasharray="5 4"`
	}
	text := fmt.Sprintf(`<path d="%s"%s/><polygon points="%s"%s/>`+"\n", line, stroke, head, fill)
	if r.label != "" {
		text += fmt.Sprintf(`<text x="%d" y="%d" class="label">%s</text>`+"\n", labelX, labelY, escaped(r.label))
	}
	return text
}

// box draws a node.
func (f *flowchart) box(p *place) string {
	box, text := "", ""
	if style := f.style[p.node.class]; style != nil {
		box, text = fmt.Sprintf(` style="fill:%s;stroke:%s"`, style["fill"], style["stroke"]), fmt.Sprintf(` style="fill:%s"`, style["color"])
	}
	radius := 4
	if p.node.rounded {
		radius = boxHeight / 2
	}
	return fmt.Sprintf(`<rect x="%d" y="%d" width="%d" height="%d" rx="%d"%s/><text x="%d" y="%d"%s>%s</text>`+"\n",
		p.x, p.y-boxHeight/2, p.width, boxHeight, radius, box, p.x+p.width/2, p.y, text, escaped(p.node.label))
}

// escaped returns a text as XML has it.
func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder takes everything
	return b.String()
}
