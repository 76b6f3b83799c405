// This file declares what knows the kind and the provider, and so creates, reads, changes
// and deletes instances: for a resource of one instance (resource.go) and for the entries of
// enms_instances (package bulk) alike.

package lifecycle

import (
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// Instances are the instances of a kind in the eNMS of a provider. Its methods are about one
// instance each; calls that are under way at the same time share requests.
type Instances struct {
	kind     *kind.Kind
	provider *Provider // nil while Terraform validates
	inMany   bool      // they share one resource, enms_instances
	// creation is closed when the creation of the resource that they share is over; nil when
	// it is not being created.
	creation <-chan struct{}
}

// NewEntries returns the instances of a kind that share one resource, enms_instances. The
// provider may be nil while Terraform validates.
func NewEntries(k *kind.Kind, p *Provider) *Instances {
	return &Instances{kind: k, provider: p, inMany: true}
}

// of returns the instances of the type that values are of.
func (r *Instances) of(values kind.Values) *Instances {
	return &Instances{kind: r.kind.For(values), provider: r.provider, inMany: r.inMany}
}

// clientType returns the type of an instance for the client.
func (r *Instances) clientType(values kind.Values) enms.Type {
	return enms.Type{
		Name: r.kind.Path(values), Namespace: r.kind.Namespace,
		NoTimestamps: r.kind.NoTimestamps, CommittedOneByOne: r.kind.CommittedOneByOne,
	}
}
