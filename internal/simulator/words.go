// The words in which the tables of types are written.

package simulator

import (
	"maps"
	"slices"
)

// The types and properties that only some servers have.
const (
	genericDevice = "generic_device"
	softDeleted   = "soft_deleted"
	siteService   = "site_service"
	siteRack      = "rack"
	siteCollector = "collector"
)

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

// computed fields are made when they are read (hooks.computed), those with compute by the
// database.
func computed(compute func(get func(string) any) any, names ...string) element {
	return func(m *model) {
		for _, name := range names {
			m.fields[name] = &field{name: name, kind: kindComputed, compute: compute}
		}
	}
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

// counted is a relation to many whose members a property counts.
func counted(name, target, reverse, counter string) element {
	return addRelation(relation{name: name, target: target, many: true, reverse: reverse, counter: counter})
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

// namedApart gives a subtype a name space of its own.
func namedApart(m *model) { m.names, m.nameless = m.name, false }

func searchAdds(names ...string) element { return func(m *model) { m.additional = names } }

// catalog holds the types that are declared so far, by name.
type catalog map[string]*model

// root declares a type with a table of its own, whose objects share a name space.
func (c catalog) root(name string, elements ...element) {
	c.declare(&model{name: name, class: name, table: name, names: name}, elements)
}

// sub declares a subtype: it has what its parent has, in the parent's table.
func (c catalog) sub(name, parent string, elements ...element) {
	p := c[parent]
	c.declare(&model{name: name, parent: p, class: p.class, table: p.table, names: p.names, additional: p.additional}, elements)
}

func (c catalog) declare(m *model, elements []element) {
	m.fields, m.relations = map[string]*field{}, map[string]*relation{}
	m.columns, m.unserialized = map[string]*relation{}, map[string]bool{}
	if parent := m.parent; parent != nil {
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
	c[m.name] = m
}

// listProperties are the menus and requests that groups grant to their users (1.10).
var listProperties = []string{"menu", "pages", "get_requests", "post_requests", "delete_requests"}

// rightsOf are the rights a class of objects knows (2.3).
var rightsOf = map[string][]string{
	"credential": {"rbac_read", "rbac_edit"},
	"device":     {"rbac_read", "rbac_configuration", "rbac_edit", "rbac_connect", "rbac_target"},
	"link":       {"rbac_read", "rbac_edit"},
	"network":    {"rbac_read", "rbac_edit"},
	"pool":       {"rbac_read", "rbac_edit"},
	"service":    {"rbac_read", "rbac_edit", "rbac_run"},
	"task":       {"rbac_read", "rbac_edit"},
}

// rightsOn gives a model its owners and rights, and makes it a class of its own.
func rightsOn(class string) element {
	return func(m *model) {
		m.class = class
		many("owners", "user", "user_"+class+"s")(m)
		for _, right := range rightsOf[class] {
			many(right, "group", right+"_"+class+"s")(m)
		}
	}
}
