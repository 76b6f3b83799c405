// Acceptance tests of strings that differ only in the ends of their lines: eNMS's forms
// store CR LF (enms-rest.md 1.1).

package kinds_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

const linesOfService = `
resource "enms_service" "s" {
  name            = "NAME-s"
  type            = "python_snippet_service"
  description     = "one\ntwo"
  initial_payload = { text = "three\nfour" }
  %s
  properties = {
    source_code = <<-EOT
      if True:
          results["success"] = %s
    EOT
    dict_match = { deep = ["a\nb"] }
  }
}`

// stores returns what eNMS holds in fields of a service, byte for byte.
func stores(s *acctest.Server, name string, want map[string]string) resource.TestCheckFunc {
	return func(*terraform.State) error {
		have, err := s.Client.Find(context.Background(), "service", s.Expand(name), []string{"description", "source_code", "report"})
		if err != nil {
			return err
		}
		for field, text := range want {
			if have[field] != text {
				return fmt.Errorf("%s is %q, want %q", field, have[field], text)
			}
		}
		return nil
	}
}

// Whoever saves a service in eNMS's form turns every end of a line into CR LF: that is no
// drift. What is configured is written when something else changes.
func TestLineEnds_ofForms(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	code := "if True:\n    results[\"success\"] = True\n"
	crlf := enms.Object{"name": "NAME-s", "description": "one\r\ntwo", "initial_payload": map[string]any{"text": "three\r\nfour"},
		"source_code": "if True:\r\n    results[\"success\"] = True\r\n", "dict_match": map[string]any{"deep": []any{"a\rb"}}}
	config := fmt.Sprintf(linesOfService, "", "True")
	s.Run(
		resource.TestStep{Config: s.HCL(config), Check: stores(s, "NAME-s", map[string]string{"source_code": code, "description": "one\ntwo"})},
		resource.TestStep{PreConfig: s.Put("service", crlf), Config: s.HCL(config), PlanOnly: true},
		resource.TestStep{Config: s.HCL(config), Check: stores(s, "NAME-s", map[string]string{"description": "one\r\ntwo"}),
			ConfigPlanChecks: acctest.Plans(plancheck.ExpectEmptyPlan())},
		resource.TestStep{Config: s.HCL(fmt.Sprintf(linesOfService, "vendor = \"Cisco\"", "True")),
			Check: stores(s, "NAME-s", map[string]string{"source_code": code, "description": "one\ntwo"})},
		// More than the ends of lines is a change.
		resource.TestStep{PreConfig: s.Put("service", enms.Object{"name": "NAME-s", "source_code": "if True:\r\n    pass\r\n"}),
			Config: s.HCL(fmt.Sprintf(linesOfService, "vendor = \"Cisco\"", "True")), PlanOnly: true, ExpectNonEmptyPlan: true},
		resource.TestStep{Config: s.HCL(fmt.Sprintf(linesOfService, "vendor = \"Cisco\"", "False")),
			Check: stores(s, "NAME-s", map[string]string{"source_code": "if True:\n    results[\"success\"] = False\n"})},
	)
}

// What is imported from eNMS's forms has LF in the state, and what they have changed since is no difference, also of
// entries. A configuration with either end plans nothing, and sends what it says when something else changes.
func TestLineEnds_ofImportsAndEntries(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	name, entry := s.Expand("NAME-s"), s.Expand("NAME-e")
	for typ, config := range map[string]func(vendor, end string) acctest.Attributes{
		"enms_service": func(vendor, end string) acctest.Attributes {
			return acctest.Attributes{"name": name, "type": "python_snippet_service", "vendor": vendor, "description": "one" + end + "two",
				"properties": acctest.ObjectValue(map[string]any{"source_code": "a = 1" + end + "b = 2" + end})}
		},
		acctest.TypeInstances: func(vendor, end string) acctest.Attributes {
			return acctest.Entries(s, "python_snippet_service", map[string]any{entry: map[string]any{"vendor": vendor, "skip_value": "success",
				"description": "one" + end + "two", "source_code": "a = 1" + end + "b = 2" + end}})
		},
	} {
		crlf := enms.Object{"name": name, "scoped_name": name, "skip_value": "success", "description": "one\r\ntwo", "source_code": "a = 1\r\nb = 2\r\n"}
		var state acctest.ResourceState
		if typ == acctest.TypeInstances {
			crlf["name"], crlf["scoped_name"] = entry, entry
			state = c.Applied(typ, config("", "\n"), c.NoState(typ))
		}
		s.Put("python_snippet_service", crlf)()
		if typ == acctest.TypeInstances {
			state = c.Refreshed(typ, state)
		} else if state = c.Imported(typ, name); state.Text(t, "description") != "one\ntwo" {
			t.Errorf("imported %q", state.Text(t, "description"))
		}
		for _, end := range []string{"\n", "\r\n"} {
			c.PlansNothing(typ, config("", end), state)
		}
		s.Check(stores(s, crlf["name"].(string), map[string]string{"source_code": "a = 1\r\nb = 2\r\n"}))
		state = c.Applied(typ, config("Cisco", "\n"), state)
		s.Check(stores(s, crlf["name"].(string), map[string]string{"source_code": "a = 1\nb = 2\n", "description": "one\ntwo"}))
		c.Applied(typ, nil, state)
	}
}
