// A run: a service on its targets, the services of a workflow along its edges, and their outcome (4.3).

package simulator

import (
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/model"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

const noTargets = "The service 'Run method' is set to 'Per device' mode, but no targets have been selected (in Step 3 > Targets)"

// execution is one run, including the services inside of it.
type execution struct {
	c       *command
	service *database.Object // the service that the run was started for
	creator string           // the user whose rights decide on which devices it runs
	runtime string
	devices *python.Dict              // by name of a device, the outcome of the service that ran last on it
	running map[*database.Object]bool // the workflows that are being run
}

// run runs a service on its targets. main says that the run was started for this service.
func (e *execution) run(service *database.Object, targets []*database.Object, main bool) verdict {
	if service.Text("run_method") == "per_device" {
		return e.oneByOne(service, targets, main)
	}
	v := e.job(service, nil, targets, main)
	if !main { // the result of the main service is recorded at the end of the run
		e.record(service, nil, v, false)
	}
	v.once = true
	if v.summary == nil {
		v.summary = e.emptySummary()
		v.summary.Set(outcome(v.success), namesOf(targets))
	}
	isKey := slices.Contains([]string{"success", "failure", "discard"}, service.Text("skip_value"))
	if !isKey && e.c.Version == model.V47 { // which uses skip_value as a key, even if it has skipped no target
		return broken(python.Raise("KeyError", "%s", python.Repr(service.Get("skip_value"))))
	}
	return v
}

// oneByOne runs a service on each device by itself, and sums up the outcomes. The main service fails without targets.
func (e *execution) oneByOne(service *database.Object, targets []*database.Object, main bool) verdict {
	if main && len(targets) == 0 {
		return failedWith(noTargets)
	}
	all := verdict{success: true, summary: e.emptySummary()}
	if e.c.Version == model.V53 { // which leaves out the key of an empty list here
		all.summary = python.NewDict()
	}
	for _, device := range targets {
		v := e.job(service, device, []*database.Object{device}, main)
		e.record(service, device, v, main)
		if !service.Is("disable_result_creation") || !v.success {
			record := v.record().With("runtime", e.runtime, "duration", "0:00:00", "device_target", device.Name())
			if e.c.Version == model.V53 && main {
				record = record.With("trigger", "REST API")
			}
			e.devices.Set(device.Name(), record)
		}
		names, _ := all.summary.Get(outcome(v.success)).([]any)
		all.summary.Set(outcome(v.success), append(names, device.Name()))
		all.success = all.success && v.success
	}
	return all
}

// emptySummary returns the summary of a service without targets.
func (e *execution) emptySummary() *python.Dict {
	summary := python.Pairs("success", []any{}, "failure", []any{})
	if e.c.Version == model.V47 {
		summary.Set("discard", []any{})
	}
	return summary
}

// record records a result of the run, of a service inside of it, or of either on a device (4.4). The path
// of a service inside of the run begins with the path of the main service. Only the run's own result has
// the runtime of the run.
func (e *execution) record(service, device *database.Object, v verdict, main bool) {
	path, key := "", model.IDText
	if e.c.Version == model.V53 {
		key = func(o *database.Object) string { return o.Text("persistent_id") }
	}
	if !main {
		path = key(e.service) + ">"
	}
	o, runtime := e.c.NewObject("result"), e.runtime
	if !main || device != nil {
		runtime = e.c.newRuntime()
	}
	e.c.SetAll(o, map[string]any{"name": runtime, "runtime": runtime, "parent_runtime": e.runtime, "duration": "0:00:00",
		"service_name": service.Get("scoped_name"), "path": path + key(service), "success": v.success, "result": v.record()})
	if device != nil {
		e.c.Set(o, "device_name", device.Name())
	}
	e.c.Pend(o)
}

func namesOf(objects []*database.Object) []any {
	names := make([]any, 0, len(objects))
	for _, o := range objects {
		names = append(names, o.Name())
	}
	return names
}

// job does the work of a service, on one device or, if that is nil, on all targets together. Services
// that would connect to devices or to other servers succeed.
func (e *execution) job(service, device *database.Object, targets []*database.Object, main bool) verdict {
	switch service.Type.Name {
	case "service":
		return broken(python.Raise("AttributeError", "'Service' object has no attribute 'job'"))
	case "connection_service":
		return broken(python.Raise("AttributeError", "'ConnectionService' object has no attribute 'job'"))
	case "python_snippet_service":
		name := ""
		if e.c.Version == model.V53 {
			name = service.Text("scoped_name")
		}
		return runSnippet(service.Text("source_code"), device, name)
	case "swiss_army_knife_service": // it calls the function that has its name
		if !slices.Contains([]string{"Start", "End", "Placeholder"}, service.Text("scoped_name")) {
			return broken(python.Raise("AttributeError", "'SwissArmyKnifeService' object has no attribute '%s'", service.Text("scoped_name")))
		}
		return verdict{success: true}
	case "unix_command_service":
		if !service.Is("approved_by_admin") {
			return failedWith("The service has not been approved by an admin user.")
		}
	case "workflow":
		if e.running[service] {
			return broken(model.ErrRecursion)
		}
		e.running[service] = true
		defer delete(e.running, service)
		v := e.walk(service, device, targets)
		if main {
			e.countMinutes(service, v)
		}
		return v
	}
	return verdict{success: true, result: python.NewDict(), hasResult: true}
}

// countMinutes adds to a workflow's total the minutes of work that a run has saved, for each device or once.
func (e *execution) countMinutes(workflow *database.Object, v verdict) {
	minutes, _ := workflow.Get("man_minutes").(int64)
	times := int64(0)
	if names, ok := v.summary.Lookup("success"); ok && workflow.Text("man_minutes_type") == "device" {
		times = int64(len(names.([]any)))
	} else if v.success {
		times = 1
	}
	if minutes != 0 {
		e.c.AddTo(workflow, "man_minutes_total", minutes*times)
	}
}

// walk follows the edges of a workflow from Start. With one device, or if the workflow tracks its targets, each
// service gets the targets that arrive at it, and the workflow succeeds if all of them arrive at End. Otherwise each
// service has its own targets, and the workflow succeeds if End is reached.
func (e *execution) walk(workflow, device *database.Object, targets []*database.Object) verdict {
	start, end := e.c.Scoped("Start"), e.c.Scoped("End")
	tracking := workflow.Text("run_method") == "per_service_with_workflow_targets"
	carried := tracking || device != nil
	arrived := map[*database.Object]*database.Set{start: database.NewSet(targets)}
	runs, queue := map[*database.Object]int64{}, []*database.Object{start}
	for len(queue) > 0 {
		service := slices.MaxFunc(queue, byPriority)
		at := slices.Index(queue, service)
		queue = slices.Delete(queue, at, at+1)
		if most, _ := service.Get("maximum_runs").(int64); runs[service] >= most {
			continue
		}
		runs[service]++
		v := e.step(workflow, service, arrived[service].List, carried, service == start || service == end)
		for _, kind := range []string{"success", "failure"} {
			if !tracking && kind != outcome(v.success) { // tracked targets go on by their own outcome
				continue
			}
			reaching, has := v.summary.Lookup(kind)
			if carried && !has && e.c.Version == model.V47 { // which does not look whether the summary has the key
				return broken(python.Raise("KeyError", "'%s'", kind))
			}
			names, _ := reaching.([]any)
			if !carried || len(names) > 0 {
				queue = append(queue, e.follow(workflow, service, kind, names, arrived)...)
			}
		}
	}
	if !carried {
		return verdict{success: runs[end] > 0}
	}
	return balance(arrived[start], arrived[end])
}

// byPriority compares services: of those that are due, the one with the highest priority runs first.
func byPriority(a, b *database.Object) int {
	return database.CompareCells(a.Get("priority"), b.Get("priority"))
}

// step runs one service of a workflow. A service that is skipped, or passed, as Start and End are, does not run: its
// skip_value is its outcome. carried says whether the service gets the targets that arrive at it.
func (e *execution) step(workflow, service *database.Object, arriving []*database.Object, carried, passed bool) verdict {
	isSkipped := python.Truthy(service.Dict("skip").Get(workflow.Name()))
	if passed || isSkipped {
		v := verdict{success: service.Text("skip_value") == "success"}
		if carried {
			v.summary = python.Pairs("success", namesOf(arriving), "failure", []any{})
		}
		return v
	}
	if workflow.Text("run_method") != "per_service_with_service_targets" {
		return e.run(service, slices.Clone(arriving), false)
	}
	own := slices.Clone(service.Members("target_devices"))
	for _, pool := range service.Members("target_pools") {
		own = append(own, pool.Members("devices")...)
	}
	return e.run(service, e.c.targetable(e.creator, own), false)
}

// targetable returns those of the devices, each once, on which the creator of a run may run services.
func (c *command) targetable(creator string, devices []*database.Object) []*database.Object {
	user := c.ByName("user", creator)
	if user == nil {
		return nil
	}
	return slices.DeleteFunc(database.NewSet(devices).List, func(device *database.Object) bool {
		return !model.HasRight(user, "target", device)
	})
}

// follow returns the services to which a service's edges of a subtype lead, and adds the devices with that outcome,
// given their names, to those that have arrived there.
func (e *execution) follow(workflow, service *database.Object, subtype string, names []any, arrived map[*database.Object]*database.Set) []*database.Object {
	next := []*database.Object{}
	for _, edge := range service.Members("destinations") {
		destination := edge.One("destination")
		if destination == nil || edge.One("workflow") != workflow || edge.Text("subtype") != subtype {
			continue
		}
		if arrived[destination] == nil {
			arrived[destination] = database.NewSet(nil)
		}
		for _, name := range names {
			if device := e.c.ByName("device", name.(string)); device != nil {
				arrived[destination].Add(device)
			}
		}
		next = append(next, destination)
	}
	return next
}

// balance returns the outcome of a workflow, given the targets that have begun and those that have arrived at End.
func balance(begun, ended *database.Set) verdict {
	if ended == nil {
		ended = database.NewSet(nil)
	}
	failed := []any{}
	for _, device := range begun.List {
		if !ended.Has(device) {
			failed = append(failed, device.Name())
		}
	}
	return verdict{success: len(failed) == 0, summary: python.Pairs("success", namesOf(ended.List), "failure", failed)}
}
