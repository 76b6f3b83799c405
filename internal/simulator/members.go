// Replacing the members of a relation, deleting objects, and what follows from both in
// other objects (2.1, 3).

package simulator

import "slices"

// setMany replaces the members of a relation (2.1).
func (t *tx) setMany(o *object, r *relation, members []*object) {
	set := t.refs(o, r.name)
	wanted := newRefs(nil)
	for _, m := range members {
		if wanted.has(m) {
			if !set.has(m) && t.types[r.target].columnOf(r.reverse) == nil {
				t.broken = t.duplicate(o.model.name+"_"+r.name+"_association", "PRIMARY", m.name())
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
	t.onRollback(func() {
		restored := newRefs(old)
		set.list, set.index = restored.list, restored.index
	})
	t.mark(o)
	if len(members) > 0 {
		t.pend(o)
	}
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

// leave removes o from the other side; what may not be without an owner is deleted.
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

// count keeps counters of members, which follow them by adding and subtracting only
// (1.7), from whichever side members come and go.
func (t *tx) count(o *object, r *relation, m *object, by int64) {
	if r.counter != "" {
		t.addTo(o, r.counter, by)
	} else if other := m.model.relations[r.reverse]; other != nil && other.counter != "" {
		t.addTo(m, other.counter, by)
	}
}

// erase deletes an object with what depends on it, without asking its type (3).
func (t *tx) erase(o *object) {
	if !o.stored {
		return
	}
	t.note(change{o: o, kind: erased})
	t.quiet++
	defer func() { t.quiet-- }()
	o.stored = false
	t.onRollback(func() { o.stored = true })
	for _, r := range o.model.relations {
		if !r.many {
			if target := o.ones[r.name]; target != nil && r.reverse != "" {
				t.removeRef(target, r.reverse, o)
			}
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
	t.forget(o)
	tab, space, known := t.table(o.model.table), t.space(o.model.names), o.known
	tab.remove(o)
	delete(space, known)
	t.onRollback(func() { tab.insert(o); space[known] = o })
}

// forget ends the relations to o that have no other side: on SQLite the id stays behind,
// dangling (3, credential). A strict database does what the foreign key says: it refuses,
// clears the id, or deletes the row that held it.
func (t *tx) forget(o *object) {
	for _, key := range []string{o.model.name, o.model.class} {
		foreign, ok := t.foreignKeys[key]
		if !ok {
			continue
		}
		for _, holder := range slices.Clone(t.table(foreign.table).ordered) {
			if holder.ones[foreign.relation] != o {
				continue
			}
			delete(holder.ones, foreign.relation)
			t.onRollback(func() { holder.ones[foreign.relation] = o })
			switch {
			case !t.strict:
			case foreign.deleted:
				t.erase(holder)
			case foreign.cleared:
				t.set(holder, foreign.relation+"_id", nil)
			default:
				t.broken = t.dangling(foreign.table)
			}
		}
	}
}
