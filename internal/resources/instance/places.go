// This file writes instances whose place another instance still has, and finds the instance that has the
// place of a new one. A place consists of values that no two instances may share (kind.Kind.Unique):
// eNMS has only one edge with the same workflow, ends and subtype, whatever its name.

package instance

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"golang.org/x/sync/errgroup"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// places writes and finds instances of a kind by their places.
type places struct{ *Instances }

// write sends a write. If another instance has the place, it waits until that instance has left it, and
// sends the write again. eNMS checks uniqueness with every write (enms-rest.md 1.13), and Terraform
// updates resources in any order, so a write may have to wait for another one: edges with count take the
// place of the next one if the first is removed. Instances that exchange their places wait in vain, and
// get the error of eNMS. prior is nil for a creation.
func (r places) write(ctx context.Context, planned, prior kind.Values, send func() error) error {
	if len(r.Kind.Unique) == 0 {
		return send()
	}
	places := &r.Provider.Run.Places
	defer places.Writes.Begin()()
	for free := false; ; {
		since, began := places.Now(), time.Now()
		err := send()
		if !enms.InternalServerError(err) {
			r.leave(prior, err)
			return err
		}
		patience := max(time.Second, 5*time.Since(began)) // longer for a slow server
		switch holder := r.holder(ctx, planned, prior); {
		case holder == "" && !free: // it was left after the refusal
			free = true
		case holder == "", !places.Wait(ctx, holder, since, patience) && r.holder(ctx, planned, prior) != "":
			return err
		default:
			free = false
		}
	}
}

// holder returns the key of another instance that has the planned place, or "" if there is none or the
// request fails.
func (r places) holder(ctx context.Context, planned, prior kind.Values) string {
	rows, err := r.rows(ctx, planned)
	if err != nil || len(rows) == 0 || rows[0][kind.RowName] == value.Text(planned[kind.RowName]) {
		return ""
	}
	if id := fmt.Sprint(rows[0][kind.RowID]); id != value.Text(prior[kind.RowID]) {
		return r.Kind.Name + " " + id
	}
	return ""
}

// rows returns the instances that have the planned place.
func (r places) rows(ctx context.Context, planned kind.Values) ([]enms.Object, error) {
	return r.Provider.Client.Search(ctx, r.Kind.Name, nil, states.UniqueCriteria(r.Kind, planned))
}

// leave wakes the operations that wait for an instance after it was updated or deleted.
func (r places) leave(prior kind.Values, err error) {
	if id := value.Text(prior[kind.RowID]); id != "" && err == nil && len(r.Kind.Unique) > 0 {
		r.Provider.Run.Places.Leave(r.Kind.Name + " " + id)
	}
}

// key returns a text that is different for each place.
func (r places) key(text func(attribute string) string) string {
	var parts []string
	for _, attribute := range r.Kind.Unique {
		parts = append(parts, text(attribute))
	}
	return strings.Join(parts, "\x00")
}

// named returns the planned values with the name of the instance, if the plan does not know it because
// the creation may adopt an instance: the name of the instance that has the planned place, or else the
// one that the kind makes.
func (r places) named(ctx context.Context, config, planned kind.Values) (kind.Values, error) {
	if planned[kind.RowName].IsKnown() || r.Kind.MakeName == nil {
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
	for attribute, made := range plans.New(r.Kind, config, nil, nil, time.Now()).Planned {
		if !planned[attribute].IsKnown() {
			planned[attribute] = made
		}
	}
	return planned, nil
}

// occupant returns the name of the instance that has the planned place, or "". One search, which is made
// once, finds all instances in a container.
func (r places) occupant(ctx context.Context, planned kind.Values) (string, error) {
	if r.Kind.Within == nil || len(r.Kind.Unique) == 0 || !r.Provider.Ready() {
		return "", nil
	}
	for _, attribute := range r.Kind.Unique {
		if v := planned[attribute]; !v.IsKnown() || v.IsNull() {
			return "", nil
		}
	}
	container := value.Text(planned[r.Kind.Within.Relation])
	edges := r.Provider.Lookups.Edges.Get(container, func() resources.EdgesOfWorkflow { return r.edgesOf(ctx, container, planned) })
	return edges.Names[r.key(func(attribute string) string { return value.Text(planned[attribute]) })], edges.Err
}

// edgesOf returns the instances in a container by their places.
func (r places) edgesOf(ctx context.Context, container string, planned kind.Values) (edges resources.EdgesOfWorkflow) {
	rows, err := r.Provider.Client.Search(ctx, r.Kind.Name, states.Columns(r.Kind, planned, false), map[string]any{r.Kind.Within.Relation: []string{container}})
	if err != nil {
		return resources.EdgesOfWorkflow{Err: err}
	}
	answers, naming := make([]value.Object, len(rows)), errgroup.Group{}
	for n, row := range rows {
		naming.Go(func() (err error) {
			if answers[n], err = r.NameRelated(ctx, row); failures.Is[*failures.Unreadable](err) { // an edge without an end is in no place
				return nil
			}
			return err
		})
	}
	if err := naming.Wait(); err != nil {
		return resources.EdgesOfWorkflow{Err: err}
	}
	edges.Names = map[string]string{}
	for _, answer := range answers {
		text := func(attribute string) string { s, _ := answer[attribute].(string); return s }
		edges.Names[r.key(text)] = text(kind.RowName)
	}
	return edges
}
