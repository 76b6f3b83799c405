// Random lives.

package lives

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/faults"
)

// generator makes up a life, step by step, from the configuration that the steps so far
// have led to.
type generator struct {
	*rapid.T
	config   *configuration
	steps    []step
	renaming map[string]bool // addresses with renames that were not applied yet
	applied  *configuration  // the configuration of the last apply
}

// lives returns a generator of lives.
func lives() *rapid.Generator[[]step] {
	return rapid.Custom(func(t *rapid.T) []step {
		g := &generator{T: t, config: newConfiguration(), renaming: map[string]bool{}, applied: newConfiguration()}
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
		if g.sometimes("create before destroy", 5) {
			g.createFirst()
		}
		return g.steps
	})
}

// createFirst sets create_before_destroy for one address throughout the life.
func (g *generator) createFirst() {
	var addresses []string
	for _, s := range g.steps {
		if s, is := s.(set); is {
			addresses = append(addresses, s.address)
		}
	}
	if len(addresses) == 0 {
		return
	}
	address := pick(g, "address", addresses...)
	for i, s := range g.steps {
		if s, is := s.(set); is && s.address == address {
			b := maps.Clone(s.block)
			b[createBeforeDestroy] = true
			g.steps[i] = set{address, b}
		}
	}
}

// add adds a step, and edits the configuration by it.
func (g *generator) add(s step) {
	g.steps = append(g.steps, s)
	if _, applied := s.(apply); applied {
		clear(g.renaming)
		g.applied = g.config.clone()
	}
	switch s := s.(type) {
	case set:
		g.config.set(s.address, s.block)
	case remove:
		g.config.remove(s.address)
	case swap:
		g.config.swap(s.one, s.two)
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

// sometimes is true once in so many times.
func (g *generator) sometimes(label string, once int) bool {
	return rapid.IntRange(1, once).Draw(g.T, label) == once
}

// existing draws an address of the configuration of a type; "" when there is none.
func (g *generator) existing(typ string) string {
	return g.one(func(address string, _ block) bool { return strings.HasPrefix(address, typ) })
}

// one draws an address of the configuration; "" when there is none.
func (g *generator) one(is func(address string, b block) bool) string {
	var all []string
	for _, address := range g.config.addresses() {
		if is(address, g.config.blocks[address]) {
			all = append(all, address)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return pick(g, "address", all...)
}

// edits are the ways to edit a configuration. Those that come more than once are more
// frequent.
var edits = []func(g *generator){
	(*generator).device, (*generator).device, (*generator).devices, (*generator).devices,
	(*generator).entry, (*generator).entry, (*generator).renameEntry,
	(*generator).workflow, (*generator).step, (*generator).step, (*generator).edge, (*generator).task, (*generator).link, (*generator).pool,
	(*generator).manySteps, (*generator).manyLinks, (*generator).flow, (*generator).flow, (*generator).change, (*generator).change,
	(*generator).layout, (*generator).people, (*generator).credential, (*generator).network,
	(*generator).rename, (*generator).rename, (*generator).swap,
	(*generator).drop, (*generator).drop, (*generator).move, (*generator).policy, (*generator).provider,
}

func (g *generator) edit() { pick(g, "edit", edits...)(g) }

// device writes a device.
func (g *generator) device() {
	b := g.deviceOf(block{"name": pick(g, "name", names...)})
	if g.sometimes("gateway", 5) {
		b["type"] = "gateway"
	}
	if other := g.existing("enms_device"); other != "" && g.sometimes("unknown", 4) {
		b["description"] = "beside ${" + other + ".id}"
	}
	g.add(set{g.address("enms_device"), b})
}

// deviceOf fills in a device. Now and then it refers to a group that does not exist.
func (g *generator) deviceOf(b map[string]any) map[string]any {
	b["ip_address"] = fmt.Sprintf("10.0.0.%d", rapid.IntRange(1, 3).Draw(g.T, "ip"))
	if rapid.Bool().Draw(g.T, "vendor") {
		b["vendor"] = pick(g, "vendor", "Cisco", "Nokia")
	}
	if g.sometimes("refused", 8) {
		if group := pick(g, "group", "G1", "G2", "G3"); !g.applied.groups()[group] || g.config.groups()[group] { // else it is to be deleted
			b["rbac_read"] = []any{group}
		}
	}
	return b
}

// devices writes an enms_instances of devices.
func (g *generator) devices() {
	entries := map[string]any{}
	for range rapid.IntRange(1, 3).Draw(g.T, "entries") {
		entries[pick(g, "key", names...)] = g.deviceOf(map[string]any{})
	}
	g.add(set{g.address(many), block{"type": pick(g, "type", "device", "device", "gateway"), "instances": entries}})
}

// entry adds or changes an entry, or takes it out.
func (g *generator) entry() {
	address := g.one(func(address string, b block) bool {
		return typeOf(address) == many && familyOf(b["type"].(string)) == "device"
	})
	if address == "" {
		return
	}
	b := maps.Clone(g.config.blocks[address])
	entries := maps.Clone(entriesOf(b))
	name := pick(g, "key", names...)
	if _, is := entries[name]; is && rapid.Bool().Draw(g.T, "remove") {
		delete(entries, name)
	} else {
		entries[name] = g.deviceOf(map[string]any{})
	}
	b["instances"] = entries
	g.add(set{address, b})
}

// renameEntry gives an entry another key, by renames, or exchanges two. Those of one
// resource wait for the next apply.
func (g *generator) renameEntry() {
	address := g.existing(many)
	if address == "" || len(entriesOf(g.config.blocks[address])) == 0 || g.renaming[address] {
		return
	}
	b := maps.Clone(g.config.blocks[address])
	entries := maps.Clone(entriesOf(b))
	old, to := pick(g, "old", sortedKeys(entries)...), pick(g, "new", names...)
	if old == to || strings.HasPrefix(old, "[") {
		return
	}
	renames := map[string]any{old: to}
	if other, taken := entries[to]; taken {
		if before := entriesOf(g.applied.blocks[address]); before[old] == nil || before[to] == nil {
			return // what is not there yet has no name to exchange
		}
		renames[to] = old
		entries[old], entries[to] = other, entries[old]
	} else if _, goes := entriesOf(g.applied.blocks[address])[to]; goes {
		return // its name is not free before an apply
	} else {
		entries[to] = entries[old]
		delete(entries, old)
	}
	b["instances"], b["renames"] = entries, renames
	g.renaming[address] = true
	g.add(set{address, b})
}

// workflow writes a workflow, now and then inside of another one.
func (g *generator) workflow() {
	b := block{"name": pick(g, "name", "W1", "W2", "W3"), "type": "workflow"}
	address := "enms_service." + pick(g, "label", "v", "w")
	if outer := g.one(isWorkflow); outer != "" && outer != address && g.sometimes("nested", 3) {
		b["workflows"] = []any{"${" + outer + ".name}"}
		b["name"] = "[${" + outer + ".name}] " + b["name"].(string)
	}
	g.add(set{address, b})
}

func isWorkflow(address string, b block) bool {
	return typeOf(address) == "enms_service" && b["type"] == "workflow"
}

func isStep(address string, b block) bool {
	return typeOf(address) == "enms_service" && b["type"] != "workflow"
}

// step writes a service: in a workflow, shared by several, or by itself.
func (g *generator) step() {
	b := block{"name": pick(g, "name", "S1", "S2", "S3"), "type": "python_snippet_service",
		"properties": map[string]any{"source_code": "x = " + pick(g, "code", "1", "2")}}
	switch w := g.one(isWorkflow); {
	case w != "" && g.sometimes("shared", 4):
		b["name"], b["shared"] = "[Shared] "+b["name"].(string), true
		b["workflows"] = []any{"${" + w + ".name}"}
	case w != "":
		b["name"] = "[${" + w + ".name}] " + b["name"].(string)
		b["workflows"] = []any{"${" + w + ".name}"}
	}
	if device := g.existing("enms_device"); device != "" && g.sometimes("target", 3) {
		b["target_devices"] = []any{"${" + device + ".name}"}
	}
	g.add(set{g.address("enms_service"), b})
}

// manySteps writes services of a workflow as entries.
func (g *generator) manySteps() {
	w := g.one(func(address string, b block) bool { return isWorkflow(address, b) && b["workflows"] == nil })
	if w == "" {
		return
	}
	name, entries := g.config.blocks[w]["name"].(string), map[string]any{}
	for range rapid.IntRange(1, 2).Draw(g.T, "entries") {
		entries["["+name+"] "+pick(g, "name", "S1", "S2", "S3")] = map[string]any{"workflows": []any{"${" + w + ".name}"},
			"source_code": "x = " + pick(g, "code", "1", "2")}
	}
	g.add(set{many + ".s", block{"type": "python_snippet_service", "instances": entries}})
}

// edge writes an edge from the start of a workflow to one of its steps, or from there to
// its end.
func (g *generator) edge() {
	s := g.one(func(address string, b block) bool { return isStep(address, b) && b["workflows"] != nil })
	if s == "" {
		return
	}
	b := block{"workflow": g.config.blocks[s]["workflows"].([]any)[0], "source": "[Shared] Start", "destination": "${" + s + ".name}",
		"subtype": pick(g, "subtype", "success", "failure")}
	if rapid.Bool().Draw(g.T, "to the end") {
		b["source"], b["destination"] = b["destination"], "[Shared] End"
	}
	g.add(set{g.address("enms_workflow_edge"), b})
}

// task writes a task.
func (g *generator) task() {
	s := g.existing("enms_service")
	if s == "" {
		return
	}
	b := block{"name": pick(g, "name", "T1", "T2"), "service": "${" + s + ".name}"}
	if device := g.existing("enms_device"); device != "" && rapid.Bool().Draw(g.T, "devices") {
		b["devices"] = []any{"${" + device + ".name}"}
	}
	if pool := g.existing("enms_pool"); pool != "" && rapid.Bool().Draw(g.T, "pools") {
		b["pools"] = []any{"${" + pool + ".name}"}
	}
	g.add(set{g.address("enms_task"), b})
}

// flow writes a workflow with a service between its start and its end.
func (g *generator) flow() {
	w := "enms_service." + pick(g, "label", "v", "w")
	g.add(set{w, block{"name": pick(g, "name", "W1", "W2", "W3"), "type": "workflow"}})
	s := g.address("enms_service")
	g.add(set{s, block{"name": "[${" + w + ".name}] " + pick(g, "name", "S1", "S2", "S3"), "type": "python_snippet_service",
		"workflows": []any{"${" + w + ".name}"}}})
	if g.config.missing(w) || g.config.missing(s) {
		return
	}
	for _, b := range []block{{"source": "[Shared] Start", "destination": "${" + s + ".name}"}, {"source": "${" + s + ".name}", "destination": "[Shared] End"}} {
		b["workflow"], b["subtype"] = "${"+w+".name}", pick(g, "subtype", "success", "failure")
		g.add(set{g.address("enms_workflow_edge"), b})
	}
}

// layout writes where the services of a workflow are shown.
func (g *generator) layout() {
	s := g.one(func(address string, b block) bool { return isStep(address, b) && b["workflows"] != nil })
	if s == "" {
		return
	}
	b := g.config.blocks[s]
	g.add(set{"enms_workflow_layout." + pick(g, "label", "v", "w"), block{"workflow": b["workflows"].([]any)[0], "positions": map[string]any{
		"[Shared] Start": map[string]any{"x": 0, "y": 0}, "[Shared] End": map[string]any{"x": 400, "y": rapid.IntRange(0, 2).Draw(g.T, "y")}}}})
}

// change changes an argument of what is there.
func (g *generator) change() {
	address := g.one(func(address string, _ block) bool {
		return typeOf(address) != many && typeOf(address) != "enms_workflow_layout"
	})
	if address == "" {
		return
	}
	b := maps.Clone(g.config.blocks[address])
	switch {
	case typeOf(address) == "enms_workflow_edge":
		b["subtype"] = pick(g, "subtype", "success", "failure")
	case isStep(address, b) && rapid.Bool().Draw(g.T, "code"):
		b["properties"] = map[string]any{"source_code": "x = " + pick(g, "code", "1", "2")}
	default:
		b["description"] = pick(g, "description", "", "one", "two")
	}
	g.add(set{address, b})
}

// people writes a group, or a user who is in one; the names of groups are those that
// devices refer to without depending on them.
func (g *generator) people() {
	if rapid.Bool().Draw(g.T, "group") {
		g.add(set{g.address("enms_group"), block{"name": pick(g, "name", "G1", "G2", "G3")}})
		return
	}
	b := block{"name": pick(g, "name", "U1", "U2"), "password_wo": "secret", "password_wo_version": rapid.IntRange(1, 2).Draw(g.T, "version")}
	if group := g.existing("enms_group"); group != "" {
		b["groups"] = []any{"${" + group + ".name}"}
	}
	g.add(set{g.address("enms_user"), b})
}

// credential writes a credential.
func (g *generator) credential() {
	b := block{"name": pick(g, "name", "K1", "K2"), "username": pick(g, "username", "one", "two")}
	if pool := g.existing("enms_pool"); pool != "" {
		b["device_pools"] = []any{"${" + pool + ".name}"}
	}
	g.add(set{g.address("enms_credential"), b})
}

// network writes a network, whose name is one that devices may have.
func (g *generator) network() {
	b := block{"name": pick(g, "name", "N1", names[0], names[1])}
	if device := g.deviceNamed(); device != "" {
		b["nodes"] = []any{device}
	}
	g.add(set{g.address("enms_network"), b})
}

// deviceNamed refers to a device of the configuration; "" when there is none.
func (g *generator) deviceNamed() string {
	address := g.one(func(address string, b block) bool {
		return typeOf(address) == "enms_device" || typeOf(address) == many && familyOf(b["type"].(string)) == "device" && len(entriesOf(b)) > 0
	})
	switch {
	case address == "":
		return ""
	case typeOf(address) == "enms_device":
		return "${" + address + ".name}"
	}
	return "${" + address + "." + pick(g, "entry", sortedKeys(entriesOf(g.config.blocks[address]))...) + "}"
}

// link writes a link.
func (g *generator) link() {
	source, destination := g.deviceNamed(), g.deviceNamed()
	if source == "" {
		return
	}
	g.add(set{g.address("enms_link"), block{"name": pick(g, "name", "L1", "L2", "L3"), "source": source, "destination": destination}})
}

// manyLinks writes links as entries.
func (g *generator) manyLinks() {
	source, destination := g.deviceNamed(), g.deviceNamed()
	if source == "" {
		return
	}
	entries := map[string]any{pick(g, "key", "L1", "L2", "L3"): map[string]any{"source": source, "destination": destination}}
	g.add(set{many + ".l", block{"type": pick(g, "type", "link", "ethernet_link"), "instances": entries}})
}

// pool writes a pool: by hand or by criteria.
func (g *generator) pool() {
	b := block{"name": pick(g, "name", "P1", "P2")}
	if device := g.deviceNamed(); device != "" && rapid.Bool().Draw(g.T, "by hand") {
		b["devices"] = []any{device}
	} else {
		b["device_criteria"] = map[string]any{"vendor": map[string]any{"value": pick(g, "vendor", "Cisco", "Nokia")}}
	}
	g.add(set{g.address("enms_pool"), b})
}

// rename gives a resource another name.
func (g *generator) rename() {
	address := g.one(func(_ string, b block) bool { return b["name"] != nil })
	if address == "" {
		return
	}
	b := maps.Clone(g.config.blocks[address])
	old := b["name"].(string)
	prefix, own := "", old
	if at := strings.LastIndex(old, "] "); at >= 0 {
		prefix, own = old[:at+2], old[at+2:]
	}
	if len(own) == 1 {
		own = pick(g, "name", names...)
	} else {
		own = own[:1] + pick(g, "number", "1", "2", "3", "4")
	}
	was := g.config.text(old)
	b["name"] = prefix + own
	steps := g.config.clone()
	g.add(set{address, b})
	g.renameSteps(steps, address, was)
}

// renameSteps gives the entries of a workflow that has another name the keys that follow
// from it.
func (g *generator) renameSteps(before *configuration, workflow, was string) {
	is, _ := g.config.blocks[workflow]["name"].(string)
	for _, address := range before.addresses() {
		renames, entries := map[string]any{}, map[string]any{}
		for key, entry := range entriesOf(before.blocks[address]) {
			fields := entry.(map[string]any)
			workflows, _ := fields["workflows"].([]any)
			if rest, inside := strings.CutPrefix(key, "["+was+"] "); inside && slices.Contains(workflows, any("${"+workflow+".name}")) {
				to := "[" + g.config.text(is) + "] " + rest
				renames[key], key = to, to
			}
			entries[key] = entry
		}
		if len(renames) == 0 || g.config.blocks[workflow] == nil || g.renaming[address] {
			continue
		}
		b := maps.Clone(before.blocks[address])
		b["instances"], b["renames"] = entries, renames
		g.renaming[address] = true
		g.add(set{address, b})
	}
}

// swap exchanges the names of two resources.
func (g *generator) swap() {
	one := g.one(func(_ string, b block) bool { return b["name"] != nil })
	if one == "" {
		return
	}
	two := g.one(func(address string, b block) bool {
		return address != one && typeOf(address) == typeOf(one) && b["type"] == g.config.blocks[one]["type"] && !slices.Contains(b.dependencies(), one) &&
			!slices.Contains(g.config.blocks[one].dependencies(), address)
	})
	if two == "" || strings.Contains(g.config.blocks[one]["name"].(string)+g.config.blocks[two]["name"].(string), "]") {
		return
	}
	g.add(swap{one, two})
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

// provider switches what holds for all resources.
func (g *generator) provider() {
	if rapid.Bool().Draw(g.T, "adopt") {
		g.add(settings{"adopt_existing": rapid.Bool().Draw(g.T, "adopt_existing")})
		return
	}
	if g.sometimes("retries", 3) {
		g.add(settings{"max_retries": rapid.IntRange(0, 1).Draw(g.T, "max_retries")})
		return
	}
	g.add(settings{"deletion_policy": pick(g, "deletion_policy", "delete", "delete", "cascade", "abandon")})
}

// policy switches the deletion policy or adoption of a block.
func (g *generator) policy() {
	address := g.one(func(address string, _ block) bool { return typeOf(address) != "enms_workflow_layout" })
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
	switch pick(g, "what", "write", "rename", "erase", "inside", "task", "service", "any", "exchange", "version", "recreate", "edit", "server") {
	case "exchange":
		if rapid.Bool().Draw(g.T, "workflows") {
			g.add(exchange{"workflow", "W1", pick(g, "workflow", "W2", "W3")})
		} else {
			g.add(exchange{"device", name, pick(g, "name", append([]string{"X"}, names...)...)})
		}
	case "version":
		g.add(version{pick(g, "workflow", "W1", "W2", "W3"), pick(g, "steps", nil, []string{"S1"}, []string{"S1", "S2", "S3"})})
	case "recreate":
		g.add(erase{"device", name})
		g.add(write{"device", name, map[string]any{"vendor": pick(g, "vendor", "Cisco", "Theirs")}})
	case "edit":
		g.add(write{"device", name, map[string]any{"new_name": pick(g, "name", append([]string{"X"}, names...)...), "vendor": "Theirs", "description": "theirs"}})
	case "server":
		g.server()
	case "write":
		g.add(write{"device", name, map[string]any{"vendor": pick(g, "vendor", "Cisco", "Theirs")}})
	case "rename":
		g.add(write{"device", name, map[string]any{"new_name": pick(g, "name", append([]string{"X"}, names...)...)}})
	case "erase":
		g.add(erase{"device", name})
	case "inside":
		g.add(write{"python_snippet_service", "theirs", map[string]any{"scoped_name": "theirs", "workflows": []any{pick(g, "workflow", "W1", "W2", "W3")}}})
	case "task":
		g.add(write{"task", pick(g, "name", "T1", "T9"), map[string]any{"service": pick(g, "service", "W1", "S1", "[W1] S1")}})
	case "service":
		g.add(write{"workflow", pick(g, "name", "W1", "W2", "W3"), map[string]any{"description": "theirs", "scoped_name": "W1"}})
	case "any":
		g.add(erase{pick(g, "type", "service", "task", "link", "pool"), pick(g, "name", "W1", "W2", "S1", "[W1] S1", "[W2] S1", "[Shared] S1", "T1", "L1", "P1")})
	}
}

// server is what happens to the server as a whole.
func (g *generator) server() {
	switch pick(g, "server", "restore", "in place", "take", "rollback", "silent", "loud", "forgotten") {
	case "restore":
		g.add(restore{uint64(rapid.IntRange(1, 99).Draw(g.T, "seed")), false})
	case "in place":
		g.add(restore{uint64(rapid.IntRange(1, 99).Draw(g.T, "seed")), true})
	case "take":
		g.add(take{})
	case "rollback":
		if i := slices.IndexFunc(g.steps, func(s step) bool { _, is := s.(apply); return is }); i >= 0 {
			g.steps = slices.Insert(g.steps, i+1, step(take{}))
		}
		g.add(rollback{})
	case "silent":
		g.add(silence{true})
		g.others()
	case "loud":
		g.add(silence{false})
	case "forgotten":
		g.add(forgotten{})
	}
}

// apply applies, now and then with faults or a kill.
func (g *generator) apply() {
	a := apply{}
	switch pick(g, "fate", "well", "well", "well", "fault", "kill", "left", "replace") {
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
	case "replace":
		if address := g.existing(""); address != "" {
			a.replace = []string{address}
		}
	}
	g.add(a)
}
