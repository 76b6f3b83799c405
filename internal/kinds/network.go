// This file declares networks (enms-rest.md 1.12).

package kinds

import "github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"

func network() *kind.Kind {
	return &kind.Kind{
		Name:      "network",
		Namespace: "node",

		NoTimestamps: true,

		Summary: "A network: devices, links and other networks, shown together in eNMS's Network Builder.",
		Attributes: append([]kind.Attribute{
			{Name: "description", Default: "", MaxLength: kind.Unbounded, Doc: "The description of the network."},
			{Name: "nodes", Type: kind.Many, Of: "node", Inverse: "networks", Doc: "The names of the devices and networks in the network, in any order."},
			{Name: "networks", Type: kind.Many, Of: "network", Inverse: "nodes", Mirrored: true,
				Doc: "The names of the networks that the network is in, in any order: `nodes` of those, from the other side. Set one of the two, not both. If two networks contain each other, one of them sets both `nodes` and `networks`, and the other one neither: a reference from each to the other is a cycle."},
			{Name: "links", Type: kind.Many, Of: "link", Inverse: "networks", Doc: "The names of the links in the network, in any order."},
			{Name: "category", Default: "", Doc: "The category of the network: `Display`, `Editing`, `Other`, `Subnetwork`, or another category of your eNMS."},
			{Name: "subtype", Section: sectionDetails, Default: "", Doc: "A category of your own: any string."},
			{Name: "model", Default: "", Doc: "The model of the network."},
			{Name: "location", Default: "", Doc: "The location of the network."},
			{Name: "vendor", Default: "", Doc: "The vendor of the network."},
			{Name: "icon", Section: sectionMaps, Default: "network", MaxLength: kind.ShortLength, Doc: "The icon on eNMS's maps; see `icon` of [enms_device](device.md)."},
			{Name: "latitude", Default: "0.0", MaxLength: kind.ShortLength, Doc: "The latitude on the map, in degrees, as a string such as `32.78`. To eNMS, `0` and `0.0` are different."},
			{Name: "longitude", Default: "0.0", MaxLength: kind.ShortLength, Doc: "The longitude on the map, in degrees, as a string such as `-96.80`."},
			{Name: "labels", Type: kind.JSON, Doc: "The labels in the Network Builder: an object with one member for each label. The key is a UUID of your choice: with a key of another length, the Network Builder does not offer to change the label, and without a hyphen in it, it no longer saves positions. The value is an object with `positions` (`[x, y]`), `content`, `alignment` and `size`."},
		}, rights("network")...),
		Relations:  []string{"pools"},
		Unwatched:  append([]string{"path", "positions"}, volatileFields...),
		RenameByID: true,
	}
}
