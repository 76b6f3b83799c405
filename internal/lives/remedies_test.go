// Doing what an error says must be done.

package lives

import (
	"context"
	"fmt"
	"maps"
	"regexp"
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

// remedies are what errors ask for, by their words.
var remedies = []struct {
	name string
	says *regexp.Regexp
	do   func(l *life, address string, m []string) bool
}{
	{"import block", regexp.MustCompile(`import \{\n  to = \S+\n  id = "(.*)"\n\}`), func(l *life, address string, m []string) bool {
		if l.tf.state[address] != nil {
			return false
		}
		return !l.tf.importInto(context.Background(), address, strings.NewReplacer(`\"`, `"`, `\\`, `\`, "$${", "${").Replace(m[1])).failed()
	}},
	{"adopt_existing", regexp.MustCompile(`set adopt_existing = true, on this resource`), func(l *life, address string, _ []string) bool {
		b := l.config.blocks[address]
		if b == nil || b["adopt_existing"] == true {
			return false
		}
		changed := block{"adopt_existing": true}
		for name, v := range b {
			changed[name] = v
		}
		l.config.blocks[address] = changed
		return true
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
	_, err := l.attempt(nil)
	l.config.blocks[at.address] = wanted
	return err == nil
}
