// This file is the action enms_run_service as Terraform calls it.

package operations

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/runs"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
)

// NewAction returns the action, for the provider's list.
func NewAction() action.Action { return &runAction{resources.Action{Name: "run_service"}} }

type runAction struct{ resources.Action }

var _ action.ActionWithConfigure = (*runAction)(nil)

func (a *runAction) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	targets := func(doc string) schema.Attribute {
		return schema.SetAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: doc, Validators: aTargets}
	}
	pause := func(doc string) schema.Attribute {
		return schema.StringAttribute{Optional: true, MarkdownDescription: doc, Validators: aDuration}
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "Runs a service or a workflow, and shows its progress. If the run fails, the apply fails.",
		Attributes: map[string]schema.Attribute{
			"service":       schema.StringAttribute{Required: true, MarkdownDescription: docService, Validators: aName},
			"devices":       targets(docDevices),
			"pools":         targets(docPools),
			"ip_addresses":  targets(docAddresses),
			"parameters":    schema.DynamicAttribute{Optional: true, MarkdownDescription: docParameters, Validators: anObject},
			"name":          schema.StringAttribute{Optional: true, MarkdownDescription: docName, Validators: aRunName},
			"wait":          schema.BoolAttribute{Optional: true, MarkdownDescription: docWait},
			"timeout":       pause(docTimeout),
			"poll_interval": pause(docInterval),
		},
	}
}

// Invoke starts a run and waits for it, unless the configuration says not to.
func (a *runAction) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	var configured request
	resp.Diagnostics.Append(req.Config.Get(ctx, &configured)...)
	client := clientOf(a.Provider, &resp.Diagnostics)
	if started := configured.start(ctx, client, &resp.Diagnostics); started != nil {
		follow(ctx, client, configured.how, started, resp)
	}
}

// follow waits for a run, unless the configuration says not to, and reports its progress and its
// outcome.
func follow(ctx context.Context, client *runs.Client, how how, started *runs.Started, resp *action.InvokeResponse) {
	tell := func(line string) { resp.SendProgress(action.InvokeProgressEvent{Message: line}) }
	tell(fmt.Sprintf("Service %q runs since %s as %q", started.Service, started.Runtime, started.Name))
	if !how.waits() {
		return
	}
	state, err := how.waiting(tell).await(ctx, client, started)
	if err != nil {
		resp.Diagnostics.Append(unfinished(started, err, ""))
		return
	}
	tell(fmt.Sprintf("Service %q is done after %s", started.Service, state.Result.Duration))
	resp.Diagnostics.Append(dropped(ctx, client, started, state.Result)...)
	resp.Diagnostics.Append(failure(started, state, failedSteps(ctx, client, started, state.Result))...)
}
