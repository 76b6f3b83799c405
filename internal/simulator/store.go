// The database: tables of objects.

package simulator

import (
	"cmp"
	"slices"
)

// store is a database, or a snapshot of one. It is not safe for concurrent use.
type store struct {
	*dialect
	*schema
	kept map[string]*table             // by name
	used map[string]map[string]*object // name space -> committed name -> object
	// changes counts the commits that may have changed something.
	changes int64
	// live is the database that a snapshot is one of, nil for the database itself.
	live *store
}

// newStore returns an empty database.
func newStore(engine Database, s *schema) *store {
	return &store{dialect: dialects[engine], schema: s, kept: map[string]*table{}, used: map[string]map[string]*object{}}
}

// table holds the objects that share ids, ordered by id.
type table struct {
	byID    map[int64]*object
	ordered []*object
	last    int64 // the highest id there ever was
}

// nextID returns SQLite's choice of a row number: one above the highest in use, so
// that the id of an object deleted just before comes back (0.2). Strict databases
// count on, even over rows that were refused.
func (t *table) nextID(d *dialect) int64 {
	if !d.strict {
		t.last = 0
		if n := len(t.ordered); n > 0 {
			t.last = t.ordered[n-1].id
		}
	}
	t.last++
	return t.last
}

func (t *table) position(id int64) (int, bool) {
	return slices.BinarySearchFunc(t.ordered, id, func(o *object, id int64) int { return cmp.Compare(o.id, id) })
}

func (t *table) insert(o *object) {
	at, _ := t.position(o.id)
	t.ordered = slices.Insert(t.ordered, at, o)
	t.byID[o.id] = o
}

func (t *table) remove(o *object) {
	if at, ok := t.position(o.id); ok {
		t.ordered = slices.Delete(t.ordered, at, at+1)
		delete(t.byID, o.id)
	}
}

func (s *store) table(name string) *table {
	t := s.kept[name]
	if t == nil {
		t = &table{byID: map[int64]*object{}}
		s.kept[name] = t
	}
	return t
}

func (s *store) space(name string) map[string]*object {
	space := s.used[name]
	if space == nil {
		space = map[string]*object{}
		s.used[name] = space
	}
	return space
}

// all returns the objects of a type and its subtypes, ordered by id.
func (s *store) all(typ string) []*object {
	rows := s.table(s.types[typ].table).ordered
	out := make([]*object, 0, len(rows))
	for _, o := range rows {
		if o.model.isA(typ) {
			out = append(out, o)
		}
	}
	return out
}

// byName returns the object of a type that has a name, nil for none.
func (s *store) byName(typ, name string) *object {
	m := s.types[typ]
	if m.nameless {
		return nil
	}
	if o := s.space(m.names)[s.equal(name)]; o != nil && o.model.isA(typ) {
		return o
	}
	return nil
}

// byID returns the object of a type that has an id, which may be a text, nil for none.
func (s *store) byID(typ string, id any) *object {
	number, _ := convert(kindInt, id)
	n, ok := number.(int64)
	if !ok {
		return nil
	}
	if o := s.table(s.types[typ].table).byID[n]; o != nil && o.model.isA(typ) {
		return o
	}
	return nil
}

// current reports whether nothing has changed since a snapshot was made.
func (s *store) current() bool { return s.live == nil || s.changes == s.live.changes }

// snapshot returns a copy of the database, or of a snapshot.
func (s *store) snapshot() *store {
	view := &store{dialect: s.dialect, schema: s.schema, live: cmp.Or(s.live, s), changes: s.changes,
		kept: map[string]*table{}, used: map[string]map[string]*object{}}
	copies := map[*object]*object{}
	for name, t := range s.kept {
		fresh := &table{byID: make(map[int64]*object, len(t.byID)), ordered: make([]*object, 0, len(t.ordered)), last: t.last}
		for _, o := range t.ordered {
			c := *o
			copies[o] = &c
			fresh.byID[o.id] = &c
			fresh.ordered = append(fresh.ordered, &c)
		}
		view.kept[name] = fresh
	}
	for o, c := range copies {
		c.related(o, copies)
	}
	for space, known := range s.used {
		view.used[space] = make(map[string]*object, len(known))
		for name, o := range known {
			view.used[space][name] = copies[o]
		}
	}
	return view
}
