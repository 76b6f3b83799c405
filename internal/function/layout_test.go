// This file tests the layout: some by their picture, any by what must hold.

package function

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// parse reads edges such as "S>a a>b b>E": S and E are Start and End.
func parse(text string) []Edge {
	var edges []Edge
	for _, word := range strings.Fields(text) {
		source, destination, _ := strings.Cut(word, ">")
		edges = append(edges, Edge{Source: full(source), Destination: full(destination)})
	}
	return edges
}

func full(name string) string {
	switch name {
	case "S":
		return start
	case "E":
		return end
	}
	if strings.HasPrefix(name, "-") {
		return name // without a workflow, and before Start by name
	}
	return "[W] " + name
}

// picture returns a layout as text: a column on each line, from top to bottom.
func picture(points map[string]point) string {
	byColumn := map[int][]string{}
	for _, name := range slices.SortedFunc(maps.Keys(points), func(a, b string) int { return points[a].y - points[b].y }) {
		p := points[name]
		byColumn[p.x] = append(byColumn[p.x], fmt.Sprintf("%s@%d", name, p.y))
	}
	var lines []string
	for _, x := range slices.Sorted(maps.Keys(byColumn)) {
		lines = append(lines, fmt.Sprintf("%d: %s", x, strings.Join(byColumn[x], " ")))
	}
	return strings.NewReplacer(start, "S", end, "E", "[W] ", "").Replace(strings.Join(lines, "; "))
}

func TestLayout(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ edges, want string }{
		"nothing":                      {"", ""},
		"Start and End":                {"S>E", "0: S@0; 140: E@0"},
		"a line":                       {"S>a a>b b>E", "0: S@0; 200: a@0; 460: b@0; 660: E@0"},
		"a branch":                     {"S>a a>b a>c b>E c>E", "0: S@0; 200: a@0; 460: b@-60 c@60; 660: E@0"},
		"a way past a step":            {"S>a a>b a>E b>E", "0: S@0; 200: a@0; 460: b@-60; 660: E@0"},
		"branches that would cross":    {"S>a S>b a>d b>c c>E d>E", "0: S@0; 200: a@-60 b@60; 460: d@-60 c@60; 660: E@0"},
		"a circle":                     {"S>a a>b b>a b>E", "0: S@0; 200: a@0; 460: b@0; 660: E@0"},
		"a circle that nothing enters": {"S>E a>b b>a", "0: S@0; 200: a@-120; 460: b@-120; 660: E@0"},
		"a step that leads to itself":  {"S>a a>a a>E", "0: S@0; 200: a@0; 400: E@0"},
		"an edge twice":                {"S>a S>a a>E", "0: S@0; 200: a@0; 400: E@0"},
		"what nothing leads to":        {"S>a a>b b>E c>b", "0: S@0; 200: a@0 c@120; 460: b@60; 660: E@60"},
		"it stands by what follows":    {"S>a a>b b>d d>E c>d", "0: S@0; 200: a@0; 460: b@0 c@120; 720: d@60; 920: E@60"},
		"back to Start, on from End":   {"S>a a>S a>E E>b", "0: S@0; 200: a@0 b@120; 400: E@60"},
		"neither Start nor End":        {"a>b", "0: a@0; 260: b@0"},
		"without End":                  {"S>a a>b", "0: S@0; 200: a@0; 460: b@0"},
		"End alone":                    {"E>E", "0: E@0"},
		"a circle of three":            {"S>a a>b b>c c>a c>E", "0: S@0; 200: a@0; 460: b@-60; 720: c@0; 920: E@0"},
		"a circle with two entries":    {"S>a S>b a>b b>a b>E", "0: S@0; 200: a@-60; 460: b@0; 660: E@0"},
		"a circle behind a step":       {"x>b b>a a>b", "0: x@0; 260: b@0; 520: a@0"},
		"an older entry of a circle":   {"S>x x>y y>x -A>y y>E", "0: S@0; 200: -A@-120 x@0; 460: y@-60; 660: E@-60"},
		"both ways, and another":       {"S>a S>c a>b b>a c>b", "0: S@0; 200: a@-60 c@60; 460: b@0"},
		"it stands by the first":       {"S>z z>y y>b b>E c>b c>y", "0: S@0; 200: c@-120 z@0; 460: y@-30; 720: b@-90; 920: E@-90"},
		"beside Start":                 {"S>b a>b b>E", "0: S@0; 200: a@-120; 460: b@-60; 660: E@-60"},
		"a tree":                       {"S>r r>q r>p q>d q>c p>b p>a a>E b>E c>E d>E", "0: S@0; 200: r@0; 460: p@-120 q@120; 720: a@-180 b@-60 c@60 d@180; 920: E@0"},
		"a ladder":                     {"S>h h>b h>a a>d b>c c>f d>e e>E f>E", "0: S@0; 200: h@0; 460: a@-60 b@60; 720: d@-60 c@60; 980: e@-60 f@60; 1180: E@0"},
		"a long way beside others":     {"S>a a>b b>c c>d d>E a>z z>E", "0: S@0; 200: a@0; 460: b@-60 z@60; 720: c@-60; 980: d@-60; 1180: E@0"},
		"long ways":                    {"S>a a>b b>c c>d d>E a>z z>E a>d S>E b>y c>y y>E c>x x>w w>E", "0: S@0; 200: a@-123; 460: b@-256 z@4; 720: c@-316; 980: x@-346 y@-226 d@-106; 1240: w@-256; 1440: E@-196"},
		"many beside each other":       {"S>a S>b S>c S>d S>e a>x c>x e>x b>y d>y x>E y>E a>z z>E", "0: S@0; 200: a@-240 c@-120 e@0 b@120 d@240; 460: z@-156 x@-36 y@84; 660: E@-36"},
	} {
		edges := parse(c.edges)
		for range 2 { // in this order, and in the other
			if got := picture(layout(edges)); got != c.want {
				t.Errorf("%s: got  %s\nwant %s", name, got, c.want)
			}
			slices.Reverse(edges)
		}
	}
}

func TestLayoutLongName(t *testing.T) {
	t.Parallel()
	long := "[W] " + strings.Repeat("long ", 20)
	points := layout([]Edge{{Source: start, Destination: "[W] a"}, {Source: "[W] a", Destination: long}, {Source: long, Destination: end}})
	if gap := points[long].x - points["[W] a"].x; gap < 9*len(long)/2 {
		t.Errorf("a long name has %d to its left", gap)
	}
}

// Boxes are as wide as their names, but not too narrow.
func TestBoxWidth(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int{start: 60, end: 60, "[W] a": 180, strings.Repeat("w", 17): 180, strings.Repeat("w", 18): 182, "[W] " + strings.Repeat("ÿ", 20): 200, strings.Repeat("界", 20): 340} {
		if width := boxWidth(name); width != want {
			t.Errorf("%s is %d wide, and not %d", name, width, want)
		}
	}
}

// TestLayoutLarge is a workflow far larger than people draw: each of 500 steps
// leads to the next, to End and back.
func TestLayoutLarge(t *testing.T) {
	t.Parallel()
	edges := []Edge{{Source: start, Destination: "0"}}
	for i := range 500 {
		edges = append(edges, Edge{Source: fmt.Sprint(i), Destination: fmt.Sprint(i + 1)}, Edge{Source: fmt.Sprint(i), Destination: end}, Edge{Source: fmt.Sprint(i), Destination: fmt.Sprint(i / 2)})
	}
	holds(t, edges, layout(edges))
}

// holds checks what must hold for any layout.
func holds(t *testing.T, edges []Edge, points map[string]point) {
	t.Helper()
	named := map[string]bool{}
	for _, e := range edges {
		named[e.Source], named[e.Destination] = true, true
	}
	if len(points) != len(named) {
		t.Errorf("%d services have %d places", len(named), len(points))
	}
	for a, p := range points {
		if !named[a] {
			t.Errorf("%q is in no edge", a)
		}
		for b, q := range points {
			if a == b {
				continue
			}
			if 2*abs(p.x-q.x) < boxWidth(a)+boxWidth(b) && abs(p.y-q.y) < rowGap {
				t.Errorf("%q at %v and %q at %v overlap", a, p, b, q)
			}
			if (a == start || b == end) && p.x >= q.x {
				t.Errorf("%q at %v is not left of %q at %v", a, p, b, q)
			}
		}
	}
}

func abs(n int) int { return max(n, -n) }

// FuzzLayout makes edges of random bytes, two each, and changes their order.
func FuzzLayout(f *testing.F) {
	f.Fuzz(func(t *testing.T, pairs []byte, seed uint64) {
		pairs = pairs[:min(len(pairs), 120)]
		var edges []Edge
		for ; len(pairs) > 1; pairs = pairs[2:] {
			edges = append(edges, Edge{Source: vertex(pairs[0]), Destination: vertex(pairs[1])})
		}
		points := layout(edges)
		holds(t, edges, points)
		shuffled := slices.Clone(edges)
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if again := layout(shuffled); !reflect.DeepEqual(again, points) {
			t.Errorf("%v gives %v, in another order %v", edges, points, again)
		}
	})
}

// vertex returns a service for a byte: Start and End, or with a longer or shorter name.
func vertex(b byte) string {
	switch b {
	case 0:
		return start
	case 255:
		return end
	}
	return fmt.Sprintf("[W] %s%d", strings.Repeat("é", int(b%32)), b)
}
