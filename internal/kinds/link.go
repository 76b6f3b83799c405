// This file declares links and Ethernet links (enms-rest.md 1.6).

package kinds

import "github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"

func link() *kind.Kind {
	return &kind.Kind{
		Name:      "link",
		Namespace: "link",
		Summary:   "A link between two devices in eNMS's inventory.",
		Attributes: append([]kind.Attribute{
			{Name: "source", Type: kind.One, Of: "device", ReadFrom: "source_name", IDField: "source_id", Needed: true,
				Doc: "The name of the device at which the link begins."},
			{Name: "destination", Type: kind.One, Of: "device", ReadFrom: "destination_name", IDField: "destination_id", Needed: true,
				Doc: "The name of the device at which the link ends."},
			{Name: "description", Default: "", MaxLength: kind.Unbounded, Doc: "What the link is."},
			{Name: "type", Role: kind.Subtype, Default: "link", Recreate: true, OneOf: []string{"link", "ethernet_link"},
				Doc: "The type of the link. The `speed` and the `standard` of an Ethernet link are written in `properties`."},
			{Name: "subtype", Section: sectionDetails, Default: "", Doc: "A finer distinction of your own: any text."},
			{Name: "model", Default: "", Doc: "The link's model."},
			{Name: "location", Default: "", Doc: "Where the link is."},
			{Name: "vendor", Default: "", Doc: "Who provides the link."},
			{Name: "color", Section: sectionMaps, Default: "#000000", MaxLength: kind.ShortLength, Doc: "The colour of the link on eNMS's maps, such as `#ff0000`."},
		}, rights("link")...),
		Further:   []kind.Attribute{sample(textOf("custom_property", "CP", "A text."))},
		ListedBy:  []kind.Attribute{in("pools", "pool"), in("networks", "network")},
		NeverSent: []string{"source_name", "destination_name"},
		Unwatched: volatileFields,
	}
}
