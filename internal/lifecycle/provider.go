// This file is what the provider block gives to every resource and data source.

package lifecycle

import (
	"fmt"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// Provider is the configured provider as resources and data sources see it.
type Provider struct {
	// Client is nil as long as a setting of the provider block is unknown, as
	// it may be at plan time.
	Client *enms.Client
	// Unknown are those settings, for the error of what cannot wait.
	Unknown []string
	// AdoptExisting is the default of the resources' adopt_existing.
	AdoptExisting bool
	// DeletionPolicy is the default of the resources' deletion_policy.
	DeletionPolicy string
}

// stillUnknown tells why there is no client.
func (p *Provider) stillUnknown() string {
	if p == nil || len(p.Unknown) == 0 {
		return "The provider block has not been read."
	}
	return fmt.Sprintf("In the provider block, %s is still unknown.", strings.Join(p.Unknown, ", "))
}
