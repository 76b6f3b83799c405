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
func (l *life) remedy(r *run, round int) (done bool) {
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
	// configuration has no longer. See FINDINGS.
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
	{"leave what two addresses have to the one that wants it", regexp.MustCompile(`Two resources of the same configuration have \w+ "([^"]+)" \(id \d+\), and this plan deletes it`), func(l *life, _ string, m []string) bool {
		h := l.server.holds(l.t)
		for _, address := range sortedKeys(l.tf.state) {
			for at, i := range slotsOf(address, l.tf.state[address], h) {
				if i != nil && i.name == m[1] && !l.config.wants(at) {
					return l.abandon(address, h)
				}
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
	{"moved block for what is destroyed", regexp.MustCompile(`eNMS would delete along with it: .* If "([^"]+)" only has another address`), func(l *life, _ string, m []string) bool {
		for _, from := range sortedKeys(l.tf.state) {
			for _, to := range l.config.addresses() {
				if l.config.blocks[from] == nil && l.tf.state[to] == nil && typeOf(from) == typeOf(to) && typeOf(to) != many &&
					l.before != nil && slices.ContainsFunc(l.before.names(from), func(n named) bool { return n.name == m[1] && slices.Contains(l.config.names(to), n) }) {
					l.config.moved[from] = to
					return true
				}
			}
		}
		return false
	}},
	{"two applies", stillHolds, func(l *life, _ string, m []string) bool {
		return l.keepForOneApply(m[1], nil)
	}},
	{"two applies for a replacement", regexp.MustCompile(`eNMS would delete along with it: (.*)\. Terraform destroys .* First apply a configuration in which nothing else refers to "([^"]+)"`), func(l *life, _ string, m []string) bool {
		h, away := l.server.holds(l.t), []slot{}
		for _, found := range quotedInstance.FindAllStringSubmatch(m[1], -1) {
			if i := h.named(familyOf(found[1]), found[2]); i != nil {
				if at := l.slotOf(i.key, h); at != nil {
					away = append(away, *at)
				}
			}
		}
		return l.keepForOneApply(m[2], away)
	}},
	{"delete what would be deleted along", regexp.MustCompile(`eNMS would delete along with it: (.*)\. Terraform does not manage them`), func(l *life, address string, m []string) (done bool) {
		for _, found := range quotedInstance.FindAllStringSubmatch(m[1], -1) {
			h := l.server.holds(l.t)
			i := h.named(familyOf(found[1]), found[2])
			if i == nil {
				continue
			}
			switch at := l.slotOf(i.key, h); {
			case at == nil:
				l.others(func() { l.server.remove(i.typ, i.name) })
				done = true
			case !l.config.wants(*at):
				done = l.amend(address, "deletion_policy", "cascade")
			case at.entry == "": // replace_triggered_by, which the model has not: it is replaced as well
				l.tf.state[at.address].tainted, done = true, true
				l.forget(i.key)
			default:
				done = l.withoutForOneApply(*at)
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

// abandon has an address lose what it is to delete, and leave it in eNMS: by an apply with
// that policy or, when the configuration does not have the address any longer, by taking it
// out of the state. What then is in no state is deleted by hand.
func (l *life) abandon(address string, h holdings) bool {
	if wanted := l.config.blocks[address]; wanted != nil {
		if !l.amend(address, "deletion_policy", "abandon") {
			return false
		}
		_, err := l.attempt(apply{})
		l.config.blocks[address] = wanted
		return err == nil
	}
	lost := slotsOf(address, l.tf.state[address], h)
	delete(l.tf.state, address)
	for _, i := range lost {
		if i != nil && l.slotOf(i.key, h) == nil {
			l.others(func() { l.server.remove(i.typ, i.name) })
		}
	}
	return true
}

// wants reports whether a configuration has a slot.
func (c *configuration) wants(at slot) bool {
	b, is := c.blocks[at.address]
	return is && (at.entry == "" || entriesOf(b)[at.entry] != nil)
}

// keepForOneApply puts what the configuration holds no longer, or replaces, back for one
// apply, if it has a name, and with it what it refers to. Entries that refer to it go away
// for that apply.
func (l *life) keepForOneApply(name string, away []slot) bool {
	if l.before == nil {
		return false
	}
	wanted := l.config
	l.config = wanted.clone()
	defer func() { l.config = wanted }()
	for _, at := range away {
		l.takeOut(at)
	}
	for range 8 { // each error names one
		if !l.keep(name) {
			return false
		}
		r, err := l.attempt(apply{})
		if err != nil || r.applied {
			return err == nil
		}
		if m := stillHolds.FindStringSubmatch(r.String()); m != nil {
			name = m[1]
		}
	}
	return false
}

var stillHolds = regexp.MustCompile(`First apply a configuration that still holds "([^"]+)"`)

// keep puts what has a name back into the configuration.
func (l *life) keep(name string) (found bool) {
	for _, address := range l.before.addresses() {
		b, before := l.config.blocks[address], l.before.blocks[address]
		switch entries := entriesOf(before); {
		case b == nil && slices.ContainsFunc(l.before.names(address), func(n named) bool { return n.name == name }):
			l.putBack(address)
			found = true
		case b != nil && b["type"] != before["type"] && (entries[name] != nil || before["name"] == name):
			l.config.blocks[address] = before
			found = true
		case b != nil && entries[name] != nil && entriesOf(b)[name] == nil && typeOf(address) == many:
			kept := maps.Clone(entriesOf(b))
			kept[name] = entries[name]
			l.config.blocks[address] = maps.Clone(b)
			l.config.blocks[address]["instances"] = kept
			found = true
		}
	}
	return found
}

// withoutForOneApply takes an entry out for one apply.
func (l *life) withoutForOneApply(at slot) bool {
	wanted := l.config
	defer func() { l.config = wanted }()
	l.config = wanted.clone()
	l.takeOut(at)
	_, err := l.attempt(apply{})
	return err == nil
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

// putBack puts a block back that was removed, and those that it refers to.
func (l *life) putBack(address string) {
	l.config.blocks[address] = l.before.blocks[address]
	for _, of := range l.before.blocks[address].dependencies() {
		if l.config.blocks[of] == nil && l.before.blocks[of] != nil {
			l.putBack(of)
		}
	}
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
	_, err := l.attempt(apply{})
	l.config.blocks[at.address] = wanted
	return err == nil
}
