// This file declares devices, gateways and routers (enms-rest.md 1.4).

package kinds

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// device declares devices. Gateways and routers are devices of another type, with fields of their own.
func device() *kind.Kind {
	return &kind.Kind{
		Name:      "device",
		Namespace: "node", // no network has the name of a device
		Summary:   "A network device in eNMS's inventory. Gateways and routers are devices too: see `type`.",

		Attributes: append([]kind.Attribute{
			{Name: "ip_address", Default: "", MaxLength: kind.ShortLength, Checks: []validator.String{kind.TextCheck("Invalid address", checkAddress)},
				Doc: "The address of the device: an IPv4 address, an IPv6 address, or a host name such as `router1.example.com`, which the eNMS server resolves."},
			{Name: "description", Default: "", MaxLength: kind.Unbounded,
				Doc: "The description of the device."},
			{Name: "type", Role: kind.Subtype, Default: "device", Recreate: true, OneOf: []string{"device", "gateway", "router"}, Meant: plainTypes,
				Doc: "The type of the device."},
			{Name: "vendor", Default: "",
				Doc: "The vendor of the device, such as `Cisco`."},
			{Name: "operating_system", Default: "",
				Doc: "The operating system of the device, such as `IOS-XE`."},
			{Name: "os_version", Default: "",
				Doc: "The version of the operating system."},
			{Name: "model", Default: "",
				Doc: "The model of the device."},
			{Name: "location", Default: "",
				Doc: "The location of the device."},
			{Name: "subtype", Default: "",
				Doc: "A category of your own: any string."},

			{Section: "Connections", Name: "port", Type: kind.Number, Default: 22, Range: &kind.Range{Min: 0, Max: 65535},
				Doc: "The TCP port of the management interface."},
			{Name: "netmiko_driver", Default: "cisco_ios", Suggest: netmikoDrivers, MaxLength: kind.ShortLength,
				Doc: "The Netmiko driver, such as `arista_eos`. Netmiko services whose `driver` is `device` use it."},
			{Name: "napalm_driver", Default: "ios", Suggest: napalmDrivers, MaxLength: kind.ShortLength,
				Doc: "The NAPALM driver, such as `eos`. NAPALM services whose `driver` is `device` use it."},
			{Name: "scrapli_driver", Default: "cisco_iosxe", Suggest: scrapliDrivers, MaxLength: kind.ShortLength,
				Doc: "The Scrapli driver, such as `arista_eos`. Scrapli services whose `driver` is `device` use it."},
			{Name: "netconf_driver", Default: "default", Suggest: netconfDrivers, MaxLength: kind.ShortLength,
				Doc: "The ncclient device handler that NETCONF services use, such as `iosxe`."},
			{Name: "gateways", Type: kind.Many, Of: "gateway", Inverse: "devices",
				Doc: "The names of the gateways through which eNMS connects to the device: devices of type `gateway`. Without gateways, eNMS connects directly."},

			{Section: sectionMaps, Name: "icon", Default: "router", Suggest: icons, MaxLength: kind.ShortLength,
				Doc: "The icon on eNMS's maps: `antenna`, `firewall`, `host`, `optical_switch`, `regenerator`, `router`, `server`, `switch`, or your own icon."},
			{Name: "latitude", Default: "0.0", MaxLength: kind.ShortLength, Doubt: coordinate(90),
				Doc: "The latitude on the map, in degrees, as a string such as `32.78`. To eNMS, `0` and `0.0` are different."},
			{Name: "longitude", Default: "0.0", MaxLength: kind.ShortLength, Doubt: coordinate(180),
				Doc: "The longitude on the map, in degrees, as a string such as `-96.80`."},
		}, rights("device", "rbac_configuration", "rbac_connect", "rbac_target")...),

		// Fields without an attribute, which are written in properties.
		Properties: append(on5(adminOnly("device")), sampleDeviceFields...),
		Subtypes:   deviceTables,

		// Relations without an attribute. Lists can be searched by those in ListedBy.
		Relations: []string{"runs", "source", "destination"},
		ListedBy:  []kind.Attribute{relation("pools", "pool"), relation("networks", "network"), relation("tasks", "task"), relation("target_services", "service")},

		// Links know their ends. Written from the device, these relations would change or delete links.
		NeverSent: []string{"source", "destination", "sources", "destinations"},
		// Fields that eNMS itself changes, and positions, which belong to layouts of networks.
		Unwatched: slices.Concat([]string{"positions"}, collectedFields, volatileFields),

		// eNMS deletes the links of a device together with it.
		Cascades: []kind.Cascade{
			{Type: "link", Column: "source_id"},
			{Type: "link", Column: "destination_id"},
		},
	}
}

// deviceTables are the properties of each type of devices.
var deviceTables = []kind.SubtypeTable{
	{Name: "device", Doc: "A device."},
	{Name: "gateway", Doc: "A device through which eNMS connects to others.", Fields: []kind.Attribute{
		{Name: "priority", Type: kind.Number, Default: 1, Doc: "The priority of the gateway: eNMS tries the gateway with the highest priority first."},
		{Name: "devices", Type: kind.Many, Of: "device", Doc: "The devices behind the gateway. The inverse is `gateways` of each device."},
	}},
	{Name: "router", Doc: "A router.", Fields: []kind.Attribute{text("serial_number", "The serial number.")}},
}

// sampleDeviceFields are the custom properties of devices in eNMS's sample configuration.
var sampleDeviceFields = []kind.Attribute{
	sample(textOf("property1", "10.145.14.1", "A string.")),
	sample(textOf("property2", "CP", "A string.")),
	sample(text("property3", "A string that eNMS's form hides.")),
	sample(flag("reachable", true, "A Boolean.")),
	sample(flag("down", false, "A Boolean.")),
	sample(choice("custom_select", "b", "One of several strings.", "a", "b")),
	sample(kind.Attribute{Name: "custom_multiselect", Type: kind.List, Default: []string{"a", "c"}, OneOf: []string{"a", "b", "c"}, Doc: "Some of several strings."}),
	sample(kind.Attribute{Name: "custom_json", Type: kind.JSON, Default: map[string]any{"a": "c", "b": []any{1, 2, "3"}}, Doc: "An object. eNMS merges new values into it."}),
}

// collectedFields are the properties of devices that services collect, and what eNMS records about the last
// collection of each.
var collectedFields = func() (fields []string) {
	for _, property := range []string{"configuration", "operational_data", "specialized_data"} {
		fields = append(fields, property)
		for _, suffix := range []string{"status", "update", "success", "failure", "runtime", "duration"} {
			fields = append(fields, "last_"+property+"_"+suffix)
		}
	}
	return fields
}()
