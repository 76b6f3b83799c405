// Tests of types and fields that this eNMS does not have: the plan says so, with the nearest that it has.

package planning_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// typed are resources that create an instance of a type.
func typed(s *acctest.Server, typ string) map[string]acctest.Attributes {
	return map[string]acctest.Attributes{
		"enms_service":        {"type": typ, "name": s.Expand("NAME-s")},
		"enms_instance":       {"type": typ, "name": s.Expand("NAME-i")},
		acctest.TypeInstances: {"type": typ, "instances": acctest.ObjectValue(map[string]any{s.Expand("NAME-e"): map[string]any{}})},
	}
}

// refusesType checks that the plan of a resource refuses its type, and which one it suggests.
func refusesType(s *acctest.Server, resource, typ, near string) {
	s.T.Helper()
	c := s.Core(nil)
	_, diags := c.Plan(resource, typed(s, typ)[resource], c.NoState(resource))
	text := diags.String()
	if len(diags) != 1 || !acctest.ErrorOn(diags, "type") || !strings.Contains(text, fmt.Sprintf("Unknown type %q", typ)) || near != "" && !strings.Contains(text, fmt.Sprintf("Did you mean %q?", near)) ||
		near == "" && strings.Contains(text, "Did you mean") {
		s.T.Errorf("%s of type %s, expected %q: %s", resource, typ, near, text)
	}
	if s.Simulator != nil {
		s.NoWrites()
	}
}

// A misspelt type is an error of the plan with the nearest type that this eNMS has: the
// apply would fail half-way, with a traceback or with a 500.
func TestTypes_unknown(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	refusesType(s, "enms_service", "netmiko_comands_service", "netmiko_commands_service")
	refusesType(s, "enms_service", "netmiko_command_service", "netmiko_commands_service")
	refusesType(s, "enms_service", "frobnicating_service", "")
	for _, resource := range []string{"enms_instance", acctest.TypeInstances} {
		refusesType(s, resource, "devize", "device")
		refusesType(s, resource, "python_snipet_service", "python_snippet_service")
		refusesType(s, resource, "rack", "")
	}
	s.Run(s.Failing(s.HCL(`resource "enms_instance" "i" {
	  name = "NAME-i"
	  type = "devize"
	}`), `Unknown type "devize"`, `Did you mean "device"?`),
		s.Failing(s.HCL(`data "enms_instance" "i" {
	  name = "NAME-i"
	  type = "devize"
	}`), `This eNMS has no type "devize"`))
	if _, diags := s.Core(nil).ImportByName("enms_instance", s.Expand("devize/NAME-i")); !strings.Contains(diags.String(), `This eNMS has no type "devize"`) || strings.Contains(diags.String(), "Common causes") {
		t.Errorf("an import: %s", diags)
	}
}

// A site's own types pass.
func TestTypes_ofASite(t *testing.T) {
	t.Parallel()
	s := acctest.NewServerWith(t, "of a site", simulator.Options{SiteTypes: true})
	refusesType(s, "enms_service", "sites_service", "")
	refusesType(s, "enms_instance", "rakc", "")
	for resource, typ := range map[string]string{"enms_service": "site_service", "enms_instance": "rack", acctest.TypeInstances: "rack"} {
		c := s.Core(nil)
		config := typed(s, typ)[resource]
		state := c.Applied(resource, config, c.NoState(resource))
		if p, diags := c.Plan(resource, config, c.Refreshed(resource, state)); len(diags) > 0 || !p.Noop {
			t.Errorf("%s: the plan after it: %s", resource, diags)
		}
	}
}

// Types that every eNMS has cost no request, and one of a site's own costs one in a run.
func TestTypes_requests(t *testing.T) {
	t.Parallel()
	s := acctest.NewServerWith(t, "of a site", simulator.Options{SiteTypes: true})
	const names = 10 // that are looked for, one after another, whatever their types
	cost := func(what, typ string, most int) {
		acctest.CountRequests(s, what, names+most, func() {
			c := s.Core(nil).InOneRun()
			for i := range names {
				if _, diags := c.Plan("enms_service", acctest.Attributes{"type": typ, "name": fmt.Sprint("x", i)}, c.NoState("enms_service")); len(diags) > 0 {
					t.Error(diags)
				}
			}
		})
	}
	cost("types of eNMS", "ping_service", 0)
	cost("a type of the site", "site_service", 1)
}

// While eNMS cannot be asked, no type is refused.
func TestTypes_whileENMSCannotBeAsked(t *testing.T) {
	t.Parallel()
	for name, status := range map[string]int{"failing": http.StatusInternalServerError, "forbidden": http.StatusForbidden} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServer(t)
			if s.Simulator == nil {
				t.Skip("a real eNMS can be asked")
			}
			mute := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/rest/search" {
					w.WriteHeader(status)
					_, _ = w.Write([]byte(`{"alert":"Error"}`))
					return
				}
				s.Simulator.ServeHTTP(w, r)
			}))
			t.Cleanup(mute.Close)
			s.URL = mute.URL
			for resource, config := range typed(s, "frobnicating_service") {
				c := s.Core(nil)
				if _, diags := c.Plan(resource, config, c.NoState(resource)); strings.Contains(diags.String(), "Unknown type") {
					t.Errorf("%s: %s", resource, diags)
				}
			}
		})
	}
	s := acctest.NewServer(t)
	for resource, config := range typed(s, "frobnicating_service") {
		c := s.Core(acctest.Attributes{"base_url": tftypes.NewValue(tftypes.String, tftypes.UnknownValue)})
		if _, diags := c.Plan(resource, config, c.NoState(resource)); diags.Failed() {
			t.Errorf("%s, the address is unknown: %s", resource, diags)
		}
	}
}

// What only the apply can ask fails there with the same reason, and nothing is created.
func TestTypes_unknownInApply(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	for resource, config := range typed(s, "frobnicating_service") {
		unknown := s.Core(acctest.Attributes{"base_url": tftypes.NewValue(tftypes.String, tftypes.UnknownValue)})
		p, diags := unknown.Plan(resource, config, unknown.NoState(resource))
		if diags.Failed() {
			t.Fatal(diags)
		}
		c := s.Core(nil)
		resp, err := c.Provider.ApplyResourceChange(t.Context(), &tfprotov6.ApplyResourceChangeRequest{TypeName: resource,
			PriorState: c.Encode(c.NoState(resource).Value), PlannedState: c.Encode(p.Value), Config: c.Encode(p.Config), PlannedPrivate: p.Private})
		if err != nil {
			t.Fatal(err)
		}
		if text := acctest.Problems(resp.Diagnostics).String(); !strings.Contains(text, `This eNMS has no type "frobnicating_service"`) || strings.Contains(text, "Common causes") {
			t.Errorf("%s: %s", resource, text)
		}
		if next := c.Decode(resource, resp.NewState); !next.IsNull() {
			t.Errorf("%s: the state is %s", resource, next)
		}
	}
}

// eNMS ignores a field of its other line, so the plan refuses it, as an attribute or as a property, and
// says which line has it. A site may have declared a property of that name.
func TestPlan_fieldsOfTheOtherLine(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	netmiko := func(field string, value any) acctest.Attributes {
		return acctest.Attributes{"name": s.Expand("NAME-s"), "type": "netmiko_commands_service", "properties": acctest.ObjectValue(map[string]any{field: value})}
	}
	for _, test := range []struct {
		typ, field string
		line       int
		config     acctest.Attributes
	}{
		{"enms_service", "fast_cli", 4, netmiko("fast_cli", true)},
		{"enms_service", "update_pools_after_running", 4, netmiko("update_pools_after_running", true)},
		{"enms_service", "dry_run", 5, netmiko("dry_run", true)},
		{"enms_pool", "include_networks", 5, acctest.Attributes{"name": s.Expand("NAME-p"), "properties": acctest.ObjectValue(map[string]any{"include_networks": true})}},
	} {
		_, diags := c.Plan(test.typ, test.config, c.NoState(test.typ))
		if test.line == acctest.Line() {
			if diags.Failed() {
				t.Errorf("%s: %s", test.field, diags)
			}
			continue
		}
		text := diags.String()
		if !strings.Contains(text, `AttributeName("properties").ElementKeyString("`+test.field) || !strings.Contains(text, "This eNMS has no "+test.field) || !strings.Contains(text, acctest.ByLine("Only eNMS 5 has", "Only eNMS 4 has")) {
			t.Errorf("%s: %s", test.field, text)
		}
	}
}

// While a server has no instance of a type, nothing tells whether its site has declared the field. The warning after the
// write then proposes no other field.
func TestPlan_fieldOfTheOtherLineOnAnEmptyServer(t *testing.T) {
	t.Parallel()
	acctest.SkipOn(t, "it has the field", "enms-5.3")
	c := acctest.NewServerWith(t, "it must be empty", simulator.Options{}).Core(nil)
	config := acctest.Attributes{"name": "d", "ip_address": "10.0.0.1", "properties": acctest.ObjectValue(map[string]any{"admin_only": true})}
	state, diags := c.Apply("enms_device", config, c.NoState("enms_device"))
	if text := diags.String(); diags.Failed() || !strings.Contains(text, "eNMS does not return the field") || !strings.Contains(text, "Only other versions of eNMS have this one") {
		t.Error(text)
	}
	if _, diags := c.Plan("enms_device", config, state); !strings.Contains(diags.String(), "Only eNMS 5 has") {
		t.Error(diags)
	}
}
