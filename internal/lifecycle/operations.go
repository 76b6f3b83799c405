// This file coordinates the operations of one run that affect each other. No two resources act on
// the same object: whatever creates, adopts, updates or deletes calls begin and note. Writes wait for
// a place, that is, for values that another instance still has; and a workflow is not renamed while
// operations use names that begin with its own. What the operations know of each other is in
// run_objects.go.

package lifecycle

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// begin records that an operation on the objects with these names is in progress, see
// ownership.begin.
func (r *Instances) begin(ctx context.Context, of applying.Operation, names ...string) (end func(), err error) {
	r.provider.Run.Plans.StartApply()
	return r.provider.Run.Owners.Begin(ctx, of, r.kind.Namespace, names...)
}

// BeginCreation records that the resource of all entries is being created. Until end is
// called, it is undecided whether it keeps the instances that it adopts, and no other resource
// deletes them.
func (r *Instances) BeginCreation() (end func()) {
	decided := make(chan struct{})
	r.creation = decided
	return func() { close(decided) }
}

// Release records that the resource does not keep an instance that it has adopted.
func (r *Instances) Release(name, id string) {
	r.provider.Run.Owners.Set(r.kind.Namespace, applying.Object{Names: []string{name}, ID: id, Status: applying.Released, Kind: r.kind.Name, Owner: r})
}

// note records what became of the object of a state. was is its previous name, or "".
func (r *Instances) note(status applying.Status, state kind.Values, was string) {
	r.noteObject(state, was, applying.Object{Status: status})
}

// noteObject is note with what else this run knows of the object.
func (r *Instances) noteObject(state kind.Values, was string, object applying.Object) {
	object.Names, object.ID, object.Kind, object.Owner = []string{value.Text(state[kind.RowName])}, value.Text(state[kind.RowID]), r.kind.Name, r
	if was != "" && was != object.Names[0] {
		object.Names = append(object.Names, was)
	}
	switch object.Status {
	case applying.Abandoned:
		object.State = state
	case applying.Owned:
		object.Settled = r.creation
	}
	r.provider.Run.Owners.Set(r.kind.Namespace, object)
}

// known returns what this run did last with the object with a name and an id, or nil.
func (r *Instances) known(name, id string) *applying.Object {
	return r.provider.Run.Owners.Find(r.kind.Namespace, name, id)
}

// replaced returns an instance that was deleted in this run, if one of the same kind is created in
// its place, and otherwise the zero value.
func (r *Instances) replaced(name string) applying.Object {
	known := r.known(name, "")
	if known == nil || known.Status != applying.Deleted || known.Kind != r.kind.Name {
		return applying.Object{}
	}
	return *known
}

// heldByAnother reports whether another resource has created, adopted or updated an object
// in this process.
func (r *Instances) heldByAnother(name, id string) bool {
	known := r.known(name, id)
	return known != nil && known.Status == applying.Owned && known.Owner != r
}

// leftToAnother reports whether an object that is to be deleted now belongs to another resource,
// which created, adopted or updated it. It waits until that is certain. If the other resource
// adopted the object but does not keep it, the error is an *ownedError: the next apply will adopt
// it again, so it must not be deleted now.
func (r *Instances) leftToAnother(ctx context.Context, policy, name, id string) (held bool, err error) {
	known := r.known(name, id)
	if known == nil || known.Owner == r || policy == kind.PolicyAbandon {
		return r.heldByAnother(name, id), nil
	}
	if known.Settled != nil {
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-known.Settled:
		}
	}
	if now := r.known(name, id); now != nil && now.Status == applying.Released {
		return false, &ownedError{of: r.kind.Name, id: id, status: applying.Released}
	}
	return r.heldByAnother(name, id), nil
}

// checkOwner returns an error if another resource of this run still has the object.
func (r *Instances) checkOwner(name, id string) error {
	known := r.known(name, id)
	if known == nil || known.Owner == r || known.Status != applying.Owned && known.Status != applying.Undeleted {
		return nil
	}
	return &ownedError{of: r.kind.Name, id: id, status: known.Status}
}

// checkUpdate returns an error if another resource of this run has the object, or has deleted
// it.
func (r *Instances) checkUpdate(name, id string) error {
	if known := r.known(name, id); known != nil && known.Owner != r && known.Status == applying.Deleted {
		return &ownedError{of: r.kind.Name, id: id, status: known.Status}
	}
	return r.checkOwner(name, id)
}

// intoPlace sends a write, and sends it again after the instance that has its place has left
// it. eNMS checks uniqueness with every write (enms-rest.md 1.13), and Terraform updates resources
// in any order, so a write may have to wait for another one. If instances wait for each other in
// a circle, one of them gets a temporary value. prior is nil for a creation.
func (r *Instances) intoPlace(ctx context.Context, payload value.Object, planned, prior kind.Values, send func(payload value.Object) error) error {
	if len(r.kind.Unique) == 0 {
		return send(payload)
	}
	id, places, aside, free := r.placeID(prior), &r.provider.Run.Places, false, 0
	defer places.Writes.Begin()()
	for {
		since, began := places.Now(), time.Now()
		err := send(payload)
		patience := max(time.Second, 5*time.Since(began)) // longer for a slow server
		if !enms.InternalServerError(err) {
			r.leavePlace(prior, err)
			return r.backIntoPlace(ctx, prior, aside && err != nil, err)
		}
		switch holder := r.holderOfPlace(ctx, planned); {
		case holder == "" && free < mostFree: // no instance has the place any longer: it must have been left after the refusal
			free++
		case holder == "" || holder == ownPlace || holder == id:
			return r.backIntoPlace(ctx, prior, aside, err)
		case !aside && places.Begin(id, holder):
			if failed := r.provider.Client.Upsert(ctx, r.clientType(prior), r.exchanged(prior, asidePrefix+id)); failed != nil {
				return err
			}
			payload, aside, free = maps.Clone(payload), true, 0
			payload[r.kind.Exchange] = value.Text(planned[r.kind.Exchange])
			places.Leave(id)
		case !places.Wait(ctx, id, holder, since, patience) && r.holderOfPlace(ctx, planned) != "":
			return r.backIntoPlace(ctx, prior, aside, err)
		default:
			free = 0
		}
	}
}

// mostFree is how often a refused write is repeated although no instance has its place.
const mostFree = 1

// ownPlace stands for the instance itself, which eNMS may have stored although it answered 500.
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
	return r.provider.Client.Search(ctx, r.kind.Name, nil, states.UniqueCriteria(r.kind, planned))
}

// placeID returns a key for the instance that is unique among all kinds, or "" if it is being
// created.
func (r *Instances) placeID(state kind.Values) string {
	if id := value.Text(state[kind.RowID]); id != "" {
		return r.kind.Name + " " + id
	}
	return ""
}

// leavePlace wakes the operations that wait for an instance after it was updated or deleted.
func (r *Instances) leavePlace(prior kind.Values, err error) {
	if id := r.placeID(prior); id != "" && err == nil && len(r.kind.Unique) > 0 {
		r.provider.Run.Places.Leave(id)
	}
}

// asidePrefix is the prefix of a temporary value. If the process ends before the instance has
// its place, the next plan restores the right value.
const asidePrefix = "moving "

// exchanged returns the payload that gives an instance another place: it sets the attribute
// kind.Kind.Exchange.
func (r *Instances) exchanged(prior kind.Values, text string) value.Object {
	return value.Object{kind.RowName: value.Text(prior[kind.RowName]), r.kind.Exchange: text}
}

// backIntoPlace restores the place of an instance that has a temporary value after its write
// failed, if the place is free. It returns the cause.
func (r *Instances) backIntoPlace(ctx context.Context, prior kind.Values, aside bool, cause error) error {
	if aside {
		ctx, done := r.provider.Client.WithGrace(ctx)
		defer done()
		_ = r.provider.Client.Upsert(ctx, r.clientType(prior), r.exchanged(prior, value.Text(prior[r.kind.Exchange])))
	}
	return cause
}

// holdName keeps other operations from changing the name of an instance, as the state has it,
// until release is called: Terraform may rename a workflow while it moves a service out of it.
// With rename, no other operation meanwhile uses a name that begins with it. To avoid deadlocks,
// locks are taken from the outermost name inwards, and before other operations can wait for the
// rename (beginRename).
func (r *Instances) holdName(name string, rename bool) (release func()) {
	if r.kind.Scope == nil {
		return func() {}
	}
	renamed := ""
	if rename {
		renamed = name
	}
	return r.provider.Run.Names.Hold(relate.Scopes(r.kind, name), renamed)
}

// NameNow returns the current name of an instance, if only this client has renamed anything since
// its state was read.
func (r *Instances) NameNow(name string) string {
	if len(relate.Scopes(r.kind, name)) == 0 || !r.provider.Ready() {
		return name
	}
	for _, rename := range r.provider.Client.Renames(r.kind.Scope.Type) {
		name = relate.Renamed(r.kind, name, rename.From, rename.To)
	}
	return name
}

// findByIDAfterRenames reads the instance of a state by its id. It asks again while the answer
// has the old name although this client has changed it (enms-rest.md 10.2).
func (r *Instances) findByIDAfterRenames(ctx context.Context, state kind.Values) (answer value.Object, err error) {
	before := value.Text(state[kind.RowName])
	expected := r.NameNow(before)
	return r.provider.Client.FindByIDUntil(ctx, r.kind.Name, value.Text(state[kind.RowID]), func(answer value.Object) bool {
		return expected == before || answer[kind.RowName] != before
	})
}

// followScope returns the state of an instance with its current name, after this client has
// renamed the workflow that its name begins with.
func (r *Instances) followScope(ctx context.Context, state kind.Values) kind.Values {
	expected := r.NameNow(value.Text(state[kind.RowName]))
	if expected == value.Text(state[kind.RowName]) {
		return state
	}
	if value.Text(state[kind.RowID]) != "" { // the id of a tainted instance may be unknown
		answer, err := r.findByIDAfterRenames(ctx, state)
		if err != nil || answer[kind.RowName] != expected {
			return state // an operation that uses the name will report the error
		}
	}
	followed := maps.Clone(state)
	followed[kind.RowName] = tftypes.NewValue(tftypes.String, expected)
	return followed
}
