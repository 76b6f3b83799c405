// Acceptance tests of enms_device: the life of an instance, which is the same
// for every kind.

package instance_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

const device = `
resource "enms_device" "dallas" {
  name       = "NAME-DALLAS"
  ip_address = "10.0.0.1"
}`

func TestDevice_createUpdateRenameImportDestroy(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	same := ids("enms_device.dallas")
	s.Run(
		resource.TestStep{Config: s.HCL(device), Check: resource.ComposeAggregateTestCheckFunc(
			same,
			resource.TestCheckResourceAttr("enms_device.dallas", "port", "22"),
			resource.TestCheckResourceAttr("enms_device.dallas", "type", "device"),
			resource.TestCheckResourceAttr("enms_device.dallas", "latitude", "0.0"),
			resource.TestCheckResourceAttr("enms_device.dallas", "gateways.#", "0"),
			s.Holds("device", "NAME-DALLAS", "ip_address", "10.0.0.1"),
		)},
		resource.TestStep{Config: s.HCL(`
			resource "enms_device" "dallas" {
			  name             = "NAME-DALLAS"
			  ip_address       = "2001:db8::1"
			  description      = "edge"
			  subtype          = "core"
			  model            = "9500"
			  location         = "Dallas"
			  vendor           = "Cisco"
			  operating_system = "IOS-XE"
			  os_version       = "17.9"
			  icon             = "firewall"
			  port             = 0
			  latitude         = "32.7"
			  longitude        = "-96.8"
			  netmiko_driver   = "arista_eos"
			  napalm_driver    = "eos"
			  scrapli_driver   = "arista_eos"
			  netconf_driver   = "junos"
			  gateways         = [enms_device.gateway[1].name, enms_device.gateway[0].name]
			}
			resource "enms_device" "gateway" {
			  count = 2
			  name  = "NAME-gw-${count.index}"
			  type     = "gateway"
			}`), Check: resource.ComposeAggregateTestCheckFunc(
			same,
			s.Holds("device", "NAME-DALLAS", "port", "0"),
			s.Holds("device", "NAME-DALLAS", "netconf_driver", "junos"),
			s.Holds("device", "NAME-gw-0", "type", "gateway"),
			resource.TestCheckResourceAttr("enms_device.dallas", "gateways.#", "2"),
		)},
		resource.TestStep{Config: s.HCL(`
			resource "enms_device" "dallas" {
			  name        = "NAME-DALLAS 2"
			  ip_address  = "10.0.0.2"
			  description = ""
			}`), Check: resource.ComposeAggregateTestCheckFunc(
			same,
			s.Absent("device", "NAME-DALLAS"),
			s.Holds("device", "NAME-DALLAS 2", "port", "22"),
			s.Holds("device", "NAME-DALLAS 2", "vendor", ""),
			s.Holds("device", "NAME-DALLAS 2", "gateways", "[]"),
		)},
		resource.TestStep{Config: s.HCL(`resource "enms_device" "dallas" { name = "NAME-DALLAS 2" }`),
			Check: s.Holds("device", "NAME-DALLAS 2", "ip_address", "")},
	)
	s.Check(s.Absent("device", "NAME-DALLAS 2"))
}

func TestDevice_drift(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	// On a real server with SQLite, another test may get the id of the device that is deleted here: content tells them apart.
	config := s.HCL(strings.Replace(device, "10.0.0.1", "10.0.0.3", 1))
	s.Run(
		resource.TestStep{Config: config},
		resource.TestStep{PreConfig: s.Put("device", map[string]any{"name": "NAME-DALLAS", "ip_address": "10.9.9.9"}),
			Config: config, PlanOnly: true, ExpectNonEmptyPlan: true},
		resource.TestStep{Config: config, Check: s.Holds("device", "NAME-DALLAS", "ip_address", "10.0.0.3"),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction("enms_device.dallas", plancheck.ResourceActionUpdate)}}},
		// What was never configured is nobody's business.
		resource.TestStep{PreConfig: s.Put("device", map[string]any{"name": "NAME-DALLAS", "vendor": "Arista"}),
			Config: config, PlanOnly: true},
		// Deleted behind Terraform's back.
		resource.TestStep{PreConfig: s.Drop("device", "NAME-DALLAS"), Config: config,
			Check: s.Holds("device", "NAME-DALLAS", "ip_address", "10.0.0.3"),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction("enms_device.dallas", plancheck.ResourceActionCreate)}}},
	)
}

// Objects that eNMS merges into what was there: only their own members count.
func TestDevice_customPropertyThatENMSMerges(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	if s.Simulator != nil {
		t.Skip("needs a real eNMS with the sample property custom_json: custom properties are each site's own, the simulator has none")
	}
	config := s.HCL(`resource "enms_device" "d" {
	  name       = "NAME-d"
	  properties = { custom_json = { terraform = [1, 2] }, property1 = "x" }
	}`)
	s.Run(
		resource.TestStep{Config: config},
		resource.TestStep{PreConfig: s.Put("device", map[string]any{"name": "NAME-d", "custom_json": map[string]any{"other": 1}}), Config: config, PlanOnly: true},
		resource.TestStep{PreConfig: s.Put("device", map[string]any{"name": "NAME-d", "custom_json": map[string]any{"terraform": 1}}), Config: config,
			ConfigPlanChecks: acctest.Updates("enms_device.d")},
	)
}
