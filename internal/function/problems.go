// This file finds the problems of the edges of a workflow.

package function

import (
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/servicename"
)

// Problems returns the problems as sentences: first those of edges, then services that are not reached, by
// name, loops without an exit, and an End that is not reached.
func Problems(services []string, edges []Edge) []string {
	names := slices.Concat(services, []string{start, end})
	edges = slices.SortedFunc(slices.Values(edges), compareEdges)
	edges = slices.Compact(edges)
	after, before := map[string][]string{}, map[string][]string{}
	for _, e := range edges {
		after[e.Source] = append(after[e.Source], e.Destination)
		before[e.Destination] = append(before[e.Destination], e.Source)
	}
	list := misplaced(names, edges)
	slices.Sort(names)
	names = slices.Compact(names)
	reached := reachable(after, start)
	for _, name := range names {
		if !reached[name] && name != end {
			list = append(list, fmt.Sprintf("No edges lead from %q to %q: it would never run.", start, name))
		}
	}
	list = append(list, circles(names, after, before)...)
	if !reached[end] {
		list = append(list, fmt.Sprintf("No edges lead from %q to %q: the workflow would never succeed.", start, end))
	}
	return list
}

// misplaced returns the problems of single edges: unknown services, edges to Start and edges from End.
func misplaced(names []string, edges []Edge) []string {
	list := []string{}
	for _, e := range edges {
		for _, name := range []string{e.Source, e.Destination} {
			if !slices.Contains(names, name) {
				problem := fmt.Sprintf("An edge leads from %q to %q, but the workflow has no service %q.", e.Source, e.Destination, name)
				if meant := servicename.Meant(name, []string{start, end}); meant != "" {
					problem += fmt.Sprintf(" Did you mean %q?", meant)
				}
				list = append(list, problem)
			}
		}
		if e.Destination == start {
			list = append(list, fmt.Sprintf("An edge leads from %q to %q, where the workflow begins.", e.Source, start))
		}
		if e.Source == end {
			list = append(list, fmt.Sprintf("An edge leads from %q to %q, but the workflow is over at its end.", end, e.Destination))
		}
	}
	return list
}

// circles returns a problem if there are loops without an exit: services with outgoing edges from which no
// edges lead to End, or to a service without outgoing edges.
func circles(names []string, after, before map[string][]string) []string {
	exits := []string{end}
	for name := range before {
		if len(after[name]) == 0 {
			exits = append(exits, name)
		}
	}
	leaves := reachable(before, exits...)
	var caught []string
	for _, name := range names {
		if len(after[name]) > 0 && !leaves[name] && name != start {
			caught = append(caught, fmt.Sprintf("%q", name))
		}
	}
	if len(caught) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("A run that has come to %s goes round in a circle: no edges lead out of it.", strings.Join(caught, " or "))}
}

// reachable returns the names that can be reached from some names, and these names themselves.
func reachable(next map[string][]string, from ...string) map[string]bool {
	reached := map[string]bool{}
	for len(from) > 0 {
		name := from[len(from)-1]
		from = from[:len(from)-1]
		if !reached[name] {
			reached[name] = true
			from = append(from, next[name]...)
		}
	}
	return reached
}
