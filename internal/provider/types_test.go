// Tests of types that this eNMS does not have: the plan says so, with the nearest that it has.

package provider_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// newSite is a server with types of a site's own.
func newSite(t *testing.T) *server {
	t.Helper()
	return newServerLike(t, "of a site", simulator.Options{SiteTypes: true})
}

// typed are resources that create an instance of a type.
func typed(s *server, typ string) map[string]attributes {
	return map[string]attributes{
		"enms_service":  {"type": typ, "name": s.expand("NAME-s")},
		"enms_instance": {"type": typ, "name": s.expand("NAME-i")},
		manyType:        {"type": typ, "instances": object(map[string]any{s.expand("NAME-e"): map[string]any{}})},
	}
}

// refusesType checks that the plan of a resource refuses its type, and which one it suggests.
func (s *server) refusesType(resource, typ, near string) {
	s.t.Helper()
	c := s.core(nil)
	_, diags := c.plan(resource, typed(s, typ)[resource], c.none(resource))
	text := diags.String()
	if len(diags) != 1 || !diags.on("type") || !strings.Contains(text, fmt.Sprintf("Unknown type %q", typ)) || near != "" && !strings.Contains(text, fmt.Sprintf("Did you mean %q?", near)) ||
		near == "" && strings.Contains(text, "Did you mean") {
		s.t.Errorf("%s of type %s, expected %q: %s", resource, typ, near, text)
	}
	if s.simulator != nil {
		s.noWrites()
	}
}

// A misspelt type is an error of the plan with the nearest type that this eNMS has: the
// apply would fail half-way, with a traceback or with a 500.
func TestUnknownTypes(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.refusesType("enms_service", "netmiko_comands_service", "netmiko_commands_service")
	s.refusesType("enms_service", "netmiko_command_service", "netmiko_commands_service")
	s.refusesType("enms_service", "frobnicating_service", "")
	for _, resource := range []string{"enms_instance", manyType} {
		s.refusesType(resource, "devize", "device")
		s.refusesType(resource, "python_snipet_service", "python_snippet_service")
		s.refusesType(resource, "rack", "")
	}
	s.run(s.failing(s.hcl(`resource "enms_instance" "i" {
	  name = "NAME-i"
	  type = "devize"
	}`), `Unknown type "devize"`, `Did you mean "device"?`),
		s.failing(s.hcl(`data "enms_instance" "i" {
	  name = "NAME-i"
	  type = "devize"
	}`), `This eNMS has no type "devize"`))
	if _, diags := s.core(nil).importByName("enms_instance", s.expand("devize/NAME-i")); !strings.Contains(diags.String(), `This eNMS has no type "devize"`) || strings.Contains(diags.String(), "usual ones") {
		t.Errorf("an import: %s", diags)
	}
}

// A site's own types pass, and are suggested where instances show that eNMS has them.
func TestTypesOfASite(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.refusesType("enms_service", "sites_service", "")
	s.refusesType("enms_instance", "rakc", "")
	for resource, typ := range map[string]string{"enms_service": "site_service", "enms_instance": "rack", manyType: "rack"} {
		c := s.core(nil)
		config := typed(s, typ)[resource]
		state := c.applied(resource, config, c.none(resource))
		if p, diags := c.plan(resource, config, c.refreshed(resource, state)); len(diags) > 0 || !p.noop {
			t.Errorf("%s: the plan after it: %s", resource, diags)
		}
	}
	c := s.core(nil)
	for _, resource := range []string{"enms_service", "enms_instance"} {
		if _, diags := c.newRun().plan(resource, typed(s, "sites_service")[resource], c.none(resource)); !strings.Contains(diags.String(), `Did you mean "site_service"?`) {
			t.Errorf("%s: %s", resource, diags)
		}
	}
}

// Types that every eNMS has cost no request, one of a site's own in use costs one in a run,
// and a new one two.
func TestTypesCostRequests(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	const names = 10 // that are looked for, one after another, whatever their types
	cost := func(what, typ string, most int) {
		s.counted(what, names+most, func() {
			c := s.core(nil).inOneRun()
			for i := range names {
				if _, diags := c.plan("enms_service", attributes{"type": typ, "name": fmt.Sprint("x", i)}, c.none("enms_service")); len(diags) > 0 {
					t.Error(diags)
				}
			}
		})
	}
	cost("types of eNMS", "ping_service", 0)
	cost("a new type", "site_service", 2)
	s.put("site_service", enms.Object{"name": "NAME-own", "scoped_name": "NAME-own"})()
	cost("a type in use", "site_service", 1)
}

// While eNMS cannot be asked, no type is refused.
func TestTypesThatCannotBeAskedFor(t *testing.T) {
	t.Parallel()
	for name, status := range map[string]int{"failing": http.StatusInternalServerError, "forbidden": http.StatusForbidden} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			if s.simulator == nil {
				t.Skip("a real eNMS can be asked")
			}
			mute := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/rest/search" {
					w.WriteHeader(status)
					_, _ = w.Write([]byte(`{"alert":"Error"}`))
					return
				}
				s.simulator.ServeHTTP(w, r)
			}))
			t.Cleanup(mute.Close)
			s.url = mute.URL
			for resource, config := range typed(s, "frobnicating_service") {
				c := s.core(nil)
				if _, diags := c.plan(resource, config, c.none(resource)); strings.Contains(diags.String(), "Unknown type") {
					t.Errorf("%s: %s", resource, diags)
				}
			}
		})
	}
	s := newServer(t)
	for resource, config := range typed(s, "frobnicating_service") {
		c := s.core(attributes{"base_url": tftypes.NewValue(tftypes.String, tftypes.UnknownValue)})
		if _, diags := c.plan(resource, config, c.none(resource)); diags.failed() {
			t.Errorf("%s, the address is unknown: %s", resource, diags)
		}
	}
}

// What only the apply can ask fails there with the same reason, and nothing is created.
func TestUnknownTypesInApply(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for resource, config := range typed(s, "frobnicating_service") {
		unknown := s.core(attributes{"base_url": tftypes.NewValue(tftypes.String, tftypes.UnknownValue)})
		p, diags := unknown.plan(resource, config, unknown.none(resource))
		if diags.failed() {
			t.Fatal(diags)
		}
		c := s.core(nil)
		resp, err := c.server.ApplyResourceChange(t.Context(), &tfprotov6.ApplyResourceChangeRequest{TypeName: resource,
			PriorState: c.encode(c.none(resource).value), PlannedState: c.encode(p.value), Config: c.encode(p.config), PlannedPrivate: p.private})
		if err != nil {
			t.Fatal(err)
		}
		if text := problems(resp.Diagnostics).String(); !strings.Contains(text, `This eNMS has no type "frobnicating_service"`) || strings.Contains(text, "usual ones") {
			t.Errorf("%s: %s", resource, text)
		}
		if next := c.decode(resource, resp.NewState); !next.IsNull() {
			t.Errorf("%s: the state is %s", resource, next)
		}
	}
}
