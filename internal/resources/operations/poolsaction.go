// This file is the action enms_update_pools, which does once what enms_pools_update does.

package operations

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
)

// NewPoolsAction returns the action, for the provider's list.
func NewPoolsAction() action.Action { return &updateAction{resources.Action{Name: "update_pools"}} }

type updateAction struct{ resources.Action }

var _ action.ActionWithConfigure = (*updateAction)(nil)

func (a *updateAction) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	resp.Schema = schema.Schema{MarkdownDescription: poolsDescription}
}

// Invoke has all members computed.
func (a *updateAction) Invoke(ctx context.Context, _ action.InvokeRequest, resp *action.InvokeResponse) {
	resp.SendProgress(action.InvokeProgressEvent{Message: "eNMS computes the members of its pools"})
	resp.Diagnostics.Append(compute(ctx, a.Provider)...)
}
