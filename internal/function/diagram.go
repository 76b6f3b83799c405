// This file draws workflows as text of Mermaid: https://mermaid.js.org/syntax/flowchart.html

package function

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/servicename"
)

// The subtypes of edges that eNMS follows by the result of a service.
const (
	subtypeSuccess = "success"
	subtypeFailure = "failure"
)

// diagramEdge is an edge of a workflow, which may be one of several.
type diagramEdge struct {
	edge
	workflow, subtype string
}

// DiagramEdge is an edge for Diagram, with the full names of services and workflows.
type DiagramEdge struct{ Workflow, Source, Destination, Subtype string }

// Diagram returns what the function workflow_diagram returns for edges.
func Diagram(edges []DiagramEdge) string {
	var all []diagramEdge
	for _, e := range edges {
		all = append(all, diagramEdge{edge: edge{source: e.Source, destination: e.Destination}, workflow: e.Workflow, subtype: e.Subtype})
	}
	return diagram(all)
}

// place is a service in a workflow: a shared one may be in several. A workflow that is inside no other one
// has a place of its own, as a group.
type place struct {
	workflow, service string
	group             bool
}

// flowchart is what a diagram shows.
type flowchart struct {
	edges  []diagramEdge
	places map[string][]string // the services of each workflow, as the diagram shows them
	inside map[string]place    // workflows that are shown as groups inside others, and where
	ids    map[place]string
}

// diagram returns the edges as a flowchart.
func diagram(edges []diagramEdge) string { return newFlowchart(edges).text() }

// text returns the flowchart as Mermaid reads it.
func (c *flowchart) text() string {
	lines := []string{"flowchart LR"}
	var top []string
	for _, workflow := range slices.Sorted(maps.Keys(c.places)) {
		if _, inside := c.inside[workflow]; !inside {
			top = append(top, workflow)
		}
	}
	for _, workflow := range top {
		if len(top) == 1 {
			lines = append(lines, c.content(workflow, "  ")...)
		} else {
			lines = append(lines, c.group(workflow, place{service: workflow, group: true}, "  ")...)
		}
	}
	for _, e := range c.edges {
		from, to := c.ids[place{workflow: e.workflow, service: e.source}], c.ids[place{workflow: e.workflow, service: e.destination}]
		lines = append(lines, fmt.Sprintf("  %s %s %s", from, arrow(e.subtype), to))
	}
	return strings.Join(lines, "\n") + "\n"
}

// newFlowchart sorts the edges, and finds the groups.
func newFlowchart(edges []diagramEdge) *flowchart {
	c := &flowchart{places: map[string][]string{}, inside: map[string]place{}, ids: map[place]string{}}
	for _, e := range edges {
		e = e.complete()
		c.edges = append(c.edges, e)
		c.places[e.workflow] = append(c.places[e.workflow], e.source, e.destination)
	}
	slices.SortFunc(c.edges, func(a, b diagramEdge) int {
		return cmp.Or(strings.Compare(a.workflow, b.workflow), compareEnds(a.source, b.source), compareEnds(a.destination, b.destination), strings.Compare(a.subtype, b.subtype))
	})
	c.edges = slices.Compact(c.edges)
	for _, workflow := range slices.Sorted(maps.Keys(c.places)) {
		services := slices.SortedFunc(slices.Values(c.places[workflow]), compareEnds)
		c.places[workflow] = slices.Compact(services)
		for _, service := range c.places[workflow] {
			if _, isWorkflow := c.places[service]; isWorkflow && !c.isWithin(workflow, service) {
				if _, shown := c.inside[service]; !shown {
					c.inside[service] = place{workflow: workflow, service: service}
				}
			}
		}
	}
	c.name()
	return c
}

// complete returns the edge with the workflow and the subtype that it has by default.
func (e diagramEdge) complete() diagramEdge {
	e.workflow, e.subtype = cmp.Or(e.workflow, workflowOf(e.edge)), cmp.Or(e.subtype, subtypeSuccess)
	return e
}

// workflowOf returns the workflow with which the name of an end begins, "" when both ends are
// shared or stand by themselves.
func workflowOf(e edge) string {
	for _, end := range []string{e.source, e.destination} {
		if workflow, _ := servicename.Split(end); workflow != servicename.Shared && workflow != "" {
			return workflow
		}
	}
	return ""
}

// compareEnds has Start first and End last.
func compareEnds(a, b string) int {
	rank := func(name string) int {
		return map[string]int{start: -1, end: 1}[name]
	}
	return cmp.Or(rank(a)-rank(b), strings.Compare(a, b))
}

// isWithin reports whether a workflow is shown inside another one, or is that.
func (c *flowchart) isWithin(workflow, other string) bool {
	for workflow != other {
		outer, is := c.inside[workflow]
		if !is {
			return false
		}
		workflow = outer.workflow
	}
	return true
}

// isGroup reports whether a service is a workflow that is shown as a group there.
func (c *flowchart) isGroup(p place) bool {
	shown, is := c.inside[p.service]
	return is && shown == p
}

var noIdentifier = regexp.MustCompile(`[^A-Za-z0-9]+`)

// name gives each place an identifier: its own name, or, where that is not the only one, with
// a hash behind it that depends on no other place.
func (c *flowchart) name() {
	holders := map[string]int{}
	plain := func(p place) string {
		_, own := servicename.Split(p.service)
		return "s_" + strings.Trim(noIdentifier.ReplaceAllString(own, "_"), "_")
	}
	for workflow, services := range c.places {
		holders[plain(place{service: workflow})]++
		for _, service := range services {
			if p := (place{workflow: workflow, service: service}); !c.isGroup(p) {
				holders[plain(p)]++
			}
		}
	}
	for workflow, services := range c.places {
		for _, p := range append([]place{{service: workflow, group: true}}, placesOf(workflow, services)...) {
			c.ids[p] = plain(p)
			if holders[c.ids[p]] > 1 || c.ids[p] == "s_" {
				hash := fnv.New32a()
				fmt.Fprintf(hash, "%q %q", p.workflow, p.service)
				if p.group {
					hash.Write([]byte(" group"))
				}
				c.ids[p] += fmt.Sprintf("_%08x", hash.Sum32())
			}
		}
	}
}

func placesOf(workflow string, services []string) (all []place) {
	for _, service := range services {
		all = append(all, place{workflow: workflow, service: service})
	}
	return all
}

// content returns the lines of the services of a workflow.
func (c *flowchart) content(workflow, indent string) (lines []string) {
	for _, p := range placesOf(workflow, c.places[workflow]) {
		if c.isGroup(p) {
			lines = append(lines, c.group(p.service, p, indent)...)
			continue
		}
		_, own := servicename.Split(p.service)
		shape := `["%s"]`
		if p.service == start || p.service == end {
			shape = `(["%s"])`
		} else if _, isWorkflow := c.places[p.service]; isWorkflow {
			shape = `[["%s"]]` // its group is elsewhere
		}
		lines = append(lines, indent+c.ids[p]+fmt.Sprintf(shape, escaped(own)))
	}
	return lines
}

// group returns the lines of a workflow as a group.
func (c *flowchart) group(workflow string, at place, indent string) []string {
	_, own := servicename.Split(workflow)
	lines := []string{fmt.Sprintf(`%ssubgraph %s["%s"]`, indent, c.ids[at], escaped(cmp.Or(own, "services")))}
	lines = append(lines, indent+"  direction LR") // a group does not take over the direction of the chart
	lines = append(lines, c.content(workflow, indent+"  ")...)
	return append(lines, indent+"end")
}

// arrow returns the arrow of a subtype.
func arrow(subtype string) string {
	switch subtype {
	case subtypeSuccess:
		return "-->"
	case subtypeFailure:
		return "-.->"
	}
	return fmt.Sprintf(`== "%s" ==>`, escaped(subtype))
}

// Characters of names that Mermaid would take for HTML, Markdown or the end of a string, and
// beginnings that it would take for a list.
var (
	special   = regexp.MustCompile("[\"#<>&`*\\\\~]|://|\\b_|_\\b")
	listStart = regexp.MustCompile(`^(\d+[.)]|[-+])(\s|$)`)
)

// escaped returns a name as Mermaid wants it between quotes.
func escaped(name string) string {
	name = strings.Join(strings.Fields(name), " ")
	item := listStart.FindStringSubmatch(name)
	coded := func(s string) string { return fmt.Sprintf("#%d;%s", s[0], s[1:]) }
	name = special.ReplaceAllStringFunc(name, coded)
	if item != nil {
		marker := len(item[1]) - 1
		name = name[:marker] + coded(name[marker:marker+1]) + name[marker+1:]
	}
	return name
}
