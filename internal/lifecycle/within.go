// This file warns, after a write, of relations to what should be a member of something and is
// none, where names do not tell the plan.

package lifecycle

import (
	"context"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// checkWithin warns of relations that a write has set and that lead outside.
func (r *Instances) checkWithin(ctx context.Context, planned, prior kind.Values) (diags diag.Diagnostics) {
	within := r.kind.Within
	if within == nil {
		return nil
	}
	container := value.Text(planned[within.Relation])
	for _, row := range within.Members {
		member := value.Text(planned[row])
		same := prior != nil && planned[row].Equal(prior[row]) && planned[within.Relation].Equal(prior[within.Relation])
		if container == "" || member == "" || same || r.isMember(ctx, container, member) {
			continue
		}
		diags.AddAttributeWarning(path.Root(row), "A service is not in the workflow", within.Problem(container, member))
	}
	return diags
}

// isMember reports whether an instance is a member of a container, also when eNMS cannot be
// asked. One search finds all members of a container; a member that it does not find may be
// one that this user does not see, or that a worker did not see yet.
func (r *Instances) isMember(ctx context.Context, container, member string) (is bool) {
	within := r.kind.Within
	if is, known := within.Named(container, member); known {
		return is
	}
	list := r.provider.members.list(container)
	list.mu.Lock()
	defer list.mu.Unlock()
	if is, asked := list.names[member]; asked {
		return is
	}
	criteria := maps.Clone(within.Search)
	criteria[within.Field] = []string{container}
	rows, err := r.provider.Client.Search(ctx, within.Of, nil, criteria)
	for _, row := range rows {
		if name, is := row[kind.RowName].(string); is {
			list.names[name] = true
		}
	}
	if err != nil || list.names[member] {
		return true
	}
	_, err = r.provider.Client.GetUntil(ctx, within.Of, member, func(answer value.Object) bool {
		containers, _ := answer[within.Field].([]any)
		is = slices.Contains(containers, any(container))
		return is
	})
	is = is || err != nil
	list.names[member] = is
	return is
}
