// This file writes instances whose unique values another instance still has and is about to
// give up in the same run. eNMS checks uniqueness with every write (enms-rest.md 1.13), and
// Terraform updates resources in any order, so a write may have to wait for another one. If
// instances wait for each other in a circle, one of them gets a temporary value. The values
// together are called a place.

package lifecycle

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// intoPlace sends a write, and sends it again after the instance that has its place has left
// it. prior is nil for a creation.
func (r *Instances) intoPlace(ctx context.Context, payload value.Object, planned, prior kind.Values, send func(payload value.Object) error) error {
	if len(r.kind.Unique) == 0 {
		return send(payload)
	}
	id, places, aside, free := r.placeID(prior), &r.provider.places, false, 0
	defer places.write()()
	for {
		since, began := places.now(), time.Now()
		err := send(payload)
		patience := max(time.Second, 5*time.Since(began)) // a slow server is given more time
		if !enms.InternalServerError(err) {
			r.leavePlace(prior, err)
			return err
		}
		switch holder := r.holderOfPlace(ctx, planned); {
		case holder == "" && free < mostFree: // it has left after the answer, as far as one can see
			free++
		case holder == "" || holder == ownPlace || holder == id:
			return r.backIntoPlace(ctx, prior, aside, err)
		case !aside && places.begin(id, holder):
			if failed := r.provider.Client.Upsert(ctx, r.clientType(prior), r.exchanged(prior, asidePrefix+id)); failed != nil {
				return err
			}
			payload, aside, free = maps.Clone(payload), true, 0
			payload[r.kind.Exchange] = value.Text(planned[r.kind.Exchange])
			places.leave(id)
		case !places.wait(ctx, id, holder, since, patience) && r.holderOfPlace(ctx, planned) != "":
			return r.backIntoPlace(ctx, prior, aside, err)
		default:
			free = 0
		}
	}
}

// mostFree is how often a write is repeated that eNMS refused although no instance has its
// place.
const mostFree = 1

// ownPlace stands for the instance itself: eNMS may have stored a write that it answered with
// 500.
const ownPlace = "own"

// holderOfPlace returns which instance has the planned place: ownPlace, or the id of another
// instance, or "" if none has it or eNMS cannot be asked.
func (r *Instances) holderOfPlace(ctx context.Context, planned kind.Values) string {
	rows, err := r.inPlace(ctx, planned)
	if err != nil || len(rows) == 0 {
		return ""
	}
	if rows[0][kind.RowName] == value.Text(planned[kind.RowName]) {
		return ownPlace
	}
	return fmt.Sprintf("%s %v", r.kind.Name, rows[0][kind.RowID])
}

// inPlace returns the instances that have the planned place.
func (r *Instances) inPlace(ctx context.Context, planned kind.Values) ([]enms.Object, error) {
	return r.provider.Client.Search(ctx, r.kind.Name, nil, r.kind.UniqueCriteria(planned))
}

// placeID returns an id of the instance that is unique among all kinds, or "" if it is being
// created.
func (r *Instances) placeID(state kind.Values) string {
	if id := value.Text(state[kind.RowID]); id != "" {
		return r.kind.Name + " " + id
	}
	return ""
}

// leavePlace wakes those that wait for an instance, after it was updated or deleted.
func (r *Instances) leavePlace(prior kind.Values, err error) {
	if id := r.placeID(prior); id != "" && err == nil && len(r.kind.Unique) > 0 {
		r.provider.places.leave(id)
	}
}

// asidePrefix is the prefix of a temporary value. If the process ends before the instance has
// its place, the next plan restores the right value.
const asidePrefix = "moving "

// exchanged returns the payload that gives an instance another place by its attribute
// Exchange.
func (r *Instances) exchanged(prior kind.Values, text string) value.Object {
	return value.Object{kind.RowName: value.Text(prior[kind.RowName]), r.kind.Exchange: text}
}

// backIntoPlace restores the place of an instance that had a temporary value in vain, if the
// place is free. It returns the cause.
func (r *Instances) backIntoPlace(ctx context.Context, prior kind.Values, aside bool, cause error) error {
	if aside {
		_ = r.provider.Client.Upsert(context.WithoutCancel(ctx), r.clientType(prior), r.exchanged(prior, value.Text(prior[r.kind.Exchange])))
	}
	return cause
}
