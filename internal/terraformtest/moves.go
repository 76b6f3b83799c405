// What moved blocks do to a state.

package terraformtest

import (
	"maps"
	"strings"
)

// movedState returns the state after moved blocks, and after count was added to a block or removed from it.
func (c *Config) movedState(state map[string]*Object) map[string]*Object {
	state = maps.Clone(state)
	for range c.moved { // they may be chains
		for _, m := range c.moved {
			if c.blocks[m.from] == nil {
				moveTo(state, m.from, m.to)
			}
		}
	}
	for address, b := range c.blocks {
		switch {
		case b.count != nil:
			moveTo(state, address, address+"[0]")
		case b.forEach == nil:
			moveTo(state, address+"[0]", address)
		}
	}
	return state
}

// moveTo moves objects to another address, unless that has one. An address without a key stands for one
// object, or for those of all keys. Deposed objects move along.
func moveTo(state map[string]*Object, from, to string) {
	if state[to] != nil {
		return
	}
	for _, address := range sortedKeys(state) {
		rest, is := strings.CutPrefix(address, from)
		isDeposed := strings.HasPrefix(rest, deposedMark)
		isKey := strings.HasPrefix(rest, "[") && !strings.Contains(to, "[")
		if is && (rest == "" || isDeposed || isKey) {
			state[to+rest] = state[address]
			delete(state, address)
		}
	}
}
