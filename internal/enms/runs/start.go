// Package runs starts and follows runs of services and tasks (enms-rest.md 4). A run is
// started at most once, whatever the network does.
//
//	start.go   starts a run, and finds it if the answer was lost
//	recent.go  the runs that eNMS has recorded
//	result.go  the state and the outcome of a run
package runs

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
)

const (
	runType = "run"
	// runLooks is how often to look for a run: eNMS records a run only after it has answered.
	runLooks = 8
	// interruptedLook bounds how long to look for a run after the caller was cancelled.
	interruptedLook = 5 * time.Second
	// markerField is the parameter of a run that holds its marker, by which this client recognizes its own runs.
	markerField = "marker"
)

// Client starts and follows runs on one eNMS.
type Client struct {
	instances *enms.Client
	endpoint  *endpoint.Client
}

// New returns a client that makes its requests with a client of instances.
func New(instances *enms.Client) *Client {
	return &Client{instances: instances, endpoint: instances.Endpoint()}
}

// Run says which service to run, and on which targets.
type Run struct {
	Service string // its full name
	Name    string // of the run; no two runs may have the same
	// Made: the name was generated for this run, so that no other run can have it.
	Made bool
	// The targets. Without any, the service runs on its own.
	Devices, IPAddresses, Pools []string
	Parameters                  endpoint.Object // added to the payload of the run
}

// Started is a run that eNMS has begun.
type Started struct {
	Service    string // the full name of the service
	ScopedName string // the scoped name of the service, by which eNMS 4 returns the result
	Name       string // of the run
	Runtime    string // when it began; different for each run of a service

	marker string // the marker that its start was sent with; "" if this client has not started it
}

// RefusedError means that eNMS has not started a run, with its reasons.
type RefusedError struct {
	Service string   // or the task
	Reasons []string // one line each
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("eNMS has not run %q: %s", e.Service, strings.Join(e.Reasons, "; "))
}

// UncertainError means that the answer to the start of a run was lost, and that eNMS was not
// found to have recorded the run.
type UncertainError struct {
	Service string // or the task
	Name    string // of the run; "" when eNMS chooses it

	cause error
}

func (e *UncertainError) Error() string {
	return fmt.Sprintf("it is unknown whether eNMS has started the run %q of %q: %s", e.Name, e.Service, e.cause)
}

// Unwrap returns the error that lost the answer.
func (e *UncertainError) Unwrap() error { return e.cause }

// Start starts a run and does not wait for it. The request is never repeated: if its answer is
// lost, eNMS is asked whether it has recorded the run. The error is a *RefusedError, an
// *UncertainError, or one that means that nothing was started.
func (c *Client) Start(ctx context.Context, run Run) (*Started, error) {
	service, err := c.instances.FindByName(ctx, "service", run.Service)
	if err != nil {
		return nil, enms.Unsent(err)
	}
	started := &Started{Service: run.Service, ScopedName: endpoint.String(service, "scoped_name"), Name: run.Name, marker: rand.Text()}
	if err := c.checkRunName(ctx, run); err != nil {
		return nil, err
	}
	body, err := run.body(started.marker)
	if err != nil {
		return nil, &enms.PayloadError{Type: runType, Name: run.Name, Reason: "cannot be written as JSON"}
	}
	c.endpoint.AddSecretFields(run.Parameters)
	defer c.instances.Forget() // a service may change anything
	answer, err := c.endpoint.Call(ctx, rest.Request{Method: http.MethodPost, Path: rest.Path("run_service"), Body: body, Once: true})
	if err == nil {
		started.Runtime, err = c.decodeStart(run.Service, answer)
	}
	switch {
	case err == nil:
		return started, nil
	case rest.Is[*RefusedError](err):
		// If a proxy has passed the request on twice, its second copy is refused: the name is taken by this very run.
		if found, _ := c.ownRun(ctx, started); found {
			return started, nil
		}
	case ctx.Err() != nil || endpoint.Lost(err):
		return c.lookForRun(ctx, started, err)
	}
	return nil, err
}

// checkRunName refuses the name of an existing run. eNMS does so itself, but old versions take the name from the
// other run, and so do all versions if both begin at the same time (enms-rest.md 4.2).
func (c *Client) checkRunName(ctx context.Context, run Run) error {
	if run.Made {
		return nil
	}
	rows, err := c.endpoint.Query(ctx, runType, map[string]string{"name": run.Name})
	if err != nil {
		return enms.Unsent(err)
	}
	if len(rows) > 0 {
		return &RefusedError{Service: run.Service, Reasons: []string{fmt.Sprintf("There is already a run with the same name, %q", run.Name)}}
	}
	return nil
}

// body returns the body of the request. The parameters are in the form, because eNMS treats keys
// beside it as properties of the run (enms-rest.md 4.1).
func (r *Run) body(marker string) ([]byte, error) {
	form := endpoint.Object{"name": r.Name, markerField: marker}
	if len(r.Parameters) > 0 {
		form["initial_payload"] = r.Parameters
	}
	request := endpoint.Object{"name": r.Service, "async": true, "form": form}
	for key, names := range map[string][]string{"devices": r.Devices, "ip_addresses": r.IPAddresses, "pools": r.Pools} {
		if len(names) > 0 {
			request[key] = names
		}
	}
	return json.Marshal(request)
}

// decodeStart returns the runtime of the run that was started, or the reason why it was not (enms-rest.md 4.2).
func (c *Client) decodeStart(service string, value any) (runtime string, err error) {
	answer, ok := value.(map[string]any)
	if !ok {
		return "", endpoint.WrongType(runType, value, "an object")
	}
	if runtime = endpoint.String(answer, "runtime"); runtime != "" {
		return runtime, nil
	}
	refused := &RefusedError{Service: service}
	reasons, _ := answer["errors"].([]any)
	for _, reason := range append(reasons, answer["error"]) {
		if line := endpoint.Text(reason); line != "" {
			refused.Reasons = append(refused.Reasons, rest.OneLine(c.endpoint.Redact(line)))
		}
	}
	if len(refused.Reasons) == 0 {
		return "", &endpoint.AnswerError{Type: runType, Reason: "holds neither a runtime nor a reason"}
	}
	return "", refused
}

// lookForRun finds out whether eNMS has started a run although its answer was lost. cause is the error that
// lost the answer.
func (c *Client) lookForRun(ctx context.Context, started *Started, cause error) (*Started, error) {
	return c.look(ctx, func(ctx context.Context) *Started {
		if found, _ := c.ownRun(ctx, started); found {
			return started
		}
		return nil
	}, &UncertainError{Service: started.Service, Name: started.Name, cause: cause})
}

// look calls find up to runLooks times, with pauses, until find returns a run. find returns nil if there is none
// or if a request fails. If no call finds a run, look returns uncertain.
func (c *Client) look(ctx context.Context, find func(context.Context) *Started, uncertain *UncertainError) (*Started, error) {
	ctx, done := searchContext(ctx)
	defer done()
	for attempt := range runLooks {
		if started := find(ctx); started != nil {
			return started, nil
		}
		if attempt+1 < runLooks && c.endpoint.Wait(ctx, attempt, nil) != nil {
			break
		}
	}
	return nil, uncertain
}

// searchContext returns the caller's context, or a fresh one with a deadline if the caller's was cancelled.
func searchContext(ctx context.Context) (context.Context, context.CancelFunc) {
	if ctx.Err() == nil {
		return ctx, func() {}
	}
	return context.WithTimeout(context.WithoutCancel(ctx), interruptedLook)
}

// ownRun reports whether eNMS has recorded a run that this client has started, and then sets its Runtime.
func (c *Client) ownRun(ctx context.Context, started *Started) (found bool, err error) {
	rows, err := c.endpoint.Query(ctx, runType, map[string]string{"name": started.Name})
	if err != nil || len(rows) == 0 || runMarker(rows[0]) != started.marker {
		return false, err
	}
	started.Runtime = endpoint.String(rows[0], "runtime")
	return true, nil
}

// runMarker returns the marker of a run: "" if its parameters are not recorded yet, or if it was
// not started by Start.
func runMarker(row endpoint.Object) string {
	properties, _ := row["properties"].(map[string]any)
	form, _ := properties["form"].(map[string]any)
	return endpoint.String(form, markerField)
}

// Named finds a run by its name, or endpoint.ErrNotFound.
func (c *Client) Named(ctx context.Context, name string) (*Started, error) {
	row, err := c.instances.FindByName(ctx, runType, name)
	if err != nil {
		return nil, err
	}
	return startedOf(row), nil
}

// At finds the run of a service by its runtime, or returns endpoint.ErrNotFound.
func (c *Client) At(ctx context.Context, service, runtime string) (*Started, error) {
	rows, err := c.endpoint.Query(ctx, runType, map[string]string{"runtime": runtime})
	if err != nil {
		return nil, err
	}
	isRun := func(row endpoint.Object) bool {
		return endpoint.String(row, "runtime") == runtime && startedOf(row).Service == service
	}
	if i := slices.IndexFunc(rows, isRun); i >= 0 {
		return startedOf(rows[i]), nil
	}
	return nil, &endpoint.NotFoundError{Type: runType, Name: runtime}
}

// startedOf returns the run in a row.
func startedOf(row endpoint.Object) *Started {
	service, _ := row["service_properties"].(map[string]any)
	return &Started{Service: endpoint.String(service, "name"), ScopedName: endpoint.String(row, "service_name"), Name: endpoint.String(row, "name"), Runtime: endpoint.String(row, "runtime")}
}

// search searches for runs. On eNMS 5, one run of a deleted service among those that a search finds breaks the search
// (enms-rest.md 11.8): search then leaves such runs out, and adds that to s.Criteria for the caller's next search. A search
// for the runs of a service finds none of those, and the filter would take the place of the service.
func (c *Client) search(ctx context.Context, s endpoint.Search) ([]endpoint.Object, error) {
	s.Type = runType
	rows, err := c.endpoint.Search(ctx, s)
	if _, ofOneService := s.Criteria["service"]; enms.InternalServerError(err) && !ofOneService {
		s.Criteria["service_filter"], s.Criteria["service_invert"] = "empty", true
		if others, failed := c.endpoint.Search(ctx, s); failed == nil {
			return others, nil
		}
		delete(s.Criteria, "service_filter")
		delete(s.Criteria, "service_invert")
	}
	return rows, err
}

// errUnrecorded is the cause of an UncertainError if eNMS answered that it started a run, but has not recorded one.
var errUnrecorded = errors.New("eNMS answered, and has recorded no run")

// StartTask makes eNMS run a task as its scheduler would, with the task's own targets and payload, and does not wait
// for its end. eNMS does not tell which run that is, and the caller cannot name it: StartTask returns the first run
// of the task that did not exist before. If the scheduler starts the task at the same moment, that may be the
// scheduler's run. The request is never repeated. The errors are those of Start.
func (c *Client) StartTask(ctx context.Context, name string) (*Started, error) {
	task, err := c.instances.FindByName(ctx, "task", name)
	if err != nil {
		return nil, enms.Unsent(err)
	}
	id := endpoint.IDText(task["id"])
	criteria := map[string]any{"task_id": endpoint.Pattern([]string{id}), "task_id_filter": "regex"}
	runNames := func(ctx context.Context) (names []string, err error) {
		rows, err := c.search(ctx, endpoint.Search{Columns: []string{"task_id"}, Criteria: criteria, Limit: math.MaxInt32})
		for _, row := range rows {
			if endpoint.IDText(row["task_id"]) == id {
				names = append(names, endpoint.String(row, "name"))
			}
		}
		return names, err
	}
	before, err := runNames(ctx)
	if err != nil {
		return nil, enms.Unsent(err)
	}
	known := map[string]bool{}
	for _, run := range before {
		known[run] = true
	}
	defer c.instances.Forget() // a service may change anything
	answer, err := c.endpoint.Call(ctx, rest.Request{Method: http.MethodPost, Path: rest.Path("run_task", id), Body: []byte("{}"), Once: true})
	if err == nil {
		err = c.decodeStartOfTask(name, answer)
	}
	if err != nil && ctx.Err() == nil && !endpoint.Lost(err) {
		return nil, err
	}
	return c.look(ctx, func(ctx context.Context) *Started {
		names, _ := runNames(ctx)
		for _, run := range names {
			if !known[run] {
				if started, err := c.Named(ctx, run); err == nil {
					return started
				}
			}
		}
		return nil
	}, &UncertainError{Service: name, cause: cmp.Or(err, errUnrecorded)})
}

// decodeStartOfTask reads the answer, which is null unless eNMS refuses.
func (c *Client) decodeStartOfTask(task string, value any) error {
	if value == nil {
		return nil
	}
	answer, _ := value.(map[string]any)
	if line := endpoint.Text(answer["error"]); line != "" {
		return &RefusedError{Service: task, Reasons: []string{rest.OneLine(c.endpoint.Redact(line))}}
	}
	return endpoint.WrongType(runType, value, "null")
}
