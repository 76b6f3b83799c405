// A model of Terraform: plan and apply of a whole configuration, as `terraform apply`
// does them.

package lives

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// terraform is a working directory: what it was told of the provider, and its state.
type terraform struct {
	settings map[string]any // the arguments of the provider block
	state    map[string]*object
	last     map[string]block // what was applied last at each address
}

// action is what a plan does with a resource.
type action string

const (
	noop    action = "no-op"
	create  action = "create"
	update  action = "update"
	replace action = "replace"
	destroy action = "delete"
)

func (a action) creates() bool  { return a == create || a == update || a == replace }
func (a action) destroys() bool { return a == destroy || a == replace }

// change is what a plan says of a resource.
type change struct {
	address string
	action  action
	before  *object // nil when there is none
	config  tftypes.Value
	plan    planned

	createsFirst bool   // a destruction comes after the creation, and after the changes of what depended on it
	deposed      string // where the state has what it is to destroy then, once it was put aside
}

// plan is a plan.
type plan struct {
	changes map[string]*change
	prior   map[string]*object // the refreshed state
}

// empty reports whether nothing is to be done.
func (p *plan) empty() bool {
	for _, ch := range p.changes {
		if ch.action != noop {
			return false
		}
	}
	return true
}

func (p *plan) String() string {
	var all []string
	for _, address := range slices.Sorted(maps.Keys(p.changes)) {
		if ch := p.changes[address]; ch.action != noop {
			all = append(all, fmt.Sprintf("%s: %s", address, ch.describe()))
		}
	}
	return strings.Join(all, "; ")
}

// describe tells which attributes differ.
func (ch *change) describe() string {
	if ch.action != update {
		return string(ch.action)
	}
	var differ []string
	before, after := members(ch.before.value), members(ch.plan.value)
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if !after[name].Equal(before[name]) {
			differ = append(differ, fmt.Sprintf("%s %v -> %v", name, plain(before[name]), plain(after[name])))
		}
	}
	return "update " + strings.Join(differ, ", ")
}

// outcomes are the diagnostics by addresses, gathered from several goroutines.
type outcomes struct {
	mu sync.Mutex
	of map[string]problems
}

func (o *outcomes) add(address string, diags problems) (succeeded bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(diags) > 0 {
		o.of[address] = append(o.of[address], diags...)
	}
	return !diags.failed()
}

// planning is a plan that is being made.
type planning struct {
	*process
	config  *configuration
	mu      sync.Mutex
	plan    *plan
	state   map[string]*object // after moved blocks
	replace []string           // addresses to replace, as -replace says
	outcomes
}

// plan reads everything and plans.
func (tf *terraform) plan(ctx context.Context, c *configuration, replace ...string) (*plan, map[string]problems) {
	p, diags := start(ctx, tf.settings)
	defer p.stop()
	if diags.failed() {
		return nil, map[string]problems{"provider": diags}
	}
	w := &planning{process: p, config: c, replace: replace, state: c.movedState(tf.state), outcomes: outcomes{of: map[string]problems{}},
		plan: &plan{changes: map[string]*change{}, prior: map[string]*object{}}}
	planGraph(c, w.state).walk(func(address string) bool { return w.add(address, w.resource(ctx, address)) })
	if circle := applyGraph(c, w.plan.changes).stuck(); len(circle) > 0 && len(errorsOf(w.of)) == 0 {
		w.add("terraform", problem("Cycle", "Cycle: %s", strings.Join(circle, ", ")))
	}
	return w.plan, w.of
}

// deposedMark is what follows the address of a block in that of an object which a creation
// before the destruction has put aside, and which was not destroyed.
const deposedMark = ".deposed"

// blockOf returns the address of the block of an object.
func blockOf(address string) string {
	block, _, _ := strings.Cut(address, deposedMark)
	return block
}

// movedState returns the state after moved blocks.
func (c *configuration) movedState(state map[string]*object) map[string]*object {
	state = maps.Clone(state)
	for _, from := range slices.Sorted(maps.Keys(c.moved)) {
		to := c.moved[from]
		if state[from] == nil || state[to] != nil || c.blocks[from] != nil {
			continue
		}
		for _, address := range sortedKeys(state) {
			if blockOf(address) == from {
				state[to+strings.TrimPrefix(address, from)] = state[address]
				delete(state, address)
			}
		}
	}
	return state
}

// at returns the scope of a plan: what is planned already.
func (w *planning) at(address, attribute string) tftypes.Value {
	w.mu.Lock()
	defer w.mu.Unlock()
	if typeOf(address) == many {
		return tftypes.NewValue(tftypes.String, attribute)
	}
	return members(w.plan.changes[address].plan.value)[attribute]
}

// resource refreshes and plans a resource.
func (w *planning) resource(ctx context.Context, address string) problems {
	typ, prior := typeOf(address), w.state[address]
	var diags problems
	if prior != nil {
		var found problems
		prior, found = w.refresh(ctx, typ, prior)
		if diags = append(diags, found...); found.failed() {
			return diags
		}
	}
	b, configured := w.config.blocks[address]
	if prior != nil && configured {
		prior.dependencies = merged(w.config.transitive(address), prior.dependencies)
		prior.createsFirst = w.config.createsFirst(address)
	}
	w.mu.Lock()
	if prior != nil {
		w.plan.prior[address] = prior
	}
	w.mu.Unlock()
	ch := &change{address: address, before: prior}
	var found problems
	switch {
	case configured && w.missing(typ, b).failed():
		found = w.missing(typ, b)
	case configured:
		ch.config = objectOf(w.schemas[typ], b, w.at)
		found = w.configured(ctx, typ, ch)
	case prior == nil:
		return diags
	default:
		ch.action, ch.config = destroy, w.null(typ)
		ch.plan, found = w.planDestroy(ctx, typ, prior)
	}
	if diags = append(diags, found...); found.failed() {
		return diags
	}
	ch.createsFirst = ch.action.destroys() && (prior.createsFirst || blockOf(address) != address)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.plan.changes[address] = ch
	return diags
}

// configured plans what is in the configuration.
func (w *planning) configured(ctx context.Context, typ string, ch *change) (diags problems) {
	prior := ch.before
	if prior != nil && prior.tainted {
		prior = nil
	}
	if ch.plan, diags = w.planChange(ctx, typ, ch.config, prior, nil); diags.failed() {
		return diags
	}
	switch {
	case ch.before == nil:
		ch.action = create
	case ch.before.tainted:
		ch.action = replace
	case ch.plan.replace, slices.Contains(w.replace, ch.address):
		ch.action = replace
		var again problems
		ch.plan, again = w.planChange(ctx, typ, ch.config, nil, ch.plan.private)
		diags = append(diags, again...)
	case ch.plan.value.Equal(prior.value):
		ch.action = noop
		prior.dependencies = w.config.transitive(ch.address)
	default:
		ch.action = update
	}
	return diags
}

func merged(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// applying is an apply under way.
type applying struct {
	*process
	config  *configuration
	changes map[string]*change
	mu      sync.Mutex
	state   map[string]*object
	lost    []string
	counts  map[string]int
	outcomes
}

// apply does what a plan says. The results of operations on the addresses in lost are
// thrown away before they are saved, as when Terraform is killed; what depends on them is
// not done any longer.
func (tf *terraform) apply(ctx context.Context, c *configuration, p *plan, lost []string) (counts map[string]int, found map[string]problems) {
	server, diags := start(ctx, tf.settings)
	defer server.stop()
	if diags.failed() {
		return nil, map[string]problems{"provider": diags}
	}
	w := &applying{process: server, config: c, changes: p.changes, state: maps.Clone(p.prior), lost: lost,
		counts: map[string]int{}, outcomes: outcomes{of: map[string]problems{}}}
	applyGraph(c, p.changes).walk(func(node string) bool {
		address, isDestroy := strings.CutSuffix(node, " (destroy)")
		if isDestroy {
			return w.add(address, w.destroy(ctx, address))
		}
		succeeded := w.add(address, w.change(ctx, address))
		if succeeded {
			w.mu.Lock()
			defer w.mu.Unlock()
			tf.last[address] = c.blocks[address]
		}
		return succeeded
	})
	tf.state = w.state
	return w.counts, w.of
}

// at returns the scope of an apply: what the state holds.
func (w *applying) at(address, attribute string) tftypes.Value {
	w.mu.Lock()
	defer w.mu.Unlock()
	if typeOf(address) == many {
		return tftypes.NewValue(tftypes.String, attribute)
	}
	return members(w.state[address].value)[attribute]
}

func (w *applying) held(address string) *object {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.state[address]
}

// save keeps the result of an operation, if nobody kills the process before.
func (w *applying) save(what action, address string, o *object, diags problems) problems {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.counts[string(what)+" "+typeOf(address)]++
	if slices.Contains(w.lost, address) {
		return append(diags, problem(killed, "%s of %s", what, address)...)
	}
	if o == nil {
		delete(w.state, address)
	} else {
		w.state[address] = o
	}
	return diags
}

// depose puts what a change is to destroy aside, beside what earlier applies have left there.
// What stays there because a creation or the destruction failed is destroyed by the next
// apply, as is all that no block has.
func (w *applying) depose(ch *change) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for n := 1; ch.deposed == "" || w.state[ch.deposed] != nil || w.changes[ch.deposed] != nil; n++ {
		ch.deposed = fmt.Sprintf("%s%s%d", ch.address, deposedMark, n)
	}
	w.state[ch.deposed] = w.state[ch.address]
	delete(w.state, ch.address)
}

// restore puts back what was put aside for a creation of which nothing came.
func (w *applying) restore(ch *change) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.state[ch.address] == nil && !slices.Contains(w.lost, ch.address) {
		w.state[ch.address] = w.state[ch.deposed]
		delete(w.state, ch.deposed)
	}
}

// killed is the summary of the error that stands for a process that is gone.
const killed = "Terraform was killed"

// destroy destroys what is at an address.
func (w *applying) destroy(ctx context.Context, address string) problems {
	typ, ch := typeOf(address), w.changes[address]
	if ch.deposed != "" {
		address = ch.deposed
	}
	held := w.held(address)
	if held == nil {
		return nil
	}
	o, diags := w.applyChange(ctx, typ, w.null(typ), ch.before, planned{value: w.null(typ), private: ch.plan.private, identity: ch.plan.identity})
	if o != nil {
		o.dependencies, o.createsFirst = held.dependencies, held.createsFirst
	}
	return w.save(destroy, address, o, diags)
}

// change creates or updates what is at an address. It is planned again before, because
// what was unknown is known now.
func (w *applying) change(ctx context.Context, address string) problems {
	typ, ch := typeOf(address), w.changes[address]
	if ch.action == noop {
		return nil
	}
	if ch.createsFirst {
		w.depose(ch)
		defer w.restore(ch)
	}
	prior := w.held(address)
	config := objectOf(w.schemas[typ], w.config.blocks[address], w.at)
	if !config.IsFullyKnown() {
		return problem("Configuration contains unknown value", "%s: %s", address, config)
	}
	again, diags := w.planChange(ctx, typ, config, prior, nil)
	if diags.failed() {
		return diags
	}
	if err := compatible(ch.plan.value, again.value); err != nil || again.replace {
		return append(diags, problem("Provider produced inconsistent final plan", "%s: %v", address, err)...)
	}
	if prior != nil && again.value.Equal(prior.value) {
		return diags
	}
	o, found := w.applyChange(ctx, typ, config, prior, again)
	if o != nil {
		o.dependencies, o.createsFirst = w.config.transitive(address), w.config.createsFirst(address)
	}
	what := create
	if prior != nil {
		what = update
	}
	return w.save(what, address, o, append(diags, found...))
}

// importInto brings an instance into the state, as an import block does.
func (tf *terraform) importInto(ctx context.Context, address, id string) problems {
	p, diags := start(ctx, tf.settings)
	defer p.stop()
	if diags.failed() {
		return diags
	}
	o, diags := p.importByID(ctx, typeOf(address), id)
	if !diags.failed() {
		tf.state[address] = o
	}
	return diags
}
