// The order in which Terraform does what depends on each other, several at a time.

package lives

import (
	"maps"
	"slices"
)

// parallelism is how many operations Terraform does at a time.
const parallelism = 10

// graph holds nodes, each with those that come before it.
type graph map[string]map[string]bool

// node adds a node.
func (g graph) node(name string) {
	if g[name] == nil {
		g[name] = map[string]bool{}
	}
}

// after has a node wait for another one, if both are there.
func (g graph) after(name, first string) {
	if g[name] != nil && g[first] != nil && name != first {
		g[name][first] = true
	}
}

// walk calls do for each node when all that come before it have succeeded. It returns the
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
	slots := make(chan struct{}, parallelism)
	running := 0
	begin := func() {
		for _, name := range slices.Sorted(maps.Keys(waiting)) {
			if len(waiting[name]) > 0 {
				continue
			}
			delete(waiting, name)
			running++
			go func() {
				slots <- struct{}{}
				defer func() { <-slots }()
				results <- result{name, do(name)}
			}()
		}
	}
	for begin(); running > 0; begin() {
		r := <-results
		running--
		if r.succeeded {
			for _, first := range waiting {
				delete(first, r.name)
			}
		}
	}
	return slices.Sorted(maps.Keys(waiting))
}

// planGraph has resources wait for those that they refer to, and orphans for nothing.
func planGraph(c *configuration, state map[string]*object) graph {
	g := graph{}
	for address := range c.blocks {
		g.node(address)
	}
	for address := range state {
		g.node(address)
	}
	for address, b := range c.blocks {
		for _, first := range b.dependencies() {
			g.after(address, first)
		}
	}
	return g
}

// destroyNode returns the node of the destruction at an address; the creation or the update
// has the address itself as its node.
func destroyNode(address string) string { return address + " (destroy)" }

// applyGraph orders the changes of a plan as Terraform does. "By the state" are the
// dependencies of the last apply.
//
//   - What refers to something comes after that.
//   - A creation or an update comes after the destructions at its address, and after those of
//     what it depended on by the state. A destruction that comes last (createsFirst) is the
//     other way round: it comes after them.
//   - What depends on something, by the state, is destroyed before that is destroyed, created
//     or updated, too.
func applyGraph(c *configuration, changes map[string]*change) graph {
	g := graph{}
	destroyed := map[string][]string{} // by the addresses of blocks
	for address, ch := range changes {
		if ch.action.creates() || ch.action == noop {
			g.node(address)
		}
		if ch.action.destroys() {
			g.node(destroyNode(address))
			destroyed[blockOf(address)] = append(destroyed[blockOf(address)], address)
		}
	}
	order := func(creator, destroyed string) {
		if changes[destroyed].createsFirst {
			g.after(destroyNode(destroyed), creator)
		} else {
			g.after(creator, destroyNode(destroyed))
		}
	}
	for address, ch := range changes {
		for _, first := range c.blocks[address].dependencies() {
			g.after(address, first)
		}
		for _, other := range destroyed[address] {
			order(address, other)
		}
		present := changes[blockOf(address)]
		if present == nil || present.before == nil {
			continue
		}
		for _, dependency := range present.before.dependencies {
			for _, other := range destroyed[dependency] {
				if ch.action.creates() {
					order(address, other)
				}
				if ch.action.destroys() {
					g.after(destroyNode(other), destroyNode(address))
				}
			}
			if on := changes[dependency]; on != nil && on.action.creates() && ch.action.destroys() {
				order(dependency, address)
			}
		}
	}
	return g
}

// stuck returns the nodes that wait for each other in a circle, and what waits for them.
func (g graph) stuck() []string { return g.walk(func(string) bool { return true }) }
