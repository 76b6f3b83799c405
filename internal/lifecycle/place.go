// This file finds the instance that has the place of a new one: eNMS has one edge of the same
// workflow, ends and subtype only, whatever its name. A creation that may adopt adopts that one.

package lifecycle

import (
	"context"
	"maps"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"golang.org/x/sync/errgroup"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// placeOf returns what tells the place of an instance from all others.
func (r *Instances) placeOf(text func(attribute string) string) string {
	var parts []string
	for _, attribute := range r.kind.Unique {
		parts = append(parts, text(attribute))
	}
	return strings.Join(parts, "\x00")
}

// named returns what is planned with the name of the instance, where that is unknown because
// the creation may adopt one: the name of the instance that has the planned place, or else the
// one that the kind makes.
func (r *Instances) named(ctx context.Context, config, planned kind.Values) (kind.Values, error) {
	if planned[kind.RowName].IsKnown() || r.kind.MakeName == nil {
		return planned, nil
	}
	name, err := r.occupant(ctx, planned)
	if err != nil {
		return planned, err
	}
	planned = maps.Clone(planned)
	if name != "" {
		planned[kind.RowName] = tftypes.NewValue(tftypes.String, name)
		return planned, nil
	}
	for attribute, made := range plans.New(r.kind, config, nil, nil, time.Now()).Planned {
		if !planned[attribute].IsKnown() {
			planned[attribute] = made
		}
	}
	return planned, nil
}

// occupant returns the name of the instance that has the planned place, or "". One search finds
// all instances in a container.
func (r *Instances) occupant(ctx context.Context, planned kind.Values) (string, error) {
	if r.kind.Within == nil || len(r.kind.Unique) == 0 || !r.provider.Ready() {
		return "", nil
	}
	for _, attribute := range r.kind.Unique {
		if v := planned[attribute]; !v.IsKnown() || v.IsNull() {
			return "", nil
		}
	}
	container := value.Text(planned[r.kind.Within.Relation])
	edges := r.provider.edges.get(container, func() edgesOfWorkflow { return r.edgesOf(ctx, container, planned) })
	return edges.names[r.placeOf(func(attribute string) string { return value.Text(planned[attribute]) })], edges.err
}

// edgesOf returns the instances in a container by their places.
func (r *Instances) edgesOf(ctx context.Context, container string, planned kind.Values) (edges edgesOfWorkflow) {
	rows, err := r.provider.Client.Search(ctx, r.kind.Name, states.Columns(r.kind, planned, false), map[string]any{r.kind.Within.Relation: []string{container}})
	if err != nil {
		return edgesOfWorkflow{err: err}
	}
	answers, naming := make([]value.Object, len(rows)), errgroup.Group{}
	for n, row := range rows {
		naming.Go(func() (err error) {
			if answers[n], err = r.nameRelated(ctx, row); is[*unreadableError](err) { // an edge without an end is in no place
				return nil
			}
			return err
		})
	}
	if err := naming.Wait(); err != nil {
		return edgesOfWorkflow{err: err}
	}
	edges.names = map[string]string{}
	for _, answer := range answers {
		text := func(attribute string) string { s, _ := answer[attribute].(string); return s }
		edges.names[r.placeOf(text)] = text(kind.RowName)
	}
	return edges
}
