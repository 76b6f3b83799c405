// The steps of a life, as data: each is written as Go writes it, so that a life that
// broke a law can be copied into a test.

package lives

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/faults"
)

// step is something that happens in a life.
type step interface{ play(l *life) error }

// set writes the block of an address. What had one of its names has it no longer: no
// configuration is meant to have two of the same.
type set struct {
	address string
	block   block
}

func (s set) play(l *life) error {
	return l.edit(func(*configuration) {
		if to, moving := l.config.moved[s.address]; moving { // a block whose address is in use is an error of Terraform's
			delete(l.config.moved, s.address)
			l.forgetAt(to)
		}
		l.config.set(s.address, s.block)
	})
}

// remove takes a block out, and what refers to it.
type remove struct{ address string }

func (r remove) play(l *life) error {
	return l.edit(func(*configuration) { l.config.remove(r.address) })
}

// move gives a block another address, with a moved block until the next apply that
// succeeds, or without one.
type move struct {
	from, to string
	moved    bool
}

func (m move) play(l *life) error {
	return l.edit(func(before *configuration) {
		l.config.move(m.from, m.to)
		if !l.config.missing(m.to) && m.moved && before.blocks[m.from] != nil {
			l.movedTo(m.from, m.to)
		}
	})
}

// swap exchanges the names of two resources.
type swap struct{ one, two string }

func (s swap) play(l *life) error {
	l.config.swap(s.one, s.two)
	return nil
}

// settings sets arguments of the provider block.
type settings map[string]any

func (p settings) play(l *life) error {
	for name, v := range p {
		l.tf.settings[name] = v
		if v == nil {
			delete(l.tf.settings, name)
		}
	}
	return nil
}

// write is another client that creates or changes an instance; with new_name it renames
// one.
type write struct {
	typ, name string
	fields    map[string]any
}

func (w write) play(l *life) error {
	fields := map[string]any{"name": w.name}
	maps.Copy(fields, w.fields)
	l.others(func() { l.server.write(w.typ, fields) })
	return nil
}

// erase is another client that deletes an instance.
type erase struct{ typ, name string }

func (e erase) play(l *life) error {
	l.others(func() { l.server.remove(e.typ, e.name) })
	return nil
}

// exchange is another client that exchanges the names of two instances.
type exchange struct{ typ, one, two string }

func (e exchange) play(l *life) error {
	for _, names := range [][2]string{{e.one, "between"}, {e.two, e.one}, {"between", e.two}} {
		if l.server.holds(l.t).named(familyOf(e.typ), names[0]) != nil {
			l.others(func() { l.server.write(e.typ, map[string]any{"name": names[0], "new_name": names[1]}) })
		}
	}
	return nil
}

// version is another client that makes a new version of a workflow: the old one gets another name, and a new one its
// name, with some of its steps.
type version struct {
	workflow string
	steps    []string
}

func (v version) play(l *life) error {
	if l.server.holds(l.t).named("service", v.workflow) == nil {
		return nil
	}
	l.others(func() {
		l.server.write("workflow", map[string]any{"name": v.workflow, "new_name": v.workflow + " old"})
	})
	l.others(func() {
		l.server.write("workflow", map[string]any{"name": v.workflow, "scoped_name": v.workflow})
		for _, step := range v.steps {
			name := "[" + v.workflow + "] " + step
			l.server.write("python_snippet_service", map[string]any{"name": name, "scoped_name": step, "workflows": []any{v.workflow}})
			l.server.write("workflow_edge", map[string]any{"name": v.workflow + " " + step, "workflow": v.workflow,
				"source": "[Shared] Start", "destination": name, "subtype": "success"})
		}
	})
	return nil
}

// silence is that the changelog says nothing from now on, or that it speaks again.
type silence struct{ silent bool }

func (s silence) play(l *life) error {
	l.silent = s.silent
	l.server.simulator.SetLogging(!s.silent)
	return nil
}

// forgotten is that an administrator empties the changelog.
type forgotten struct{}

func (forgotten) play(l *life) error {
	l.hasChanged = true
	l.server.simulator.EmptyChangelog("")
	for birth := range l.alike {
		l.alike[birth] = false
	}
	return nil
}

// snapshot is what a life is taken back to.
type snapshot struct {
	of        *simulator.Snapshot
	births    map[key]int
	installed holdings
}

// take takes a snapshot of eNMS.
type take struct{}

func (take) play(l *life) error {
	l.server.holds(l.t)
	l.snapshot = &snapshot{l.server.simulator.Snapshot(), maps.Clone(l.births), l.installed}
	return nil
}

// rollback takes eNMS back to the snapshot, if there is one.
type rollback struct{}

func (rollback) play(l *life) error {
	if l.snapshot == nil {
		return nil
	}
	l.hasChanged, l.silent = true, false
	l.server.simulator.Rollback(l.snapshot.of)
	l.births, l.installed = maps.Clone(l.snapshot.births), l.snapshot.installed
	clear(l.ids)
	clear(l.theirs)
	for k := range l.server.holds(l.t) {
		l.theirs[k] = true // if it is in no state
	}
	return nil
}

// restore restores eNMS from a backup: each object has its name and content, and the id of another
// one; in place, with the changelog that there is.
type restore struct {
	seed    uint64
	inPlace bool
}

func (r restore) play(l *life) error {
	l.hasChanged = true
	before := l.server.holds(l.t)
	if shuffle := rand.New(rand.NewPCG(r.seed, 0)).Shuffle; r.inPlace {
		l.server.simulator.RestoreInPlace(shuffle)
	} else {
		l.server.simulator.Restore(shuffle)
	}
	after := l.server.holds(l.t)
	now := func(k key) key { return after.named(k.family, before[k].name).key }
	theirs, ids, births := map[key]bool{}, map[slot]key{}, map[key]int{}
	for k, birth := range l.births {
		births[now(k)] = birth
	}
	l.births = births
	for k := range l.theirs {
		if before[k] != nil {
			theirs[now(k)] = true
		}
	}
	for at, k := range l.ids {
		if before[k] != nil {
			ids[at] = now(k)
		}
	}
	l.theirs, l.ids, l.installed = theirs, ids, l.restored(now)
	return nil
}

// restored returns what every eNMS has, by the ids after a restore.
func (l *life) restored(now func(key) key) holdings {
	after, installed := l.server.holds(l.t), holdings{}
	for k := range l.installed {
		installed[now(k)] = after[now(k)]
	}
	return installed
}

// apply applies the configuration. When that fails it is mended, unless it is left as it
// is for the next steps.
type apply struct {
	faults  []faults.Rule // what goes wrong, in the first attempt only
	lost    []string      // addresses of which the results are lost, because Terraform is killed
	replace []string      // addresses that the user has replaced, in the first attempt only
	leave   bool
}

// forgets reports whether an instance may be made that no state can know of: the process
// was killed before it saved it; or eNMS made it and answered its own 500, by which it
// says that nothing was kept (TestFaults_everyOperationWithEveryFault).
func (a apply) forgets() bool {
	return len(a.lost) > 0 || slices.ContainsFunc(a.faults, func(r faults.Rule) bool {
		return r.When == faults.After && r.Fault == faults.Error500
	})
}

func (a apply) play(l *life) error { return l.apply(a) }

// isZero finds the fields of a step that are left out.
var isZero = regexp.MustCompile(`\b\w+:(?:""|0(?:x0)?\b|false|(?:\[\]|map\[string\])[\w.]+\(nil\))(?:, )?`)

// stepString writes a step as Go does.
func stepString(s step) string {
	written := strings.NewReplacer("lives.", "", "interface {}", "any").Replace(fmt.Sprintf("%#v", s))
	return strings.ReplaceAll(isZero.ReplaceAllString(written, ""), ", }", "}")
}

// stepsString writes a life as a table of steps.
func stepsString(steps []step) string {
	var b strings.Builder
	b.WriteString("[]step{\n")
	for _, s := range steps {
		fmt.Fprintf(&b, "\t%s,\n", stepString(s))
	}
	b.WriteString("}")
	return b.String()
}

// sortedKeys returns the keys of a map in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
