// This file warns that others have changed an instance, and names the user who wrote it last.

package reading

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// WarnOfAuthor warns if managed attributes of an instance no longer have the values in its state, and names
// the user who wrote the instance last, and when. It returns no warning unless eNMS returns both. The summary
// is the same for all instances, so that Terraform shows one warning. Reads that are under way at the same time
// share the search for authors.
func (r *Reader) WarnOfAuthor(ctx context.Context, before, now kind.Values, managed []string) (diags diag.Diagnostics) {
	if r.Kind.NoTimestamps {
		return nil
	}
	changed := r.changedAttributes(before, now, managed)
	if len(changed) == 0 {
		return nil
	}
	row, _ := r.Provider.Client.FindNow(ctx, r.Kind.Name, value.Text(now[kind.RowName]), []string{"last_modified", "last_modified_by"})
	by, at := endpoint.String(row, "last_modified_by"), endpoint.String(row, "last_modified")
	if by == "" || at == "" { // or the search failed
		return nil
	}
	author := fmt.Sprintf("user %q", by)
	if by == r.Provider.Client.User() {
		author = fmt.Sprintf("Terraform's user %q", by)
	}
	diags.AddWarning("Changed in eNMS since the last apply", fmt.Sprintf("The %s %q was last written by %s at %s, by the clock of eNMS. It differs from the state in %s.",
		r.Kind.Name, value.Text(now[kind.RowName]), author, enms.Seconds(at), strings.Join(changed, ", ")))
	return diags
}

// changedAttributes returns the managed attributes that have another value than in the state, including
// the name.
func (r *Reader) changedAttributes(before, now kind.Values, managed []string) (names []string) {
	if value.Text(before[kind.RowName]) != value.Text(now[kind.RowName]) {
		names = append(names, kind.RowName)
	}
	for _, a := range r.Kind.Table().Content {
		isManaged := slices.ContainsFunc(managed, func(name string) bool {
			return name == a.Name || strings.HasPrefix(name, a.Name+".") // such as properties.color
		})
		if isManaged && !a.Same(before[a.Name], now[a.Name]) {
			names = append(names, a.Name)
		}
	}
	return names
}
