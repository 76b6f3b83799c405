// The end of a session, which is committed or rolled back (0.1).
//
// A session on a snapshot reads the database as it was at that time, and its commit repeats its changes in
// the live database. The commit fails if an object was deleted meanwhile, or if a new object has a name
// that the session gives.

package database

import (
	"cmp"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// errPending is the error of a session that was not rolled back after its commit failed.
var errPending = python.Raise("sqlalchemy.exc.PendingRollbackError", "This Session's transaction has been rolled back due to a previous exception during flush. (Background on this error at: https://sqlalche.me/e/14/7s2a)")

// errStale is the error of a statement for a row that no longer exists.
var errStale = python.Raise("sqlalchemy.orm.exc.StaleDataError", "statement on table expected to match 1 row(s); 0 were matched.")

// Rollback undoes everything since the last commit.
func (t *Tx) Rollback() {
	for _, undo := range slices.Backward(t.undo) {
		undo()
	}
	t.reset()
}

// Commit writes the session. If the database refuses anything, it keeps nothing since the last commit.
func (t *Tx) Commit() error {
	if t.refuses {
		return errPending
	}
	err := t.flush()
	if err == nil && t.live != nil {
		err = t.replay()
	}
	if err != nil {
		t.Rollback()
		return err
	}
	if len(t.undo) > 0 {
		t.changes++
	}
	for set := range t.touched {
		set.sort()
	}
	t.reset()
	return nil
}

// Refuse has the session refuse everything until the request ends, because eNMS does not roll it back after a
// commit in the middle of a request has failed.
func (t *Tx) Refuse() { t.refuses = true }

// CheckText precedes each look-up by a string. If the database cannot compare the string, the session is
// rolled back, and what the request had changed since the last commit is lost.
func (t *Tx) CheckText(text string) error {
	if t.refuses {
		return errPending
	}
	err := t.bind(text)
	if err != nil {
		t.Rollback()
	}
	return err
}

// FetchID returns the object with an id that a request contains, or nil if there is none. If the database cannot
// compare the id, the session is rolled back, as by CheckText.
func (t *Tx) FetchID(typ string, id any) (*Object, error) {
	wanted, ok := t.operand(&Field{Name: "id", Kind: KindInt}, id)
	if !ok {
		t.Rollback()
		return nil, t.unfit("id")
	}
	return t.ByID(typ, wanted), nil
}

// replay makes the changes of the session, which were made on a snapshot, in the live database.
func (t *Tx) replay() error {
	l := t.live.Begin()
	for _, o := range t.pending {
		t.counterparts[o] = newObject(o.Type)
		for name, value := range o.Values {
			l.Set(t.counterparts[o], name, value)
		}
		for relation, target := range o.ones {
			t.counterparts[o].ones[relation] = t.counterpart(target)
		}
		l.Pend(t.counterparts[o])
	}
	for _, c := range t.log {
		if err := t.apply(l, c); err != nil {
			l.Rollback()
			return err
		}
	}
	if err := l.Commit(); err != nil {
		return err
	}
	for _, o := range t.pending {
		t.renumber(o, t.counterparts[o].ID)
	}
	return nil
}

// counterpart returns an object of the snapshot as the live database has it, or nil if it was deleted.
func (t *Tx) counterpart(o *Object) *Object {
	if o == nil {
		return nil
	}
	if counterpart := t.counterparts[o]; counterpart != nil {
		return counterpart
	}
	return t.live.tables[o.Type.Table].byID[o.ID]
}

// apply makes a change in l, a session on the live database. The change fails if the live database lacks an object that
// it needs, or already has the change of a relation to many.
func (t *Tx) apply(l *Tx, c change) error {
	o, other := t.counterpart(c.o), t.counterpart(c.other)
	if o == nil || c.other != nil && other == nil && c.kind != pointed {
		return errStale
	}
	switch c.kind {
	case changedValue:
		l.Set(o, c.name, c.value)
	case joined:
		if o.Has(c.name, other) {
			return t.duplicate(o.Type.Name+"_"+c.name+"_association", "PRIMARY", other.Name())
		}
		l.addRef(o, c.name, other)
	case left:
		if !o.Has(c.name, other) {
			return errStale
		}
		l.removeRef(o, c.name, other)
	case pointed:
		old := o.ones[c.name]
		o.ones[c.name] = other
		l.OnRollback(func() { o.ones[c.name] = old })
	case erased:
		l.Erase(o)
	}
	return nil
}

// renumber gives a new object of the snapshot the id that it got in the live database.
func (t *Tx) renumber(o *Object, id int64) {
	tab := t.tables[o.Type.Table]
	tab.remove(o)
	o.ID = id
	tab.insert(o)
}

// flush writes the changes of the session: updates in the order of the rows, then inserts.
func (t *Tx) flush() error {
	if t.broken != nil {
		return t.broken
	}
	slices.SortStableFunc(t.dirty, func(a, b *Object) int {
		return cmp.Or(strings.Compare(a.Type.Table, b.Type.Table), cmp.Compare(a.ID, b.ID))
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

// insert gives a new row its initial values and its id. A null counts as not sent, except in JSON columns (1.1).
func (t *Tx) insert(o *Object) {
	for name, v := range o.Values {
		if f := o.Type.Fields[name]; v == nil && f != nil && f.Kind != KindJSON {
			delete(o.Values, name)
		}
	}
	tab := t.tables[o.Type.Table]
	o.ID = tab.nextID(t.dialect)
	o.stored = true
	tab.insert(o)
	t.OnRollback(func() { tab.remove(o); o.stored = false })
}

// write converts the values of a row. It refuses values that do not fit, ids of rows that do not exist, and a name or
// a place that another row has.
func (t *Tx) write(o *Object) error {
	for name, v := range o.Values {
		f := o.Type.Fields[name]
		if f == nil {
			continue
		}
		stored, ok := t.keep(f, v)
		if !ok {
			return t.unfit(name)
		}
		o.Values[name] = stored
	}
	if err := t.referTo(o); err != nil {
		return err
	}
	if err := t.rename(o); err != nil {
		return err
	}
	return t.occupy(o)
}

// occupy records the values of Type.Unique of a row, its place, and refuses them if another row has them. Rows are
// written one by one: those that follow still have their previous values (1.13).
func (t *Tx) occupy(o *Object) error {
	place, before := t.placeOf(o), o.place
	if place == before {
		return nil
	}
	for _, other := range t.tables[o.Type.Table].ordered {
		if place != "" && other != o && other.place == place {
			return t.duplicate(o.Type.Table, "subtype", o.Text("subtype"))
		}
	}
	o.place = place
	t.OnRollback(func() { o.place = before })
	return nil
}

// referTo refuses ids of rows that do not exist, if the database checks foreign keys.
func (t *Tx) referTo(o *Object) error {
	if !t.strict {
		return nil
	}
	for column, r := range o.Type.Columns {
		if o.Values[column] != nil && o.ones[r.Name] == nil {
			return t.dangling(o.Type.Table)
		}
	}
	return nil
}

// rename records a row under its present name, which no other row may have.
func (t *Tx) rename(o *Object) error {
	space, name := t.spaces[o.Type.Names], t.equal(o.Name())
	known, entered := o.known, o.entered // as it was recorded before
	if o.Type.Names == "" || entered && name == known {
		return nil
	}
	bearer := space[name]
	if bearer != nil && !t.hasGone(bearer, o.Type.Names, name) {
		return t.duplicate(o.Type.Names, "name", o.Name())
	}
	if entered {
		delete(space, known)
	}
	space[name], o.known, o.entered = o, name, true
	t.OnRollback(func() {
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

// hasGone reports whether the object that has a name in the snapshot no longer has it in the live
// database: whether a name is taken depends on the live database.
func (t *Tx) hasGone(bearer *Object, space, name string) bool {
	return t.live != nil && !slices.Contains(t.pending, bearer) && t.live.spaces[space][name] == nil
}

// Restore adds an object that a server had, with its id if that is free.
func (t *Tx) Restore(typ, name string, id any) (*Object, error) {
	o, tab := t.NewObject(typ), t.tables[t.Types[typ].Table]
	number, fits := id.(int64)
	if !fits || tab.byID[number] != nil {
		number = tab.nextID(t.dialect)
	}
	o.ID, o.stored, o.Values["name"] = number, true, name
	tab.last = max(tab.last, number)
	tab.insert(o)
	return o, t.write(o)
}
