// Running services and reading what came of it (4). A run is over as soon as it
// is started, unless Options.RunPolls says otherwise; nothing outside the simulator
// is ever touched.

package simulator

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// result is what a run left behind; the answer is missing until it is over.
type result struct {
	answer record
	polls  int               // how many questions are answered before it is over
	finish func(t *tx) error // what is left to be done then
}

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
func (t *tx) runService(data *dict) (any, error) {
	if !t.s.allows("rest_api") {
		return record{{"error", "Runs from the REST API are not allowed on this server."}}, nil
	}
	name, _ := data.pop("name")
	text, ok := name.(string)
	if !ok {
		return nil, errServer
	}
	service, err := t.fetch("service", text, "run")
	if err != nil {
		return nil, err
	}
	if service.is("disabled") {
		return record{{"error", "The workflow is disabled."}}, nil
	}
	if err := t.restricted(service, "run"); err != nil {
		return nil, err
	}
	request := runRequest{service: service, creator: t.userName(), trigger: "REST API", extra: data}
	if err := request.readForm(data); err != nil {
		return nil, err
	}
	if err := t.lookUp(request.name); err != nil {
		return nil, err
	}
	if request.name != "" && t.s.byName(models["run"], request.name) != nil {
		return record{{"error", "There is already a run with the same name."}}, nil
	}
	errorTexts, err := t.targets(&request, data)
	if err != nil {
		return nil, err
	}
	if ignore, _ := data.get("ignore_invalid_targets"); len(errorTexts) > 0 && !truthy(ignore) {
		return record{{"errors", errorTexts}}, nil
	}
	asynchronous, sent := data.get("async")
	return t.start(&request, !sent || truthy(asynchronous), errorTexts)
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
	form, sent := data.get("form")
	if !sent {
		return nil
	}
	d, ok := form.(*dict)
	if !ok {
		return errServer
	}
	r.form = d
	name, _ := d.get("name")
	r.name, _ = name.(string)
	if labels, sent := d.get("labels"); sent {
		r.labels = labels
	}
	return nil
}

// targets finds the devices and pools a run is asked for, and says which are not there.
func (t *tx) targets(r *runRequest, data *dict) ([]any, error) {
	errorTexts := []any{}
	for _, source := range []struct {
		key, model, property, complaint string
		into                            *[]*object
	}{
		{"devices", "device", "name", "No device with the name '", &r.devices},
		{"ip_addresses", "device", "ip_address", "No device with the IP address '", &r.devices},
		{"pools", "pool", "name", "No pool with the name '", &r.pools},
	} {
		value, sent := data.get(source.key)
		if !sent {
			continue
		}
		items, err := iterate(value)
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			wanted, _ := item.(string)
			if err := t.lookUp(wanted); err != nil {
				return nil, err
			}
			if found := t.firstBy(source.model, source.property, wanted); found != nil {
				*source.into = append(*source.into, found)
			} else {
				errorTexts = append(errorTexts, source.complaint+wanted+"'")
			}
		}
	}
	return errorTexts, nil
}

func (t *tx) firstBy(model, property, value string) *object {
	if property == "name" {
		if o := t.s.byName(models[model], value); o != nil && t.may("read", o) {
			return o
		}
		return nil
	}
	for _, o := range t.s.all(models[model]) {
		if t.s.db.sameText(o.text(property), value) && t.may("read", o) {
			return o
		}
	}
	return nil
}

// start makes a run and answers as the caller asked to wait for it or not.
func (t *tx) start(r *runRequest, asynchronous bool, errorTexts []any) (any, error) {
	runtime := t.s.newRuntime()
	// A payload that is null, or a name that none may have: the run dies before it is recorded.
	if r.service.dict("initial_payload") == nil || strings.ContainsAny(r.name, `/\'"`) {
		if asynchronous {
			return record{{"errors", errorTexts}, {"runtime", runtime}}, nil
		}
		return nil, errServer
	}
	run, err := t.recordRun(r, runtime)
	if err != nil {
		return nil, err
	}
	if !asynchronous && !isAdmin(t.user) {
		t.set(r.service, "status", "Running")
		if err := t.commit(); err != nil {
			return nil, err
		}
		return nil, raise(rbacClass, "")
	}
	kept := t.s.results[runtime]
	devices, err := t.prepare(r, run)
	if err != nil {
		return nil, err
	}
	kept.finish = func(t *tx) error { return t.execute(r, run, devices) }
	if asynchronous && t.s.opts.RunPolls > 0 {
		kept.polls = t.s.opts.RunPolls
		t.set(r.service, "status", "Running")
		return record{{"errors", errorTexts}, {"runtime", runtime}}, t.commit()
	}
	if err := kept.finish(t); err != nil {
		return nil, err
	}
	if asynchronous {
		return record{{"errors", errorTexts}, {"runtime", runtime}}, nil
	}
	return append(kept.answer[:len(kept.answer):len(kept.answer)], member{"errors", errorTexts}), nil
}

// newRuntime is a timestamp that no run has yet, since runs are found by it.
func (s *Server) newRuntime() string {
	for at := s.now(); ; at = at.Add(time.Microsecond) {
		runtime := at.Format("2006-01-02 15:04:05.000000")
		if s.results[runtime] == nil {
			s.results[runtime] = &result{}
			return runtime
		}
	}
}

// recordRun makes the run object (4.4).
func (t *tx) recordRun(r *runRequest, runtime string) (*object, error) {
	run := t.newObject("run")
	name := r.name
	if name == "" {
		name = runtime + " (" + r.creator + ")"
	}
	for property, value := range map[string]any{"name": name, "runtime": runtime, "creator": r.creator,
		"trigger": r.trigger, "labels": r.labels, "path": jobKey(r.service), "service_name": r.service.get("scoped_name"),
		"properties": r.properties()} {
		t.set(run, property, value)
	}
	t.setOne(run, run.model.relations["service"], r.service)
	if r.task != nil {
		t.setOne(run, run.model.relations["task"], r.task)
	}
	t.setMany(run, run.model.relations["services"], []*object{r.service})
	t.set(r.service, "last_run", runtime)
	return run, t.commit()
}

// prepare finds the devices of a run that its creator may run services on, and
// records its targets, those included that are dropped (4.3).
func (t *tx) prepare(r *runRequest, run *object) ([]*object, error) {
	devices, pools := r.devices, r.pools
	if len(devices) == 0 && len(pools) == 0 {
		devices, pools = r.service.members("target_devices"), r.service.members("target_pools")
	}
	t.setMany(run, run.model.relations["target_devices"], newSet(devices))
	t.setMany(run, run.model.relations["target_pools"], newSet(pools))
	if err := t.refreshPools(r.service, pools); err != nil {
		return nil, err
	}
	for _, pool := range pools {
		devices = append(devices[:len(devices):len(devices)], pool.members("devices")...)
	}
	devices = t.targetable(r.creator)(devices)
	t.set(run, "state", stateOf(r.service, len(devices), nil))
	return devices, nil
}

// execute does the work of a run on its devices and keeps its result (4.3).
func (t *tx) execute(r *runRequest, run *object, devices []*object) error {
	runtime := run.text("runtime")
	e := execution{t: t, runtime: runtime, devices: newDict(), usable: t.targetable(r.creator), above: map[*object]bool{}}
	v := e.run(r.service, devices, true)
	answer := v.record()
	if r.trigger == "REST API" {
		answer = append(answer, member{"devices", e.devices})
	}
	answer = append(answer, member{"payload", r.payload()}, member{"duration", "0:00:00"}, member{"trigger", r.trigger},
		member{"properties", t.s.scalars(r.service, withoutPositions)}, member{"runtime", runtime})
	t.set(run, "status", "Completed")
	t.set(run, "duration", "0:00:00")
	t.set(run, "state", stateOf(r.service, len(devices), v.summary))
	t.set(r.service, "status", "Idle")
	if r.task != nil && !truthy(r.task.get("frequency")) && !truthy(r.task.get("crontab_expression")) {
		t.set(r.task, "is_active", false)
	}
	t.s.results[runtime].answer = answer
	return nil
}

// stateOf is how far a run has come, of which its progress is told: the devices that
// were not dropped, and what those in summary came to.
func stateOf(service *object, total int, summary *dict) *dict {
	device := pairs("total", int64(total))
	for _, word := range []string{"success", "failure"} {
		if names, ok := summary.get(word); ok {
			device.set(word, int64(len(names.([]any))))
		}
	}
	return pairs(jobKey(service), pairs("progress", pairs("device", device)))
}

// runProgress is the share of a run's devices that it is done with.
func runProgress(_ *Server, o *object) (any, bool) {
	state, _ := o.dict("state").get(o.text("path"))
	progress, _ := asDict(state).get("progress")
	device, _ := asDict(progress).get("device")
	count := func(word string) int64 {
		n, _ := asDict(device).get(word)
		number, _ := n.(int64)
		return number
	}
	if device == nil {
		return nil, true
	}
	return fmt.Sprintf("%d/%d (%d failed)", count("success")+count("failure"), count("total"), count("failure")), true
}

// asDict is a value as an object, nil when it is none.
func asDict(v any) *dict {
	d, _ := v.(*dict)
	return d
}

// targetable keeps the devices, each once, that a user may run services on.
func (t *tx) targetable(creator string) func([]*object) []*object {
	user := t.s.byName(models["user"], creator)
	return func(devices []*object) []*object {
		return slices.DeleteFunc(newSet(devices), func(device *object) bool {
			return user == nil || !allowed(user, "target", device)
		})
	}
}

// payload is what the code of a service finds.
func (r *runRequest) payload() *dict {
	payload := r.service.dict("initial_payload")
	if given, ok := r.form.get("initial_payload"); ok {
		payload = payload.merged(asDict(given))
	}
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

// newSet drops the second of two equal objects.
func newSet(objects []*object) []*object {
	set := newRefs(nil)
	for _, o := range objects {
		if !set.has(o) {
			set.add(o)
		}
	}
	return set.list
}

func (t *tx) refreshPools(service *object, pools []*object) error {
	if service.is("update_pools_after_running") {
		return t.updateAllPools()
	}
	if !service.is("update_target_pools") {
		return nil
	}
	for _, pool := range pools {
		if err := t.computePool(pool); err != nil {
			return err
		}
	}
	return nil
}

// runTask is what the scheduler asks for (0, run_task).
func (t *tx) runTask(id string) error {
	if !t.s.allows("scheduler") {
		return nil
	}
	task, err := t.fetchByID(models["task"], id)
	if err != nil {
		return err
	}
	if task == nil || !t.may("edit", task) {
		return noSuch("task", "id", id)
	}
	service, payload := task.ones["service"], task.dict("initial_payload")
	if service == nil || payload == nil {
		return errServer
	}
	request := runRequest{service: service, trigger: "Scheduler", creator: task.text("last_scheduled_by"), task: task,
		devices: task.members("devices"), pools: task.members("pools"), extra: newDict().merged(payload)}
	_, err = t.start(&request, true, nil)
	return err
}

// result is GET /rest/result (4.4).
func (t *tx) result(scopedName, runtime string) (any, error) {
	if err := t.lookUp(scopedName + runtime); err != nil {
		return nil, err
	}
	for _, run := range t.s.all(models["run"]) {
		if !t.s.db.sameText(run.text("service_name"), scopedName) || run.text("runtime") != runtime || !t.may("read", run) {
			continue
		}
		kept := t.s.results[runtime]
		if kept != nil && kept.answer == nil && kept.finish != nil {
			if kept.polls--; kept.polls < 0 {
				if err := kept.finish(t); err != nil {
					return nil, err
				}
			}
		}
		r := record{{"status", run.get("status")}, {"result", "No results yet."}}
		if kept != nil && kept.answer != nil {
			r[1].value = kept.answer
		}
		return r, nil
	}
	return record{{"error", "There are no results or on-going services for the requested service and runtime."}}, nil
}

func runServiceProperties(_ *Server, o *object) (any, bool) {
	service := o.ones["service"]
	if service == nil {
		return nil, false
	}
	return record{{"id", service.id}, {"name", service.get("name")}, {"type", service.model.name},
		{"report_format", service.get("report_format")}}, true
}
