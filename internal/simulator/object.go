// Objects, and the sets that relate them.

package simulator

import (
	"cmp"
	"maps"
	"slices"
)

// object is one row with its relations.
type object struct {
	model  *model
	id     int64
	values map[string]any     // what differs from the type's initial values
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

func newObject(m *model) *object {
	return &object{model: m, values: map[string]any{}, sets: map[string]*refs{}, ones: map[string]*object{}}
}

// get returns a stored property. Initial values arrive only when the row is written:
// until then a new object answers nil, as in SQLAlchemy.
func (o *object) get(name string) any {
	if v, ok := o.values[name]; ok {
		return v
	}
	if f := o.model.fields[name]; f != nil && o.stored {
		return f.initial
	}
	return nil
}

// text returns a property that is a text, "" when it is none.
func (o *object) text(name string) string {
	s, _ := o.get(name).(string)
	return s
}

// is returns a property that is a boolean, false when it is none.
func (o *object) is(name string) bool {
	b, _ := o.get(name).(bool)
	return b
}

// dict returns a property that is an object of JSON, nil when it is none.
func (o *object) dict(name string) *dict {
	d, _ := o.get(name).(*dict)
	return d
}

// name returns the name, which need not be committed yet.
func (o *object) name() string { return o.text("name") }

// property returns what an answer shows of a property; ok is false where the object has
// none. Computed fields that the database cannot compute are null.
func (o *object) property(name string) (value any, ok bool) {
	switch name {
	case "id":
		return o.id, true
	case "type":
		return o.model.name, true
	}
	f := o.model.fields[name]
	switch {
	case f == nil:
		return nil, false
	case f.kind == kindComputed && f.compute != nil:
		return f.compute(o.get), true
	case f.kind == kindProxy:
		if target := o.ones[f.relation]; target != nil {
			return target.get("name"), true
		}
		return nil, true
	default:
		return o.get(name), true
	}
}

// isStored reports whether the object has a row.
func (o *object) isStored() bool { return o.stored }

// members returns the objects of a relation to many.
func (o *object) members(relation string) []*object {
	if set := o.sets[relation]; set != nil {
		return set.list
	}
	return nil
}

// has reports whether an object is in a relation to many.
func (o *object) has(relation string, member *object) bool {
	set := o.sets[relation]
	return set != nil && set.has(member)
}

// one returns the object of a relation to one, nil for none.
func (o *object) one(relation string) *object { return o.ones[relation] }

// refs is an ordered set of objects: in the order of their joining during a
// request, in the database's afterwards (2.1).
type refs struct {
	list  []*object
	index map[*object]struct{}
}

// newRefs returns the set of a list in which nothing is twice.
func newRefs(list []*object) *refs {
	r := &refs{list: list, index: make(map[*object]struct{}, len(list))}
	for _, o := range list {
		r.index[o] = struct{}{}
	}
	return r
}

// distinct returns the set of a list without the second of two equal objects.
func distinct(list []*object) *refs {
	r := newRefs(nil)
	for _, o := range list {
		if !r.has(o) {
			r.add(o)
		}
	}
	return r
}

// members returns the objects in their order.
func (r *refs) members() []*object { return r.list }

// has reports whether an object is in the set.
func (r *refs) has(o *object) bool {
	_, ok := r.index[o]
	return ok
}

// add appends an object that is not in the set.
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

// related copies the relations of another object, of which this one is a copy.
func (o *object) related(other *object, copies map[*object]*object) {
	o.values = maps.Clone(other.values)
	o.ones = make(map[string]*object, len(other.ones))
	for relation, target := range other.ones {
		o.ones[relation] = copies[target]
	}
	o.sets = make(map[string]*refs, len(other.sets))
	for relation, set := range other.sets {
		list := slices.Clone(set.list)
		for i := range list {
			list[i] = copies[list[i]]
		}
		o.sets[relation] = newRefs(list)
	}
}
