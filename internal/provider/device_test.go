// Acceptance tests of enms_device: the life of an instance, which is the same
// for every kind.

package provider_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

const device = `
resource "enms_device" "dallas" {
  name       = "NAME-DALLAS"
  ip_address = "10.0.0.1"
}`

func TestDeviceLife(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	id := ""
	s.run(
		resource.TestStep{Config: s.hcl(device), Check: resource.ComposeAggregateTestCheckFunc(
			keep("enms_device.dallas", "id", &id),
			resource.TestCheckResourceAttr("enms_device.dallas", "port", "22"),
			resource.TestCheckResourceAttr("enms_device.dallas", "type", "device"),
			resource.TestCheckResourceAttr("enms_device.dallas", "latitude", "0.0"),
			resource.TestCheckResourceAttr("enms_device.dallas", "gateways.#", "0"),
			s.holds("device", "NAME-DALLAS", "ip_address", "10.0.0.1"),
		)},
		resource.TestStep{Config: s.hcl(`
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
			kept("enms_device.dallas", "id", &id),
			s.holds("device", "NAME-DALLAS", "port", "0"),
			s.holds("device", "NAME-DALLAS", "netconf_driver", "junos"),
			s.holds("device", "NAME-gw-0", "type", "gateway"),
			resource.TestCheckResourceAttr("enms_device.dallas", "gateways.0", s.expand("NAME-gw-1")),
		)},
		resource.TestStep{Config: s.hcl(`
			resource "enms_device" "dallas" {
			  name        = "NAME-DALLAS 2"
			  ip_address  = "10.0.0.2"
			  description = ""
			}`), Check: resource.ComposeAggregateTestCheckFunc(
			kept("enms_device.dallas", "id", &id),
			s.absent("device", "NAME-DALLAS"),
			s.holds("device", "NAME-DALLAS 2", "port", "22"),
			s.holds("device", "NAME-DALLAS 2", "vendor", ""),
			s.holds("device", "NAME-DALLAS 2", "gateways", "[]"),
		)},
		resource.TestStep{ResourceName: "enms_device.dallas", ImportState: true, ImportStateId: s.expand("NAME-DALLAS 2"),
			ImportStateVerify: true, ImportStateVerifyIgnore: []string{"properties"}},
		resource.TestStep{Config: s.hcl(`resource "enms_device" "dallas" { name = "NAME-DALLAS 2" }`),
			Check: s.holds("device", "NAME-DALLAS 2", "ip_address", "")},
	)
	if err := s.absent("device", "NAME-DALLAS 2")(nil); err != nil {
		t.Error(err)
	}
}

func TestDeviceDrift(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.run(
		resource.TestStep{Config: s.hcl(device)},
		resource.TestStep{PreConfig: s.put("device", map[string]any{"name": "NAME-DALLAS", "ip_address": "10.9.9.9"}),
			Config: s.hcl(device), PlanOnly: true, ExpectNonEmptyPlan: true},
		resource.TestStep{Config: s.hcl(device), Check: s.holds("device", "NAME-DALLAS", "ip_address", "10.0.0.1"),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction("enms_device.dallas", plancheck.ResourceActionUpdate)}}},
		// What was never configured is nobody's business.
		resource.TestStep{PreConfig: s.put("device", map[string]any{"name": "NAME-DALLAS", "vendor": "Arista"}),
			Config: s.hcl(device), PlanOnly: true},
		// Deleted behind Terraform's back.
		resource.TestStep{PreConfig: s.drop("device", "NAME-DALLAS"), Config: s.hcl(device),
			Check: s.holds("device", "NAME-DALLAS", "ip_address", "10.0.0.1"),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction("enms_device.dallas", plancheck.ResourceActionCreate)}}},
	)
}

func TestDeviceImportBlock(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	t.Cleanup(s.drop("device", "NAME-DALLAS"))
	s.put("device", map[string]any{"name": "NAME-DALLAS", "ip_address": "10.0.0.1", "vendor": "Cisco"})()
	s.run(
		resource.TestStep{Config: s.hcl(`import {
			  to = enms_device.dallas
			  id = "NAME-DALLAS"
			}`) + s.expand(device),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction("enms_device.dallas", plancheck.ResourceActionNoop)}}},
		s.failing(s.hcl(`import {
			  to = enms_device.houston
			  id = "NAME-HOUSTON"
			}
			resource "enms_device" "houston" { name = "NAME-HOUSTON" }`)+s.expand(device),
			`Cannot import device "NAME-HOUSTON"`, "no device of that name"),
	)
}

func TestDeviceBadProperties(t *testing.T) {
	t.Parallel()
	newServer(t).refuses("enms_device",
		bad{`name = "x", properties = { vendor = "Cisco" }`, []string{"vendor does not belong in properties"}},
		bad{`name = "x", properties = { id = 5 }`, []string{"id must not be sent"}},
		bad{`name = "x", properties = { source = [] }`, []string{"source must not be sent"}},
		bad{`name = "x", properties = { name = "y" }`, []string{"name does not belong in properties"}},
	)
}

// Values that eNMS cannot use are errors on the attribute. eNMS stores a name with a
// line break, and can never show it.
func TestDeviceBadInput(t *testing.T) {
	t.Parallel()
	newServer(t).refuses("enms_device",
		bad{`name = "a/b"`, []string{"slash"}},
		bad{`name = "a\\b"`, []string{"slash"}},
		bad{`name = "a'b"`, []string{"quote"}},
		bad{`name = "a\nb"`, []string{"name", "line break"}},
		bad{`name = ""`, []string{"The name is empty"}},
		bad{`name = "x", ip_address = "999.1.1.1"`, []string{"Invalid address", `"999.1.1.1"`, "from 0 to 255"}},
		bad{`name = "x", ip_address = "10.0.0.1/24"`, []string{"Invalid address", `without the mask: "10.0.0.1"`}},
		bad{`name = "x", type = "switch"`, []string{"type", "device"}},
		bad{`name = "x", gateways = ["a/b"]`, []string{"gateways", "slash"}},
		bad{`name = "x", port = 70000`, []string{"port", "65535"}},
	)
	newServer(t).refuses("enms_device", // what an imported device may have
		bad{`name = "` + strings.Repeat("ü", 256) + `"`, []string{"256 characters"}},
	)
}

// A device may be reached by a host name, which eNMS looks up.
func TestDeviceHostName(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for typ, config := range map[string]attributes{
		"enms_device": {"name": s.expand("NAME-r"), "ip_address": "router1.example.com"},
		manyType:      {"type": "device", "instances": object(map[string]any{s.expand("NAME-e"): map[string]any{"ip_address": "router1.example.com"}})},
	} {
		c := s.core(nil)
		state := c.applied(typ, config, c.none(typ))
		if p, diags := c.plan(typ, config, c.refreshed(typ, state)); len(diags) > 0 || !p.noop {
			t.Errorf("%s: the plan after it: %s %s", typ, p.value, diags)
		}
	}
}

// What no eNMS can hold is refused before there is a plan.
func TestDeviceBadShape(t *testing.T) {
	t.Parallel()
	newServer(t).refuses("enms_device",
		bad{`name = "x", gateways = [null]`, []string{"gateways", "null"}},
		bad{`name = "x", gateways = ["a", "a"]`, []string{"gateways", "duplicate"}},
		bad{`name = "x", properties = jsonencode({a = 1})`, []string{"Not an object", "jsondecode"}},
		bad{`name = "x", deletion_policy = "disable"`, []string{"deletion_policy", "cascade"}},
	)
}

// Objects that eNMS merges into what was there: only their own members count.
func TestMergedCustomProperty(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	if s.simulator != nil {
		t.Skip("needs a real eNMS with the sample property custom_json: custom properties are each site's own, the simulator has none")
	}
	config := s.hcl(`resource "enms_device" "d" {
	  name       = "NAME-d"
	  properties = { custom_json = { terraform = [1, 2] }, property1 = "x" }
	}`)
	s.run(
		resource.TestStep{Config: config},
		resource.TestStep{PreConfig: s.put("device", map[string]any{"name": "NAME-d", "custom_json": map[string]any{"other": 1}}), Config: config, PlanOnly: true},
		resource.TestStep{PreConfig: s.put("device", map[string]any{"name": "NAME-d", "custom_json": map[string]any{"terraform": 1}}), Config: config,
			ConfigPlanChecks: updates("enms_device.d")},
	)
}
