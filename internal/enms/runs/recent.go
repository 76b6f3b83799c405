// This file finds the runs that eNMS has recorded.

package runs

import (
	"context"
	"maps"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
)

// Selection says which runs to find. A field that is "" selects all runs.
type Selection struct {
	Service, Task, Device string // full names; the device is one that was named as a target
	Status                string
	Since                 string // the earliest runtime, or the beginning of it
	Most                  int    // how many runs to find, the latest first
}

// relations returns the selected names, by the relations of runs that select them.
func (s Selection) relations() map[string]string {
	names := map[string]string{"service": s.Service, "task": s.Task, "target_devices": s.Device}
	maps.DeleteFunc(names, func(_, name string) bool { return name == "" })
	return names
}

// check returns an error if eNMS ignores a criterion of the search that has found rows. It asks eNMS about those
// criteria alone that not every row shows to be met.
func (s Selection) check(ctx context.Context, client *enms.Client, rows []endpoint.Object) error {
	hasStatus := func(row endpoint.Object) bool { return s.Status == "" || row["status"] == s.Status }
	criteria := []enms.Criterion{{Field: "status", Shown: enms.All(rows, hasStatus)}}
	for relation, name := range s.relations() {
		hasName := func(row endpoint.Object) bool { return nameIn(row, relation) == name }
		criteria = append(criteria, enms.Criterion{Field: relation, IsRelation: true, Shown: enms.All(rows, hasName)})
	}
	return client.CheckRespected(ctx, runType, criteria...)
}

// nameIn returns the name in a relation of a run, or "" for the targets, which rows do not show.
func nameIn(row endpoint.Object, relation string) string {
	switch relation {
	case "service":
		return startedOf(row).Service
	case "task":
		return endpoint.String(row, "task_name")
	}
	return ""
}

// Recorded is a run that eNMS has recorded (enms-rest.md 4.4).
type Recorded struct {
	*Started
	Task     string // "" if no task started it
	Status   string
	Duration string
	Creator  string // the user
	Trigger  string
	Labels   string
	Progress string
	Success  *bool // whether it succeeded; nil while there is no result
}

// recentColumns are the columns of a search for runs.
var recentColumns = []string{"creator", "duration", "labels", "progress", "runtime", "service_name", "service_properties", "status", "task_name", "trigger"}

// Recent returns the latest runs of a selection, newest first. It searches for the runs, and for their results, which
// say whether they succeeded: the runs of eNMS 4 do not (enms-rest.md 4.4). A criterion that the rows do not confirm
// takes another request, once (CheckRespected). A name that eNMS does not have selects no run. On eNMS 5, runs of deleted
// services are left out if there are any.
func (c *Client) Recent(ctx context.Context, s Selection) (found []Recorded, err error) {
	criteria := map[string]any{}
	for relation, name := range s.relations() {
		criteria[relation] = []string{name}
	}
	if s.Status != "" {
		criteria["status"], criteria["status_filter"] = s.Status, "equality"
	}
	rows, err := c.search(ctx, endpoint.Search{Columns: recentColumns, Criteria: criteria, Latest: true, Limit: s.Most})
	if err != nil {
		return nil, err
	}
	if err := s.check(ctx, c.instances, rows); err != nil {
		return nil, err
	}
	var runtimes []string
	for _, row := range rows {
		started := startedOf(row)
		if started.Service == "" { // the service is deleted
			started.Service = started.ScopedName
		}
		if started.Runtime < s.Since { // s.Most has left out no later run for it, because the latest come first
			continue
		}
		runtimes = append(runtimes, started.Runtime)
		found = append(found, Recorded{Started: started, Task: endpoint.String(row, "task_name"), Status: endpoint.String(row, "status"),
			Duration: endpoint.String(row, "duration"), Creator: endpoint.String(row, "creator"), Trigger: endpoint.String(row, "trigger"),
			Labels: endpoint.String(row, "labels"), Progress: endpoint.String(row, "progress")})
	}
	successes, err := c.successes(ctx, runtimes)
	for i, run := range found {
		if success, known := successes[run.Runtime+" "+run.ScopedName]; known {
			found[i].Success = &success
		}
	}
	return found, err
}

// successes returns whether runs succeeded, by runtime and scoped name of the service. The result of a run has
// the runtime of the run; the results of its devices and steps have others.
func (c *Client) successes(ctx context.Context, runtimes []string) (map[string]bool, error) {
	successes := map[string]bool{}
	for _, some := range endpoint.Chunks(runtimes) {
		rows, err := c.endpoint.Search(ctx, endpoint.Search{Type: "result", Columns: []string{"runtime", "service_name", "success"}, Names: len(some),
			Criteria: map[string]any{"runtime": endpoint.Pattern(some), "runtime_filter": "regex"}, Limit: 2 * len(some)})
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			successes[endpoint.String(row, "runtime")+" "+endpoint.String(row, "service_name")] = row["success"] == true
		}
	}
	return successes, nil
}
