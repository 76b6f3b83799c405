// Package database stores the objects of a simulated eNMS as its database and SQLAlchemy do: in tables, with
// transactions and snapshots. A Schema declares the types of objects. Numbers in comments are sections of
// enms-rest.md.
//
//	commit.go      the end of a transaction: what is written, what is refused
//	tx.go          a transaction: single changes, relations to many, deletions
//	conditions.go  conditions and order of queries and searches
//	database.go    tables, look-ups, snapshots
//	engine.go      the databases, and SQLite;  postgresql.go, mariadb.go  the others
//	dialect.go     how the databases differ
//	pattern.go     their regular expressions
//	object.go      objects and their relations
//	schema.go      types, fields, relations; the conversion of values by a column
package database

import (
	"cmp"
	"maps"
	"slices"
)

// Database is a database, or a snapshot of one. It is not safe for concurrent use.
type Database struct {
	*dialect
	*Schema
	tables map[string]*table             // by name
	spaces map[string]map[string]*Object // namespace -> committed name -> object
	// changes counts the commits that may have changed something.
	changes int64
	// live is the database of which this is a snapshot, or nil for the database itself.
	live *Database
}

// New returns an empty database.
func New(engine Engine, s *Schema) *Database {
	db := &Database{dialect: dialects[engine], Schema: s, tables: map[string]*table{}, spaces: map[string]map[string]*Object{}}
	for _, t := range s.Types {
		db.tables[t.Table], db.spaces[t.Names] = &table{byID: map[int64]*Object{}}, map[string]*Object{}
	}
	return db
}

// table holds the objects that share ids, ordered by id.
type table struct {
	byID    map[int64]*Object
	ordered []*Object
	last    int64 // the highest id that was ever used
}

// nextID returns the id of a new row. SQLite uses one above the highest in use, so that the id of an
// object that was deleted just before is used again (0.2). Strict databases count up, even for rows that
// were refused.
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

// All returns the objects of a type and its subtypes, ordered by id.
func (db *Database) All(typ string) []*Object {
	rows := db.tables[db.Types[typ].Table].ordered
	out := make([]*Object, 0, len(rows))
	for _, o := range rows {
		if o.Type.IsA(typ) {
			out = append(out, o)
		}
	}
	return out
}

// ByName returns the object of a type that has a name, nil for none.
func (db *Database) ByName(typ, name string) *Object {
	m := db.Types[typ]
	if m.Nameless {
		return nil
	}
	if o := db.spaces[m.Names][db.equal(name)]; o != nil && o.Type.IsA(typ) {
		return o
	}
	return nil
}

// ByID returns the object of a type that has an id, which may be a string, nil for none.
func (db *Database) ByID(typ string, id any) *Object {
	number, _ := Convert(KindInt, id)
	n, ok := number.(int64)
	if !ok {
		return nil
	}
	if o := db.tables[db.Types[typ].Table].byID[n]; o != nil && o.Type.IsA(typ) {
		return o
	}
	return nil
}

// Renumber exchanges the ids of the objects of each table, in the order that shuffle makes, and returns
// the new ids of a type by the old ones.
func (db *Database) Renumber(typ string, shuffle func(n int, swap func(i, j int))) map[int64]int64 {
	was := map[*Object]int64{}
	for _, name := range slices.Sorted(maps.Keys(db.tables)) {
		t := db.tables[name]
		ids := make([]int64, len(t.ordered))
		for i, o := range t.ordered {
			ids[i], was[o] = o.ID, o.ID
		}
		shuffle(len(ids), func(i, j int) { t.ordered[i], t.ordered[j] = t.ordered[j], t.ordered[i] })
		for i, o := range t.ordered {
			o.ID, t.byID[ids[i]] = ids[i], o
		}
	}
	for o := range was {
		for column, r := range o.Type.Columns {
			if target := o.ones[r.Name]; target != nil {
				o.Values[column] = target.ID
			}
		}
	}
	db.changes++
	now := map[int64]int64{}
	for _, o := range db.All(typ) {
		now[was[o]] = o.ID
	}
	return now
}

// Current reports whether nothing has changed since a snapshot was made.
func (db *Database) Current() bool { return db.live == nil || db.changes == db.live.changes }

// Snapshot returns a copy of the database, or of a snapshot.
func (db *Database) Snapshot() *Database {
	view := &Database{dialect: db.dialect, Schema: db.Schema, live: cmp.Or(db.live, db), changes: db.changes,
		tables: map[string]*table{}, spaces: map[string]map[string]*Object{}}
	copies := map[*Object]*Object{}
	for name, t := range db.tables {
		fresh := &table{byID: make(map[int64]*Object, len(t.byID)), ordered: make([]*Object, 0, len(t.ordered)), last: t.last}
		for _, o := range t.ordered {
			c := *o
			copies[o] = &c
			fresh.byID[o.ID] = &c
			fresh.ordered = append(fresh.ordered, &c)
		}
		view.tables[name] = fresh
	}
	for o, c := range copies {
		c.copyFrom(o, copies)
	}
	for space, known := range db.spaces {
		view.spaces[space] = make(map[string]*Object, len(known))
		for name, o := range known {
			view.spaces[space][name] = copies[o]
		}
	}
	return view
}

// CanHold reports whether the database can compare a string.
func (db *Database) CanHold(text string) bool { return db.bind(text) == nil }
