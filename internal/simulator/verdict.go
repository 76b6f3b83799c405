// What a run comes to: the services, their targets, the edges of a workflow (4.3).

package simulator

import "regexp"

const noTargets = "The service 'Run method' is set to 'Per device' mode, but no targets have been selected"

// outcome is the verdict on a service and its targets.
func (t *tx) outcome(r *runRequest, devices []*object, runtime string) record {
	perDevice := r.service.text("run_method") == "per_device"
	requested := len(r.devices)+len(r.pools)+len(r.service.members("target_devices"))+len(r.service.members("target_pools")) > 0
	if perDevice && len(devices) == 0 && !requested {
		return record{{"success", false}, {"result", noTargets}, {"devices", newDict()}}
	}
	success, detail := t.verdict(r.service, map[*object]bool{})
	names := make([]any, 0, len(devices))
	perName := newDict()
	for _, device := range devices {
		names = append(names, device.name())
		if perDevice {
			perName.set(device.name(), record{{"result", detail}, {"success", success}, {"runtime", runtime},
				{"duration", "0:00:00"}, {"device_target", device.name()}})
		}
	}
	out := record{{"success", success || perDevice && len(devices) == 0}, {"devices", perName}}
	if !perDevice {
		out = append(out, member{"device_target", nil}, member{"result", detail})
		if !legalSkipValue(r.service) {
			return out // the run broke before the summary
		}
	}
	key := "failure"
	if success {
		key = "success"
	}
	summary := pairs("success", []any{}, "failure", []any{}, "discard", []any{})
	summary.set(key, names)
	return append(out, member{"summary", summary})
}

func legalSkipValue(service *object) bool {
	switch service.text("skip_value") {
	case "success", "failure", "discard":
		return true
	default:
		return false
	}
}

var failingCode = regexp.MustCompile(`results\s*\[\s*["']success["']\s*\]\s*=\s*False\b`)

// verdict is what running a service once comes to. Services that would reach out
// to devices or other servers succeed.
func (t *tx) verdict(service *object, above map[*object]bool) (bool, any) {
	if service.text("run_method") != "per_device" && !legalSkipValue(service) {
		return false, traceback(raise("KeyError", "%s", pythonRepr(service.get("skip_value"))))
	}
	switch service.model.name {
	case "service", "connection_service":
		return false, traceback(raise("AttributeError", "'%s' object has no attribute 'job'", service.model.name))
	case "python_snippet_service":
		code := service.text("source_code")
		if code == "" {
			return false, traceback(raise("NameError", "the service has no source code"))
		}
		return !failingCode.MatchString(code), newDict()
	case "unix_command_service":
		if !service.is("approved_by_admin") {
			return false, "The command must be approved by an admin user."
		}
	case "workflow":
		if above[service] {
			return false, "The workflow contains itself."
		}
		above[service] = true
		defer delete(above, service)
		return t.walk(service, above), newDict()
	}
	return true, newDict()
}

// walk follows the edges of a workflow from Start; it succeeds when End is reached.
func (t *tx) walk(workflow *object, above map[*object]bool) bool {
	runs, reached := map[*object]int64{}, false
	queue := []*object{}
	for _, service := range workflow.members("services") {
		if service.name() == "[Shared] Start" {
			queue = append(queue, service)
		}
	}
	for len(queue) > 0 {
		service := queue[0]
		queue = queue[1:]
		if most, _ := service.get("maximum_runs").(int64); runs[service] >= most {
			continue
		}
		runs[service]++
		var success bool
		skipped, _ := service.dict("skip").get(workflow.name())
		switch {
		case service.name() == "[Shared] Start", service.name() == "[Shared] End", truthy(skipped):
			reached = reached || service.name() == "[Shared] End"
			success = service.text("skip_value") == "success"
		default:
			success, _ = t.verdict(service, above)
		}
		status := "failure"
		if success {
			status = "success"
		}
		for _, edge := range service.members("destinations") {
			if next := edge.ones["destination"]; next != nil && edge.ones["workflow"] == workflow && edge.text("subtype") == status {
				queue = append(queue, next)
			}
		}
	}
	return reached
}
