// Running services and reading what came of it (4). A run is over as soon as it
// is started, unless Options.RunPolls says otherwise; nothing outside the simulator
// is ever touched.

package simulator

import (
	"slices"
	"strings"
)

// runRequest is one run to be made.
type runRequest struct {
	service        *object
	devices, pools []*object
	creator        string
	trigger        string
	name           string
	labels         any
	extra          *dict // goes into the payload
	form           *dict
	task           *object
}

// runService is POST /rest/run_service.
func (c *command) runService(data *dict) (any, error) {
	if !c.allows("rest_api") {
		return newRecord("error", "Runs from the REST API are not allowed on this server."), nil
	}
	name, _ := data.pop("name")
	text, ok := name.(string)
	if !ok {
		return nil, errServer
	}
	service, err := c.fetch("service", text, "run")
	if err != nil {
		return nil, err
	}
	if service.is("disabled") {
		return newRecord("error", "The workflow is disabled."), nil
	}
	if err := c.restricted(service, "run"); err != nil {
		return nil, err
	}
	request := runRequest{service: service, creator: c.userName(), trigger: "REST API", extra: data}
	if err := request.readForm(data); err != nil {
		return nil, err
	}
	if err := c.lookUp(request.name); err != nil {
		return nil, err
	}
	if request.name != "" && c.byName("run", request.name) != nil {
		return newRecord("error", "There is already a run with the same name."), nil
	}
	errorTexts, err := c.targets(&request, data)
	if err != nil {
		return nil, err
	}
	if ignore := data.get("ignore_invalid_targets"); len(errorTexts) > 0 && !truthy(ignore) {
		return newRecord("errors", errorTexts), nil
	}
	asynchronous, sent := data.lookup("async")
	return c.start(&request, !sent || truthy(asynchronous), errorTexts)
}

// readForm takes the parts of the request that override properties of the run.
func (r *runRequest) readForm(data *dict) error {
	if creator, _ := data.pop("creator"); truthy(creator) {
		r.creator, _ = creator.(string)
	}
	if trigger, _ := data.pop("trigger"); truthy(trigger) {
		r.trigger, _ = trigger.(string)
	}
	if labels, sent := data.pop("labels"); sent {
		r.labels = labels
	}
	form, sent := data.lookup("form")
	if !sent {
		return nil
	}
	d, ok := form.(*dict)
	if !ok {
		return errServer
	}
	r.form = d
	name := d.get("name")
	r.name, _ = name.(string)
	if labels, sent := d.lookup("labels"); sent {
		r.labels = labels
	}
	return nil
}

// targets finds the devices and pools a run is asked for, and says which are not there.
func (c *command) targets(r *runRequest, data *dict) ([]any, error) {
	errorTexts := []any{}
	for _, source := range []struct {
		key, model, property, complaint string
		into                            *[]*object
	}{
		{"devices", "device", "name", "No device with the name '", &r.devices},
		{"ip_addresses", "device", "ip_address", "No device with the IP address '", &r.devices},
		{"pools", "pool", "name", "No pool with the name '", &r.pools},
	} {
		value, sent := data.lookup(source.key)
		if !sent {
			continue
		}
		items, err := iterate(value)
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			wanted, _ := item.(string)
			if err := c.lookUp(wanted); err != nil {
				return nil, err
			}
			if found := c.firstBy(source.model, source.property, wanted); found != nil {
				*source.into = append(*source.into, found)
			} else {
				errorTexts = append(errorTexts, source.complaint+wanted+"'")
			}
		}
	}
	return errorTexts, nil
}

func (c *command) firstBy(model, property, value string) *object {
	if property == "name" {
		if o := c.byName(model, value); o != nil && c.may("read", o) {
			return o
		}
		return nil
	}
	for _, o := range c.all(model) {
		if c.sameText(o.text(property), value) && c.may("read", o) {
			return o
		}
	}
	return nil
}

// start makes a run and answers as the caller asked to wait for it or not.
func (c *command) start(r *runRequest, asynchronous bool, errorTexts []any) (any, error) {
	runtime := c.newRuntime()
	// A payload that is null, or a name that none may have: the run dies before it is recorded.
	if r.service.dict("initial_payload") == nil || strings.ContainsAny(r.name, `/\'"`) {
		if asynchronous {
			return newRecord("errors", errorTexts, "runtime", runtime), nil
		}
		return nil, errServer
	}
	run, err := c.recordRun(r, runtime)
	if err != nil {
		return nil, err
	}
	if !asynchronous && !isAdmin(c.user) {
		c.set(r.service, "status", "Running")
		if err := c.commit(); err != nil {
			return nil, err
		}
		return nil, forbidden("")
	}
	kept := c.results[runtime]
	devices, err := c.prepare(r, run)
	if err != nil {
		return nil, err
	}
	kept.finish = func(c *command) error { return c.execute(r, run, devices) }
	if asynchronous && c.opts.RunPolls > 0 {
		kept.polls = c.opts.RunPolls
		c.set(r.service, "status", "Running")
		return newRecord("errors", errorTexts, "runtime", runtime), c.commit()
	}
	if err := kept.finish(c); err != nil {
		return nil, err
	}
	if asynchronous {
		return newRecord("errors", errorTexts, "runtime", runtime), nil
	}
	return slices.Clip(kept.answer).with("errors", errorTexts), nil
}

// recordRun makes the run object (4.4).
func (c *command) recordRun(r *runRequest, runtime string) (*object, error) {
	run := c.newObject("run")
	name := r.name
	if name == "" {
		name = runtime + " (" + r.creator + ")"
	}
	for property, value := range map[string]any{"name": name, "runtime": runtime, "creator": r.creator,
		"trigger": r.trigger, "labels": r.labels, "path": jobKey(r.service), "service_name": r.service.get("scoped_name"),
		"properties": r.properties()} {
		c.set(run, property, value)
	}
	c.setOne(run, run.model.relations["service"], r.service)
	if r.task != nil {
		c.setOne(run, run.model.relations["task"], r.task)
	}
	c.setMany(run, run.model.relations["services"], []*object{r.service})
	c.set(r.service, "last_run", runtime)
	return run, c.commit()
}

// prepare finds the devices of a run that its creator may run services on, and
// records its targets, those included that are dropped (4.3).
func (c *command) prepare(r *runRequest, run *object) ([]*object, error) {
	devices, pools := r.devices, r.pools
	if len(devices) == 0 && len(pools) == 0 {
		devices, pools = r.service.members("target_devices"), r.service.members("target_pools")
	}
	c.setMany(run, run.model.relations["target_devices"], distinct(devices).members())
	c.setMany(run, run.model.relations["target_pools"], distinct(pools).members())
	if err := c.refreshPools(r.service, pools); err != nil {
		return nil, err
	}
	for _, pool := range pools {
		devices = append(devices[:len(devices):len(devices)], pool.members("devices")...)
	}
	devices = c.targetable(r.creator)(devices)
	c.set(run, "state", stateOf(r.service, len(devices), nil))
	return devices, nil
}

// execute does the work of a run on its devices and keeps its result (4.3).
func (c *command) execute(r *runRequest, run *object, devices []*object) error {
	runtime := run.text("runtime")
	e := execution{c: c, runtime: runtime, devices: newDict(), usable: c.targetable(r.creator), above: map[*object]bool{}}
	v := e.run(r.service, devices, true)
	answer := v.record()
	if r.trigger == "REST API" {
		answer = answer.with("devices", e.devices)
	}
	answer = answer.with("payload", r.payload(), "duration", "0:00:00", "trigger", r.trigger,
		"properties", c.scalars(r.service, withoutPositions), "runtime", runtime)
	c.set(run, "status", "Completed")
	c.set(run, "duration", "0:00:00")
	c.set(run, "state", stateOf(r.service, len(devices), v.summary))
	c.set(r.service, "status", "Idle")
	if r.task != nil && !truthy(r.task.get("frequency")) && !truthy(r.task.get("crontab_expression")) {
		c.set(r.task, "is_active", false)
	}
	c.results[runtime].answer = answer
	return nil
}

// stateOf is how far a run has come, of which its progress is told: the devices that
// were not dropped, and what those in summary came to.
func stateOf(service *object, total int, summary *dict) *dict {
	device := pairs("total", int64(total))
	for _, word := range []string{"success", "failure"} {
		if names, ok := summary.lookup(word); ok {
			device.set(word, int64(len(names.([]any))))
		}
	}
	return pairs(jobKey(service), pairs("progress", pairs("device", device)))
}

// targetable keeps the devices, each once, that a user may run services on.
func (c *command) targetable(creator string) func([]*object) []*object {
	user := c.byName("user", creator)
	return func(devices []*object) []*object {
		return slices.DeleteFunc(distinct(devices).members(), func(device *object) bool {
			return user == nil || !allowed(user, "target", device)
		})
	}
}

// payload is what the code of a service finds.
func (r *runRequest) payload() *dict {
	payload := r.service.dict("initial_payload")
	payload = payload.merged(r.form.dict("initial_payload"))
	return payload.merged(r.properties())
}

// properties are what a run was asked for with. The kind of targets that was not
// asked for stays in them, as an empty list.
func (r *runRequest) properties() *dict {
	payload := newDict().merged(r.extra)
	if r.trigger == "REST API" && len(r.devices) > 0 && len(r.pools) == 0 {
		payload.set("target_pools", []any{})
	}
	if r.trigger == "REST API" && len(r.devices) == 0 && len(r.pools) > 0 {
		payload.set("target_devices", []any{})
	}
	return payload
}

func (c *command) refreshPools(service *object, pools []*object) error {
	if service.is("update_pools_after_running") {
		return c.updateAllPools()
	}
	if !service.is("update_target_pools") {
		return nil
	}
	for _, pool := range pools {
		if err := c.computePool(pool); err != nil {
			return err
		}
	}
	return nil
}

// runTask is what the scheduler asks for (0, run_task).
func (c *command) runTask(id string) error {
	if !c.allows("scheduler") {
		return nil
	}
	task, err := c.fetchID("task", id)
	if err != nil {
		return err
	}
	if task == nil || !c.may("edit", task) {
		return noSuch("task", "id", id)
	}
	service, payload := task.one("service"), task.dict("initial_payload")
	if service == nil || payload == nil {
		return errServer
	}
	request := runRequest{service: service, trigger: "Scheduler", creator: task.text("last_scheduled_by"), task: task,
		devices: task.members("devices"), pools: task.members("pools"), extra: newDict().merged(payload)}
	_, err = c.start(&request, true, nil)
	return err
}

// result is GET /rest/result (4.4).
func (c *command) result(scopedName, runtime string) (any, error) {
	if err := c.lookUp(scopedName + runtime); err != nil {
		return nil, err
	}
	for _, run := range c.all("run") {
		if !c.sameText(run.text("service_name"), scopedName) || run.text("runtime") != runtime || !c.may("read", run) {
			continue
		}
		kept := c.results[runtime]
		if kept != nil && kept.answer == nil && kept.finish != nil {
			if kept.polls--; kept.polls < 0 {
				if err := kept.finish(c); err != nil {
					return nil, err
				}
			}
		}
		r := newRecord("status", run.get("status"), "result", "No results yet.")
		if kept != nil && kept.answer != nil {
			r[1].value = kept.answer
		}
		return r, nil
	}
	return newRecord("error", "There are no results or on-going services for the requested service and runtime."), nil
}
