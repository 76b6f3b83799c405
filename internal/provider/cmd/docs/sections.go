// This file makes the sections of the pages about the resources and the provider.

package main

import (
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/schemas"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/provider"
)

// sections returns the sections of each resource by its type name, and those of "provider".
func sections() map[string][]schemas.Section {
	all := map[string][]schemas.Section{"provider": provider.Sections()}
	for _, k := range kinds.All() {
		all[k.TypeName()] = schemas.Sections(k)
	}
	return all
}
