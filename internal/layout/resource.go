// This file is the resource as Terraform calls it.

package layout

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/lifecycle"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// New returns the resource, for the provider's list.
func New() resource.Resource { return &layoutResource{} }

type layoutResource struct {
	provider *lifecycle.Provider
}

var (
	_ resource.ResourceWithConfigure   = (*layoutResource)(nil)
	_ resource.ResourceWithImportState = (*layoutResource)(nil)
)

// model is the resource's state.
type model struct {
	Workflow  types.String             `tfsdk:"workflow"`
	Positions map[string]positionModel `tfsdk:"positions"`
}

type positionModel struct {
	X types.Number `tfsdk:"x"`
	Y types.Number `tfsdk:"y"`
}

// position returns what the model says, as eNMS keeps it.
func (m positionModel) position() position {
	return position{coordinate(m.X), coordinate(m.Y)}
}

func coordinate(n types.Number) json.Number {
	written, _ := value.ToJSON(tftypes.NewValue(tftypes.Number, n.ValueBigFloat())).(json.Number)
	return written
}

// modelOf is the opposite of position. It is not ok for numbers that no computer holds.
func modelOf(p position) (m positionModel, ok bool) {
	var x, y big.Float
	ok = value.FromJSON(p.x).As(&x) == nil && value.FromJSON(p.y).As(&y) == nil
	return positionModel{types.NumberValue(&x), types.NumberValue(&y)}, ok
}

func (r *layoutResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_workflow_layout"
}

func (r *layoutResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The positions of the services of a workflow in eNMS's Workflow Builder.",
		Attributes: map[string]schema.Attribute{
			"workflow": schema.StringAttribute{Required: true, MarkdownDescription: "The full name of the workflow."},
			"positions": schema.MapNestedAttribute{Required: true, Validators: []validator.Map{mapvalidator.SizeAtLeast(1)},
				MarkdownDescription: "The positions of services of the workflow, by their full names, including `[Shared] Start` and `[Shared] End`. Services that are not listed are not moved, and their positions are ignored. The function `workflow_layout` computes positions from edges.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"x": schema.NumberAttribute{Required: true, MarkdownDescription: "The horizontal position in pixels; it increases to the right."},
					"y": schema.NumberAttribute{Required: true, MarkdownDescription: "The vertical position in pixels; it increases downwards."},
				}}},
		},
	}
}

func (r *layoutResource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	r.provider = lifecycle.ProviderOf(req.ProviderData, &resp.Diagnostics)
}

func (r *layoutResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	resp.Diagnostics.Append(r.apply(ctx, req.Plan, &resp.State, resp.Private)...)
}

func (r *layoutResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	resp.Diagnostics.Append(r.apply(ctx, req.Plan, &resp.State, resp.Private)...)
}

// idKey is the key in the private state of the id of the workflow, by which it is found
// after somebody has renamed it.
const idKey = "workflow_id"

// privateData is the private state in Terraform's requests and responses.
type privateData interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// apply writes what is planned, and notes it in the state.
func (r *layoutResource) apply(ctx context.Context, plan tfsdk.Plan, state *tfsdk.State, private privateData) diag.Diagnostics {
	var planned model
	diags := plan.Get(ctx, &planned)
	if !diags.HasError() {
		diags.Append(r.write(ctx, planned)...)
	}
	if !diags.HasError() {
		diags.Append(state.Set(ctx, planned)...)
		// Without the id, which the next read looks for again, only renames are not followed.
		if _, id, err := current(ctx, r.provider.Client, planned.Workflow.ValueString(), ""); err == nil {
			diags.Append(keepID(ctx, private, id)...)
		}
	}
	return diags
}

// write moves the services to where they are planned.
func (r *layoutResource) write(ctx context.Context, planned model) (diags diag.Diagnostics) {
	client := r.provider.Configured(&diags)
	if client == nil {
		return diags
	}
	workflow, wanted := planned.Workflow.ValueString(), positions{}
	for name, p := range planned.Positions {
		wanted[name] = p.position()
	}
	err := write(ctx, client, workflow, wanted)
	summary := fmt.Sprintf("Cannot lay out workflow %q", workflow)
	if missing := (*notMemberError)(nil); errors.As(err, &missing) {
		for _, name := range missing.services {
			diags.AddAttributeError(path.Root("positions").AtMapKey(name), summary,
				fmt.Sprintf("It has no service %q. Nothing was moved. Use the full name, such as %q, and a reference to the service, so that Terraform creates it first.", name, "["+workflow+"] Service"))
		}
		return diags
	}
	if errors.Is(err, errNoWorkflow) {
		diags.AddAttributeError(path.Root("workflow"), summary, "There is no workflow with that name that this user may read. Names are case-sensitive.")
		return diags
	}
	if err != nil {
		diags.Append(lifecycle.Diagnostic(summary, err))
	}
	return diags
}

// Read gives the positions that eNMS has of the services that the state names.
func (r *layoutResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state model
	if resp.Diagnostics.Append(req.State.Get(ctx, &state)...); resp.Diagnostics.HasError() || !r.provider.Ready() {
		return
	}
	was := state.Workflow.ValueString()
	workflow, id, err := current(ctx, r.provider.Client, was, keptID(ctx, req.Private))
	var members map[string]*position
	if err == nil {
		members, err = read(ctx, r.provider.Client, workflow)
	}
	switch {
	case errors.Is(err, errNoWorkflow):
		resp.State.RemoveResource(ctx)
		return
	case err != nil:
		resp.Diagnostics.Append(lifecycle.Diagnostic(fmt.Sprintf("Cannot read the layout of workflow %q", was), err))
		return
	}
	state.Workflow, state.Positions = types.StringValue(workflow), standing(members, follow(state.Positions, was, workflow))
	resp.Diagnostics.Append(resp.State.Set(ctx, state)...)
	resp.Diagnostics.Append(keepID(ctx, resp.Private, id)...)
}

// standing returns where services stand that the state names, nil for all of them after an
// import: as the state has it, where that is the same.
func standing(members map[string]*position, state map[string]positionModel) map[string]positionModel {
	found := map[string]positionModel{}
	for name, p := range members {
		was, named := state[name]
		if p == nil || !named && state != nil {
			continue
		}
		if named && p.equal(was.position()) {
			found[name] = was
		} else if now, ok := modelOf(*p); ok {
			found[name] = now
		}
	}
	return found
}

// keptID returns the id of the workflow that the private state holds, empty when it holds
// none.
func keptID(ctx context.Context, private privateData) (id string) {
	raw, _ := private.GetKey(ctx, idKey)
	_ = json.Unmarshal(raw, &id) // What is damaged is looked for again.
	return id
}

// keepID puts the id of the workflow into the private state.
func keepID(ctx context.Context, private privateData, id string) diag.Diagnostics {
	return private.SetKey(ctx, idKey, fmt.Appendf(nil, "%q", id))
}

// Delete leaves the services where they are: eNMS has no way to take a position
// away (enms-rest.md 1.16).
func (r *layoutResource) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

// ImportState notes the workflow; Read asks for the positions.
func (r *layoutResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	if strings.TrimSpace(req.ID) == "" {
		resp.Diagnostics.AddAttributeError(path.Root("workflow"), "Invalid workflow name", "Import by the full name of the workflow, as eNMS shows it.")
		return
	}
	resource.ImportStatePassthroughID(ctx, path.Root("workflow"), req, resp)
}
