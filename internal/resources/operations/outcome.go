// This file describes the outcome of runs: in attributes, and in errors and warnings.

package operations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/runs"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
)

// statusCompleted is the status of a run that has come to its end.
const statusCompleted = "Completed"

// The descriptions of the attributes of an outcome.
const (
	docRunName    = "The name of the run. By default, eNMS composes it of the runtime and the user."
	docRunService = "The full name of the service, together with `runtime`."
	docRuntime    = "The start time of the run in eNMS's format, by which eNMS identifies the runs of a service."
	docStatus     = "The status of the run in eNMS, such as `Running` or `Completed`."
	docSuccess    = "Whether the run succeeded; null if unknown."
	docSummary    = "The names of the devices by result, sorted; null while the run is in progress, or if it failed before it reached any device."
	docSucceeded  = "The devices on which the run succeeded."
	docFailed     = "The devices on which the run failed."
	docDiscarded  = "The devices that a workflow discarded."
	docResult     = "The result of the run as JSON: its `result`, the result of each device in `devices`, and other values that the service returns, but neither the payload nor the properties of the service. At most 64 KiB: in a longer result, long strings are truncated, members are omitted, and the member `truncated` is `true`. `NaN` and `Infinity` are strings; half a surrogate pair is a replacement character."
)

// summaryTypes is the type of the attribute summary.
var summaryTypes = map[string]attr.Type{
	"success": types.ListType{ElemType: types.StringType},
	"failure": types.ListType{ElemType: types.StringType},
	"discard": types.ListType{ElemType: types.StringType},
}

// outcome is the outcome of a run, as attributes.
type outcome struct {
	Status  types.String `tfsdk:"status"`
	Success types.Bool   `tfsdk:"success"`
	Summary types.Object `tfsdk:"summary"`
	Result  types.String `tfsdk:"result"`
}

// outcomeOf returns the known outcome of a run.
func outcomeOf(ctx context.Context, state *runs.State, diags *diag.Diagnostics) outcome {
	known := outcome{Status: textOrNull(state.Status), Summary: types.ObjectNull(summaryTypes)}
	if state.Result == nil {
		return known
	}
	known.Success = types.BoolValue(state.Result.Success)
	known.Result = types.StringValue(bounded(state.Result.Content))
	if summary := state.Result.Summary; summary != nil {
		lists := map[string]attr.Value{}
		for key, names := range map[string][]string{"success": summary.Success, "failure": summary.Failure, "discard": summary.Discard} {
			list, more := types.ListValueFrom(ctx, types.StringType, names)
			diags.Append(more...)
			lists[key] = list
		}
		object, more := types.ObjectValue(summaryTypes, lists)
		diags.Append(more...)
		known.Summary = object
	}
	return known
}

// textOrNull returns a string of eNMS, or null for "".
func textOrNull(text string) types.String {
	if text == "" {
		return types.StringNull()
	}
	return types.StringValue(text)
}

// failureLines returns a line for each failed step that has no device, and one for each device that failed or
// has failed steps, with these steps or the reason of the device.
func failureLines(result *runs.Result, steps []runs.Step) (lines []string) {
	because := func(what, why string) string {
		if why == "" {
			return what
		}
		return what + ": " + why
	}
	byDevice := map[string][]string{}
	for _, step := range steps {
		byDevice[step.Device] = append(byDevice[step.Device], because("service "+strconv.Quote(step.Service), step.Reason))
	}
	lines = slices.Clone(byDevice[""])
	failed := []string{}
	if result.Summary != nil {
		failed = result.Summary.Failure
	}
	for _, name := range failed {
		lines = append(lines, because(name, cmp.Or(strings.Join(byDevice[name], "; "), result.Reasons[name])))
	}
	for _, name := range slices.Sorted(maps.Keys(byDevice)) {
		if name != "" && !slices.Contains(failed, name) {
			lines = append(lines, because(name, strings.Join(byDevice[name], "; ")))
		}
	}
	return lines
}

// failure returns the error of a run that failed, or nil if it did not.
func failure(run *runs.Started, state *runs.State, steps []runs.Step) (diags diag.Diagnostics) {
	result := state.Result
	if result.Success {
		return nil
	}
	var lines []string
	if state.Status != statusCompleted {
		lines = append(lines, fmt.Sprintf("Its status is %q: somebody may have stopped it.", state.Status))
	}
	if result.Reason != "" {
		lines = append(lines, "eNMS says: "+result.Reason)
	}
	failed := failureLines(result, steps)
	if summary := result.Summary; summary != nil && len(summary.Failure) > 0 {
		lines = append(lines, fmt.Sprintf("It failed on %d of %d devices:", len(summary.Failure), len(summary.Failure)+len(summary.Success)+len(summary.Discard)))
	} else if len(failed) > 0 {
		lines = append(lines, "These services failed:")
	}
	for _, line := range failed[:min(len(failed), resources.MaxNamed)] {
		lines = append(lines, "  * "+line)
	}
	if more := len(failed) - resources.MaxNamed; more > 0 {
		lines = append(lines, fmt.Sprintf("  * and %d more", more))
	}
	if len(lines) == 0 {
		lines = append(lines, "eNMS returns no reason. See the log of the run in eNMS.")
	}
	lines = append(lines, fmt.Sprintf("The run %q began at %s and took %s. The data source enms_run_result shows the rest: service = %q, runtime = %q.",
		run.Name, run.Runtime, result.Duration, run.Service, run.Runtime))
	diags.AddError(fmt.Sprintf("The run of service %q failed", run.Service), strings.Join(lines, "\n"))
	return diags
}

// dropped returns a warning that names the devices that eNMS has left out of a run, or that says that they cannot
// be read.
func dropped(ctx context.Context, client *runs.Client, run *runs.Started, result *runs.Result) (diags diag.Diagnostics) {
	names, err := client.DroppedTargets(ctx, run, result)
	switch {
	case err != nil:
		diags.AddWarning(fmt.Sprintf("It is unknown on which devices service %q ran", run.Service),
			fmt.Sprintf("eNMS skips devices on which the user cannot run services. The skipped devices could not be read: %s.", err))
	case len(names) > 0:
		shown := resources.Some(names, func(name string) string { return name })
		diags.AddWarning(fmt.Sprintf("Service %q did not run on %d of its targets", run.Service, len(names)),
			fmt.Sprintf("eNMS skipped %s, because the user of the provider cannot run services on them. Add a group of the user to their rbac_target, or remove them from the targets.", shown))
	}
	return diags
}

// unstarted returns the error of a run that could not be started, or may have been.
func unstarted(run runs.Run, err error) diag.Diagnostic {
	summary := fmt.Sprintf("Cannot run service %q", run.Service)
	if uncertain, ok := errors.AsType[*runs.UncertainError](err); ok {
		return diag.NewErrorDiagnostic(fmt.Sprintf("It is unknown whether service %q runs", run.Service),
			fmt.Sprintf("The request to start the run %q was sent once, and the response was lost: %s. No such run was found in eNMS. Check its results for a run with that name before you apply again, which starts another one.",
				run.Name, errors.Unwrap(uncertain)))
	}
	if refused, ok := errors.AsType[*runs.RefusedError](err); ok {
		return diag.NewErrorDiagnostic(summary, fmt.Sprintf("eNMS refused and started nothing: %s.%s", strings.TrimRight(strings.Join(refused.Reasons, "; "), "."), allowRuns(err)))
	}
	if errors.Is(err, enms.ErrNotFound) {
		return diag.NewErrorDiagnostic(summary, "There is no service with that name that this user may read. Names are case-sensitive. Use the full name, such as \"[workflow] service\". Nothing was started.")
	}
	if advice := allowRuns(err); advice != "" {
		return diag.NewErrorDiagnostic(summary, fmt.Sprintf("eNMS started nothing: %s.%s", err, advice))
	}
	return failures.Diagnostic(summary, err)
}

// notAllowed matches the answers of a server that does not start runs for REST clients, as a new eNMS 5
// does not (enms-rest.md 11.8).
var notAllowed = regexp.MustCompile("Runs from the REST API are not allowed|There is no server in the database")

// allowRuns returns the advice to allow runs, if eNMS has refused one because they are forbidden.
func allowRuns(err error) string {
	if !notAllowed.MatchString(err.Error()) {
		return ""
	}
	return ` An administrator has to add "rest_api" to allowed_automation of the server: POST /rest/instance/server {"name": "Localhost", "allowed_automation": ["scheduler", "rest_api", "application"]}.`
}

// unfinished returns the error of a run that was still under way when the waiting ended. afterwards is a sentence
// about what happens next, or "".
func unfinished(run *runs.Started, err error, afterwards string) diag.Diagnostic {
	detail := fmt.Sprintf("The run %q began at %s.", run.Name, run.Runtime)
	switch why, is := errors.AsType[*unfinishedError](err); {
	case is && why.unrecorded:
		detail = fmt.Sprintf("The run %q should have started at %s. Common causes: the initial_payload of the service is null, another run took the name at the same moment, or no worker processes eNMS's task queue. See the log of eNMS.", run.Name, run.Runtime)
	case is && why.goesOn:
		detail = fmt.Sprintf("The run %q, which started at %s, continues in eNMS. To read its result later, use the data source enms_run_result.", run.Name, run.Runtime)
	}
	if afterwards != "" {
		detail += " " + afterwards
	}
	return diag.NewErrorDiagnostic(fmt.Sprintf("Stopped waiting for service %q", run.Service),
		fmt.Sprintf("%s.\n%s", capital(err.Error()), detail))
}

// capital returns a text, which is not empty, with a capital letter at its beginning, unless that is the word eNMS.
func capital(s string) string {
	if strings.HasPrefix(s, "eNMS") {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
