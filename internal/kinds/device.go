// This file declares devices, gateways and routers (enms-rest.md 1.4).

package kinds

import (
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

func device() *kind.Kind {
	return &kind.Kind{
		Name:      "device",
		Namespace: "node",
		Summary:   "A network device in eNMS's inventory. Gateways and routers are devices too: see `type`.",
		Attributes: append([]kind.Attribute{
			{Name: "ip_address", Default: "", MaxLength: kind.ShortLength, Checks: []validator.String{hostAddress{}},
				Doc: "Where eNMS reaches the device: an IPv4 address, an IPv6 address, or a host name such as `router1.example.com`, which the eNMS server looks up."},
			{Name: "description", Default: "", MaxLength: kind.Unbounded, Doc: "What the device is."},
			{Name: "type", Role: kind.Subtype, Default: "device", Recreate: true, OneOf: []string{"device", "gateway", "router"},
				Doc: "The type of the device."},
			{Name: "vendor", Default: "", Doc: "Who made the device, such as `Cisco`."},
			{Name: "operating_system", Default: "", Doc: "The operating system that the device runs, such as `IOS-XE`."},
			{Name: "os_version", Default: "", Doc: "The version of the operating system."},
			{Name: "model", Default: "", Doc: "The device's model."},
			{Name: "location", Default: "", Doc: "Where the device stands."},
			{Name: "subtype", Default: "", Doc: "A finer distinction of your own: any text."},
			{Name: "port", Section: "Connections", Type: kind.Number, Default: 22, Range: &kind.Range{Min: 0, Max: 65535},
				Doc: "The TCP port of the device's management interface."},
			{Name: "netmiko_driver", Default: "cisco_ios", MaxLength: kind.ShortLength, Doc: "The Netmiko driver for the device, by Netmiko's name such as `arista_eos`. Netmiko services whose `driver` is `device` use it."},
			{Name: "napalm_driver", Default: "ios", MaxLength: kind.ShortLength, Doc: "The NAPALM driver for the device, by NAPALM's name such as `eos`. NAPALM services whose `driver` is `device` use it."},
			{Name: "scrapli_driver", Default: "cisco_iosxe", MaxLength: kind.ShortLength, Doc: "The Scrapli driver for the device, by Scrapli's name such as `arista_eos`. Scrapli services whose `driver` is `device` use it."},
			{Name: "netconf_driver", Default: "default", MaxLength: kind.ShortLength, Doc: "The device handler that NETCONF services use for the device, by ncclient's name such as `iosxe`."},
			{Name: "gateways", Type: kind.Many, Of: "gateway", Inverse: "devices",
				Doc: "The names of the gateways through which eNMS reaches the device, in any order: devices of type `gateway`. Without any, eNMS connects to it directly."},
			{Name: "icon", Section: sectionMaps, Default: "router", MaxLength: kind.ShortLength,
				Doc: "The icon on eNMS's maps: `antenna`, `firewall`, `host`, `optical_switch`, `regenerator`, `router`, `server`, `switch`, or one of your own."},
			{Name: "latitude", Default: "0.0", MaxLength: kind.ShortLength, Doc: "The latitude on the map, in degrees, as a text such as `32.78`: eNMS tells `0` from `0.0`."},
			{Name: "longitude", Default: "0.0", MaxLength: kind.ShortLength, Doc: "The longitude on the map, in degrees, as a text such as `-96.80`."},
		}, rights("device", "rbac_configuration", "rbac_connect", "rbac_target")...),
		Further:   sampleDeviceFields,
		Subtypes:  deviceTables,
		Relations: []string{"runs", "source", "destination"},
		ListedBy:  []kind.Attribute{in("pools", "pool"), in("networks", "network"), in("tasks", "task"), in("target_services", "service")},
		NeverSent: []string{"source", "destination", "sources", "destinations"},
		Unwatched: append(lastFields("configuration", "operational_data", "specialized_data"), volatileFields...),
		Cascades: []kind.Cascade{
			{Type: "link", Column: "source_id"},
			{Type: "link", Column: "destination_id"},
		},
	}
}

// deviceTables are the types of devices.
var deviceTables = []kind.SubtypeTable{
	{Name: "device", Doc: "A device."},
	{Name: "gateway", Doc: "A device through which eNMS reaches others.", Fields: []kind.Attribute{
		number("priority", 1, "Which of several gateways is tried first: the one with the highest priority."),
		{Name: "devices", Type: kind.Many, Of: "device", Doc: "The devices behind the gateway. `gateways` of each device is the other side."},
	}},
	{Name: "router", Doc: "A router.", Fields: []kind.Attribute{text("serial_number", "The serial number.")}},
}

// sampleDeviceFields are custom properties of eNMS's sample configuration.
var sampleDeviceFields = []kind.Attribute{
	sample(textOf("property1", "10.145.14.1", "A text.")),
	sample(textOf("property2", "CP", "A text.")),
	sample(text("property3", "A text that eNMS's form hides.")),
	sample(flag("reachable", true, "True or false.")),
	sample(flag("down", false, "True or false.")),
	sample(choice("custom_select", "b", "One of several texts.", "a", "b")),
	sample(kind.Attribute{Name: "custom_multiselect", Type: kind.List, Default: []string{"a", "c"}, OneOf: []string{"a", "b", "c"}, Doc: "Some of several texts."}),
	sample(kind.Attribute{Name: "custom_json", Type: kind.JSON, Default: map[string]any{"a": "c", "b": []any{1, 2, "3"}}, Doc: "An object, into which eNMS merges what is sent."}),
}

// lastFields returns a device's properties that eNMS collects by itself, and what it notes
// about the last time that it did.
func lastFields(collected ...string) []string {
	fields := []string{"positions"}
	for _, property := range collected {
		fields = append(fields, property)
		for _, note := range []string{"status", "update", "failure", "runtime", "duration"} {
			fields = append(fields, "last_"+property+"_"+note)
		}
	}
	return fields
}
