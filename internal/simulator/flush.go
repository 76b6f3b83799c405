// Writing a session to the tables (0.1).

package simulator

import (
	"cmp"
	"slices"
	"strings"
)

// flush writes what the session has changed: updates in the order of the rows, then
// inserts.
func (t *tx) flush() error {
	if t.broken != nil {
		return t.broken
	}
	slices.SortStableFunc(t.dirty, func(a, b *object) int {
		return cmp.Or(strings.Compare(a.model.table, b.model.table), cmp.Compare(a.id, b.id))
	})
	for _, o := range t.dirty {
		if !o.stored {
			continue
		}
		if err := t.write(o); err != nil {
			return err
		}
	}
	for _, o := range t.pending {
		t.insert(o)
		if err := t.write(o); err != nil {
			return err
		}
	}
	return nil
}

// insert gives a new row its initial values and its id. null counts as not sent,
// except in JSON columns (1.1).
func (t *tx) insert(o *object) {
	for name, v := range o.values {
		if f := o.model.fields[name]; v == nil && f != nil && f.kind != kindJSON {
			delete(o.values, name)
		}
	}
	tab := t.table(o.model.table)
	o.id = tab.nextID(t.dialect)
	o.stored = true
	tab.insert(o)
	t.onRollback(func() { tab.remove(o); o.stored = false })
}

// write converts the values of a row and enters its name.
func (t *tx) write(o *object) error {
	for name, v := range o.values {
		f := o.model.fields[name]
		if f == nil {
			continue
		}
		stored, ok := t.keep(f, v)
		if !ok {
			return t.unfit(name)
		}
		o.values[name] = stored
	}
	if err := t.referTo(o); err != nil {
		return err
	}
	if err := t.rename(o); err != nil {
		return err
	}
	return t.occupy(o)
}

// occupy enters what a row holds beside its name that no two may. Rows are written one by
// one: those that come later still hold what they held before (1.13).
func (t *tx) occupy(o *object) error {
	if o.model.place == nil {
		return nil
	}
	place, before := o.model.place(o, t.equal), o.place
	for _, other := range t.table(o.model.table).ordered {
		if place != "" && other != o && other.place == place {
			return t.duplicate(o.model.table, "subtype", o.text("subtype"))
		}
	}
	o.place = place
	t.onRollback(func() { o.place = before })
	return nil
}

// referTo refuses ids of rows that are not there, where the database looks.
func (t *tx) referTo(o *object) error {
	if !t.strict {
		return nil
	}
	for column, r := range o.model.columns {
		if o.values[column] != nil && o.ones[r.name] == nil {
			return t.dangling(o.model.table)
		}
	}
	return nil
}

// rename enters a row under its present name, which no other may bear.
func (t *tx) rename(o *object) error {
	space, name, known, entered := t.space(o.model.names), t.equal(o.name()), o.known, o.entered
	if entered && name == known {
		return nil
	}
	bearer := space[name]
	if bearer != nil && !t.hasGone(bearer, o.model.names, name) {
		return t.duplicate(o.model.names, "name", o.name())
	}
	if entered {
		delete(space, known)
	}
	space[name], o.known, o.entered = o, name, true
	t.onRollback(func() {
		delete(space, name)
		if bearer != nil {
			space[name] = bearer
		}
		o.known, o.entered = known, entered
		if entered {
			space[known] = o
		}
	})
	return nil
}

// hasGone reports whether what bears a name in the snapshot does so no longer: whether a
// name is taken the database decides by what is there now.
func (t *tx) hasGone(bearer *object, space, name string) bool {
	return t.live != nil && !slices.Contains(t.pending, bearer) && t.live.space(space)[name] == nil
}
