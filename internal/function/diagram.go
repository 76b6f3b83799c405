// This file writes workflows as flowcharts of Mermaid: https://mermaid.js.org/syntax/flowchart.html

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

// Diagram returns the edges as a flowchart. It is the function workflow_diagram, also for other packages.
func Diagram(edges []Edge) string { return newFlowchart(edges).text() }

// node is a node of a flowchart: a service in a workflow, or with group, a workflow that is not inside
// another one. A shared service has a node in each of its workflows.
type node struct {
	workflow, service string
	group             bool
}

// flowchart is a diagram before it is written.
type flowchart struct {
	edges    []Edge
	services map[string][]string // of each workflow, in the order of the diagram
	inside   map[string]node     // the nodes of workflows that are shown as groups inside others
	ids      map[node]string
}

// text returns the flowchart in the syntax of Mermaid.
func (c *flowchart) text() string {
	lines := []string{"flowchart LR"}
	var top []string
	for _, workflow := range slices.Sorted(maps.Keys(c.services)) {
		if _, inside := c.inside[workflow]; !inside {
			top = append(top, workflow)
		}
	}
	for _, workflow := range top {
		if len(top) == 1 {
			lines = append(lines, c.content(workflow, "  ")...)
		} else {
			lines = append(lines, c.group(node{service: workflow, group: true}, "  ")...)
		}
	}
	for _, e := range c.edges {
		from, to := c.ids[node{workflow: e.Workflow, service: e.Source}], c.ids[node{workflow: e.Workflow, service: e.Destination}]
		lines = append(lines, fmt.Sprintf("  %s %s %s", from, arrow(e.Subtype), to))
	}
	return strings.Join(lines, "\n") + "\n"
}

// newFlowchart sorts the edges, finds the groups, and gives each node an id. A workflow is shown as a group at its first node
// in another workflow. A node in a workflow that is itself inside the group is passed over: groups cannot contain each
// other.
func newFlowchart(edges []Edge) *flowchart {
	c := &flowchart{services: map[string][]string{}, inside: map[string]node{}, ids: map[node]string{}}
	for _, e := range edges {
		e = e.complete()
		c.edges = append(c.edges, e)
		c.services[e.Workflow] = append(c.services[e.Workflow], e.Source, e.Destination)
	}
	slices.SortFunc(c.edges, func(a, b Edge) int {
		return cmp.Or(strings.Compare(a.Workflow, b.Workflow), compareEnds(a.Source, b.Source), compareEnds(a.Destination, b.Destination), strings.Compare(a.Subtype, b.Subtype))
	})
	c.edges = slices.Compact(c.edges)
	for _, workflow := range slices.Sorted(maps.Keys(c.services)) {
		services := slices.SortedFunc(slices.Values(c.services[workflow]), compareEnds)
		c.services[workflow] = slices.Compact(services)
		for _, service := range c.services[workflow] {
			_, isWorkflow := c.services[service]
			_, isGroup := c.inside[service]
			if isWorkflow && !isGroup && !c.isNested(workflow, service) {
				c.inside[service] = node{workflow: workflow, service: service}
			}
		}
	}
	c.setIDs()
	return c
}

// complete returns the edge with the workflow and the subtype that it has by default.
func (e Edge) complete() Edge {
	e.Workflow, e.Subtype = cmp.Or(e.Workflow, workflowOf(e)), cmp.Or(e.Subtype, subtypeSuccess)
	return e
}

// workflowOf returns the workflow in the name of the first end that has one, or "".
func workflowOf(e Edge) string {
	for _, end := range []string{e.Source, e.Destination} {
		if workflow, _ := servicename.Split(end); workflow != servicename.Shared && workflow != "" {
			return workflow
		}
	}
	return ""
}

// compareEnds sorts services by name, with Start first and End last.
func compareEnds(a, b string) int {
	rank := func(name string) int {
		return map[string]int{start: -1, end: 1}[name]
	}
	return cmp.Or(rank(a)-rank(b), strings.Compare(a, b))
}

// isNested reports whether a workflow is shown inside another one, directly or not, or is the same one.
func (c *flowchart) isNested(workflow, other string) bool {
	for workflow != other {
		outer, is := c.inside[workflow]
		if !is {
			return false
		}
		workflow = outer.workflow
	}
	return true
}

// isGroup reports whether the service of a node is a workflow that is shown as a group at this node.
func (c *flowchart) isGroup(n node) bool {
	shown, is := c.inside[n.service]
	return is && shown == n
}

var noIdentifier = regexp.MustCompile(`[^A-Za-z0-9]+`)

// setIDs gives each node an id, which is made of the scoped name. If several nodes would have the same id, a
// hash of the node is appended, so that the id does not depend on other nodes.
func (c *flowchart) setIDs() {
	count := map[string]int{}
	plain := func(n node) string {
		_, own := servicename.Split(n.service)
		return "s_" + strings.Trim(noIdentifier.ReplaceAllString(own, "_"), "_")
	}
	for workflow := range c.services {
		count[plain(node{service: workflow})]++
		for _, n := range c.nodesOf(workflow) {
			if !c.isGroup(n) { // a group is counted as its workflow
				count[plain(n)]++
			}
		}
	}
	for workflow := range c.services {
		for _, n := range append(c.nodesOf(workflow), node{service: workflow, group: true}) {
			c.ids[n] = plain(n)
			if count[c.ids[n]] > 1 || c.ids[n] == "s_" {
				hash := fnv.New32a()
				fmt.Fprintf(hash, "%q %q", n.workflow, n.service)
				if n.group {
					hash.Write([]byte(" group"))
				}
				c.ids[n] += fmt.Sprintf("_%08x", hash.Sum32())
			}
		}
	}
}

// nodesOf returns the nodes of the services in a workflow.
func (c *flowchart) nodesOf(workflow string) (all []node) {
	for _, service := range c.services[workflow] {
		all = append(all, node{workflow: workflow, service: service})
	}
	return all
}

// content returns the lines of the nodes of a workflow.
func (c *flowchart) content(workflow, indent string) (lines []string) {
	for _, n := range c.nodesOf(workflow) {
		if c.isGroup(n) {
			lines = append(lines, c.group(n, indent)...)
			continue
		}
		_, own := servicename.Split(n.service)
		shape := `["%s"]`
		if n.service == start || n.service == end {
			shape = `(["%s"])`
		} else if _, isWorkflow := c.services[n.service]; isWorkflow {
			shape = `[["%s"]]` // its group is elsewhere
		}
		lines = append(lines, indent+c.ids[n]+fmt.Sprintf(shape, escaped(own)))
	}
	return lines
}

// group returns the lines of the group of a workflow, which is shown at a node.
func (c *flowchart) group(at node, indent string) []string {
	_, own := servicename.Split(at.service)
	lines := []string{fmt.Sprintf(`%ssubgraph %s["%s"]`, indent, c.ids[at], escaped(cmp.Or(own, "services")))}
	lines = append(lines, indent+"  direction LR") // groups do not inherit the direction of the chart
	lines = append(lines, c.content(at.service, indent+"  ")...)
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

// What Mermaid would read as HTML, Markdown, a directive or the end of a string, and beginnings that it would read as a list.
var (
	special   = regexp.MustCompile("[\"#%<>&`*\\\\~]|://|\\b_|_\\b")
	listStart = regexp.MustCompile(`^(\d+[.)]|[-+])(\s|$)`)
)

// escaped returns a name escaped for a place between the quotes of a Mermaid string.
func escaped(name string) string {
	name = strings.Join(strings.Fields(name), " ")
	encodeFirst := func(s string) string { return fmt.Sprintf("#%d;%s", s[0], s[1:]) } // as an entity of HTML
	marker := ""
	if item := listStart.FindStringSubmatch(name); item != nil {
		last := len(item[1]) - 1 // "." or ")" of a number, or the whole marker
		marker, name = name[:last]+encodeFirst(item[1][last:]), name[last+1:]
	}
	return marker + special.ReplaceAllStringFunc(name, encodeFirst)
}
