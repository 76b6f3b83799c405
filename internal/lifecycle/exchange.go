// This file writes instances into places that others of the same process are about to
// leave. eNMS holds each write to what is unique (enms-rest.md 1.13), and Terraform changes
// in any order, so that a write may have to wait for another one; of a circle, one instance
// steps aside.

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

// intoPlace sends a write, and sends it again when another instance has left the place that
// it needs. prior is nil for a creation.
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

// mostFree is how often a write is sent again that eNMS refused although nobody has the
// place that it needs.
const mostFree = 1

// ownPlace stands for the instance itself: a write that eNMS has answered with 500 may
// have landed.
const ownPlace = "own"

// holderOfPlace returns which instance has the planned values that no two may share:
// ownPlace, or the id of another one, or "" when none has them or eNMS cannot be asked.
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

// inPlace returns the instances that have the planned values which no two may share.
func (r *Instances) inPlace(ctx context.Context, planned kind.Values) ([]enms.Object, error) {
	return r.provider.Client.Search(ctx, r.kind.Name, nil, r.kind.UniqueCriteria(planned))
}

// placeID returns the id of an instance among those of all kinds, "" of one that is created.
func (r *Instances) placeID(state kind.Values) string {
	if id := value.Text(state[kind.RowID]); id != "" {
		return r.kind.Name + " " + id
	}
	return ""
}

// leavePlace tells those that wait for an instance that it was changed or deleted.
func (r *Instances) leavePlace(prior kind.Values, err error) {
	if id := r.placeID(prior); id != "" && err == nil && len(r.kind.Unique) > 0 {
		r.provider.places.leave(id)
	}
}

// asidePrefix begins the value that an instance has while it stands aside. Where the
// process ends before it has its place, the next plan gives it the right value again.
const asidePrefix = "moving "

// exchanged returns the payload that gives an instance another value of those that no two may
// share.
func (r *Instances) exchanged(prior kind.Values, text string) value.Object {
	return value.Object{kind.RowName: value.Text(prior[kind.RowName]), r.kind.Exchange: text}
}

// backIntoPlace gives an instance that stood aside in vain its place back, as far as that is
// free, and returns the cause.
func (r *Instances) backIntoPlace(ctx context.Context, prior kind.Values, aside bool, cause error) error {
	if aside {
		_ = r.provider.Client.Upsert(context.WithoutCancel(ctx), r.clientType(prior), r.exchanged(prior, value.Text(prior[r.kind.Exchange])))
	}
	return cause
}
