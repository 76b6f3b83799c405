// The player of a life: it goes through the steps, and checks the laws after each apply.

package lives

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/terraformtest"
)

// life is a life that is being played.
type life struct {
	t      testing.TB
	server *server
	tf     *terraform
	config *configuration
	counts map[string]int

	installed holdings     // what every eNMS has
	theirs    map[key]bool // what others have made, or what was left to them
	ids       map[slot]key // by what is configured: the instances after the last apply that succeeded
	trace     []string     // what happened, for the report
	onTheWay  error        // a law that was broken while a remedy was applied

	births     map[key]int  // who the objects in eNMS are: each has a number for good
	had        map[int]bool // those that the state has or had, because Terraform has made, adopted or imported them
	alike      map[int]bool // those that others have made under the name and the id of one in the state; false: without an entry in the changelog
	born       int          // how many there were
	silent     bool         // the changelog says nothing
	snapshot   *snapshot    // nil before the step
	hasChanged bool         // others have changed the world since the last plan

	renamed   map[string]string // by the new names: what updates have renamed since an apply succeeded
	anew      []string          // addresses that an error asks to have replaced in the next attempt
	again     bool              // an apply may delete what the next one makes again: a kill left in two states what one resource gave up and another one has, or a service is replaced
	mayShare  bool              // two addresses may have one instance: a kill has lost that one has adopted it, or identify_by = "name" has taken it over for both
	following bool              // the current apply makes again what is above, or updates references to renamed instances: the plan after it must be empty
}

// slot is a place in the configuration that has an instance: an address, or an entry of
// an enms_instances.
type slot struct{ address, entry string }

// violation is a law that was broken.
type violation struct {
	law   string
	what  string
	trace []string
}

func (v *violation) Error() string { return v.law + ": " + v.what }

// play plays the steps of a life, on a server of its own.
func play(t testing.TB, options simulator.Options, steps []step) (l *life, broken *violation) {
	l = newLife(t, options)
	defer l.server.close()
	for i, step := range steps {
		l.note("step %d: %s", i+1, stepString(step))
		if err := step.play(l); err != nil {
			errors.As(err, &broken)
			broken.trace = l.trace
			return l, broken
		}
	}
	l.counts["steps"] = len(steps)
	return l, nil
}

// newLife starts a server, on which nothing has happened yet.
func newLife(t testing.TB, options simulator.Options) *life {
	t.Helper()
	s := newServer(options)
	l := &life{t: t, server: s, config: newConfiguration(), counts: map[string]int{}, theirs: map[key]bool{}, ids: map[slot]key{}, renamed: map[string]string{},
		births: map[key]int{}, had: map[int]bool{}, alike: map[int]bool{},
		tf: &terraform{last: map[string]block{}, Terraform: terraformtest.Terraform{Provider: acctest.Modelled, State: map[string]*terraformtest.Object{}},
			settings: map[string]any{"base_url": s.url, "username": "admin", "password": "admin", "max_retries": 0}}}
	l.installed = s.holds(t)
	l.bear(l.installed, nil)
	return l
}

func (l *life) note(format string, args ...any) {
	l.trace = append(l.trace, fmt.Sprintf(format, args...))
}

// others runs do, in which other clients write, and records in theirs what they make. An object that they
// rename or delete may have another id afterwards.
func (l *life) others(do func()) {
	l.hasChanged = true
	before := l.server.holds(l.t)
	do()
	after := l.server.holds(l.t)
	l.bear(after, nil)
	for k, i := range after {
		if before[k] == nil {
			l.theirs[k] = true
			if taken, isTainted := l.isTakenFor(i); taken {
				l.alike[l.births[k]] = !l.silent && !isTainted
			}
			l.note("  others made %s", i)
		}
	}
	for k, i := range before {
		now := after[k]
		if now != nil && now.name == i.name && now.typ == i.typ {
			continue
		}
		l.note("  others deleted or renamed %s", i)
		delete(l.theirs, k)
		if now != nil {
			l.theirs[k] = true // if it is in no state
		}
		l.forget(k)
	}
}

// forget forgets which slot an instance had.
func (l *life) forget(k key) {
	maps.DeleteFunc(l.ids, func(_ slot, had key) bool { return had == k })
}

// movedTo writes a moved block.
func (l *life) movedTo(from, to string) {
	for origin, target := range l.config.moved {
		if target == from {
			delete(l.config.moved, origin)
			from = origin
		}
	}
	l.config.moved[from] = to
	if l.tf.State[to] != nil { // Terraform does not move an object to an address that has one
		l.forgetAt(from)
		l.forgetAt(to)
	} else {
		l.tf.last[to] = l.tf.last[from]
	}
	if from == to {
		delete(l.config.moved, from)
	}
	for s, k := range l.ids {
		if s.address == from {
			delete(l.ids, s)
			l.ids[slot{to, s.entry}] = k
		}
	}
}

// edit changes the configuration, and updates ids: it forgets slots that are gone or have another type, and moves the
// slots of renamed entries.
func (l *life) edit(change func(before *configuration)) error {
	before := l.config.clone()
	change(before)
	for s := range l.ids {
		b, is := l.config.blocks[s.address]
		if !is || before.blocks[s.address] != nil && before.blocks[s.address]["type"] != b["type"] {
			delete(l.ids, s)
		}
	}
	for _, address := range l.config.addresses() {
		was := before.blocks[address]
		for from, to := range l.config.moved {
			if to == address && was == nil {
				was = before.blocks[from]
			}
		}
		renames := newRenames(was, l.config.blocks[address])
		if was["renames"] != nil && len(renames) == 0 && l.config.blocks[address]["renames"] == nil {
			l.forgetAt(address) // an apply may have done the renames, or not
		}
		moved := map[slot]key{}
		for old, to := range renames {
			if k, is := l.ids[slot{address, old}]; is {
				moved[slot{address, to.(string)}] = k
				delete(l.ids, slot{address, old})
			}
		}
		maps.Copy(l.ids, moved)
	}
	for s := range l.ids {
		if _, is := entriesOf(l.config.blocks[s.address])[s.entry]; s.entry != "" && !is {
			delete(l.ids, s)
		}
	}
	return nil
}

// forgetAt forgets the instances at an address.
func (l *life) forgetAt(address string) {
	maps.DeleteFunc(l.ids, func(s slot, _ key) bool { return s.address == address })
}

// forgetMissing forgets the instances of slots that the configuration does not have.
func (l *life) forgetMissing() {
	maps.DeleteFunc(l.ids, func(s slot, _ key) bool { return !l.config.wants(s) })
}

// forgetReplaced forgets the instances at addresses that a plan replaces because the user asks for it, or because
// something that they depend on is destroyed; and edges that eNMS deletes together with their service.
func (l *life) forgetReplaced(p *terraformtest.Plan, asked []string) {
	for address, ch := range p.Changes {
		isEdge := ch.Action == terraformtest.Update && typeOf(address) == "enms_workflow_edge"
		if (isEdge || ch.Action == terraformtest.Replace) && (slices.Contains(asked, address) || slices.ContainsFunc(ch.Before.Dependencies, func(on string) bool {
			return p.Changes[on] != nil && p.Changes[on].Action.Destroys()
		})) {
			l.forgetAt(address)
		}
	}
}

// forgetTakenAlong forgets edges and entries if a plan deletes a service and gives its name to another one: eNMS deletes them
// along, and only the next plan makes them again.
func (l *life) forgetTakenAlong(p *terraformtest.Plan) {
	name := func(v tftypes.Value) any { return terraformtest.GoValue(terraformtest.Members(v)["name"]) }
	made := map[any]bool{}
	for address, ch := range p.Changes {
		if typeOf(address) != "enms_service" || ch.Action == terraformtest.Noop || ch.Action == terraformtest.Delete {
			continue
		}
		if ch.Action != terraformtest.Update || name(ch.Before.Value) != name(ch.Plan.Value) {
			made[name(ch.Plan.Value)] = true
		}
	}
	for address, ch := range p.Changes {
		l.again = l.again || typeOf(address) == "enms_service" && ch.Action.Destroys() && made[name(ch.Before.Value)]
	}
	for s := range l.ids {
		if l.again && (typeOf(s.address) == "enms_workflow_edge" || s.entry != "") {
			delete(l.ids, s)
		}
	}
}

// forgetRenames forgets the instances of each enms_instances with renames after an apply that failed and was
// left: an entry may still have its old key, and the next edit may give it another one.
func (l *life) forgetRenames() {
	for address, b := range l.config.blocks {
		if b["renames"] != nil {
			l.forgetAt(address)
		}
	}
}

// run is one `terraform apply`.
type run struct {
	plan    *terraformtest.Plan
	found   terraformtest.Found // errors by addresses
	applied bool                // the plan could be made
}

func (r *run) failed() bool { return len(r.found) > 0 }

// says reports whether an error has a summary.
func (r *run) says(summary string) bool {
	for _, diags := range r.found {
		if slices.ContainsFunc(diags, func(d *tfprotov6.Diagnostic) bool { return d.Summary == summary }) {
			return true
		}
	}
	return false
}

// String lists the errors.
func (r *run) String() string {
	var b strings.Builder
	for _, address := range slices.Sorted(maps.Keys(r.found)) {
		fmt.Fprintf(&b, "    %s: %s", address, r.found[address])
	}
	return b.String()
}

// apply plays an apply, and has it mended.
func (l *life) apply(a apply) error {
	if err := l.server.faults.Set(a.faults...); err != nil {
		panic(err)
	}
	r, err := l.attempt(a)
	if err != nil {
		return err
	}
	l.server.faults.Wait()
	if err := l.server.faults.Set(); err != nil {
		panic(err)
	}
	if r.failed() && a.leave {
		l.forgetRenames()
		return nil
	}
	if r.failed() {
		if err := l.mend(r); err != nil {
			return err
		}
	}
	l.config.moved = map[string]string{}
	return l.settled()
}

// attempt runs `terraform apply` once, and checks what it did to the server.
func (l *life) attempt(a apply) (*run, error) {
	ctx := context.Background()
	before := l.server.holds(l.t)
	r := &run{}
	p, found := l.tf.plan(ctx, l.config, a.replace...)
	l.counts["plans"]++
	r.found = found.Errors()
	if r.failed() {
		l.note("  plan fails:\n%s", r)
		return r, l.checkSame(ctx, p, found, a)
	}
	r.plan, r.applied = p, true
	l.note("  plan: %s", p)
	if err := l.checkSame(ctx, p, found, a); err != nil {
		return r, err
	}
	l.noteRenames(p)
	l.forgetReplaced(p, a.replace)
	l.forgetTakenAlong(p)
	done := l.tf.apply(ctx, l.config, p, a.lost)
	l.counts["applies"]++
	r.found = done.Found.Errors()
	for _, diags := range done.Found { // references to what was deleted, and dependents
		l.again = l.again || slices.ContainsFunc(diags, func(d *tfprotov6.Diagnostic) bool {
			return strings.HasSuffix(d.Summary, "were lost") || strings.HasPrefix(d.Summary, "Others were deleted with")
		})
	}
	if r.failed() {
		l.note("  apply fails:\n%s", r)
	}
	if r.says(terraformtest.Crashed) {
		return r, &violation{law: lawRuns, what: r.String()}
	}
	l.server.faults.Wait()
	after := l.server.holds(l.t)
	if err := l.checkShown(before, after, p, a.forgets()); err != nil {
		return r, err
	}
	for _, address := range a.lost { // the next plan does not know again what was renamed and changed, and says so
		for at, i := range slotsOf(address, p.Prior[address], before) {
			if now := after[i.key]; i != nil && now != nil && now.name != i.name {
				l.theirs[i.key] = true
				delete(l.ids, at)
			}
			if i != nil && l.isElsewhere(address, i.key, after) {
				l.again, l.mayShare = true, true
			}
		}
	}
	if len(a.faults) > 0 {
		return r, nil // what a lost answer has made may be pending; an apply that mends it says
	}
	return r, l.checkMade(after)
}

// mended is how many applies of the same configuration mend one that failed.
const mended = 2

// mend applies again, and does what errors ask for, until an apply succeeds.
func (l *life) mend(r *run) error {
	for range 8 {
		for range mended {
			var err error
			r, err = l.attempt(apply{replace: l.anew})
			l.anew = nil
			if err != nil {
				return err
			}
			if !r.failed() {
				return nil
			}
		}
		done := l.remedy(r)
		if l.onTheWay != nil {
			return l.onTheWay
		}
		if !done {
			break
		}
	}
	return &violation{law: lawMended, what: r.String()}
}

// noteRenames records what a plan renames.
func (l *life) noteRenames(p *terraformtest.Plan) {
	for _, ch := range p.Changes {
		if ch.Action != terraformtest.Update {
			continue
		}
		if from, to := textOf(ch.Before.Value, "name"), textOf(ch.Plan.Value, "name"); from != to {
			l.renamed[to] = from
		}
		for from, to := range terraformtest.Members(terraformtest.Members(ch.Plan.Value)["renames"]) {
			l.renamed[fmt.Sprint(terraformtest.GoValue(to))] = from
		}
	}
}

// onlyUpdates reports whether a plan has something to do, and that is to update attributes in a way that is legal.
func onlyUpdates(p *terraformtest.Plan, legal func(was, is any) bool) bool {
	for _, ch := range p.Changes {
		if ch.Action == terraformtest.Noop {
			continue
		}
		if ch.Action != terraformtest.Update {
			return false
		}
		before := terraformtest.Members(ch.Before.Value)
		for name, after := range terraformtest.Members(ch.Plan.Value) {
			if !after.Equal(before[name]) && !legal(terraformtest.GoValue(before[name]), terraformtest.GoValue(after)) {
				return false
			}
		}
	}
	return !p.Empty()
}

// followsRenames reports whether a plan only refers again, by the same names, to those that
// have these names now. eNMS refers to instances by their ids: if a name is given away and given
// to another one in the same apply, Terraform sees no change of what refers to it by name.
func (l *life) followsRenames(p *terraformtest.Plan) bool {
	return onlyUpdates(p, func(before, after any) bool {
		was, is := fmt.Sprint(before), fmt.Sprint(after)
		for to, from := range l.renamed {
			if strings.Replace(was, to, from, 1) == is || strings.ReplaceAll(was, to, from) == is {
				return true
			}
		}
		return was == is
	})
}

// onlyRemovesReferences reports whether a plan only takes names out of relations: an instance that was
// deleted and created again in an apply gets the references to it again, also one that another resource
// gave up at the same moment.
func onlyRemovesReferences(p *terraformtest.Plan) bool {
	return onlyUpdates(p, func(before, after any) bool {
		was, isRelation := before.([]any)
		is, _ := after.([]any)
		return isRelation && !slices.ContainsFunc(is, func(name any) bool { return !slices.Contains(was, name) })
	})
}

// isElsewhere reports whether an address other than this one has an instance.
func (l *life) isElsewhere(address string, k key, h holdings) bool {
	for other := range l.tf.State {
		for _, i := range slotsOf(other, l.tf.State[other], h) {
			if other != address && i != nil && i.key == k {
				return true
			}
		}
	}
	return false
}

// removeShared takes one of two addresses out of the state that have the same instance, and both write to it:
// terraform state rm.
func (l *life) removeShared() (done bool) {
	if !l.mayShare {
		return false
	}
	l.mayShare = false
	h := l.server.holds(l.t)
	for _, address := range sortedKeys(l.tf.State) {
		i := slotsOf(address, l.tf.State[address], h)[slot{address, ""}]
		if i == nil || !l.isElsewhere(address, i.key, h) { // entries are left: the whole resource would leave the state
			continue
		}
		l.note("  terraform state rm %s", address)
		delete(l.tf.State, address)
		l.forgetAt(address)
		done = true
	}
	return done
}

// settled checks what must hold after an apply that succeeded.
func (l *life) settled() error {
	p, found := l.tf.plan(context.Background(), l.config)
	l.counts["plans"]++
	if failed := found.Errors(); len(failed) > 0 {
		return &violation{law: lawSettled, what: "the plan fails:\n" + (&run{found: failed}).String()}
	}
	again := l.again
	l.again = false
	if !l.following && (again && !p.Empty() || l.followsRenames(p) || onlyRemovesReferences(p)) {
		clear(l.renamed)
		l.note("  what referred to a name that now belongs to another instance has followed the one that was renamed, or refers to the new one")
		l.following = true
		defer func() { l.following = false }()
		return l.apply(apply{})
	}
	clear(l.renamed)
	if l.following && !p.Empty() && l.removeShared() {
		l.following = false
		return l.apply(apply{})
	}
	l.mayShare = false
	if !p.Empty() {
		return &violation{law: lawSettled, what: p.String()}
	}
	return l.checkSettled(l.server.holds(l.t))
}
