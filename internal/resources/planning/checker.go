// This file is the checker of plans, and the defaults that its instances have from the provider block.

package planning

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/reading"
)

// Checker checks plans of the instances of a kind.
type Checker struct{ *reading.Reader }

// Defaults returns the provider's defaults for the instances.
func (r *Checker) Defaults() kind.Values {
	return r.Provider.Defaults[r.Kind.Resource()]
}

// CheckDefaultsKnown returns an error if a default for the instances is unknown although something is
// applied.
func (r *Checker) CheckDefaultsKnown() (diags diag.Diagnostics) {
	if !kind.IsKnown(r.Defaults()) {
		diags.AddError("The provider is not configured",
			"In the provider block, defaults is still unknown. Give it a value that is known before this resource is applied.")
	}
	return diags
}
