// This file is the resource enms_pools_update and the action enms_update_pools, which make eNMS compute
// the members of its pools. eNMS does not do so by itself when devices and links are written over REST
// (enms-rest.md 2.4).

package operations

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/action"
	actionschema "github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
)

const poolsDescription = "Requests the computation of the members of all pools with criteria. eNMS does not compute them when devices and links are written with its REST interface, as Terraform does."

// NewPoolsUpdate returns the resource, for the provider's list.
func NewPoolsUpdate() resource.Resource {
	return &updateResource{resources.Resource{Name: "pools_update"}}
}

type updateResource struct{ resources.Resource }

func (r *updateResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: poolsDescription,
		Attributes: map[string]schema.Attribute{
			"triggers": schema.MapAttribute{Optional: true, ElementType: types.StringType,
				MarkdownDescription: "Any strings. When one of them changes, the members are computed again. Use values that the pools depend on, such as attributes of devices."},
		},
	}
}

// ModifyPlan refuses the plan of an update of the pools in another eNMS.
func (r *updateResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	r.Provider.CheckAndRecordAddress(ctx, req, resp)
}

func (r *updateResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	if resp.Diagnostics.Append(compute(ctx, r.Provider)...); !resp.Diagnostics.HasError() {
		resp.State.Raw = req.Plan.Raw
		resp.Diagnostics.Append(r.Provider.RecordAddress(ctx, resp.Private)...)
	}
}

func (r *updateResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	if r.Provider.BelongsElsewhere(ctx, req.Private, &resp.Diagnostics) {
		return
	}
	if resp.Diagnostics.Append(compute(ctx, r.Provider)...); !resp.Diagnostics.HasError() {
		resp.State.Raw = req.Plan.Raw
		resp.Diagnostics.Append(r.Provider.RecordAddress(ctx, resp.Private)...)
	}
}

// compute requests the computation of all members. The request is shared with pools that need the
// computation at the same time.
func compute(ctx context.Context, provider *resources.Provider) (diags diag.Diagnostics) {
	if client := provider.Configured(&diags); client != nil {
		if err := client.Recompute(ctx, "update_all_pools"); err != nil {
			diags.Append(failures.Diagnostic("Cannot compute the members of pools", err))
		}
	}
	return diags
}

// Read leaves the state as it is: there is nothing in eNMS to read.
func (r *updateResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	checkAddressOnRead(ctx, r.Provider, req, resp)
}

// Delete removes the resource from the state, unless that belongs to another eNMS.
func (r *updateResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	r.Provider.BelongsElsewhere(ctx, req.Private, &resp.Diagnostics)
}

// NewPoolsAction returns the action, for the provider's list.
func NewPoolsAction() action.Action { return &updateAction{resources.Action{Name: "update_pools"}} }

type updateAction struct{ resources.Action }

func (a *updateAction) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	resp.Schema = actionschema.Schema{MarkdownDescription: poolsDescription}
}

// Invoke has all members computed.
func (a *updateAction) Invoke(ctx context.Context, _ action.InvokeRequest, resp *action.InvokeResponse) {
	resp.SendProgress(action.InvokeProgressEvent{Message: "eNMS computes the members of its pools"})
	resp.Diagnostics.Append(compute(ctx, a.Provider)...)
}
