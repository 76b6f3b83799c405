// A transaction: everything one request changes, kept or undone together (0.1).

package simulator

import (
	"reflect"
	"slices"
)

// tx is one session of the server's database layer. Look-ups by name see what is
// committed, not what the session has changed so far, as the real session does
// without autoflush; that is why two entries of one new name are a violation.
type tx struct {
	s            *Server
	user         *object // the caller; nil while the server installs itself
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

func (s *Server) begin(user *object) *tx {
	return &tx{s: s, user: user, marked: map[*object]bool{}, touched: map[*refs]bool{}, counterparts: map[*object]*object{}}
}

func (t *tx) newObject(model string) *object {
	return &object{model: models[model], values: map[string]any{}, sets: map[string]*refs{}, ones: map[string]*object{}}
}

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
	t.undo = append(t.undo, func() {
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

// refs is a relation's set, made when missing, with its present content noted for
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
	t.undo = append(t.undo, func() { set.remove(member) })
}

func (t *tx) removeRef(o *object, relation string, member *object) {
	set := t.refs(o, relation)
	if !set.has(member) {
		return
	}
	t.note(change{o: o, kind: left, name: relation, other: member})
	old := set.list
	set.remove(member)
	t.undo = append(t.undo, func() {
		set.list = old
		set.index[member] = struct{}{}
	})
}

// setOne points a single relation at target, nil for nowhere.
func (t *tx) setOne(o *object, r *relation, target *object) {
	old := o.ones[r.name]
	if old != nil && r.reverse != "" {
		t.removeRef(old, r.reverse, o)
	}
	if o.stored && old != target {
		t.note(change{o: o, kind: pointed, name: r.name, other: target})
	}
	o.ones[r.name] = target
	t.undo = append(t.undo, func() { o.ones[r.name] = old })
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

// setMany replaces the members of a relation (2.1).
func (t *tx) setMany(o *object, r *relation, members []*object) {
	set := t.refs(o, r.name)
	wanted := newRefs(nil)
	for _, m := range members {
		if wanted.has(m) {
			if !set.has(m) && models[r.target].columnOf(r.reverse) == nil {
				t.broken = t.s.db.duplicate(o.model.name+"_"+r.name+"_association", "PRIMARY", m.name())
			}
			continue
		}
		wanted.add(m)
	}
	old := set.list
	for _, m := range old {
		if !wanted.has(m) {
			t.note(change{o: o, kind: left, name: r.name, other: m})
			t.leave(o, r, m)
		}
	}
	for _, m := range wanted.list {
		if !set.has(m) {
			t.note(change{o: o, kind: joined, name: r.name, other: m})
			t.join(o, r, m)
		}
	}
	set.list, set.index = wanted.list, wanted.index
	t.undo = append(t.undo, func() {
		restored := newRefs(old)
		set.list, set.index = restored.list, restored.index
	})
	t.mark(o)
	if len(members) > 0 {
		t.pend(o)
	}
}

func (m *model) columnOf(relation string) *relation {
	if r := m.relations[relation]; r != nil && !r.many {
		return r
	}
	return nil
}

// join enters o on the other side of a relation to many.
func (t *tx) join(o *object, r *relation, m *object) {
	t.pend(m)
	if single := m.model.columnOf(r.reverse); single != nil {
		t.setOne(m, single, o)
		return
	}
	t.addRef(m, r.reverse, o)
	t.count(o, r, m, 1)
}

// leave takes o off the other side; what may not be without an owner is deleted.
func (t *tx) leave(o *object, r *relation, m *object) {
	if r.orphans {
		t.erase(m)
		return
	}
	if single := m.model.columnOf(r.reverse); single != nil {
		t.setOne(m, single, nil)
		return
	}
	t.removeRef(m, r.reverse, o)
	t.count(o, r, m, -1)
}

// count keeps a pool's counters, which follow its members by adding and
// subtracting only (1.7).
func (t *tx) count(o *object, r *relation, m *object, by int64) {
	pool, member := o, m
	if r.name == "pools" {
		pool, member = m, o
	}
	if pool.model.name != "pool" || member.model.class != "device" && member.model.class != "link" ||
		r.name != "pools" && r.name != "devices" && r.name != "links" {
		return
	}
	t.addTo(pool, member.model.class+"_number", by)
}

func (t *tx) addTo(o *object, property string, by int64) {
	n, _ := o.get(property).(int64)
	t.set(o, property, n+by)
}

// erase takes an object out of the database with what depends on it, without
// asking its model (3).
func (t *tx) erase(o *object) {
	if !o.stored {
		return
	}
	t.note(change{o: o, kind: erased})
	t.quiet++
	defer func() { t.quiet-- }()
	o.stored = false
	t.undo = append(t.undo, func() { o.stored = true })
	for _, r := range o.model.relations {
		if !r.many {
			t.detachOne(o, r)
			continue
		}
		for _, m := range slices.Clone(o.members(r.name)) {
			switch {
			case r.orphans || r.cascade:
				t.erase(m)
			case m.model.columnOf(r.reverse) != nil:
				t.setOne(m, m.model.relations[r.reverse], nil)
			default:
				t.removeRef(m, r.reverse, o)
			}
		}
	}
	t.s.forget(t, o)
	tab, space, known := t.s.table(o.model.table), t.s.space(o.model.names), o.known
	tab.remove(o)
	delete(space, known)
	t.undo = append(t.undo, func() { tab.insert(o); space[known] = o })
}

func (t *tx) detachOne(o *object, r *relation) {
	target := o.ones[r.name]
	if target != nil && r.reverse != "" {
		t.removeRef(target, r.reverse, o)
	}
}

// forget ends the single relations to o that have no other side: on SQLite the id
// stays behind, dangling (3, credential). A strict database does what the foreign
// key says: it refuses, clears the id, or deletes the row that held it.
func (s *Server) forget(t *tx, o *object) {
	for _, key := range []string{o.model.name, o.model.class} {
		holder, ok := holders[key]
		if !ok {
			continue
		}
		for _, h := range slices.Clone(s.table(holder.table).ordered) {
			if h.ones[holder.relation] != o {
				continue
			}
			delete(h.ones, holder.relation)
			t.undo = append(t.undo, func() { h.ones[holder.relation] = o })
			switch {
			case !s.db.strict:
			case holder.deleted:
				t.erase(h)
			case holder.cleared:
				t.set(h, holder.relation+"_id", nil)
			default:
				t.broken = s.db.dangling(holder.table)
			}
		}
	}
}

// holder is a single relation without another side, and what its foreign key says
// about a row that goes: the holder's id is cleared, the holder is deleted, or
// neither, so that the row may not go.
type holder struct {
	table, relation  string
	cleared, deleted bool
}

var holders = map[string]holder{
	"credential": {table: "service", relation: "named_credential"},
	"workflow":   {table: "service", relation: "superworkflow", cleared: true},
	"service":    {table: "run", relation: "service", deleted: true},
	"task":       {table: "run", relation: "task", cleared: true},
}
