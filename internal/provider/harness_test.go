// This file drives the provider over its protocol, without Terraform: a plan
// and an apply cost a millisecond, so that tests can go through tables of
// hundreds of cases. It does what Terraform's core does, checks included.

package provider_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/provider"
)

// core stands for Terraform: it plans and applies one resource at a time.
type core struct {
	t          testing.TB
	server     tfprotov6.ProviderServer
	schemas    map[string]*tfprotov6.Schema
	configured *tfprotov6.ConfigureProviderRequest
	// sameRun has all that is applied belong to one run of Terraform. Otherwise each
	// apply is a run of its own, for which Terraform starts and configures a provider.
	sameRun bool
}

// attributes is a configuration in Go: strings, ints, bools, []string, and
// tftypes.Value for anything else.
type attributes map[string]any

// resourceState is what Terraform keeps of a resource.
type resourceState struct {
	value    tftypes.Value // null when there is none
	private  []byte
	tainted  bool
	identity *tfprotov6.ResourceIdentityData // nil before Terraform 1.12
}

// problems are the diagnostics of a call.
type problems []*tfprotov6.Diagnostic

// newCore configures a provider of its own.
func newCore(t testing.TB, block attributes) *core {
	t.Helper()
	return newCoreOf(t, provider.New("test"), block)
}

// newCoreOf configures a provider that was made otherwise.
func newCoreOf(t testing.TB, p *provider.Provider, block attributes) *core {
	t.Helper()
	c, diags := tryCore(t, p, block)
	if diags.failed() {
		t.Fatal(diags)
	}
	return c
}

// tryCore configures a provider, whatever it says to the provider block.
func tryCore(t testing.TB, p *provider.Provider, block attributes) (*core, problems) {
	t.Helper()
	server, err := provider.Serve(p)
	if err != nil {
		t.Fatal(err)
	}
	c := &core{t: t, server: server}
	ctx := context.Background()
	schema, err := c.server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	c.schemas = schema.ResourceSchemas
	c.configured = &tfprotov6.ConfigureProviderRequest{TerraformVersion: "1.11.0", Config: c.encode(objectOf(t, schema.Provider, block))}
	return c, c.configure()
}

// configure configures the provider, as Terraform does once in each run.
func (c *core) configure() problems {
	c.t.Helper()
	configured, err := c.server.ConfigureProvider(context.Background(), c.configured)
	if err != nil {
		c.t.Fatal(err)
	}
	return configured.Diagnostics
}

// newRun begins a run of Terraform and returns the provider for its operations.
func (c *core) newRun() *core {
	c.t.Helper()
	c.configure()
	return c.inOneRun()
}

// inOneRun is the provider for operations of one run of Terraform.
func (c *core) inOneRun() *core {
	same := *c
	same.sameRun = true
	return &same
}

// core is a provider that is configured for the test's server.
func (s *server) core(settings attributes) *core {
	block := attributes{"base_url": s.url, "username": s.user, "password": s.password}
	for name, v := range settings {
		block[name] = v
	}
	return newCore(s.t, block)
}

func objectOf(t testing.TB, schema *tfprotov6.Schema, values attributes) tftypes.Value {
	t.Helper()
	types := map[string]tftypes.Type{}
	out := map[string]tftypes.Value{}
	for _, a := range schema.Block.Attributes {
		types[a.Name] = a.ValueType()
		out[a.Name] = goValue(types[a.Name], values[a.Name])
	}
	for name := range values {
		if _, ok := types[name]; !ok {
			t.Fatalf("no attribute %q", name)
		}
	}
	return tftypes.NewValue(tftypes.Object{AttributeTypes: types}, out)
}

func goValue(typ tftypes.Type, v any) tftypes.Value {
	switch v := v.(type) {
	case tftypes.Value:
		return v
	case []string:
		elements := []tftypes.Value{}
		for _, s := range v {
			elements = append(elements, tftypes.NewValue(tftypes.String, s))
		}
		return tftypes.NewValue(typ, elements)
	case map[string]any:
		return object(v)
	case int:
		return tftypes.NewValue(typ, int64(v))
	}
	return tftypes.NewValue(typ, v)
}

// object is an HCL object of strings, ints, bools, lists and objects.
func object(members map[string]any) tftypes.Value {
	types, values := map[string]tftypes.Type{}, map[string]tftypes.Value{}
	for name, v := range members {
		values[name] = literal(v)
		types[name] = values[name].Type()
	}
	return tftypes.NewValue(tftypes.Object{AttributeTypes: types}, values)
}

func literal(v any) tftypes.Value {
	switch v := v.(type) {
	case nil:
		return tftypes.NewValue(tftypes.DynamicPseudoType, nil)
	case string:
		return tftypes.NewValue(tftypes.String, v)
	case bool:
		return tftypes.NewValue(tftypes.Bool, v)
	case int:
		return tftypes.NewValue(tftypes.Number, int64(v))
	case float64:
		return tftypes.NewValue(tftypes.Number, v)
	case []any:
		types, values := []tftypes.Type{}, []tftypes.Value{}
		for _, member := range v {
			values = append(values, literal(member))
			types = append(types, values[len(values)-1].Type())
		}
		return tftypes.NewValue(tftypes.Tuple{ElementTypes: types}, values)
	case []string:
		list := make([]any, len(v))
		for i, member := range v {
			list[i] = member
		}
		return literal(list)
	case map[string]any:
		return object(v)
	case tftypes.Value:
		return v
	}
	panic(fmt.Sprintf("no literal for %T", v))
}

func (c *core) encode(v tftypes.Value) *tfprotov6.DynamicValue {
	c.t.Helper()
	d, err := tfprotov6.NewDynamicValue(v.Type(), v)
	if err != nil {
		c.t.Fatal(err)
	}
	return &d
}

func (c *core) decode(typ string, d *tfprotov6.DynamicValue) tftypes.Value {
	c.t.Helper()
	objectType := c.schemas[typ].ValueType()
	if d == nil {
		return tftypes.NewValue(objectType, nil)
	}
	v, err := d.Unmarshal(objectType)
	if err != nil {
		c.t.Fatal(err)
	}
	return v
}

// none is the state of a resource that does not exist.
func (c *core) none(typ string) resourceState {
	return resourceState{value: tftypes.NewValue(c.schemas[typ].ValueType(), nil)}
}

// refresh reads a resource, as a plan does first.
func (c *core) refresh(typ string, state resourceState) (resourceState, problems) {
	c.t.Helper()
	if state.value.IsNull() {
		return state, nil
	}
	resp, err := c.server.ReadResource(context.Background(), &tfprotov6.ReadResourceRequest{
		TypeName: typ, CurrentState: c.encode(state.value), Private: state.private, CurrentIdentity: state.identity})
	if err != nil {
		c.t.Fatal(err)
	}
	if problems(resp.Diagnostics).failed() {
		return state, resp.Diagnostics
	}
	return resourceState{c.decode(typ, resp.NewState), resp.Private, state.tainted, resp.NewIdentity}, resp.Diagnostics
}

// planned is what a plan makes of a configuration.
type planned struct {
	config, value tftypes.Value
	private       []byte
	identity      *tfprotov6.ResourceIdentityData
	replace       bool
	noop          bool
}

// plan validates and plans; config is nil for a destroy.
func (c *core) plan(typ string, config attributes, state resourceState) (planned, problems) {
	c.t.Helper()
	if !c.sameRun {
		c.configure()
	}
	ctx := context.Background()
	value := c.none(typ).value
	if config != nil {
		value = objectOf(c.t, c.schemas[typ], config)
		valid, err := c.server.ValidateResourceConfig(ctx, &tfprotov6.ValidateResourceConfigRequest{TypeName: typ, Config: c.encode(value),
			ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{WriteOnlyAttributesAllowed: true}})
		if err != nil {
			c.t.Fatal(err)
		}
		if problems(valid.Diagnostics).failed() {
			return planned{}, valid.Diagnostics
		}
	}
	prior := state
	if state.tainted {
		prior = c.none(typ)
	}
	resp, err := c.server.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{TypeName: typ,
		PriorState: c.encode(prior.value), Config: c.encode(value), PriorPrivate: prior.private, PriorIdentity: prior.identity,
		ProposedNewState: c.encode(c.proposed(typ, value, prior.value))})
	if err != nil {
		c.t.Fatal(err)
	}
	if problems(resp.Diagnostics).failed() {
		return planned{}, resp.Diagnostics
	}
	out := planned{config: value, value: c.decode(typ, resp.PlannedState), private: resp.PlannedPrivate, identity: resp.PlannedIdentity,
		replace: len(resp.RequiresReplace) > 0 && !prior.value.IsNull()}
	out.noop = !state.tainted && out.value.Equal(state.value)
	c.checkPlan(typ, out, prior)
	return out, resp.Diagnostics
}

// proposed merges the configuration into the state as Terraform does.
func (c *core) proposed(typ string, config, prior tftypes.Value) tftypes.Value {
	if config.IsNull() || prior.IsNull() {
		return config
	}
	values, old := members(c.t, config), members(c.t, prior)
	for _, a := range c.schemas[typ].Block.Attributes {
		if a.Computed && values[a.Name].IsNull() {
			values[a.Name] = old[a.Name]
		}
	}
	return tftypes.NewValue(config.Type(), values)
}

// checkPlan is Terraform's own check: a configured value is planned as it is or
// as it was, others only where eNMS fills them in.
func (c *core) checkPlan(typ string, p planned, prior resourceState) {
	c.t.Helper()
	if p.config.IsNull() {
		return
	}
	config, plan, old := members(c.t, p.config), members(c.t, p.value), map[string]tftypes.Value{}
	if !prior.value.IsNull() {
		old = members(c.t, prior.value)
	}
	for _, a := range c.schemas[typ].Block.Attributes {
		switch v := plan[a.Name]; {
		case v.Equal(config[a.Name]), config[a.Name].IsNull() && a.Computed, v.IsNull() && a.WriteOnly, a.NestedType != nil && fills(c.t, config[a.Name], v):
		case len(old) > 0 && v.Equal(old[a.Name]) && !v.IsNull() && !config[a.Name].IsNull():
		default:
			c.t.Fatalf("Terraform would refuse the plan of %s: %s, planned %s", a.Name, config[a.Name], v)
		}
	}
}

// fills tells whether a map of objects is planned as it is configured, but for what
// the objects leave out.
func fills(t testing.TB, config, plan tftypes.Value) bool {
	t.Helper()
	if !config.IsKnown() || config.IsNull() || plan.IsNull() {
		return false
	}
	planned := members(t, plan)
	for key, object := range members(t, config) {
		fields := members(t, planned[key])
		for name, v := range members(t, object) {
			if !v.IsNull() && !v.Equal(fields[name]) {
				return false
			}
		}
	}
	return true
}

// apply plans and applies; config is nil for a destroy. The state is what
// Terraform would keep, whatever went wrong.
func (c *core) apply(typ string, config attributes, state resourceState) (resourceState, problems) {
	c.t.Helper()
	if !c.sameRun {
		c.configure()
	}
	return c.inOneRun().applyInRun(typ, config, state)
}

// applyInRun is apply in a run that has begun.
func (c *core) applyInRun(typ string, config attributes, state resourceState) (resourceState, problems) {
	c.t.Helper()
	p, diags := c.plan(typ, config, state)
	if diags.failed() || p.noop {
		return state, diags
	}
	if config != nil && (p.replace || state.tainted) {
		// Terraform plans what it replaces anew, and hands the private state of that plan to
		// the destruction: of a tainted resource there is none.
		private := state.private
		if state.tainted {
			private = nil
		}
		destroyed, more := c.applyInRun(typ, nil, resourceState{state.value, private, false, state.identity})
		if more.failed() {
			return resourceState{destroyed.value, destroyed.private, state.tainted, destroyed.identity}, more
		}
		return c.applyInRun(typ, config, destroyed)
	}
	resp, err := c.server.ApplyResourceChange(context.Background(), &tfprotov6.ApplyResourceChangeRequest{TypeName: typ,
		PriorState: c.encode(state.value), PlannedState: c.encode(p.value), Config: c.encode(p.config), PlannedPrivate: p.private, PlannedIdentity: p.identity})
	if err != nil {
		c.t.Fatal(err)
	}
	diags = append(diags, resp.Diagnostics...)
	next := resourceState{value: c.decode(typ, resp.NewState), private: resp.Private, identity: resp.NewIdentity}
	if diags.failed() {
		next.tainted = state.value.IsNull() && !next.value.IsNull()
		return next, diags
	}
	c.checkApply(p, next)
	return next, diags
}

// checkApply is Terraform's own check: what was known in the plan is so.
func (c *core) checkApply(p planned, next resourceState) {
	c.t.Helper()
	if p.value.IsNull() {
		return
	}
	got := members(c.t, next.value)
	for name, want := range members(c.t, p.value) {
		if want.IsFullyKnown() && !got[name].Equal(want) {
			c.t.Fatalf("Terraform would find an inconsistent result for %s: %s, planned %s", name, got[name], want)
		}
		if !got[name].IsFullyKnown() {
			c.t.Fatalf("%s is unknown after the apply", name)
		}
	}
}

// validate checks a configuration by itself.
func (c *core) validate(typ string, config attributes) problems {
	c.t.Helper()
	resp, err := c.server.ValidateResourceConfig(context.Background(), &tfprotov6.ValidateResourceConfigRequest{TypeName: typ,
		Config:             c.encode(objectOf(c.t, c.schemas[typ], config)),
		ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{WriteOnlyAttributesAllowed: true}})
	if err != nil {
		c.t.Fatal(err)
	}
	return resp.Diagnostics
}

// applied applies a configuration and fails the test when that fails.
func (c *core) applied(typ string, config attributes, state resourceState) resourceState {
	c.t.Helper()
	state, diags := c.apply(typ, config, state)
	if diags.failed() {
		c.t.Fatal(diags)
	}
	return state
}

// refreshed reads a resource and fails the test when that fails.
func (c *core) refreshed(typ string, state resourceState) resourceState {
	c.t.Helper()
	state, diags := c.refresh(typ, state)
	if diags.failed() {
		c.t.Fatal(diags)
	}
	return state
}

// importByName imports a resource and reads it.
func (c *core) importByName(typ, name string) (resourceState, problems) {
	c.t.Helper()
	return c.importBy(&tfprotov6.ImportResourceStateRequest{TypeName: typ, ID: name})
}

// importBy imports a resource and reads it.
func (c *core) importBy(req *tfprotov6.ImportResourceStateRequest) (resourceState, problems) {
	c.t.Helper()
	typ := req.TypeName
	resp, err := c.server.ImportResourceState(context.Background(), req)
	if err != nil {
		c.t.Fatal(err)
	}
	if problems(resp.Diagnostics).failed() {
		return c.none(typ), resp.Diagnostics
	}
	imported := resp.ImportedResources[0]
	return c.refresh(typ, resourceState{value: c.decode(typ, imported.State), private: imported.Private, identity: imported.Identity})
}

// members are the attributes of a value.
func members(t testing.TB, v tftypes.Value) map[string]tftypes.Value {
	t.Helper()
	out := map[string]tftypes.Value{}
	if err := v.As(&out); err != nil {
		t.Fatal(err)
	}
	return maps.Clone(out) // As hands out the value's own map
}

// text is a string attribute of the state.
func (r resourceState) text(t testing.TB, name string) string {
	t.Helper()
	var s *string
	if err := members(t, r.value)[name].As(&s); err != nil || s == nil {
		return ""
	}
	return *s
}

func (p problems) failed() bool {
	return slices.ContainsFunc(p, func(d *tfprotov6.Diagnostic) bool { return d.Severity == tfprotov6.DiagnosticSeverityError })
}

func (p problems) warned() bool {
	return slices.ContainsFunc(p, func(d *tfprotov6.Diagnostic) bool { return d.Severity == tfprotov6.DiagnosticSeverityWarning })
}

// String is all that the diagnostics say, with the attribute that each is on.
func (p problems) String() string {
	var b strings.Builder
	for _, d := range p {
		fmt.Fprintf(&b, "%s: %s [%s]: %s\n", d.Severity, d.Summary, d.Attribute, d.Detail)
	}
	return b.String()
}
