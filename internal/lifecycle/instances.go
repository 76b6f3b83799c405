// Package lifecycle creates, reads, changes and deletes instances, whatever their
// kind: it is the resource and the data source behind every kind of package kinds.
package lifecycle

import "github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"

// instances are the instances of a kind in the eNMS of a provider.
type instances struct {
	kind     *kind.Kind
	provider *Provider // nil while Terraform validates
}
