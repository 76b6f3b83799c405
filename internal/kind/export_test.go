// This file opens the package to tests that need the kinds, which import it.

package kind

import "github.com/hashicorp/terraform-plugin-go/tftypes"

// Unknown returns the attribute before anything is known of it.
func (a Attribute) Unknown() tftypes.Value { return a.unknown() }
