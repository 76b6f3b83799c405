// Runs of tasks: what eNMS's scheduler asks for, asked for once by hand.

package enms

import (
	"context"
	"errors"
	"net/http"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
)

// errUnrecorded is the cause of an UncertainRunError where eNMS has answered that it
// starts a run.
var errUnrecorded = errors.New("eNMS answered, and has recorded no run")

// RunTask has eNMS run a task as its scheduler would, with the task's own targets and
// payload, and does not wait for it. eNMS does not tell which run that is, and gives it
// no name of the caller's: it is the first run of the task that was not there before. So
// when the scheduler starts the task at the same moment, it may be the scheduler's.
// It is asked for once. The error is like that of StartRun.
func (c *Client) RunTask(ctx context.Context, name string) (*Started, error) {
	task, err := c.queryOne(ctx, "task", "name", name)
	if err != nil {
		return nil, &unsentError{err}
	}
	id := idText(task["id"])
	before, err := c.RelatedByID(ctx, runType, "task_id", id)
	if err != nil {
		return nil, &unsentError{err}
	}
	known := map[string]bool{}
	for _, row := range before {
		known[text(row, "name")] = true
	}
	defer c.invalidate() // a service may change anything
	a, err := c.rest.Do(ctx, rest.Request{Method: http.MethodPost, Path: rest.Path("run_task", id), Body: []byte("{}"), Once: true})
	if err == nil {
		err = c.decodeRunTask(name, a)
	}
	if err == nil {
		return c.lookForRunOfTask(ctx, name, id, known, errUnrecorded)
	}
	if ctx.Err() != nil || lost(err) {
		return c.lookForRunOfTask(ctx, name, id, known, err)
	}
	return nil, err
}

// decodeRunTask reads the answer, which is null unless eNMS refuses.
func (c *Client) decodeRunTask(task string, a *rest.Answer) error {
	value, err := a.Value()
	if err != nil || value == nil {
		return err
	}
	answer, _ := value.(map[string]any)
	if line := words(answer["error"]); line != "" {
		return &RunRefusedError{Service: task, Reasons: []string{rest.OneLine(c.rest.Redact(line))}}
	}
	return wrongAnswer(runType, value, "null")
}

// lookForRunOfTask finds the first run of a task that is not known.
func (c *Client) lookForRunOfTask(ctx context.Context, name, id string, known map[string]bool, cause error) (*Started, error) {
	ctx, done := looking(ctx)
	defer done()
	for attempt := range runLooks {
		rows, _ := c.RelatedByID(ctx, runType, "task_id", id) // an error is one more look
		for _, row := range rows {
			if run := text(row, "name"); !known[run] {
				if started, err := c.RunNamed(ctx, run); err == nil {
					return started, nil
				}
			}
		}
		if attempt+1 < runLooks && c.rest.Wait(ctx, attempt, nil) != nil {
			break
		}
	}
	return nil, &UncertainRunError{Service: name, cause: cause}
}
