// The order in which Terraform does what depends on each other, several at a time.

package terraformtest

import (
	"maps"
)

// graph holds nodes by name, each with the names of those that come before it.
type graph map[string]map[string]bool

// node adds a node.
func (g graph) node(name string) {
	if g[name] == nil {
		g[name] = map[string]bool{}
	}
}

// after makes a node wait for another one, if the graph has both.
func (g graph) after(name, first string) {
	if g[name] != nil && g[first] != nil && name != first {
		g[name][first] = true
	}
}

// walk calls do for each node as soon as it has succeeded for all that come before the node. It returns the
// nodes that were left out because one of those failed.
func (g graph) walk(do func(name string) (succeeded bool)) (skipped []string) {
	type result struct {
		name      string
		succeeded bool
	}
	waiting := make(graph, len(g))
	for name, first := range g {
		waiting[name] = maps.Clone(first)
	}
	results := make(chan result, len(g))
	running := 0
	startReady := func() {
		for _, name := range sortedKeys(waiting) {
			if len(waiting[name]) > 0 {
				continue
			}
			delete(waiting, name)
			running++
			go func() { results <- result{name, do(name)} }()
		}
	}
	for startReady(); running > 0; startReady() {
		r := <-results
		running--
		if r.succeeded {
			for _, first := range waiting {
				delete(first, r.name)
			}
		}
	}
	return sortedKeys(waiting)
}

// stuck returns the nodes that wait for each other in a circle, and those that wait for these.
func (g graph) stuck() []string { return g.walk(func(string) bool { return true }) }
