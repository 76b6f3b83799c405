// Doing what an error says must be done.

package lives

import (
	"context"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/terraformtest"
)

// remedy does what the errors of a run ask for; false when they ask for nothing that it
// knows.
func (l *life) remedy(r *run) (done bool) {
	if l.follow(r, slices.Concat(firstRemedies, amendments)) {
		return true
	}
	if keep := l.toKeep(r); len(keep) > 0 {
		kept, done := l.keepForOneApply(keep)
		if kept != nil && kept.applied && kept.failed() && l.onTheWay == nil { // for another reason
			done = l.follow(kept, remedies) || done
		}
		if done {
			return true
		}
	}
	return l.follow(r, remedies)
}

// follow does what errors ask for; false when they ask for none of these.
func (l *life) follow(r *run, remedies []remedy) (done bool) {
	for _, address := range sortedKeys(r.found) {
		for _, d := range r.found[address] {
			for _, known := range remedies {
				if m := known.says.FindStringSubmatch(d.Detail); m != nil && known.do(l, address, m) {
					l.note("  remedy for %s: %s", address, known.name)
					done = true
					break
				}
			}
		}
	}
	return done
}

// holder returns the instance with a name and an id, as errors have them, and its slot in the state.
func (l *life) holder(name, id string) (*instance, *slot) {
	h := l.server.holds(l.t)
	i := h.withID(name, id)
	return i, l.slotOf(keyOf(i), h)
}

// removeUnmanaged has others delete an instance, if there is one, unless the state has it.
func (l *life) removeUnmanaged(i *instance) bool {
	if i == nil || l.slotOf(i.key, l.server.holds(l.t)) != nil {
		return false
	}
	l.others(func() { l.server.remove(i.typ, i.name) })
	return true
}

var quotedInstance = regexp.MustCompile(`(\w+) "([^"]+)"`)

// remedy is what an error asks for, by its words.
type remedy struct {
	name string
	says *regexp.Regexp
	do   func(l *life, address string, m []string) bool
}

// identifyByName is what an error says about an instance that is not told.
var identifyByName = regexp.MustCompile(`set identify_by = "name" in the provider block, or ENMS_IDENTIFY_BY=name`)

// acceptsName is what an error says about an instance that others have renamed.
var acceptsName = regexp.MustCompile(`accept the new name with terraform apply -refresh-only`)

// firstRemedies are those that come before what must be kept for one apply: without them, a
// plan that keeps it fails as well.
var firstRemedies = []remedy{
	{"without create_before_destroy", createFirst, func(l *life, address string, _ []string) (done bool) {
		if l.tf.State[address] == nil {
			return false
		}
		for other := range l.config.blocks { // Terraform has what they depend on created first, too
			if other == address || slices.Contains(l.config.transitive(other), address) {
				done = l.amend(other, createBeforeDestroy, nil) || done
			}
		}
		return done
	}},
	{"without create_before_destroy, for a cycle, or what goes first", regexp.MustCompile(`^Cycle: `), func(l *life, _ string, _ []string) bool {
		return l.withoutCreateBeforeDestroy() || l.withoutCreations(nil)
	}},
	{"identify_by = \"name\" for one apply", identifyByName, func(l *life, address string, m []string) bool {
		return l.identifyByName()
	}},
	{"terraform apply -refresh-only", acceptsName, func(l *life, _ string, _ []string) bool {
		found := l.tf.refreshOnly(context.Background(), l.config)
		for _, diags := range found.Errors() {
			for _, d := range diags {
				if identifyByName.MatchString(d.Detail) { // what the plan has not read, because what it refers to failed
					return l.identifyByName()
				}
			}
		}
		return !found.Failed()
	}},
	{"first without what refers to a deposed object", regexp.MustCompile(`eNMS would also delete: (.*)\. Terraform destroys "([^"]+)" .*If "[^"]+" is a deposed object, first apply`), func(l *life, _ string, m []string) bool {
		h := l.server.holds(l.t)
		for _, address := range sortedKeys(l.tf.State) {
			if terraformtest.BlockOf(address) != address && len(slotsNamed(address, l.tf.State[address], m[2], h)) > 0 {
				return l.withoutReferring(address, m[1])
			}
		}
		return false
	}},
}

// amendments change the configuration or the state, and need no apply of another configuration.
var amendments = []remedy{
	{"terraform apply -refresh-only", acceptsName, func(l *life, _ string, _ []string) bool {
		return !l.tf.refreshOnly(context.Background(), l.config).Failed()
	}},
	{"the name that eNMS would give, or no workflow", regexp.MustCompile(`^eNMS would name the service "[^"]+"\. Use this name, or write workflows = \[\]`), func(l *life, address string, _ []string) bool {
		return l.amend(address, "workflows", []any{})
	}},
	{"the name that eNMS would give, or not shared", regexp.MustCompile(`^eNMS would name the service "[^"]+"\. Use this name, or write shared = false`), func(l *life, address string, _ []string) bool {
		return l.amend(address, "shared", false)
	}},
	{"without an edge whose service has left the workflow", regexp.MustCompile(`is not a service of the workflow "[^"]+"\. .*or choose a service of the workflow`), func(l *life, address string, _ []string) bool {
		if l.config.blocks[address] == nil {
			return false
		}
		delete(l.config.blocks, address)
		l.config.dropDangling()
		l.forgetMissing()
		return true
	}},
}

// remedies are those for what the first ones have not mended.
var remedies = []remedy{
	{"delete what has the place", regexp.MustCompile(`eNMS has the workflow_edge "([^"]+)" \(id (\d+)\) with the same .*; otherwise delete it in eNMS`), func(l *life, _ string, m []string) bool {
		return l.removeUnmanaged(l.server.holds(l.t).withID(m[1], m[2]))
	}},
	{"terraform apply -replace", regexp.MustCompile(`have Terraform make one of them anew \(terraform apply -replace\)`), func(l *life, address string, _ []string) bool {
		if l.anew == nil { // one of them
			l.anew = []string{address}
		}
		return true
	}},
	{"the name that eNMS would give an entry", regexp.MustCompile(`instances\["([^"]+)"\]: eNMS would name the service "([^"]+)"\. Use this name`), func(l *life, address string, m []string) bool {
		return l.rekey(slot{address, m[1]}, m[2])
	}},
	{"the type of what is taken over", regexp.MustCompile(`write type = "(\w+)" to take it over`), func(l *life, address string, m []string) bool {
		return l.amend(address, "type", m[1])
	}},
	{"a name of its own", regexp.MustCompile(`Set a different name here, such as name = "([^"]+)"`), func(l *life, address string, m []string) bool {
		return l.amend(address, "name", m[1])
	}},
	{"moved block for what has another address", regexp.MustCompile(`(?s)eNMS already has an? \w+ named "([^"]+)" \(id \d+\).*write a moved block if this is its new address`), func(l *life, address string, m []string) bool {
		h := l.server.holds(l.t)
		for k, i := range h {
			at := l.slotOf(k, h)
			if i.name != m[1] || at == nil || at.entry != "" || terraformtest.BlockOf(at.address) != at.address || typeOf(at.address) != typeOf(address) || l.config.blocks[at.address] != nil || l.tf.State[address] != nil {
				continue
			}
			l.config.moved[at.address], l.tf.last[address] = address, l.tf.last[at.address]
			return true
		}
		return false
	}},
	withoutWhatIsCreated,
	{"first without what needs a name that is given up", regexp.MustCompile(`(?s)eNMS already has an? \w+ named "([^"]+)" \(id (\d+)\).*or first apply a configuration without this resource`), func(l *life, address string, m []string) bool {
		i, at := l.holder(m[1], m[2])
		if at == nil || at.address == address || !l.withoutCreations(at) {
			return false
		}
		now := l.server.holds(l.t)[i.key]
		return now == nil || now.name != m[1] // otherwise nothing gives it up
	}},
	{"first without an entry that needs a name that is given up", regexp.MustCompile(`instances\["([^"]+)"\]: eNMS already has an? \w+ named "([^"]+)" \(id (\d+)\).*first apply a configuration without this entry`), func(l *life, address string, m []string) bool {
		i, at := l.holder(m[2], m[3])
		if at == nil || at.address == address {
			return false
		}
		l.withoutEntry(slot{address, m[1]})
		now := l.server.holds(l.t)[i.key]
		return now == nil || now.name != m[2] // otherwise nothing gives it up
	}},
	{"import block", regexp.MustCompile(`(?:write type = "(\w+)" and )?import it with the id "(.*?)"\. If another`), func(l *life, address string, m []string) bool {
		name := strings.NewReplacer(`\"`, `"`, `\\`, `\`, "$${", "${").Replace(m[2])
		if l.tf.State[address] != nil || l.keptElsewhere(address, name) {
			return false
		}
		if m[1] != "" { // write type = "..." and import it
			l.amend(address, "type", m[1])
		}
		return l.importInto(address, name)
	}},
	{"import of what has the place", regexp.MustCompile(`eNMS has the workflow_edge "([^"]+)" \(id \d+\) with the same .*; import that one`), func(l *life, address string, m []string) bool {
		return l.tf.State[address] == nil && l.importInto(address, m[1])
	}},
	{"adopt_existing", regexp.MustCompile(`set adopt_existing = true, on this resource`), func(l *life, address string, _ []string) bool {
		if names := l.config.names(address); typeOf(address) != many && len(names) > 0 && l.keptElsewhere(address, names[0].name) {
			return false
		}
		return l.amend(address, "adopt_existing", true)
	}},
	createWhatIsMissing,
	{"delete what would be deleted along", deletedAlong, func(l *life, address string, m []string) (done bool) {
		var taken []slot
		for _, found := range quotedInstance.FindAllStringSubmatch(m[1], -1) {
			h := l.server.holds(l.t)
			i := h.named(familyOf(found[1]), found[2])
			if i == nil || l.removeUnmanaged(i) {
				done = done || i != nil
				continue
			}
			at := l.slotOf(i.key, h)
			if at.entry != "" {
				taken = append(taken, *at)
				continue
			}
			l.tf.State[at.address].Tainted, done = true, true // replace_triggered_by, which the model has not: it is replaced as well
			l.forget(i.key)
		}
		if len(taken) > 0 {
			done = l.withoutForOneApply(taken, address)
		}
		return done
	}},
	{"free a name that an instance of another type has", ofAnotherType, func(l *life, address string, _ []string) bool {
		h := l.server.holds(l.t)
		for _, n := range l.config.names(address) {
			i := h.named(n.family, n.name)
			if l.removeUnmanaged(i) {
				return true
			}
			if at := l.slotOf(keyOf(i), h); at != nil && at.address != address {
				return l.thirdName(*at, address)
			}
		}
		return false
	}},
	{"first with the old key", regexp.MustCompile(`First apply a configuration with the key "([^"]+)" in place of "([^"]+)"`), func(l *life, address string, m []string) bool {
		wanted := l.config
		defer func() { l.config = wanted }()
		l.config = wanted.clone()
		b := maps.Clone(l.config.blocks[address])
		entries := maps.Clone(entriesOf(b))
		entries[m[1]] = entries[m[2]]
		delete(entries, m[2])
		b["instances"] = entries
		delete(b, "renames")
		l.config.blocks[address] = b
		l.config.dropDangling()
		return !l.attemptRemedy().failed()
	}},
	{"delete what has the name, or give it a third name", regexp.MustCompile(`eNMS already has an? \w+ named "([^"]+)" \(id (\d+)\).*(?:rename or delete the other instance first|Choose another name)`), func(l *life, address string, m []string) bool {
		i, at := l.holder(m[1], m[2])
		if at == nil {
			return l.removeUnmanaged(i)
		}
		return l.thirdName(*at, address) || l.config.blocks[at.address] == nil && l.asItWasForOneApply(address) ||
			l.tf.State[address] != nil && l.thirdName(slot{address: address}, address)
	}},
}

var withoutWhatIsCreated = remedy{"first without what is created", regexp.MustCompile(`manages it\. .*If the other resource is to be renamed, first apply that without the new resource`), func(l *life, _ string, _ []string) bool {
	return l.withoutCreations(nil)
}}

// withoutCreations applies the configuration without the resources and entries that are to be created or
// replaced. Resources that refer to those stay as they were. If holder has a name that is needed and would keep
// it, it gets a third name.
func (l *life) withoutCreations(holder *slot) bool {
	wanted := l.config
	defer func() { l.config = wanted }()
	l.config = wanted.clone()
	back := map[string]bool{} // what must be kept meanwhile
	for address := range wanted.blocks {
		switch {
		case l.tf.State[address] == nil && l.comesTo(address): // is not created
		case l.tf.State[address] == nil, l.tf.State[address].Tainted && l.tf.last[address] == nil: // whose creation has failed
			delete(l.config.blocks, address)
		case l.replaces(address):
			l.putBack(address, nil)
		case typeOf(address) == many:
			for key := range entriesOf(wanted.blocks[address]) {
				if !l.holdsEntry(address, key) {
					l.config.blocks[address] = withoutEntry(l.config.blocks[address], key)
				}
			}
		}
	}
	l.config.dropDangling()
	for _, address := range wanted.addresses() {
		if l.tf.State[address] != nil && l.losesAny(address, wanted) {
			l.putBack(address, wanted.blocks[address])
		}
	}
	if b := l.config.blocks; holder != nil && holder.entry == "" && terraformtest.BlockOf(holder.address) == holder.address && (l.config.missing(holder.address) || reflect.DeepEqual(b[holder.address], l.tf.last[holder.address])) {
		l.putBack(holder.address, nil)
		third := maps.Clone(b[holder.address])
		name, _ := third["name"].(string)
		third["name"] = inWorkflow.FindString(name) + "Third"
		b[holder.address] = third
	}
	r := l.attemptRemedy()
	for more := l.toKeep(r); r.failed() && len(more) > 0 && l.onTheWay == nil; more = l.toKeep(r) {
		for address := range more {
			if back[address] {
				return false
			}
			l.putBack(address, l.config.blocks[address])
			back[address] = true
		}
		r = l.attemptRemedy()
	}
	return !r.failed()
}

// comesTo reports whether a moved block brings an object of the state to an address.
func (l *life) comesTo(address string) bool {
	for from, to := range l.config.moved {
		if to == address && l.tf.State[from] != nil {
			return true
		}
	}
	return false
}

// withoutEntry applies what is configured without an entry.
func (l *life) withoutEntry(at slot) {
	wanted := l.config
	defer func() { l.config = wanted }()
	l.config = wanted.clone()
	l.takeOut(at)
	l.config.dropDangling()
	l.forgetMissing()
	l.attemptRemedy()
}

// keptElsewhere reports whether another address of the configuration has the instance with a
// name in the state, or a deposed object, so that it is neither to be imported nor adopted.
func (l *life) keptElsewhere(address, name string) bool {
	h := l.server.holds(l.t)
	i := h.named(familyOf(strings.TrimPrefix(typeOf(address), "enms_")), name)
	if i == nil {
		return false
	}
	at := l.slotOf(i.key, h)
	return at != nil && at.address != address && (l.config.wants(*at) || terraformtest.BlockOf(at.address) != at.address)
}

// withoutCreateBeforeDestroy removes that argument everywhere; false when it is nowhere.
func (l *life) withoutCreateBeforeDestroy() (done bool) {
	for _, address := range l.config.addresses() {
		done = l.amend(address, createBeforeDestroy, nil) || done
	}
	return done
}

// withoutReferring applies what is configured without the resources of the instances that an
// error lists, which refer to a deposed object. That object is destroyed after the creation at
// its address, which therefore must not have entries with its names.
func (l *life) withoutReferring(deposed, listed string) bool {
	wanted := l.config
	defer func() { l.config = wanted }()
	l.config = wanted.clone()
	h := l.server.holds(l.t)
	for _, found := range quotedInstance.FindAllStringSubmatch(listed, -1) {
		if i := h.named(familyOf(found[1]), found[2]); i != nil && l.slotOf(i.key, h) != nil {
			delete(l.config.blocks, l.slotOf(i.key, h).address)
		}
	}
	for at := range slotsOf(deposed, l.tf.State[deposed], h) {
		l.takeOut(slot{terraformtest.BlockOf(deposed), at.entry})
	}
	l.withoutCreateBeforeDestroy()
	l.config.dropDangling()
	l.forgetMissing()
	r, present := l.attemptRemedy(), l.tf.State[terraformtest.BlockOf(deposed)]
	if r.says("Cycle") && present != nil && present.Tainted { // as the warning of a failed creation says
		l.note("  terraform untaint %s", terraformtest.BlockOf(deposed))
		present.Tainted = false
		l.attemptRemedy()
	}
	return l.tf.State[deposed] == nil
}

// inWorkflow is what the name of a service begins with that is in a workflow.
var inWorkflow = regexp.MustCompile(`^\[.*\] `)

// holdsEntry reports whether the state has an entry, or one that is to be renamed to it.
func (l *life) holdsEntry(address, key string) bool {
	held := entriesHeld(l.tf.State[address].Value)
	_, is := held[key]
	renames, _ := l.config.blocks[address]["renames"].(map[string]any)
	for old, to := range renames {
		if _, has := held[old]; has && to == key {
			is = true
		}
	}
	return is
}

// losesAny reports whether an address has been taken out of what is wanted, or any entry that
// is in the state.
func (l *life) losesAny(address string, wanted *configuration) bool {
	if l.config.missing(address) {
		return true
	}
	held := entriesHeld(l.tf.State[address].Value)
	now := entriesOf(l.config.blocks[address])
	for key := range entriesOf(wanted.blocks[address]) {
		if _, is := held[key]; is && now[key] == nil {
			return true
		}
	}
	return false
}

// identifyByName applies the configuration with that setting.
func (l *life) identifyByName() bool {
	if l.byName() {
		return false
	}
	l.tf.settings["identify_by"] = "name"
	defer delete(l.tf.settings, "identify_by")
	clear(l.ids)
	r := l.attemptRemedy()
	clear(l.ids)
	l.mayShare = true
	return r.applied
}

// importInto brings an instance into the state, and reports whether that has succeeded.
func (l *life) importInto(address, id string) (succeeded bool) {
	if !l.tf.importInto(context.Background(), l.config, address, id) {
		return false
	}
	for _, i := range slotsOf(address, l.tf.State[address], l.server.holds(l.t)) {
		l.had[l.births[keyOf(i)]] = true
	}
	return true
}

// amend sets an argument of a block; false when there is no such block, or when it has
// that already.
func (l *life) amend(address, argument string, v any) bool {
	b := l.config.blocks[address]
	if b == nil || reflect.DeepEqual(b[argument], v) {
		return false
	}
	changed := maps.Clone(b)
	changed[argument] = v
	l.config.blocks[address] = changed
	return true
}

// slotsNamed returns the slots of an object that have a name in the state or in eNMS. The two names differ after
// a rename by others.
func slotsNamed(address string, o *terraformtest.Object, name string, h holdings) map[slot]*instance {
	slots := slotsOf(address, o, h)
	maps.DeleteFunc(slots, func(at slot, i *instance) bool {
		return at.entry != name && textOf(o.Value, "name") != name && (i == nil || i.name != name)
	})
	return slots
}

// wants reports whether a configuration has a slot.
func (c *configuration) wants(at slot) bool {
	b, is := c.blocks[at.address]
	return is && (at.entry == "" || entriesOf(b)[at.entry] != nil)
}

var (
	// keepsNamed is the error of a plan that names what must be kept for one apply.
	keepsNamed = regexp.MustCompile(`First apply a configuration that still holds "([^"]+)"`)
	// destroyed is the summary of such an error.
	destroyed = regexp.MustCompile(`Cannot destroy (\w+) "`)
	// keepsReplaced is the same of what is replaced.
	keepsReplaced = regexp.MustCompile(`eNMS would also delete: (.*)\. Terraform destroys .* First apply a configuration in which nothing else refers to "([^"]+)"`)
	// keepsOwn is the error of what must be kept for one apply.
	keepsOwn = regexp.MustCompile(`eNMS would also delete: (.*)\. (?:Terraform does not manage them|Another resource of the same configuration)`)
)

// dropsAny reports whether a text lists an instance that the state has and the configuration does not.
func (l *life) dropsAny(text string, h holdings) bool {
	return slices.ContainsFunc(quotedInstance.FindAllStringSubmatch(text, -1), func(found []string) bool {
		i := h.named(familyOf(found[1]), found[2])
		if i == nil {
			return false
		}
		at := l.slotOf(i.key, h)
		return at != nil && !l.config.wants(*at)
	})
}

// replaces reports whether the configuration has another type at an address.
func (l *life) replaces(address string) bool {
	return l.config.blocks[address]["type"] != l.tf.last[address]["type"]
}

// toKeep returns the addresses that must be kept for one apply, as errors say: what eNMS
// would delete along with them is in the state.
func (l *life) toKeep(r *run) map[string]bool {
	keep, h := map[string]bool{}, l.server.holds(l.t)
	for address, diags := range r.found {
		for _, d := range diags {
			m := keepsNamed.FindStringSubmatch(d.Detail)
			if replaced := keepsReplaced.FindStringSubmatch(d.Detail); replaced != nil && l.dropsAny(replaced[1], h) {
				m = replaced[1:]
			}
			if m != nil {
				of := destroyed.FindStringSubmatch(d.Summary)
				for other, o := range l.tf.State {
					for _, i := range slotsNamed(other, o, m[1], h) {
						if i == nil || i.family == familyOf(of[1]) {
							keep[other] = true
						}
					}
				}
			}
			if m := keepsOwn.FindStringSubmatch(d.Detail); m != nil {
				for _, found := range quotedInstance.FindAllStringSubmatch(m[1], -1) {
					i := h.named(familyOf(found[1]), found[2])
					if i == nil {
						continue
					}
					if at := l.slotOf(i.key, h); at != nil && (l.config.missing(address) || !l.replaces(address) && typeOf(address) == many || !l.config.wants(*at)) {
						keep[address] = true
					}
				}
			}
		}
	}
	return keep
}

// keepForOneApply applies a configuration that still holds what is to be destroyed, as it
// was, and not yet what has its name, and then lets it go. What has its name as a resource
// of the same type is the same object at another address, for which a moved block is
// written. It returns that apply, nil if there is none.
func (l *life) keepForOneApply(keep map[string]bool) (r *run, done bool) {
	wanted := l.config
	l.config = wanted.clone()
	defer func() { l.config = wanted }()
	for _, address := range sortedKeys(keep) {
		last, now := l.tf.last[address], wanted.blocks[address]
		to := wanted.addressOf(wanted.namesOf(address, last))
		switch {
		case last == nil || l.tf.State[address] == nil:
			delete(keep, address)
		case now == nil && to != "" && wanted.moved[address] == to: // it is to be replaced at its new address
			delete(l.config.moved, address)
			delete(l.config.blocks, to)
			l.putBack(address, nil)
		case now == nil && typeOf(to) == typeOf(address) && l.tf.State[to] == nil:
			l.config.moved[address], wanted.moved[address], l.tf.last[to] = to, to, last
			delete(keep, address)
			done = true
		default:
			l.putBack(address, now)
		}
	}
	if len(keep) == 0 {
		return nil, done
	}
	l.note("  remedy: kept for one apply: %v", sortedKeys(keep))
	r = l.attemptRemedy()
	for range 4 { // an error may name others that must be kept, too: those whose names the kept ones have
		more := l.toKeep(r)
		maps.DeleteFunc(more, func(address string, _ bool) bool { return keep[address] })
		if len(more) == 0 || l.onTheWay != nil {
			break
		}
		for address := range more {
			l.putBack(address, l.config.blocks[address])
			keep[address] = true
		}
		r = l.attemptRemedy()
	}
	if !r.applied && l.onTheWay == nil { // a plan that tells of something else, too
		done = l.follow(r, []remedy{withoutWhatIsCreated}) || done
	}
	l.forgetMissing() // what had to wait until its name was free
	return r, done || r.applied
}

// putBack restores the block of an address from the last apply, and the blocks that it refers to. Of an
// enms_instances, it restores the entries that the state has.
func (l *life) putBack(address string, now block) {
	b := l.tf.last[address]
	if b == nil {
		b = now
	}
	if b == nil {
		return // created by an apply that failed: what is configured is all that is known
	}
	for _, of := range b.dependencies() {
		isGone := l.config.blocks[of] == nil || l.config.addressOf(l.config.namesOf(address, b)) == of // which would go
		if isGone && l.tf.last[of] != nil {
			l.putBack(of, nil)
		}
	}
	if held := l.tf.State[address]; typeOf(address) == many && held != nil {
		if typ := textOf(held.Value, "type"); b["type"] != typ && now["type"] == typ { // its replacement has failed in part
			b = now
		}
		kept := map[string]any{}
		for key := range entriesHeld(held.Value) {
			kept[key] = entriesOf(b)[key]
			if kept[key] == nil {
				kept[key] = entriesOf(now)[key]
			}
			if kept[key] == nil {
				delete(kept, key)
			}
		}
		b = maps.Clone(b)
		b["instances"] = kept
	}
	l.config.set(address, b)
}

// deletedAlong is the error of a deletion with which eNMS would delete what stays.
var deletedAlong = regexp.MustCompile(`eNMS would also delete: (.*)\. Terraform (?:does not manage them|destroys .* First apply a configuration in which nothing else refers to)`)

// withoutForOneApply applies the configuration without some entries. Resources whose deletion would delete the
// instances of these stay as they were: the one at an address, and those that errors then name.
func (l *life) withoutForOneApply(taken []slot, along string) bool {
	wanted := l.config
	defer func() { l.config = wanted }()
	l.config = wanted.clone()
	for _, at := range taken {
		l.takeOut(at)
	}
	for back := map[string]bool{}; ; {
		if l.tf.last[along] != nil {
			l.putBack(along, wanted.blocks[along])
		}
		l.forgetMissing() // what has the name of what was put back
		r := l.attemptRemedy()
		if !r.failed() {
			return true
		}
		back[along], along = true, ""
		for _, address := range sortedKeys(r.found) {
			if !back[address] && slices.ContainsFunc(r.found[address], func(d *tfprotov6.Diagnostic) bool { return deletedAlong.MatchString(d.Detail) }) {
				along = address
			}
		}
		if along == "" || r.applied {
			return false
		}
	}
}

// takeOut takes an entry out of the configuration.
func (l *life) takeOut(at slot) {
	b := maps.Clone(l.config.blocks[at.address])
	rest := maps.Clone(entriesOf(b))
	if b == nil || at.entry == "" {
		return
	}
	delete(rest, at.entry)
	b["instances"] = rest
	l.config.blocks[at.address] = b
	delete(l.ids, at)
}

// rekey gives an entry another key.
func (l *life) rekey(at slot, key string) bool {
	b := maps.Clone(l.config.blocks[at.address])
	entries := maps.Clone(entriesOf(b))
	if entries[at.entry] == nil || entries[key] != nil {
		return false
	}
	entries[key] = entries[at.entry]
	delete(entries, at.entry)
	b["instances"] = entries
	l.config.blocks[at.address] = withoutStaleRenames(b)
	if k, is := l.ids[at]; is {
		delete(l.ids, at)
		l.ids[slot{at.address, key}] = k
	}
	return true
}

// addressOf returns the address that has one of the names; "" when none has.
func (c *configuration) addressOf(names []named) string {
	for _, address := range c.addresses() {
		if slices.ContainsFunc(c.names(address), func(n named) bool { return slices.Contains(names, n) }) {
			return address
		}
	}
	return ""
}

// thirdName gives the resource of a slot another name for one apply, as an error asks for if two resources
// exchange their names. The resource that needs the name stays as it was meanwhile.
func (l *life) thirdName(at slot, needs string) bool {
	wanted := l.config.blocks[at.address]
	if wanted["name"] == nil || at.entry != "" { // entries have none of their own
		return false
	}
	if last, now := l.tf.last[needs], l.config.blocks[needs]; last != nil && now != nil && needs != at.address {
		defer func() { l.config.blocks[needs] = now }()
		l.config.blocks[needs] = last
	}
	third := maps.Clone(wanted)
	name, _ := third["name"].(string)
	third["name"] = inWorkflow.FindString(name) + "Third"
	l.config.blocks[at.address] = third
	l.attemptRemedy()
	l.config.blocks[at.address] = wanted
	return true
}

// asItWasForOneApply applies the configuration, in which one resource stays as it was, so that what the
// configuration no longer has is destroyed before that resource changes.
func (l *life) asItWasForOneApply(address string) bool {
	wanted := l.config
	if wanted.blocks[address] == nil || l.tf.last[address] == nil {
		return false
	}
	defer func() { l.config = wanted }()
	l.config = wanted.clone()
	l.putBack(address, wanted.blocks[address])
	return !l.attemptRemedy().failed()
}

// attemptRemedy applies what an error asks for, up to three times. In between, it amends what a plan refuses, creates
// what is missing and imports what nobody manages. It stores a broken law in onTheWay, which mend returns.
func (l *life) attemptRemedy() *run {
	for tries := 1; ; tries++ {
		r, err := l.attempt(apply{})
		if err != nil {
			l.onTheWay = err
		}
		if !r.failed() || tries == 3 || l.onTheWay != nil || !r.applied && !l.follow(r, amendments) {
			return r
		}
		l.follow(r, innerRemedies)
	}
}

// innerRemedies are those that can be done while another one is under way: they need no
// apply of another configuration.
var innerRemedies = []remedy{
	createWhatIsMissing,
	{"without create_before_destroy", createFirst, func(l *life, address string, _ []string) bool {
		return l.amend(address, createBeforeDestroy, nil)
	}},
	{"import block for what nobody has", regexp.MustCompile(`(?s)eNMS already has an? \w+ named "([^"]+)" \(id (\d+)\)\. .*To manage it, set adopt_existing = true, or import it`), func(l *life, address string, m []string) bool {
		i, at := l.holder(m[1], m[2])
		return i != nil && at == nil && l.tf.State[address] == nil && l.importInto(address, m[1])
	}},
	{"delete what has the name and nobody manages", regexp.MustCompile(`eNMS already has an? \w+ named "([^"]+)" \(id (\d+)\).*rename or delete the other instance first`), func(l *life, _ string, m []string) bool {
		return l.removeUnmanaged(l.server.holds(l.t).withID(m[1], m[2]))
	}},
	{"delete what nobody manages and is of another type", ofAnotherType, func(l *life, address string, _ []string) bool {
		h := l.server.holds(l.t)
		for _, n := range l.config.names(address) {
			if l.removeUnmanaged(h.named(n.family, n.name)) {
				return true
			}
		}
		return false
	}},
}

// createFirst is the error of a name that the replaced instance may have.
var createFirst = regexp.MustCompile(`If this resource is replaced with create_before_destroy, remove that`)

// ofAnotherType is the error of a name that an instance of another type has.
var ofAnotherType = regexp.MustCompile(`the name belongs to an instance of another type`)

// missing is the error of references to what eNMS does not have.
var missing = regexp.MustCompile(`eNMS has no (.*)\. Create it first`)

var createWhatIsMissing = remedy{"create what is missing", missing, func(l *life, _ string, m []string) bool {
	l.createMissing(m[1])
	return true
}}

// createMissing has others create the instances that an error lists.
func (l *life) createMissing(listed string) {
	l.others(func() {
		for _, instance := range quotedInstance.FindAllStringSubmatch(nearestNames.ReplaceAllString(listed, ""), -1) {
			l.server.write(instance[1], map[string]any{"name": instance[2]})
		}
	})
}

// nearestNames are what an error says of names that are not the missing ones.
var nearestNames = regexp.MustCompile(` \(did you mean "[^"]*"\?\)`)
