// What a configuration is: blocks by their addresses, with references as HCL writes
// them, and how edits keep it valid.

package lives

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// block holds the arguments of a resource: strings, ints, bools, []any and
// map[string]any. A string may refer to others, as in "[${enms_service.w.name}] S", and to
// entries, as in "${enms_instances.m.A}", which is "A" and depends on the resource.
type block map[string]any

// dependsOn is the argument of that name in a block: a list of addresses.
const dependsOn = "depends_on"

// createBeforeDestroy is the argument of the lifecycle block of that name: a Boolean.
const createBeforeDestroy = "create_before_destroy"

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
func (c *configuration) text(s string) string { return c.textWithin(s, len(c.blocks)) }

// textWithin follows references so many times at most, as blocks may refer to each other
// until dropDangling takes one of them out.
func (c *configuration) textWithin(s string, depth int) string {
	if depth < 0 {
		return ""
	}
	return reference.ReplaceAllStringFunc(s, func(found string) string {
		m := reference.FindStringSubmatch(found)
		if typeOf(m[1]) == many {
			return m[2]
		}
		name, _ := c.blocks[m[1]][m[2]].(string)
		return c.textWithin(name, depth-1)
	})
}

// named identifies an instance in a configuration: eNMS has one name space for the instances of a family.
type named struct{ family, name string }

// families are the name spaces of eNMS by the types of its instances. A type that is not
// here has one of its own.
var families = map[string]string{"gateway": "device", "network": "device", "ethernet_link": "link", "workflow": "service",
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
func (c *configuration) names(address string) []named { return c.namesOf(address, c.blocks[address]) }

// namesOf returns what a block names that is at an address, or was.
func (c *configuration) namesOf(address string, b block) []named {
	switch typeOf(address) {
	case many:
	case "enms_workflow_layout":
		workflow, _ := b["workflow"].(string)
		return []named{{"workflow_layout", c.text(workflow)}}
	case "enms_workflow_edge":
		name := fmt.Sprintf("%s: %s -> %s (%s)", b["workflow"], b["source"], b["destination"], b["subtype"])
		return []named{{"workflow_edge", c.text(name)}}
	default:
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
	defer c.withoutLostGroups(c.groups())
	b = withoutStaleRenames(b)
	if fresh := newRenames(c.blocks[address], b); fresh != nil {
		for other, block := range c.blocks {
			c.blocks[other] = renamedEntries(map[string]any(block), address, fresh).(map[string]any)
		}
	}
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

// withoutStaleRenames leaves out renames to what has no entry, and of what keeps its
// entry.
func withoutStaleRenames(b block) block {
	renames, _ := b["renames"].(map[string]any)
	if renames == nil {
		return b
	}
	entries, targets, left := entriesOf(b), map[string]bool{}, maps.Clone(renames)
	for _, to := range renames {
		targets[to.(string)] = true
	}
	maps.DeleteFunc(left, func(old string, to any) bool {
		return entries[to.(string)] == nil || entries[old] != nil && !targets[old]
	})
	for old, to := range renames { // of an exchange of which one half is gone, nothing is left
		if _, stays := left[to.(string)]; renames[to.(string)] != nil && !stays {
			delete(left, old)
		}
	}
	changed := maps.Clone(b)
	changed["renames"] = left
	if len(left) == 0 {
		delete(changed, "renames")
	}
	return changed
}

func withoutEntry(b block, key string) block {
	changed := maps.Clone(b)
	entries := maps.Clone(entriesOf(b))
	delete(entries, key)
	changed["instances"] = entries
	return withoutStaleRenames(changed)
}

// newRenames returns the renames that an edit has brought, nil when it has brought none.
func newRenames(before, after block) map[string]any {
	renames, _ := after["renames"].(map[string]any)
	if reflect.DeepEqual(before["renames"], after["renames"]) {
		return nil
	}
	return renames
}

// renamedEntries has references to entries follow their new keys.
func renamedEntries(v any, address string, renames map[string]any) any {
	return mapped(v, func(s string) string {
		return reference.ReplaceAllStringFunc(s, func(found string) string {
			m := reference.FindStringSubmatch(found)
			if to, is := renames[m[2]].(string); is && m[1] == address {
				return "${" + address + "." + to + "}"
			}
			return found
		})
	})
}

// mapped returns a value with its strings changed.
func mapped(v any, change func(string) string) any {
	switch v := v.(type) {
	case string:
		return change(v)
	case []any:
		list := make([]any, len(v))
		for i, member := range v {
			list[i] = mapped(member, change)
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(v))
		for name, member := range v {
			object[name] = mapped(member, change)
		}
		return object
	}
	return v
}

// remove takes a block out.
func (c *configuration) remove(address string) {
	defer c.withoutLostGroups(c.groups())
	delete(c.blocks, address)
	c.dropDangling()
}

// groups returns the names of the groups that a configuration has.
func (c *configuration) groups() map[string]bool {
	names := map[string]bool{}
	for address := range c.blocks {
		if typeOf(address) == "enms_group" {
			names[c.names(address)[0].name] = true
		}
	}
	return names
}

// withoutLostGroups removes the rights of groups that an edit has removed or renamed. Rights name groups without a
// reference, so that Terraform does not order the two: an apply might give the right to a group that it then
// deletes, and the next plan would not be empty.
func (c *configuration) withoutLostGroups(before map[string]bool) {
	now := c.groups()
	without := func(fields map[string]any) map[string]any {
		list, _ := fields["rbac_read"].([]any)
		if !slices.ContainsFunc(list, func(name any) bool { return before[name.(string)] && !now[name.(string)] }) {
			return fields
		}
		fields = maps.Clone(fields)
		delete(fields, "rbac_read")
		return fields
	}
	for address, b := range c.blocks {
		b = without(b)
		if entries := entriesOf(b); len(entries) > 0 {
			b, entries = maps.Clone(b), maps.Clone(entries)
			for key, entry := range entries {
				entries[key] = without(entry.(map[string]any))
			}
			b["instances"] = entries
		}
		c.blocks[address] = b
	}
}

// swap exchanges the names of two resources.
func (c *configuration) swap(one, two string) {
	if c.missing(one) || c.missing(two) {
		return
	}
	first, second := maps.Clone(c.blocks[one]), maps.Clone(c.blocks[two])
	first["name"], second["name"] = second["name"], first["name"]
	c.blocks[one], c.blocks[two] = first, second
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
	return mapped(v, func(s string) string {
		if s == from { // in depends_on
			return to
		}
		return strings.ReplaceAll(s, "${"+from+".", "${"+to+".")
	})
}

// dropDangling removes references to blocks that do not exist: a member of a list by itself, any other value with
// its block.
func (c *configuration) dropDangling() {
	for again := true; again; {
		again = false
		for _, address := range c.addresses() {
			kept, stands := c.standing(map[string]any(c.blocks[address]))
			if !stands || c.circular(address) || !c.inWorkflows(c.blocks[address]) {
				delete(c.blocks, address)
				again = true
				continue
			}
			b := block(kept.(map[string]any))
			for key, entry := range entriesOf(b) {
				if !c.inItsWorkflow(key, entry) || !c.inWorkflows(entry.(map[string]any)) {
					b, again = withoutEntry(b, key), true
				}
			}
			c.blocks[address] = withoutStaleRenames(b)
		}
	}
}

// standing returns a value without the members of lists that dangle, and whether the
// rest stands.
func (c *configuration) standing(v any) (kept any, stands bool) {
	switch v := v.(type) {
	case string:
		return v, !slices.ContainsFunc(reference.FindAllStringSubmatch(v, -1), func(m []string) bool {
			return c.missing(m[1]) || typeOf(m[1]) == many && entriesOf(c.blocks[m[1]])[m[2]] == nil
		})
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
			if !ok && name == "instances" {
				got, ok = c.standingEntries(member.(map[string]any)), true
			}
			if !ok {
				return nil, false
			}
			object[name] = got
		}
		return object, true
	}
	return v, true
}

// standingEntries returns the entries that stand.
func (c *configuration) standingEntries(entries map[string]any) map[string]any {
	left := map[string]any{}
	for name, entry := range entries {
		if got, ok := c.standing(entry); ok {
			left[name] = got
		}
	}
	return left
}

// inItsWorkflow reports whether the key of an entry begins with the name of its workflow,
// if it has one.
func (c *configuration) inItsWorkflow(key string, entry any) bool {
	fields, _ := entry.(map[string]any)
	workflows, isStep := fields["workflows"].([]any)
	return !isStep || len(workflows) > 0 && strings.HasPrefix(key, "["+c.text(workflows[0].(string))+"] ")
}

// inWorkflows reports whether what is to contain a service, an edge or a layout is a workflow: a
// block may have got another type.
func (c *configuration) inWorkflows(fields map[string]any) bool {
	return !slices.ContainsFunc(references([]any{fields["workflow"], fields["workflows"]}), func(address string) bool {
		return typeOf(address) == "enms_service" && c.blocks[address]["type"] != "workflow"
	})
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
