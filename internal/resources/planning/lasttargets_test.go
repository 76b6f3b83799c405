// Acceptance tests of plans that take the last target from tasks and services: eNMS does that
// without a word.

package planning_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// putTargets makes tasks and services of others that run on devices and pools: one of each
// on NAME-d or NAME-p alone, and others that have a second target.
func putTargets(s *acctest.Server) {
	s.T.Helper()
	s.Put("device", enms.Object{"name": "NAME-other"})()
	s.Put("pool", enms.Object{"name": "NAME-kept"})()
	s.Put("service", enms.Object{"name": "NAME-s", "scoped_name": "NAME-s"})()
	for name, targets := range map[string]enms.Object{
		"NAME-on-d":       {"devices": []string{s.Expand("NAME-d")}, "is_active": true, "frequency": 3600, "start_date": "01/01/2099 00:00:00"},
		"NAME-on-d-off":   {"devices": []string{s.Expand("NAME-d")}},
		"NAME-on-p":       {"pools": []string{s.Expand("NAME-p")}},
		"NAME-on-both":    {"devices": []string{s.Expand("NAME-d")}, "pools": []string{s.Expand("NAME-p")}},
		"NAME-on-two":     {"devices": []string{s.Expand("NAME-d"), s.Expand("NAME-other")}},
		"NAME-on-a-pool":  {"devices": []string{s.Expand("NAME-d")}, "pools": []string{s.Expand("NAME-kept")}},
		"NAME-on-nothing": {},
	} {
		targets["name"], targets["service"] = name, s.Expand("NAME-s")
		s.Put("task", targets)()
	}
	for name, targets := range map[string]enms.Object{
		"NAME-runs-on-d":  {"target_devices": []string{s.Expand("NAME-d")}},
		"NAME-runs-on-2d": {"target_devices": []string{s.Expand("NAME-d"), s.Expand("NAME-other")}},
		"NAME-runs-on-p":  {"target_pools": []string{s.Expand("NAME-p")}, "disabled": true},
	} {
		targets["name"], targets["scoped_name"] = name, name
		s.Put("service", targets)()
	}
}

// lastTargetWords returns those of the last-target warnings in diagnostics.
func lastTargetWords(diags acctest.Problems) string {
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
func TestLastTarget_planWarns(t *testing.T) {
	acctest.ParallelIfSimulated(t)
	s := acctest.NewServer(t)
	c := s.Core(nil)
	name := s.Expand("NAME-d")
	held := map[string]acctest.ResourceState{}
	configs := map[string]acctest.Attributes{
		"enms_device": {"name": name}, "enms_pool": {"name": s.Expand("NAME-p")},
		"enms_instance":  {"name": name, "type": "device", "adopt_existing": true},
		"enms_instances": {"type": "device", "adopt_existing": true, "instances": acctest.ObjectValue(map[string]any{name: map[string]any{}, s.Expand("NAME-e"): map[string]any{}})},
	}
	for typ, config := range configs {
		config["adopt_existing"] = true
		held[typ] = c.Applied(typ, config, c.NoState(typ))
	}
	putTargets(s)
	const deviceWords = `"NAME-d", which is the last target of: service "NAME-runs-on-d", task "NAME-on-d" (active), task "NAME-on-d-off" (not active). If this`
	const poolWords = `"NAME-p", which is the last target of: service "NAME-runs-on-p" (disabled), task "NAME-on-p" (not active). If this`
	entries := func(names ...string) acctest.Attributes {
		all := map[string]any{}
		for _, n := range names {
			all[s.Expand(n)] = map[string]any{}
		}
		return acctest.Attributes{"type": "device", "adopt_existing": true, "instances": acctest.ObjectValue(all)}
	}
	with := func(config acctest.Attributes, name string, v any) acctest.Attributes {
		config = maps.Clone(config)
		config[name] = v
		return config
	}
	for _, p := range []struct {
		what, typ string
		config    acctest.Attributes
		want      string
	}{
		{"device destroyed", "enms_device", nil, deviceWords},
		{"pool destroyed", "enms_pool", nil, poolWords},
		{"instance destroyed", "enms_instance", nil, deviceWords},
		{"entries destroyed", "enms_instances", nil, deviceWords},
		{"entry removed", "enms_instances", entries("NAME-e"), deviceWords},
		{"another entry removed", "enms_instances", entries("NAME-d"), ""},
		{"device replaced", "enms_device", with(configs["enms_device"], "type", "router"), "until this apply has created it again"},
		{"device replaced and renamed", "enms_device", acctest.Attributes{"name": s.Expand("NAME-new"), "type": "router"}, "Give them another target"},
		{"entries replaced", "enms_instances", with(entries("NAME-d"), "type", "router"), "until this apply has created it again"},
		{"device renamed", "enms_device", acctest.Attributes{"name": s.Expand("NAME-new")}, ""},
		{"entry abandoned", "enms_instances", with(entries("NAME-e"), "deletion_policy", "abandon"), ""},
	} {
		p.want = s.Expand(p.want)
		_, diags := c.Plan(p.typ, p.config, held[p.typ])
		got := lastTargetWords(diags)
		if diags.Failed() || (p.want == "") != (got == "") || !strings.Contains(got, p.want) {
			t.Errorf("%s: %s", p.what, diags)
		}
		for _, kept := range []string{"NAME-on-both", "NAME-on-two", "NAME-on-a-pool", "NAME-on-nothing", "NAME-runs-on-2d"} {
			if strings.Contains(got, s.Expand(kept)) {
				t.Errorf("%s: %s keeps a target, or never had one: %s", p.what, kept, diags)
			}
		}
	}
	// Who destroys both takes the last target from one that has both, whichever is planned last, and also if Terraform
	// drops that plan and plans again.
	for _, order := range [][]string{{"enms_device", "enms_pool"}, {"enms_pool", "enms_device"}} {
		run := c.NewRun()
		_, first := run.Plan(order[0], nil, held[order[0]])
		_, second := run.Plan(order[1], nil, held[order[1]])
		_, again := run.Plan(order[1], nil, held[order[1]])
		if both := s.Expand(`task "NAME-on-both" (not active)`); strings.Contains(lastTargetWords(first), both) || !strings.Contains(lastTargetWords(second), both) || second.String() != again.String() {
			t.Errorf("%s\n%s\n%s", first, second, again)
		}
	}
}
