// This file records what the resources of one run do, and have done, with objects, names and
// places (values that no two instances may share, enms-rest.md 1.13). Terraform runs up to ten
// operations at a time, in an order that ignores the names in eNMS: a resource may adopt an
// object that another one deletes at the same moment, and two resources may want the same object.

package lifecycle

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
)

// ownership records the operations on objects that are in progress, and their results. The
// zero value is ready to use.
type ownership struct {
	mu     sync.Mutex
	noted  int           // how many results are recorded
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
	// referring are the instances that referred to it, for fateDeleted, and began is the value of
	// ownership.noted before its deletion.
	referring relate.Referring
	began     int
	noted     int  // the value of ownership.noted with this result
	created   bool // by its resource; false for an adopted one
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

// now returns how many results are recorded.
func (o *ownership) now() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.noted
}

// isUpdated reports whether a resource of this run has adopted or updated the object with a name
// since a result of ownership.now, or is updating or deleting it.
func (o *ownership) isUpdated(namespace, name string, since int) bool {
	known := o.find(namespace, name, "")
	o.mu.Lock()
	defer o.mu.Unlock()
	under := o.busy[objectKey{namespace, name}].kind
	return known != nil && known.fate == fateHeld && !known.created && known.noted > since || under == operationUpdate || under == operationDelete
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
	o.noted++
	is.noted = o.noted
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

// rename is a rename that is in progress, or that failed because its new name was taken.
type rename struct {
	from, to  string
	stepAside func(context.Context) error // gives the instance a temporary name
	free      chan struct{}               // closed when the old name is free, or when the rename is over
	freed     bool
	waitsFor  *rename // the rename whose old name it needs
}

// renames are the renames of a run that are in progress or waiting.
type renames struct {
	mu     sync.Mutex
	byName map[string]*rename // by the namespace and the old name
}

func (all *renames) begin(namespace string, r *rename) {
	all.mu.Lock()
	defer all.mu.Unlock()
	r.free = make(chan struct{})
	all.byName = put(all.byName, namespace+"\n"+r.from, r)
}

// end records that a rename has ended. One that failed because its new name was taken stays
// recorded: the instance that gives up that name later in the run may need the old name, if
// the two exchange names.
func (all *renames) end(namespace string, r *rename, err error) {
	all.mu.Lock()
	defer all.mu.Unlock()
	r.release()
	r.waitsFor = nil
	if _, taken := errors.AsType[*enms.ExistsError](err); !taken {
		delete(all.byName, namespace+"\n"+r.from)
	}
}

// steppedAside records that the old name of a rename is free.
func (all *renames) steppedAside(r *rename) {
	all.mu.Lock()
	defer all.mu.Unlock()
	r.release()
}

// release wakes the operations that wait for the old name. The caller holds the lock.
func (r *rename) release() {
	if !r.freed {
		r.freed = true
		close(r.free)
	}
}

// blocker returns the rename that will free the name that r needs, or nil. circle is true if
// that rename is waiting for r, directly or through others.
func (all *renames) blocker(namespace string, r *rename) (found *rename, circle bool) {
	all.mu.Lock()
	defer all.mu.Unlock()
	found = all.byName[namespace+"\n"+r.to]
	for next := found; next != nil; next = next.waitsFor {
		if next == r {
			return found, true
		}
	}
	r.waitsFor = found
	return found, false
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

// joining holds functions to call once an object exists. The zero value is ready to use.
type joining struct {
	mu   sync.Mutex
	when map[objectKey][]func(context.Context) diag.Diagnostics
}

// wait records a function to call once an object exists.
func (j *joining) wait(key objectKey, join func(context.Context) diag.Diagnostics) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.when == nil {
		j.when = map[objectKey][]func(context.Context) diag.Diagnostics{}
	}
	j.when[key] = append(j.when[key], join)
}

// join calls the functions that wait for an object.
func (j *joining) join(ctx context.Context, key objectKey) (diags diag.Diagnostics) {
	j.mu.Lock()
	due := j.when[key]
	delete(j.when, key)
	j.mu.Unlock()
	for _, join := range due {
		diags.Append(join(ctx)...)
	}
	return diags
}
