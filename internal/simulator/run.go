// Runs of services, and their results (4). A run ends as soon as it is started, unless Options.RunPolls says
// otherwise. It contacts no device.

package simulator

import (
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/model"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// runService is POST /rest/run_service.
func (c *command) runService(_ []string, data *python.Dict) (any, error) {
	allowed, err := c.Allows("rest_api")
	if err != nil {
		return nil, err
	}
	if !allowed {
		return python.NewRecord("error", "Runs from the REST API are not allowed on this server."), nil
	}
	service, err := c.runnable(data)
	if err != nil {
		return nil, err
	}
	if service == nil {
		return python.NewRecord("error", "No identifier (Name or Persistent ID) for the service."), nil
	}
	if service.Is("disabled") {
		return python.NewRecord("error", "The workflow is disabled."), nil
	}
	if err := c.Restricted(service, "run"); err != nil {
		return nil, err
	}
	request := runRequest{service: service, creator: c.UserName(), trigger: "REST API", extra: data}
	if err := request.readOverrides(data); err != nil {
		return nil, err
	}
	if err := c.CheckText(request.name); err != nil {
		return nil, err
	}
	if request.name != "" && c.ByName("run", request.name) != nil {
		return python.NewRecord("error", "There is already a run with the same name."), nil
	}
	errorTexts, err := c.targets(&request, data)
	if err != nil {
		return nil, err
	}
	ignoresErrors := python.Truthy(data.Get("ignore_invalid_targets"))
	if len(errorTexts) > 0 && !ignoresErrors {
		return python.NewRecord("errors", errorTexts), nil
	}
	asynchronous, sent := data.Lookup("async")
	return c.start(&request, !sent || python.Truthy(asynchronous), errorTexts)
}

// runnable returns the service that a request names, on 5.3 also by its persistent id. A request that names none
// fails on 4.7; on 5.3, the result is nil.
func (c *command) runnable(data *python.Dict) (*database.Object, error) {
	if c.Version == model.V53 {
		if id, sent := data.Lookup("persistent_id"); sent {
			text, _ := id.(string)
			if service := c.byPersistentID(c.Type("service"), text, "run"); service != nil {
				return service, nil
			}
			return nil, c.NoSuch("service", "persistent_id", id)
		}
	}
	given, sent := data.Pop("name")
	name, isText := given.(string)
	switch {
	case isText:
		return c.fetch("service", name, "run")
	case c.Version == model.V47:
		return nil, python.ErrServer
	case sent:
		return nil, c.NoSuch("service", "name", given)
	}
	return nil, nil
}

// start starts a run. It returns the result of the run or, to a caller that does not wait for it (asynchronous), the
// runtime, each with errorTexts.
func (c *command) start(r *runRequest, asynchronous bool, errorTexts []any) (any, error) {
	runtime := c.newRuntime()
	started := python.NewRecord("errors", errorTexts, "runtime", runtime)
	// A payload that is null, or a name that none may have: the run dies before it is recorded.
	if r.service.Dict("initial_payload") == nil || strings.ContainsAny(r.name, `/\'"`) {
		if asynchronous {
			return started, nil
		}
		return nil, python.ErrServer
	}
	run, err := c.recordRun(r, runtime, asynchronous)
	if err != nil {
		return nil, err
	}
	if !asynchronous && !model.IsAdmin(c.User) { // only administrators may wait, but eNMS notices too late (4.2)
		c.Set(r.service, "status", "Running")
		if err := c.Commit(); err != nil {
			return nil, err
		}
		return nil, model.Forbidden("")
	}
	kept := c.results[runtime]
	devices, err := c.prepare(r, run)
	if err != nil {
		return nil, err
	}
	kept.finish = func(c *command) { c.execute(r, run, devices) }
	if asynchronous && c.opts.RunPolls > 0 {
		kept.polls = c.opts.RunPolls
		c.Set(r.service, "status", "Running")
		return started, c.Commit()
	}
	kept.finish(c)
	if asynchronous {
		return started, nil
	}
	return slices.Clip(kept.answer).With("errors", errorTexts), nil
}

// recordRun creates and commits the object of a run. Without a name, it is called after its start and its creator.
// eNMS 5.3 refers to the service by its persistent id, and sets its status to Running.
func (c *command) recordRun(r *runRequest, runtime string, asynchronous bool) (*database.Object, error) {
	run := c.NewObject("run")
	name, path, serviceName := r.name, model.IDText(r.service), r.service.Get("scoped_name")
	if c.Version == model.V53 {
		path, serviceName = r.service.Text("persistent_id"), r.service.Get("name")
	}
	if name == "" {
		name = runtime + " (" + r.creator + ")"
	}
	c.SetAll(run, map[string]any{"name": name, "runtime": runtime, "creator": r.creator, "trigger": r.trigger,
		"labels": r.labels, "path": path, "service_name": serviceName, "properties": r.properties()})
	if c.Version == model.V53 {
		c.Set(run, "is_async", asynchronous)
		c.Remember(r.service, "status", nil) // so that the changelog has each run: the status may be Running already (11.8)
		c.Set(r.service, "status", "Running")
	}
	c.SetOne(run, run.Type.Relations["service"], r.service)
	if r.task != nil {
		c.SetOne(run, run.Type.Relations["task"], r.task)
	}
	c.SetMany(run, run.Type.Relations["services"], []*database.Object{r.service})
	c.Set(r.service, "last_run", runtime)
	return run, c.Commit()
}

// prepare records the targets of a run, has the members of pools computed if the service asks for it, and returns the
// devices among the targets on which the creator of the run may run services (4.3).
func (c *command) prepare(r *runRequest, run *database.Object) ([]*database.Object, error) {
	devices, pools := r.devices, r.pools
	if len(devices) == 0 && len(pools) == 0 {
		devices, pools = r.service.Members("target_devices"), r.service.Members("target_pools")
	}
	c.SetMany(run, run.Type.Relations["target_devices"], database.NewSet(devices).List)
	c.SetMany(run, run.Type.Relations["target_pools"], database.NewSet(pools).List)
	if err := c.refreshPools(r.service, pools); err != nil {
		return nil, err
	}
	for _, pool := range pools {
		devices = append(slices.Clip(devices), pool.Members("devices")...)
	}
	devices = c.targetable(r.creator, devices)
	c.Set(run, "state", stateOf(run.Text("path"), len(devices), nil))
	return devices, nil
}

// execute runs the service on its devices, and stores the result (4.3).
func (c *command) execute(r *runRequest, run *database.Object, devices []*database.Object) {
	runtime := run.Text("runtime")
	e := execution{c: c, service: r.service, creator: r.creator, runtime: runtime, devices: python.NewDict(), running: map[*database.Object]bool{}}
	v := e.run(r.service, devices, true)
	answer := v.record()
	if r.trigger == "REST API" {
		answer = answer.With("devices", e.devices)
	}
	if r.service.Is("dry_run") {
		answer = answer.With("dry_run", true)
	}
	answer = answer.With("payload", r.payload(), "duration", "0:00:00", "trigger", r.trigger,
		"properties", c.scalars(r.service, withoutPositions), "runtime", runtime)
	e.record(r.service, nil, v, true)
	c.SetAll(run, map[string]any{"status": "Completed", "duration": "0:00:00", "state": stateOf(run.Text("path"), len(devices), v.summary)})
	if c.Version == model.V47 {
		c.Set(r.service, "status", "Idle")
	} else {
		c.SetAll(run, map[string]any{"success": v.success, "payload": r.payload()})
	}
	if r.task != nil && !python.Truthy(r.task.Get("frequency")) && !python.Truthy(r.task.Get("crontab_expression")) {
		c.Set(r.task, "is_active", false) // its only run is over
	}
	c.results[runtime].answer = answer
}

// stateOf returns the state of a run, from which its progress is computed: the number of its devices, in total
// and by outcome. summary may be nil.
func stateOf(path string, total int, summary *python.Dict) *python.Dict {
	device := python.Pairs("total", int64(total))
	for _, word := range []string{"success", "failure"} {
		if names, ok := summary.Lookup(word); ok {
			device.Set(word, int64(len(names.([]any))))
		}
	}
	return python.Pairs(path, python.Pairs("progress", python.Pairs("device", device)))
}

// refreshPools computes the members of the target pools, or of all pools, if the service asks for it.
func (c *command) refreshPools(service *database.Object, pools []*database.Object) error {
	if service.Is("update_pools_after_running") {
		_, err := c.updateAllPools(nil, nil)
		return err
	}
	if !service.Is("update_target_pools") {
		return nil
	}
	for _, pool := range pools {
		if err := c.ComputePool(pool); err != nil {
			return err
		}
	}
	return nil
}

// runTask is POST /rest/run_task, which the scheduler sends (enms-rest.md 0).
func (c *command) runTask(path []string, _ *python.Dict) (any, error) {
	allowed, err := c.Allows("scheduler")
	if !allowed || err != nil {
		return nil, err
	}
	task, err := c.FetchID("task", path[0])
	if err != nil {
		return nil, err
	}
	if task == nil || !c.May("edit", task) {
		return nil, c.NoSuch("task", "id", path[0])
	}
	service, payload := task.One("service"), task.Dict("initial_payload")
	if service == nil || payload == nil {
		return nil, python.ErrServer
	}
	request := runRequest{service: service, trigger: "Scheduler", creator: task.Text("last_scheduled_by"), task: task,
		devices: task.Members("devices"), pools: task.Members("pools"), extra: python.NewDict().Merged(payload)}
	_, err = c.start(&request, true, nil)
	return nil, err
}

// result is GET /rest/result (4.4).
func (c *command) result(path []string, _ *python.Dict) (any, error) {
	name, runtime := path[0], path[1]
	if err := c.CheckText(name + runtime); err != nil { // both are looked up
		return nil, err
	}
	if service := c.byPersistentID(c.Type("service"), name, "read"); service != nil {
		name = service.Name()
	}
	for _, run := range c.All("run") {
		if !c.SameText(run.Text("service_name"), name) || run.Text("runtime") != runtime || !c.May("read", run) {
			continue
		}
		shown := c.results[runtime].poll(c) // may end the run
		return python.NewRecord("status", run.Get("status"), "result", shown), nil
	}
	return python.NewRecord("error", "There are no results or on-going services for the requested service and runtime."), nil
}

// poll returns what a request for the result of a run gets. It ends the run if no more requests shall find it running.
func (r *result) poll(c *command) any {
	const none = "No results yet."
	switch {
	case r == nil || r.finish == nil: // a run that was written by POST, or that eNMS gave up
		return none
	case r.answer == nil && r.polls > 0:
		r.polls--
		return none
	case r.answer == nil:
		r.finish(c)
	}
	return r.answer
}
