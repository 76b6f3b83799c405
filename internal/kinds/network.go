// This file declares networks (enms-rest.md 1.12).

package kinds

import "github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"

func network() *kind.Kind {
	return &kind.Kind{
		Name:      "network",
		Namespace: "node",

		NoTimestamps: true,

		Summary: "A network: devices, links and further networks that eNMS's Network Builder shows together.",
		Attributes: append([]kind.Attribute{
			{Name: "description", Default: "", MaxLength: kind.Unbounded, Doc: "What the network is."},
			{Name: "nodes", Type: kind.Many, Of: "node", Inverse: "networks", Doc: "The names of the devices and networks in the network, in any order."},
			{Name: "links", Type: kind.Many, Of: "link", Inverse: "networks", Doc: "The names of the links in the network, in any order."},
			{Name: "category", Default: "", Doc: "The category of the network: `Display`, `Editing`, `Other`, `Subnetwork`, or what your eNMS has instead."},
			{Name: "subtype", Section: sectionDetails, Default: "", Doc: "A finer distinction of your own: any text."},
			{Name: "model", Default: "", Doc: "The network's model."},
			{Name: "location", Default: "", Doc: "Where the network is."},
			{Name: "vendor", Default: "", Doc: "Who provides the network."},
			{Name: "icon", Section: sectionMaps, Default: "network", MaxLength: kind.ShortLength, Doc: "The icon on eNMS's maps, see `icon` of [enms_device](device.md)."},
			{Name: "latitude", Default: "0.0", MaxLength: kind.ShortLength, Doc: "The latitude on the map, in degrees, as a text such as `32.78`: eNMS tells `0` from `0.0`."},
			{Name: "longitude", Default: "0.0", MaxLength: kind.ShortLength, Doc: "The longitude on the map, in degrees, as a text such as `-96.80`."},
			{Name: "labels", Type: kind.JSON, Doc: "The labels that the Network Builder shows: an object that holds, by an id of each label, an object with its `positions` (`[x, y]`), `content`, `alignment` and `size`."},
		}, rights("network")...),
		Relations:  []string{"pools"},
		ListedBy:   []kind.Attribute{in("networks", "network")},
		Unwatched:  append([]string{"path", "positions"}, volatileFields...),
		RenameByID: true,
	}
}
