// This file plans an instance: package plans plans its attributes, and package planning checks the plan against
// eNMS.

package instance

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/payloads"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/planning"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// PlanRequest holds what the plan of a creation or an update depends on.
type PlanRequest struct {
	Config kind.Values
	Prior  kind.Values // nil for a creation
	Record record.Record
	Again  bool // it is the creation in a replacement, which Terraform plans after the replacement itself, without the state
}

// Plan plans a creation, an update or a replacement.
func (l *Lifecycle) Plan(ctx context.Context, req PlanRequest) (*kind.Plan, diag.Diagnostics) {
	i, private := l.of(req.Config), req.Record
	config, prior := plans.WithDefaults(i.Kind, req.Config, i.Defaults()), plans.WithAllProperties(req.Prior)
	if i.Provider.Ready() { // a response in the same run may echo a secret that was sent before
		i.Provider.Client.AddSecrets(payloads.Secrets(i.Kind, config))
	}
	_, diags := i.Provider.CheckAddress(private.Server())
	wrongServer := diags.HasError()
	if !wrongServer { // what another server forces says nothing about this instance
		var failed diag.Diagnostics
		config, failed = i.Checker.WithForced(ctx, config, prior)
		diags = append(diags, failed...)
	}
	plan, found := i.plan(config, prior, private)
	defer plans.ShowDefaults(plan, req.Config, req.Prior, i.Defaults()) // after the checks, which need the defaults
	configured := value.Members(req.Config[kind.RowProperties])
	diags = plans.OwnFindings(append(diags, found...), func(property string) bool { return configured[property] != nil })
	if !diags.HasError() {
		diags.Append(i.checkPlan(ctx, plan, config, private, req.Again)...)
	}
	i.Checker.AddPlanned(plan.Planned) // also after an error: what refers to it is right
	if !diags.HasError() {
		diags.Append(i.Checker.CheckReferences(ctx, plan.Planned, prior)...)
	}
	return plan, diags
}

// checkPlan checks a plan against eNMS, and records what it changes for the plans of other resources.
func (r *Instances) checkPlan(ctx context.Context, plan *kind.Plan, config kind.Values, private record.Record, again bool) diag.Diagnostics {
	planned, prior := plan.Planned, plan.Prior
	diags := append(r.Checker.CheckCriteria(ctx, planned, prior), r.Checker.CheckLine(ctx, config)...)
	if diags.HasError() {
		return diags
	}
	switch {
	case prior == nil:
		diags.Append(r.planCreation(ctx, config, planned, again)...)
	case len(plan.Replaced) > 0:
		diags.Append(r.Checker.CheckIdentityToDelete(prior, private)...)
		diags.Append(r.planReplacement(ctx, planned, prior)...)
	case payloads.Update(r.Kind, config, planned, prior) != nil:
		diags.Append(r.Checker.CheckIdentityToUpdate(ctx, planned, prior, private)...)
	}
	if !diags.HasError() {
		diags.Append(r.Checker.CheckAndRecordTargets(ctx, plan)...)
	}
	return diags
}

// planCreation checks the plan of a creation. again is set for the second half of a replacement.
func (r *Instances) planCreation(ctx context.Context, config, planned kind.Values, again bool) diag.Diagnostics {
	diags := r.CheckType(ctx, value.Text(planned[r.Kind.SubtypeRow()]))
	switch {
	case again:
		r.Checker.AddReplaced(planned) // with -replace, Terraform plans an update first, which has not recorded it
	case !diags.HasError() && !config[kind.RowName].IsNull():
		diags.Append(r.Checker.CheckName(ctx, planned)...)
	}
	return diags
}

// planReplacement checks the plan of a replacement, whose second half Terraform plans as a creation.
func (r *Instances) planReplacement(ctx context.Context, planned, prior kind.Values) diag.Diagnostics {
	r.Checker.AddReplaced(prior)
	return r.Checker.LastTargets(ctx, planning.Deletion{State: prior, Again: planned[kind.RowName].Equal(prior[kind.RowName])})
}

// PlanDeletion plans the deletion of the instance of a state. Only the deletion itself is refused because of dependents
// (dependents.go): the same apply may delete them first.
func (l *Lifecycle) PlanDeletion(ctx context.Context, prior kind.Values, private record.Record) diag.Diagnostics {
	i := l.of(prior)
	other, diags := i.Provider.CheckAddress(private.Server())
	if other {
		return diags
	}
	diags = append(i.Checker.CheckPolicy(prior), i.Checker.CheckIdentityToDelete(prior, private)...)
	if !diags.HasError() {
		var others diag.Diagnostics
		var asking sync.WaitGroup // both at once, so that their requests are shared with the plans of other resources
		asking.Go(func() { others = i.deletionOf(prior, private).warnOfOthers(ctx) })
		diags.Append(i.Checker.LastTargets(ctx, planning.Deletion{State: prior})...)
		asking.Wait()
		diags.Append(others...)
	}
	return diags
}

// plan plans the attributes of an instance that is configured.
func (r *Instances) plan(config, prior kind.Values, private record.Record) (plan *kind.Plan, diags diag.Diagnostics) {
	diags = r.Checker.CheckPolicy(config)
	if private.Moved && r.Provider.Ready() { // there was no read between the move and the plan
		diags.AddError(fmt.Sprintf("Cannot move %s %q without reading it", r.Kind.Name, value.Text(prior[kind.RowName])),
			"A moved block from another type of resource takes only the name from the state. Plan without -refresh=false.")
	}
	plan = plans.New(r.Kind, config, prior, private.Managed, time.Now())
	if prior == nil {
		plans.SetNameUnknown(plan)
		if r.Provider.MayAdopt(plan.Planned) {
			plans.SetDefaultsUnknown(plan)
		}
	}
	if prior == nil && r.Provider.Adopts(plan.Planned) {
		plans.SetUnknownForAdoption(plan)
	} else {
		plans.WarnOfMissing(plan)
	}
	if private.Unfinished != nil {
		plan.SetUnknown(kind.RowID) // so that the plan has a change
	}
	if prior != nil && r.Checker.GoesWithReplaced(plan.Planned, prior) {
		plan.Recreate()
	}
	return plan, append(diags, plan.Diagnostics...)
}
