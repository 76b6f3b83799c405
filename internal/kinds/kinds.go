// Package kinds declares the eNMS instance types: one file a type, hardly any
// code. A new one is a file like device.go, a line in All, and an example;
// CONTRIBUTING.md lists what else it may need.
package kinds

import "github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"

// All are the instance types that the provider offers, as resources and as data
// sources.
func All() []*kind.Kind {
	return []*kind.Kind{
		device(),
		service(),
		task(),
	}
}
