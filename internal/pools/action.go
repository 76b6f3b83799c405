// This file is the action enms_update_pools, which does once what the resource does.

package pools

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/lifecycle"
)

// NewAction returns the action, for the provider's list.
func NewAction() action.Action { return &updateAction{} }

type updateAction struct {
	provider *lifecycle.Provider
}

var _ action.ActionWithConfigure = (*updateAction)(nil)

func (a *updateAction) Metadata(_ context.Context, req action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_update_pools"
}

func (a *updateAction) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	resp.Schema = schema.Schema{MarkdownDescription: description}
}

func (a *updateAction) Configure(_ context.Context, req action.ConfigureRequest, resp *action.ConfigureResponse) {
	a.provider = lifecycle.ProviderOf(req.ProviderData, &resp.Diagnostics)
}

// Invoke has all members computed.
func (a *updateAction) Invoke(ctx context.Context, _ action.InvokeRequest, resp *action.InvokeResponse) {
	resp.SendProgress(action.InvokeProgressEvent{Message: "eNMS computes the members of its pools"})
	resp.Diagnostics.Append(compute(ctx, a.provider)...)
}
