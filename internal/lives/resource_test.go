// The calls of the protocol for one resource, with the checks that Terraform makes.

package lives

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/provider"
)

// process is a provider as Terraform starts one for each plan and each apply.
type process struct {
	server  tfprotov6.ProviderServer
	schemas map[string]*tfprotov6.Schema
}

// newProvider returns the server of a process.
func newProvider() tfprotov6.ProviderServer {
	server, err := provider.NewServer("test")
	if err != nil {
		panic(err)
	}
	return server
}

// schema is what the provider tells of its resources, which is the same for each process.
var schema = sync.OnceValue(func() *tfprotov6.GetProviderSchemaResponse {
	schema, err := newProvider().GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		panic(err)
	}
	return schema
})

// start starts a provider with the arguments of its block.
func start(ctx context.Context, settings map[string]any) (*process, problems) {
	p := &process{server: newProvider(), schemas: schema().ResourceSchemas}
	resp, err := p.server.ConfigureProvider(ctx, &tfprotov6.ConfigureProviderRequest{
		TerraformVersion: "1.11.4", Config: encode(objectOf(schema().Provider, settings, nil))})
	if err != nil {
		panic(err)
	}
	return p, resp.Diagnostics
}

// stop ends the process.
func (p *process) stop() {
	_, _ = p.server.StopProvider(context.Background(), &tfprotov6.StopProviderRequest{})
}

func encode(v tftypes.Value) *tfprotov6.DynamicValue {
	d, err := tfprotov6.NewDynamicValue(v.Type(), v)
	if err != nil {
		panic(err)
	}
	return &d
}

func (p *process) decode(typ string, d *tfprotov6.DynamicValue) tftypes.Value {
	if d == nil {
		return p.null(typ)
	}
	v, err := d.Unmarshal(p.schemas[typ].ValueType())
	if err != nil {
		panic(err)
	}
	return v
}

// null returns the object of a resource that does not exist.
func (p *process) null(typ string) tftypes.Value {
	return tftypes.NewValue(p.schemas[typ].ValueType(), nil)
}

// object is what Terraform keeps of a resource in its state.
type object struct {
	value        tftypes.Value
	private      []byte
	identity     *tfprotov6.ResourceIdentityData
	tainted      bool
	dependencies []string // addresses
	createsFirst bool     // create_before_destroy, for when no block says it any longer
}

// refresh reads a resource; nil is one that is gone.
func (p *process) refresh(ctx context.Context, typ string, o *object) (*object, problems) {
	resp, err := p.server.ReadResource(ctx, &tfprotov6.ReadResourceRequest{
		TypeName: typ, CurrentState: encode(o.value), Private: o.private, CurrentIdentity: o.identity})
	if err != nil {
		return o, problem("Error", "%v", err)
	}
	if problems(resp.Diagnostics).failed() {
		return o, resp.Diagnostics
	}
	read := &object{value: p.decode(typ, resp.NewState), private: resp.Private, identity: resp.NewIdentity,
		tainted: o.tainted, dependencies: o.dependencies, createsFirst: o.createsFirst}
	if read.value.IsNull() {
		read = nil
	}
	return read, resp.Diagnostics
}

// importByID imports a resource and reads it.
func (p *process) importByID(ctx context.Context, typ, id string) (*object, problems) {
	resp, err := p.server.ImportResourceState(ctx, &tfprotov6.ImportResourceStateRequest{TypeName: typ, ID: id})
	if err != nil {
		return nil, problem("Error", "%v", err)
	}
	if problems(resp.Diagnostics).failed() {
		return nil, resp.Diagnostics
	}
	imported := resp.ImportedResources[0]
	read, diags := p.refresh(ctx, typ, &object{value: p.decode(typ, imported.State), private: imported.Private, identity: imported.Identity})
	if read == nil && !diags.failed() {
		diags = problem("Cannot import non-existent remote object", "%s %q", typ, id)
	}
	return read, diags
}

// planned is what the provider plans for a resource.
type planned struct {
	value    tftypes.Value
	private  []byte
	identity *tfprotov6.ResourceIdentityData
	replace  bool // an attribute that differs requires it
}

// missing is Terraform's check that a block has what its schema requires.
func (p *process) missing(typ string, b block) problems {
	for _, a := range p.schemas[typ].Block.Attributes {
		if _, is := b[a.Name]; a.Required && !is {
			return problem("Missing required argument", "The argument %q is required, but no definition was found.", a.Name)
		}
	}
	return nil
}

// planChange validates and plans a configuration; prior is nil for a creation.
func (p *process) planChange(ctx context.Context, typ string, config tftypes.Value, prior *object, private []byte) (planned, problems) {
	sent := encode(config)
	valid, err := p.server.ValidateResourceConfig(ctx, &tfprotov6.ValidateResourceConfigRequest{TypeName: typ, Config: sent,
		ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{WriteOnlyAttributesAllowed: true}})
	if err != nil {
		return planned{}, problem("Error", "%v", err)
	}
	if problems(valid.Diagnostics).failed() {
		return planned{}, valid.Diagnostics
	}
	if prior == nil {
		prior = &object{value: p.null(typ), private: private}
	}
	resp, err := p.server.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{TypeName: typ,
		PriorState: encode(prior.value), Config: sent, PriorPrivate: prior.private, PriorIdentity: prior.identity,
		ProposedNewState: encode(p.proposed(typ, config, prior.value))})
	if err != nil {
		return planned{}, problem("Error", "%v", err)
	}
	if problems(resp.Diagnostics).failed() {
		return planned{}, resp.Diagnostics
	}
	out := planned{value: p.decode(typ, resp.PlannedState), private: resp.PlannedPrivate, identity: resp.PlannedIdentity}
	if diags := p.checkPlan(typ, config, out.value, prior.value); diags.failed() {
		return planned{}, diags
	}
	out.replace = replaces(resp.RequiresReplace, prior.value, out.value)
	return out, resp.Diagnostics
}

// planDestroy plans a destruction.
func (p *process) planDestroy(ctx context.Context, typ string, prior *object) (planned, problems) {
	resp, err := p.server.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{TypeName: typ,
		PriorState: encode(prior.value), Config: encode(p.null(typ)), PriorPrivate: prior.private, PriorIdentity: prior.identity,
		ProposedNewState: encode(p.null(typ))})
	if err != nil {
		return planned{}, problem("Error", "%v", err)
	}
	return planned{value: p.null(typ), private: resp.PlannedPrivate, identity: resp.PlannedIdentity}, resp.Diagnostics
}

// replaces reports whether any of the attributes that require a replacement differs:
// Terraform ignores those that are named and stay as they are.
func replaces(paths []*tftypes.AttributePath, prior, next tftypes.Value) bool {
	if prior.IsNull() {
		return false
	}
	before, after := members(prior), members(next)
	for _, path := range paths {
		if name, is := path.Steps()[0].(tftypes.AttributeName); is && !before[string(name)].Equal(after[string(name)]) {
			return true
		}
	}
	return false
}

// proposed merges the configuration into the state: what is computed and not configured
// stays.
func (p *process) proposed(typ string, config, prior tftypes.Value) tftypes.Value {
	if prior.IsNull() {
		return config
	}
	values, old := members(config), members(prior)
	for _, a := range p.schemas[typ].Block.Attributes {
		if a.Computed && !a.WriteOnly && values[a.Name].IsNull() {
			values[a.Name] = old[a.Name]
		}
	}
	return tftypes.NewValue(config.Type(), values)
}

// checkPlan is Terraform's check of a plan: a configured value is planned as it is or as
// it was, others only where the provider computes them.
func (p *process) checkPlan(typ string, config, plan, prior tftypes.Value) problems {
	configured, planned, old := members(config), members(plan), members(prior)
	for _, a := range p.schemas[typ].Block.Attributes {
		switch v := planned[a.Name]; {
		case v.Equal(configured[a.Name]), configured[a.Name].IsNull() && a.Computed, v.IsNull() && a.WriteOnly:
		case a.NestedType != nil && fills(configured[a.Name], v):
		case len(old) > 0 && v.Equal(old[a.Name]) && !v.IsNull() && !configured[a.Name].IsNull():
		default:
			return problem("Provider produced invalid plan", "%s: %s is configured as %s and planned as %s", typ, a.Name, configured[a.Name], v)
		}
	}
	return nil
}

// fills reports whether a map of objects is planned as it is configured, but for what the
// objects leave out.
func fills(config, plan tftypes.Value) bool {
	if !config.IsKnown() || config.IsNull() || plan.IsNull() {
		return false
	}
	planned := members(plan)
	for key, o := range members(config) {
		fields := members(planned[key])
		for name, v := range members(o) {
			if !v.IsNull() && !v.Equal(fields[name]) {
				return false
			}
		}
	}
	return true
}

// compatible reports what of a plan is not so in the value that follows: what was known
// must stay.
func compatible(plan, next tftypes.Value) error {
	after := members(next)
	for name, want := range members(plan) {
		if want.IsFullyKnown() && !after[name].Equal(want) {
			return fmt.Errorf("%s was planned as %s and is %s", name, want, after[name])
		}
	}
	return nil
}

// crashed is the summary of the error of a call that panics.
const crashed = "The plugin crashed"

// applyChange creates, updates or destroys a resource. The object is what Terraform keeps,
// whatever went wrong; nil when there is none.
func (p *process) applyChange(ctx context.Context, typ string, config tftypes.Value, prior *object, plan planned) (o *object, diags problems) {
	defer func() {
		if cause := recover(); cause != nil {
			o, diags = prior, problem(crashed, "%v\n%s", cause, debug.Stack())
		}
	}()
	before := p.null(typ)
	if prior != nil {
		before = prior.value
	}
	resp, err := p.server.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{TypeName: typ,
		PriorState: encode(before), PlannedState: encode(plan.value), Config: encode(config),
		PlannedPrivate: plan.private, PlannedIdentity: plan.identity})
	if err != nil {
		return prior, problem("Error", "%v", err)
	}
	diags = problems(resp.Diagnostics)
	next := p.decode(typ, resp.NewState)
	if !diags.failed() {
		diags = append(diags, checkApplied(typ, plan.value, next)...)
	}
	if diags.failed() && next.IsNull() {
		return prior, diags
	}
	if next.IsNull() {
		return nil, diags
	}
	o = &object{value: next, private: resp.Private, identity: resp.NewIdentity}
	if prior != nil {
		o.dependencies = prior.dependencies
	}
	if diags.failed() {
		o.tainted = prior == nil || prior.tainted
	}
	return o, diags
}

// checkApplied is Terraform's check of a result.
func checkApplied(typ string, plan, next tftypes.Value) problems {
	switch {
	case plan.IsNull() != next.IsNull():
		return problem("Provider returned invalid result object after apply", "%s: %s", typ, next)
	case plan.IsNull():
		return nil
	case !next.IsFullyKnown():
		return problem("Provider returned invalid result object after apply", "%s: %s", typ, next)
	}
	if err := compatible(plan, next); err != nil {
		return problem("Provider produced inconsistent result after apply", "%s: %v", typ, err)
	}
	return nil
}
