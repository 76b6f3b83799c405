// Doing what an error says must be done.

package lives

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// remedy does what the errors of a run ask for; false when they ask for nothing that it
// knows.
func (l *life) remedy(r *run) (done bool) {
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

var quotedInstance = regexp.MustCompile(`(\w+) "([^"]+)"`)

// remedies are what errors ask for, by their words.
var remedies = []struct {
	name string
	says *regexp.Regexp
	do   func(l *life, address string, m []string) bool
}{
	// The error asks for an import, with which two addresses would have one object. It
	// cannot know that what has the name is in the state, under an address that the
	// configuration has no longer.
	{"moved block for what has another address", regexp.MustCompile(`eNMS already has an? \w+ named "([^"]+)" \(id \d+\)`), func(l *life, address string, m []string) bool {
		h := l.server.holds(l.t)
		for k, i := range h {
			at := l.slotOf(k, h)
			if i.name != m[1] || at == nil || at.entry != "" || typeOf(at.address) != typeOf(address) || l.config.blocks[at.address] != nil || l.tf.state[address] != nil {
				continue
			}
			l.config.moved[at.address] = address
			return true
		}
		return false
	}},
	{"keep it for one apply", regexp.MustCompile(`First apply a configuration that still holds "([^"]+)", and in which nothing else refers to it|First apply a configuration in which nothing else refers to|Move or destroy it first, in an apply of its own, or keep the`), func(l *life, _ string, _ []string) bool {
		return l.keepForOneApply()
	}},
	{"keep what others of the configuration leave for one apply", regexp.MustCompile(`eNMS would delete along with it: (.*)\. Terraform does not manage them.* if this configuration moves them, apply that while it still holds the`), func(l *life, _ string, m []string) bool {
		h := l.server.holds(l.t)
		for _, found := range quotedInstance.FindAllStringSubmatch(m[1], -1) {
			if i := h.named(familyOf(found[1]), found[2]); i != nil && l.slotOf(i.key, h) != nil {
				return l.keepForOneApply()
			}
		}
		return false
	}},
	{"import block", regexp.MustCompile(`(?s)(?:write type = "(\w+)" and add.*)?import \{\n  to = \S+\n  id = "(.*?)"\n\}`), func(l *life, address string, m []string) bool {
		if l.tf.state[address] != nil {
			return false
		}
		if m[1] != "" { // write type = "..." and add this block
			l.amend(address, "type", m[1])
		}
		return !l.tf.importInto(context.Background(), address, strings.NewReplacer(`\"`, `"`, `\\`, `\`, "$${", "${").Replace(m[2])).failed()
	}},
	{"adopt_existing", regexp.MustCompile(`set adopt_existing = true, on this resource`), func(l *life, address string, _ []string) bool {
		return l.amend(address, "adopt_existing", true)
	}},
	{"create what is missing", regexp.MustCompile(`There is no (\w+) in the database with the following characteristics: \{'name': '([^']+)'\}\. Create it first`), func(l *life, _ string, m []string) bool {
		l.others(func() { l.server.write(m[1], map[string]any{"name": m[2]}) })
		return true
	}},
	{"delete what would be deleted along", regexp.MustCompile(`eNMS would delete along with it: (.*)\. Terraform does not manage them`), func(l *life, address string, m []string) (done bool) {
		for _, found := range quotedInstance.FindAllStringSubmatch(m[1], -1) {
			h := l.server.holds(l.t)
			i := h.named(familyOf(found[1]), found[2])
			if i == nil {
				continue
			}
			if l.slotOf(i.key, h) == nil {
				l.others(func() { l.server.remove(i.typ, i.name) })
				done = true
			}
		}
		return done
	}},
	{"free a name that an instance of another type has", regexp.MustCompile(`the usual ones are a name that belongs to an instance of another type`), func(l *life, address string, _ []string) bool {
		h := l.server.holds(l.t)
		for _, n := range l.config.names(address) {
			i := h.named(n.family, n.name)
			if i == nil {
				continue
			}
			switch at := l.slotOf(i.key, h); {
			case at == nil:
				l.others(func() { l.server.remove(i.typ, i.name) })
				return true
			case at.address != address:
				return l.thirdName(*at)
			}
		}
		return false
	}},
	{"delete what has the name, or give it a third name", regexp.MustCompile(`eNMS already has an? \w+ named "([^"]+)" \(id (\d+)\).*(?:rename or delete the other instance first|Choose another name)`), func(l *life, address string, m []string) bool {
		holdings := l.server.holds(l.t)
		for k, i := range holdings {
			if i.name != m[1] || fmt.Sprint(k.id) != m[2] {
				continue
			}
			at := l.slotOf(k, holdings)
			if at == nil {
				l.others(func() { l.server.remove(i.typ, i.name) })
				return true
			}
			return l.thirdName(*at)
		}
		return false
	}},
}

// amend sets an argument of a block; false when there is no such block, or when it has
// that already.
func (l *life) amend(address, argument string, v any) bool {
	b := l.config.blocks[address]
	if b == nil || b[argument] == v {
		return false
	}
	changed := maps.Clone(b)
	changed[argument] = v
	l.config.blocks[address] = changed
	return true
}

// keepForOneApply applies a configuration that still holds what is to be destroyed, as it
// was, and not yet what has its name, and then lets it go. What has its name as a resource
// of the same type is the same object at another address, for which a moved block is
// written.
func (l *life) keepForOneApply() (done bool) {
	wanted := l.config
	l.config = wanted.clone()
	defer func() { l.config = wanted }()
	kept := false
	for _, address := range sortedKeys(l.tf.state) {
		last, now := l.tf.last[address], wanted.blocks[address]
		same := now != nil && last != nil && now["type"] == last["type"]
		switch to := wanted.addressOf(wanted.namesOf(address, last)); {
		case last == nil, same && typeOf(address) != many:
		case same:
			if all := withEntries(now, last); len(entriesOf(all)) > len(entriesOf(now)) {
				l.config.set(address, all)
				kept = true
			}
		case typeOf(to) == typeOf(address) && l.tf.state[to] == nil:
			l.config.moved[address], wanted.moved[address] = to, to
			done = true
		default:
			l.putBack(address)
			kept = true
		}
	}
	if !kept {
		return done
	}
	l.note("  for one apply:")
	r := l.attemptRemedy()
	return done || !r.failed()
}

// withEntries returns a block with the entries that it had.
func withEntries(b, had block) block {
	all, entries := maps.Clone(b), maps.Clone(entriesOf(had))
	maps.Copy(entries, entriesOf(b))
	all["instances"] = entries
	return all
}

// putBack puts a block back as it was, and what it refers to.
func (l *life) putBack(address string) {
	for _, of := range l.tf.last[address].dependencies() {
		if l.config.blocks[of] == nil && l.tf.last[of] != nil {
			l.putBack(of)
		}
	}
	l.config.set(address, l.tf.last[address])
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

// thirdName gives the resource of a slot another name for one apply, as an error asks for
// where two exchange their names.
func (l *life) thirdName(at slot) bool {
	wanted := l.config.blocks[at.address]
	if wanted == nil || at.entry != "" {
		return false
	}
	third := maps.Clone(wanted)
	third["name"] = "Third"
	l.config.blocks[at.address] = third
	l.attemptRemedy()
	l.config.blocks[at.address] = wanted
	return true
}

// attemptRemedy applies what an error asks for. A law that this breaks is told by mend.
func (l *life) attemptRemedy() *run {
	r, err := l.attempt(apply{})
	if err != nil {
		l.onTheWay = err
	}
	return r
}
