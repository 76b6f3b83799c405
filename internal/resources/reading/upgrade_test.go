// This file tests what an upgrade of eNMS 4.7 to eNMS 5 does to a state.

package reading_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// The state that was made on eNMS 4.7, with the same configuration, plans nothing on the eNMS 5 to which
// it was upgraded, with identify_by = "name". Every instance has another id there, which is that of another instance before;
// devices and links are of the generic types; and networks, positions, groups of credentials and
// payloads are stored otherwise.
func TestUpgrade_plansNothing(t *testing.T) {
	t.Parallel()
	type instance struct {
		typ    string
		config acctest.Attributes
	}
	payload := acctest.ObjectValue(map[string]any{"call_type": "POST", "payload": map[string]any{"vlan": 12}})
	inventory := []instance{
		{"enms_device", acctest.Attributes{"name": "a", "ip_address": "10.0.0.1"}},
		{"enms_device", acctest.Attributes{"name": "g", "type": "gateway"}},
		{"enms_device", acctest.Attributes{"name": "b", "gateways": []string{"g"}}},
		{"enms_link", acctest.Attributes{"name": "l", "source": "a", "destination": "b"}},
	}
	others := []instance{
		{"enms_network", acctest.Attributes{"name": "inner", "icon": "network"}},
		{"enms_network", acctest.Attributes{"name": "n", "icon": "network", "nodes": []string{"a", "inner"}, "links": []string{"l"}}},
		{"enms_network_layout", acctest.Attributes{"network": "n", "positions": acctest.Positions(map[string][2]float64{"a": {1, 2}, "inner": {3, 4}})}},
		{"enms_group", acctest.Attributes{"name": "of"}},
		{"enms_user", acctest.Attributes{"name": "u", "groups": []string{"of"}}},
		{"enms_pool", acctest.Attributes{"name": "p", "device_criteria": acctest.Criteria(map[string]acctest.Attributes{"name": {"value": "a"}})}},
		{"enms_credential", acctest.Attributes{"name": "c", "groups": []string{"of"}, "device_pools": []string{"p"}}},
		{"enms_service", acctest.Attributes{"name": "w", "type": "workflow"}},
		{"enms_service", acctest.Attributes{"name": "[w] s", "type": "python_snippet_service", "workflows": []string{"w"}, "target_devices": []string{"a"}}},
		{"enms_service", acctest.Attributes{"name": "r", "type": "rest_call_service", "named_credential": "c", "properties": payload}},
		{"enms_workflow_edge", acctest.Attributes{"name": "e", "workflow": "w", "source": "[Shared] Start", "destination": "[w] s", "subtype": "success"}},
		{"enms_workflow_layout", acctest.Attributes{"workflow": "w", "positions": acctest.Positions(map[string][2]float64{"[w] s": {5, 6}, "[Shared] End": {7, 8}})}},
		{"enms_task", acctest.Attributes{"name": "t", "service": "w", "devices": []string{"b"}, "pools": []string{"p"}}},
	}
	before := acctest.NewServerWith(t, "before the upgrade", simulator.Options{})
	old := before.Core(nil)
	states := map[string]acctest.ResourceState{}
	for i, x := range append(inventory, others...) {
		states[fmt.Sprint(i)] = old.Applied(x.typ, x.config, old.NoState(x.typ))
	}

	s := acctest.NewServerWith(t, "after the upgrade", simulator.Options{Version: simulator.V53})
	s.Put("generic_device", enms.Object{"name": "b"})()
	s.Put("gateway", enms.Object{"name": "g"})()
	s.Put("generic_device", enms.Object{"name": "b", "gateways": []string{"g"}})()
	s.Put("generic_device", enms.Object{"name": "a", "ip_address": "10.0.0.1"})()
	s.Put("generic_link", enms.Object{"name": "l", "source": "a", "destination": "b"})()
	for typ, name := range map[string]string{"user": "other", "group": "other", "pool": "other", "credential": "other", "ping_service": "other"} {
		s.Put(typ, enms.Object{"name": name, "scoped_name": name})()
	}
	c := s.Core(nil)
	for _, x := range others {
		c.Applied(x.typ, x.config, c.NoState(x.typ))
	}
	told := s.Core(nil) // without the settings, nothing is sent
	if _, diags := told.Refresh("enms_device", states["0"]); !diags.Failed() || !strings.Contains(diags.String(), "another eNMS") {
		t.Errorf("%s", diags)
	}
	c = s.Core(acctest.Attributes{"former_base_urls": []string{before.URL}, "identify_by": "name"})
	for i, x := range append(inventory, others...) {
		if p, diags := c.Plan(x.typ, x.config, c.Refreshed(x.typ, states[fmt.Sprint(i)])); diags.Failed() || len(diags) > 0 || !p.Noop {
			t.Errorf("%s %v: %s %s", x.typ, x.config["name"], diags, p.Value)
		}
	}
}
