// A plan: what it reads, and what it plans for each resource.

package terraformtest

import (
	"context"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
)

// planning is a plan that is being made.
type planning struct {
	*command
	PlanOptions
	plan   *Plan
	state  map[string]*Object   // after moved blocks
	values map[string]cty.Value // of blocks that are planned, by address
}

// Plan validates and plans a configuration. The plan is nil if something has failed before the first resource
// was planned.
func (t *Terraform) Plan(ctx context.Context, c *Config, o PlanOptions) (*Plan, Found) {
	w := &planning{command: t.start(c), PlanOptions: o, state: c.movedState(t.State), values: map[string]cty.Value{},
		plan: &Plan{Changes: map[string]*Change{}, Prior: map[string]*Object{}, Outputs: map[string]cty.Value{},
			before: t.Outputs, config: c, instances: map[string][]instance{}}}
	defer w.stop()
	if !w.validate(ctx) || !w.configure(ctx) {
		return nil, w.found
	}
	planGraph(c, w.state).walk(func(address string) bool { return w.node(ctx, address) })
	if o.Destroy {
		if w.found.Failed() || o.refreshOnly || !w.configure(ctx) {
			return w.plan, w.found
		}
		w.each(sortedKeys(w.plan.Prior), func(address string) Problems { return w.destroyed(ctx, address) })
		return w.plan, w.found
	}
	if circle := applyGraph(c, w.plan.Changes).stuck(); len(circle) > 0 && !w.found.Failed() {
		w.add("terraform", Problem("Cycle", "Cycle: %s", strings.Join(circle, ", ")))
	}
	if !w.found.Failed() {
		w.add("terraform", w.planOutputs())
	}
	return w.plan, w.found
}

// RefreshOnly reads everything into the state, as `terraform apply -refresh-only` does.
func (t *Terraform) RefreshOnly(ctx context.Context, c *Config) Found {
	p, found := t.Plan(ctx, c, PlanOptions{Destroy: true, refreshOnly: true})
	if !found.Failed() {
		t.State = p.Prior
	}
	return found
}

// validate validates everything, with references that are unknown.
func (w *planning) validate(ctx context.Context) (succeeded bool) {
	s := scope{config: w.config, value: func(address string) cty.Value {
		b := w.config.blocks[address]
		if b.count != nil || b.forEach != nil {
			return cty.DynamicVal
		}
		return cty.UnknownVal(ctyType(w.schemaOf(b).ValueType()))
	}, each: map[string]cty.Value{
		"count": cty.ObjectVal(map[string]cty.Value{"index": cty.UnknownVal(cty.Number)}),
		"each":  cty.ObjectVal(map[string]cty.Value{"key": cty.UnknownVal(cty.String), "value": cty.DynamicVal}),
	}}
	block, diags := s.object(w.config.provider, w.Schema.Provider)
	if !diags.Failed() {
		diags = w.ValidateProvider(ctx, block)
	}
	return w.add("provider", diags) && w.each(sortedKeys(w.config.blocks), func(address string) Problems {
		b := w.config.blocks[address]
		config, diags := s.object(b.body, w.schemaOf(b))
		switch {
		case diags.Failed():
			return diags
		case b.data:
			return w.ValidateData(ctx, b.typ, config).Errors()
		}
		return w.Validate(ctx, b.typ, config).Errors()
	})
}

// scope returns the scope of a plan: the values that are planned already.
func (w *planning) scope(each map[string]cty.Value) scope {
	return scope{config: w.config, each: each, value: func(address string) cty.Value {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.values[address]
	}}
}

// node plans a node of planGraph: a block, or objects that no block has any longer. Before a destruction of
// everything, it only reads them.
func (w *planning) node(ctx context.Context, address string) (succeeded bool) {
	b := w.config.blocks[address]
	var instances []instance
	if b != nil {
		var diags Problems
		instances, diags = w.scope(nil).instances(b)
		if !w.add(address, diags) {
			return false
		}
	}
	var addresses []string
	configured := map[string]instance{}
	for _, i := range instances {
		configured[address+i.key] = i
		addresses = append(addresses, address+i.key)
	}
	for other := range w.state {
		_, isConfigured := configured[other]
		isOfNode := other == address || BlockOf(other) == other && resourceOf(other) == address
		if isOfNode && !isConfigured && !strings.HasPrefix(other, "data.") {
			addresses = append(addresses, other)
		}
	}
	succeeded = w.each(addresses, func(at string) Problems {
		i, is := configured[at]
		switch {
		case !is:
			return w.orphan(ctx, at)
		case b.data:
			return w.data(ctx, b, i)
		}
		return w.resource(ctx, b, i)
	})
	if b != nil && succeeded {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.plan.instances[address] = instances
		w.values[address] = b.together(instances, func(key string) cty.Value { return w.planned(address + key) })
	}
	return succeeded
}

// planned returns the value of an instance that is planned, or of a data source that was read.
func (w *planning) planned(address string) cty.Value {
	if ch := w.plan.Changes[address]; ch != nil {
		return ctyValue(ch.Plan.Value)
	}
	if o := w.plan.Prior[address]; o != nil { // a data source, or a walk that only reads
		return ctyValue(o.Value)
	}
	return cty.DynamicVal
}

// stored takes an object from the state. It returns nil if there is none.
func (w *planning) stored(ctx context.Context, address string) (*Object, Problems) {
	o := w.state[address]
	if o == nil {
		return nil, nil
	}
	return w.upgrade(ctx, TypeOf(address), o)
}

// read takes an object from the state, and refreshes it. It returns nil if it is gone, or if there was none.
func (w *planning) read(ctx context.Context, address string) (*Object, Problems) {
	o, diags := w.stored(ctx, address)
	if o == nil || diags.Failed() || w.SkipRefresh {
		return o, diags
	}
	return w.Refresh(ctx, TypeOf(address), o)
}

// keep puts what was read into the refreshed state, unless it is nil.
func (w *planning) keep(address string, o *Object) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if o != nil {
		w.plan.Prior[address] = o
	}
}

// change adds a change to the plan.
func (w *planning) change(ch *Change) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.plan.Changes[ch.Address] = ch
}

// orphan plans for an object that no block has: it is destroyed, or forgotten if a removed block says so.
func (w *planning) orphan(ctx context.Context, address string) Problems {
	prior, diags := w.read(ctx, address)
	if diags.Failed() {
		return diags
	}
	w.keep(address, prior)
	if prior == nil || w.Destroy {
		return diags
	}
	if slices.Contains(w.config.removed, resourceOf(address)) {
		w.change(&Change{Address: address, Action: Forget, Before: prior, Plan: Planned{Value: w.null(TypeOf(address))}})
		return diags
	}
	return append(diags, w.destroyed(ctx, address)...)
}

// destroyed plans the destruction of an object that was read. Data sources are only forgotten.
func (w *planning) destroyed(ctx context.Context, address string) Problems {
	w.mu.Lock()
	prior := w.plan.Prior[address]
	w.mu.Unlock()
	if strings.HasPrefix(address, "data.") {
		w.change(&Change{Address: address, Action: Forget, Before: prior})
		return nil
	}
	plan, diags := w.PlanDestroy(ctx, TypeOf(address), prior)
	if !diags.Failed() {
		w.change(&Change{Address: address, Action: Delete, Before: prior, Plan: plan, CreatesFirst: prior.CreatesFirst || BlockOf(address) != address})
	}
	return diags
}

// resource reads an instance of a resource, or imports it if it has an import block, and plans it. With MinimalRefresh,
// it first plans with the state as it is: a plan that changes something is dropped, with its warnings, and made again
// after a read.
func (w *planning) resource(ctx context.Context, b *block, i instance) Problems {
	address := b.address + i.key
	ch, diags := &Change{}, Problems(nil)
	stale := w.MinimalRefresh && w.state[address] != nil
	if stale {
		ch, diags = w.changeOf(ctx, b, i, w.stored)
	}
	if !stale || !diags.Failed() && ch.Action != Noop {
		ch, diags = w.changeOf(ctx, b, i, w.read)
	}
	w.keep(address, ch.Before)
	if ch.Action != "" {
		w.change(ch)
	}
	return diags
}

// changeOf plans an instance of a resource as read, or its import, returns it. Action is "" if an error prevents
// a plan, or if everything is destroyed.
func (w *planning) changeOf(ctx context.Context, b *block, i instance, read func(context.Context, string) (*Object, Problems)) (*Change, Problems) {
	ch := &Change{Address: b.address + i.key, instance: i}
	prior, diags := read(ctx, ch.Address)
	if w.state[ch.Address] == nil && !w.Destroy {
		ch.Importing, prior, diags = w.imported(ctx, b, ch.Address)
	}
	if diags.Failed() {
		return ch, diags
	}
	if prior != nil {
		prior.Dependencies = union(resources(w.config.Dependencies(b.address)), prior.Dependencies)
		prior.CreatesFirst = w.config.createsFirst(b.address)
	}
	ch.Before = prior
	if w.Destroy {
		return ch, diags
	}
	config, found := w.scope(i.each).object(b.body, w.schemaOf(b))
	if !found.Failed() {
		found = w.configured(ctx, b, ch, config)
	}
	if found.Failed() {
		ch.Action = ""
	} else {
		ch.CreatesFirst = ch.Action.Destroys() && prior.CreatesFirst
	}
	return ch, append(diags, found...)
}

// imported returns what an import block brings to an address, if there is one.
func (w *planning) imported(ctx context.Context, b *block, address string) (id string, o *Object, diags Problems) {
	for _, i := range w.config.imports {
		if i.to != address {
			continue
		}
		value, diags := w.scope(nil).evaluate(i.id)
		if diags.Failed() {
			return "", nil, diags
		}
		o, diags := w.ImportAndRead(ctx, &tfprotov6.ImportResourceStateRequest{TypeName: b.typ, ID: value.AsString()})
		return value.AsString(), o, diags
	}
	return "", nil, nil
}

// configured plans an instance with its configuration: it sets Plan and Action of the change.
func (w *planning) configured(ctx context.Context, b *block, ch *Change, config tftypes.Value) (diags Problems) {
	prior := ch.Before
	if prior != nil && prior.Tainted {
		prior = nil
	}
	ignoring := config // with ignore_changes, which the second plan of a replacement does without
	if prior != nil {
		ignoring = without(b.ignores, config, prior.Value)
	}
	ch.Plan, diags = w.PlanChange(ctx, b.typ, ignoring, prior, nil)
	if diags.Failed() {
		return diags
	}
	switch {
	case ch.Before == nil:
		ch.Action = Create
	case ch.Before.Tainted:
		ch.Action = Replace
	case ch.Plan.Replace, slices.Contains(w.Replace, ch.Address), w.triggered(b):
		ch.Action = Replace
		var again Problems
		ch.Plan, again = w.PlanChange(ctx, b.typ, config, nil, ch.Plan.Private)
		diags = append(diags, again...)
	case ch.Plan.Value.Equal(prior.Value):
		ch.Action = Noop
		prior.Dependencies = resources(w.config.Dependencies(b.address))
	default:
		ch.Action = Update
	}
	return diags
}

// triggered reports whether a change in this plan replaces a block, as its replace_triggered_by says.
func (w *planning) triggered(b *block) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, by := range b.replacedBy {
		for address, ch := range w.plan.Changes {
			if resourceOf(address) != by.address || ch.Action != Update && ch.Action != Replace {
				continue
			}
			if by.attribute == "" || !Members(ch.Before.Value)[by.attribute].Equal(Members(ch.Plan.Value)[by.attribute]) {
				return true
			}
		}
	}
	return false
}

// data reads a data source, unless it depends on something that changes: then the apply reads it.
func (w *planning) data(ctx context.Context, b *block, i instance) Problems {
	address := b.address + i.key
	config, diags := w.scope(i.each).object(b.body, w.schemaOf(b))
	if diags.Failed() {
		return diags
	}
	if config.IsFullyKnown() && !w.dependsOnChange(b) {
		value, diags := w.ReadData(ctx, b.typ, config)
		if !diags.Failed() {
			w.keep(address, &Object{Value: value})
		}
		return diags
	}
	if w.Destroy {
		return nil
	}
	values := Members(config)
	for _, a := range w.schemaOf(b).Block.Attributes {
		if a.Computed && values[a.Name].IsNull() {
			values[a.Name] = tftypes.NewValue(a.ValueType(), tftypes.UnknownValue)
		}
	}
	w.change(&Change{Address: address, Action: Read, instance: i, Plan: Planned{Value: tftypes.NewValue(config.Type(), values)}})
	return nil
}

// dependsOnChange reports whether something that a data source depends on changes in this plan.
func (w *planning) dependsOnChange(b *block) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	on := w.config.readAfter(b)
	for address, ch := range w.plan.Changes {
		if ch.Action != Noop && ch.Action != Read && slices.Contains(on, resourceOf(address)) {
			return true
		}
	}
	return false
}

// planOutputs evaluates the outputs with the planned values.
func (w *planning) planOutputs() (diags Problems) {
	for _, name := range sortedKeys(w.config.outputs) {
		value, found := w.scope(nil).evaluate(w.config.outputs[name])
		diags = append(diags, found...)
		w.plan.Outputs[name] = value
	}
	return diags
}
