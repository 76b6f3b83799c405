// This file records the operations on objects that are in progress, and which resource has which
// object after them: a resource may adopt an object that another one deletes at the same moment, and
// two resources may want the same object.

package applying

import (
	"context"
	"slices"
	"sync"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
)

// Operation is what a resource does to an object. Operations on one object exclude each other,
// except for updates.
type Operation int

// The operations.
const (
	Update Operation = iota + 1
	Create           // or adopt
	Delete
)

// Status is what became of an object.
type Status int

// The statuses.
const (
	Owned     Status = iota // created, adopted or updated: it belongs to its owner
	Deleted                 // deleted
	Undeleted               // its deletion failed, so that it still belongs to its owner
	Abandoned               // its owner gave it up and left it in eNMS, possibly disabled
	Released                // adopted, but given up, because the creation of the owner failed elsewhere
)

// Ownership says which resource acted last on an object in this run, and what became of the object.
type Ownership struct {
	Names  []string // its names in this run, the current one first
	ID     string   // "" if it is unknown
	Status Status
	New    bool        // created, for Owned
	Kind   string      // the kind of its resource
	Owner  any         // the resource that acted on it
	State  kind.Values // the state before it was left in eNMS, for Abandoned
	// Referring are the instances that referred to it, for Deleted.
	Referring relate.Referring
	// CreationDone is closed once the creation of the owner is over: the owner keeps the object then, or has released it.
	// Nil if the owner keeps it anyway.
	CreationDone <-chan struct{}

	written int // its number among all records, in the order of time
}

// Owners records operations and objects. The zero value is ready to use.
type Owners struct {
	mu     sync.Mutex
	ended  chan struct{} // closed when an operation ends; nil while nobody waits
	busy   map[Name]inProgress
	byName map[Name]*Ownership
	byID   map[Name]*Ownership // the id in place of the name
	gone   map[Name]bool       // the names of objects that were deleted, also if others have them now
	count  int                 // how many objects were recorded
}

// inProgress is an operation in progress, or several updates at the same time.
type inProgress struct {
	operation Operation
	updates   int // how many operations these are: more than one only for Update
}

// idKey stands for the object with an id among the names of operations in progress.
func idKey(namespace, id string) Name { return Name{namespace, "\x00" + id} }

// Begin records an operation on the objects with these names and this id, if it is not "", as in progress, until end is
// called. It waits for operations that exclude this one. Because it waits only for those that have begun, and takes all
// names at once, operations cannot wait for each other in a circle. It returns an error if the context
// ends first.
func (o *Owners) Begin(ctx context.Context, operation Operation, namespace, id string, names ...string) (end func(), err error) {
	keys := make([]Name, 0, len(names)+1)
	if id != "" {
		keys = append(keys, idKey(namespace, id))
	}
	for _, name := range names {
		if key := (Name{namespace, name}); !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	end, _, err = o.begin(ctx, operation, keys, 0)
	return end, err
}

// begin is Begin with keys, except that it does not wait for an operation of the sort refusing, if that is not 0.
func (o *Owners) begin(ctx context.Context, operation Operation, keys []Name, refusing Operation) (end func(), refused bool, err error) {
	for {
		ended, other := o.tryBegin(operation, keys)
		switch {
		case ended == nil:
			return func() { o.end(keys) }, false, nil
		case other == refusing:
			return nil, true, nil
		}
		select {
		case <-ctx.Done():
			return nil, false, ctx.Err()
		case <-ended:
		}
	}
}

// BeginAdoption records that the object with an id is being adopted, until end is called. It waits for a deletion of the
// object, under whatever name. taken is true if a resource that knows it by another name is updating it.
func (o *Owners) BeginAdoption(ctx context.Context, namespace, id string) (end func(), taken bool, err error) {
	return o.begin(ctx, Create, []Name{idKey(namespace, id)}, Update)
}

// Yield lets other operations on an object begin while one in progress on it waits for them. resume takes the object
// again, once those have ended.
func (o *Owners) Yield(operation Operation, name Name) (resume func()) {
	o.end([]Name{name})
	return func() { _, _ = o.Begin(context.Background(), operation, name.Namespace, "", name.Text) } // its caller's Begin ends it
}

// tryBegin records an operation as in progress. If another operation excludes it, it returns that, and a
// channel that is closed when an operation ends.
func (o *Owners) tryBegin(operation Operation, keys []Name) (ended <-chan struct{}, other Operation) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, key := range keys {
		if other = o.busy[key].operation; other != 0 && (operation != Update || other != Update) {
			if o.ended == nil {
				o.ended = make(chan struct{})
			}
			return o.ended, other
		}
	}
	for _, key := range keys {
		o.busy = put(o.busy, key, inProgress{operation, o.busy[key].updates + 1})
	}
	return nil, 0
}

// end records that an operation, or one of several updates, has ended.
func (o *Owners) end(keys []Name) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, key := range keys {
		if before := o.busy[key]; before.updates > 1 {
			o.busy[key] = inProgress{before.operation, before.updates - 1}
		} else {
			delete(o.busy, key)
		}
	}
	if o.ended != nil {
		close(o.ended)
		o.ended = nil
	}
}

// BeginDependent records that the deletion of an object together with another one is in progress. It
// does not wait. free is false if the object must not be deleted, because a resource owns it or is
// about to do so. It is true if another deletion of the object is in progress.
func (o *Owners) BeginDependent(namespace, name, id string) (end func(), free bool) {
	if object := o.Find(namespace, name, id); object != nil && object.Status == Owned {
		return nil, false
	}
	keys := []Name{{namespace, name}}
	ended, other := o.tryBegin(Delete, keys)
	if ended == nil {
		return func() { o.end(keys) }, true
	}
	return func() {}, other == Delete
}

// Find returns the object that has, or had in this run, a name and an id, or nil. eNMS reuses ids, so both must
// match; an object without a known id matches by the name that it has now. If id is "", so do all objects.
func (o *Owners) Find(namespace, name, id string) *Ownership {
	o.mu.Lock()
	defer o.mu.Unlock()
	if object := o.byID[Name{namespace, id}]; object != nil && slices.Contains(object.Names, name) {
		return object
	}
	if object := o.byName[Name{namespace, name}]; object != nil && (id == "" || object.ID == "" || object.ID == id) {
		return object
	}
	return nil
}

// FindID returns the last object that had an id in this run, whatever its name, or nil. eNMS reuses the ids of deleted objects.
func (o *Owners) FindID(namespace, id string) *Ownership {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.byID[Name{namespace, id}]
}

// HasDeleted reports whether this run has deleted an object that had a name, whatever has it now.
func (o *Owners) HasDeleted(namespace, name string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.gone[Name{namespace, name}]
}

// HasDeletedAny reports whether this run has deleted any object.
func (o *Owners) HasDeletedAny() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.gone) > 0
}

// Created returns the names of the objects of a kind that this run has created, in alphabetical order.
func (o *Owners) Created(of string) (names []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for name, object := range o.byName {
		if object.New && object.Status == Owned && object.Kind == of {
			names = append(names, name.Text)
		}
	}
	slices.Sort(names)
	return names
}

// WrittenAfter reports whether a resource of this run has written the object with a name after
// another object was recorded.
func (o *Owners) WrittenAfter(other Ownership, namespace, name string) bool {
	object := o.Find(namespace, name, "")
	return object != nil && object.Status == Owned && object.written > other.written
}

// Set records what became of an object, in place of its earlier record. Its names are those that it had in this
// operation, the current one first. Those of the earlier record are added: with the id, Find knows the object by
// each of its names, and without it by the current one alone.
func (o *Owners) Set(namespace string, object Ownership) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.count++
	object.written = o.count
	id := Name{namespace, object.ID}
	before := o.byID[id]
	oldest := object.Names[len(object.Names)-1]
	if before != nil && slices.Contains(before.Names, oldest) { // else the id was reused
		for _, name := range before.Names {
			if !slices.Contains(object.Names, name) {
				object.Names = append(object.Names, name)
			}
		}
	}
	for _, name := range object.Names { // the object has only its current name now
		key := Name{namespace, name}
		if object.Status == Deleted {
			o.gone = put(o.gone, key, true)
		}
		if other := o.byName[key]; other != nil && other.ID == object.ID {
			delete(o.byName, key)
		}
	}
	o.byName = put(o.byName, Name{namespace, object.Names[0]}, &object)
	if object.ID != "" {
		o.byID = put(o.byID, id, &object)
	}
}
