// This file is the resource enms_service_run as Terraform calls it.

package operations

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/boolplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/dynamicplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
)

// rerun is the advice for a resource whose run failed, or whose end was not awaited.
const rerun = "Terraform has marked the resource as tainted: the next apply starts another run. To keep this one, run terraform untaint."

// NewResource returns the resource, for the provider's list.
func NewResource() resource.Resource { return &runResource{resources.Resource{Name: "service_run"}} }

type runResource struct{ resources.Resource }

// resourceModel is the resource's state.
type resourceModel struct {
	request
	Triggers types.Map    `tfsdk:"triggers"`
	Runtime  types.String `tfsdk:"runtime"`
	outcome
}

func (r *runResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	attributes := map[string]schema.Attribute{
		"triggers": schema.MapAttribute{Optional: true, ElementType: types.StringType,
			MarkdownDescription: "Any strings. When one of them changes, the service runs again. Use values that the run depends on, such as the source code of the service.",
			PlanModifiers:       []planmodifier.Map{mapplanmodifier.RequiresReplace()}},
	}
	maps.Copy(attributes, requestAttributes())
	maps.Copy(attributes, outcomeAttributes())
	resp.Schema = schema.Schema{
		MarkdownDescription: "Runs a service or a workflow when the resource is created, and again when an argument or `triggers` changes. If the run fails, the apply fails.",
		Attributes:          attributes,
	}
}

// requestAttributes returns the attributes of what to run and how to wait. A change of what to run
// starts another run; a change of how to wait does not.
func requestAttributes() map[string]schema.Attribute {
	targets := func(doc string) schema.Attribute {
		return schema.SetAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: doc, Validators: aTargets,
			PlanModifiers: []planmodifier.Set{setplanmodifier.RequiresReplace()}}
	}
	pause := func(doc, fallback string) schema.Attribute {
		return schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: doc, Validators: aDuration, Default: stringdefault.StaticString(fallback)}
	}
	return map[string]schema.Attribute{
		"service": schema.StringAttribute{Required: true, MarkdownDescription: docService, Validators: aName,
			PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()}},
		"devices":      targets(docDevices),
		"pools":        targets(docPools),
		"ip_addresses": targets(docAddresses),
		"parameters": schema.DynamicAttribute{Optional: true, MarkdownDescription: docParameters, Validators: anObject,
			PlanModifiers: []planmodifier.Dynamic{dynamicplanmodifier.RequiresReplace()}},
		"name": schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: docName + " If you configure a name, change it whenever another change makes the service run again.", Validators: aRunName,
			PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown(), stringplanmodifier.RequiresReplaceIfConfigured()}},
		"wait":          schema.BoolAttribute{Optional: true, Computed: true, MarkdownDescription: docWait, Default: booldefault.StaticBool(true)},
		"timeout":       pause(docTimeout, defaultTimeout),
		"poll_interval": pause(docInterval, defaultInterval),
	}
}

// outcomeAttributes returns the attributes of the outcome of a run.
func outcomeAttributes() map[string]schema.Attribute {
	text := func(doc string) schema.Attribute {
		return schema.StringAttribute{Computed: true, MarkdownDescription: doc, PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()}}
	}
	list := func(doc string) schema.Attribute {
		return schema.ListAttribute{Computed: true, ElementType: types.StringType, MarkdownDescription: doc}
	}
	return map[string]schema.Attribute{
		"runtime": text(docRuntime),
		"status":  text(docStatus),
		"success": schema.BoolAttribute{Computed: true, MarkdownDescription: docSuccess, PlanModifiers: []planmodifier.Bool{boolplanmodifier.UseStateForUnknown()}},
		"summary": schema.SingleNestedAttribute{Computed: true, MarkdownDescription: docSummary, PlanModifiers: []planmodifier.Object{objectplanmodifier.UseStateForUnknown()},
			Attributes: map[string]schema.Attribute{"success": list(docSucceeded), "failure": list(docFailed), "discard": list(docDiscarded)}},
		"result": text(docResult),
	}
}

// ModifyPlan refuses the plan of a run in another eNMS.
func (r *runResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	r.Provider.CheckAndRecordAddress(ctx, req, resp)
}

// Create starts the run and waits for it, unless the configuration says not to. The run is in the state
// as soon as it is known to have started.
func (r *runResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var planned resourceModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &planned)...)
	client := clientOf(r.Provider, &resp.Diagnostics)
	started := planned.start(ctx, client, &resp.Diagnostics)
	if started == nil {
		return
	}
	state, diags := planned.finish(ctx, client, started, nil, rerun)
	resp.Diagnostics.Append(diags...)
	planned.Name, planned.Runtime = types.StringValue(started.Name), types.StringValue(started.Runtime)
	planned.outcome = outcomeOf(ctx, state, &resp.Diagnostics)
	resp.Diagnostics.Append(resp.State.Set(ctx, planned)...)
	resp.Diagnostics.Append(r.Provider.RecordAddress(ctx, resp.Private)...)
}

// Update stores how to wait for the next run.
func (r *runResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	if !r.Provider.BelongsElsewhere(ctx, req.Private, &resp.Diagnostics) {
		resp.State.Raw = req.Plan.Raw
		resp.Diagnostics.Append(r.Provider.RecordAddress(ctx, resp.Private)...)
	}
}

// Read leaves the state as it is, because the outcome of a run does not change.
func (r *runResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	checkAddressOnRead(ctx, r.Provider, req, resp)
}

// checkAddressOnRead is the Read of a resource that has nothing to read. It returns an error if the state belongs to
// another eNMS, and otherwise records the address of this one.
func checkAddressOnRead(ctx context.Context, provider *resources.Provider, req resource.ReadRequest, resp *resource.ReadResponse) {
	if !provider.BelongsElsewhere(ctx, req.Private, &resp.Diagnostics) {
		resp.Diagnostics.Append(provider.RecordAddress(ctx, resp.Private)...)
	}
}

// Delete removes the run from the state, unless that belongs to another eNMS. The run stays in eNMS.
func (r *runResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	r.Provider.BelongsElsewhere(ctx, req.Private, &resp.Diagnostics)
}
