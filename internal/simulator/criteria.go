// What the criteria of a search mean (5.2), and the rows that meet them.

package simulator

import (
	"slices"
)

// conditions are what the criteria mean for the searched type; keys that are none
// of its properties are ignored, so that a misspelt one filters nothing.
func (s *store) conditions(m *model, form *dict) ([]test, error) {
	tests := []test{}
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
	for _, name := range m.order {
		if r := m.relations[name]; !r.unlisted && !s.lacks(m, name) {
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
		return nil, errServer
	}
	return tests, nil
}

// joinedBy is how many tables each name joins that an instance is to be related to:
// those of the other side, and the one between two sides that both have many.
func (s *store) joinedBy(r *relation) int {
	target, joined := s.types[r.target], 1
	if s.joinsParents {
		joined = target.tables()
	}
	if r.many && target.columnOf(r.reverse) == nil {
		joined++
	}
	return joined
}

func fieldNames(m *model) []string {
	names := make([]string, 0, len(m.fields))
	for name := range m.fields {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// condition is what the criteria say about one property, nil for nothing: false,
// 0 and "" say nothing unless the filter is "empty".
func (s *store) condition(m *model, name string, form *dict) (test, error) {
	value := form.get(name)
	filter := form.get(name + "_filter")
	if !truthy(value) && filter != "empty" {
		return nil, nil
	}
	f, ok := s.column(m, name)
	if !ok {
		return nil, nil
	}
	if !f.filterable() {
		return nil, errServer
	}
	one, err := s.comparison(m, f, value, filter)
	if err != nil {
		return nil, err
	}
	if invert := form.get(name + "_invert"); truthy(invert) {
		one = inverted(one)
	}
	return one, nil
}

func (s *store) comparison(m *model, f *field, value, filter any) (test, error) {
	switch {
	case value == "bool-true" || value == "bool-false":
		return s.equality(m, f.name, value == "bool-true")
	case filter == "equality":
		return s.equality(m, f.name, value)
	case filter == "empty":
		return s.equality(m, f.name, "")
	case !truthy(filter) || filter == "inclusion":
		return s.inclusion(f, value)
	default:
		return s.matching(f, value)
	}
}

// relationCondition is what the criteria say about one relation: member of all
// that are named, of any of them, of none at all; and how many tables it joins.
func (s *store) relationCondition(m *model, r *relation, form *dict) (test, int, error) {
	filter := form.get(r.name + "_filter")
	value := form.get(r.name)
	if filter == "empty" {
		if !r.many { // any() is not made for single relations
			return nil, 0, errServer
		}
		return func(o *object) (bool, bool, error) { return len(o.members(r.name)) == 0, true, nil }, 0, nil
	}
	if !truthy(value) {
		return nil, 0, nil
	}
	union := filter == "union"
	if _, isText := value.(string); union && (isText || !s.groups(m)) {
		return nil, 0, errServer
	}
	names, err := s.relatedNames(value)
	if err != nil {
		return nil, 0, err
	}
	tables := 0
	if !union {
		tables = s.joinedBy(r) * len(names)
	}
	return func(o *object) (bool, bool, error) {
		related := o.members(r.name)
		if target := o.ones[r.name]; target != nil {
			related = []*object{target}
		}
		return s.relatedTo(related, names, union), true, nil
	}, tables, nil
}

// groups says whether a search by union can group the rows of a model: those of a
// subtype are in several tables, and a run's come with its service.
func (s *store) groups(m *model) bool {
	return s.groupsSubtypes || m.parent == nil && m.name != "run"
}

// relatedNames are the names in a criterion, as far as the database can compare them.
func (s *store) relatedNames(value any) ([]string, error) {
	items, err := iterate(value)
	if err != nil {
		return nil, errServer
	}
	names := make([]string, 0, len(items))
	for _, item := range items {
		name, ok := convertText(item)
		if !ok || s.bind(name.(string)) != nil {
			return nil, errServer
		}
		names = append(names, name.(string))
	}
	return names, nil
}

// relatedTo tells whether an instance is related to one of the names that are
// enough, or else to all of them.
func (s *store) relatedTo(related []*object, names []string, oneIsEnough bool) bool {
	for _, name := range names {
		found := slices.ContainsFunc(related, func(o *object) bool { return s.sameText(o.name(), name) })
		if found == oneIsEnough {
			return oneIsEnough
		}
	}
	return !oneIsEnough
}

// filtered returns the objects that meet all conditions and that the caller may read.
func filtered(objects []*object, conditions []test, mayRead func(*object) bool) ([]*object, error) {
	rows := []*object{}
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

// sortBy orders objects by a property; one without a column leaves the order.
func (s *store) sortBy(property string, rows []*object, m *model, descending bool) {
	f, ok := s.column(m, property)
	if !ok || f.kind == kindProxy || !f.filterable() {
		return
	}
	slices.SortStableFunc(rows, func(a, b *object) int {
		order := s.before(cell(a, f), cell(b, f))
		if descending {
			return -order
		}
		return order
	})
}

// page returns up to limit objects from start on. On SQLite any negative number is all;
// strict databases refuse it.
func (s *store) page(rows []*object, start, limit int) ([]*object, error) {
	if s.strict && (limit < 0 || start < 0) {
		return nil, errServer
	}
	rows = rows[min(max(start, 0), len(rows)):]
	if limit >= 0 {
		rows = rows[:min(limit, len(rows))]
	}
	return rows, nil
}
