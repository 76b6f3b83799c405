// Random lives.

package lives

import (
	"fmt"
	"maps"
	"strings"

	"pgregory.net/rapid"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/faults"
)

// generator makes up a life, step by step, from the configuration that the steps so far
// have led to.
type generator struct {
	*rapid.T
	config *configuration
	steps  []step
}

// lives is a generator of lives.
func lives() *rapid.Generator[[]step] {
	return rapid.Custom(func(t *rapid.T) []step {
		g := &generator{T: t, config: newConfiguration()}
		for range rapid.IntRange(2, 6).Draw(t, "rounds") {
			for range rapid.IntRange(1, 4).Draw(t, "edits") {
				g.edit()
			}
			if rapid.IntRange(0, 3).Draw(t, "others") == 0 {
				g.others()
			}
			g.apply()
		}
		g.add(apply{})
		return g.steps
	})
}

// add adds a step, and edits the configuration by it.
func (g *generator) add(s step) {
	g.steps = append(g.steps, s)
	switch s := s.(type) {
	case set:
		g.config.set(s.address, s.block)
	case remove:
		g.config.remove(s.address)
	case move:
		g.config.move(s.from, s.to)
	}
}

// pick draws one of several.
func pick[T any](g *generator, label string, from ...T) T {
	return rapid.SampledFrom(from).Draw(g.T, label)
}

// names are what instances are called: few, so that they meet.
var names = []string{"A", "B", "C", "D", "E"}

// labels of resources.
var labels = []string{"a", "b", "c"}

func (g *generator) address(typ string) string { return typ + "." + pick(g, "label", labels...) }

// existing draws an address of the configuration of a type; "" when there is none.
func (g *generator) existing(typ string) string {
	var all []string
	for _, address := range g.config.addresses() {
		if strings.HasPrefix(address, typ) {
			all = append(all, address)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return pick(g, "address", all...)
}

// edits are the ways to edit a configuration.
var edits = []func(g *generator){
	(*generator).device, (*generator).device, (*generator).devices, (*generator).devices, (*generator).entry, (*generator).entry,
	(*generator).rename, (*generator).renameEntry, (*generator).swap, (*generator).drop, (*generator).move, (*generator).policy,
}

func (g *generator) edit() { pick(g, "edit", edits...)(g) }

// device writes a device.
func (g *generator) device() {
	g.add(set{g.address("enms_device"), g.deviceOf(block{"name": pick(g, "name", names...)})})
}

func (g *generator) deviceOf(b map[string]any) map[string]any {
	b["ip_address"] = fmt.Sprintf("10.0.0.%d", rapid.IntRange(1, 3).Draw(g.T, "ip"))
	if rapid.Bool().Draw(g.T, "vendor") {
		b["vendor"] = pick(g, "vendor", "Cisco", "Nokia")
	}
	return b
}

// devices writes an enms_instances of devices.
func (g *generator) devices() {
	entries := map[string]any{}
	for range rapid.IntRange(1, 3).Draw(g.T, "entries") {
		entries[pick(g, "key", names...)] = g.entryOf()
	}
	g.add(set{g.address(many), block{"type": pick(g, "type", "device", "device", "gateway"), "instances": entries}})
}

// entryOf is an entry of a device; now and then one that eNMS refuses when it is written.
func (g *generator) entryOf() map[string]any {
	return g.deviceOf(map[string]any{})
}

// entry adds or changes an entry, or takes it out.
func (g *generator) entry() {
	address := g.existing(many)
	if address == "" {
		return
	}
	b := maps.Clone(g.config.blocks[address])
	entries := maps.Clone(entriesOf(b))
	name := pick(g, "key", names...)
	if _, is := entries[name]; is && rapid.Bool().Draw(g.T, "remove") {
		delete(entries, name)
	} else {
		entries[name] = g.entryOf()
	}
	b["instances"] = entries
	g.add(set{address, b})
}

// renameEntry gives entries other keys, by renames, or exchanges them.
func (g *generator) renameEntry() {
	address := g.existing(many)
	if address == "" || len(entriesOf(g.config.blocks[address])) == 0 {
		return
	}
	b := maps.Clone(g.config.blocks[address])
	entries := maps.Clone(entriesOf(b))
	old, to := pick(g, "old", sortedKeys(entries)...), pick(g, "new", names...)
	renames := map[string]any{old: to}
	if other, taken := entries[to]; taken {
		if old == to {
			return
		}
		renames[to] = old
		entries[old], entries[to] = other, entries[old]
	} else {
		entries[to] = entries[old]
		delete(entries, old)
	}
	b["instances"], b["renames"] = entries, renames
	g.add(set{address, b})
}

// rename gives a resource another name.
func (g *generator) rename() {
	address := g.existing("enms_device")
	if address == "" {
		return
	}
	b := maps.Clone(g.config.blocks[address])
	b["name"] = pick(g, "name", names...)
	g.add(set{address, b})
}

// swap exchanges the names of two resources. They are set one after the other, and each
// takes its name away from the other: the second one comes again.
func (g *generator) swap() {
	one, two := g.existing("enms_device"), g.existing("enms_device")
	if one == two || one == "" {
		return
	}
	first, second := maps.Clone(g.config.blocks[one]), maps.Clone(g.config.blocks[two])
	first["name"], second["name"] = second["name"], first["name"]
	g.add(set{one, first})
	g.add(set{two, second})
}

// drop takes a block out.
func (g *generator) drop() {
	if address := g.existing(""); address != "" {
		g.add(remove{address})
	}
}

// move gives a block another address.
func (g *generator) move() {
	address := g.existing("")
	if address == "" {
		return
	}
	to := g.address(typeOf(address))
	if g.config.blocks[to] == nil {
		g.add(move{address, to, rapid.Bool().Draw(g.T, "moved")})
	}
}

// policy switches the deletion policy or adoption of a block.
func (g *generator) policy() {
	address := g.existing("")
	if address == "" {
		return
	}
	b := maps.Clone(g.config.blocks[address])
	if rapid.Bool().Draw(g.T, "adopt") {
		b["adopt_existing"] = rapid.Bool().Draw(g.T, "adopt_existing")
	} else {
		b["deletion_policy"] = pick(g, "deletion_policy", "delete", "abandon", "cascade")
	}
	g.add(set{address, b})
}

// others do something.
func (g *generator) others() {
	name := pick(g, "name", names...)
	switch pick(g, "what", "write", "rename", "erase") {
	case "write":
		g.add(write{"device", name, map[string]any{"vendor": pick(g, "vendor", "Cisco", "Theirs")}})
	case "rename":
		g.add(write{"device", name, map[string]any{"new_name": pick(g, "name", names...)}})
	case "erase":
		g.add(erase{"device", name})
	}
}

// apply applies, now and then with faults or a kill.
func (g *generator) apply() {
	a := apply{}
	switch pick(g, "fate", "well", "well", "well", "fault", "kill", "left") {
	case "fault":
		a.faults = []faults.Rule{{Method: pick(g, "method", "POST", "DELETE", ""), Path: "/rest/instance", Nth: rapid.IntRange(1, 4).Draw(g.T, "nth"),
			Count: rapid.IntRange(1, 4).Draw(g.T, "count"), When: pick(g, "when", faults.Before, faults.After),
			Fault: pick(g, "fault", faults.Error500, faults.Reset, faults.BadGateway, faults.Cut)}}
		a.leave = rapid.IntRange(0, 3).Draw(g.T, "leave") == 0
	case "kill":
		if address := g.existing(""); address != "" {
			a.lost = []string{address}
		}
	case "left":
		a.leave = true
	}
	g.add(a)
}
