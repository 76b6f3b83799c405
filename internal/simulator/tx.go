// A transaction: everything one request changes, kept or undone together (0.1).

package simulator

import "reflect"

// tx is one session of the server's database layer. Look-ups by name see what is
// committed, not what the session has changed so far, as the real session does
// without autoflush; that is why two entries of one new name are a violation.
type tx struct {
	*store
	undo         []func()
	pending      []*object // new objects the session knows of, to be inserted
	dirty        []*object
	marked       map[*object]bool
	touched      map[*refs]bool
	broken       error    // what the database will say at the commit
	log          []change // what is to be done to the live database, for a session on a snapshot
	counterparts map[*object]*object
	quiet        int  // above 0 nothing is logged: it follows from what was logged before
	stale        bool // a commit failed in the middle: the session refuses whatever comes
}

// change is one statement of a session.
type change struct {
	o     *object
	kind  changeKind
	name  string
	value any
	other *object
}

type changeKind int

const (
	changedValue changeKind = iota
	joined                  // a member of a relation to many
	left
	pointed // a relation to one
	erased
)

// begin opens a session.
func (s *store) begin() *tx {
	return &tx{store: s, marked: map[*object]bool{}, touched: map[*refs]bool{}, counterparts: map[*object]*object{}}
}

// onRollback has something done when the session is rolled back.
func (t *tx) onRollback(undo func()) { t.undo = append(t.undo, undo) }

// note keeps a change for the live database.
func (t *tx) note(c change) {
	if t.live != nil && t.quiet == 0 {
		t.log = append(t.log, c)
	}
}

// newObject returns an object of a type that is not part of the session yet.
func (t *tx) newObject(typ string) *object { return newObject(t.types[typ]) }

func (t *tx) mark(o *object) {
	if o.stored && !t.marked[o] {
		t.marked[o] = true
		t.dirty = append(t.dirty, o)
	}
}

// pend makes a new object part of the session.
func (t *tx) pend(o *object) {
	if !o.stored && !t.marked[o] {
		t.marked[o] = true
		t.pending = append(t.pending, o)
	}
}

// set assigns one stored property.
func (t *tx) set(o *object, name string, value any) {
	old, had := o.values[name]
	if o.stored && !reflect.DeepEqual(o.get(name), value) {
		t.note(change{o: o, kind: changedValue, name: name, value: value})
	}
	t.onRollback(func() {
		if had {
			o.values[name] = old
		} else {
			delete(o.values, name)
		}
	})
	if f := o.model.fields[name]; o.stored && f != nil && f.kind == kindList && had && old == nil && value != nil {
		t.broken = raise("TypeError", "'NoneType' object is not iterable") // a list that was null is stuck for good (1.1)
	}
	o.values[name] = value
	t.mark(o)
}

// addTo adds to a number.
func (t *tx) addTo(o *object, property string, by int64) {
	n, _ := o.get(property).(int64)
	t.set(o, property, n+by)
}

// damage writes the discriminator of a row, which harms the row unless it is its own
// type (0.2, type).
func (t *tx) damage(o *object, typ any) {
	old := o.damaged
	t.onRollback(func() { o.damaged = old })
	o.damaged = typ != o.model.name
}

// refs returns a relation's set, made when missing, with its present content noted for
// the way back.
func (t *tx) refs(o *object, relation string) *refs {
	set := o.sets[relation]
	if set == nil {
		set = newRefs(nil)
		o.sets[relation] = set
	}
	t.touched[set] = true
	return set
}

func (t *tx) addRef(o *object, relation string, member *object) {
	set := t.refs(o, relation)
	if set.has(member) {
		return
	}
	t.note(change{o: o, kind: joined, name: relation, other: member})
	set.add(member)
	t.onRollback(func() { set.remove(member) })
}

func (t *tx) removeRef(o *object, relation string, member *object) {
	set := t.refs(o, relation)
	if !set.has(member) {
		return
	}
	t.note(change{o: o, kind: left, name: relation, other: member})
	old := set.list
	set.remove(member)
	t.onRollback(func() {
		set.list = old
		set.index[member] = struct{}{}
	})
}

// relate adds a member to a relation to many, whose other side is one to many, too. It
// does not count members.
func (t *tx) relate(o *object, r *relation, member *object) {
	t.addRef(o, r.name, member)
	t.addRef(member, r.reverse, o)
}

// setOne points a relation to one at target, nil for nowhere.
func (t *tx) setOne(o *object, r *relation, target *object) {
	old := o.ones[r.name]
	if old != nil && r.reverse != "" {
		t.removeRef(old, r.reverse, o)
	}
	if o.stored && old != target {
		t.note(change{o: o, kind: pointed, name: r.name, other: target})
	}
	o.ones[r.name] = target
	t.onRollback(func() { o.ones[r.name] = old })
	var id any
	if target != nil {
		id = target.id
		if r.reverse != "" {
			t.addRef(target, r.reverse, o)
			t.pend(o)
		}
	}
	t.set(o, r.column, id)
}
