// This file is the actions enms_run_service and enms_run_task as Terraform calls them.

package operations

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/runs"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
)

// NewAction returns the action, for the provider's list.
func NewAction() action.Action { return &runAction{resources.Action{Name: "run_service"}} }

type runAction struct{ resources.Action }

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
		follow(ctx, client, configured.waitConfig, started, resp)
	}
}

// follow waits for a run, unless the configuration says not to, and reports its progress and its
// outcome.
func follow(ctx context.Context, client *runs.Client, wait waitConfig, started *runs.Started, resp *action.InvokeResponse) {
	progress := func(line string) { resp.SendProgress(action.InvokeProgressEvent{Message: line}) }
	progress(fmt.Sprintf("Service %q runs since %s as %q", started.Service, started.Runtime, started.Name))
	state, diags := wait.finish(ctx, client, started, progress, "")
	if state.Result != nil {
		progress(fmt.Sprintf("Service %q is done after %s", started.Service, state.Result.Duration))
	}
	resp.Diagnostics.Append(diags...)
}

// NewTaskAction returns the action, for the provider's list.
func NewTaskAction() action.Action { return &taskAction{resources.Action{Name: "run_task"}} }

type taskAction struct{ resources.Action }

// taskRequest is the configuration: which task to run, and how to wait for it.
type taskRequest struct {
	Task types.String `tfsdk:"task"`
	waitConfig
}

func (a *taskAction) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Runs a task immediately, as eNMS's scheduler would, and shows its progress. If the run fails, the apply fails. A task that runs once is inactive afterwards.",
		Attributes: map[string]schema.Attribute{
			"task":          schema.StringAttribute{Required: true, MarkdownDescription: docTask, Validators: aName},
			"wait":          schema.BoolAttribute{Optional: true, MarkdownDescription: docWait},
			"timeout":       schema.StringAttribute{Optional: true, MarkdownDescription: docTimeout, Validators: aDuration},
			"poll_interval": schema.StringAttribute{Optional: true, MarkdownDescription: docInterval, Validators: aDuration},
		},
	}
}

// Invoke runs the task and waits for it, unless the configuration says not to.
func (a *taskAction) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	var configured taskRequest
	resp.Diagnostics.Append(req.Config.Get(ctx, &configured)...)
	client := clientOf(a.Provider, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	task := configured.Task.ValueString()
	started, err := client.StartTask(ctx, task)
	if err != nil {
		resp.Diagnostics.Append(unstartedTask(task, err))
		return
	}
	follow(ctx, client, configured.waitConfig, started, resp)
}

// unstartedTask returns the error of a task that could not be run, or may have been.
func unstartedTask(task string, err error) diag.Diagnostic {
	if uncertain, ok := errors.AsType[*runs.UncertainError](err); ok {
		return diag.NewErrorDiagnostic(fmt.Sprintf("It is unknown whether task %q runs", task),
			fmt.Sprintf("The request was sent once: %s. eNMS has recorded no new run of the task. Check its results before you run it again.", errors.Unwrap(uncertain)))
	}
	summary := fmt.Sprintf("Cannot run task %q", task)
	if errors.Is(err, enms.ErrNotFound) {
		return diag.NewErrorDiagnostic(summary, "There is no task with that name that this user may read. Names are case-sensitive. Nothing was started.")
	}
	return failures.Diagnostic(summary, err)
}
