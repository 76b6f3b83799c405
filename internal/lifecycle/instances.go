// This file declares what knows the kind and the provider, and so creates, reads, changes
// and deletes instances.

package lifecycle

import (
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// instances are the instances of a kind in the eNMS of a provider. Its methods, in the
// other files, are about one of them each.
type instances struct {
	kind     *kind.Kind
	provider *Provider // nil while Terraform validates
	inMany   bool      // they share one resource, enms_instances
	// creation is closed when the creation of the resource that they share is over; nil when
	// it is not being created.
	creation <-chan struct{}
}

// of are the instances of the type that values are of.
func (r *instances) of(values kind.Values) *instances {
	return &instances{kind: r.kind.For(values), provider: r.provider, inMany: r.inMany}
}

// clientType is the type of an instance for the client.
func (r *instances) clientType(values kind.Values) enms.Type {
	return enms.Type{
		Name: r.kind.Path(values), Namespace: r.kind.Namespace,
		NoTimestamps: r.kind.NoTimestamps, CommittedOneByOne: r.kind.CommittedOneByOne,
	}
}
