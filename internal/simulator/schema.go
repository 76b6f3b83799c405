// What a database is made for: the types of its objects, their fields and relations.

package simulator

import "slices"

// schema is what the objects of a server can be. Servers differ in it.
type schema struct {
	types map[string]*model
	// foreignKeys are the single relations without another side, by the type or the
	// class of what they refer to.
	foreignKeys map[string]foreignKey
	// hidden are types that this server does not have.
	hidden []string
	// missing are the properties that this server does not have, as "type.property".
	missing map[string][]string
}

// model is an instance type.
type model struct {
	name   string
	parent *model // nil for a type with a table of its own
	class  string // the type whose rights rules and extra search columns apply
	table  string // objects of one table share their ids
	names  string // objects of one name space have different names
	// nameless objects have no name space of their own, so that nobody finds them by name.
	nameless     bool
	fields       map[string]*field
	relations    map[string]*relation
	order        []string // relations in the order in which names are resolved
	columns      map[string]*relation
	properties   []string        // what a full answer shows, sorted, relations apart
	unserialized map[string]bool // never in an answer though not secret (1.4)
	additional   []string        // columns that search adds (5.2)
	unique       []string        // relations to one and texts that together no two rows may have
}

type kind int

// The kinds of fields.
const (
	kindText     kind = iota
	kindInt           // SQLite INTEGER: keeps what it cannot convert
	kindFloat         //
	kindBool          //
	kindDict          // pickled object: equal to nothing in a filter
	kindList          // pickled list
	kindJSON          // any JSON value
	kindSecret        // stored, never returned (1.2)
	kindComputed      // made at read time; assigning it raises
	kindProxy         // the name of the object of a single relation; assigning it renames that object (1.1)
)

// field is one property of a type.
type field struct {
	name    string
	kind    kind
	initial any // the value a new object gets when none or null was sent
	limit   int // how many characters a column of texts holds, 0 for any number
	// relation is the single relation that a proxy looks through.
	relation string
	// compute returns the value of a computed field that the database can filter and sort
	// by, from other properties; others have none.
	compute func(get func(string) any) any
}

// relation is one side of a relation between two types.
type relation struct {
	name, target string
	many         bool
	reverse      string // the other side's name on the target, "" when there is none
	column       string // single relations: the id column
	counter      string // the property that counts the members, "" for none
	unlisted     bool   // not shown and not resolved by name, yet writable (2.2)
	orphans      bool   // a member that leaves is deleted, and so is it with its owner
	cascade      bool   // members are deleted with their owner
}

// foreignKey is a single relation without another side, and what becomes of the rows
// that hold it when the row it refers to goes: their id is cleared, they are deleted, or
// neither, so that the row may not go.
type foreignKey struct {
	table, relation  string
	cleared, deleted bool
}

// typeOf returns the type of a name, nil when the server has none.
func (s *schema) typeOf(name string) *model {
	if slices.Contains(s.hidden, name) {
		return nil
	}
	return s.types[name]
}

// lacks reports whether the server does not know a property of a type.
func (s *schema) lacks(m *model, property string) bool {
	for _, missing := range s.missing[property] {
		if m.isA(missing) {
			return true
		}
	}
	return false
}

// isA reports whether m is the type of a name or a subtype of it.
func (m *model) isA(name string) bool {
	for ; m != nil; m = m.parent {
		if m.name == name {
			return true
		}
	}
	return false
}

// polymorphic reports whether rows keep their subtype in a column that can be written
// (0.2).
func (m *model) polymorphic() bool { return m.table == "object" || m.table == "service" }

// columnOf returns a relation to one, nil when it is none.
func (m *model) columnOf(relation string) *relation {
	if r := m.relations[relation]; r != nil && !r.many {
		return r
	}
	return nil
}

// tables returns how many tables the rows of a type are in: its own and those of its
// parents.
func (m *model) tables() int {
	if m == nil {
		return 0
	}
	return 1 + m.parent.tables()
}

// number reports whether a column holds numbers.
func (f *field) number() bool { return f.kind == kindInt || f.kind == kindFloat || f.kind == kindBool }

// filterable reports whether the database can filter and sort by a field.
func (f *field) filterable() bool { return f.kind != kindComputed || f.compute != nil }
