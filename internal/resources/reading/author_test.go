// Tests of the warning about who has changed an instance.

package reading_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/terraformtest"
)

// A plan warns once of instances that somebody has changed in what is configured, with who wrote
// them last. What is not configured is no reason, and an apply is no reason
// either.
func TestAuthor_warningOfPlan(t *testing.T) {
	t.Parallel()
	s, tf := acctest.NewServer(t), &terraformtest.Terraform{Provider: acctest.Modelled}
	acctest.SkipOn(t, "eNMS keeps no author", "enms-4.4")
	config, err := acctest.Modelled.Parse(s.HCL(`
		resource "enms_device" "d" {
		  count      = 3
		  name       = "NAME-d${count.index}"
		  ip_address = "10.0.0.1"
		}
		resource "enms_service" "s" {
		  name       = "NAME-s"
		  type       = "python_snippet_service"
		  properties = { source_code = "x = 1" }
		}`))
	if err != nil {
		t.Fatal(err)
	}
	planned := func(when string, want map[string]string) *terraformtest.Plan {
		t.Helper()
		p, found := tf.Plan(t.Context(), config, terraformtest.PlanOptions{})
		if found.Failed() || len(found) != len(want) {
			t.Errorf("%s, the plan says: %v", when, found)
		}
		for address, words := range want {
			if !regexp.MustCompile("Changed in eNMS since the last apply.*" + words).MatchString(found[address].String()) {
				t.Errorf("%s, the plan does not say %s: %s", when, words, found[address])
			}
		}
		return p
	}
	apply := func(p *terraformtest.Plan) {
		t.Helper()
		if done := tf.Apply(t.Context(), p); done.Found.Failed() {
			t.Fatal(done.Found)
		}
	}
	apply(planned("at first", nil))
	planned("without changes", nil)
	s.Put("device", enms.Object{"name": "NAME-d0", "description": "not configured"})()
	planned("after a change of what is not configured", nil)
	for _, name := range []string{"NAME-d0", "NAME-d1"} {
		s.Put("device", enms.Object{"name": name, "ip_address": "10.9.9.9"})()
	}
	s.Put("python_snippet_service", enms.Object{"name": "NAME-s", "source_code": "x = 2"})()
	apply(planned("after changes", map[string]string{
		"enms_device.d[0]": `The device "` + s.Prefix + `d0" was last written by Terraform's user "` + s.User + `" at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d, by the clock of eNMS. It differs from the state in ip_address\.`,
		"enms_device.d[1]": `The device "` + s.Prefix + `d1" was last`,
		"enms_service.s":   `The service "` + s.Prefix + `s" was last .* in properties\.`,
	}))
	planned("after the apply", nil)
	for address := range tf.State {
		s.Drop(strings.TrimPrefix(terraformtest.TypeOf(address), "enms_"), tf.State[address].Attributes()["name"])()
	}
}
