// The end of a session, in which it is written or undone (0.1).
//
// A session on a snapshot finds what was there at its time and changes what is there
// now. What it did not change in its own eyes is not written, what has gone meanwhile
// cannot be, and what has come meanwhile is in the way.

package simulator

import "slices"

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
