// What the criteria of a search mean (5.2).

package simulator

import "slices"

// conditions are what the criteria mean for the searched type; keys that are none
// of its properties are ignored, so that a misspelt one filters nothing.
func (m *model) conditions(form *dict) ([]test, error) {
	tests := []test{}
	for _, name := range append([]string{"id", "type"}, fieldNames(m)...) {
		one, err := m.condition(name, form)
		if err != nil {
			return nil, err
		}
		if one != nil {
			tests = append(tests, one)
		}
	}
	for _, name := range m.order {
		if r := m.relations[name]; !r.unlisted {
			one, err := r.condition(form)
			if err != nil {
				return nil, err
			}
			if one != nil {
				tests = append(tests, one)
			}
		}
	}
	return tests, nil
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
func (m *model) condition(name string, form *dict) (test, error) {
	value, _ := form.get(name)
	filter, _ := form.get(name + "_filter")
	if !truthy(value) && filter != "empty" {
		return nil, nil
	}
	f, _ := m.column(name)
	if f.kind == kindComputed && !f.filterable {
		return nil, errServer
	}
	one, err := m.comparison(f, value, filter)
	if err != nil {
		return nil, err
	}
	if invert, _ := form.get(name + "_invert"); truthy(invert) {
		one = inverted(one)
	}
	return one, nil
}

func (m *model) comparison(f *field, value, filter any) (test, error) {
	switch {
	case value == "bool-true" || value == "bool-false":
		return m.equality(f.name, value == "bool-true")
	case filter == "equality":
		return m.equality(f.name, value)
	case filter == "empty":
		return m.equality(f.name, "")
	case !truthy(filter) || filter == "inclusion":
		return f.inclusion(value)
	default:
		return f.matching(value)
	}
}

// condition is what the criteria say about one relation: member of all that are
// named, of any of them, of none at all.
func (r *relation) condition(form *dict) (test, error) {
	filter, _ := form.get(r.name + "_filter")
	value, _ := form.get(r.name)
	related := func(o *object) []*object {
		if r.many {
			return o.members(r.name)
		}
		if o.ones[r.name] == nil {
			return nil
		}
		return []*object{o.ones[r.name]}
	}
	if filter == "empty" {
		if !r.many { // any() is not made for single relations
			return nil, errServer
		}
		return func(_ *Server, o *object) (bool, bool, error) { return len(related(o)) == 0, true, nil }, nil
	}
	if !truthy(value) {
		return nil, nil
	}
	if _, isText := value.(string); isText && filter == "union" {
		return nil, errServer
	}
	items, err := iterate(value)
	if err != nil {
		return nil, errServer
	}
	names := make([]string, 0, len(items))
	for _, item := range items {
		name, ok := convertText(item)
		if !ok {
			return nil, errServer
		}
		names = append(names, name.(string))
	}
	return func(_ *Server, o *object) (bool, bool, error) {
		return relatedTo(related(o), names, filter == "union"), true, nil
	}, nil
}

// relatedTo tells whether an instance is related to one of the names that are
// enough, or else to all of them.
func relatedTo(related []*object, names []string, oneIsEnough bool) bool {
	for _, name := range names {
		found := slices.ContainsFunc(related, func(o *object) bool { return o.name() == name })
		if found == oneIsEnough {
			return oneIsEnough
		}
	}
	return !oneIsEnough
}
