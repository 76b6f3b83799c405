// Package kinds declares the eNMS instance types: one file a type, hardly any
// code. A new one is a function that returns its table, and a line in all;
// CONTRIBUTING.md says what else it takes.
package kinds

import (
	"slices"
	"sync"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// All returns the instance types that the provider offers, as resources and as data sources.
// They are made once, and nobody changes them.
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
