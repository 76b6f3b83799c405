// This file adds to a diagram what has changed since an earlier version of the workflows.

package function

import (
	"fmt"
	"slices"
	"strings"
)

// change says what has changed in a service or an edge.
type change string

const (
	unchanged change = ""
	added     change = "added"
	removed   change = "removed"
	changed   change = "changed"
)

// changeStyles are the colors of changes: light backgrounds for dark text, also on dark pages.
var changeStyles = []struct {
	change           change
	background, line string
}{
	{added, "#dafbe1", "#1a7f37"},
	{removed, "#ffebe9", "#cf222e"},
	{changed, "#fff8c5", "#bf8700"},
}

// version has the edges and the nodes of one version of workflows.
type version struct {
	edges map[Edge]bool
	nodes map[node]bool
}

// comparison has two versions of workflows, and the services that have changed in other ways.
type comparison struct {
	now, before version
	edited      []string
}

// diagramOfChanges returns the edges as a flowchart, with the removed edges of an earlier version: additions
// are green, removals red, and changes amber. edited are the services that have changed in other ways.
func diagramOfChanges(edges, before []Edge, edited []string) string {
	c := comparison{now: versionOf(edges), before: versionOf(before), edited: edited}
	all := slices.Clone(edges)
	for e := range c.before.edges {
		if c.ofEdge(e) == removed {
			all = append(all, e)
		}
	}
	f := newFlowchart(all)
	return f.text() + c.styles(f)
}

// versionOf returns the version of workflows that have these edges.
func versionOf(edges []Edge) version {
	v := version{map[Edge]bool{}, map[node]bool{}}
	for _, e := range edges {
		e = e.complete()
		v.edges[e] = true
		v.nodes[node{workflow: e.Workflow, service: e.Source}] = true
		v.nodes[node{workflow: e.Workflow, service: e.Destination}] = true
	}
	return v
}

// ofEdge returns what has changed in an edge of one of the versions. It is changed, not added or removed, if
// the other version has it with another subtype instead.
func (c comparison) ofEdge(e Edge) change {
	now, before := c.now.edges, c.before.edges
	switch {
	case now[e] && before[e]:
		return unchanged
	case now[e] && hasAnother(before, now, e), !now[e] && hasAnother(now, before, e):
		return changed
	case now[e]:
		return added
	}
	return removed
}

// hasAnother reports whether edges contain one between the services of e that the others, which contain e, do not.
func hasAnother(edges, others map[Edge]bool, e Edge) bool {
	for o := range edges {
		if o.Workflow == e.Workflow && o.Source == e.Source && o.Destination == e.Destination && !others[o] {
			return true
		}
	}
	return false
}

// ofNode returns what has changed in a service of a workflow.
func (c comparison) ofNode(n node) change {
	switch {
	case !c.before.nodes[n]:
		return added
	case !c.now.nodes[n]:
		return removed
	case slices.Contains(c.edited, n.service):
		return changed
	}
	return unchanged
}

// styles returns the lines that color a flowchart of both versions.
func (c comparison) styles(f *flowchart) string {
	services, edges := map[change][]string{}, map[change][]string{}
	for n, id := range f.ids {
		if !n.group {
			services[c.ofNode(n)] = append(services[c.ofNode(n)], id)
		}
	}
	for i, e := range f.edges {
		edges[c.ofEdge(e)] = append(edges[c.ofEdge(e)], fmt.Sprint(i))
	}
	var b strings.Builder
	for _, style := range changeStyles {
		if ids := slices.Sorted(slices.Values(services[style.change])); len(ids) > 0 {
			fmt.Fprintf(&b, "  classDef %s fill:%s,stroke:%s,color:#1f2328\n", style.change, style.background, style.line)
			fmt.Fprintf(&b, "  class %s %s\n", strings.Join(ids, ","), style.change)
		}
		if numbers := edges[style.change]; len(numbers) > 0 {
			fmt.Fprintf(&b, "  linkStyle %s stroke:%s\n", strings.Join(numbers, ","), style.line)
		}
	}
	return b.String()
}
