// The conditions of queries and the criteria of searches (5.1, 5.2). The database compares: strings with
// number columns, numbers with text columns, and NULL, which neither equals a value nor differs from it.

package database

import (
	"maps"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// Condition is one condition on an object. known is false if the result in SQL is NULL, which does not match,
// not even negated.
type Condition func(o *Object) (match, known bool, err error)

// meets reports whether an object meets all conditions. It tests none after the first that is not met.
func meets(o *Object, tests []Condition) (bool, error) {
	for _, condition := range tests {
		match, known, err := condition(o)
		if err != nil {
			return false, err
		}
		if !match || !known {
			return false, nil
		}
	}
	return true, nil
}

// inverted negates a condition. NULL stays NULL.
func inverted(one Condition) Condition {
	return func(o *Object) (bool, bool, error) {
		match, known, err := one(o)
		return !match, known, err
	}
}

// column returns the field of a property, also of id and type, which Type.Fields does not have. ok is false if
// the server does not know the property.
func (db *Database) column(m *Type, name string) (f *Field, ok bool) {
	switch name {
	case "id":
		return &Field{Name: name, Kind: KindInt}, true
	case "type":
		return &Field{Name: name, Kind: KindText}, true
	}
	f = m.Fields[name]
	return f, f != nil && !db.Lacks(m, name)
}

// cell returns the value of a property as SQL compares it: Booleans are numbers. It returns nil for
// secrets and for lists and objects, which SQL cannot compare.
func cell(o *Object, f *Field) any {
	v, _ := o.Property(f.Name)
	switch v := v.(type) {
	case bool:
		n, _ := convertInt(v)
		return n
	case string, int64, float64:
		if f.Kind == KindSecret {
			return nil
		}
		return v
	default:
		return nil
	}
}

// Equality returns the condition that a property equals a value. A property that does
// not exist, or is a relation, fails the request. Lists, dictionaries and JSON never match. Null neither
// equals a value nor differs from it, except for the name of a related object (KindProxy), which differs if
// the relation is not set.
func (db *Database) Equality(m *Type, name string, value any) (Condition, error) {
	f, ok := db.column(m, name)
	if !ok {
		return nil, python.ErrServer
	}
	nothing := func(*Object) (bool, bool, error) { return false, true, nil }
	if !f.Filterable() || f.Kind == KindDict || f.Kind == KindList {
		return nothing, nil
	}
	want, ok := db.operand(f, value)
	switch {
	case !ok || !db.admits(f, value):
		return nil, python.ErrServer
	case f.Kind == KindJSON:
		return nothing, nil
	}
	return func(o *Object) (bool, bool, error) {
		have := cell(o, f)
		return db.same(have, want), have != nil || f.Kind == KindProxy, nil
	}, nil
}

// inclusion returns the condition that a property contains a value, which is SQL's LIKE. SQLAlchemy refuses
// a Boolean as the value.
func (db *Database) inclusion(f *Field, value any) (Condition, error) {
	v, ok := convertText(value)
	if _, isFlag := value.(bool); isFlag || !ok || !db.likable(f) || !db.admits(f, value) {
		return nil, python.ErrServer
	}
	want := db.contained(v.(string))
	return func(o *Object) (bool, bool, error) {
		have := cell(o, f)
		text, _ := convertText(have)
		if text == nil {
			return false, f.Kind == KindProxy, nil
		}
		return strings.Contains(db.contained(text.(string)), want), true, nil
	}, nil
}

// AnyText returns the condition that any string of an object contains a text.
func (db *Database) AnyText(m *Type, text string) Condition {
	want := db.contained(text)
	return func(o *Object) (bool, bool, error) {
		for name, f := range m.Fields {
			if f.Kind == KindText && strings.Contains(db.contained(o.Text(name)), want) {
				return true, true, nil
			}
		}
		return false, true, nil
	}
}

// matching returns the condition that a regular expression matches a property. An invalid expression
// fails the request, on SQLite only if there is a row to compare.
func (db *Database) matching(f *Field, value any) (Condition, error) {
	pattern, ok := db.pattern(value)
	if !ok || f.Kind == KindProxy || !db.admits(f, value) {
		return nil, python.ErrServer
	}
	matches, wrong := Compile(pattern)
	if wrong != nil && db.compilesFirst {
		return nil, python.ErrServer
	}
	return func(o *Object) (bool, bool, error) {
		if wrong != nil {
			return false, false, python.ErrServer
		}
		text, _ := convertText(cell(o, f))
		if text == nil {
			return false, false, nil
		}
		line, ended := strings.CutSuffix(text.(string), "\n")
		return matches(text.(string)) || ended && db.lenientEnd && matches(line), true, nil
	}, nil
}

// Conditions returns the conditions of the criteria for the searched type. Keys that are not among its
// properties are ignored, so that a misspelt key filters nothing. A search that joins too many tables fails.
func (db *Database) Conditions(m *Type, form *python.Dict) ([]Condition, error) {
	tests := []Condition{}
	for _, name := range append([]string{"id", "type"}, slices.Sorted(maps.Keys(m.Fields))...) {
		one, err := db.condition(m, name, form)
		if err != nil {
			return nil, err
		}
		if one != nil {
			tests = append(tests, one)
		}
	}
	joined := m.tableCount()
	for _, name := range m.Order {
		if r := m.Relations[name]; !r.Unlisted && !db.Lacks(m, name) {
			one, tables, err := db.relationCondition(m, r, form)
			if err != nil {
				return nil, err
			}
			if one != nil {
				tests = append(tests, one)
			}
			joined += tables
		}
	}
	if db.joins > 0 && joined > db.joins {
		return nil, python.ErrServer
	}
	return tests, nil
}

// joinedBy returns how many tables each name in a criterion of a relation joins: the table of the other
// side, and, for a relation to many on both sides, the table between them.
func (db *Database) joinedBy(r *Relation) int {
	target, joined := db.Types[r.Target], 1
	if db.joinsParents {
		joined = target.tableCount()
	}
	if r.Many && target.ColumnOf(r.Reverse) == nil {
		joined++
	}
	return joined
}

// condition returns the condition of the criteria for one property, or nil for none: false, 0 and "" are
// no conditions unless the filter is "empty".
func (db *Database) condition(m *Type, name string, form *python.Dict) (Condition, error) {
	value, filter := form.Get(name), form.Get(name+"_filter")
	if !python.Truthy(value) && filter != "empty" {
		return nil, nil
	}
	f, ok := db.column(m, name)
	if !ok {
		return nil, nil
	}
	if !f.Filterable() {
		return nil, python.ErrServer
	}
	one, err := db.comparison(m, f, value, filter)
	if err != nil {
		return nil, err
	}
	if python.Truthy(form.Get(name + "_invert")) {
		return inverted(one), nil
	}
	return one, nil
}

// comparison returns the condition that a filter, by default "inclusion", makes of a value.
func (db *Database) comparison(m *Type, f *Field, value, filter any) (Condition, error) {
	switch {
	case value == "bool-true" || value == "bool-false":
		return db.Equality(m, f.Name, value == "bool-true")
	case filter == "equality":
		return db.Equality(m, f.Name, value)
	case filter == "empty":
		return db.Equality(m, f.Name, "")
	case !python.Truthy(filter) || filter == "inclusion":
		return db.inclusion(f, value)
	default:
		return db.matching(f, value)
	}
}

// relationCondition returns the condition of the criteria for one relation: related to all of the names,
// to any of them, or to no object at all. It also returns how many tables it joins.
func (db *Database) relationCondition(m *Type, r *Relation, form *python.Dict) (Condition, int, error) {
	value, filter := form.Get(r.Name), form.Get(r.Name+"_filter")
	if filter == "empty" {
		one, err := db.emptiness(r, form)
		return one, 0, err
	}
	if !python.Truthy(value) {
		return nil, 0, nil
	}
	union := filter == "union"
	_, isText := value.(string)
	if union && (isText || !db.groups(m)) {
		return nil, 0, python.ErrServer
	}
	names, err := db.relatedNames(value)
	if err != nil {
		return nil, 0, err
	}
	tables := 0
	if !union {
		tables = db.joinedBy(r) * len(names)
	}
	return func(o *Object) (bool, bool, error) {
		related := o.Members(r.Name)
		if target := o.ones[r.Name]; target != nil {
			related = []*Object{target}
		}
		return db.relatedTo(related, names, union), true, nil
	}, tables, nil
}

// emptiness returns the condition that no object is related or, if the criteria invert it, that one is.
func (db *Database) emptiness(r *Relation, form *python.Dict) (Condition, error) {
	if !r.Many && !db.Inverts { // any() is not made for single relations
		return nil, python.ErrServer
	}
	isInverted := db.Inverts && python.Truthy(form.Get(r.Name+"_invert"))
	return func(o *Object) (bool, bool, error) {
		isEmpty := len(o.Members(r.Name)) == 0 && o.ones[r.Name] == nil
		return isEmpty != isInverted, true, nil
	}, nil
}

// groups reports whether a search by union can group the rows of a type: the rows of a subtype are in
// several tables, and those of a run include its service.
func (db *Database) groups(m *Type) bool {
	return db.groupsSubtypes || m.Parent == nil && m.Name != "run"
}

// relatedNames returns the names in a criterion. A name that the database cannot compare is an error.
func (db *Database) relatedNames(value any) ([]string, error) {
	items, err := python.Iterate(value)
	if err != nil {
		return nil, python.ErrServer
	}
	names := make([]string, 0, len(items))
	for _, item := range items {
		name, ok := convertText(item)
		if !ok || db.bind(name.(string)) != nil {
			return nil, python.ErrServer
		}
		names = append(names, name.(string))
	}
	return names, nil
}

// relatedTo reports whether the related objects have one of the names, if oneIsEnough, or otherwise all of them.
func (db *Database) relatedTo(related []*Object, names []string, oneIsEnough bool) bool {
	found := 0
	for _, name := range names {
		if slices.ContainsFunc(related, func(o *Object) bool { return db.SameText(o.Name(), name) }) {
			found++
		}
	}
	return found == len(names) || oneIsEnough && found > 0
}

// Filtered returns the objects that count, such as those that the caller may read, and that meet all conditions.
func Filtered(objects []*Object, conditions []Condition, counts func(*Object) bool) ([]*Object, error) {
	rows := []*Object{}
	for _, o := range objects {
		if !counts(o) {
			continue
		}
		matches, err := meets(o, conditions)
		if err != nil {
			return nil, err
		}
		if matches {
			rows = append(rows, o)
		}
	}
	return rows, nil
}

// SortBy sorts objects by a property. It does nothing for a property without a column.
func (db *Database) SortBy(property string, rows []*Object, m *Type, descending bool) {
	f, ok := db.column(m, property)
	if !ok || f.Kind == KindProxy || !f.Filterable() {
		return
	}
	slices.SortStableFunc(rows, func(a, b *Object) int {
		order := db.before(cell(a, f), cell(b, f))
		if descending {
			return -order
		}
		return order
	})
}

// Page returns up to limit objects, beginning with start. On SQLite, any negative limit stands for all
// objects; strict databases refuse it.
func (db *Database) Page(rows []*Object, start, limit int) ([]*Object, error) {
	if db.strict && (limit < 0 || start < 0) {
		return nil, python.ErrServer
	}
	rows = rows[min(max(start, 0), len(rows)):]
	if limit >= 0 {
		rows = rows[:min(limit, len(rows))]
	}
	return rows, nil
}
