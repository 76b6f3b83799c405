// What a configuration is: blocks by their addresses, with references as HCL writes
// them, and how edits keep it valid.

package lives

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// block holds the arguments of a resource: strings, ints, bools, []any and
// map[string]any. A string may refer to others, as in "[${enms_service.w.name}] S".
type block map[string]any

// dependsOn is the argument of that name in a block: a list of addresses.
const dependsOn = "depends_on"

// configuration is what a user has written.
type configuration struct {
	blocks map[string]block // by addresses such as "enms_device.a"
	moved  map[string]string
}

func newConfiguration() *configuration {
	return &configuration{blocks: map[string]block{}, moved: map[string]string{}}
}

// clone copies a configuration, whose blocks are never changed in place.
func (c *configuration) clone() *configuration {
	return &configuration{maps.Clone(c.blocks), maps.Clone(c.moved)}
}

// addresses returns the addresses in order.
func (c *configuration) addresses() []string { return slices.Sorted(maps.Keys(c.blocks)) }

// typeOf returns the type of the resource at an address.
func typeOf(address string) string {
	typ, _, _ := strings.Cut(address, ".")
	return typ
}

// many is the type of the resource that holds many instances.
const many = "enms_instances"

var reference = regexp.MustCompile(`\$\{(\w+\.\w+)\.(\w+)\}`)

// references returns the addresses that a value refers to.
func references(v any) (addresses []string) {
	switch v := v.(type) {
	case string:
		for _, m := range reference.FindAllStringSubmatch(v, -1) {
			addresses = append(addresses, m[1])
		}
	case []any:
		for _, member := range v {
			addresses = append(addresses, references(member)...)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			addresses = append(addresses, references(v[name])...)
		}
	}
	return addresses
}

// dependencies returns the addresses that a block refers to or depends on.
func (b block) dependencies() []string {
	addresses := references(map[string]any(b))
	list, _ := b[dependsOn].([]any)
	for _, address := range list {
		addresses = append(addresses, address.(string))
	}
	slices.Sort(addresses)
	return slices.Compact(addresses)
}

// text returns what a string says, with the names of what it refers to.
func (c *configuration) text(s string) string {
	return reference.ReplaceAllStringFunc(s, func(found string) string {
		m := reference.FindStringSubmatch(found)
		name, _ := c.blocks[m[1]][m[2]].(string)
		return c.text(name)
	})
}

// named is what a configuration calls an instance by: eNMS has one name space for the
// instances of a family.
type named struct{ family, name string }

// families are the name spaces of eNMS by the types of its instances. A type that is not
// here has one of its own.
var families = map[string]string{"gateway": "device", "ethernet_link": "link", "workflow": "service",
	"service": "service", "python_snippet_service": "service", "netmiko_commands_service": "service", "rest_call_service": "service"}

// familyOf returns the name space of a type.
func familyOf(typ string) string {
	if family, is := families[typ]; is {
		return family
	}
	return typ
}

// names returns what the block of an address names: one instance, or those of its
// entries by their keys.
func (c *configuration) names(address string) []named {
	b := c.blocks[address]
	if typeOf(address) != many {
		name, _ := b["name"].(string)
		return []named{{familyOf(strings.TrimPrefix(typeOf(address), "enms_")), c.text(name)}}
	}
	typ, _ := b["type"].(string)
	var all []named
	for _, key := range slices.Sorted(maps.Keys(entriesOf(b))) {
		all = append(all, named{familyOf(typ), key})
	}
	return all
}

// entriesOf returns the entries of an enms_instances.
func entriesOf(b block) map[string]any {
	entries, _ := b["instances"].(map[string]any)
	return entries
}

// set writes a block, and takes its names away from others.
func (c *configuration) set(address string, b block) {
	c.blocks[address] = b
	taken := c.names(address)
	for _, other := range c.addresses() {
		if other == address {
			continue
		}
		for _, n := range c.names(other) {
			if !slices.Contains(taken, n) {
				continue
			}
			if typeOf(other) == many {
				c.blocks[other] = withoutEntry(c.blocks[other], n.name)
			} else {
				delete(c.blocks, other)
			}
		}
	}
	c.dropDangling()
}

func withoutEntry(b block, key string) block {
	changed := maps.Clone(b)
	entries := maps.Clone(entriesOf(b))
	delete(entries, key)
	changed["instances"] = entries
	return changed
}

// remove takes a block out.
func (c *configuration) remove(address string) {
	delete(c.blocks, address)
	c.dropDangling()
}

// move gives a block another address, and has references follow.
func (c *configuration) move(from, to string) {
	b, is := c.blocks[from]
	if _, taken := c.blocks[to]; !is || taken || typeOf(from) != typeOf(to) {
		return
	}
	delete(c.blocks, from)
	c.blocks[to] = b
	for address, other := range c.blocks {
		c.blocks[address] = block(readdressed(map[string]any(other), from, to).(map[string]any))
	}
}

func readdressed(v any, from, to string) any {
	switch v := v.(type) {
	case string:
		if v == from { // in depends_on
			return to
		}
		return strings.ReplaceAll(v, "${"+from+".", "${"+to+".")
	case []any:
		list := make([]any, len(v))
		for i, member := range v {
			list[i] = readdressed(member, from, to)
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(v))
		for name, member := range v {
			object[name] = readdressed(member, from, to)
		}
		return object
	}
	return v
}

// dropDangling takes out what refers to blocks that are not there any longer: members of
// lists by themselves, other values with their blocks.
func (c *configuration) dropDangling() {
	for again := true; again; {
		again = false
		for _, address := range c.addresses() {
			kept, stands := c.standing(map[string]any(c.blocks[address]))
			if !stands || c.circular(address) {
				delete(c.blocks, address)
				again = true
				continue
			}
			c.blocks[address] = block(kept.(map[string]any))
		}
	}
}

// standing returns a value without the members of lists that dangle, and whether the
// rest stands.
func (c *configuration) standing(v any) (kept any, stands bool) {
	switch v := v.(type) {
	case string:
		return v, !slices.ContainsFunc(references(v), c.missing)
	case []any:
		list := []any{}
		for _, member := range v {
			address, isText := member.(string)
			isAddress := isText && bareAddress.MatchString(address)
			if got, ok := c.standing(member); ok && (!isAddress || !c.missing(address)) {
				list = append(list, got)
			}
		}
		return list, true
	case map[string]any:
		object := make(map[string]any, len(v))
		for name, member := range v {
			got, ok := c.standing(member)
			if !ok {
				return nil, false
			}
			object[name] = got
		}
		return object, true
	}
	return v, true
}

var bareAddress = regexp.MustCompile(`^enms_\w+\.\w+$`)

func (c *configuration) missing(address string) bool {
	_, is := c.blocks[address]
	return !is
}

// circular reports whether a block refers to itself, however far around.
func (c *configuration) circular(address string) bool {
	return slices.Contains(c.transitive(address), address)
}

// transitive returns all that a block refers to, and what that refers to.
func (c *configuration) transitive(address string) []string {
	seen := map[string]bool{}
	queue := c.blocks[address].dependencies()
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		if !seen[next] {
			seen[next] = true
			queue = append(queue, c.blocks[next].dependencies()...)
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// literal writes a value as Go does.
func literal(v any) string {
	switch v := v.(type) {
	case []any:
		members := make([]string, len(v))
		for i, member := range v {
			members[i] = literal(member)
		}
		return "[]any{" + strings.Join(members, ", ") + "}"
	case block:
		return "block" + strings.TrimPrefix(literal(map[string]any(v)), "map[string]any")
	case map[string]any:
		members := []string{}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			members = append(members, fmt.Sprintf("%q: %s", name, literal(v[name])))
		}
		return "map[string]any{" + strings.Join(members, ", ") + "}"
	}
	return fmt.Sprintf("%#v", v)
}
