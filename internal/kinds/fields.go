// This file holds the lists of fields that tables share.

package kinds

import "github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"

// Fields that most types have (enms-rest.md 1.3): those that change by
// themselves or must never be sent, and what eNMS stores and never answers
// (enms-rest.md 1.2).
var (
	volatileFields = []string{"last_modified", "last_modified_by", "status", "creator", "creation_time", "persistent_id", "logs", "soft_deleted"}
	secretFields   = []string{"password", "custom_password", "jump_password", "enable_password", "private_key",
		"netbox_token", "librenms_token", "opennms_password"}
)

// Sections that the pages of several kinds have.
const (
	sectionDetails = "Details"
	sectionMaps    = "On the map"
	sectionRights  = "Owners and rights"
	sectionLogin   = "Login"
)

// under returns the first row of a section.
func under(section string, a kind.Attribute) kind.Attribute {
	a.Section = section
	return a
}

// in returns a relation to instances of a type by which lists can be searched.
func in(relation, typ string) kind.Attribute {
	return kind.Attribute{Name: relation, Type: kind.Many, Of: typ}
}
