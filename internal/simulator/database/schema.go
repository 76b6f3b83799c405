// What a database is made for: the types of its objects, their fields and relations. What a column
// holds once a value was written to it, as SQLite converts it (1.1), and how SQL compares it.

package database

import (
	"cmp"
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// Schema says which types of objects a server has.
type Schema struct {
	Types map[string]*Type
	// ForeignKeys are the single relations without another side, by the type or the
	// class of what they refer to.
	ForeignKeys map[string]ForeignKey
	// Hidden are types that this server does not have.
	Hidden []string
	// Inverts has searches for what is related to nothing be inverted when asked for, and be about
	// relations to one, too.
	Inverts bool
	// Missing are, by property, the types that lack it on this server.
	Missing map[string][]string
}

// Type is an instance type.
type Type struct {
	Name string
	// Version is the version of eNMS that has the type so, as the model counts them.
	Version int
	Parent  *Type  // nil for a type with a table of its own
	Class   string // the type whose rights rules and extra search columns apply
	Table   string // objects of one table share their ids
	Names   string // objects of one name space have different names; "" for none
	// Nameless objects have no name space of their own, so that nobody finds them by name.
	Nameless     bool
	Fields       map[string]*Field
	Relations    map[string]*Relation
	Order        []string // relations in the order in which names are resolved
	Columns      map[string]*Relation
	Properties   []string        // what a full answer shows, sorted, relations apart
	Unserialized map[string]bool // never in an answer though not secret (1.4)
	Additional   []string        // columns that search adds (5.2)
	Unique       []string        // relations to one and strings that together no two rows may have
}

// Kind is the kind of a field.
type Kind int

// The kinds of fields.
const (
	KindText     Kind = iota
	KindInt           // SQLite INTEGER: keeps what it cannot convert
	KindFloat         //
	KindBool          //
	KindDict          // pickled object: equal to nothing in a filter
	KindList          // pickled list
	KindJSON          // any JSON value
	KindSecret        // stored, never returned (1.2)
	KindComputed      // made at read time; assigning it raises
	KindProxy         // the name of the object of a single relation; assigning it renames that object (1.1)
)

// Field is one property of a type.
type Field struct {
	Name    string
	Kind    Kind
	Initial any // the value a new object gets when none or null was sent
	Limit   int // how many characters a column of strings holds, 0 for any number
	// Merges has an object that is written be merged into the one that is there, which no answer shows.
	Merges bool
	// Relation is the single relation that a proxy looks through.
	Relation string
	// Compute returns the value of a computed field that the database can filter and sort
	// by, from other properties; others have none.
	Compute func(get func(string) any) any
}

// Relation is one side of a relation between two types.
type Relation struct {
	Name, Target string
	Many         bool
	Reverse      string // the other side's name on the target, "" when there is none
	Column       string // single relations: the id column
	Counter      string // the property that counts the members, "" for none
	Unlisted     bool   // not shown and not resolved by name, yet writable (2.2)
	Orphans      bool   // a member that leaves is deleted, and so is it with its owner
	Cascade      bool   // members are deleted with their owner
}

// ForeignKey is a single relation without another side, and what becomes of the rows
// that hold it when the row it refers to goes: their id is cleared, they are deleted, or
// neither, so that the row may not go.
type ForeignKey struct {
	Table, Relation  string
	Cleared, Deleted bool
}

// Type returns the type of a name, nil when the server has none.
func (s *Schema) Type(name string) *Type {
	if slices.Contains(s.Hidden, name) {
		return nil
	}
	return s.Types[name]
}

// Lacks reports whether the server does not know a property of a type.
func (s *Schema) Lacks(m *Type, property string) bool {
	for _, missing := range s.Missing[property] {
		if m.IsA(missing) {
			return true
		}
	}
	return false
}

// IsA reports whether m is the type of a name or a subtype of it.
func (m *Type) IsA(name string) bool {
	for ; m != nil; m = m.Parent {
		if m.Name == name {
			return true
		}
	}
	return false
}

// Polymorphic reports whether rows keep their subtype in a column that can be written
// (0.2).
func (m *Type) Polymorphic() bool { return m.Table == "object" || m.Table == "service" }

// ColumnOf returns a relation to one, nil when it is none.
func (m *Type) ColumnOf(relation string) *Relation {
	if r := m.Relations[relation]; r != nil && !r.Many {
		return r
	}
	return nil
}

// tables returns how many tables the rows of a type are in: its own and those of its
// parents.
func (m *Type) tables() int {
	if m == nil {
		return 0
	}
	return 1 + m.Parent.tables()
}

func (f *Field) number() bool { return f.Kind == KindInt || f.Kind == KindFloat || f.Kind == KindBool }

// Filterable reports whether the database can filter and sort by a field.
func (f *Field) Filterable() bool { return f.Kind != KindComputed || f.Compute != nil }

// Convert returns what a column of kind k holds once v was written to it. ok is false
// when the database refuses the value, which fails the whole request.
func Convert(k Kind, v any) (stored any, ok bool) {
	if v == nil {
		return nil, true
	}
	if _, big := v.(json.Number); big && k != KindDict && k != KindList && k != KindJSON {
		return nil, false
	}
	if f, is := v.(float64); is && math.IsNaN(f) && (k == KindText || k == KindInt || k == KindFloat) {
		return nil, true // as SQLite binds it
	}
	switch k {
	case KindText, KindSecret:
		return convertText(v)
	case KindInt:
		return convertInt(v)
	case KindFloat:
		return convertFloat(v)
	default:
		return v, true
	}
}

func convertText(v any) (any, bool) {
	switch v := v.(type) {
	case string:
		return v, python.CheckEncodable(v) == nil
	case bool:
		if v {
			return "1", true
		}
		return "0", true
	case int64:
		return strconv.FormatInt(v, 10), true
	case float64:
		if math.IsInf(v, 0) {
			return map[bool]string{true: "Inf", false: "-Inf"}[v > 0], true
		}
		return python.FloatRepr(v), true
	default:
		return nil, false
	}
}

func convertInt(v any) (any, bool) {
	switch v := v.(type) {
	case bool:
		if v {
			return int64(1), true
		}
		return int64(0), true
	case int64:
		return v, true
	case float64:
		return integral(v), true
	case string:
		if n, ok := numeric(v); ok {
			return n, true
		}
		return v, true
	default:
		return nil, false
	}
}

func convertFloat(v any) (any, bool) {
	n, ok := convertInt(v)
	if !ok {
		return nil, false
	}
	switch n := n.(type) {
	case int64:
		return float64(n), true
	case float64:
		return n, true
	default:
		return nil, false
	}
}

// integral returns a float as an INTEGER column keeps it.
func integral(f float64) any {
	if f == math.Trunc(f) && math.Abs(f) < 1<<63 {
		return int64(f)
	}
	return f
}

// numeric reads a string as SQLite's numeric affinity does.
func numeric(s string) (any, bool) {
	s = strings.TrimSpace(s)
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, true
	}
	if s == "" || strings.ContainsAny(s, "xXpPnN_") { // Go reads more notations than SQLite
		return nil, false
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return nil, false
	}
	return integral(f), true
}

// CompareCells orders values as SQLite does: NULL, numbers, strings.
func CompareCells(a, b any) int {
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

func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

var numberAtStart = regexp.MustCompile(`^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?`)

func leadingNumber(text string) float64 {
	n, _ := strconv.ParseFloat(strings.TrimSpace(numberAtStart.FindString(text)), 64)
	return n
}
