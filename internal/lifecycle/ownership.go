// This file makes sure that no two resources of one run act on the same object
// (run_objects.go): whatever creates, adopts, updates or deletes passes through begin and note.

package lifecycle

import (
	"context"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// begin records that an operation on the objects with these names is in progress, see
// ownership.begin.
func (r *Instances) begin(ctx context.Context, of operationKind, names ...string) (end func(), err error) {
	r.provider.planned.apply()
	return r.provider.objects.begin(ctx, of, r.kind.Namespace, names...)
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
	r.provider.objects.set(r.kind.Namespace, object{names: []string{name}, id: id, fate: fateReleased, kind: r.kind.Name, holder: r})
}

// note records what became of the object of a state. was is its previous name, or "".
func (r *Instances) note(became fate, state kind.Values, was string) {
	r.noteReferring(became, state, was, kind.Referring{})
}

// noteReferring is note for a deleted object, with the instances that referred to it.
func (r *Instances) noteReferring(became fate, state kind.Values, was string, referring kind.Referring) {
	is := object{names: []string{value.Text(state[kind.RowName])}, id: value.Text(state[kind.RowID]), fate: became, kind: r.kind.Name, holder: r, referring: referring}
	if was != "" && was != is.names[0] {
		is.names = append(is.names, was)
	}
	if became == fateLeft {
		is.state = state
	}
	if became == fateHeld {
		is.decided = r.creation
	}
	r.provider.objects.set(r.kind.Namespace, is)
}

// known returns what this run knows of the object with a name and an id, or nil.
func (r *Instances) known(name, id string) *object {
	return r.provider.objects.find(r.kind.Namespace, name, id)
}

// heldByAnother reports whether another resource has created, adopted or updated an object
// in this process.
func (r *Instances) heldByAnother(name, id string) bool {
	known := r.known(name, id)
	return known != nil && known.fate == fateHeld && known.holder != r
}

// leftToAnother reports whether an object that is to be deleted now belongs to another
// resource, which created, adopted or updated it. It waits until that is decided. If the other
// resource adopted the object but does not keep it, the error is an *ownedError: the next
// apply will adopt it again, so it must not be deleted now.
func (r *Instances) leftToAnother(ctx context.Context, policy, name, id string) (held bool, err error) {
	known := r.known(name, id)
	if known == nil || known.holder == r || policy == kind.PolicyAbandon {
		return r.heldByAnother(name, id), nil
	}
	if known.decided != nil {
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-known.decided:
		}
	}
	if now := r.known(name, id); now != nil && now.fate == fateReleased {
		return false, &ownedError{of: r.kind.Name, id: id, fate: fateReleased}
	}
	return r.heldByAnother(name, id), nil
}

// checkOwner returns an error if another resource of this run still has the object.
func (r *Instances) checkOwner(name, id string) error {
	known := r.known(name, id)
	if known == nil || known.holder == r || known.fate != fateHeld && known.fate != fateKept {
		return nil
	}
	return &ownedError{of: r.kind.Name, id: id, fate: known.fate}
}

// checkUpdate returns an error if another resource of this run has the object, or has deleted
// it.
func (r *Instances) checkUpdate(name, id string) error {
	if known := r.known(name, id); known != nil && known.holder != r && known.fate == fateDeleted {
		return &ownedError{of: r.kind.Name, id: id, fate: known.fate}
	}
	return r.checkOwner(name, id)
}
