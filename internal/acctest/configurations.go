// This file has configurations, servers and checks that tests of several packages share.

package acctest

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// NewServerWithWorkflow returns a server with a workflow, and an edge of it.
func NewServerWithWorkflow(t *testing.T) (*Server, Attributes) {
	t.Helper()
	s := NewServer(t)
	s.Put("workflow", enms.Object{"name": "NAME-w", "scoped_name": "NAME-w"})()
	t.Cleanup(s.Drop("workflow", "NAME-w"))
	return s, Attributes{"workflow": s.Expand("NAME-w"), "source": "[Shared] Start", "destination": "[Shared] End", "subtype": "success"}
}

// OfEveryKind runs a test for every kind, each with a server of its own on which there are
// the instances that others refer to.
func OfEveryKind(t *testing.T, test func(t *testing.T, s *Server, c *Core, k *kind.Kind)) {
	t.Helper()
	for _, k := range Kinds() {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			s := NewServer(t)
			PutRelated(s)
			test(t, s, s.Core(nil), k)
		})
	}
}

// OnEachLine runs a test with a server of the kind of this run, and with one of eNMS 5 unless that is the kind.
func OnEachLine(t *testing.T, test func(t *testing.T, s *Server, is5 bool)) {
	t.Helper()
	const line5 = "enms-5.3"
	for _, name := range slices.Compact([]string{ServerKind(), line5}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, NewServerWith(t, name, ServerKinds[name]), name == line5)
		})
	}
}

// Plans returns a check of the plan before the apply.
func Plans(of plancheck.PlanCheck) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{of}}
}

// Positions returns the argument positions of a layout.
func Positions(all map[string][2]float64) tftypes.Value {
	object := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"x": tftypes.Number, "y": tftypes.Number}}
	members := map[string]tftypes.Value{}
	for name, at := range all {
		members[name] = tftypes.NewValue(object, map[string]tftypes.Value{
			"x": tftypes.NewValue(tftypes.Number, big.NewFloat(at[0])), "y": tftypes.NewValue(tftypes.Number, big.NewFloat(at[1]))})
	}
	return tftypes.NewValue(tftypes.Map{ElementType: object}, members)
}

// PositionOf returns the position that eNMS holds of a service or node in a workflow or network.
func PositionOf(s *Server, typ, name, in string) string {
	s.T.Helper()
	at, _ := s.Find(typ, name, "positions")["positions"].(map[string]any)
	return fmt.Sprint(at[s.Expand(in)])
}

// Updates returns a check that the plan updates a resource.
func Updates(address string) resource.ConfigPlanChecks {
	return Plans(plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate))
}

// NumberedDevice returns a device with a number in its name.
func NumberedDevice(i int) enms.Object { return enms.Object{"name": fmt.Sprint("NAME-", i)} }

// Service is the configuration of a service.
const Service = `
resource "enms_service" "backup" {
  name = "NAME-backup"
  type = "python_snippet_service"
  properties = {
    source_code = "results['success'] = True"
  }
}`
