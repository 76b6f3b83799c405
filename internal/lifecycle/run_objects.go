// This file records what the resources of one run do, and have done, with objects, names and
// places (values that no two instances may share, enms-rest.md 1.13). Terraform runs up to ten
// operations at a time, in an order that ignores the names in eNMS: a resource may adopt an
// object that another one deletes at the same moment, and two resources may want the same object.

package lifecycle

import (
	"context"
	"slices"
	"sync"
	"time"

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

// operation is an operation in progress, or several updates at the same time.
type operation struct {
	kind    operationKind
	updates int // the number of updates, for operationUpdate
}

// operationKind is the kind of an operation. Operations on one object exclude each other,
// except for updates.
type operationKind int

const (
	operationUpdate operationKind = iota + 1
	operationCreate               // or adopt
	operationDelete
)

// object records what this run did last with an object.
type object struct {
	names  []string // its names in this run, the current one first
	id     string   // "" when it is not known
	fate   fate
	kind   string      // the kind of its resource
	holder any         // the resource that acted on it
	state  kind.Values // the state before it was left, for fateLeft
	// referring are the instances that referred to it, for fateDeleted.
	referring kind.Referring
	// decided is closed once it is certain whether the holder keeps the object or has released
	// it. Nil if the holder keeps it anyway.
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
	for _, key := range keys {
		o.busy = put(o.busy, key, operation{of, o.busy[key].updates + 1})
	}
	return nil
}

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

// set records the fate of an object. Its names are those that it had in this operation, the
// current one first.
func (o *ownership) set(namespace string, is object) {
	o.mu.Lock()
	defer o.mu.Unlock()
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
	o.byName = put(o.byName, objectKey{namespace, is.names[0]}, &is)
	if is.id != "" {
		o.byID = put(o.byID, id, &is)
	}
}

// places records which instances have left their places, and which wait. The zero value is
// ready to use.
type places struct {
	writes activity // the instances that are being written

	mu    sync.Mutex
	moves int               // how often any instance has left its place
	left  map[string]int    // by the id of an instance: the value of moves when it last left its place
	waits map[string]string // by the id of a waiting instance: the id of the instance whose place it waits for
}

// now returns how often any instance has left its place.
func (p *places) now() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.moves
}

// leave wakes the operations that wait for an instance: it may have left its place.
func (p *places) leave(id string) {
	p.mu.Lock()
	p.moves++
	p.left = put(p.left, id, p.moves)
	p.mu.Unlock()
	p.writes.change(0, 0)
}

// begin records that an instance waits for another one. It reports a circle, and records
// nothing, if the instance would wait for itself; only the last instance of a circle sees
// that. An instance that is being created has no id, and nobody waits for it.
func (p *places) begin(id, holder string) (circle bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if id == "" {
		return false
	}
	for next, steps := holder, 0; next != "" && steps <= len(p.waits); next, steps = p.waits[next], steps+1 {
		if next == id {
			return true
		}
	}
	p.waits = put(p.waits, id, holder)
	return false
}

// wait waits until an instance has left its place after since, and reports whether it has. It
// gives up after patience if all other writes in progress are waiting too: Terraform begins
// the write of the other instance at about the same time.
func (p *places) wait(ctx context.Context, id, holder string, since int, patience time.Duration) bool {
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.waits, id)
	}()
	return p.writes.await(ctx, patience, func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.left[holder] > since
	})
}

// nameLocks keep a name, and names that begin with it, from being changed while an operation uses
// it. The zero value is ready to use.
type nameLocks struct{ locks sync.Map }

func (n *nameLocks) of(name string) *sync.RWMutex {
	lock, _ := n.locks.LoadOrStore(name, &sync.RWMutex{})
	return lock.(*sync.RWMutex)
}
