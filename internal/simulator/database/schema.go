// What a database is made for: the types of its objects, their fields and relations.

package database

import "slices"

// Schema says which types of objects a server has.
type Schema struct {
	Types map[string]*Type
	// ForeignKeys are the single relations without another side, by the type or the
	// class of what they refer to.
	ForeignKeys map[string]ForeignKey
	// Hidden are types that this server does not have.
	Hidden []string
	// Missing are, by property, the types that lack it on this server.
	Missing map[string][]string
}

// Type is an instance type.
type Type struct {
	Name   string
	Parent *Type  // nil for a type with a table of its own
	Class  string // the type whose rights rules and extra search columns apply
	Table  string // objects of one table share their ids
	Names  string // objects of one name space have different names
	// Nameless objects have no name space of their own, so that nobody finds them by name.
	Nameless     bool
	Fields       map[string]*Field
	Relations    map[string]*Relation
	Order        []string // relations in the order in which names are resolved
	Columns      map[string]*Relation
	Properties   []string        // what a full answer shows, sorted, relations apart
	Unserialized map[string]bool // never in an answer though not secret (1.4)
	Additional   []string        // columns that search adds (5.2)
	Unique       []string        // relations to one and strings that together no two rows may have
}

// Kind is the kind of a field.
type Kind int

// The kinds of fields.
const (
	KindText     Kind = iota
	KindInt           // SQLite INTEGER: keeps what it cannot convert
	KindFloat         //
	KindBool          //
	KindDict          // pickled object: equal to nothing in a filter
	KindList          // pickled list
	KindJSON          // any JSON value
	KindSecret        // stored, never returned (1.2)
	KindComputed      // made at read time; assigning it raises
	KindProxy         // the name of the object of a single relation; assigning it renames that object (1.1)
)

// Field is one property of a type.
type Field struct {
	Name    string
	Kind    Kind
	Initial any // the value a new object gets when none or null was sent
	Limit   int // how many characters a column of strings holds, 0 for any number
	// Relation is the single relation that a proxy looks through.
	Relation string
	// Compute returns the value of a computed field that the database can filter and sort
	// by, from other properties; others have none.
	Compute func(get func(string) any) any
}

// Relation is one side of a relation between two types.
type Relation struct {
	Name, Target string
	Many         bool
	Reverse      string // the other side's name on the target, "" when there is none
	Column       string // single relations: the id column
	Counter      string // the property that counts the members, "" for none
	Unlisted     bool   // not shown and not resolved by name, yet writable (2.2)
	Orphans      bool   // a member that leaves is deleted, and so is it with its owner
	Cascade      bool   // members are deleted with their owner
}

// ForeignKey is a single relation without another side, and what becomes of the rows
// that hold it when the row it refers to goes: their id is cleared, they are deleted, or
// neither, so that the row may not go.
type ForeignKey struct {
	Table, Relation  string
	Cleared, Deleted bool
}

// Type returns the type of a name, nil when the server has none.
func (s *Schema) Type(name string) *Type {
	if slices.Contains(s.Hidden, name) {
		return nil
	}
	return s.Types[name]
}

// Lacks reports whether the server does not know a property of a type.
func (s *Schema) Lacks(m *Type, property string) bool {
	for _, missing := range s.Missing[property] {
		if m.IsA(missing) {
			return true
		}
	}
	return false
}

// IsA reports whether m is the type of a name or a subtype of it.
func (m *Type) IsA(name string) bool {
	for ; m != nil; m = m.Parent {
		if m.Name == name {
			return true
		}
	}
	return false
}

// Polymorphic reports whether rows keep their subtype in a column that can be written
// (0.2).
func (m *Type) Polymorphic() bool { return m.Table == "object" || m.Table == "service" }

// ColumnOf returns a relation to one, nil when it is none.
func (m *Type) ColumnOf(relation string) *Relation {
	if r := m.Relations[relation]; r != nil && !r.Many {
		return r
	}
	return nil
}

// tables returns how many tables the rows of a type are in: its own and those of its
// parents.
func (m *Type) tables() int {
	if m == nil {
		return 0
	}
	return 1 + m.Parent.tables()
}

// number reports whether a column holds numbers.
func (f *Field) number() bool { return f.Kind == KindInt || f.Kind == KindFloat || f.Kind == KindBool }

// Filterable reports whether the database can filter and sort by a field.
func (f *Field) Filterable() bool { return f.Kind != KindComputed || f.Compute != nil }
