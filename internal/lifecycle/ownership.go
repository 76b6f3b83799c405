// This file makes sure that no two resources of one run act on the same object
// (run_objects.go): whatever creates, adopts, updates or deletes passes through begin and note.

package lifecycle

import (
	"context"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// begin notes an operation on the objects with these names as under way, see
// ownership.begin.
func (r *Instances) begin(ctx context.Context, of operationKind, names ...string) (end func(), err error) {
	r.provider.planned.apply()
	return r.provider.objects.begin(ctx, of, r.kind.Namespace, names...)
}

// BeginCreation notes that the resource of all entries is being created: until end is called,
// it is not decided whether it keeps what it has taken over, and nobody deletes that.
func (r *Instances) BeginCreation() (end func()) {
	decided := make(chan struct{})
	r.creation = decided
	return func() { close(decided) }
}

// Release notes that the resource does not keep an instance that it has taken over.
func (r *Instances) Release(name, id string) {
	r.provider.objects.set(r.kind.Namespace, object{names: []string{name}, id: id, fate: fateReleased, kind: r.kind.Name, holder: r})
}

// note notes what became of the object of a state, which had another name before if was
// is not "".
func (r *Instances) note(became fate, state kind.Values, was string) {
	r.noteReferring(became, state, was, kind.Referring{})
}

// noteReferring is note for an object that others have referred to.
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

// known returns what is known of the object that has a name and an id, nil when nothing is.
func (r *Instances) known(name, id string) *object {
	return r.provider.objects.find(r.kind.Namespace, name, id)
}

// heldByAnother reports whether another resource has created, adopted or updated an object
// in this process.
func (r *Instances) heldByAnother(name, id string) bool {
	known := r.known(name, id)
	return known != nil && known.fate == fateHeld && known.holder != r
}

// leftToAnother reports whether another resource has created, adopted or updated an object
// that is to be deleted. It waits until that is decided, and is an *ownedError if that one
// was to take the object over and does not keep it: deleting it now would lose what the next
// apply takes over.
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

// checkOwner refuses to create, adopt or update an object that another resource of this
// process still has.
func (r *Instances) checkOwner(name, id string) error {
	known := r.known(name, id)
	if known == nil || known.holder == r || known.fate != fateHeld && known.fate != fateKept {
		return nil
	}
	return &ownedError{of: r.kind.Name, id: id, fate: known.fate}
}

// checkUpdate refuses to update an object that another resource of this process has, or has
// deleted.
func (r *Instances) checkUpdate(name, id string) error {
	if known := r.known(name, id); known != nil && known.holder != r && known.fate == fateDeleted {
		return &ownedError{of: r.kind.Name, id: id, fate: known.fate}
	}
	return r.checkOwner(name, id)
}
