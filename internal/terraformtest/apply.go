// An apply: what it does with the changes of a plan.

package terraformtest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// Applied is what an apply has done.
type Applied struct {
	Found     Found
	Succeeded []string // addresses that are as they are configured
}

// applying is an apply under way.
type applying struct {
	*command
	plan  *Plan
	state map[string]*Object
	lost  []string // addresses whose results are thrown away
	done  Applied
}

// Apply does what a plan says. The results of operations on the addresses in lost are
// thrown away before they are saved, as when Terraform is killed; what depends on them is not done.
func (t *Terraform) Apply(ctx context.Context, p *Plan, lost ...string) Applied {
	w := &applying{command: t.start(p.config), plan: p, state: maps.Clone(p.Prior), lost: lost}
	defer w.stop()
	w.done.Found = w.found
	if !w.configure(ctx) {
		return w.done
	}
	applyGraph(p.config, p.Changes).walk(func(node string) bool {
		address, isDestroy := strings.CutSuffix(node, destroyMark)
		return w.operation(address, func() Problems {
			if isDestroy {
				return w.destroy(ctx, address)
			}
			diags := w.change(ctx, address)
			w.mu.Lock()
			defer w.mu.Unlock()
			if !diags.Failed() {
				w.done.Succeeded = append(w.done.Succeeded, address)
			}
			return diags
		})
	})
	if !w.found.Failed() {
		w.add("terraform", w.outputs(t))
	}
	t.State = w.state
	return w.done
}

// outputs evaluates the outputs that the plan has: none, when it destroys everything.
func (w *applying) outputs(t *Terraform) (diags Problems) {
	t.Outputs = map[string]cty.Value{}
	for name := range w.plan.Outputs {
		value, found := w.scope(nil).evaluate(w.config.outputs[name])
		diags = append(diags, found...)
		t.Outputs[name] = value
	}
	return diags
}

// scope returns the scope of an apply: what the state holds.
func (w *applying) scope(each map[string]cty.Value) scope {
	return scope{config: w.config, each: each, value: func(address string) cty.Value {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.config.blocks[address].together(w.plan.instances[address], func(key string) cty.Value {
			return ctyValue(w.state[address+key].Value)
		})
	}}
}

// held returns the object at an address, or nil.
func (w *applying) held(address string) *Object {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.state[address]
}

// save puts the result of an operation into the state, unless Terraform is killed before (lost).
func (w *applying) save(what Action, address string, o *Object, diags Problems) Problems {
	w.mu.Lock()
	defer w.mu.Unlock()
	if slices.Contains(w.lost, address) {
		return append(diags, Problem(Killed, "%s of %s", what, address)...)
	}
	if o == nil {
		delete(w.state, address)
	} else {
		w.state[address] = o
	}
	return diags
}

// depose gives the object that a change is to destroy an address of its own (Change.deposed). If it stays there,
// because a creation or the destruction failed, the next apply destroys it, like everything that no block has.
func (w *applying) depose(ch *Change) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for n := 1; ch.deposed == "" || w.state[ch.deposed] != nil || w.plan.Changes[ch.deposed] != nil; n++ {
		ch.deposed = fmt.Sprintf("%s%s%d", ch.Address, deposedMark, n)
	}
	w.state[ch.deposed] = w.state[ch.Address]
	delete(w.state, ch.Address)
}

// restore gives a deposed object its address back, if the creation left no object there.
func (w *applying) restore(ch *Change) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.state[ch.Address] == nil && !slices.Contains(w.lost, ch.Address) {
		w.state[ch.Address] = w.state[ch.deposed]
		delete(w.state, ch.deposed)
	}
}

// Killed is the summary of the error that stands for a process that is gone.
const Killed = "Terraform was killed"

// destroy destroys what is at an address.
func (w *applying) destroy(ctx context.Context, address string) Problems {
	typ, ch := TypeOf(address), w.plan.Changes[address]
	if ch.deposed != "" {
		address = ch.deposed
	}
	held := w.held(address)
	if held == nil {
		return nil
	}
	null := w.null(typ)
	o, diags := w.ApplyChange(ctx, typ, null, ch.Before, Planned{Value: null, Private: ch.Plan.Private, Identity: ch.Plan.Identity})
	return w.save(Delete, address, o.with(held.Dependencies, held.CreatesFirst), diags)
}

// change does what the plan says of an address, apart from destructions. Before a creation or an update, it
// plans again, because what was unknown is known now.
func (w *applying) change(ctx context.Context, address string) Problems {
	typ, ch := TypeOf(address), w.plan.Changes[address]
	switch ch.Action {
	case Noop:
		return nil
	case Forget:
		return w.save(Forget, address, nil, nil)
	case Read:
		return w.read(ctx, ch)
	}
	if ch.CreatesFirst {
		w.depose(ch)
		defer w.restore(ch)
	}
	b, prior := w.config.blocks[resourceOf(address)], w.held(address)
	config, diags := w.scope(ch.instance.each).object(b.body, w.schemaOf(b))
	if diags.Failed() {
		return diags
	}
	if !config.IsFullyKnown() {
		return Problem("Configuration contains unknown value", "%s: %s", address, config)
	}
	if prior != nil {
		config = without(b.ignores, config, prior.Value)
	}
	again, diags := w.PlanChange(ctx, typ, config, prior, nil)
	if diags.Failed() {
		return diags
	}
	err := compatible(ch.Plan.Value, again.Value)
	if again.Replace {
		err = errors.New("it replaces the instance")
	}
	if err != nil {
		return append(diags, Problem(InconsistentFinalPlan, "%s: %v", address, err)...)
	}
	if prior != nil && again.Value.Equal(prior.Value) {
		return diags
	}
	o, found := w.ApplyChange(ctx, typ, config, prior, again)
	o = o.with(resources(w.config.Dependencies(b.address)), w.config.createsFirst(b.address))
	what := Create
	if prior != nil {
		what = Update
	}
	return w.save(what, address, o, append(diags, found...))
}

// read reads a data source.
func (w *applying) read(ctx context.Context, ch *Change) Problems {
	b := w.config.blocks[resourceOf(ch.Address)]
	config, diags := w.scope(ch.instance.each).object(b.body, w.schemaOf(b))
	if diags.Failed() {
		return diags
	}
	value, diags := w.ReadData(ctx, b.typ, config)
	if diags.Failed() {
		return diags
	}
	return w.save(Read, ch.Address, &Object{Value: value}, diags)
}
