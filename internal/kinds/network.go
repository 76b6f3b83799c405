// This file declares networks (enms-rest.md 1.12).

package kinds

import (
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

func network() *kind.Kind {
	return &kind.Kind{
		Name:      "network",
		Namespace: "node",

		NoTimestamps: true,

		Summary: "A network: devices, links and other networks, shown together in eNMS's Network Builder.",
		Attributes: append([]kind.Attribute{
			{Name: "description", Default: "", MaxLength: kind.Unbounded, Doc: "The description of the network."},
			{Name: "nodes", Type: kind.Many, Of: "node", Inverse: "networks", On5: kind.On5{Name5: "devices"}, Doc: "The names of the devices and networks in the network."},
			{Name: "networks", Type: kind.Many, Of: "network", Inverse: "nodes", Membership: kind.Membership{Mirrored: true},
				Doc: "The names of the networks that contain this network. Set this attribute, or `nodes` of those networks, not both. If two networks contain each other, set both `nodes` and `networks` on one of them, and neither on the other: references in both directions are a cycle."},
			{Name: "links", Type: kind.Many, Of: "link", Inverse: "networks", Doc: "The names of the links in the network."},
			{Name: "category", Default: "", Doc: "The category of the network: `Display`, `Editing`, `Other`, `Subnetwork`, or another category of your eNMS."},
			{Name: "subtype", Section: sectionDetails, Default: "", Doc: "A category of your own: any string."},
			{Name: "model", Default: "", Doc: "The model of the network."},
			{Name: "location", Default: "", Doc: "The location of the network."},
			{Name: "vendor", Default: "", Doc: "The vendor of the network."},
			{Name: "icon", Section: sectionMaps, Default: "network", On5: kind.On5{Default5: "router"}, Suggest: icons, MaxLength: kind.ShortLength, Doc: "The icon on eNMS's maps; see `icon` of [enms_device](device.md)."},
			{Name: "latitude", Default: "0.0", MaxLength: kind.ShortLength, Doubt: coordinate(90), Doc: "The latitude on the map, in degrees, as a string such as `32.78`. To eNMS, `0` and `0.0` are different."},
			{Name: "longitude", Default: "0.0", MaxLength: kind.ShortLength, Doubt: coordinate(180), Doc: "The longitude on the map, in degrees, as a string such as `-96.80`."},
			{Name: "labels", Type: kind.JSON, Doc: "The labels in the Network Builder: an object with one member for each label. The key is a UUID of your choice: with another key, the Network Builder might not offer to change the label, or may no longer save positions. The value is an object with `positions` (`[x, y]`), `content`, `alignment` and `size`."},
		}, rightsOfDevices(rights("network"))...),
		Properties: networkFields,
		Relations:  []string{"pools", "gateways", "target_services", "tasks", "runs", "source", "destination", "rbac_configuration", "rbac_connect", "rbac_target"},
		Unwatched:  slices.Concat([]string{"path", "device_changelogs", "serialized", "positions"}, collectedFields, volatileFields),
		Rules:      kind.Rules{RenameByID: true},
	}
}

// networkFields are the properties of networks. On eNMS 5, networks are devices and have their fields.
var networkFields = on5(append([]kind.Attribute{
	adminOnly("network"),
	short(text("ip_address", "The address, as of a device.")),
	text("operating_system", "The operating system, as of a device."),
	text("os_version", "The version of the operating system, as of a device."),
	{Name: "port", Type: kind.Number, Default: 22, Range: &kind.Range{Min: 0, Max: 65535}, Doc: "The TCP port of the management interface, as of a device."},
	short(textOf("netmiko_driver", "cisco_ios", "The Netmiko driver, as of a device.")),
	short(textOf("napalm_driver", "ios", "The NAPALM driver, as of a device.")),
	short(textOf("scrapli_driver", "cisco_iosxe", "The Scrapli driver, as of a device.")),
	short(textOf("netconf_driver", "default", "The ncclient device handler, as of a device.")),
}, sampleDeviceFields...)...)

// rightsOfDevices returns rows of rights whose other side on eNMS 5 is that of devices.
func rightsOfDevices(rows []kind.Attribute) []kind.Attribute {
	for i := range rows {
		rows[i].Inverse5 = strings.TrimSuffix(rows[i].Inverse, "networks") + "devices"
	}
	return rows
}
