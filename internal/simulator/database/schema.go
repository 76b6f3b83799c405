// The schema of a database: the types of its objects, their fields and relations. How SQLite converts a
// value that is written to a column (1.1), and how SQL compares values.

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
	// ForeignKeys are the relations to one without another side, by the type or the class of the object
	// that they refer to.
	ForeignKeys map[string]ForeignKey
	// Hidden are types that this server does not have.
	Hidden []string
	// Inverts: searches for objects with an empty relation can be inverted, and also work for relations to
	// one.
	Inverts bool
	// Missing are, by property, the types that lack it on this server.
	Missing map[string][]string
}

// Type is an instance type.
type Type struct {
	Name string
	// Version is a model.Version.
	Version int
	Parent  *Type  // nil for a type with a table of its own
	Class   string // the type whose rights and rules apply, such as "service" for a workflow
	Table   string // objects of one table share their ids
	Names   string // objects of one namespace have different names; "" for none
	// Nameless: ByName finds no object of this type.
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
	KindText Kind = iota
	KindInt       // SQLite stores what it cannot convert as it is
	KindFloat
	KindBool
	KindDict     // pickled object: equal to nothing in a filter
	KindList     // pickled list
	KindJSON     // any JSON value
	KindSecret   // stored, never returned (1.2)
	KindComputed // made at read time; assigning it raises
	KindProxy    // the name of the object of a single relation; assigning it renames that object (1.1)
)

// Field is one property of a type.
type Field struct {
	Name    string
	Kind    Kind
	Initial any // the value a new object gets when none or null was sent
	Limit   int // how many characters a column of strings holds, 0 for any number
	// Merges: an object that is written is merged into the stored one. No answer shows the field.
	Merges bool
	// Relation is the relation to one whose object has the value of a proxy.
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
	Orphans      bool   // members are deleted when they leave, and with their owner
	Cascade      bool   // members are deleted with their owner
}

// ForeignKey is a relation to one without another side. If the row that it refers to is to be deleted, the
// id in the referring rows is cleared, or these rows are deleted; otherwise the deletion is refused.
type ForeignKey struct {
	Table, Relation  string
	Cleared, Deleted bool
}

// Type returns the type with a name, or nil if the server does not have it.
func (s *Schema) Type(name string) *Type {
	if slices.Contains(s.Hidden, name) {
		return nil
	}
	return s.Types[name]
}

// Lacks reports whether the server does not know a property of a type.
func (s *Schema) Lacks(m *Type, property string) bool {
	return slices.ContainsFunc(s.Missing[property], m.IsA)
}

// IsA reports whether m is the type with a name, or a subtype of it.
func (m *Type) IsA(name string) bool {
	for ; m != nil; m = m.Parent {
		if m.Name == name {
			return true
		}
	}
	return false
}

// Polymorphic reports whether rows keep their subtype in a column that can be written (0.2).
func (m *Type) Polymorphic() bool { return m.Table == "object" || m.Table == "service" }

// ColumnOf returns the relation with a name if it is to one, and so has an id column; otherwise nil.
func (m *Type) ColumnOf(relation string) *Relation {
	if r := m.Relations[relation]; r != nil && !r.Many {
		return r
	}
	return nil
}

// tableCount returns in how many tables the rows of a type are: its own and those of its parents.
func (m *Type) tableCount() int {
	if m == nil {
		return 0
	}
	return 1 + m.Parent.tableCount()
}

func (f *Field) number() bool { return f.Kind == KindInt || f.Kind == KindFloat || f.Kind == KindBool }

// Filterable reports whether the database can filter and sort by a field.
func (f *Field) Filterable() bool { return f.Kind != KindComputed || f.Compute != nil }

// Convert returns the value of a column of kind k after v was written to it. ok is false if the database
// refuses v, and with it the whole request.
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

// convertText is Convert for a column of strings.
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

// convertInt is Convert for a column of integers. On SQLite, it keeps a string that is no number.
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

// convertFloat is Convert for a column of floats.
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

// integral returns a float as an INTEGER column stores it.
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

// leadingNumber returns the number with which a string begins, or 0.
func leadingNumber(text string) float64 {
	n, _ := strconv.ParseFloat(strings.TrimSpace(numberAtStart.FindString(text)), 64)
	return n
}
