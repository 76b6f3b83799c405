// Acceptance tests of enms_network: networks inside each other.

package kinds_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// No apply could create two networks that contain each other: one of them says both now.
func TestNetwork_inEachOther(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	config := func(more string) string {
		return s.HCL(`
			resource "enms_network" "a" { name = "NAME-a" }
			resource "enms_network" "b" {
			  name  = "NAME-b"
			  nodes = [enms_network.a.name]
			  ` + more + `
			}`)
	}
	const both = "networks = [enms_network.a.name]"
	s.Run(
		resource.TestStep{Config: config(both), Check: resource.ComposeAggregateTestCheckFunc(
			s.Holds("network", "NAME-a", "nodes", "[NAME-b]"), s.Holds("network", "NAME-b", "nodes", "[NAME-a]"))},
		resource.TestStep{PreConfig: s.Put("network", map[string]any{"name": "NAME-b", "networks": []string{}}), Config: config(both), Check: s.Holds("network", "NAME-a", "nodes", "[NAME-b]")},
		resource.TestStep{Config: config(""), Check: s.Holds("network", "NAME-a", "nodes", "[]")},
	)
}
