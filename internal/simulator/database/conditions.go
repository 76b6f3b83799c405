// Comparisons as the database makes them: texts in number columns, numbers in
// text columns, NULL that is neither equal nor different (5.1, 5.2).

package database

import (
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// Condition is one condition on an object. known is false where SQL would say NULL,
// which negation does not turn into a match.
type Condition func(o *Object) (match, known bool, err error)

func meets(o *Object, tests []Condition) (bool, error) {
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

func inverted(one Condition) Condition {
	return func(o *Object) (bool, bool, error) {
		match, known, err := one(o)
		return !match, known, err
	}
}

// column says of what kind a property is in a condition; ok is false for what the
// database does not know.
func (s *Database) column(m *Type, name string) (f *Field, ok bool) {
	switch name {
	case "id":
		return &Field{Name: name, Kind: KindInt}, true
	case "type":
		return &Field{Name: name, Kind: KindText}, true
	}
	f = m.Fields[name]
	return f, f != nil && !s.Lacks(m, name)
}

// cell is the value of a property as SQL sees it: booleans are numbers, pickled
// values are nothing one can compare with.
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

// Equality is the condition that a property equals a value; a property that does
// not exist, or is a relation, breaks the request.
func (s *Database) Equality(m *Type, name string, value any) (Condition, error) {
	f, ok := s.column(m, name)
	if !ok {
		return nil, python.ErrServer
	}
	if !f.Filterable() {
		return func(*Object) (bool, bool, error) { return false, true, nil }, nil
	}
	if f.Kind == KindDict || f.Kind == KindList {
		return func(*Object) (bool, bool, error) { return false, true, nil }, nil
	}
	want, ok := s.operand(f, value)
	if !ok || !s.admits(f, value) {
		return nil, python.ErrServer
	}
	if f.Kind == KindJSON {
		return func(*Object) (bool, bool, error) { return false, true, nil }, nil
	}
	return func(o *Object) (bool, bool, error) {
		have := cell(o, f)
		return s.same(have, want), have != nil || f.Kind == KindProxy, nil
	}, nil
}

// inclusion is SQL's LIKE: contained. SQLAlchemy does not take true for it.
func (s *Database) inclusion(f *Field, value any) (Condition, error) {
	v, ok := convertText(value)
	if _, isFlag := value.(bool); isFlag || !ok || !s.likable(f) || !s.admits(f, value) {
		return nil, python.ErrServer
	}
	want := s.contained(v.(string))
	return func(o *Object) (bool, bool, error) {
		have := cell(o, f)
		text, _ := convertText(have)
		if text == nil {
			return false, f.Kind == KindProxy, nil
		}
		return strings.Contains(s.contained(text.(string)), want), true, nil
	}, nil
}

// matching is a regular expression searched in the text of a property. A wrong
// one breaks the request, on SQLite only when there is a row to try it on.
func (s *Database) matching(f *Field, value any) (Condition, error) {
	pattern, ok := s.pattern(value)
	if !ok || f.Kind == KindProxy || !s.admits(f, value) {
		return nil, python.ErrServer
	}
	matches, wrong := Compile(pattern)
	if wrong != nil && s.compilesFirst {
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
		return matches(text.(string)) || ended && s.lenientEnd && matches(line), true, nil
	}, nil
}
