// This file drives the provider over its protocol, one resource at a time and with configurations in Go: a plan and
// an apply cost a millisecond, so that tests can go through tables of hundreds of cases.

package acctest

import (
	"context"
	"maps"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/provider"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/terraformtest"
)

// ProviderWithoutWaits returns a provider that retries requests after a millisecond.
func ProviderWithoutWaits() *provider.Provider {
	return provider.NewWith("test", func(config *enms.Config) { config.RetryWait = time.Millisecond })
}

// Core plans and applies one resource at a time, as Terraform does.
type Core struct {
	T        testing.TB
	Provider tfprotov6.ProviderServer
	Schemas  map[string]*tfprotov6.Schema
	process  *terraformtest.Process
	block    tftypes.Value // of the provider
	// sameRun reports whether all operations belong to one run of Terraform. Otherwise each operation configures
	// the provider first, as a run of its own does.
	sameRun bool
}

// ResourceState is what Terraform keeps of a resource.
type ResourceState struct {
	Value    tftypes.Value // null when there is none
	Private  []byte
	Tainted  bool
	Identity *tfprotov6.ResourceIdentityData // nil before Terraform 1.12
}

// Problems are the diagnostics of a call.
type Problems = terraformtest.Problems

// NewCore configures a new provider.
func NewCore(t testing.TB, block Attributes) *Core {
	t.Helper()
	return NewCoreOf(t, provider.New("test"), block)
}

// NewCoreOf configures a given provider.
func NewCoreOf(t testing.TB, p *provider.Provider, block Attributes) *Core {
	t.Helper()
	c, diags := TryCore(t, p, block)
	if diags.Failed() {
		t.Fatal(diags)
	}
	return c
}

// TryCore configures a provider, and returns the diagnostics of the provider block.
func TryCore(t testing.TB, p *provider.Provider, block Attributes) (*Core, Problems) {
	t.Helper()
	server, err := provider.Serve(p)
	if err != nil {
		t.Fatal(err)
	}
	process, err := Modelled.Started(server)
	if err != nil {
		t.Fatal(err)
	}
	c := &Core{T: t, Provider: server, Schemas: process.Schema.ResourceSchemas, process: process, block: ObjectOf(t, process.Schema.Provider, block)}
	return c, c.Configure()
}

// Configure configures the provider, as Terraform does once in each run.
func (c *Core) Configure() Problems {
	c.T.Helper()
	return c.process.Configure(context.Background(), c.block)
}

// begin begins a run of Terraform for one operation, unless the operation belongs to a run that has begun.
func (c *Core) begin() {
	c.T.Helper()
	if !c.sameRun {
		c.Configure()
	}
}

// NewRun begins a run of Terraform and returns the provider for its operations.
func (c *Core) NewRun() *Core {
	c.T.Helper()
	c.Configure()
	return c.InOneRun()
}

// InOneRun returns the provider for operations of one run of Terraform.
func (c *Core) InOneRun() *Core {
	same := *c
	same.sameRun = true
	return &same
}

// Core returns a provider that is configured for the test's server.
func (s *Server) Core(settings Attributes) *Core {
	block := Attributes{"base_url": s.URL, "username": s.User, "password": s.Password}
	if len(s.Former) > 0 {
		block["former_base_urls"] = s.Former
	}
	maps.Copy(block, settings)
	return NewCore(s.T, block)
}

// PutUser makes a user with few rights, and returns a provider for this user. The user's group, NAME-g, allows the
// endpoints for instances and nothing else; ofGroup has further fields of the group.
func (s *Server) PutUser(name string, ofGroup enms.Object) *Core {
	s.T.Helper()
	s.Put("user", enms.Object{"name": name, "password": "pw"})()
	group := enms.Object{"name": name + "-g", "users": []string{s.Expand(name)}, "menu": []string{}, "pages": []string{}, "delete_requests": []string{"/rest/instance"},
		"get_requests": []string{"/rest/instance", "/rest/query"}, "post_requests": []string{"/rest/instance", "/rest/search"}}
	maps.Copy(group, ofGroup)
	s.Put("group", group)()
	return s.Core(Attributes{"username": s.Expand(name), "password": "pw"})
}

// Encode encodes a value for a request.
func (c *Core) Encode(v tftypes.Value) *tfprotov6.DynamicValue { return terraformtest.Encode(v) }

// Decode decodes the state of a resource of a type.
func (c *Core) Decode(typ string, d *tfprotov6.DynamicValue) tftypes.Value {
	return terraformtest.Decode(c.Schemas[typ].ValueType(), d)
}

// NoState returns the state of a resource that does not exist.
func (c *Core) NoState(typ string) ResourceState {
	return ResourceState{Value: tftypes.NewValue(c.Schemas[typ].ValueType(), nil)}
}

// Refresh reads a resource, as a plan does first.
func (c *Core) Refresh(typ string, state ResourceState) (ResourceState, Problems) {
	c.T.Helper()
	if state.Value.IsNull() {
		return state, nil
	}
	c.begin()
	read, diags := c.process.Refresh(context.Background(), typ, state.object())
	return c.stateOf(typ, read), diags
}

// object returns a state as Terraform has it, nil when there is none.
func (r ResourceState) object() *terraformtest.Object {
	if r.Value.IsNull() {
		return nil
	}
	return &terraformtest.Object{Value: r.Value, Private: r.Private, Tainted: r.Tainted, Identity: r.Identity}
}

// stateOf is the reverse of object.
func (c *Core) stateOf(typ string, o *terraformtest.Object) ResourceState {
	if o == nil {
		return c.NoState(typ)
	}
	return ResourceState{o.Value, o.Private, o.Tainted, o.Identity}
}

// Planned is what a plan makes of a configuration.
type Planned struct {
	Config, Value tftypes.Value
	Private       []byte
	Identity      *tfprotov6.ResourceIdentityData
	Replace       bool
	Noop          bool
}

// Plan validates and plans; config is nil for a destroy.
func (c *Core) Plan(typ string, config Attributes, state ResourceState) (Planned, Problems) {
	c.T.Helper()
	c.begin()
	if config == nil && state.Value.IsNull() {
		return Planned{Config: state.Value, Value: state.Value, Noop: true}, nil
	}
	if config == nil {
		planned, diags := c.process.PlanDestroy(context.Background(), typ, state.object())
		return Planned{Config: c.NoState(typ).Value, Value: planned.Value, Private: planned.Private, Identity: planned.Identity}, diags
	}
	value, prior := ObjectOf(c.T, c.Schemas[typ], config), state
	if state.Tainted {
		prior = c.NoState(typ)
	}
	planned, diags := c.process.PlanChange(context.Background(), typ, value, prior.object(), prior.Private)
	c.trust(diags)
	if diags.Failed() {
		return Planned{}, diags
	}
	return Planned{value, planned.Value, planned.Private, planned.Identity, planned.Replace, !state.Tainted && planned.Value.Equal(state.Value)}, diags
}

// trust fails the test if Terraform would blame the provider.
func (c *Core) trust(diags Problems) {
	c.T.Helper()
	for _, d := range diags {
		switch d.Summary {
		case terraformtest.InvalidPlan, terraformtest.InvalidResult, terraformtest.InconsistentResult, terraformtest.Crashed:
			c.T.Fatalf("%s: %s", d.Summary, d.Detail)
		}
	}
}

// Apply plans and applies; config is nil for a destroy. The state is what
// Terraform would keep, whatever went wrong.
func (c *Core) Apply(typ string, config Attributes, state ResourceState) (ResourceState, Problems) {
	c.T.Helper()
	c.begin()
	return c.InOneRun().applyInRun(typ, config, state)
}

// applyInRun is Apply in a run that has begun.
func (c *Core) applyInRun(typ string, config Attributes, state ResourceState) (ResourceState, Problems) {
	c.T.Helper()
	p, diags := c.Plan(typ, config, state)
	if diags.Failed() || p.Noop {
		return state, diags
	}
	if config != nil && (p.Replace || state.Tainted && !state.Value.IsNull()) {
		// Terraform plans what it replaces anew, and hands the private state of that plan to
		// the destruction: of a tainted resource there is none.
		private := state.Private
		if state.Tainted {
			private = nil
		}
		destroyed, more := c.applyInRun(typ, nil, ResourceState{state.Value, private, false, state.Identity})
		if more.Failed() {
			return ResourceState{destroyed.Value, destroyed.Private, state.Tainted, destroyed.Identity}, more
		}
		return c.applyInRun(typ, config, destroyed)
	}
	o, more := c.process.ApplyChange(context.Background(), typ, p.Config, state.object(),
		terraformtest.Planned{Value: p.Value, Private: p.Private, Identity: p.Identity})
	c.trust(more)
	return c.stateOf(typ, o), append(diags, more...)
}

// PlansNothing fails the test unless the plan of a configuration is empty.
func (c *Core) PlansNothing(typ string, config Attributes, state ResourceState) {
	c.T.Helper()
	if p, diags := c.Plan(typ, config, state); diags.Failed() || !p.Noop {
		c.T.Errorf("the plan of %s is not empty: %s\nstate %s\nplan  %s", typ, diags, state.Value, p.Value)
	}
}

// Validate checks a configuration by itself.
func (c *Core) Validate(typ string, config Attributes) Problems {
	c.T.Helper()
	return c.process.Validate(context.Background(), typ, ObjectOf(c.T, c.Schemas[typ], config))
}

// Applied applies a configuration and fails the test when that fails.
func (c *Core) Applied(typ string, config Attributes, state ResourceState) ResourceState {
	c.T.Helper()
	state, diags := c.Apply(typ, config, state)
	if diags.Failed() {
		c.T.Fatal(diags)
	}
	return state
}

// Refreshed reads a resource and fails the test when that fails.
func (c *Core) Refreshed(typ string, state ResourceState) ResourceState {
	c.T.Helper()
	state, diags := c.Refresh(typ, state)
	if diags.Failed() {
		c.T.Fatal(diags)
	}
	return state
}

// ImportByName imports a resource and reads it.
func (c *Core) ImportByName(typ, name string) (ResourceState, Problems) {
	c.T.Helper()
	return c.ImportBy(&tfprotov6.ImportResourceStateRequest{TypeName: typ, ID: name})
}

// Imported imports a resource by its name and fails the test when that fails.
func (c *Core) Imported(typ, name string) ResourceState {
	c.T.Helper()
	state, diags := c.ImportByName(typ, name)
	if diags.Failed() {
		c.T.Fatal(diags)
	}
	return state
}

// ImportBy imports a resource and reads it.
func (c *Core) ImportBy(req *tfprotov6.ImportResourceStateRequest) (ResourceState, Problems) {
	c.T.Helper()
	c.begin()
	imported, diags := c.process.ImportAndRead(context.Background(), req)
	return c.stateOf(req.TypeName, imported), diags
}

// Members returns the attributes of a value.
func Members(_ testing.TB, v tftypes.Value) map[string]tftypes.Value { return terraformtest.Members(v) }

// Text returns a string attribute of the state.
func (r ResourceState) Text(t testing.TB, name string) string {
	t.Helper()
	var s *string
	if err := Members(t, r.Value)[name].As(&s); err != nil || s == nil {
		return ""
	}
	return *s
}

// Identities returns the identity schemas by resource.
func (c *Core) Identities() map[string]*tfprotov6.ResourceIdentitySchema {
	c.T.Helper()
	resp, err := c.Provider.GetResourceIdentitySchemas(c.T.Context(), &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		c.T.Fatal(err)
	}
	return resp.IdentitySchemas
}

// NeededSettings returns a provider block with all that must be there, and more.
func NeededSettings(more Attributes) Attributes {
	block := Attributes{"base_url": "http://127.0.0.1:1", "username": "u", "password": "p"}
	maps.Copy(block, more)
	return block
}
