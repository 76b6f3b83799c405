// This file is about instances that are told apart by their place (kind.Place). No two have the same, whatever their
// names, so a write may have to wait until another instance has left its place. Their names, which the provider
// makes, must not be taken; and what they refer to should be in the same container.

package instance

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

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
// updates resources in any order, so a write may have to wait for another one.
func (w *write) writeToPlace(ctx context.Context, send func() error) (err error) {
	if w.kind.Place == nil {
		return send()
	}
	id, places := w.i.instanceKey(w.idBefore()), &w.run.Places
	end := places.Writes.Begin()
	defer end()
	for wasFree := false; ; { // wasFree: the last attempt was refused although nobody had the place
		since, began := places.Now(), time.Now()
		if err = send(); !enms.InternalServerError(err) {
			w.i.leavePlace(w.prior, err)
			return err
		}
		patience := max(time.Second, 5*time.Since(began)) // longer for a slow server
		switch occupant := w.occupantKey(ctx); {
		case occupant == "" && !wasFree: // the place was left after the refusal: once more
			wasFree = true
		case occupant == "" || occupant == ownPlace || occupant == id: // the write was refused for another reason
			return err
		case !places.Await(ctx, w.i.group(), occupant, since, patience) && w.occupantKey(ctx) != "": // nobody will leave it
			return err
		default: // the occupant has left it
			wasFree = false
		}
	}
}

// ownPlace stands for the instance itself as the occupant of its place: eNMS may have stored it although
// it answered 500.
const ownPlace = "own"

// occupantKey returns which instance has the planned place: ownPlace, or the instanceKey of another instance,
// or "" if none has it or the request fails.
func (w *write) occupantKey(ctx context.Context) string {
	rows, err := w.i.RowsAtPlace(ctx, w.planned, nil)
	if err != nil || len(rows) == 0 {
		return ""
	}
	if rows[0][kind.RowName] == w.name() {
		return ownPlace
	}
	return w.i.instanceKey(fmt.Sprint(rows[0][kind.RowID]))
}

// instanceKey returns a key for the instance with an id, which no instance of another kind has. It returns "" for an
// instance that is being created, which has no id.
func (r *Instances) instanceKey(id string) string {
	if id == "" {
		return ""
	}
	return r.Kind.Name + " " + id
}

// leavePlace wakes the operations that wait for an instance after it was updated or deleted.
func (r *Instances) leavePlace(prior kind.Values, err error) {
	if err == nil {
		r.Provider.Run.Places.Leave(r.instanceKey(value.Text(prior[kind.RowID])))
	}
}

// placeKey returns a text that is different for each place. text returns the value of an attribute.
func (w *write) placeKey(text func(attribute string) string) string {
	var parts []string
	for _, attribute := range w.kind.Place.Attributes {
		parts = append(parts, text(attribute))
	}
	return strings.Join(parts, "\x00")
}

// setName sets the name in the plan of an instance whose name the kind makes. If the instance in the planned place may be
// adopted, its name is taken. Otherwise the kind makes the name, and all other values that are still unknown; if adoption is
// allowed, a number is added to a name that an instance in another place has.
func (w *write) setName(ctx context.Context) error {
	if w.planned[kind.RowName].IsKnown() || w.kind.MakeName == nil {
		return nil
	}
	adopts := w.i.Provider.Adopts(w.planned)
	if adopts {
		name, err := w.occupantName(ctx)
		if err != nil {
			return err
		}
		if name != "" {
			w.planned = withName(w.planned, name)
			return nil
		}
	}
	w.planned = maps.Clone(w.planned)
	for attribute, made := range plans.New(w.kind, w.config, nil, nil, time.Now()).Planned {
		if !w.planned[attribute].IsKnown() {
			w.planned[attribute] = made
		}
	}
	if !adopts {
		return nil
	}
	return w.takeFreeName(ctx)
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
	runes := []rune(made)
	return string(runes[:min(len(runes), kind.CommonLength-len(end))]) + end
}

// mayTakeAnotherName reports whether a creation was refused because an instance in another place has kept the name that
// the kind makes.
func (w *write) mayTakeAnotherName(ctx context.Context, refused error) bool {
	exists, taken := errors.AsType[*enms.ExistsError](refused)
	return taken && w.config[kind.RowName].IsNull() && w.isElsewhere(ctx, exists)
}

// takeFreeName plans another name for a creation that may adopt if an instance in another place has the one that the
// kind makes: what has moved to another place, or into another container with it, keeps its name.
func (w *write) takeFreeName(ctx context.Context) error {
	for made, n := w.name(), 2; ; n++ {
		row, err := w.i.FindNamed(ctx, w.name(), states.Columns(w.kind, w.planned))
		isAtPlace := err == nil && w.isAtPlace(func(attribute string) string { text, _ := row[attribute].(string); return text })
		switch {
		case errors.Is(err, enms.ErrNotFound) || isAtPlace:
			return nil
		case err != nil && !failures.Is[*failures.Unreadable](err):
			return err
		}
		w.planned = withName(w.planned, numbered(made, n))
	}
}

// isAtPlace reports whether an instance has the planned place, as far as it is planned: an adoption may leave attributes
// of it out. text returns the value of an attribute of the instance.
func (w *write) isAtPlace(text func(attribute string) string) bool {
	if w.kind.Place == nil {
		return true
	}
	return !slices.ContainsFunc(w.kind.Place.Attributes, func(attribute string) bool {
		planned := w.planned[attribute]
		return planned.IsKnown() && !planned.IsNull() && value.Text(planned) != text(attribute)
	})
}

// occupantName returns the name of the instance that has the planned place, or "". One search, which is made
// once, finds all instances in a container.
func (w *write) occupantName(ctx context.Context) (string, error) {
	if w.kind.Place == nil {
		return "", nil
	}
	for _, attribute := range w.kind.Place.Attributes {
		if v := w.planned[attribute]; !v.IsKnown() || v.IsNull() {
			return "", nil
		}
	}
	container := value.Text(w.planned[w.kind.Place.Container])
	found := w.i.Provider.Lookups.Places.Get(container, func() resources.Places { return w.placesIn(ctx, container) })
	return found.Names[w.placeKey(func(attribute string) string { return value.Text(w.planned[attribute]) })], found.Err
}

// placesIn returns the instances in a container by their places.
func (w *write) placesIn(ctx context.Context, container string) (found resources.Places) {
	rows, err := w.client.Search(ctx, w.kind.Name, states.Columns(w.kind, w.planned), map[string]any{w.kind.Place.Container: []string{container}})
	if err != nil {
		return resources.Places{Err: err}
	}
	answers, err := resources.Each(ctx, rows, func(ctx context.Context, row enms.Object) (value.Object, error) {
		answer, err := w.i.NameRelated(ctx, row)
		if failures.Is[*failures.Unreadable](err) {
			return nil, nil // without one of these relations, an instance has no place
		}
		return answer, err
	})
	if err != nil {
		return resources.Places{Err: err}
	}
	found.Names = map[string]string{}
	for _, answer := range slices.DeleteFunc(answers, func(answer value.Object) bool { return answer == nil }) {
		text := func(attribute string) string { s, _ := answer[attribute].(string); return s }
		found.Names[w.placeKey(text)] = text(kind.RowName)
	}
	return found
}

// checkEnds warns if a write has set relations to instances outside the container.
func (w *write) checkEnds(ctx context.Context) (diags diag.Diagnostics) {
	place := w.kind.Place
	if place == nil {
		return nil
	}
	container := value.Text(w.planned[place.Container])
	for _, row := range place.Ends {
		member := value.Text(w.planned[row])
		same := w.planned[row].Equal(w.prior[row]) && w.planned[place.Container].Equal(w.prior[place.Container])
		if container == "" || member == "" || same || w.isMember(ctx, container, member) {
			continue
		}
		diags.Append(place.Outside(row, container, member))
	}
	return diags
}

// isMember reports whether an instance is a member of a container. It returns true if a request fails.
// One search finds all members of a container. A member that the search does not find may be hidden from
// this user, or unknown to a worker, so a GET of it decides.
func (w *write) isMember(ctx context.Context, container, member string) (is bool) {
	place := w.kind.Place
	if is, known := place.Named(container, member); known {
		return is
	}
	members := w.i.Provider.Lookups.Members.Get(container, func() map[string]bool {
		criteria := maps.Clone(place.Search)
		criteria[place.Field] = []string{container}
		rows, err := w.client.Search(ctx, place.Of, nil, criteria)
		if err != nil {
			return nil
		}
		names := map[string]bool{}
		for _, row := range rows {
			if name, is := row[kind.RowName].(string); is {
				names[name] = true
			}
		}
		return names
	})
	if members == nil || members[member] {
		return true
	}
	read := func() (enms.Object, error) { return w.client.Get(ctx, place.Of, member) }
	_, err := enms.Until(ctx, read, func(answer value.Object) bool {
		containers, _ := answer[place.Field].([]any)
		is = slices.Contains(containers, any(container))
		return is
	})
	return is || err != nil
}
