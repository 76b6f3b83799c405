// A transaction: the changes of one request, which are committed or rolled back together (0.1). Changes of
// relations and deletions, with their effects on other objects (2.1, 3).

package database

import (
	"reflect"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// Tx is one session of SQLAlchemy. Look-ups by name find only committed objects, as in a session without
// autoflush: two entries with the same new name violate a constraint.
type Tx struct {
	*Database
	undo         []func()
	pending      []*Object                  // new objects, which the commit inserts
	dirty        []*Object                  // stored objects, which the commit writes again
	marked       map[*Object]bool           // the objects in pending and dirty
	touched      map[*Set]bool              // the sets that the commit sorts
	broken       error                      // what the commit will return, nil for no error
	log          []change                   // of a session on a snapshot: the changes to repeat in the live database
	counterparts map[*Object]*Object        // of new objects of such a session: those in the live database
	before       map[*Object]map[string]any // the former values of changed properties
	erased       []*Object                  // the rows that the commit deletes
	quiet        int                        // above 0, changes are not logged, because they follow from a logged one
	refuses      bool                       // everything, see Refuse
}

// change is one statement of a session.
type change struct {
	o     *Object
	kind  changeKind
	name  string
	value any
	other *Object
}

type changeKind int

const (
	changedValue changeKind = iota
	joined                  // a member of a relation to many
	left
	pointed // a relation to one
	erased
)

// Begin opens a session.
func (db *Database) Begin() *Tx {
	t := &Tx{Database: db, counterparts: map[*Object]*Object{}}
	t.reset()
	return t
}

// reset begins the next transaction.
func (t *Tx) reset() {
	t.undo, t.pending, t.dirty, t.erased, t.log, t.broken, t.refuses = nil, nil, nil, nil, nil, nil, false
	t.marked, t.touched, t.before = map[*Object]bool{}, map[*Set]bool{}, map[*Object]map[string]any{}
}

// OnRollback records a function for a rollback, which calls the last recorded one first.
func (t *Tx) OnRollback(undo func()) { t.undo = append(t.undo, undo) }

// note records a change of a session on a snapshot, unless it follows from a recorded one.
func (t *Tx) note(c change) {
	if t.live != nil && t.quiet == 0 {
		t.log = append(t.log, c)
	}
}

// NewObject returns an object of a type that is not part of the session yet.
func (t *Tx) NewObject(typ string) *Object { return newObject(t.Types[typ]) }

// mark has the commit write a row again.
func (t *Tx) mark(o *Object) {
	if o.stored && !t.marked[o] {
		t.marked[o] = true
		t.dirty = append(t.dirty, o)
	}
}

// Pend makes a new object part of the session.
func (t *Tx) Pend(o *Object) {
	if !o.stored && !t.marked[o] {
		t.marked[o] = true
		t.pending = append(t.pending, o)
	}
}

// Set assigns one stored property.
func (t *Tx) Set(o *Object, name string, value any) {
	old, had := o.Values[name]
	if o.stored && !reflect.DeepEqual(o.Get(name), value) {
		t.Remember(o, name, o.Get(name))
		t.note(change{o: o, kind: changedValue, name: name, value: value})
	}
	t.OnRollback(func() {
		if had {
			o.Values[name] = old
		} else {
			delete(o.Values, name)
		}
	})
	isList := o.Type.Fields[name] != nil && o.Type.Fields[name].Kind == KindList
	if o.stored && isList && had && old == nil && value != nil { // a list that was null is stuck for good (1.1)
		t.broken = python.Raise("TypeError", "'NoneType' object is not iterable")
	}
	o.Values[name] = value
	t.mark(o)
}

// SetAll assigns stored properties.
func (t *Tx) SetAll(o *Object, values map[string]any) {
	for name, value := range values {
		t.Set(o, name, value)
	}
}

// AddTo adds to a number.
func (t *Tx) AddTo(o *Object, property string, by int64) {
	n, _ := o.Get(property).(int64)
	t.Set(o, property, n+by)
}

// Remember records the value of a property before the session changed it.
func (t *Tx) Remember(o *Object, name string, old any) {
	if t.before[o] == nil {
		t.before[o] = map[string]any{}
	}
	if _, known := t.before[o][name]; !known {
		t.before[o][name] = old
	}
}

// Changed returns the changes since the last commit: the new objects, the former values of properties of the
// others, and the deleted objects.
func (t *Tx) Changed() (created []*Object, before map[*Object]map[string]any, erased []*Object) {
	return slices.Clone(t.pending), t.before, t.erased
}

// WriteType writes the column type of a row. Only Damaged remembers it: the row is damaged while its column type is not
// the type of its data (0.2, type).
func (t *Tx) WriteType(o *Object, typ any) {
	old := o.Damaged
	t.OnRollback(func() { o.Damaged = old })
	o.Damaged = typ != o.Type.Name
}

// refs returns the set of a relation, which it creates if it is missing.
func (t *Tx) refs(o *Object, relation string) *Set {
	set := o.sets[relation]
	if set == nil {
		set = NewSet(nil)
		o.sets[relation] = set
	}
	t.touched[set] = true
	return set
}

// addRef adds a member to one side of a relation to many.
func (t *Tx) addRef(o *Object, relation string, member *Object) {
	set := t.refs(o, relation)
	if set.Has(member) {
		return
	}
	t.note(change{o: o, kind: joined, name: relation, other: member})
	set.Add(member)
	t.OnRollback(func() { set.remove(member) })
}

// removeRef removes a member from one side of a relation to many.
func (t *Tx) removeRef(o *Object, relation string, member *Object) {
	set := t.refs(o, relation)
	if !set.Has(member) {
		return
	}
	t.note(change{o: o, kind: left, name: relation, other: member})
	old := set.List
	set.remove(member)
	t.OnRollback(func() {
		set.List = old
		set.index[member] = struct{}{}
	})
}

// Relate adds a member to a relation that is to many on both sides. It does not change counters.
func (t *Tx) Relate(o *Object, r *Relation, member *Object) {
	t.addRef(o, r.Name, member)
	t.addRef(member, r.Reverse, o)
}

// SetOne sets the object of a relation to one; nil unsets it.
func (t *Tx) SetOne(o *Object, r *Relation, target *Object) {
	old := o.ones[r.Name]
	if old != nil && r.Reverse != "" {
		t.removeRef(old, r.Reverse, o)
	}
	if o.stored && old != target {
		t.note(change{o: o, kind: pointed, name: r.Name, other: target})
	}
	o.ones[r.Name] = target
	t.OnRollback(func() { o.ones[r.Name] = old })
	var id any
	if target != nil {
		id = target.ID
		if r.Reverse != "" {
			t.addRef(target, r.Reverse, o)
			t.Pend(o) // the other side of the relation adds it to the session
		}
	}
	t.Set(o, r.Column, id)
}

// SetMany replaces the members of a relation (2.1). A new member that is named twice breaks the commit if the relation
// has a table of its own.
func (t *Tx) SetMany(o *Object, r *Relation, members []*Object) {
	set := t.refs(o, r.Name)
	wanted := NewSet(nil)
	for _, m := range members {
		if wanted.Has(m) && !set.Has(m) && t.Types[r.Target].ColumnOf(r.Reverse) == nil {
			t.broken = t.duplicate(o.Type.Name+"_"+r.Name+"_association", "PRIMARY", m.Name())
		}
		wanted.Add(m)
	}
	old := set.List
	for _, m := range old {
		if !wanted.Has(m) {
			t.note(change{o: o, kind: left, name: r.Name, other: m})
			t.leave(o, r, m)
		}
	}
	for _, m := range wanted.List {
		if !set.Has(m) {
			t.note(change{o: o, kind: joined, name: r.Name, other: m})
			t.join(o, r, m)
		}
	}
	set.List, set.index = wanted.List, wanted.index
	t.OnRollback(func() {
		restored := NewSet(old)
		set.List, set.index = restored.List, restored.index
	})
	t.mark(o)
	if len(members) > 0 {
		t.Pend(o)
	}
}

// join is called when m becomes a member of the relation r of o. It adds o to the reverse relation of m.
func (t *Tx) join(o *Object, r *Relation, m *Object) {
	t.Pend(m)
	if single := m.Type.ColumnOf(r.Reverse); single != nil {
		t.SetOne(m, single, o)
		return
	}
	t.addRef(m, r.Reverse, o)
	t.count(o, r, m, 1)
}

// leave is called when m is no longer a member of the relation r of o. It removes o from the reverse relation of m, or
// deletes m if members that leave are deleted (Relation.Orphans).
func (t *Tx) leave(o *Object, r *Relation, m *Object) {
	if r.Orphans {
		t.Erase(m)
		return
	}
	if single := m.Type.ColumnOf(r.Reverse); single != nil {
		t.SetOne(m, single, nil)
		return
	}
	t.removeRef(m, r.Reverse, o)
	t.count(o, r, m, -1)
}

// count adds to the counter of a relation's members, such as device_number of a pool, which o or m has. eNMS
// never recounts the members (1.7).
func (t *Tx) count(o *Object, r *Relation, m *Object, by int64) {
	if r.Counter != "" {
		t.AddTo(o, r.Counter, by)
	} else if other := m.Type.Relations[r.Reverse]; other != nil && other.Counter != "" {
		t.AddTo(m, other.Counter, by)
	}
}

// Erase deletes an object and its dependents, without the hooks of their types (3).
func (t *Tx) Erase(o *Object) {
	if !o.stored {
		return
	}
	t.note(change{o: o, kind: erased})
	t.quiet++
	defer func() { t.quiet-- }()
	o.stored = false
	t.OnRollback(func() { o.stored = true })
	t.erased = append(t.erased, o)
	for _, r := range o.Type.Relations {
		if !r.Many {
			if target := o.ones[r.Name]; target != nil && r.Reverse != "" {
				t.removeRef(target, r.Reverse, o)
			}
			continue
		}
		for _, m := range slices.Clone(o.Members(r.Name)) {
			switch {
			case r.Orphans || r.Cascade:
				t.Erase(m)
			case m.Type.ColumnOf(r.Reverse) != nil:
				t.SetOne(m, m.Type.Relations[r.Reverse], nil)
			default:
				t.removeRef(m, r.Reverse, o)
			}
		}
	}
	t.endForeignKeys(o)
	tab, space, known := t.tables[o.Type.Table], t.spaces[o.Type.Names], o.known
	tab.remove(o)
	delete(space, known)
	t.OnRollback(func() { tab.insert(o); space[known] = o })
}

// clear sets a property to null as the database itself does, of which eNMS, and so the changelog, knows nothing.
func (t *Tx) clear(o *Object, name string) {
	_, known := t.before[o][name]
	t.Set(o, name, nil)
	if !known {
		delete(t.before[o], name)
	}
}

// endForeignKeys ends the relations to o without another side (Schema.ForeignKeys). On SQLite, the id remains
// in the referring row (3, credential). A strict database refuses the deletion, clears the id, or deletes
// the referring row.
func (t *Tx) endForeignKeys(o *Object) {
	for _, key := range []string{o.Type.Name, o.Type.Class} {
		foreign, ok := t.ForeignKeys[key]
		if !ok {
			continue
		}
		for _, holder := range slices.Clone(t.tables[foreign.Table].ordered) {
			if holder.ones[foreign.Relation] != o {
				continue
			}
			delete(holder.ones, foreign.Relation)
			t.OnRollback(func() { holder.ones[foreign.Relation] = o })
			if !t.strict {
				continue
			}
			switch {
			case foreign.Deleted:
				t.Erase(holder)
			case foreign.Cleared:
				t.clear(holder, foreign.Relation+"_id")
			default:
				t.broken = t.dangling(foreign.Table)
			}
		}
	}
}
