// Comparisons as the database makes them: texts in number columns, numbers in
// text columns, NULL that is neither equal nor different (5.1, 5.2).

package simulator

import (
	"cmp"
	"regexp"
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
func (m *model) column(name string) (f *field, ok bool) {
	switch name {
	case "id":
		return &field{name: name, kind: kindInt}, true
	case "type":
		return &field{name: name, kind: kindText}, true
	}
	f = m.fields[name]
	return f, f != nil
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

// operand is a value of a condition as SQL compares it with a column.
func (f *field) operand(value any) (any, error) {
	k := kindText
	switch f.kind {
	case kindInt, kindFloat, kindBool:
		k = kindInt
	}
	v, ok := convert(k, value)
	if !ok {
		return nil, errServer
	}
	return v, nil
}

// equality is the condition that a property equals a value; a property that does
// not exist, or is a relation, breaks the request.
func (m *model) equality(name string, value any) (test, error) {
	f, ok := m.column(name)
	if !ok {
		return nil, errServer
	}
	if f.kind == kindComputed && !f.filterable {
		return func(*Server, *object) (bool, bool, error) { return false, true, nil }, nil
	}
	if f.kind == kindDict || f.kind == kindList || f.kind == kindJSON {
		return func(*Server, *object) (bool, bool, error) { return false, true, nil }, nil
	}
	want, err := f.operand(value)
	if err != nil {
		return nil, err
	}
	return func(s *Server, o *object) (bool, bool, error) {
		have := s.cell(o, f)
		return have != nil && compareCells(have, want) == 0, have != nil || f.kind == kindProxy, nil
	}, nil
}

// inclusion is SQL's LIKE: contained, without regard to the case of ASCII letters.
func (f *field) inclusion(value any) (test, error) {
	v, ok := convertText(value)
	if !ok {
		return nil, errServer
	}
	want := lowerASCII(v.(string))
	return func(s *Server, o *object) (bool, bool, error) {
		have := s.cell(o, f)
		text, _ := convertText(have)
		if text == nil {
			return false, f.kind == kindProxy, nil
		}
		return strings.Contains(lowerASCII(text.(string)), want), true, nil
	}, nil
}

// matching is a regular expression searched in the text of a property. A wrong
// one breaks the request as soon as there is a row to try it on.
func (f *field) matching(value any) (test, error) {
	pattern, ok := value.(string)
	if !ok || f.kind == kindProxy {
		return nil, errServer
	}
	expression, wrong := regexp.Compile(pattern)
	return func(s *Server, o *object) (bool, bool, error) {
		if wrong != nil {
			return false, false, errServer
		}
		text, _ := convertText(s.cell(o, f))
		if text == nil {
			return false, false, nil
		}
		return expression.MatchString(text.(string)), true, nil
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
