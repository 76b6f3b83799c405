// The end of a session, in which it is written or undone (0.1).
//
// A session on a snapshot finds what was there at its time and changes what is there
// now. What it did not change in its own eyes is not written, what has gone meanwhile
// cannot be, and what has come meanwhile is in the way.

package simulator

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// errPending is the error of a session whose commit has failed and that nobody has
// rolled back.
var errPending = raise("sqlalchemy.exc.PendingRollbackError", "This Session's transaction has been rolled back due to a previous exception during flush. (Background on this error at: https://sqlalche.me/e/14/7s2a)")

// errStale is a statement that meets another number of rows than the session knows.
var errStale = raise("sqlalchemy.orm.exc.StaleDataError", "statement on table expected to match 1 row(s); 0 were matched.")

// rollback undoes everything since the last commit.
func (t *tx) rollback() {
	for _, undo := range slices.Backward(t.undo) {
		undo()
	}
	t.reset()
}

func (t *tx) reset() {
	t.undo, t.pending, t.dirty, t.log, t.broken, t.stale = nil, nil, nil, nil, nil, false
	t.marked, t.touched = map[*object]bool{}, map[*refs]bool{}
}

// commit writes the session: updates first, in the order of the rows, then
// inserts. When anything is refused nothing since the last commit is kept.
func (t *tx) commit() error {
	if t.stale {
		return errPending
	}
	err := t.flush()
	if err == nil && t.live != nil {
		err = t.replay()
	}
	if err != nil {
		t.rollback()
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

// commitInside commits in the middle of a request. After a failure the session is of no
// use any more until the request ends: nobody has rolled it back.
func (t *tx) commitInside() error {
	err := t.commit()
	t.stale = err != nil
	return err
}

// lookUp is what each look-up by a text goes through. One that the database cannot
// compare rolls the session back: whatever the request had changed since the last
// commit is lost.
func (t *tx) lookUp(text string) error {
	if t.stale {
		return errPending
	}
	err := t.bind(text)
	if err != nil {
		t.rollback()
	}
	return err
}

// fetchID returns the object of an id that somebody sent, nil for none.
func (t *tx) fetchID(typ string, id any) (*object, error) {
	wanted, ok := t.operand(&field{name: "id", kind: kindInt}, id)
	if !ok {
		t.rollback()
		return nil, t.unfit("id")
	}
	return t.byID(typ, wanted), nil
}

// restore puts an object back that a server held, under its id where that is free.
func (t *tx) restore(typ, name string, id any) (*object, error) {
	o, tab := t.newObject(typ), t.table(t.types[typ].table)
	number, fits := id.(int64)
	if !fits || tab.byID[number] != nil {
		number = tab.nextID(t.dialect)
	}
	o.id, o.stored, o.values["name"] = number, true, name
	tab.last = max(tab.last, number)
	tab.insert(o)
	return o, t.write(o)
}

// replay does to the live database what the session has done to its snapshot.
func (t *tx) replay() error {
	l := t.live.begin()
	for _, o := range t.pending {
		t.counterparts[o] = newObject(o.model)
		for name, value := range o.values {
			l.set(t.counterparts[o], name, value)
		}
		for relation, target := range o.ones {
			t.counterparts[o].ones[relation] = t.counterpart(target)
		}
		l.pend(t.counterparts[o])
	}
	for _, c := range t.log {
		if err := t.apply(l, c); err != nil {
			l.rollback()
			return err
		}
	}
	if err := l.commit(); err != nil {
		return err
	}
	for _, o := range t.pending {
		t.renumber(o, t.counterparts[o].id)
	}
	return nil
}

// counterpart is an object of the snapshot in the live database, nil when it has gone.
func (t *tx) counterpart(o *object) *object {
	if o == nil {
		return nil
	}
	if counterpart := t.counterparts[o]; counterpart != nil {
		return counterpart
	}
	return t.live.table(o.model.table).byID[o.id]
}

func (t *tx) apply(l *tx, c change) error {
	o, other := t.counterpart(c.o), t.counterpart(c.other)
	if o == nil || c.other != nil && other == nil && c.kind != pointed {
		return errStale
	}
	switch c.kind {
	case changedValue:
		l.set(o, c.name, c.value)
	case joined:
		if o.has(c.name, other) {
			return t.duplicate(o.model.name+"_"+c.name+"_association", "PRIMARY", other.name())
		}
		l.addRef(o, c.name, other)
	case left:
		if !o.has(c.name, other) {
			return errStale
		}
		l.removeRef(o, c.name, other)
	case pointed:
		old := o.ones[c.name]
		o.ones[c.name] = other
		l.onRollback(func() { o.ones[c.name] = old })
	case erased:
		l.erase(o)
	}
	return nil
}

// renumber gives a new object of the snapshot the id that it got.
func (t *tx) renumber(o *object, id int64) {
	tab := t.table(o.model.table)
	tab.remove(o)
	o.id = id
	tab.insert(o)
}

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
	place, before := t.placeOf(o), o.place
	if place == before {
		return nil
	}
	for _, other := range t.table(o.model.table).ordered {
		if place != "" && other != o && other.place == place {
			return t.duplicate(o.model.table, "subtype", o.text("subtype"))
		}
	}
	o.place = place
	t.onRollback(func() { o.place = before })
	return nil
}

// placeOf returns what an object holds that is unique beside its name, "" for nothing.
func (t *tx) placeOf(o *object) string {
	place := ""
	for _, name := range o.model.unique {
		if o.model.relations[name] == nil {
			place += t.equal(o.text(name))
		} else if target := o.ones[name]; target != nil {
			place += strconv.FormatInt(target.id, 10) + " "
		} else {
			return ""
		}
	}
	return place
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
