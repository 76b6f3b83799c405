// Runs of tasks: what eNMS's scheduler asks for, asked for once by hand.

package runs

import (
	"context"
	"errors"
	"net/http"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
)

// errUnrecorded is the cause of an UncertainError where eNMS has answered that it
// starts a run.
var errUnrecorded = errors.New("eNMS answered, and has recorded no run")

// StartTask has eNMS run a task as its scheduler would, with the task's own targets and
// payload, and does not wait for it. eNMS does not tell which run that is, and gives it
// no name of the caller's: it is the first run of the task that was not there before. So
// when the scheduler starts the task at the same moment, it may be the scheduler's.
// It is asked for once. The error is like that of Start.
func (c *Client) StartTask(ctx context.Context, name string) (*Started, error) {
	task, err := c.instances.FindByName(ctx, "task", name)
	if err != nil {
		return nil, enms.Unsent(err)
	}
	id := endpoint.IDText(task["id"])
	before, err := c.instances.RelatedByID(ctx, runType, "task_id", id)
	if err != nil {
		return nil, enms.Unsent(err)
	}
	known := map[string]bool{}
	for _, row := range before {
		known[endpoint.String(row, "name")] = true
	}
	defer c.instances.Forget() // a service may change anything
	answer, err := c.endpoint.Call(ctx, rest.Request{Method: http.MethodPost, Path: rest.Path("run_task", id), Body: []byte("{}"), Once: true})
	if err == nil {
		err = c.decodeStartOfTask(name, answer)
	}
	if err == nil {
		return c.lookForRunOfTask(ctx, name, id, known, errUnrecorded)
	}
	if ctx.Err() != nil || endpoint.Lost(err) {
		return c.lookForRunOfTask(ctx, name, id, known, err)
	}
	return nil, err
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

// lookForRunOfTask finds the first run of a task that is not known.
func (c *Client) lookForRunOfTask(ctx context.Context, name, id string, known map[string]bool, cause error) (*Started, error) {
	ctx, done := searchContext(ctx)
	defer done()
	for attempt := range runLooks {
		rows, _ := c.instances.RelatedByID(ctx, runType, "task_id", id) // an error is one more look
		for _, row := range rows {
			if run := endpoint.String(row, "name"); !known[run] {
				if started, err := c.Named(ctx, run); err == nil {
					return started, nil
				}
			}
		}
		if attempt+1 < runLooks && c.endpoint.Wait(ctx, attempt, nil) != nil {
			break
		}
	}
	return nil, &UncertainError{Service: name, cause: cause}
}
