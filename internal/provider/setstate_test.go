// A state from the time when relations to many were lists.

package provider_test

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/terraformtest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// The names of a list in a state become a set, and the next plan is empty.
func TestState_listBecomesSet(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	for _, name := range []string{"NAME-a", "NAME-b"} {
		s.Put("device", map[string]any{"name": name})()
	}
	c := s.Core(nil)
	names := []string{s.Expand("NAME-b"), s.Expand("NAME-a")}
	config := acctest.Attributes{"name": s.Expand("NAME-p"), "manually_defined": true, "devices": names}
	state := c.Applied("enms_pool", config, c.NoState("enms_pool"))

	old, _ := value.ToJSON(state.Value).(map[string]any)
	old["devices"] = names
	written, err := json.Marshal(old)
	if err != nil {
		t.Fatal(err)
	}
	upgraded, err := c.Provider.UpgradeResourceState(t.Context(), &tfprotov6.UpgradeResourceStateRequest{TypeName: "enms_pool", RawState: &tfprotov6.RawState{JSON: written}})
	if err != nil || len(upgraded.Diagnostics) > 0 {
		t.Fatal(err, upgraded)
	}
	state.Value = terraformtest.Decode(state.Value.Type(), upgraded.UpgradedState)
	c = c.NewRun()
	c.PlansNothing("enms_pool", config, c.Refreshed("enms_pool", state))
}
