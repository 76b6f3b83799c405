// A run: a service on its targets, and the services of a workflow along its edges (4.3).

package simulator

import "slices"

const noTargets = "The service 'Run method' is set to 'Per device' mode, but no targets have been selected (in Step 3 > Targets)"

// execution is one run, the services inside of it included.
type execution struct {
	c       *command
	runtime string
	devices *dict // by name, what the service that ran last on a device came to
	usable  func([]*object) []*object
	above   map[*object]bool // the workflows that are running
}

// run is one service on its targets. main is the service that the run was asked for.
func (e *execution) run(service *object, targets []*object, main bool) verdict {
	if service.text("run_method") == "per_device" {
		return e.oneByOne(service, targets, main)
	}
	v := e.job(service, nil, targets, main)
	v.once = true
	if v.summary == nil {
		v.summary = pairs("success", []any{}, "failure", []any{}, "discard", []any{})
		v.summary.set(outcome(v.success), namesOf(targets))
	}
	switch service.text("skip_value") {
	case "success", "failure", "discard":
		return v
	default: // eNMS looks for the place of skipped targets, even without any
		return broken(raise("KeyError", "%s", pythonRepr(service.get("skip_value"))))
	}
}

func (e *execution) oneByOne(service *object, targets []*object, main bool) verdict {
	if main && len(targets) == 0 {
		return failedWith(noTargets)
	}
	all := verdict{success: true, summary: pairs("success", []any{}, "failure", []any{}, "discard", []any{})}
	for _, device := range targets {
		v := e.job(service, device, []*object{device}, main)
		if !service.is("disable_result_creation") || !v.success {
			e.devices.set(device.name(), v.record().with("runtime", e.runtime,
				"duration", "0:00:00", "device_target", device.name()))
		}
		names := all.summary.get(outcome(v.success))
		all.summary.set(outcome(v.success), append(names.([]any), device.name()))
		all.success = all.success && v.success
	}
	return all
}

func namesOf(objects []*object) []any {
	names := make([]any, 0, len(objects))
	for _, o := range objects {
		names = append(names, o.name())
	}
	return names
}

// job is what a service does, on one device or, without one, on all targets
// together. Services that would reach out to devices or other servers succeed.
func (e *execution) job(service, device *object, targets []*object, main bool) verdict {
	switch service.model.name {
	case "service":
		return broken(raise("AttributeError", "'Service' object has no attribute 'job'"))
	case "connection_service":
		return broken(raise("AttributeError", "'ConnectionService' object has no attribute 'job'"))
	case "python_snippet_service":
		return runSnippet(service.text("source_code"), device)
	case "swiss_army_knife_service": // does what it is called
		if !slices.Contains([]string{"Start", "End", "Placeholder"}, service.text("scoped_name")) {
			return broken(raise("AttributeError", "'SwissArmyKnifeService' object has no attribute '%s'", service.text("scoped_name")))
		}
		return verdict{success: true}
	case "unix_command_service":
		if !service.is("approved_by_admin") {
			return failedWith("The service has not been approved by an admin user.")
		}
	case "workflow":
		if e.above[service] {
			return broken(errRecursion)
		}
		e.above[service] = true
		defer delete(e.above, service)
		v := e.walk(service, device, targets)
		if main {
			e.countMinutes(service, v)
		}
		return v
	}
	return verdict{success: true, result: newDict(), hasResult: true}
}

// countMinutes adds what a run has spared somebody to a workflow's total.
func (e *execution) countMinutes(workflow *object, v verdict) {
	minutes, _ := workflow.get("man_minutes").(int64)
	times := int64(0)
	if names, ok := v.summary.lookup("success"); ok && workflow.text("man_minutes_type") == "device" {
		times = int64(len(names.([]any)))
	} else if v.success {
		times = 1
	}
	if minutes != 0 {
		e.c.addTo(workflow, "man_minutes_total", minutes*times)
	}
}

// ends are the services Start and End, which all workflows share.
func (e *execution) ends() (start, end *object) {
	for _, service := range slices.Backward(e.c.all("service")) {
		switch service.text("scoped_name") {
		case "Start":
			start = service
		case "End":
			end = service
		}
	}
	return start, end
}

// walk follows the edges of a workflow from Start. With one device, or when the
// workflow keeps track of its targets, each service gets the targets that arrive
// at it, and the workflow succeeds when all of them arrive at End. Otherwise each
// service has its own targets, and it is enough to arrive at End.
func (e *execution) walk(workflow, device *object, targets []*object) verdict {
	start, end := e.ends()
	tracking := workflow.text("run_method") == "per_service_with_workflow_targets"
	carried := tracking || device != nil
	arrived := map[*object]*refs{start: newRefs(slices.Clone(targets))}
	runs, queue := map[*object]int64{}, []*object{start}
	for len(queue) > 0 {
		service := slices.MaxFunc(queue, byPriority)
		queue = slices.Delete(queue, slices.Index(queue, service), slices.Index(queue, service)+1)
		if most, _ := service.get("maximum_runs").(int64); runs[service] >= most {
			continue
		}
		runs[service]++
		v := e.step(workflow, service, arrived[service].list, carried, service == start || service == end)
		for _, kind := range []string{"success", "failure"} {
			if !tracking && kind != outcome(v.success) {
				continue
			}
			reaching, told := v.summary.lookup(kind)
			if carried && !told {
				return broken(raise("KeyError", "'%s'", kind))
			}
			if !carried || len(reaching.([]any)) > 0 {
				queue = append(queue, e.follow(workflow, service, kind, reaching, arrived)...)
			}
		}
	}
	if !carried {
		return verdict{success: runs[end] > 0}
	}
	return balance(arrived[start], arrived[end])
}

func byPriority(a, b *object) int { return compareCells(a.get("priority"), b.get("priority")) }

// step runs one service of a workflow, or passes it by.
func (e *execution) step(workflow, service *object, arriving []*object, carried, passed bool) verdict {
	if skip := service.dict("skip").get(workflow.name()); passed || truthy(skip) {
		v := verdict{success: service.text("skip_value") == "success"}
		if carried {
			v.summary = pairs("success", namesOf(arriving), "failure", []any{})
		}
		return v
	}
	if workflow.text("run_method") != "per_service_with_service_targets" {
		return e.run(service, slices.Clone(arriving), false)
	}
	own := slices.Clone(service.members("target_devices"))
	for _, pool := range service.members("target_pools") {
		own = append(own, pool.members("devices")...)
	}
	return e.run(service, e.usable(own), false)
}

// follow sends the devices that came out of a service to those that its edges of
// a kind lead to.
func (e *execution) follow(workflow, service *object, kind string, reaching any, arrived map[*object]*refs) []*object {
	next := []*object{}
	for _, edge := range service.members("destinations") {
		destination := edge.one("destination")
		if destination == nil || edge.one("workflow") != workflow || edge.text("subtype") != kind {
			continue
		}
		if arrived[destination] == nil {
			arrived[destination] = newRefs(nil)
		}
		names, _ := reaching.([]any)
		for _, name := range names {
			device := e.c.byName("device", name.(string))
			if device != nil && !arrived[destination].has(device) {
				arrived[destination].add(device)
			}
		}
		next = append(next, destination)
	}
	return next
}

// balance is the verdict on a workflow by the targets that have come through it.
func balance(begun, ended *refs) verdict {
	if ended == nil {
		ended = newRefs(nil)
	}
	failed := []any{}
	for _, device := range begun.list {
		if !ended.has(device) {
			failed = append(failed, device.name())
		}
	}
	return verdict{success: len(failed) == 0, summary: pairs("success", namesOf(ended.list), "failure", failed)}
}
