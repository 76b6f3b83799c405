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
	last    int64   // the highest id that was ever used
	late    []int64 // ids that the next rows get, see ReserveIDs
}

// nextID returns the id of a new row. SQLite uses one above the highest in use, so that the id of an
// object that was deleted just before is used again (0.2). Strict databases count up, even for rows that
// were refused.
func (t *table) nextID(d *dialect) int64 {
	if len(t.late) > 0 {
		id := t.late[0]
		t.late = t.late[1:]
		return id
	}
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

// Shuffle orders n objects by swapping them.
type Shuffle = func(n int, swap func(i, j int))

// Renumber exchanges the ids of the objects of each table, in the order that shuffle makes, and returns
// the new ids of a type by the old ones.
func (db *Database) Renumber(typ string, shuffle Shuffle) map[int64]int64 {
	return db.move(typ, func(t *table) {
		ids := make([]int64, len(t.ordered))
		for i, o := range t.ordered {
			ids[i] = o.ID
		}
		shuffle(len(ids), func(i, j int) { t.ordered[i], t.ordered[j] = t.ordered[j], t.ordered[i] })
		for i, o := range t.ordered {
			o.ID, t.byID[ids[i]] = ids[i], o
		}
	})
}

// Reinsert deletes the rows that replaced selects, and inserts them again in the order that shuffle makes: each gets
// the id that a new row gets. It returns the new ids of a type by the old ones.
func (db *Database) Reinsert(typ string, replaced func(*Object) bool, shuffle Shuffle) map[int64]int64 {
	return db.move(typ, func(t *table) {
		var again []*Object
		for _, o := range slices.Clone(t.ordered) {
			if replaced(o) {
				again = append(again, o)
				t.remove(o)
			}
		}
		shuffle(len(again), func(i, j int) { again[i], again[j] = again[j], again[i] })
		for _, o := range again {
			o.ID = t.nextID(db.dialect)
			t.insert(o)
		}
	})
}

// move changes the ids of the objects of each table, and has the columns of relations follow. It returns the new ids
// of a type by the old ones.
func (db *Database) move(typ string, change func(*table)) map[int64]int64 {
	was, now := map[*Object]int64{}, map[int64]int64{}
	for _, name := range slices.Sorted(maps.Keys(db.tables)) {
		for _, o := range db.tables[name].ordered {
			was[o] = o.ID
		}
		change(db.tables[name])
	}
	for o := range was {
		for column, r := range o.Type.Columns {
			if target := o.ones[r.Name]; target != nil {
				o.Values[column] = target.ID
			}
		}
		if o.place != "" {
			o.place = db.placeOf(o)
		}
	}
	db.changes++
	for _, o := range db.All(typ) {
		now[was[o]] = o.ID
	}
	return now
}

// ResetIDs makes the ids of a table begin at 1 again. The table must have no rows.
func (db *Database) ResetIDs(typ string) { db.tables[db.Types[typ].Table].last = 0 }

// ReserveIDs takes the next n ids of a table. The function that it returns assigns them to the next n rows. With SQLite,
// where a row gets its id when it is visible to all, it does nothing.
func (db *Database) ReserveIDs(typ string, n int) (use func()) {
	t, ids := db.tables[db.Types[typ].Table], []int64{}
	for range n {
		if db.strict {
			ids = append(ids, t.nextID(db.dialect))
		}
	}
	return func() { t.late = append(t.late, ids...) }
}

// Copy returns a copy of the database that does not depend on it.
func (db *Database) Copy() *Database {
	c := db.Snapshot()
	c.live = nil
	return c
}

// Become gives the database the rows of another one, which must not be used afterwards, and what that knows of ids.
func (db *Database) Become(other *Database) {
	db.tables, db.spaces = other.tables, other.spaces
	db.changes++
}

// Current reports whether nothing has changed since a snapshot was made.
func (db *Database) Current() bool { return db.live == nil || db.changes == db.live.changes }

// Snapshot returns a copy of the database, or of a snapshot.
func (db *Database) Snapshot() *Database {
	view := &Database{dialect: db.dialect, Schema: db.Schema, live: cmp.Or(db.live, db), changes: db.changes,
		tables: map[string]*table{}, spaces: map[string]map[string]*Object{}}
	copies := map[*Object]*Object{}
	for name, t := range db.tables {
		fresh := &table{byID: make(map[int64]*Object, len(t.byID)), ordered: make([]*Object, 0, len(t.ordered)), last: t.last, late: slices.Clone(t.late)}
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
