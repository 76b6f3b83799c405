// Package lifecycle creates, reads, changes and deletes instances, whatever their
// kind: it is the resource and the data source behind every kind of package kinds.
package lifecycle

import (
	"fmt"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
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

// instances are the instances of a kind in the eNMS of a provider.
type instances struct {
	kind     *kind.Kind
	provider *Provider // nil while Terraform validates
}

// clientType is the type of an instance as the client is told of it.
func (r *instances) clientType(values kind.Values) enms.Type {
	return enms.Type{
		Name: r.kind.Path(values), Namespace: r.kind.Namespace,
		NoTimestamps: r.kind.NoTimestamps, CommittedOneByOne: r.kind.CommittedOneByOne,
	}
}
