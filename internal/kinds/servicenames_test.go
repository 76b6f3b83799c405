// Acceptance tests of enms_service: names, prefixes and workflows.

package kinds_test

import (
	"fmt"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// What is built in is not given another name either, which all workflows would
// notice.
func TestService_builtInKeepsItsName(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	state := c.Imported("enms_service", "[Shared] Placeholder")
	_, diags := c.Plan("enms_service", acctest.Attributes{"name": "[Shared] Mine", "shared": true}, state)
	if !diags.Failed() || !s.Says("[Shared] Placeholder", "is built in").MatchString(diags.String()) {
		t.Error(diags)
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
