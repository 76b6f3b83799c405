// This file records what the resources of one run do, and have done, with objects. Terraform
// runs up to ten operations at a time, in an order that knows nothing of the names in eNMS: a
// resource may take over what another one deletes at the same moment, and two resources may want
// the same object.

package lifecycle

import (
	"context"
	"slices"
	"sync"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// ownership records the operations on objects that are in progress, and their results. The
// zero value is ready to use.
type ownership struct {
	mu     sync.Mutex
	ended  chan struct{} // closed when an operation ends; nil while nobody waits
	busy   map[objectKey]operation
	byName map[objectKey]*object
	byID   map[objectKey]*object
}

// objectKey is the name or the id of an object, within the type whose names are unique.
type objectKey struct{ namespace, text string }

// operation is an operation in progress, or several updates.
type operation struct {
	kind    operationKind
	updates int // how many, for operationUpdate
}

// operationKind is the kind of an operation. Operations on one object exclude each other,
// except for updates.
type operationKind int

const (
	operationUpdate operationKind = iota + 1
	operationCreate               // or adopt
	operationDelete
)

// object is what this run last did with an object.
type object struct {
	names  []string // those that it has had in this process, the present one first
	id     string   // "" when it is not known
	fate   fate
	kind   string      // by which it was done
	holder any         // the resource that did it
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

// begin records an operation on the objects with these names as in progress, until end is
// called. It waits for operations that exclude it. Because it waits only for those that have
// begun, and takes all names at once, operations cannot wait for each other in a circle.
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

// tryBegin records an operation as in progress. If another operation excludes it, it returns a
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

// end records that an operation has ended.
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

// beginAlong records that the deletion of an object together with another one is in progress.
// It does not wait. free is false if the object must not be deleted, because a resource has it
// or is about to have it.
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

// isTouched reports whether a resource of this run has created, adopted or updated the object
// with a name, or is about to.
func (o *ownership) isTouched(namespace, name string) bool {
	known := o.find(namespace, name, "")
	o.mu.Lock()
	defer o.mu.Unlock()
	return known != nil && known.fate == fateHeld || o.busy[objectKey{namespace, name}].kind != 0
}

// find returns the object that has, or had in this run, a name and an id, or nil. The id may
// be "". eNMS reuses ids, so both must match.
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

// set records what became of an object. Its names are those that it had in this operation, the
// current one first.
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
