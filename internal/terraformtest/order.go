// What comes before what in a plan, and in an apply.

package terraformtest

// planGraph returns the order of a plan: a block waits for the blocks that it refers to. Its nodes are the blocks, the
// resources that are in the state but not in the configuration, and each deposed object. The last two wait for nothing.
func planGraph(c *Config, state map[string]*Object) graph {
	g := graph{}
	for address := range c.blocks {
		g.node(address)
	}
	for address := range state {
		if BlockOf(address) == address {
			address = resourceOf(address)
		}
		g.node(address)
	}
	for address, b := range c.blocks {
		for _, first := range b.refersTo {
			g.after(address, first)
		}
	}
	return g
}

// destroyMark ends the name of the node of a destruction; that of the creation or the update is
// the address alone.
const destroyMark = " (destroy)"

// applyGraph orders the changes of a plan as Terraform does. "By the state" are the
// dependencies of the last apply.
//
//   - What refers to something comes after that.
//   - A creation or an update comes after the destructions at its address, and after those of
//     what it depended on by the state. A destruction that comes last (CreatesFirst) is the
//     other way round: it comes after them.
//   - What depends on something, by the state, is destroyed before that is destroyed, created
//     or updated, too.
func applyGraph(c *Config, changes map[string]*Change) graph {
	g := graph{}
	destroyed, others := map[string][]string{}, map[string][]string{} // by the addresses of resources
	for address, ch := range changes {
		if !ch.Action.Destroys() || ch.Action.Creates() {
			g.node(address)
			others[resourceOf(address)] = append(others[resourceOf(address)], address)
		}
		if ch.Action.Destroys() {
			g.node(address + destroyMark)
			destroyed[resourceOf(address)] = append(destroyed[resourceOf(address)], address)
		}
	}
	order := func(creator, destroyer string) { // a creation or an update, and a destruction
		if changes[destroyer].CreatesFirst {
			g.after(destroyer+destroyMark, creator)
		} else {
			g.after(creator, destroyer+destroyMark)
		}
	}
	for address, ch := range changes {
		for _, dependency := range c.Dependencies(resourceOf(address)) {
			for _, first := range others[dependency] {
				g.after(address, first)
			}
		}
		for _, gone := range destroyed[resourceOf(address)] {
			if BlockOf(gone) == address {
				order(address, gone)
			}
		}
		current := changes[BlockOf(address)] // of a deposed object, the change of the one in its place
		if current == nil || current.Before == nil {
			continue
		}
		for _, dependency := range current.Before.Dependencies {
			for _, gone := range destroyed[dependency] {
				if ch.Action.Creates() {
					order(address, gone)
				}
				if ch.Action.Destroys() {
					g.after(gone+destroyMark, address+destroyMark)
				}
			}
			for _, on := range others[dependency] {
				if changes[on].Action.Creates() && ch.Action.Destroys() {
					order(on, address)
				}
			}
		}
	}
	return g
}
