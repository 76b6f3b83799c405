// Acceptance tests of plans that take the last target from tasks and services: eNMS does that
// without a word.

package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// withTargets makes tasks and services of others that run on devices and pools: one of each
// on NAME-d or NAME-p alone, and others that have a second target.
func (s *server) withTargets() {
	s.t.Helper()
	s.put("device", enms.Object{"name": "NAME-other"})()
	s.put("pool", enms.Object{"name": "NAME-kept"})()
	s.put("service", enms.Object{"name": "NAME-s", "scoped_name": "NAME-s"})()
	for name, targets := range map[string]enms.Object{
		"NAME-on-d":       {"devices": []string{s.expand("NAME-d")}, "is_active": true, "frequency": 3600, "start_date": "01/01/2099 00:00:00"},
		"NAME-on-d-off":   {"devices": []string{s.expand("NAME-d")}},
		"NAME-on-p":       {"pools": []string{s.expand("NAME-p")}},
		"NAME-on-both":    {"devices": []string{s.expand("NAME-d")}, "pools": []string{s.expand("NAME-p")}},
		"NAME-on-two":     {"devices": []string{s.expand("NAME-d"), s.expand("NAME-other")}},
		"NAME-on-a-pool":  {"devices": []string{s.expand("NAME-d")}, "pools": []string{s.expand("NAME-kept")}},
		"NAME-on-nothing": {},
	} {
		targets["name"], targets["service"] = name, s.expand("NAME-s")
		s.put("task", targets)()
	}
	for name, targets := range map[string]enms.Object{
		"NAME-runs-on-d":  {"target_devices": []string{s.expand("NAME-d")}},
		"NAME-runs-on-2d": {"target_devices": []string{s.expand("NAME-d"), s.expand("NAME-other")}},
		"NAME-runs-on-p":  {"target_pools": []string{s.expand("NAME-p")}, "disabled": true},
	} {
		targets["name"], targets["scoped_name"] = name, name
		s.put("service", targets)()
	}
}

// lastTargetWords returns those of the last-target warnings in diagnostics.
func lastTargetWords(diags problems) string {
	var all []string
	for _, d := range diags {
		if strings.HasPrefix(d.Summary, "Last target") {
			all = append(all, d.Summary+": "+d.Detail)
		}
	}
	return strings.Join(all, "\n")
}

// A device or pool was destroyed that was the only target of tasks and services which nobody
// had in mind, and active tasks then ran on the targets of their services.
func TestLastTarget(t *testing.T) {
	parallelIfSimulated(t)
	s := newServer(t)
	c := s.core(nil)
	name := s.expand("NAME-d")
	held := map[string]struct {
		config attributes
		state  resourceState
	}{}
	for typ, config := range map[string]attributes{
		"enms_device": {"name": name}, "enms_pool": {"name": s.expand("NAME-p")},
		"enms_instance":  {"name": name, "type": "device", "adopt_existing": true},
		"enms_instances": {"type": "device", "adopt_existing": true, "instances": object(map[string]any{name: map[string]any{}, s.expand("NAME-e"): map[string]any{}})},
	} {
		config["adopt_existing"] = true
		held[typ] = struct {
			config attributes
			state  resourceState
		}{config, c.applied(typ, config, c.none(typ))}
	}
	s.withTargets()
	const deviceWords = `"NAME-d", and nothing else that stays is a target of: service "NAME-runs-on-d", task "NAME-on-d" (active), task "NAME-on-d-off" (not active). As far`
	const poolWords = `"NAME-p", and nothing else that stays is a target of: service "NAME-runs-on-p" (disabled), task "NAME-on-p" (not active). As far`
	entries := func(names ...string) attributes {
		all := map[string]any{}
		for _, n := range names {
			all[s.expand(n)] = map[string]any{}
		}
		return attributes{"type": "device", "adopt_existing": true, "instances": object(all)}
	}
	with := func(config attributes, name string, v any) attributes {
		changed := attributes{name: v}
		for n, v := range config {
			if n != name {
				changed[n] = v
			}
		}
		return changed
	}
	for _, p := range []struct {
		what, typ string
		config    attributes
		want      string
	}{
		{"device destroyed", "enms_device", nil, deviceWords},
		{"pool destroyed", "enms_pool", nil, poolWords},
		{"instance destroyed", "enms_instance", nil, deviceWords},
		{"entries destroyed", "enms_instances", nil, deviceWords},
		{"entry removed", "enms_instances", entries("NAME-e"), deviceWords},
		{"another entry removed", "enms_instances", entries("NAME-d"), ""},
		{"device replaced", "enms_device", with(held["enms_device"].config, "type", "router"), "Until this apply has created it again"},
		{"device replaced and renamed", "enms_device", attributes{"name": s.expand("NAME-new"), "type": "router"}, "Give them another target before"},
		{"entries replaced", "enms_instances", with(entries("NAME-d"), "type", "router"), "Until this apply has created it again"},
		{"device renamed", "enms_device", attributes{"name": s.expand("NAME-new")}, ""},
		{"entry abandoned", "enms_instances", with(entries("NAME-e"), "deletion_policy", "abandon"), ""},
	} {
		p.want = s.expand(p.want)
		_, diags := c.plan(p.typ, p.config, held[p.typ].state)
		got := lastTargetWords(diags)
		if diags.failed() || (p.want == "") != (got == "") || !strings.Contains(got, p.want) {
			t.Errorf("%s: %s", p.what, diags)
		}
		for _, kept := range []string{"NAME-on-both", "NAME-on-two", "NAME-on-a-pool", "NAME-on-nothing", "NAME-runs-on-2d"} {
			if strings.Contains(got, s.expand(kept)) {
				t.Errorf("%s: %s keeps a target, or never had one: %s", p.what, kept, diags)
			}
		}
	}
	// Who destroys both takes the last target from one that has both.
	run := c.newRun()
	_, first := run.plan("enms_device", nil, held["enms_device"].state)
	_, second := run.plan("enms_pool", nil, held["enms_pool"].state)
	if both := s.expand(`task "NAME-on-both" (not active)`); strings.Contains(lastTargetWords(first), both) || !strings.Contains(lastTargetWords(second), both) {
		t.Errorf("%s\n%s", first, second)
	}
}

// Tasks of the same configuration are not named, however it refers to the device, nor when
// they are planned after more resources than Terraform works on at a time.
func TestLastTargetInTerraform(t *testing.T) {
	parallelIfSimulated(t)
	s := newServer(t)
	s.put("service", enms.Object{"name": "NAME-s", "scoped_name": "NAME-s"})()
	task := func(targets string) string {
		return fmt.Sprintf(`
			resource "enms_device" "kept" {
			  count = 15
			  name  = "NAME-kept-${count.index}"
			}
			resource "enms_task" "ours" {
			  count   = 3
			  name    = "NAME-ours-${count.index}"
			  service = "NAME-s"
			  devices = [%s]
			}
			resource "enms_instances" "tasks" {
			  type      = "task"
			  instances = { "NAME-entry" = { service = "NAME-s", devices = [%s] } }
			}`, targets, targets)
	}
	const device = `resource "enms_device" "d" { name = "NAME-d" }`
	w := newWorkspace(t)
	w.configure(s.hcl(device + task("enms_device.d.name")))
	w.apply(10)
	if out := w.plans(0, s.hcl(task("enms_device.kept[0].name"))); strings.Contains(out, "Last target") || !strings.Contains(out, "1 to destroy") {
		t.Errorf("the plan says:\n%s", out)
	}
	w.configure(s.hcl(device + task("enms_device.d.name")))
	if _, out := w.run("plan", "-destroy", "-no-color"); strings.Contains(out, "Last target") || !strings.Contains(out, "to destroy") {
		t.Errorf("the plan that destroys says:\n%s", out)
	}
	s.put("task", enms.Object{"name": "NAME-theirs", "service": s.expand("NAME-s"), "devices": []string{s.expand("NAME-d")}})()
	out := w.plans(0, s.hcl(task("enms_device.kept[0].name")))
	if !strings.Contains(out, s.expand(`target of: task "NAME-theirs" (not active). As far`)) || strings.Count(out, "Last target") != 1 {
		t.Errorf("the plan says:\n%s", out)
	}
}
