// This file adopts existing instances.

package lifecycle

import (
	"context"
	"errors"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// findAdoptable returns the existing instance with the planned name if it is to be adopted:
// because adopt_existing is set, or because another resource of this run has just left it in
// eNMS. It returns nil if there is none.
func (r *Instances) findAdoptable(ctx context.Context, config, planned kind.Values) (existing kind.Values, err error) {
	name := value.Text(planned[kind.RowName])
	left := r.left(name)
	if left == nil && !r.Adopts(planned) {
		return nil, nil
	}
	existing, err = r.readExisting(ctx, name, config)
	id := value.Text(existing[kind.RowID])
	if errors.Is(err, enms.ErrNotFound) || err == nil && !r.Adopts(planned) && left.id != "" && left.id != id {
		return nil, nil // The creation fails if another, or another spelling, takes the name.
	}
	if err == nil {
		err = r.checkOwner(name, id)
	}
	return existing, err
}

// left returns the object with a name that a resource of this run has left in eNMS, or nil.
func (r *Instances) left(name string) *object {
	if known := r.known(name, ""); known != nil && known.fate == fateLeft {
		return known
	}
	return nil
}

// adopt adopts an existing instance: it writes the values that differ from the configuration,
// and no others.
func (r *Instances) adopt(ctx context.Context, config, planned, existing kind.Values) (
	state kind.Values, kept Record, diags diag.Diagnostics) {
	wanted := config
	if left := r.left(value.Text(planned[kind.RowName])); left != nil {
		wanted = r.kind.SwitchedOn(config, left.state)
	}
	plan := r.kind.PlanAdoption(wanted, planned, existing, time.Now())
	if plan.Diagnostics.HasError() {
		return nil, kept, plan.Diagnostics
	}
	result, diags := r.update(ctx, config, plan.Planned(), existing, Record{})
	if diags.HasError() && value.Text(result.state[kind.RowID]) == value.Text(existing[kind.RowID]) {
		return nil, kept, diags
	}
	return r.kind.WithPlannedCriteria(result.state, planned), Record{Unfinished: result.unfinished, Adopted: r.Adopts(planned)}, diags
}
