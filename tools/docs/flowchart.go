// This file reads flowcharts in Mermaid, as far as guides and the function workflow_diagram write them.

package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// flowchart is a diagram that is read from left to right.
type flowchart struct {
	nodes []*node
	edges []*edge
	style map[string]map[string]string // of classes
}

// node is a box. A rounded one begins or ends something.
type node struct {
	id, label, class string
	rounded          bool
}

// edge is an arrow. A dashed one is taken after a failure.
type edge struct {
	from, to      *node
	label, stroke string
	dashed        bool
}

// The lines of a flowchart.
var (
	nodeLine  = `(\w+)(?:(\(?\[)"([^"]*)"\]\)?)?`
	edgeLine  = regexp.MustCompile(`^` + nodeLine + ` (?:(-->|-\.->)|-- (.+?) -->) ` + nodeLine + `$`)
	aloneLine = regexp.MustCompile(`^` + nodeLine + `$`)
	classDef  = regexp.MustCompile(`^classDef (\w+) (\S+)$`)
	classLine = regexp.MustCompile(`^class (\S+) (\w+)$`)
	linkStyle = regexp.MustCompile(`^linkStyle (\S+) stroke:(#\w+)$`)
)

// parseFlowchart reads a flowchart. A line that it does not know is an error.
func parseFlowchart(text string) (*flowchart, error) {
	f := &flowchart{style: map[string]map[string]string{}}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if lines[0] != "flowchart LR" {
		return nil, fmt.Errorf("a diagram begins with %q, want flowchart LR", lines[0])
	}
	for _, line := range lines[1:] {
		if err := f.add(strings.TrimSpace(line)); err != nil {
			return nil, err
		}
	}
	return f, nil
}

func (f *flowchart) add(line string) error {
	if m := edgeLine.FindStringSubmatch(line); m != nil {
		f.edges = append(f.edges, &edge{from: f.node(m[1], m[2], m[3]), to: f.node(m[6], m[7], m[8]), label: m[5], dashed: m[4] == "-.->"})
		return nil
	}
	if m := classDef.FindStringSubmatch(line); m != nil {
		f.style[m[1]] = map[string]string{}
		for _, pair := range strings.Split(m[2], ",") {
			name, value, _ := strings.Cut(pair, ":")
			f.style[m[1]][name] = value
		}
		return nil
	}
	if m := classLine.FindStringSubmatch(line); m != nil {
		for _, id := range strings.Split(m[1], ",") {
			f.node(id, "", "").class = m[2]
		}
		return nil
	}
	if m := linkStyle.FindStringSubmatch(line); m != nil {
		for _, number := range strings.Split(m[1], ",") {
			i, err := strconv.Atoi(number)
			if err != nil || i >= len(f.edges) {
				return fmt.Errorf("there is no arrow for %q", line)
			}
			f.edges[i].stroke = m[2]
		}
		return nil
	}
	if m := aloneLine.FindStringSubmatch(line); m != nil {
		f.node(m[1], m[2], m[3])
		return nil
	}
	return fmt.Errorf("the line %q of a diagram cannot be drawn: add it to tools/docs/flowchart.go, or write it in another way", line)
}

// node returns the node with an id, which a first mention makes.
func (f *flowchart) node(id, opening, label string) *node {
	var found *node
	for _, n := range f.nodes {
		if n.id == id {
			found = n
		}
	}
	if found == nil {
		found = &node{id: id, label: id}
		f.nodes = append(f.nodes, found)
	}
	if opening != "" {
		found.label, found.rounded = label, opening == "(["
	}
	return found
}

// inWords returns what the picture shows, for those who do not see it.
func (f *flowchart) inWords() string {
	var words []string
	for _, e := range f.edges {
		arrow := e.from.label + " → " + e.to.label
		if e.dashed {
			arrow += ", dashed"
		}
		if e.label != "" {
			arrow += ": " + e.label
		}
		words = append(words, arrow)
	}
	return "Diagram. " + strings.NewReplacer("[", "(", "]", ")").Replace(strings.Join(words, "; ")) + "."
}
