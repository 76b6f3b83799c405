// This file is the data source enms_runs, which lists the runs that eNMS has recorded.

package operations

import (
	"context"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/runs"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
)

const (
	// usualListed is how many runs or changes are listed by default, and mostListed is the largest
	// number that the configuration may ask for.
	usualListed, mostListed = 20, 1000
)

// NewRuns returns the data source, for the provider's list.
func NewRuns() datasource.DataSource { return &runsSource{resources.DataSource{Name: "runs"}} }

type runsSource struct{ resources.DataSource }

// runsModel is the data source's state.
type runsModel struct {
	Service types.String `tfsdk:"service"`
	Task    types.String `tfsdk:"task"`
	Device  types.String `tfsdk:"device"`
	Status  types.String `tfsdk:"status"`
	Since   types.String `tfsdk:"since"`
	Max     types.Int64  `tfsdk:"max"`
	Runs    []runModel   `tfsdk:"runs"`
}

// runModel is one run in that state.
type runModel struct {
	Name     types.String `tfsdk:"name"`
	Service  types.String `tfsdk:"service"`
	Task     types.String `tfsdk:"task"`
	Runtime  types.String `tfsdk:"runtime"`
	Duration types.String `tfsdk:"duration"`
	Status   types.String `tfsdk:"status"`
	Success  types.Bool   `tfsdk:"success"`
	Progress types.String `tfsdk:"progress"`
	Creator  types.String `tfsdk:"creator"`
	Trigger  types.String `tfsdk:"trigger"`
	Labels   types.String `tfsdk:"labels"`
}

// timeFormat matches a time in the format of eNMS. The time of day, its seconds and their fraction may be
// missing.
var timeFormat = regexp.MustCompile(`^\d{4}-\d\d-\d\d( \d\d:\d\d(:\d\d(\.\d+)?)?)?$`)

// sinceAttribute returns the attribute for the earliest time. doc is the beginning of its description.
func sinceAttribute(doc string) schema.Attribute {
	return schema.StringAttribute{Optional: true, MarkdownDescription: doc + ", by eNMS's clock and in its format, such as `2026-11-22` or `2026-11-22 14:30`.",
		Validators: []validator.String{stringvalidator.RegexMatches(timeFormat, "must be a date, or a date and a time, such as 2026-11-22 or 2026-11-22 14:30")}}
}

// maxAttribute returns the attribute for the maximum number of things to list.
func maxAttribute(things string) schema.Attribute {
	return schema.Int64Attribute{Optional: true, Validators: []validator.Int64{int64validator.Between(1, mostListed)},
		MarkdownDescription: "The maximum number of " + things + " to list, from 1 to 1,000. Default: 20."}
}

// mostOf returns how many runs or changes to list.
func mostOf(most types.Int64) int {
	if most.IsNull() {
		return usualListed
	}
	return int(most.ValueInt64())
}

func (d *runsSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	text := func(doc string) schema.Attribute {
		return schema.StringAttribute{Computed: true, MarkdownDescription: doc}
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "The latest runs of services that the user may read, the last one first. A name that eNMS does not have selects none. On eNMS 5, runs of deleted services are not listed.",
		Attributes: map[string]schema.Attribute{
			"service": schema.StringAttribute{Optional: true, Validators: aName, MarkdownDescription: "Only runs of this service (its full name). Runs of a workflow are one each: its steps are not listed."},
			"task":    schema.StringAttribute{Optional: true, Validators: aName, MarkdownDescription: "Only runs that this task started."},
			"device":  schema.StringAttribute{Optional: true, Validators: aName, MarkdownDescription: "Only runs with this device among the targets with which they were started. Devices that come from pools, or from the service, are not among them."},
			"status":  schema.StringAttribute{Optional: true, Validators: aName, MarkdownDescription: "Only runs with this status, such as `Running` or `Completed`. Failed runs are `Completed`, too: see `success`."},
			"since":   sinceAttribute("Only runs that began at this time or later"),
			"max":     maxAttribute("runs"),
			"runs": schema.ListNestedAttribute{Computed: true, MarkdownDescription: "The runs.", NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"name":     text("The name of the run, by which the data source `enms_run_result` finds it."),
				"service":  text("The full name of the service."),
				"task":     text("The name of the task that started the run; null if none did."),
				"runtime":  text(docRuntime),
				"duration": text("The duration of the run, as eNMS writes it; null while the run is in progress."),
				"status":   text(docStatus),
				"success":  schema.BoolAttribute{Computed: true, MarkdownDescription: docSuccess},
				"progress": text("On how many devices the run is done, in eNMS's words, such as `2/4 (0 failed)`; null if unknown."),
				"creator":  text("The user who started the run."),
				"trigger":  text("What started the run, such as `REST API` or `Scheduler`."),
				"labels":   text("The labels of the run; null if it has none."),
			}}},
		},
	}
}

// Read reads the runs.
func (d *runsSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var asked runsModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &asked)...)
	client := clientOf(d.Provider, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	found, err := client.Recent(ctx, runs.Selection{Service: asked.Service.ValueString(), Task: asked.Task.ValueString(), Device: asked.Device.ValueString(),
		Status: asked.Status.ValueString(), Since: asked.Since.ValueString(), Most: mostOf(asked.Max)})
	if err != nil {
		resp.Diagnostics.Append(failures.Diagnostic("Cannot read the runs", err))
		return
	}
	asked.Runs = []runModel{}
	for _, run := range found {
		asked.Runs = append(asked.Runs, runModel{Name: types.StringValue(run.Name), Service: types.StringValue(run.Service), Task: textOrNull(run.Task),
			Runtime: types.StringValue(run.Runtime), Duration: textOrNull(run.Duration), Status: types.StringValue(run.Status), Success: types.BoolPointerValue(run.Success),
			Progress: textOrNull(run.Progress), Creator: textOrNull(run.Creator), Trigger: textOrNull(run.Trigger), Labels: textOrNull(run.Labels)})
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, asked)...)
}
