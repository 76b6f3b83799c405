// The calls of the protocol for one resource or data source.

package terraformtest

import (
	"context"
	"runtime/debug"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// Provider starts processes of a provider, which all have the same schema.
type Provider struct {
	start  func() (tfprotov6.ProviderServer, error)
	schema func() (*tfprotov6.GetProviderSchemaResponse, error)

	// valid and upgraded hold what the processes have answered to validations and upgrades, which depend on
	// the question alone, by type and question: Terraform asks the same in each walk.
	valid, upgraded sync.Map
}

// NewProvider returns a provider that a function starts.
func NewProvider(start func() (tfprotov6.ProviderServer, error)) *Provider {
	return &Provider{start: start, schema: sync.OnceValues(func() (*tfprotov6.GetProviderSchemaResponse, error) {
		server, err := start()
		if err != nil {
			return nil, err
		}
		return server.GetProviderSchema(context.Background(), &tfprotov6.GetProviderSchemaRequest{})
	})}
}

// Started returns the process of a provider whose server the caller has started.
func (p *Provider) Started(server tfprotov6.ProviderServer) (*Process, error) {
	schema, err := p.schema()
	return &Process{Server: server, Schema: schema, provider: p}, err
}

// Process is a provider that runs.
type Process struct {
	Server tfprotov6.ProviderServer
	Schema *tfprotov6.GetProviderSchemaResponse

	provider *Provider
}

// Configure configures the provider, as Terraform does before each walk through its graph.
func (p *Process) Configure(ctx context.Context, block tftypes.Value) Problems {
	resp, err := p.Server.ConfigureProvider(ctx, &tfprotov6.ConfigureProviderRequest{TerraformVersion: "1.11.4", Config: Encode(block)})
	if err != nil {
		return Problem("Error", "%v", err)
	}
	return resp.Diagnostics
}

// stop ends the process.
func (p *Process) stop() {
	_, _ = p.Server.StopProvider(context.Background(), &tfprotov6.StopProviderRequest{})
}

// typeOf returns the type of a resource's values.
func (p *Process) typeOf(typ string) tftypes.Type { return p.Schema.ResourceSchemas[typ].ValueType() }

// null returns the value of a resource that does not exist.
func (p *Process) null(typ string) tftypes.Value { return tftypes.NewValue(p.typeOf(typ), nil) }

// upgrade passes an object through JSON, as in the file of a state, and has the provider upgrade it.
func (p *Process) upgrade(ctx context.Context, typ string, o *Object) (*Object, Problems) {
	value := ctyValue(o.Value)
	written, err := ctyjson.Marshal(value, ctyType(p.typeOf(typ)))
	if err != nil {
		panic(err)
	}
	upgraded := *o
	if known, is := p.provider.upgraded.Load(question{typ, string(written)}); is {
		upgraded.Value = known.(tftypes.Value)
		return &upgraded, nil
	}
	resp, err := p.Server.UpgradeResourceState(ctx, &tfprotov6.UpgradeResourceStateRequest{TypeName: typ,
		Version: p.Schema.ResourceSchemas[typ].Version, RawState: &tfprotov6.RawState{JSON: written}})
	if err != nil {
		return o, Problem("Error", "%v", err)
	}
	if Problems(resp.Diagnostics).Failed() {
		return o, resp.Diagnostics
	}
	upgraded.Value = Decode(p.typeOf(typ), resp.UpgradedState)
	if len(resp.Diagnostics) == 0 {
		p.provider.upgraded.Store(question{typ, string(written)}, upgraded.Value)
	}
	return &upgraded, resp.Diagnostics
}

// question is what a provider is asked of a type.
type question struct{ typ, content string }

// Refresh reads a resource. It returns nil if the resource is gone.
func (p *Process) Refresh(ctx context.Context, typ string, o *Object) (*Object, Problems) {
	resp, err := p.Server.ReadResource(ctx, &tfprotov6.ReadResourceRequest{
		TypeName: typ, CurrentState: Encode(o.Value), Private: o.Private, CurrentIdentity: o.Identity})
	if err != nil {
		return o, Problem("Error", "%v", err)
	}
	if Problems(resp.Diagnostics).Failed() {
		return o, resp.Diagnostics
	}
	read := *o
	read.Value, read.Private, read.Identity = Decode(p.typeOf(typ), resp.NewState), resp.Private, resp.NewIdentity
	if read.Value.IsNull() {
		return nil, resp.Diagnostics
	}
	return &read, resp.Diagnostics
}

// ImportAndRead imports a resource and reads it.
func (p *Process) ImportAndRead(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*Object, Problems) {
	resp, err := p.Server.ImportResourceState(ctx, req)
	if err != nil {
		return nil, Problem("Error", "%v", err)
	}
	diags := Problems(resp.Diagnostics)
	if diags.Failed() {
		return nil, diags
	}
	imported := resp.ImportedResources[0]
	read, found := p.Refresh(ctx, req.TypeName, &Object{Value: Decode(p.typeOf(req.TypeName), imported.State), Private: imported.Private, Identity: imported.Identity})
	diags = append(diags, found...)
	if diags.Failed() {
		return nil, diags
	}
	if read == nil {
		diags = append(diags, Problem("Cannot import non-existent remote object", "While attempting to import an existing object to %q, the provider detected that no object exists with the given id.", req.TypeName)...)
	}
	return read, diags
}

// Validate checks the configuration of a resource.
func (p *Process) Validate(ctx context.Context, typ string, config tftypes.Value) Problems {
	encoded := Encode(config)
	asked := question{typ, string(encoded.MsgPack)}
	if known, is := p.provider.valid.Load(asked); is {
		return known.(Problems)
	}
	resp, err := p.Server.ValidateResourceConfig(ctx, &tfprotov6.ValidateResourceConfigRequest{TypeName: typ, Config: encoded,
		ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{WriteOnlyAttributesAllowed: true}})
	if err != nil {
		return Problem("Error", "%v", err)
	}
	p.provider.valid.Store(asked, Problems(resp.Diagnostics))
	return resp.Diagnostics
}

// PlanChange validates and plans a configuration. For a creation, prior is nil, and private is that of
// the plan that has found that the resource must be replaced, if there is one.
func (p *Process) PlanChange(ctx context.Context, typ string, config tftypes.Value, prior *Object, private []byte) (Planned, Problems) {
	if diags := p.Validate(ctx, typ, config); diags.Failed() {
		return Planned{}, diags
	}
	if prior == nil {
		prior = &Object{Value: p.null(typ), Private: private}
	}
	schema := p.Schema.ResourceSchemas[typ]
	resp, err := p.Server.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{TypeName: typ,
		PriorState: Encode(prior.Value), Config: Encode(config), PriorPrivate: prior.Private, PriorIdentity: prior.Identity,
		ProposedNewState: Encode(Proposed(schema, config, prior.Value))})
	if err != nil {
		return Planned{}, Problem("Error", "%v", err)
	}
	diags := Problems(resp.Diagnostics)
	if diags.Failed() {
		return Planned{}, diags
	}
	planned := Planned{Value: Decode(p.typeOf(typ), resp.PlannedState), Private: resp.PlannedPrivate, Identity: resp.PlannedIdentity}
	if wrong := checkPlan(typ, schema, config, planned.Value, prior.Value); wrong.Failed() {
		return Planned{}, wrong
	}
	planned.Replace = requiresReplacement(resp.RequiresReplace, prior.Value, planned.Value)
	return planned, diags
}

// PlanDestroy plans a destruction.
func (p *Process) PlanDestroy(ctx context.Context, typ string, prior *Object) (Planned, Problems) {
	null := p.null(typ)
	resp, err := p.Server.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{TypeName: typ,
		PriorState: Encode(prior.Value), Config: Encode(null), PriorPrivate: prior.Private, PriorIdentity: prior.Identity,
		ProposedNewState: Encode(null)})
	if err != nil {
		return Planned{}, Problem("Error", "%v", err)
	}
	return Planned{Value: null, Private: resp.PlannedPrivate, Identity: resp.PlannedIdentity}, resp.Diagnostics
}

// Crashed is the summary of the error of a call that panics.
const Crashed = "The plugin crashed"

// ApplyChange creates, updates or destroys a resource. o is the object that Terraform keeps, also after an
// error; nil if there is none.
func (p *Process) ApplyChange(ctx context.Context, typ string, config tftypes.Value, prior *Object, plan Planned) (o *Object, diags Problems) {
	defer func() {
		if cause := recover(); cause != nil {
			o, diags = prior, Problem(Crashed, "%v\n%s", cause, debug.Stack())
		}
	}()
	before := p.null(typ)
	if prior != nil {
		before = prior.Value
	}
	resp, err := p.Server.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{TypeName: typ,
		PriorState: Encode(before), PlannedState: Encode(plan.Value), Config: Encode(config),
		PlannedPrivate: plan.Private, PlannedIdentity: plan.Identity})
	if err != nil {
		return prior, Problem("Error", "%v", err)
	}
	diags = Problems(resp.Diagnostics)
	next := Decode(p.typeOf(typ), resp.NewState)
	if !diags.Failed() {
		diags = append(diags, checkResult(typ, plan.Value, next)...)
	}
	switch {
	case next.IsNull() && diags.Failed():
		return prior, diags
	case next.IsNull():
		return nil, diags
	}
	o = &Object{Value: next, Private: resp.Private, Identity: resp.NewIdentity}
	if prior != nil {
		o.Dependencies = prior.Dependencies
	}
	if diags.Failed() {
		o.Tainted = prior == nil || prior.Tainted
	}
	return o, diags
}

// ReadData validates the configuration of a data source, and reads it.
func (p *Process) ReadData(ctx context.Context, typ string, config tftypes.Value) (tftypes.Value, Problems) {
	valueType := p.Schema.DataSourceSchemas[typ].ValueType()
	if diags := p.ValidateData(ctx, typ, config); diags.Failed() {
		return tftypes.NewValue(valueType, nil), diags
	}
	resp, err := p.Server.ReadDataSource(ctx, &tfprotov6.ReadDataSourceRequest{TypeName: typ, Config: Encode(config)})
	if err != nil {
		return tftypes.NewValue(valueType, nil), Problem("Error", "%v", err)
	}
	return Decode(valueType, resp.State), resp.Diagnostics
}

// ValidateData checks the configuration of a data source.
func (p *Process) ValidateData(ctx context.Context, typ string, config tftypes.Value) Problems {
	resp, err := p.Server.ValidateDataResourceConfig(ctx, &tfprotov6.ValidateDataResourceConfigRequest{TypeName: typ, Config: Encode(config)})
	if err != nil {
		return Problem("Error", "%v", err)
	}
	return resp.Diagnostics
}

// ValidateProvider checks the provider block.
func (p *Process) ValidateProvider(ctx context.Context, block tftypes.Value) Problems {
	resp, err := p.Server.ValidateProviderConfig(ctx, &tfprotov6.ValidateProviderConfigRequest{Config: Encode(block)})
	if err != nil {
		return Problem("Error", "%v", err)
	}
	return resp.Diagnostics
}

// schemaOf returns the schema of a block.
func (p *Process) schemaOf(b *block) *tfprotov6.Schema {
	if b.data {
		return p.Schema.DataSourceSchemas[b.typ]
	}
	return p.Schema.ResourceSchemas[b.typ]
}
