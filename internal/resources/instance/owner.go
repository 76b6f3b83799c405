// This file coordinates operations on the same object. Each operation that creates, adopts, updates or
// deletes an object calls begin, and at its end recordOutcome.

package instance

import (
	"context"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// owner is a resource of one instance, or an enms_instances with all its entries, as the operations of
// a run know it.
type owner struct {
	kind *kind.Kind
	run  *applying.Run
	// created is closed when the creation of enms_instances is over. It is nil if this resource has not
	// begun one.
	created <-chan struct{}
}

// begin records that an operation on the objects with these names and this id is in progress, see
// applying.Owners.
func (o *owner) begin(ctx context.Context, of applying.Operation, id string, names ...string) (end func(), err error) {
	over, err := o.run.Owners.Begin(ctx, of, o.kind.Namespace, id, names...)
	if err != nil {
		return nil, err
	}
	written := o.run.Renames.Writes.Begin() // not before: what waits to begin gives up no name
	return func() { over(); written() }, nil
}

// BeginCreation records that enms_instances is being created. Until end is called, it is not certain
// whether it keeps the instances that it adopts, and no other resource deletes them.
func (o *owner) BeginCreation() (end func()) {
	created := make(chan struct{})
	o.created = created
	return func() { close(created) }
}

// Release records that the resource does not keep an instance that it has adopted.
func (o *owner) Release(name, id string) {
	o.run.Owners.Set(o.kind.Namespace, applying.Ownership{Names: []string{name}, ID: id, Status: applying.Released, Kind: o.kind.Name, Owner: o})
}

// recordOutcome records what became of the object of a state. was is its previous name, or "". object has only Status, New
// and Referring; the rest follows from the state.
func (o *owner) recordOutcome(state kind.Values, was string, object applying.Ownership) {
	name := value.Text(state[kind.RowName])
	object.Names, object.ID = []string{name}, value.Text(state[kind.RowID])
	object.Kind, object.Owner = o.kind.Name, o
	if was != "" {
		object.Names = append(object.Names, was)
	}
	switch object.Status {
	case applying.Abandoned:
		object.State = state
	case applying.Owned:
		object.CreationDone = o.created // until then, enms_instances may still release an entry
	}
	o.run.Owners.Set(o.kind.Namespace, object)
}

// known returns the last record of this run about the object with a name and an id, or nil.
func (o *owner) known(name, id string) *applying.Ownership {
	return o.run.Owners.Find(o.kind.Namespace, name, id)
}

// replaced returns the instance with a name that this run has deleted, if it was of this kind, and otherwise the zero
// value. Callers create an instance with that name.
func (o *owner) replaced(name string) applying.Ownership {
	object := o.known(name, "")
	if object == nil || object.Status != applying.Deleted || object.Kind != o.kind.Name {
		return applying.Ownership{}
	}
	return *object
}

// isOwnedByAnother reports whether another resource has created, adopted or updated an object in this run.
func (o *owner) isOwnedByAnother(name, id string) bool {
	object := o.known(name, id)
	return object != nil && object.Status == applying.Owned && object.Owner != o
}

// leftToAnother reports whether an object that is to be deleted now belongs to another resource, which
// created, adopted or updated it. It waits until that is certain, except for the deletion policy
// "abandon", which deletes nothing. If the other resource adopted the object but does not keep it
// (Released), the error is a *failures.Owned: the next apply will adopt it again, so it must not be
// deleted now.
func (o *owner) leftToAnother(ctx context.Context, policy, name, id string) (owned bool, err error) {
	object := o.known(name, id)
	if object == nil || object.Owner == o || policy == kind.PolicyAbandon {
		return o.isOwnedByAnother(name, id), nil
	}
	if object.CreationDone != nil {
		resume := o.run.Renames.Writes.Pause()
		defer resume()
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-object.CreationDone:
		}
	}
	if now := o.known(name, id); now != nil && now.Status == applying.Released {
		return false, &failures.Owned{Type: o.kind.Name, ID: id, Status: applying.Released}
	}
	return o.isOwnedByAnother(name, id), nil
}

// checkOwner returns an error if another resource of this run still has the object, perhaps by another name: eNMS renames
// an instance with its scope.
func (o *owner) checkOwner(name, id string) error {
	object := o.known(name, id)
	if object == nil {
		object = o.run.Owners.FindID(o.kind.Namespace, id)
	}
	if object == nil || object.Owner == o || object.Status != applying.Owned && object.Status != applying.Undeleted {
		return nil
	}
	return &failures.Owned{Type: o.kind.Name, ID: id, Status: object.Status}
}

// checkUpdate returns an error if another resource of this run has the object, or has deleted it.
func (o *owner) checkUpdate(name, id string) error {
	if object := o.known(name, id); object != nil && object.Owner != o && object.Status == applying.Deleted {
		return &failures.Owned{Type: o.kind.Name, ID: id, Status: object.Status}
	}
	return o.checkOwner(name, id)
}
