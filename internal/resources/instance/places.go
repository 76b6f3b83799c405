// This file writes instances whose place another instance still has, and finds the instance that has the
// place of a new one. A place consists of values that no two instances may share (kind.Kind.Unique):
// eNMS has only one edge with the same workflow, ends and subtype, whatever its name.

package instance

import (
	"context"
	"errors"
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

// writeToPlace sends a write. If another instance has the place, it waits until that instance has left it, and
// sends the write again. eNMS checks uniqueness with every write (enms-rest.md 1.13), and Terraform
// updates resources in any order, so a write may have to wait for another one. prior is nil for a creation.
func (r *Instances) writeToPlace(ctx context.Context, planned, prior kind.Values, send func() error) (err error) {
	if len(r.Kind.Unique) == 0 {
		return send()
	}
	id, places := r.instanceKey(value.Text(prior[kind.RowID])), &r.Provider.Run.Places
	end := places.Writes.Begin()
	defer end()
	for wasFree := false; ; { // wasFree: the last attempt was refused although nobody had the place
		since, began := places.Now(), time.Now()
		if err = send(); !enms.InternalServerError(err) {
			r.leavePlace(prior, err)
			return err
		}
		patience := max(time.Second, 5*time.Since(began)) // longer for a slow server
		switch holder := r.holderOfPlace(ctx, planned); {
		case holder == "" && !wasFree: // the place was left after the refusal: once more
			wasFree = true
		case holder == "" || holder == ownPlace || holder == id: // the write was refused for another reason
			return err
		case !places.Await(ctx, holder, since, patience) && r.holderOfPlace(ctx, planned) != "": // nobody will leave it
			return err
		default: // the holder has left the place
			wasFree = false
		}
	}
}

// ownPlace stands for the instance itself as the holder of its place: eNMS may have stored it although
// it answered 500.
const ownPlace = "own"

// holderOfPlace returns which instance has the planned place: ownPlace, or the instanceKey of another instance,
// or "" if none has it or the request fails.
func (r *Instances) holderOfPlace(ctx context.Context, planned kind.Values) string {
	rows, err := r.RowsAtPlace(ctx, planned, nil)
	if err != nil || len(rows) == 0 {
		return ""
	}
	if rows[0][kind.RowName] == value.Text(planned[kind.RowName]) {
		return ownPlace
	}
	return r.instanceKey(fmt.Sprint(rows[0][kind.RowID]))
}

// instanceKey returns a key for the instance with an id that is unique among all kinds, or "" if id is, because the
// instance is being created.
func (r *Instances) instanceKey(id string) string {
	if id == "" {
		return ""
	}
	return r.Kind.Name + " " + id
}

// leavePlace wakes the operations that wait for an instance after it was updated or deleted.
func (r *Instances) leavePlace(prior kind.Values, err error) {
	if id := value.Text(prior[kind.RowID]); id != "" && err == nil && len(r.Kind.Unique) > 0 {
		r.Provider.Run.Places.Leave(r.instanceKey(id))
	}
}

// placeKey returns a text that is different for each place. text returns the value of an attribute.
func (r *Instances) placeKey(text func(attribute string) string) string {
	var parts []string
	for _, attribute := range r.Kind.Unique {
		parts = append(parts, text(attribute))
	}
	return strings.Join(parts, "\x00")
}

// withFinalName returns the planned values with the name of an instance whose name the kind makes, and with it all
// other values that were unknown: the name of the instance that is in the planned place, if it may be adopted, or
// else the one that the kind makes.
func (r *Instances) withFinalName(ctx context.Context, config, planned kind.Values) (kind.Values, error) {
	if planned[kind.RowName].IsKnown() || r.Kind.MakeName == nil {
		return planned, nil
	}
	adopts := r.Provider.Adopts(planned)
	if adopts {
		name, err := r.occupant(ctx, planned)
		if err != nil {
			return planned, err
		}
		if name != "" {
			return withName(planned, name), nil
		}
	}
	planned = maps.Clone(planned)
	for attribute, made := range plans.New(r.Kind, config, nil, nil, time.Now()).Planned {
		if !planned[attribute].IsKnown() {
			planned[attribute] = made
		}
	}
	if !adopts {
		return planned, nil
	}
	return r.withFreeName(ctx, planned)
}

// withName returns values with a name.
func withName(values kind.Values, name string) kind.Values {
	named := maps.Clone(values)
	named[kind.RowName] = tftypes.NewValue(tftypes.String, name)
	return named
}

// numbered returns the nth name after one that the kind has made, which it shortens if the name would be too long.
func numbered(made string, n int) string {
	end := fmt.Sprintf(" %d", n)
	if runes := []rune(made); len(runes)+len(end) > kind.CommonLength {
		made = string(runes[:kind.CommonLength-len(end)])
	}
	return made + end
}

// mayTakeAnotherName reports whether a creation was refused because an instance in another place has kept the name that
// the kind makes.
func (r *Instances) mayTakeAnotherName(ctx context.Context, config, planned kind.Values, refused error) bool {
	exists, taken := errors.AsType[*enms.ExistsError](refused)
	return taken && r.Kind.MakeName != nil && config[kind.RowName].IsNull() && r.isElsewhere(ctx, exists, planned)
}

// withFreeName returns the planned values of a creation that may adopt with another name if an instance in another
// container has the one that the kind makes: the edges of a renamed workflow keep theirs.
func (r *Instances) withFreeName(ctx context.Context, planned kind.Values) (kind.Values, error) {
	if r.Kind.Within == nil {
		return planned, nil
	}
	made, container := value.Text(planned[kind.RowName]), r.Kind.Within.Relation
	for n := 2; ; n++ {
		row, err := r.FindNamed(ctx, value.Text(planned[kind.RowName]), states.Columns(r.Kind, planned, false))
		switch {
		case errors.Is(err, enms.ErrNotFound) || err == nil && row[container] == value.Text(planned[container]):
			return planned, nil
		case err != nil && !failures.Is[*failures.Unreadable](err):
			return planned, err
		}
		planned = withName(planned, numbered(made, n))
	}
}

// occupant returns the name of the instance that has the planned place, or "". One search, which is made
// once, finds all instances in a container.
func (r *Instances) occupant(ctx context.Context, planned kind.Values) (string, error) {
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
	return edges.Names[r.placeKey(func(attribute string) string { return value.Text(planned[attribute]) })], edges.Err
}

// edgesOf returns the instances in a container by their places.
func (r *Instances) edgesOf(ctx context.Context, container string, planned kind.Values) (edges resources.EdgesOfWorkflow) {
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
		edges.Names[r.placeKey(text)] = text(kind.RowName)
	}
	return edges
}
