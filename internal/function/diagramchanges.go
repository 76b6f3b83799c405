// This file draws what has changed between two versions of workflows.

package function

import (
	"fmt"
	"slices"
	"strings"
)

// change is what has become of a service or of an edge.
type change string

const (
	unchanged change = ""
	added     change = "added"
	removed   change = "removed"
	changed   change = "changed"
)

// changeStyles are the colors of changes. The text is dark in dark pages, too, as its ground is light.
var changeStyles = []struct {
	change       change
	ground, line string
}{
	{added, "#dafbe1", "#1a7f37"},
	{removed, "#ffebe9", "#cf222e"},
	{changed, "#fff8c5", "#bf8700"},
}

// comparison is two versions of workflows.
type comparison struct {
	now, before map[diagramEdge]bool
	nowAt       map[place]bool // where services are
	beforeAt    map[place]bool
	edited      []string
}

// diagramOfChanges returns the edges as a flowchart, with those of an earlier version that are gone:
// what is added is green, what is removed red, and what is changed amber. Services that
// have changed in other ways are named by edited.
func diagramOfChanges(edges, before []diagramEdge, edited []string) string {
	c := comparison{map[diagramEdge]bool{}, map[diagramEdge]bool{}, map[place]bool{}, map[place]bool{}, edited}
	var all []diagramEdge
	for _, e := range edges {
		note(e.complete(), c.now, c.nowAt)
		all = append(all, e)
	}
	for _, e := range before {
		note(e.complete(), c.before, c.beforeAt)
	}
	for e := range c.before {
		if c.ofEdge(e) == removed {
			all = append(all, e)
		}
	}
	f := newFlowchart(all)
	return f.text() + c.styles(f)
}

func note(e diagramEdge, edges map[diagramEdge]bool, places map[place]bool) {
	edges[e] = true
	places[place{workflow: e.workflow, service: e.source}], places[place{workflow: e.workflow, service: e.destination}] = true, true
}

// ofEdge returns what has become of an edge. If an edge has another subtype than before, the edge
// that is there now has changed, and the earlier one is not drawn.
func (c comparison) ofEdge(e diagramEdge) change {
	switch {
	case c.now[e] && c.before[e]:
		return unchanged
	case c.now[e] && hasWithAnotherSubtype(c.before, c.now, e):
		return changed
	case c.now[e]:
		return added
	case hasWithAnotherSubtype(c.now, c.before, e):
		return changed
	}
	return removed
}

// hasWithAnotherSubtype reports whether a version has an edge between the services of e that is not in
// the other version.
func hasWithAnotherSubtype(in, notIn map[diagramEdge]bool, e diagramEdge) bool {
	for o := range in {
		if o.edge == e.edge && o.workflow == e.workflow && !notIn[o] {
			return true
		}
	}
	return false
}

// ofPlace returns what has become of a service in a workflow.
func (c comparison) ofPlace(p place) change {
	switch {
	case !c.beforeAt[p]:
		return added
	case !c.nowAt[p]:
		return removed
	case slices.Contains(c.edited, p.service):
		return changed
	}
	return unchanged
}

// styles returns the lines that color a flowchart of both versions.
func (c comparison) styles(f *flowchart) string {
	services, edges := map[change][]string{}, map[change][]string{}
	for p, id := range f.ids {
		if p.workflow != "" || c.nowAt[p] || c.beforeAt[p] {
			services[c.ofPlace(p)] = append(services[c.ofPlace(p)], id)
		}
	}
	for i, e := range f.edges {
		edges[c.ofEdge(e)] = append(edges[c.ofEdge(e)], fmt.Sprint(i))
	}
	var b strings.Builder
	for _, style := range changeStyles {
		if ids := slices.Sorted(slices.Values(services[style.change])); len(ids) > 0 {
			fmt.Fprintf(&b, "  classDef %s fill:%s,stroke:%s,color:#1f2328\n", style.change, style.ground, style.line)
			fmt.Fprintf(&b, "  class %s %s\n", strings.Join(ids, ","), style.change)
		}
		if numbers := edges[style.change]; len(numbers) > 0 {
			fmt.Fprintf(&b, "  linkStyle %s stroke:%s\n", strings.Join(numbers, ","), style.line)
		}
	}
	return b.String()
}
