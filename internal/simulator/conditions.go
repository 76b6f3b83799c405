// Comparisons as the database makes them: texts in number columns, numbers in
// text columns, NULL that is neither equal nor different (5.1, 5.2).

package simulator

import (
	"strings"
)

// test is one condition on an object. known is false where SQL would say NULL,
// which negation does not turn into a match.
type test func(o *object) (match, known bool, err error)

func meets(o *object, tests []test) (bool, error) {
	for _, one := range tests {
		match, known, err := one(o)
		if err != nil {
			return false, err
		}
		if !match || !known {
			return false, nil
		}
	}
	return true, nil
}

func inverted(one test) test {
	return func(o *object) (bool, bool, error) {
		match, known, err := one(o)
		return !match, known, err
	}
}

// column says of what kind a property is in a condition; ok is false for what the
// database does not know.
func (s *store) column(m *model, name string) (f *field, ok bool) {
	switch name {
	case "id":
		return &field{name: name, kind: kindInt}, true
	case "type":
		return &field{name: name, kind: kindText}, true
	}
	f = m.fields[name]
	return f, f != nil && !s.lacks(m, name)
}

// cell is the value of a property as SQL sees it: booleans are numbers, pickled
// values are nothing one can compare with.
func cell(o *object, f *field) any {
	v, _ := o.property(f.name)
	switch v := v.(type) {
	case bool:
		n, _ := convertInt(v)
		return n
	case string, int64, float64:
		if f.kind == kindSecret {
			return nil
		}
		return v
	default:
		return nil
	}
}

// equality is the condition that a property equals a value; a property that does
// not exist, or is a relation, breaks the request.
func (s *store) equality(m *model, name string, value any) (test, error) {
	f, ok := s.column(m, name)
	if !ok {
		return nil, errServer
	}
	if !f.filterable() {
		return func(*object) (bool, bool, error) { return false, true, nil }, nil
	}
	if f.kind == kindDict || f.kind == kindList {
		return func(*object) (bool, bool, error) { return false, true, nil }, nil
	}
	want, ok := s.operand(f, value)
	if !ok || !s.admits(f, value) {
		return nil, errServer
	}
	if f.kind == kindJSON {
		return func(*object) (bool, bool, error) { return false, true, nil }, nil
	}
	return func(o *object) (bool, bool, error) {
		have := cell(o, f)
		return s.same(have, want), have != nil || f.kind == kindProxy, nil
	}, nil
}

// inclusion is SQL's LIKE: contained. SQLAlchemy does not take true for it.
func (s *store) inclusion(f *field, value any) (test, error) {
	v, ok := convertText(value)
	if _, isFlag := value.(bool); isFlag || !ok || !s.likable(f) || !s.admits(f, value) {
		return nil, errServer
	}
	want := s.contained(v.(string))
	return func(o *object) (bool, bool, error) {
		have := cell(o, f)
		text, _ := convertText(have)
		if text == nil {
			return false, f.kind == kindProxy, nil
		}
		return strings.Contains(s.contained(text.(string)), want), true, nil
	}, nil
}

// matching is a regular expression searched in the text of a property. A wrong
// one breaks the request, on SQLite only when there is a row to try it on.
func (s *store) matching(f *field, value any) (test, error) {
	pattern, ok := s.pattern(value)
	if !ok || f.kind == kindProxy || !s.admits(f, value) {
		return nil, errServer
	}
	matches, wrong := compile(pattern)
	if wrong != nil && s.compilesFirst {
		return nil, errServer
	}
	return func(o *object) (bool, bool, error) {
		if wrong != nil {
			return false, false, errServer
		}
		text, _ := convertText(cell(o, f))
		if text == nil {
			return false, false, nil
		}
		line, ended := strings.CutSuffix(text.(string), "\n")
		return matches(text.(string)) || ended && s.lenientEnd && matches(line), true, nil
	}, nil
}
