// Tests of strings that differ only in the ends of their lines: eNMS's forms
// store CR LF (enms-rest.md 1.1).

package kinds_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

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

// Whoever saves a service in eNMS's form turns every end of a line into CR LF: that is no drift, also of entries, and what is
// imported from there has LF in the state. A configuration with either end plans nothing, and sends what it says when
// something else changes. More than the ends of lines is a change.
func TestLineEnds(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	name, entry := s.Expand("NAME-s"), s.Expand("NAME-e")
	fields := func(end string) map[string]any {
		return map[string]any{"source_code": "a = 1" + end + "b = 2" + end, "dict_match": map[string]any{"deep": []any{"a" + end + "b"}}}
	}
	for typ, config := range map[string]func(vendor, end string) acctest.Attributes{
		"enms_service": func(vendor, end string) acctest.Attributes {
			return acctest.Attributes{"name": name, "type": "python_snippet_service", "vendor": vendor, "description": "one" + end + "two",
				"initial_payload": acctest.ObjectValue(map[string]any{"text": "three" + end + "four"}), "properties": acctest.ObjectValue(fields(end))}
		},
		acctest.TypeInstances: func(vendor, end string) acctest.Attributes {
			all := fields(end)
			all["vendor"], all["skip_value"], all["description"] = vendor, "success", "one"+end+"two"
			return acctest.Entries(s, "python_snippet_service", map[string]any{entry: all})
		},
	} {
		crlf := fields("\r\n")
		crlf["name"], crlf["scoped_name"], crlf["skip_value"], crlf["description"], crlf["initial_payload"] = name, name, "success", "one\r\ntwo", map[string]any{"text": "three\r\nfour"}
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
		s.Put("python_snippet_service", enms.Object{"name": crlf["name"], "source_code": "a = 1\r\nb = 3\r\n"})()
		if p, diags := c.Plan(typ, config("Cisco", "\n"), c.Refreshed(typ, state)); diags.Failed() || p.Noop {
			t.Errorf("another line is no change: %s", diags)
		}
		c.Applied(typ, nil, state)
	}
}
