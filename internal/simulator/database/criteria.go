// What the criteria of a search mean (5.2), and the rows that meet them.

package database

import (
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// Conditions are what the criteria mean for the searched type; keys that are none
// of its properties are ignored, so that a misspelt one filters nothing.
func (s *Database) Conditions(m *Type, form *python.Dict) ([]Condition, error) {
	tests := []Condition{}
	for _, name := range append([]string{"id", "type"}, fieldNames(m)...) {
		one, err := s.condition(m, name, form)
		if err != nil {
			return nil, err
		}
		if one != nil {
			tests = append(tests, one)
		}
	}
	joined := m.tables()
	for _, name := range m.Order {
		if r := m.Relations[name]; !r.Unlisted && !s.Lacks(m, name) {
			one, tables, err := s.relationCondition(m, r, form)
			if err != nil {
				return nil, err
			}
			if one != nil {
				tests = append(tests, one)
			}
			joined += tables
		}
	}
	if s.joins > 0 && joined > s.joins {
		return nil, python.ErrServer
	}
	return tests, nil
}

// joinedBy is how many tables each name joins that an instance is to be related to:
// those of the other side, and the one between two sides that both have many.
func (s *Database) joinedBy(r *Relation) int {
	target, joined := s.Types[r.Target], 1
	if s.joinsParents {
		joined = target.tables()
	}
	if r.Many && target.ColumnOf(r.Reverse) == nil {
		joined++
	}
	return joined
}

func fieldNames(m *Type) []string {
	names := make([]string, 0, len(m.Fields))
	for name := range m.Fields {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// condition is what the criteria say about one property, nil for nothing: false,
// 0 and "" say nothing unless the filter is "empty".
func (s *Database) condition(m *Type, name string, form *python.Dict) (Condition, error) {
	value := form.Get(name)
	filter := form.Get(name + "_filter")
	if !python.Truthy(value) && filter != "empty" {
		return nil, nil
	}
	f, ok := s.column(m, name)
	if !ok {
		return nil, nil
	}
	if !f.Filterable() {
		return nil, python.ErrServer
	}
	one, err := s.comparison(m, f, value, filter)
	if err != nil {
		return nil, err
	}
	if invert := form.Get(name + "_invert"); python.Truthy(invert) {
		one = inverted(one)
	}
	return one, nil
}

func (s *Database) comparison(m *Type, f *Field, value, filter any) (Condition, error) {
	switch {
	case value == "bool-true" || value == "bool-false":
		return s.Equality(m, f.Name, value == "bool-true")
	case filter == "equality":
		return s.Equality(m, f.Name, value)
	case filter == "empty":
		return s.Equality(m, f.Name, "")
	case !python.Truthy(filter) || filter == "inclusion":
		return s.inclusion(f, value)
	default:
		return s.matching(f, value)
	}
}

// relationCondition is what the criteria say about one relation: member of all
// that are named, of any of them, of none at all; and how many tables it joins.
func (s *Database) relationCondition(m *Type, r *Relation, form *python.Dict) (Condition, int, error) {
	filter := form.Get(r.Name + "_filter")
	value := form.Get(r.Name)
	if filter == "empty" {
		if !r.Many { // any() is not made for single relations
			return nil, 0, python.ErrServer
		}
		return func(o *Object) (bool, bool, error) { return len(o.Members(r.Name)) == 0, true, nil }, 0, nil
	}
	if !python.Truthy(value) {
		return nil, 0, nil
	}
	union := filter == "union"
	if _, isText := value.(string); union && (isText || !s.groups(m)) {
		return nil, 0, python.ErrServer
	}
	names, err := s.relatedNames(value)
	if err != nil {
		return nil, 0, err
	}
	tables := 0
	if !union {
		tables = s.joinedBy(r) * len(names)
	}
	return func(o *Object) (bool, bool, error) {
		related := o.Members(r.Name)
		if target := o.ones[r.Name]; target != nil {
			related = []*Object{target}
		}
		return s.relatedTo(related, names, union), true, nil
	}, tables, nil
}

// groups says whether a search by union can group the rows of a model: those of a
// subtype are in several tables, and a run's come with its service.
func (s *Database) groups(m *Type) bool {
	return s.groupsSubtypes || m.Parent == nil && m.Name != "run"
}

// relatedNames are the names in a criterion, as far as the database can compare them.
func (s *Database) relatedNames(value any) ([]string, error) {
	items, err := python.Iterate(value)
	if err != nil {
		return nil, python.ErrServer
	}
	names := make([]string, 0, len(items))
	for _, item := range items {
		name, ok := convertText(item)
		if !ok || s.bind(name.(string)) != nil {
			return nil, python.ErrServer
		}
		names = append(names, name.(string))
	}
	return names, nil
}

// relatedTo tells whether an instance is related to one of the names that are
// enough, or else to all of them.
func (s *Database) relatedTo(related []*Object, names []string, oneIsEnough bool) bool {
	for _, name := range names {
		found := slices.ContainsFunc(related, func(o *Object) bool { return s.SameText(o.Name(), name) })
		if found == oneIsEnough {
			return oneIsEnough
		}
	}
	return !oneIsEnough
}

// Filtered returns the objects that meet all conditions and that the caller may read.
func Filtered(objects []*Object, conditions []Condition, mayRead func(*Object) bool) ([]*Object, error) {
	rows := []*Object{}
	for _, o := range objects {
		if !mayRead(o) {
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

// SortBy orders objects by a property; one without a column leaves the order.
func (s *Database) SortBy(property string, rows []*Object, m *Type, descending bool) {
	f, ok := s.column(m, property)
	if !ok || f.Kind == KindProxy || !f.Filterable() {
		return
	}
	slices.SortStableFunc(rows, func(a, b *Object) int {
		order := s.before(cell(a, f), cell(b, f))
		if descending {
			return -order
		}
		return order
	})
}

// Page returns up to limit objects from start on. On SQLite any negative number is all;
// strict databases refuse it.
func (s *Database) Page(rows []*Object, start, limit int) ([]*Object, error) {
	if s.strict && (limit < 0 || start < 0) {
		return nil, python.ErrServer
	}
	rows = rows[min(max(start, 0), len(rows)):]
	if limit >= 0 {
		rows = rows[:min(limit, len(rows))]
	}
	return rows, nil
}
