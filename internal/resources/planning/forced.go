// This file plans around the groups that eNMS adds to the readers of an instance by force.

package planning

import (
	"context"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// WithForced returns a configuration with the members of the state that eNMS would add again at each write (kind.Attribute's
// Forced). The state has them if it comes from an import: without them in the configuration, each plan would remove
// them. It asks eNMS, once in a run, only if the state of a list has more members than the configuration.
func (r *Checker) WithForced(ctx context.Context, config, prior kind.Values) (_ kind.Values, diags diag.Diagnostics) {
	for _, a := range r.Kind.Table().Fields {
		configured := config[a.Name]
		if !a.Forced || prior == nil || !r.Provider.Ready() || !a.Includes(prior[a.Name], configured) || a.Same(prior[a.Name], configured) {
			continue
		}
		forced := r.Provider.Lookups.Forced.Get("", func() (found resources.ForcedReaders) {
			found.Names, found.Err = r.Provider.Client.ForcedReaders(ctx)
			return found
		})
		if forced.Err != nil {
			return config, r.Failed(failures.Plan, value.Text(config[kind.RowName]), config, forced.Err)
		}
		isMissing := func(name string) bool {
			return !slices.Contains(forced.Names, name) && !slices.Contains(value.Names(configured), name)
		}
		if !slices.ContainsFunc(value.Names(prior[a.Name]), isMissing) {
			config = maps.Clone(config)
			config[a.Name] = prior[a.Name]
		}
	}
	return config, diags
}
