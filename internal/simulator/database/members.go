// Replacing the members of a relation, deleting objects, and what follows from both in
// other objects (2.1, 3).

package database

import "slices"

// SetMany replaces the members of a relation (2.1).
func (t *Tx) SetMany(o *Object, r *Relation, members []*Object) {
	set := t.refs(o, r.Name)
	wanted := NewSet(nil)
	for _, m := range members {
		if wanted.Has(m) {
			if !set.Has(m) && t.Types[r.Target].ColumnOf(r.Reverse) == nil {
				t.broken = t.duplicate(o.Type.Name+"_"+r.Name+"_association", "PRIMARY", m.Name())
			}
			continue
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

// join enters o on the other side of a relation to many.
func (t *Tx) join(o *Object, r *Relation, m *Object) {
	t.Pend(m)
	if single := m.Type.ColumnOf(r.Reverse); single != nil {
		t.SetOne(m, single, o)
		return
	}
	t.addRef(m, r.Reverse, o)
	t.count(o, r, m, 1)
}

// leave removes o from the other side; what may not be without an owner is deleted.
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

// count keeps counters of members, which follow them by adding and subtracting only
// (1.7), from whichever side members come and go.
func (t *Tx) count(o *Object, r *Relation, m *Object, by int64) {
	if r.Counter != "" {
		t.AddTo(o, r.Counter, by)
	} else if other := m.Type.Relations[r.Reverse]; other != nil && other.Counter != "" {
		t.AddTo(m, other.Counter, by)
	}
}

// Erase deletes an object with what depends on it, without asking its type (3).
func (t *Tx) Erase(o *Object) {
	if !o.stored {
		return
	}
	t.note(change{o: o, kind: erased})
	t.quiet++
	defer func() { t.quiet-- }()
	o.stored = false
	t.OnRollback(func() { o.stored = true })
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
	t.forget(o)
	tab, space, known := t.tables[o.Type.Table], t.spaces[o.Type.Names], o.known
	tab.remove(o)
	delete(space, known)
	t.OnRollback(func() { tab.insert(o); space[known] = o })
}

// forget ends the relations to o that have no other side: on SQLite the id stays behind,
// dangling (3, credential). A strict database does what the foreign key says: it refuses,
// clears the id, or deletes the row that held it.
func (t *Tx) forget(o *Object) {
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
			switch {
			case !t.strict:
			case foreign.Deleted:
				t.Erase(holder)
			case foreign.Cleared:
				t.Set(holder, foreign.Relation+"_id", nil)
			default:
				t.broken = t.dangling(foreign.Table)
			}
		}
	}
}
