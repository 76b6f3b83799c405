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
	const first = `resource "enms_network" "a" { name = "NAME-a" }
	`
	s.Run(
		resource.TestStep{Config: s.HCL(first + `
			resource "enms_network" "b" {
			  name     = "NAME-b"
			  nodes    = [enms_network.a.name]
			  networks = [enms_network.a.name]
			}`), Check: resource.ComposeAggregateTestCheckFunc(
			s.Holds("network", "NAME-a", "nodes", "[NAME-b]"), s.Holds("network", "NAME-b", "nodes", "[NAME-a]"))},
		resource.TestStep{PreConfig: s.Put("network", map[string]any{"name": "NAME-b", "networks": []string{}}), Config: s.HCL(first + `
			resource "enms_network" "b" {
			  name     = "NAME-b"
			  nodes    = [enms_network.a.name]
			  networks = [enms_network.a.name]
			}`), Check: s.Holds("network", "NAME-a", "nodes", "[NAME-b]")},
		resource.TestStep{Config: s.HCL(first + `
			resource "enms_network" "b" {
			  name  = "NAME-b"
			  nodes = [enms_network.a.name]
			}`), Check: s.Holds("network", "NAME-a", "nodes", "[]")},
	)
}
