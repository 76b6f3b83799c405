// Tests of instances of any type, and of plans of active tasks.

package instance_test

import (
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
)

// What of a type's fields are relations is not known, so that the order of no list
// counts.
func TestInstance_orderOfListsIsIgnored(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	for _, name := range []string{"NAME-p1", "NAME-p2"} {
		s.Put("pool", enms.Object{"name": name})()
	}
	c := s.Core(nil)
	config := func(pools ...any) acctest.Attributes {
		return acctest.Attributes{"type": "credential", "name": s.Expand("NAME-c"), "properties": map[string]any{"device_pools": pools}}
	}
	state := c.Applied("enms_instance", config(s.Expand("NAME-p2"), s.Expand("NAME-p1")), c.NoState("enms_instance"))
	state = c.Refreshed("enms_instance", state)
	c.PlansNothing("enms_instance", config(s.Expand("NAME-p1"), s.Expand("NAME-p2")), state)
	if p, diags := c.Plan("enms_instance", config(s.Expand("NAME-p1")), state); diags.Failed() || p.Noop {
		t.Errorf("another member is no difference: %s", diags)
	}
	c.Applied("enms_instance", nil, state)
}

// An instance that somebody replaced by one of a derived or of the base type is another one, even if that has its id, as
// with SQLite: eNMS never changes a type. It is neither read nor replaced.
func TestInstance_replacedByOneOfAnotherType(t *testing.T) {
	t.Parallel()
	for resource, types := range map[string][2]string{"enms_instance": {"device", "gateway"}, "enms_device": {"gateway", "device"}} {
		s := acctest.NewServer(t)
		c := s.Core(nil)
		config := acctest.Attributes{"type": types[0], "name": s.Expand("NAME-d")}
		state := c.Applied(resource, config, c.NoState(resource))
		s.Drop(types[0], "NAME-d")()
		s.Put(types[1], enms.Object{"name": "NAME-d"})()
		if state = c.Refreshed(resource, state); !state.Value.IsNull() {
			t.Errorf("it is %s", state.Value)
		}
		if _, diags := c.Plan(resource, config, state); !s.Says("is taken", "It is a "+types[1]).MatchString(diags.String()) {
			t.Errorf("the plan of the creation: %s", diags)
		}
	}
}

// So does that of an active task, unless it runs only once: eNMS may have run that, and
// switched it off.
func TestPlan_changeOfAnActiveTask(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	acctest.PutRelated(s)
	c := s.Core(nil)
	for _, test := range []struct {
		what     string
		schedule acctest.Attributes
		known    bool
	}{
		{"by an expression", acctest.Attributes{"scheduling_mode": "cron", "crontab_expression": "0 2 * * *"}, true},
		{"again and again", acctest.Attributes{"start_date": "01/01/2090 00:00:00", "frequency": 1, "frequency_unit": "days"}, true},
		{"once", acctest.Attributes{"start_date": "01/01/2090 00:00:00"}, false},
	} {
		config := acctest.LeastConfig(s, kind.Named(kinds.All(), "task"), kind.Attribute{})
		for name, v := range test.schedule {
			config[name] = v
		}
		config["is_active"] = true
		state := c.Applied("enms_task", config, c.NoState("enms_task"))
		state, diags := c.ImportByName("enms_task", state.Text(t, "name")) // so that it is not managed
		if diags.Failed() {
			t.Fatal(diags)
		}
		delete(config, "is_active")
		config["description"] = "another"
		p, diags := c.Plan("enms_task", config, state)
		if diags.Failed() || acctest.Members(t, p.Value)["is_active"].IsKnown() != test.known {
			t.Errorf("%s: %s%s", test.what, diags, p.Value)
		}
		c.Applied("enms_task", nil, c.Applied("enms_task", config, state))
	}
}
