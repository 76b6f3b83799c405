// Package lifecycle is the resource and the data source behind every kind.
package lifecycle

import (
	"fmt"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// Provider is the configured provider as resources and data sources see it.
type Provider struct {
	Client         *enms.Client // nil while a setting of the provider block is unknown
	Unknown        []string     // the settings that are unknown
	AdoptExisting  bool         // the default of the resources' adopt_existing
	DeletionPolicy string       // the default of the resources' deletion_policy
}

// ready tells whether there is a client.
func (p *Provider) ready() bool { return p != nil && p.Client != nil }

// stillUnknown tells why there is no client.
func (p *Provider) stillUnknown() string {
	if p == nil || len(p.Unknown) == 0 {
		return "The provider block has not been read."
	}
	return fmt.Sprintf("In the provider block, %s is still unknown.", strings.Join(p.Unknown, ", "))
}

// instances are the instances of a kind in the eNMS of a provider.
type instances struct {
	kind     *kind.Kind
	provider *Provider // nil while Terraform validates
}
