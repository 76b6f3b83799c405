// Acceptance tests of properties: what the plan says of them, and what an import
// leaves out of the configuration.

package kinds_test

import (
	"fmt"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// What eNMS's forms do not offer, and code of a site may know, is a warning with the nearest
// value that eNMS knows, once: what eNMS has taken is nobody's mistake any longer.
func TestService_unknownChoicesAreWarnings(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	for typ, config := range map[string]acctest.Attributes{
		"enms_service": {"name": s.Expand("NAME-r"), "type": "rest_call_service", "run_method": "onec",
			"properties": map[string]any{"call_type": "get", "rest_url": "https://example.com", "report_format": "pdf", "validation_method": "none"}},
		acctest.TypeInstances: {"type": "rest_call_service", "instances": acctest.ObjectValue(map[string]any{s.Expand("NAME-e"): map[string]any{
			"run_method": "onec", "call_type": "get", "rest_url": "https://example.com", "report_format": "pdf", "validation_method": "none"}})},
	} {
		c := s.Core(nil)
		_, diags := c.Plan(typ, config, c.NoState(typ))
		if diags.Failed() || len(diags) != 3 || !s.Says("Unknown value for call_type", `"get" is not among`, `Did you mean "GET"?`).MatchString(diags.String()) ||
			!s.Says("Unknown value for report_format", `"pdf" is not among`).MatchString(diags.String()) || !s.Says("Unknown value for run_method", `Did you mean "once"?`).MatchString(diags.String()) {
			t.Errorf("%s: %s", typ, diags)
		}
		state := c.Applied(typ, config, c.NoState(typ))
		if p, diags := c.NewRun().Plan(typ, config, c.Refreshed(typ, state)); len(diags) > 0 || !p.Noop {
			t.Errorf("%s: the plan after it: %s", typ, diags)
		}
	}
}

// Members that somebody adds to an object that eNMS replaces as a whole are found.
func TestService_driftOfObjects(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	config := acctest.Attributes{"name": s.Expand("NAME-s"), "type": "napalm_getters_service",
		"properties": map[string]any{"driver": "device", "optional_args": map[string]any{"a": 1}}}
	state := c.Applied("enms_service", config, c.NoState("enms_service"))
	s.Put("napalm_getters_service", enms.Object{"name": "NAME-s", "scoped_name": "NAME-s", "optional_args": map[string]any{"a": 1, "b": 2}})()
	state = c.Refreshed("enms_service", state)
	if p, diags := c.Plan("enms_service", config, state); p.Noop || diags.Failed() {
		t.Error("not found:", diags)
	}
	state = c.Applied("enms_service", config, state)
	if got := fmt.Sprint(s.Get("service", "NAME-s")["optional_args"]); got != "map[a:1]" {
		t.Errorf("eNMS holds %s", got)
	}
	c.Applied("enms_service", nil, state)
}
