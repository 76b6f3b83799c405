// This file holds the lists of fields that tables share.

package kinds

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

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

// icons are those of eNMS's maps. A site may add its own.
var icons = []string{"antenna", "firewall", "host", "network", "optical_switch", "regenerator", "router", "server", "switch"}

// coordinate returns the Doubt of a latitude or a longitude, which is at most limit. eNMS stores any string, but its
// maps need a number.
func coordinate(limit float64) func(string, func(string) any) string {
	return func(text string, _ func(string) any) string {
		number, err := strconv.ParseFloat(text, 64)
		switch meant := strings.Replace(text, ",", ".", 1); {
		case text == "" || err == nil && math.Abs(number) <= limit:
			return ""
		case err == nil:
			return fmt.Sprintf("%q is not between -%v and %v degrees. Were latitude and longitude exchanged?", text, limit, limit)
		case meant != text && coordinate(limit)(meant, nil) == "":
			return fmt.Sprintf("eNMS stores any string, but its maps cannot show %q, which is not a number. Write %q.", text, meant)
		}
		return fmt.Sprintf("eNMS stores any string, but its maps cannot show %q, which is not a number. Write decimal degrees, such as \"32.78\".", text)
	}
}

// needed returns a Doubt (kind.Attribute) that warns with why, in whole sentences, if a new instance lacks the string.
func needed(why string) func(string, func(string) any) string {
	return func(text string, _ func(string) any) string {
		if text == "" {
			return why
		}
		return ""
	}
}
