// What a model is: the table of its fields and relations, and the small words in
// which the tables of the models are written.

package simulator

import (
	"maps"
	"slices"
)

type kind int

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

// field is one property of a model.
type field struct {
	name    string
	kind    kind
	initial any // the value a new object gets when none or null was sent
	limit   int // how many characters a column of texts holds, 0 for any number
	// relation is the single relation that a proxy looks through.
	relation string
	// read makes the value of a computed field; ok is false where the property
	// does not exist on that object.
	read func(*Server, *object) (value any, ok bool)
	// filterable says that a computed field has a form the database understands.
	filterable bool
}

// relation is one side of a relation between two models.
type relation struct {
	name, target string
	many         bool
	reverse      string // the other side's name on the target, "" when there is none
	column       string // single relations: the id column
	unlisted     bool   // not shown and not resolved by name, yet writable (2.2)
	orphans      bool   // a member that leaves is deleted, and so is it with its owner
	cascade      bool   // members are deleted with their owner
}

// model is an instance type.
type model struct {
	name, parent string
	class        string // the type whose rights rules and extra search columns apply
	table        string // objects of one table share their ids
	names        string // objects of one name space have different names
	fields       map[string]*field
	relations    map[string]*relation
	order        []string // relations in the order in which names are resolved
	columns      map[string]*relation
	properties   []string        // what a full answer shows, sorted, relations apart
	unserialized map[string]bool // never in an answer though not secret (1.4)
	additional   []string        // columns that search adds (5.2)
	hooks        hooks
}

// hooks are where a model does more than keep values.
type hooks struct {
	// construct runs before the first assignment to a new object.
	construct func(*tx, *object, *dict) error
	// update runs before the assignments and gives what runs after them.
	update func(*tx, *object, *dict) (after func() error, err error)
	// created runs once a new object is whole.
	created func(*tx, *object, *dict)
	// rights replaces the owners and rights of a new object (6.3).
	rights func(*tx, *object) error
	// remove runs before a deletion; a reason stops it.
	remove func(*tx, *object) (reason string, err error)
	// removed runs when the deletion is answered, just before the object goes.
	removed func(*tx, *object) error
	// place is what no two rows may hold beside a name, "" for nothing.
	place func(*Server, *object) string
}

// element is a word of a model's table.
type element func(*model)

func fieldsOf(k kind, initial any, names []string) element {
	return func(m *model) {
		for _, name := range names {
			m.fields[name] = &field{name: name, kind: k, initial: initial, limit: textLimit(m.name, name)}
		}
	}
}

func text(initial string, names ...string) element     { return fieldsOf(kindText, initial, names) }
func integer(initial any, names ...string) element     { return fieldsOf(kindInt, initial, names) }
func decimal(initial float64, names ...string) element { return fieldsOf(kindFloat, initial, names) }
func flag(initial bool, names ...string) element       { return fieldsOf(kindBool, initial, names) }
func mapping(names ...string) element                  { return fieldsOf(kindDict, newDict(), names) }
func list(names ...string) element                     { return fieldsOf(kindList, []any{}, names) }
func anyJSON(names ...string) element                  { return fieldsOf(kindJSON, newDict(), names) }
func secret(names ...string) element                   { return fieldsOf(kindSecret, nil, names) }

func proxy(name, relation string) element {
	return func(m *model) { m.fields[name] = &field{name: name, kind: kindProxy, relation: relation} }
}

func computed(name string, read func(*Server, *object) (any, bool)) element {
	return func(m *model) { m.fields[name] = &field{name: name, kind: kindComputed, read: read} }
}

func addRelation(r relation) element {
	return func(m *model) {
		if _, ok := m.relations[r.name]; !ok {
			m.order = append(m.order, r.name)
		}
		m.relations[r.name] = &r
		if r.column != "" {
			m.columns[r.column] = &r
			m.fields[r.column] = &field{name: r.column, kind: kindInt}
		}
	}
}

func many(name, target, reverse string) element {
	return addRelation(relation{name: name, target: target, many: true, reverse: reverse})
}

func one(name, target, reverse string) element {
	return addRelation(relation{name: name, target: target, reverse: reverse, column: name + "_id"})
}

// listed shows relations that the parent model accepts without showing them.
func listed(names ...string) element {
	return func(m *model) {
		for _, name := range names {
			r := *m.relations[name]
			r.unlisted = false
			m.relations[name] = &r
		}
	}
}

func hidden(names ...string) element {
	return func(m *model) {
		for _, name := range names {
			m.unserialized[name] = true
		}
	}
}

func searchAdds(names ...string) element { return func(m *model) { m.additional = names } }
func withHooks(h hooks) element          { return func(m *model) { m.hooks = h } }

// models are all instance types by name.
var models = map[string]*model{}

// root declares a model with a table of its own, whose objects share a name space.
func root(name string, elements ...element) {
	declare(&model{name: name, class: name, table: name, names: name}, nil, elements)
}

// sub declares a subtype: it has what its parent has, in the parent's table.
func sub(name, parent string, elements ...element) {
	p := models[parent]
	declare(&model{name: name, parent: parent, class: p.class, table: p.table, names: p.names,
		additional: p.additional, hooks: p.hooks}, p, elements)
}

func declare(m, parent *model, elements []element) {
	m.fields, m.relations = map[string]*field{}, map[string]*relation{}
	m.columns, m.unserialized = map[string]*relation{}, map[string]bool{}
	if parent != nil {
		maps.Copy(m.fields, parent.fields)
		maps.Copy(m.relations, parent.relations)
		maps.Copy(m.columns, parent.columns)
		m.order = slices.Clone(parent.order)
	}
	text("", "name")(m)
	for _, add := range elements {
		add(m)
	}
	m.properties = []string{"id", "type"}
	for name, f := range m.fields {
		if f.kind != kindSecret && !m.unserialized[name] {
			m.properties = append(m.properties, name)
		}
	}
	slices.Sort(m.properties)
	models[m.name] = m
}

// isA says whether m is the model named name or a subtype of it.
func (m *model) isA(name string) bool {
	for m != nil {
		if m.name == name {
			return true
		}
		m = models[m.parent]
	}
	return false
}

// polymorphic models keep their subtype in a column that can be written (0.2).
func (m *model) polymorphic() bool { return m.table == "object" || m.table == "service" }
