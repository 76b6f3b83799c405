// The database: tables of objects, and the sets that relate them.

package simulator

import (
	"cmp"
	"slices"
)

// table holds the objects that share ids, ordered by id.
type table struct {
	byID    map[int64]*object
	ordered []*object
	last    int64 // the highest id there ever was
}

// nextID is SQLite's choice of a row number: one above the highest in use, so
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

// object is one row with its relations.
type object struct {
	model  *model
	id     int64
	values map[string]any     // what differs from the model's initial values
	sets   map[string]*refs   // relations to many
	ones   map[string]*object // relations to one
	stored bool               // the row is in its table
	known  string             // what the row is found by: the committed name, as the database compares it
	// entered rows are in their name space under known.
	entered bool
	// place is what the row holds, as it was last written, of what is unique beside names.
	place string
	// damaged rows say they are of a subtype they have no data for (0.2, type).
	damaged bool
}

// get is the value of a stored property. Initial values arrive only when the row
// is written: until then a new object answers nil, as in SQLAlchemy.
func (o *object) get(name string) any {
	if v, ok := o.values[name]; ok {
		return v
	}
	if f := o.model.fields[name]; f != nil && o.stored {
		return f.initial
	}
	return nil
}

func (o *object) text(name string) string {
	s, _ := o.get(name).(string)
	return s
}

func (o *object) is(name string) bool {
	b, _ := o.get(name).(bool)
	return b
}

func (o *object) dict(name string) *dict {
	d, _ := o.get(name).(*dict)
	return d
}

func (o *object) name() string { return o.text("name") }

// members are the objects of a relation to many.
func (o *object) members(relation string) []*object {
	if set := o.sets[relation]; set != nil {
		return set.list
	}
	return nil
}

func (o *object) has(relation string, member *object) bool {
	set := o.sets[relation]
	return set != nil && set.has(member)
}

// refs is an ordered set of objects: in the order of their joining during a
// request, in the database's afterwards (2.1).
type refs struct {
	list  []*object
	index map[*object]struct{}
}

func newRefs(list []*object) *refs {
	r := &refs{list: list, index: make(map[*object]struct{}, len(list))}
	for _, o := range list {
		r.index[o] = struct{}{}
	}
	return r
}

func (r *refs) has(o *object) bool {
	_, ok := r.index[o]
	return ok
}

func (r *refs) add(o *object) {
	r.list = append(r.list, o)
	r.index[o] = struct{}{}
}

func (r *refs) remove(o *object) {
	if at := slices.Index(r.list, o); at >= 0 {
		r.list = slices.Delete(slices.Clone(r.list), at, at+1)
		delete(r.index, o)
	}
}

// sort brings the set into the order in which the database would return it.
func (r *refs) sort() {
	byID := func(a, b *object) int { return cmp.Compare(a.id, b.id) }
	if !slices.IsSortedFunc(r.list, byID) {
		slices.SortFunc(r.list, byID)
	}
}

func (s *Server) table(name string) *table {
	t := s.tables[name]
	if t == nil {
		t = &table{byID: map[int64]*object{}}
		s.tables[name] = t
	}
	return t
}

func (s *Server) space(name string) map[string]*object {
	space := s.names[name]
	if space == nil {
		space = map[string]*object{}
		s.names[name] = space
	}
	return space
}

// all are the objects of a type and its subtypes, ordered by id.
func (s *Server) all(m *model) []*object {
	rows := s.table(m.table).ordered
	out := make([]*object, 0, len(rows))
	for _, o := range rows {
		if o.model.isA(m.name) {
			out = append(out, o)
		}
	}
	return out
}

func (s *Server) byName(m *model, name string) *object {
	if m.names == "object" { // the one type whose objects have no name space of their own
		return nil
	}
	if o := s.space(m.names)[s.db.equal(name)]; o != nil && o.model.isA(m.name) {
		return o
	}
	return nil
}

func (s *Server) byID(m *model, id any) *object {
	number, ok := convert(kindInt, id)
	if !ok {
		return nil
	}
	n, ok := number.(int64)
	if !ok {
		return nil
	}
	if o := s.table(m.table).byID[n]; o != nil && o.model.isA(m.name) {
		return o
	}
	return nil
}
