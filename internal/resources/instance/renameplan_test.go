package instance_test

import (
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
)

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
