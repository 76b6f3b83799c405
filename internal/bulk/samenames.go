// This file refuses entries whose names the database of eNMS holds for the same, before
// anything is written: eNMS would create one of them and refuse the other.

package bulk

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// checkNames looks for entries that cannot exist beside each other in this eNMS.
func (c *collection) checkNames(ctx context.Context, entries map[string]entry) (diags diag.Diagnostics) {
	same := c.instances.SameNames(ctx, slices.Collect(maps.Keys(entries)))
	for _, name := range sorted(same) {
		var found diag.Diagnostics
		found.AddAttributeError(path.Root(kind.RowName), "Two entries have the same name",
			fmt.Sprintf("The database of this eNMS takes %q and %q for the same name: it ignores case, accents or blanks at the end. Choose another key for one of them.", same[name], name))
		diags.Append(ofEntry(name, found)...)
	}
	return diags
}
