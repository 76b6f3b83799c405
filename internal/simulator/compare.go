// Comparisons as the database makes them: texts in number columns, numbers in
// text columns, NULL that is neither equal nor different (5.1, 5.2).

package simulator

import (
	"cmp"
	"strings"
)

// test is one condition on an object. known is false where SQL would say NULL,
// which negation does not turn into a match.
type test func(s *Server, o *object) (match, known bool, err error)

func all(tests []test, s *Server, o *object) (bool, error) {
	for _, one := range tests {
		match, known, err := one(s, o)
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
	return func(s *Server, o *object) (bool, bool, error) {
		match, known, err := one(s, o)
		return !match, known, err
	}
}

// column says of what kind a property is in a condition; ok is false for what the
// database does not know.
func (s *Server) column(m *model, name string) (f *field, ok bool) {
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
func (s *Server) cell(o *object, f *field) any {
	v, _ := s.property(o, f.name)
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
func (s *Server) equality(m *model, name string, value any) (test, error) {
	f, ok := s.column(m, name)
	if !ok {
		return nil, errServer
	}
	if f.kind == kindComputed && !f.filterable {
		return func(*Server, *object) (bool, bool, error) { return false, true, nil }, nil
	}
	if f.kind == kindDict || f.kind == kindList {
		return func(*Server, *object) (bool, bool, error) { return false, true, nil }, nil
	}
	want, ok := s.db.operand(f, value)
	if !ok || !s.db.admits(f, value) {
		return nil, errServer
	}
	if f.kind == kindJSON {
		return func(*Server, *object) (bool, bool, error) { return false, true, nil }, nil
	}
	return func(s *Server, o *object) (bool, bool, error) {
		have := s.cell(o, f)
		return s.db.same(have, want), have != nil || f.kind == kindProxy, nil
	}, nil
}

// inclusion is SQL's LIKE: contained. SQLAlchemy does not take true for it.
func (s *Server) inclusion(f *field, value any) (test, error) {
	v, ok := convertText(value)
	if _, isFlag := value.(bool); isFlag || !ok || !s.db.likable(f) || !s.db.admits(f, value) {
		return nil, errServer
	}
	want := s.db.contained(v.(string))
	return func(s *Server, o *object) (bool, bool, error) {
		have := s.cell(o, f)
		text, _ := convertText(have)
		if text == nil {
			return false, f.kind == kindProxy, nil
		}
		return strings.Contains(s.db.contained(text.(string)), want), true, nil
	}, nil
}

// matching is a regular expression searched in the text of a property. A wrong
// one breaks the request, on SQLite only when there is a row to try it on.
func (s *Server) matching(f *field, value any) (test, error) {
	pattern, ok := s.db.pattern(value)
	if !ok || f.kind == kindProxy || !s.db.admits(f, value) {
		return nil, errServer
	}
	matches, wrong := compile(pattern)
	if wrong != nil && s.db.compilesFirst {
		return nil, errServer
	}
	return func(s *Server, o *object) (bool, bool, error) {
		if wrong != nil {
			return false, false, errServer
		}
		text, _ := convertText(s.cell(o, f))
		if text == nil {
			return false, false, nil
		}
		line, ended := strings.CutSuffix(text.(string), "\n")
		return matches(text.(string)) || ended && s.db.lenientEnd && matches(line), true, nil
	}, nil
}

func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// compareCells orders values as SQLite does: NULL, numbers, texts.
func compareCells(a, b any) int {
	rank := func(v any) int {
		switch v.(type) {
		case nil:
			return 0
		case string:
			return 2
		default:
			return 1
		}
	}
	if byRank := cmp.Compare(rank(a), rank(b)); byRank != 0 {
		return byRank
	}
	switch a := a.(type) {
	case nil:
		return 0
	case string:
		return strings.Compare(a, b.(string))
	default:
		return cmp.Compare(toFloat(a), toFloat(b))
	}
}

func toFloat(v any) float64 {
	f, _ := convertFloat(v)
	n, _ := f.(float64)
	return n
}
