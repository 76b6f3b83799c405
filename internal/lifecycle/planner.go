// This file plans the resources of the kinds. It speaks the plugin protocol itself: the
// plan that the framework makes first costs the square of the number of attributes, and
// kind.NewPlan replaces all of it.

package lifecycle

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Planner plans the resources of kinds.
type Planner struct {
	kinds     []*kind.Kind
	resources map[string]plannedResource // by their types in Terraform
	provider  func() *Provider
}

// plannedResource is the resource of a kind.
type plannedResource struct {
	kind *kind.Kind
	typ  func() tftypes.Type // of its states
}

// NewPlanner plans the resources of the kinds. provider gives the configured provider.
func NewPlanner(kinds []*kind.Kind, provider func() *Provider) *Planner {
	p := &Planner{kinds: kinds, resources: map[string]plannedResource{}, provider: provider}
	for _, k := range kinds {
		p.resources[k.TypeName()] = plannedResource{k, sync.OnceValue(func() tftypes.Type {
			return k.ResourceSchema().Type().TerraformType(context.Background())
		})}
	}
	return p
}

// Plans tells whether a type in Terraform is that of a kind's resource.
func (p *Planner) Plans(typ string) bool {
	_, is := p.resources[typ]
	return is
}

// Began notes that a call of Terraform is under way until end is called.
func (p *Planner) Began() (end func()) { return p.provider().Began() }

// ValidateResourceConfig checks a configuration by itself. What is only worth a warning, the
// plan says, which Terraform makes next.
func (p *Planner) ValidateResourceConfig(req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	resource := p.resources[req.TypeName]
	config, err := ValuesOfProtocol(req.Config, resource.typ())
	if err != nil || config == nil {
		return &tfprotov6.ValidateResourceConfigResponse{}, err
	}
	found := resource.kind.For(config).Validate(config)
	return &tfprotov6.ValidateResourceConfigResponse{Diagnostics: protocolDiagnostics(found)}, nil
}

// Applying notes that Terraform applies: what is planned from now on was planned before.
func (p *Planner) Applying() { p.provider().Applying() }

// PlanResourceChange plans what becomes of an instance. The private state stays as it is.
func (p *Planner) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	resource := p.resources[req.TypeName]
	resp := &tfprotov6.PlanResourceChangeResponse{
		PlannedState: req.ProposedNewState, PlannedPrivate: req.PriorPrivate, PlannedIdentity: req.PriorIdentity,
	}
	config, err := ValuesOfProtocol(req.Config, resource.typ())
	if err != nil {
		return nil, err
	}
	prior, err := ValuesOfProtocol(req.PriorState, resource.typ())
	if err != nil {
		return nil, err
	}
	if prior != nil && len(resp.PlannedPrivate) == 0 {
		resp.PlannedPrivate = []byte("{}") // by which the second half of a replacement is known
	}
	i, changes := &instances{kind: resource.kind, provider: p.provider()}, &Changes{}
	if config == nil { // it is to be deleted
		i = i.of(prior)
		i.free(prior)
		i.planDeletion(changes, prior, false)
		diags := slices.Concat(i.checkPolicy(prior), i.meet(changes), i.checkDeletion(prior))
		if !diags.HasError() {
			diags.Append(i.warnOfLastTargets(ctx, Deletion{State: prior})...)
		}
		resp.Diagnostics = protocolDiagnostics(diags)
		return resp, nil
	}
	i = i.of(config)
	of := sync.OnceValue(func() Fingerprint { return FingerprintOf(req.TypeName, tftypes.NewValue(resource.typ(), config)) })
	if i.provider.Ready() { // a read of the same run may show what eNMS was sent before
		i.provider.Client.AddSecrets(i.kind.SecretsOf(config))
	}
	plan, prior, diags := i.plan(ctx, config, prior, req.PriorPrivate)
	i.planChange(changes, i.kind.Dependences(p.kinds), plan, prior)
	switch {
	case diags.HasError():
	case prior == nil:
		diags.Append(i.checkTypeKnown(ctx, value.Text(plan.Planned()[i.kind.SubtypeRow()]))...)
		diags.Append(i.checkCreation(plan.Planned(), of())...)
		if len(req.PriorPrivate) > 0 { // it is replaced, and was planned before
			diags.Append(i.checkAdoption(plan.Planned(), of())...)
			break
		}
		diags.Append(i.checkAdoption(plan.Planned(), Fingerprint{})...)
		if !diags.HasError() && !config[kind.RowName].IsNull() {
			diags.Append(i.checkName(ctx, plan.Planned())...)
		}
	case len(plan.Replaced()) > 0:
		i.free(prior)
		diags.Append(i.checkDeletion(prior)...)
		again := plan.Planned()[kind.RowName].Equal(prior[kind.RowName])
		diags.Append(i.warnOfLastTargets(ctx, Deletion{State: prior, Again: again})...)
	default:
		if !plan.Planned()[kind.RowName].Equal(prior[kind.RowName]) {
			i.free(prior)
		}
		diags.Append(i.provider.CheckKept(func() []Held { return []Held{i.heldBy(of(), prior)} })...)
	}
	resp.Diagnostics = protocolDiagnostics(append(diags, i.meet(changes)...))
	for _, name := range slices.Sorted(slices.Values(plan.Replaced())) {
		resp.RequiresReplace = append(resp.RequiresReplace, ProtocolPath(path.Root(name)))
	}
	if resp.PlannedState, err = ProtocolValue(tftypes.NewValue(resource.typ(), plan.Planned())); err != nil {
		return nil, err
	}
	if identity := i.kind.IdentityOf(plan.Planned()); identity.IsFullyKnown() {
		resp.PlannedIdentity = &tfprotov6.ResourceIdentityData{}
		resp.PlannedIdentity.IdentityData, err = ProtocolValue(identity)
	}
	return resp, err
}

// plan plans an instance that is configured. private is the private state as the
// framework encodes it. before is the prior state, with the name and the id that the
// instance is known by.
func (r *instances) plan(ctx context.Context, config, prior kind.Values, private []byte) (plan *kind.Plan, before kind.Values, diags diag.Diagnostics) {
	diags = r.checkPolicy(config)
	var kept privateState
	if prior != nil {
		fields, damaged := decodePrivate(private)
		diags.Append(damaged...)
		kept, damaged = readPrivate(ctx, fields)
		diags.Append(damaged...)
	}
	if known := kept.known(value.Text(config[kind.RowName]), prior); known != nil {
		plan = r.kind.NewPlan(config, nil, nil, time.Now()) // the state holds what another instance has
		diags.Append(r.warnOfKnown(known, prior))
		return plan, known, append(diags, plan.Diagnostics...)
	}
	plan = r.kind.NewPlan(config, prior, kept.Managed, time.Now())
	if kept.Unfinished != nil {
		plan.Forget(kind.RowID) // so that there is something to do
	}
	if name := plan.Planned()[kind.RowName]; name.IsKnown() && (Kept{kept}).IsGone(value.Text(name)) {
		plan.Recreate()
	}
	diags.Append(plan.Diagnostics...)
	return plan, prior, diags
}

// warnOfKnown warns that the plan goes on with another instance than the state shows.
func (r *instances) warnOfKnown(known, state kind.Values) diag.Diagnostic {
	name, now := value.Text(state[kind.RowName]), value.Text(known[kind.RowName])
	return diag.NewAttributeWarningDiagnostic(path.Root(kind.RowName), fmt.Sprintf("The %s %q is called %q already", r.kind.Name, name, now),
		fmt.Sprintf("An apply that was interrupted has renamed it: %q has its id (%s). This apply goes on with that one. What is called %q now (id %s) is another one and stays as it is.",
			now, value.Text(known[kind.RowID]), name, value.Text(state[kind.RowID])))
}

// privateFields are the fields of the private state in a request of the plugin protocol: a
// JSON object that holds them in Base64, as the framework writes it.
type privateFields map[string][]byte

func decodePrivate(raw []byte) (fields privateFields, diags diag.Diagnostics) {
	if len(raw) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(raw, &fields); err != nil {
		diags.Append(damagedPrivate("", err))
	}
	return fields, diags
}

// GetKey is the field with a key, nil when there is none.
func (f privateFields) GetKey(_ context.Context, key string) ([]byte, diag.Diagnostics) {
	return f[key], nil
}
