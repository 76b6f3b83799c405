// Objects, and the sets that relate them.

package database

import (
	"cmp"
	"maps"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// Object is one row with its relations.
type Object struct {
	Type   *Type
	ID     int64
	Values map[string]any     // the values that were set; a stored object has the initial ones of other fields
	sets   map[string]*Set    // relations to many
	ones   map[string]*Object // relations to one
	stored bool               // the row is in its table
	// entered: the namespace has the row under known, its committed name as the database compares it.
	known   string
	entered bool
	// place has the values of Type.Unique that were last written.
	place string
	// Damaged: the column type of the row has a type for which there is no data (0.2, type).
	Damaged bool
}

func newObject(m *Type) *Object {
	return &Object{Type: m, Values: map[string]any{}, sets: map[string]*Set{}, ones: map[string]*Object{}}
}

// Get returns a property. As in SQLAlchemy, a new object gets its initial values only when its row is written.
func (o *Object) Get(name string) any {
	if v, ok := o.Values[name]; ok {
		return v
	}
	if f := o.Type.Fields[name]; f != nil && o.stored {
		return f.Initial
	}
	return nil
}

// Text returns a property that is a string, or "".
func (o *Object) Text(name string) string {
	s, _ := o.Get(name).(string)
	return s
}

// Is returns a property that is a Boolean, or false.
func (o *Object) Is(name string) bool {
	b, _ := o.Get(name).(bool)
	return b
}

// Dict returns a property that is a JSON object, or nil.
func (o *Object) Dict(name string) *python.Dict {
	d, _ := o.Get(name).(*python.Dict)
	return d
}

// Name returns the name, which need not be committed yet.
func (o *Object) Name() string { return o.Text("name") }

// Property returns a property as an answer shows it. ok is false if the object does not have the property.
// Computed fields that the database cannot compute are null.
func (o *Object) Property(name string) (value any, ok bool) {
	switch name {
	case "id":
		return o.ID, true
	case "type":
		return o.Type.Name, true
	}
	f := o.Type.Fields[name]
	switch {
	case f == nil:
		return nil, false
	case f.Kind == KindComputed && f.Compute != nil:
		return f.Compute(o.Get), true
	case f.Kind == KindProxy:
		if target := o.ones[f.Relation]; target != nil {
			return target.Get("name"), true
		}
		return nil, true
	default:
		return o.Get(name), true
	}
}

// IsStored reports whether the object has a row.
func (o *Object) IsStored() bool { return o.stored }

// Members returns the objects of a relation to many.
func (o *Object) Members(relation string) []*Object {
	if set := o.sets[relation]; set != nil {
		return set.List
	}
	return nil
}

// Has reports whether an object is in a relation to many.
func (o *Object) Has(relation string, member *Object) bool {
	set := o.sets[relation]
	return set != nil && set.Has(member)
}

// One returns the object of a relation to one, or nil.
func (o *Object) One(relation string) *Object { return o.ones[relation] }

// Set is an ordered set of objects. During a request, they are in the order in which they were added, and
// afterwards in the order of the database (2.1).
type Set struct {
	// List holds the objects in their order.
	List  []*Object
	index map[*Object]struct{}
}

// NewSet returns the set of the objects in a list, which may have duplicates.
func NewSet(list []*Object) *Set {
	r := &Set{List: make([]*Object, 0, len(list)), index: make(map[*Object]struct{}, len(list))}
	for _, o := range list {
		r.Add(o)
	}
	return r
}

// Has reports whether an object is in the set.
func (r *Set) Has(o *Object) bool {
	_, ok := r.index[o]
	return ok
}

// Add appends an object that is not in the set yet.
func (r *Set) Add(o *Object) {
	if !r.Has(o) {
		r.List = append(r.List, o)
		r.index[o] = struct{}{}
	}
}

func (r *Set) remove(o *Object) {
	if at := slices.Index(r.List, o); at >= 0 {
		r.List = slices.Delete(slices.Clone(r.List), at, at+1)
		delete(r.index, o)
	}
}

// sort sorts the set as the database does, by id.
func (r *Set) sort() {
	byID := func(a, b *Object) int { return cmp.Compare(a.ID, b.ID) }
	if !slices.IsSortedFunc(r.List, byID) {
		slices.SortFunc(r.List, byID)
	}
}

// copyFrom copies the values and relations of another object. copies has the copy of each object.
func (o *Object) copyFrom(other *Object, copies map[*Object]*Object) {
	o.Values = maps.Clone(other.Values)
	o.ones = make(map[string]*Object, len(other.ones))
	for relation, target := range other.ones {
		o.ones[relation] = copies[target]
	}
	o.sets = make(map[string]*Set, len(other.sets))
	for relation, set := range other.sets {
		copied := NewSet(nil)
		for _, member := range set.List {
			copied.Add(copies[member])
		}
		o.sets[relation] = copied
	}
}
