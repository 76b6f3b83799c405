// This file declares the checker of plans, and the defaults of the provider block for the instances of its kind.

package planning

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/reading"
)

// Checker checks plans of the instances of a kind.
type Checker struct{ *reading.Reader }

// CheckDefaultsKnown returns an error if a default for the instances is unknown. Call it during an apply.
func (r *Checker) CheckDefaultsKnown() (diags diag.Diagnostics) {
	if !kind.IsKnown(r.Defaults()) {
		diags.AddError("The provider is not configured",
			"In the provider block, defaults is still unknown. Give it a value that is known before this resource is applied.")
	}
	return diags
}
