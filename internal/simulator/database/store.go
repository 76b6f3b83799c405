// The database: tables of objects.

package database

import (
	"cmp"
	"slices"
)

// Database is a database, or a snapshot of one. It is not safe for concurrent use.
type Database struct {
	*dialect
	*Schema
	kept map[string]*table             // by name
	used map[string]map[string]*Object // name space -> committed name -> object
	// changes counts the commits that may have changed something.
	changes int64
	// live is the database that a snapshot is one of, nil for the database itself.
	live *Database
}

// New returns an empty database.
func New(engine Engine, s *Schema) *Database {
	return &Database{dialect: dialects[engine], Schema: s, kept: map[string]*table{}, used: map[string]map[string]*Object{}}
}

// table holds the objects that share ids, ordered by id.
type table struct {
	byID    map[int64]*Object
	ordered []*Object
	last    int64 // the highest id there ever was
}

// nextID returns SQLite's choice of a row number: one above the highest in use, so
// that the id of an object deleted just before comes back (0.2). Strict databases
// count on, even over rows that were refused.
func (t *table) nextID(d *dialect) int64 {
	if !d.strict {
		t.last = 0
		if n := len(t.ordered); n > 0 {
			t.last = t.ordered[n-1].ID
		}
	}
	t.last++
	return t.last
}

func (t *table) position(id int64) (int, bool) {
	return slices.BinarySearchFunc(t.ordered, id, func(o *Object, id int64) int { return cmp.Compare(o.ID, id) })
}

func (t *table) insert(o *Object) {
	at, _ := t.position(o.ID)
	t.ordered = slices.Insert(t.ordered, at, o)
	t.byID[o.ID] = o
}

func (t *table) remove(o *Object) {
	if at, ok := t.position(o.ID); ok {
		t.ordered = slices.Delete(t.ordered, at, at+1)
		delete(t.byID, o.ID)
	}
}

func (s *Database) table(name string) *table {
	t := s.kept[name]
	if t == nil {
		t = &table{byID: map[int64]*Object{}}
		s.kept[name] = t
	}
	return t
}

func (s *Database) space(name string) map[string]*Object {
	space := s.used[name]
	if space == nil {
		space = map[string]*Object{}
		s.used[name] = space
	}
	return space
}

// All returns the objects of a type and its subtypes, ordered by id.
func (s *Database) All(typ string) []*Object {
	rows := s.table(s.Types[typ].Table).ordered
	out := make([]*Object, 0, len(rows))
	for _, o := range rows {
		if o.Type.IsA(typ) {
			out = append(out, o)
		}
	}
	return out
}

// ByName returns the object of a type that has a name, nil for none.
func (s *Database) ByName(typ, name string) *Object {
	m := s.Types[typ]
	if m.Nameless {
		return nil
	}
	if o := s.space(m.Names)[s.equal(name)]; o != nil && o.Type.IsA(typ) {
		return o
	}
	return nil
}

// ByID returns the object of a type that has an id, which may be a text, nil for none.
func (s *Database) ByID(typ string, id any) *Object {
	number, _ := Convert(KindInt, id)
	n, ok := number.(int64)
	if !ok {
		return nil
	}
	if o := s.table(s.Types[typ].Table).byID[n]; o != nil && o.Type.IsA(typ) {
		return o
	}
	return nil
}

// Current reports whether nothing has changed since a snapshot was made.
func (s *Database) Current() bool { return s.live == nil || s.changes == s.live.changes }

// Snapshot returns a copy of the database, or of a snapshot.
func (s *Database) Snapshot() *Database {
	view := &Database{dialect: s.dialect, Schema: s.Schema, live: cmp.Or(s.live, s), changes: s.changes,
		kept: map[string]*table{}, used: map[string]map[string]*Object{}}
	copies := map[*Object]*Object{}
	for name, t := range s.kept {
		fresh := &table{byID: make(map[int64]*Object, len(t.byID)), ordered: make([]*Object, 0, len(t.ordered)), last: t.last}
		for _, o := range t.ordered {
			c := *o
			copies[o] = &c
			fresh.byID[o.ID] = &c
			fresh.ordered = append(fresh.ordered, &c)
		}
		view.kept[name] = fresh
	}
	for o, c := range copies {
		c.related(o, copies)
	}
	for space, known := range s.used {
		view.used[space] = make(map[string]*Object, len(known))
		for name, o := range known {
			view.used[space][name] = copies[o]
		}
	}
	return view
}

// CanHold reports whether the database can look for a text.
func (s *Database) CanHold(text string) bool { return s.bind(text) == nil }
