// Package kinds declares the eNMS instance types in one file for each. A new type is a function that
// returns its table, and a line in all; see "Add an instance type" in CONTRIBUTING.md.
package kinds

import (
	"slices"
	"sync"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// All returns the kinds that the provider offers as resources and data sources. They are shared, and must
// not be changed.
func All() []*kind.Kind { return slices.Clone(all()) }

var all = sync.OnceValue(func() []*kind.Kind {
	own := []*kind.Kind{
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
		store(),
		secret(),
	}
	return append(own, instance(own))
})
