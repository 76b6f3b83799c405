// What moved blocks do to a state.

package terraformtest

import (
	"maps"
	"strings"
)

// movedState returns the state after moved blocks, and after count has come or gone.
func (c *Config) movedState(state map[string]*Object) map[string]*Object {
	state = maps.Clone(state)
	for range c.moved { // they may be chains
		for _, m := range c.moved {
			moveTo(state, m.from, m.to, c.blocks[m.from] != nil)
		}
	}
	for address, b := range c.blocks {
		switch {
		case b.count != nil:
			moveTo(state, address, address+"[0]", false)
		case b.forEach == nil:
			moveTo(state, address+"[0]", address, false)
		}
	}
	return state
}

// moveTo moves objects to another address, unless one is there, or a block stays. An address
// without a key stands for one object, or for those of all keys.
func moveTo(state map[string]*Object, from, to string, stays bool) {
	if stays || state[to] != nil {
		return
	}
	for _, address := range sortedKeys(state) {
		rest, is := strings.CutPrefix(address, from)
		if !is || rest != "" && !strings.HasPrefix(rest, deposedMark) && (!strings.HasPrefix(rest, "[") || strings.Contains(to, "[")) {
			continue
		}
		state[to+rest] = state[address]
		delete(state, address)
	}
}
