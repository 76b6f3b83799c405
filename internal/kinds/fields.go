// This file holds the lists of fields that tables share.

package kinds

import "github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"

// Fields that most types have.
var (
	// volatileFields change by themselves, or must never be sent (enms-rest.md 1.3).
	volatileFields = []string{"last_modified", "last_modified_by", "status", "creator", "creation_time", "persistent_id", "logs", "soft_deleted"}
	// secretFields are never returned by eNMS (enms-rest.md 1.2).
	secretFields = []string{"password", "custom_password", "jump_password", "enable_password", "private_key",
		"netbox_token", "librenms_token", "opennms_password"}
)

// Sections that the pages of several kinds have.
const (
	sectionDetails = "Details"
	sectionMaps    = "On the map"
	sectionRights  = "Owners and rights"
	sectionLogin   = "Login"
)

// beginSection returns the first row of a section.
func beginSection(section string, a kind.Attribute) kind.Attribute {
	a.Section = section
	return a
}

// relation returns the row of a relation to instances of a type, for ListedBy.
func relation(name, typ string) kind.Attribute {
	return kind.Attribute{Name: name, Type: kind.Many, Of: typ}
}
