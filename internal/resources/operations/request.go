// This file declares what the resource and the actions that run a service have in common: what to run,
// and how to wait for it.

package operations

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/runs"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// The default settings of waiting.
const (
	defaultTimeout  = "1h"
	defaultInterval = "5s"
	// namePrefix begins the names of runs that the configuration does not name.
	namePrefix = "terraform-"
	// maxName is how long the name of a run may be (enms-rest.md 10.4).
	maxName = 255
)

// The descriptions of attributes.
const (
	docTask       = "The name of the task. It runs with its own targets and payload, whether it is active or not. The user needs the right to edit it."
	docService    = "The full name of the service or workflow, such as `[Shared] Backup`. The user needs the rights to read it and to run it."
	docDevices    = "The names of devices to run the service on. Without `devices`, `pools` and `ip_addresses`, the service runs on its own targets. With an empty set, eNMS would do the same; that is therefore an error."
	docPools      = "The names of pools on whose devices to run the service."
	docAddresses  = "The IP addresses of devices to run the service on."
	docParameters = "An object that is merged into the service's `initial_payload` and available as the payload of the run."
	docName       = "The name of the run, without slashes and quotes. It must be unique in eNMS. Defaults to a unique name."
	docWait       = "Whether to wait for the end of the run, and fail if it fails. With `false`, Terraform does not get the result. Default: `true`."
	docTimeout    = "How long to wait, such as `90s`, `30m` or `1h30m`. Default: `" + defaultTimeout + "`. The run continues after the timeout."
	docInterval   = "How often to check the run, such as `10s`. Default: `" + defaultInterval + "`. The first checks are more frequent."
)

// request is the configuration of a run: what to run, and how to wait for it.
type request struct {
	Service     types.String  `tfsdk:"service"`
	Devices     types.Set     `tfsdk:"devices"`
	Pools       types.Set     `tfsdk:"pools"`
	IPAddresses types.Set     `tfsdk:"ip_addresses"`
	Parameters  types.Dynamic `tfsdk:"parameters"`
	Name        types.String  `tfsdk:"name"`
	waitConfig
}

// waitConfig is the configuration of waiting for a run.
type waitConfig struct {
	Wait         types.Bool   `tfsdk:"wait"`
	Timeout      types.String `tfsdk:"timeout"`
	PollInterval types.String `tfsdk:"poll_interval"`
}

// run returns the run for the client. A run without a name gets one.
func (r *request) run(ctx context.Context, diags *diag.Diagnostics) runs.Run {
	run := runs.Run{Service: r.Service.ValueString(), Name: r.Name.ValueString()}
	if run.Name == "" {
		run.Name, run.Made = namePrefix+rand.Text(), true
	}
	for _, targets := range []struct {
		attribute string
		set       types.Set
		into      *[]string
	}{{"devices", r.Devices, &run.Devices}, {"pools", r.Pools, &run.Pools}, {"ip_addresses", r.IPAddresses, &run.IPAddresses}} {
		if targets.set.IsNull() {
			continue
		}
		diags.Append(targets.set.ElementsAs(ctx, targets.into, false)...)
		slices.Sort(*targets.into)
		if len(*targets.into) == 0 {
			diags.AddAttributeError(path.Root(targets.attribute), "No targets",
				fmt.Sprintf("%s is an empty set, with which eNMS would run %q on the service's own targets. Nothing was started. To use those targets, omit the attribute.", targets.attribute, run.Service))
		}
	}
	if given := r.Parameters.UnderlyingValue(); given != nil {
		parameters, err := given.ToTerraformValue(ctx)
		if err != nil {
			diags.AddAttributeError(path.Root("parameters"), "Not an object", err.Error())
			return run
		}
		run.Parameters = value.Members(parameters)
	}
	return run
}

// clientOf returns the client of runs. If the provider is not configured, it returns nil, and an error
// in the diagnostics.
func clientOf(provider *resources.Provider, diags *diag.Diagnostics) *runs.Client {
	client := provider.Configured(diags)
	if client == nil {
		return nil
	}
	return runs.New(client)
}

// start starts the run. If it cannot, it returns nil, and an error in the diagnostics.
func (r *request) start(ctx context.Context, client *runs.Client, diags *diag.Diagnostics) *runs.Started {
	run := r.run(ctx, diags)
	if diags.HasError() {
		return nil
	}
	started, err := client.Start(ctx, run)
	if err != nil {
		diags.Append(unstarted(run, err))
		return nil
	}
	return started
}

// waiting returns how to wait. progress gets lines about the progress; it may be nil.
func (w *waitConfig) waiting(progress func(string)) waiting {
	return waiting{timeout: timeOf(w.Timeout, defaultTimeout), interval: timeOf(w.PollInterval, defaultInterval), recording: recordingTime, progress: progress}
}

// finish waits for a run, unless the configuration says not to, and returns its outcome: without a result if
// it is still under way. progress gets lines about the progress; it may be nil. afterwards is a sentence for an error
// about what happens next if the run is not finished, or "".
func (w *waitConfig) finish(ctx context.Context, client *runs.Client, started *runs.Started, progress func(line string), afterwards string) (*runs.State, diag.Diagnostics) {
	underWay := &runs.State{Status: runs.StatusUnderWay}
	if isWaiting := w.Wait.IsNull() || w.Wait.ValueBool(); !isWaiting {
		return underWay, nil
	}
	state, err := w.waiting(progress).await(ctx, client, started)
	if err != nil {
		return underWay, diag.Diagnostics{unfinished(started, err, afterwards)}
	}
	var steps []runs.Step
	if !state.Result.Success {
		steps, _ = client.FailedSteps(ctx, started) // they only explain the failure
	}
	return state, append(dropped(ctx, client, started, state.Result), failure(started, state, steps)...)
}

// timeOf returns a configured duration, or else the default. The validators have checked it.
func timeOf(configured types.String, usual string) time.Duration {
	d, _ := time.ParseDuration(cmp.Or(configured.ValueString(), usual))
	return d
}

// The validators of attributes.
var (
	aName    = []validator.String{stringvalidator.LengthAtLeast(1)}
	aRunName = []validator.String{stringvalidator.UTF8LengthBetween(1, maxName),
		stringvalidator.RegexMatches(regexp.MustCompile(`^[^/\\'"\x00-\x1f]*$`), "must hold neither a slash, nor a backslash, nor a quote, nor a control character")}
	aTargets  = []validator.Set{setvalidator.SizeAtLeast(1), setvalidator.ValueStringsAre(aName...), setvalidator.NoNullValues()}
	aDuration = []validator.String{duration{}}
	anObject  = []validator.Dynamic{object{}}
)

// duration is the validator of durations.
type duration struct{}

func (duration) Description(context.Context) string {
	return "must be a duration above zero, such as 90s or 1h30m"
}

func (d duration) MarkdownDescription(ctx context.Context) string { return d.Description(ctx) }

func (d duration) ValidateString(ctx context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if parsed, err := time.ParseDuration(req.ConfigValue.ValueString()); err != nil || parsed <= 0 {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid duration", fmt.Sprintf("%q %s.", req.ConfigValue.ValueString(), d.Description(ctx)))
	}
}

// object is the validator of objects.
type object struct{}

func (object) Description(context.Context) string { return "must be an object" }

func (o object) MarkdownDescription(ctx context.Context) string { return o.Description(ctx) }

func (object) ValidateDynamic(_ context.Context, req validator.DynamicRequest, resp *validator.DynamicResponse) {
	if req.ConfigValue.IsUnderlyingValueNull() || req.ConfigValue.IsUnderlyingValueUnknown() {
		return
	}
	switch req.ConfigValue.UnderlyingValue().(type) {
	case nil, basetypes.ObjectValue, basetypes.MapValue: // nil is null or unknown
	default:
		resp.Diagnostics.AddAttributeError(req.Path, "Not an object", "Expected an object. Write { key = value }, or use jsondecode(...) for a JSON string.")
	}
}
