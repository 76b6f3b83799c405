// This file finds the state and the outcome of a run (enms-rest.md 4.3, 4.4).

package runs

import (
	"context"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
)

// StatusUnderWay is the status of a run that is not over.
const StatusUnderWay = "Running"

// State is the state of a run.
type State struct {
	// Recorded is set if eNMS knows the run. It records a run some time after its start, and never if the run dies before.
	Recorded bool
	Status   string  // in the words of eNMS
	Result   *Result // nil until the run is over; a run that eNMS has lost has none
}

// UnderWay reports whether the run is not over.
func (s *State) UnderWay() bool { return s.Status == StatusUnderWay }

// Result is the outcome of a run.
type Result struct {
	Success  bool
	Duration string
	// Reason is the error of the run itself, in one line, or "".
	Reason string
	// Summary holds the outcomes of the devices. Nil if the run broke off early.
	Summary *Summary
	// Reasons are the errors of failed devices, by device, as far as eNMS has them.
	Reasons map[string]string
	// Content is the result as eNMS returns it, without the payload, which holds the parameters
	// of the run, and without the properties of the service.
	Content endpoint.Object
}

// Summary holds the names of devices by their outcome, in order.
type Summary struct{ Success, Failure, Discard []string }

// State asks for the state of a run. If eNMS does not know a run that this client has started, State
// looks the run up by its name and corrects run.Runtime for the next call: a proxy may have sent the start
// twice, and eNMS may have answered with the runtime of one start and recorded the run of the other.
//
// eNMS never returns a result that it cannot encode as JSON, such as an object with both strings and
// numbers as keys (enms-rest.md 4.4). Once such a run is over, State returns its status, and a result
// with its success, duration and runtime only, and a reason.
func (c *Client) State(ctx context.Context, run *Started) (*State, error) {
	state, err := c.reportedState(ctx, run)
	if !rest.InternalServerError(err) {
		return state, err
	}
	if again, err := c.reportedState(ctx, run); !rest.InternalServerError(err) {
		return again, err
	}
	if known := c.unprintable(ctx, run); known != nil {
		return known, nil
	}
	return nil, err
}

// unprintable returns the state of a run whose result eNMS cannot encode, or nil if it is unknown how the run ended.
func (c *Client) unprintable(ctx context.Context, run *Started) *State {
	runs, err := c.endpoint.Query(ctx, runType, map[string]string{"name": run.Name})
	if err != nil || len(runs) != 1 || endpoint.String(runs[0], "status") == StatusUnderWay {
		return nil
	}
	results, err := c.endpoint.Search(ctx, endpoint.Search{Type: "result", Columns: []string{"duration", "runtime", "success"},
		Criteria: map[string]any{"runtime": run.Runtime, "runtime_filter": "equality"}, Limit: 2})
	if err != nil || len(results) != 1 || results[0]["runtime"] != run.Runtime {
		return nil
	}
	success, ok := results[0]["success"].(bool)
	if !ok {
		return nil
	}
	c.instances.Forget() // a service may have changed anything
	return &State{Recorded: true, Status: endpoint.String(runs[0], "status"), Result: &Result{
		Success: success, Duration: endpoint.String(results[0], "duration"), Reason: unprintableReason, Reasons: map[string]string{},
		Content: endpoint.Object{"success": success, "duration": results[0]["duration"], "runtime": run.Runtime, "error": unprintableReason},
	}}
}

// unprintableReason is the Reason of a result that eNMS cannot encode.
const unprintableReason = "eNMS cannot write the result as JSON. The usual reason is an object with texts and numbers as keys."

// reportedState returns the state of a run as eNMS reports it, an empty one if eNMS does not know the run. The error
// is a 500 if eNMS cannot encode the result.
func (c *Client) reportedState(ctx context.Context, run *Started) (*State, error) {
	name, err := c.endpoint.ResultName(ctx, run.Service, run.ScopedName)
	if err != nil {
		return nil, err
	}
	value, err := c.endpoint.Call(ctx, rest.Request{Method: http.MethodGet, Path: rest.Path("result", name, run.Runtime)})
	if err != nil {
		return nil, err
	}
	answer, ok := value.(map[string]any)
	if !ok {
		return nil, endpoint.WrongType(runType, value, "an object")
	}
	status, hasStatus := answer["status"].(string)
	_, isUnknown := answer["error"].(string)
	if !hasStatus && !isUnknown {
		return nil, endpoint.WrongType(runType, answer["status"], "a status")
	}
	if !hasStatus {
		if run.marker != "" {
			_, err = c.ownRun(ctx, run) // for the next call, it corrects run.Runtime
		}
		return &State{}, err
	}
	state := &State{Recorded: true, Status: status}
	if !state.UnderWay() {
		c.instances.Forget() // a service may have changed anything
	}
	if result, has := answer["result"].(map[string]any); has && !state.UnderWay() {
		state.Result, err = c.decodeResult(result)
	}
	return state, err
}

// decodeResult decodes the result of a run that is over.
func (c *Client) decodeResult(answer map[string]any) (*Result, error) {
	success, ok := answer["success"].(bool)
	if !ok {
		return nil, endpoint.WrongType(runType, answer["success"], "its success")
	}
	result := &Result{Success: success, Duration: endpoint.String(answer, "duration"), Reasons: map[string]string{}, Content: maps.Clone(answer)}
	delete(result.Content, "payload")
	delete(result.Content, "properties")
	if !success {
		result.Reason = c.ownReason(answer)
	}
	devices, _ := answer["devices"].(map[string]any)
	for name, device := range devices {
		if own, ok := device.(map[string]any); ok && own["success"] == false {
			if line := c.ownReason(own); line != "" {
				result.Reasons[name] = line
			}
		}
	}
	if summary, ok := answer["summary"].(map[string]any); ok {
		result.Summary = &Summary{Success: names(summary["success"]), Failure: names(summary["failure"]), Discard: names(summary["discard"])}
	}
	return result, nil
}

// ownReason returns the line that says why a result failed, or "": the last line of a traceback, or the error that
// the code of a service raised, or returned in an object.
func (c *Client) ownReason(result map[string]any) string {
	for _, reason := range []any{result["result"], result["error"]} {
		if object, is := reason.(map[string]any); is {
			reason = object["error"]
			if endpoint.Text(reason) == "" {
				continue
			}
		}
		if line, is := rest.Text(reason); is {
			return endpoint.Reason(c.endpoint.Redact(line))
		}
	}
	return ""
}

// Step is a service that failed inside of a run of a workflow.
type Step struct {
	Service string // its scoped name
	Device  string // "" if it ran once for all devices
	Reason  string // in one line, or ""
}

// maxSteps bounds how many failed results are read.
const maxSteps = 50

// FailedSteps returns the services that failed inside of a run, up to maxSteps results, in their order: the
// result of a workflow does not name them (enms-rest.md 4.3, 4.4). A workflow inside of the run is only a step
// if it has an error of its own.
func (c *Client) FailedSteps(ctx context.Context, run *Started) (steps []Step, err error) {
	rows, err := c.endpoint.Search(ctx, endpoint.Search{Type: "result", Columns: []string{"device_name", "path", "result", "service_name"},
		Criteria: map[string]any{"parent_runtime": run.Runtime, "parent_runtime_filter": "equality", "success": "bool-false"}, Limit: maxSteps})
	for _, row := range rows {
		result, _ := row["result"].(map[string]any)
		reason := c.ownReason(result)
		_, ofWorkflow := result["summary"]
		isInside := strings.Contains(endpoint.String(row, "path"), ">")
		if isInside && (reason != "" || !ofWorkflow) {
			steps = append(steps, Step{Service: endpoint.String(row, "service_name"), Device: endpoint.String(row, "device_name"), Reason: reason})
		}
	}
	return steps, err
}

// names returns the strings of a list in alphabetical order. It never returns nil.
func names(value any) []string {
	list, _ := value.([]any)
	found := []string{}
	for _, element := range list {
		if name, ok := element.(string); ok {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found
}

// Progress returns the progress of a run in eNMS's words, such as "2/4 (0 failed)", or "" if eNMS returns none.
func (c *Client) Progress(ctx context.Context, run *Started) (string, error) {
	rows, err := c.endpoint.Query(ctx, runType, map[string]string{"name": run.Name})
	if err != nil || len(rows) == 0 {
		return "", err
	}
	return rest.OneLine(c.endpoint.Redact(endpoint.String(rows[0], "progress"))), nil
}

// progressTotal matches the number of devices that a run works on.
var progressTotal = regexp.MustCompile(`^\d+/(\d+) `)

// DroppedTargets returns the targets that eNMS has left out of a run without an error, because the user of the run may
// not run services on them (enms-rest.md 4.3): the targets that the result does not mention. The result of a run that
// broke off omits others, too, so the progress must count fewer devices than there are targets.
func (c *Client) DroppedTargets(ctx context.Context, run *Started, result *Result) ([]string, error) {
	row, err := c.instances.Get(ctx, runType, run.Name)
	if err != nil {
		return nil, err
	}
	total := progressTotal.FindStringSubmatch(endpoint.String(row, "progress"))
	targets := names(row["target_devices"])
	pools := names(row["target_pools"])
	if total == nil || len(targets)+len(pools) == 0 {
		return nil, nil
	}
	for _, pool := range pools {
		members, err := c.instances.Get(ctx, "pool", pool)
		if err != nil {
			return nil, err
		}
		targets = append(targets, names(members["devices"])...)
	}
	slices.Sort(targets)
	targets = slices.Compact(targets)
	if count, err := strconv.Atoi(total[1]); err != nil || count >= len(targets) {
		return nil, err
	}
	devices, _ := result.Content["devices"].(map[string]any)
	return slices.DeleteFunc(targets, func(name string) bool {
		_, has := devices[name]
		return has || result.Summary.has(name)
	}), nil
}

// has reports whether a device has any outcome. s may be nil.
func (s *Summary) has(name string) bool {
	return s != nil && (slices.Contains(s.Success, name) || slices.Contains(s.Failure, name) || slices.Contains(s.Discard, name))
}
