package provider_test

import (
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
)

// What a plan shows as unknown although nothing changes it hides what does change: the plan
// of a rename shows the name, and what follows from it.
func TestPlanOfARenameShowsOnlyTheName(t *testing.T) {
	t.Parallel()
	ofEveryKind(t, func(t *testing.T, s *server, c *core, k *kind.Kind) {
		typ := "enms_" + k.Name
		config := leastConfig(s, k, kind.Attribute{})
		if k.Name == "workflow_edge" { // of services that any workflow may have
			config["source"], config["destination"] = "[Shared] Start", "[Shared] End"
		}
		before := c.refreshed(typ, c.applied(typ, config, c.none(typ)))
		config["name"] = s.expand("NAME-w")
		p, diags := c.plan(typ, config, before)
		if diags.failed() {
			t.Fatal(diags)
		}
		was := members(t, before.value)
		for name, v := range members(t, p.value) {
			switch {
			case name == "name", k.Name == "service" && name == "scoped_name":
			case !v.Equal(was[name]):
				t.Errorf("%s is %s, was %s", name, v, was[name])
			}
		}
	})
}

// So does that of an active task, unless it runs only once: eNMS may have run that, and
// switched it off.
func TestPlanOfAnActiveTask(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	related(s)
	c := s.core(nil)
	for _, test := range []struct {
		what     string
		schedule attributes
		known    bool
	}{
		{"by an expression", attributes{"scheduling_mode": "cron", "crontab_expression": "0 2 * * *"}, true},
		{"again and again", attributes{"start_date": "01/01/2090 00:00:00", "frequency": 1, "frequency_unit": "days"}, true},
		{"once", attributes{"start_date": "01/01/2090 00:00:00"}, false},
	} {
		config := leastConfig(s, kind.Named(kinds.All(), "task"), kind.Attribute{})
		for name, v := range test.schedule {
			config[name] = v
		}
		config["is_active"] = true
		state := c.applied("enms_task", config, c.none("enms_task"))
		state, diags := c.importByName("enms_task", state.text(t, "name")) // so that it is not managed
		if diags.failed() {
			t.Fatal(diags)
		}
		delete(config, "is_active")
		config["description"] = "another"
		p, diags := c.plan("enms_task", config, state)
		if diags.failed() || members(t, p.value)["is_active"].IsKnown() != test.known {
			t.Errorf("%s: %s%s", test.what, diags, p.value)
		}
		c.applied("enms_task", nil, c.applied("enms_task", config, state))
	}
}
