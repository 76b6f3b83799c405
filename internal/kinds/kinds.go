// Package kinds declares the eNMS instance types: one file a type, hardly any
// code. CONTRIBUTING.md says what a new one takes.
package kinds

import "github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"

// All are the instance types that the provider offers, as resources and as data
// sources.
func All() []*kind.Kind {
	return []*kind.Kind{
		device(),
		service(),
		task(),
		link(),
		pool(),
		network(),
		credential(),
		user(),
		group(),
		workflowEdge(),
		instance(),
	}
}
