// This file lets the operations of one process that are about the same object meet.
// Terraform runs up to ten at a time, in an order that knows nothing of the names in eNMS:
// a resource may take over what another one deletes at the same moment, and two resources
// may want the same object. What is known here is kept for as long as the process lives,
// which is one run of Terraform at most; nothing is asked of eNMS for it.

package lifecycle

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// ownership is what the resources of one process do, and have done, with objects. The
// zero value is ready for use.
type ownership struct {
	mu     sync.Mutex
	ended  chan struct{} // closed when an operation ends; nil while nobody waits
	busy   map[objectKey]operation
	byName map[objectKey]*object
	byID   map[objectKey]*object
}

// objectKey is the name or the id of an object, within the type whose names are unique.
type objectKey struct{ namespace, text string }

// operation is an operation that is under way, or several updates.
type operation struct {
	kind    operationKind
	updates int // how many, for operationUpdate
}

// operationKind tells what operations of an object exclude each other: all but updates.
type operationKind int

const (
	operationUpdate operationKind = iota + 1
	operationCreate               // or adopt
	operationDelete
)

// object is what this process has done with an object last.
type object struct {
	names  []string // those that it has had in this process, the present one first
	id     string   // "" when it is not known
	fate   fate
	holder *Instances  // the resource that did it
	state  kind.Values // the state before it was left, for fateLeft
	// referring is what referred to it, for fateDeleted.
	referring kind.Referring
	// decided is closed once the holder keeps the object, or has released it; nil when that
	// is not in question.
	decided <-chan struct{}
}

// fate is what became of an object.
type fate int

const (
	fateHeld     fate = iota // created, adopted or updated: it belongs to its holder
	fateDeleted              // deleted
	fateKept                 // its deletion failed, so that it still belongs to its holder
	fateLeft                 // its holder gave it up and left it in eNMS: abandoned or disabled
	fateReleased             // adopted, but not kept, because the creation of the holder failed elsewhere
)

// begin waits until no operation is under way that excludes an operation on the objects
// with these names, and notes it as under way until end is called. It waits only for what
// has begun, and takes all names at once, so that operations never wait for each other.
func (o *ownership) begin(ctx context.Context, of operationKind, namespace string, names ...string) (end func(), err error) {
	keys := make([]objectKey, 0, len(names))
	for _, name := range names {
		if key := (objectKey{namespace, name}); !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	for {
		ended := o.tryBegin(of, keys)
		if ended == nil {
			return func() { o.end(keys) }, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-ended:
		}
	}
}

// tryBegin notes an operation as under way. If another one excludes it, it returns a
// channel that is closed when an operation ends.
func (o *ownership) tryBegin(of operationKind, keys []objectKey) (ended <-chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, key := range keys {
		if under := o.busy[key]; under.kind != 0 && (of != operationUpdate || under.kind != operationUpdate) {
			if o.ended == nil {
				o.ended = make(chan struct{})
			}
			return o.ended
		}
	}
	if o.busy == nil {
		o.busy = map[objectKey]operation{}
	}
	for _, key := range keys {
		o.busy[key] = operation{of, o.busy[key].updates + 1}
	}
	return nil
}

// end notes that an operation is over.
func (o *ownership) end(keys []objectKey) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, key := range keys {
		if under := o.busy[key]; under.updates > 1 {
			o.busy[key] = operation{under.kind, under.updates - 1}
		} else {
			delete(o.busy, key)
		}
	}
	if o.ended != nil {
		close(o.ended)
		o.ended = nil
	}
}

// beginAlong notes the deletion of an object along with another one as under way. It does
// not wait; free is false when the object must not be deleted, because a resource has it,
// or is about to.
func (o *ownership) beginAlong(namespace, name, id string) (end func(), free bool) {
	keys := []objectKey{{namespace, name}}
	if known := o.find(namespace, name, id); known != nil && known.fate == fateHeld {
		return nil, false
	}
	if o.tryBegin(operationDelete, keys) == nil {
		return func() { o.end(keys) }, true
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return func() {}, o.busy[keys[0]].kind == operationDelete
}

// isTouched reports whether a resource of this process has created, adopted or updated what
// has a name, or an operation on it is under way.
func (o *ownership) isTouched(namespace, name string) bool {
	known := o.find(namespace, name, "")
	o.mu.Lock()
	defer o.mu.Unlock()
	return known != nil && known.fate == fateHeld || o.busy[objectKey{namespace, name}].kind != 0
}

// find returns what is known of the object that has, or had in this process, a name and an
// id, which may be ""; nil when nothing is. eNMS gives the id of a deleted object to a new
// one, so both must fit.
func (o *ownership) find(namespace, name, id string) *object {
	o.mu.Lock()
	defer o.mu.Unlock()
	if known := o.byID[objectKey{namespace, id}]; id != "" && known != nil && slices.Contains(known.names, name) {
		return known
	}
	if known := o.byName[objectKey{namespace, name}]; known != nil && (id == "" || known.id == "" || known.id == id) {
		return known
	}
	return nil
}

// set notes what became of an object. names are its names in this operation, the present
// one first.
func (o *ownership) set(namespace string, is object) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.byName == nil {
		o.byName, o.byID = map[objectKey]*object{}, map[objectKey]*object{}
	}
	id := objectKey{namespace, is.id}
	was := o.byID[id]
	if is.id != "" && was != nil && slices.Contains(was.names, is.names[len(is.names)-1]) {
		is.names = slices.Compact(append(is.names, was.names...))
	}
	for _, name := range is.names {
		key := objectKey{namespace, name}
		if known := o.byName[key]; known != nil && (known == was || known.id == is.id) {
			delete(o.byName, key)
		}
	}
	o.byName[objectKey{namespace, is.names[0]}] = &is
	if is.id != "" {
		o.byID[id] = &is
	}
}

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
	r.provider.objects.set(r.kind.Namespace, object{names: []string{name}, id: id, fate: fateReleased, holder: r})
}

// note notes what became of the object of a state, which had another name before if was
// is not "".
func (r *Instances) note(became fate, state kind.Values, was string) {
	r.noteReferring(became, state, was, kind.Referring{})
}

// noteReferring is note for an object that others have referred to.
func (r *Instances) noteReferring(became fate, state kind.Values, was string, referring kind.Referring) {
	is := object{names: []string{value.Text(state[kind.RowName])}, id: value.Text(state[kind.RowID]), fate: became, holder: r, referring: referring}
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

// ownedError tells that an object belongs to another resource.
type ownedError struct {
	of, id string
	fate   fate
}

// Error is the error in one line.
func (e *ownedError) Error() string {
	switch e.fate {
	case fateDeleted:
		return fmt.Sprintf("another resource of the same configuration deleted this %s (id %s) in this run", e.of, e.id)
	case fateReleased:
		return fmt.Sprintf("another resource of the same configuration was to take over this %s (id %s), and its creation failed", e.of, e.id)
	case fateKept:
		return fmt.Sprintf("another resource of the same configuration, which is to be destroyed, still has this %s (id %s), because it could not be deleted", e.of, e.id)
	}
	return fmt.Sprintf("another resource of the same configuration has this %s (id %s): it created, adopted or updated it in this run", e.of, e.id)
}

// hint is what to do about it.
func (e *ownedError) hint() string {
	switch e.fate {
	case fateDeleted:
		return "Plan again."
	case fateReleased:
		return "Nothing was deleted. See the error of that resource, and apply again."
	case fateKept:
		return "See the error of that resource."
	}
	return "Keep one of the two, or give one of them another name."
}
