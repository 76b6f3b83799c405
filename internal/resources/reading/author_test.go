// Tests of the warning about who has changed an instance.

package reading_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// A plan warns once of instances that somebody has changed in what is configured, with who wrote
// them last, by one more request. What is not configured is no reason, and an apply is no reason
// either.
func TestAuthor_warningOfPlan(t *testing.T) {
	t.Parallel()
	s, w := acctest.NewServer(t), acctest.NewWorkspace(t)
	acctest.SkipOn(t, "eNMS keeps no author", "enms-4.4")
	w.Configure(`terraform {
		  required_providers { enms = { source = "terraform-provider-enms/enms" } }
		}
		` + s.HCL(`
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
	w.Apply(10)
	quiet := func(when string) {
		t.Helper()
		if code, out := w.Run("plan", "-no-color"); code != 0 || strings.Contains(out, "Changed in eNMS") {
			t.Errorf("%s, the plan ended with %d:\n%s", when, code, out)
		}
	}
	quiet("without changes")
	s.Put("device", enms.Object{"name": "NAME-d0", "description": "not configured"})()
	quiet("after a change of what is not configured")
	for _, name := range []string{"NAME-d0", "NAME-d1"} {
		s.Put("device", enms.Object{"name": name, "ip_address": "10.9.9.9"})()
	}
	s.Put("python_snippet_service", enms.Object{"name": "NAME-s", "source_code": "x = 2"})()
	code, out := w.Run("plan", "-no-color")
	if code != 0 || strings.Count(out, "Warning: Changed in eNMS since the last apply") != 1 || !strings.Contains(out, "(and 2 more similar warnings elsewhere)") {
		t.Errorf("the plan ended with %d:\n%s", code, out)
	}
	_, out = w.Run("plan", "-json")
	for _, want := range []string{
		`The device \\"` + s.Prefix + `d0\\" was last written by Terraform's user \\"` + s.User + `\\" at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d, by the clock of eNMS. It differs from the state in ip_address\.`,
		`The device \\"` + s.Prefix + `d1\\" was last`,
		`The service \\"` + s.Prefix + `s\\" was last .* in properties\.`,
	} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("the plan does not say %s:\n%s", want, out)
		}
	}
	w.Apply(10)
	quiet("after the apply")
}
