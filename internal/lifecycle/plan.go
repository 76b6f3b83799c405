// This file plans an instance: kind.NewPlan says what becomes of its attributes, and the
// checks here what eNMS and the other plans of the run have against it. Package protocol
// calls it in the framework's place.

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
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Planner plans the instances of a kind.
type Planner struct {
	kind     *kind.Kind
	kinds    []*kind.Kind
	provider func() *Provider
}

// NewPlanner returns the planner of a kind, which is one of kinds. provider returns the
// configured provider, nil while Terraform validates.
func NewPlanner(k *kind.Kind, kinds []*kind.Kind, provider func() *Provider) *Planner {
	return &Planner{kind: k, kinds: kinds, provider: provider}
}

// PlanRequest is what the plan of a creation or an update is made from.
type PlanRequest struct {
	Config kind.Values
	Prior  kind.Values // nil for a creation
	// Private are the fields of the private state by their keys.
	Private map[string][]byte
	// Again is set for the creation that follows the deletion in a replacement, which
	// Terraform plans after the replacement itself.
	Again bool
}

// Plan plans a creation, an update or a replacement.
func (p *Planner) Plan(ctx context.Context, req PlanRequest) (*kind.Plan, diag.Diagnostics) {
	config, prior := req.Config, req.Prior
	i := (&Instances{kind: p.kind, provider: p.provider()}).of(config)
	if i.provider.Ready() { // a read of the same run may show what eNMS was sent before
		i.provider.Client.AddSecrets(i.kind.SecretsOf(config))
	}
	plan, prior, diags := i.plan(ctx, config, prior, req.Private)
	of := sync.OnceValue(func() Fingerprint { return FingerprintOf(p.kind.TypeName(), value.ObjectOf(config)) })
	changes := &Changes{}
	i.planChange(changes, i.kind.Dependences(p.kinds), plan, prior)
	switch {
	case diags.HasError():
	case prior == nil:
		diags.Append(i.CheckType(ctx, value.Text(plan.Planned()[i.kind.SubtypeRow()]))...)
		diags.Append(i.CheckCreation(plan.Planned(), of())...)
		if req.Again {
			diags.Append(i.checkAdoption(plan.Planned(), of())...)
			break
		}
		diags.Append(i.CheckAdoption(plan.Planned())...)
		if !diags.HasError() && !config[kind.RowName].IsNull() {
			diags.Append(i.CheckName(ctx, plan.Planned())...)
		}
	case len(plan.Replaced()) > 0:
		i.Free(prior)
		diags.Append(i.CheckDeletion(prior)...)
		again := plan.Planned()[kind.RowName].Equal(prior[kind.RowName])
		diags.Append(i.warnOfLastTargets(ctx, Deletion{State: prior, Again: again})...)
	default:
		if !plan.Planned()[kind.RowName].Equal(prior[kind.RowName]) {
			i.Free(prior)
		}
		diags.Append(i.provider.CheckKept(func() []Held { return []Held{i.heldBy(of(), prior)} })...)
	}
	return plan, append(diags, i.meet(changes)...)
}

// PlanDeletion plans the deletion of what a state holds.
func (p *Planner) PlanDeletion(ctx context.Context, prior kind.Values) diag.Diagnostics {
	i, changes := (&Instances{kind: p.kind, provider: p.provider()}).of(prior), &Changes{}
	i.Free(prior)
	i.PlanDeletion(changes, prior, false)
	diags := slices.Concat(i.CheckPolicy(prior), i.meet(changes), i.CheckDeletion(prior))
	if !diags.HasError() {
		diags.Append(i.warnOfLastTargets(ctx, Deletion{State: prior})...)
	}
	return diags
}

// SawState notes the name in a state as Terraform stores it, in JSON.
func (p *Planner) SawState(state []byte) {
	p.provider().Saw(func() []Name {
		var members map[string]any
		if json.Unmarshal(state, &members) != nil {
			return nil // Reading it is an error.
		}
		name, _ := members[kind.RowName].(string)
		subtype, _ := members[p.kind.SubtypeRow()].(string)
		of := p.kind.For(kind.Values{p.kind.SubtypeRow(): tftypes.NewValue(tftypes.String, subtype)})
		return []Name{{of.Namespace, name}}
	})
}

// plan plans the attributes of an instance that is configured. before is the prior state,
// with the name and the id that the instance is known by.
func (r *Instances) plan(ctx context.Context, config, prior kind.Values, private privateFields) (plan *kind.Plan, before kind.Values, diags diag.Diagnostics) {
	diags = r.CheckPolicy(config)
	var kept Record
	if prior != nil {
		var damaged diag.Diagnostics
		kept, damaged = readRecord(ctx, private)
		diags.Append(damaged...)
	}
	if known, warning := r.Known(value.Text(config[kind.RowName]), prior, kept); known != nil {
		plan = r.kind.NewPlan(config, nil, nil, time.Now()) // the state holds what another instance has
		return plan, known, slices.Concat(diags, warning, plan.Diagnostics)
	}
	plan = r.kind.NewPlan(config, prior, kept.Managed, time.Now())
	if prior == nil && r.Adopts(plan.Planned()) {
		plan.ForgetCriteria()
	}
	if kept.Unfinished != nil {
		plan.Forget(kind.RowID) // so that there is something to do
	}
	if name := plan.Planned()[kind.RowName]; name.IsKnown() && kept.IsGone(value.Text(name)) {
		plan.Recreate()
	}
	diags.Append(plan.Diagnostics...)
	return plan, prior, diags
}

// Known returns the state of an instance for which a read took another one, which has its
// name by now, when the plan gives the name that it has itself, and a warning that says so;
// otherwise nil. Of the state, only the name and the id are those of the instance.
func (r *Instances) Known(planned string, state kind.Values, kept Record) (known kind.Values, diags diag.Diagnostics) {
	known = kept.known(planned, state)
	if known == nil {
		return nil, nil
	}
	name, now := value.Text(state[kind.RowName]), value.Text(known[kind.RowName])
	diags.AddAttributeWarning(path.Root(kind.RowName), fmt.Sprintf("The %s %q is already named %q", r.kind.Name, name, now),
		fmt.Sprintf("An interrupted apply has renamed it: %q has its id (%s). This apply continues with that instance. %q (id %s) is another instance and is not changed.",
			now, value.Text(known[kind.RowID]), name, value.Text(state[kind.RowID])))
	return known, diags
}
