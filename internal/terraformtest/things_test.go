// A provider for the tests of the model: things, of which each call is noted.

package terraformtest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// things is the provider: a thing has a name, a note, a kind that cannot change, and an id.
type things struct {
	tfprotov6.ProviderServer

	mu     sync.Mutex
	made   map[string]tftypes.Value // by their ids
	calls  []string
	broken map[string]bool // names of things that cannot be created, or come out otherwise
}

var thing = tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{
	{Name: "id", Type: tftypes.String, Computed: true},
	{Name: "name", Type: tftypes.String, Required: true},
	{Name: "kind", Type: tftypes.String, Optional: true},
	{Name: "note", Type: tftypes.String, Optional: true},
}}}

func newThings() (*things, *Provider) {
	p := &things{made: map[string]tftypes.Value{}, broken: map[string]bool{}}
	return p, NewProvider(func() (tfprotov6.ProviderServer, error) { return p, nil })
}

func (p *things) note(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls = append(p.calls, fmt.Sprintf(format, args...))
}

// noted returns what was called since the last time.
func (p *things) noted() string {
	defer func() { p.calls = nil }()
	return strings.Join(p.calls, ", ")
}

func textOf(v tftypes.Value, name string) string {
	text, _ := GoValue(Members(v)[name]).(string)
	return text
}

func with(v tftypes.Value, name string, value any) tftypes.Value {
	members := Members(v)
	members[name] = tftypes.NewValue(tftypes.String, value)
	return tftypes.NewValue(v.Type(), members)
}

func (p *things) GetProviderSchema(context.Context, *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	return &tfprotov6.GetProviderSchemaResponse{Provider: &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{}},
		ResourceSchemas:   map[string]*tfprotov6.Schema{"test_thing": &thing},
		DataSourceSchemas: map[string]*tfprotov6.Schema{"test_thing": &thing}}, nil
}

func (p *things) ValidateProviderConfig(context.Context, *tfprotov6.ValidateProviderConfigRequest) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return &tfprotov6.ValidateProviderConfigResponse{}, nil
}

func (p *things) ConfigureProvider(context.Context, *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	p.note("configure")
	return &tfprotov6.ConfigureProviderResponse{}, nil
}

func (p *things) StopProvider(context.Context, *tfprotov6.StopProviderRequest) (*tfprotov6.StopProviderResponse, error) {
	return &tfprotov6.StopProviderResponse{}, nil
}

func (p *things) ValidateResourceConfig(_ context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	resp := &tfprotov6.ValidateResourceConfigResponse{}
	if textOf(decode(thing.ValueType(), req.Config), "name") == "invalid" {
		resp.Diagnostics = Problem("Invalid name", "A thing cannot be called so.")
		resp.Diagnostics[0].Attribute = tftypes.NewAttributePath().WithAttributeName("name")
	}
	return resp, nil
}

func (p *things) ValidateDataResourceConfig(context.Context, *tfprotov6.ValidateDataResourceConfigRequest) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	return &tfprotov6.ValidateDataResourceConfigResponse{}, nil
}

func (p *things) UpgradeResourceState(_ context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return &tfprotov6.UpgradeResourceStateResponse{UpgradedState: &tfprotov6.DynamicValue{JSON: req.RawState.JSON}}, nil
}

func (p *things) ReadResource(_ context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	made, is := p.made[textOf(decode(thing.ValueType(), req.CurrentState), "id")]
	if !is {
		made = tftypes.NewValue(thing.ValueType(), nil)
	}
	return &tfprotov6.ReadResourceResponse{NewState: encode(made)}, nil
}

func (p *things) PlanResourceChange(_ context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	planned, prior := decode(thing.ValueType(), req.ProposedNewState), decode(thing.ValueType(), req.PriorState)
	resp := &tfprotov6.PlanResourceChangeResponse{}
	if !planned.IsNull() && prior.IsNull() {
		planned = with(planned, "id", tftypes.UnknownValue)
	}
	if !prior.IsNull() {
		resp.RequiresReplace = []*tftypes.AttributePath{tftypes.NewAttributePath().WithAttributeName("kind")}
	}
	if textOf(planned, "note") == "planned otherwise" {
		planned = with(planned, "note", "otherwise")
	}
	resp.PlannedState = encode(planned)
	return resp, nil
}

func (p *things) ApplyResourceChange(_ context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	planned, prior := decode(thing.ValueType(), req.PlannedState), decode(thing.ValueType(), req.PriorState)
	name := textOf(planned, "name")
	switch {
	case planned.IsNull():
		p.note("delete %s", textOf(prior, "name"))
	case prior.IsNull():
		p.note("create %s", name)
	default:
		p.note("update %s", name)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.broken[name] {
		return &tfprotov6.ApplyResourceChangeResponse{NewState: req.PriorState, Diagnostics: Problem("Cannot create "+name, "It is broken.")}, nil
	}
	if !prior.IsNull() {
		delete(p.made, textOf(prior, "id"))
	}
	if !planned.IsNull() {
		if !Members(planned)["id"].IsKnown() {
			planned = with(planned, "id", "id of "+name)
		}
		if textOf(planned, "note") == "applied otherwise" {
			planned = with(planned, "note", "otherwise")
		}
		p.made[textOf(planned, "id")] = planned
	}
	return &tfprotov6.ApplyResourceChangeResponse{NewState: encode(planned)}, nil
}

func (p *things) ImportResourceState(_ context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	state := tftypes.NewValue(thing.ValueType(), map[string]tftypes.Value{"id": tftypes.NewValue(tftypes.String, req.ID), "name": tftypes.NewValue(tftypes.String, nil),
		"kind": tftypes.NewValue(tftypes.String, nil), "note": tftypes.NewValue(tftypes.String, nil)})
	return &tfprotov6.ImportResourceStateResponse{ImportedResources: []*tfprotov6.ImportedResource{{TypeName: req.TypeName, State: encode(state)}}}, nil
}

func (p *things) ReadDataSource(_ context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	config := decode(thing.ValueType(), req.Config)
	p.note("read %s", textOf(config, "name"))
	return &tfprotov6.ReadDataSourceResponse{State: encode(with(config, "id", "id of "+textOf(config, "name")))}, nil
}

// directory is a working directory with things.
type directory struct {
	*testing.T
	*Terraform
	things *things
}

func newDirectory(t *testing.T) directory {
	things, p := newThings()
	return directory{t, &Terraform{Provider: p}, things}
}

// planned returns what a plan says, or its errors.
func (d directory) planned(source string, o PlanOptions) (*Plan, string) {
	d.Helper()
	c, err := d.Provider.Parse(source, nil)
	if err != nil {
		d.Fatal(err)
	}
	p, found := d.Plan(d.Context(), c, o)
	if found.Failed() {
		return nil, found.Print(c)
	}
	return p, p.String()
}

// applied plans and applies, and returns what was called; then the plan must be empty.
func (d directory) applied(source string, o PlanOptions) string {
	d.Helper()
	p, said := d.planned(source, o)
	if p == nil {
		d.Fatal(said)
	}
	d.things.noted()
	if done := d.Apply(d.Context(), p); done.Found.Failed() {
		return done.Found.Print(p.config)
	}
	calls := d.things.noted()
	if again, said := d.planned(source, PlanOptions{Destroy: o.Destroy}); again == nil || !again.Empty() {
		d.Errorf("the next plan: %s", said)
	}
	d.things.noted()
	return calls
}

// outputs returns the outputs as JSON.
func (d directory) outputs() string {
	values := map[string]any{}
	for name, output := range d.StateJSON().Values.Outputs {
		values[name] = output.Value
	}
	written, err := json.Marshal(values)
	if err != nil {
		d.Fatal(err)
	}
	return string(written)
}

// addresses returns what is in the state.
func (d directory) addresses() string {
	return strings.Join(slices.Sorted(slices.Values(sortedKeys(d.State))), " ")
}
