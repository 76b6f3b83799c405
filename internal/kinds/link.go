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
				Doc: "The name of the device at the start of the link."},
			{Name: "destination", Type: kind.One, Of: "device", ReadFrom: "destination_name", IDField: "destination_id", Needed: true,
				Doc: "The name of the device at the end of the link."},
			{Name: "description", Default: "", MaxLength: kind.Unbounded, Doc: "The description of the link."},
			{Name: "type", Role: kind.Subtype, Default: "link", Recreate: true, OneOf: []string{"link", "ethernet_link"}, Meant: plainTypes,
				Doc: "The type of the link. Write the `speed` and `standard` of an Ethernet link in `properties`."},
			{Name: "subtype", Section: sectionDetails, Default: "", Doc: "A category of your own: any string."},
			{Name: "model", Default: "", Doc: "The model of the link."},
			{Name: "location", Default: "", Doc: "The location of the link."},
			{Name: "vendor", Default: "", Doc: "The vendor of the link."},
			{Name: "color", Section: sectionMaps, Default: "#000000", MaxLength: kind.ShortLength, Doc: "The color of the link on eNMS's maps, such as `#ff0000`."},
		}, rights("link")...),
		Properties: append(on5(adminOnly("link")), sample(textOf("custom_property", "CP", "A string."))),
		ListedBy:   []kind.Attribute{relation("pools", "pool"), relation("networks", "network")},
		NeverSent:  []string{"source_name", "destination_name"},
		Unwatched:  volatileFields,
	}
}
