// Writing on a snapshot: a session finds what was there at its time and changes
// what is there now. What it did not change in its own eyes is not written, what
// has gone meanwhile cannot be, and what has come meanwhile is in the way.

package simulator

type changeKind int

const (
	changedValue changeKind = iota
	joined                  // a member of a relation to many
	left
	pointed // a relation to one
	erased
)

// change is one statement of a session.
type change struct {
	o     *object
	kind  changeKind
	name  string
	value any
	other *object
}

// note keeps a change for the live database.
func (t *tx) note(c change) {
	if t.s.live != nil && t.quiet == 0 {
		t.log = append(t.log, c)
	}
}

// replay does to the live database what the session has done to its snapshot.
func (t *tx) replay() error {
	l := t.s.live.begin(nil)
	for _, o := range t.pending {
		t.counterparts[o] = &object{model: o.model, values: map[string]any{}, sets: map[string]*refs{}, ones: map[string]*object{}}
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
	return t.s.live.table(o.model.table).byID[o.id]
}

// errStale is a statement that meets another number of rows than the session knows.
var errStale = raise("sqlalchemy.orm.exc.StaleDataError", "statement on table expected to match 1 row(s); 0 were matched.")

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
			return t.s.db.duplicate(o.model.name+"_"+c.name+"_association", "PRIMARY", other.name())
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
		l.undo = append(l.undo, func() { o.ones[c.name] = old })
	case erased:
		l.erase(o)
	}
	return nil
}

// renumber gives a new object of the snapshot the id that it got.
func (t *tx) renumber(o *object, id int64) {
	tab := t.s.table(o.model.table)
	tab.remove(o)
	o.id = id
	tab.insert(o)
}
