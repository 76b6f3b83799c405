// Package python has the values of Python: dicts, JSON, exceptions and their tracebacks. Numbers in comments
// are sections of enms-rest.md.
package python

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Truthy returns Python's bool(v).
func Truthy(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case string:
		return v != ""
	case int64:
		return v != 0
	case float64:
		return v != 0
	case []any:
		return len(v) > 0
	case *Dict:
		return len(v.Keys) > 0
	default:
		return true
	}
}

// TypeName returns the name of a value's Python type, for messages.
func TypeName(v any) string {
	switch v.(type) {
	case nil:
		return "NoneType"
	case bool:
		return "bool"
	case string:
		return "str"
	case float64:
		return "float"
	case []any:
		return "list"
	case *Dict:
		return "dict"
	default:
		return "int"
	}
}

// Repr returns Python's repr(v), for messages.
func Repr(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		if v {
			return "True"
		}
		return "False"
	case string:
		return "'" + strings.ReplaceAll(v, "'", "\\'") + "'"
	case float64:
		return FloatRepr(v)
	case []any:
		items := make([]string, len(v))
		for i := range v {
			items[i] = Repr(v[i])
		}
		return "[" + strings.Join(items, ", ") + "]"
	case *Dict:
		items := make([]string, len(v.Keys))
		for i, key := range v.Keys {
			items[i] = Repr(key) + ": " + Repr(v.values[key])
		}
		return "{" + strings.Join(items, ", ") + "}"
	default:
		return fmt.Sprint(v)
	}
}

// IsFalse reports whether a Boolean field reads a value as false. It reads everything else as true, also
// null and "False".
func IsFalse(v any) bool {
	return v == false || v == "false" || v == int64(0) || v == float64(0)
}

// Iterate returns what a for statement of Python iterates over: the members of a list, the characters of a
// string, the keys of an object.
func Iterate(v any) ([]any, error) {
	switch v := v.(type) {
	case []any:
		return v, nil
	case string:
		out := []any{}
		for _, r := range v {
			out = append(out, string(r))
		}
		return out, nil
	case *Dict:
		out := []any{}
		for _, key := range v.Keys {
			out = append(out, key)
		}
		return out, nil
	default:
		return nil, Raise("TypeError", "'%s' object is not iterable", TypeName(v))
	}
}

// IsJSON reports whether a database accepts a value in a JSON column.
func IsJSON(v any) bool {
	switch v := v.(type) {
	case float64:
		return Finite(v)
	case string:
		return CheckEncodable(v) == nil
	case []any:
		for _, member := range v {
			if !IsJSON(member) {
				return false
			}
		}
	case *Dict:
		for key, member := range v.values {
			if !IsJSON(key) || !IsJSON(member) {
				return false
			}
		}
	}
	return true
}

// Int returns Python's int(v).
func Int(v any) (int, bool) {
	switch v := v.(type) {
	case int64:
		return int(v), true
	case float64:
		return int(v), true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	case string:
		n, err := strconv.Atoi(strings.TrimSpace(v))
		return n, err == nil
	default:
		return 0, false
	}
}

// Dict is a JSON object that remembers the order of its keys.
type Dict struct {
	Keys   []string
	values map[string]any
}

// NewDict returns an empty dict.
func NewDict() *Dict { return &Dict{values: map[string]any{}} }

// Pairs returns a dict of alternating keys and values.
func Pairs(keysAndValues ...any) *Dict {
	d := NewDict()
	for i := 0; i < len(keysAndValues); i += 2 {
		d.Set(keysAndValues[i].(string), keysAndValues[i+1])
	}
	return d
}

// Get returns the value of a key, or nil.
func (d *Dict) Get(key string) any {
	v, _ := d.Lookup(key)
	return v
}

// Lookup returns the value of a key, and whether the dict has the key. A nil dict has no keys.
func (d *Dict) Lookup(key string) (any, bool) {
	if d == nil {
		return nil, false
	}
	v, ok := d.values[key]
	return v, ok
}

// Dict returns the value of a key if it is an object, otherwise nil.
func (d *Dict) Dict(key string) *Dict {
	v, _ := d.Get(key).(*Dict)
	return v
}

// Size returns the number of keys.
func (d *Dict) Size() int {
	if d == nil {
		return 0
	}
	return len(d.Keys)
}

// Set sets the value of a key. As in Python, an existing key keeps its place.
func (d *Dict) Set(key string, value any) {
	if _, ok := d.values[key]; !ok {
		d.Keys = append(d.Keys, key)
	}
	d.values[key] = value
}

// Pop removes a key and returns its value.
func (d *Dict) Pop(key string) (any, bool) {
	v, ok := d.values[key]
	if ok {
		delete(d.values, key)
		d.Keys = slices.DeleteFunc(d.Keys, func(k string) bool { return k == key })
	}
	return v, ok
}

// Merged returns a new dict with the keys of both; the values of over take precedence.
func (d *Dict) Merged(over *Dict) *Dict {
	out := NewDict()
	for _, from := range []*Dict{d, over} {
		if from == nil {
			continue
		}
		for _, key := range from.Keys {
			out.Set(key, from.values[key])
		}
	}
	return out
}

// Record is a JSON object of an answer.
type Record []Member

// Member is a key of a record and its value.
type Member struct {
	Key   string
	Value any
}

// NewRecord returns a record of alternating keys and values.
func NewRecord(keysAndValues ...any) Record { return Record(nil).With(keysAndValues...) }

// With returns the record with alternating keys and values added.
func (r Record) With(keysAndValues ...any) Record {
	for i := 0; i < len(keysAndValues); i += 2 {
		r = append(r, Member{keysAndValues[i].(string), keysAndValues[i+1]})
	}
	return r
}

// record returns the dict as a record.
func (d *Dict) record() Record {
	r := make(Record, 0, len(d.Keys))
	for _, key := range d.Keys {
		r = append(r, Member{key, d.values[key]})
	}
	return r
}

// Error is a Python exception. The client gets it as the last line of a traceback (0.1), or, outside of
// upserts, as an error status.
type Error struct{ Class, text string }

// ErrServer is an exception that eNMS does not catch: the request ends with 500, and nothing is written.
var ErrServer = errors.New("the handler raised")

// Raise returns an exception of a class.
func Raise(class, format string, args ...any) *Error {
	return &Error{Class: class, text: fmt.Sprintf(format, args...)}
}

// Error returns the last line of the traceback.
func (e *Error) Error() string {
	if e.text == "" {
		return e.Class
	}
	return e.Class + ": " + e.text
}

// Traceback returns an exception as eNMS returns it. Only the last line is as on a real server.
func Traceback(err error) string {
	return "Traceback (most recent call last):\n" +
		"  File \"simulated.py\", line 1, in upsert\n" +
		err.Error() + "\n"
}

// Finite reports whether a float is a number that JSON has.
func Finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// FloatRepr returns Python's repr of a float: always with a fraction or an exponent.
func FloatRepr(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 0):
		return strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(f, 'g', -1, 64)), "+")
	}
	if abs := math.Abs(f); f != 0 && (abs < 1e-4 || abs >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	text := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// FloatJSON returns how Python's json writes a number.
func FloatJSON(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	return FloatRepr(f)
}

// halfAt returns the half of a surrogate pair at the beginning of a string, or 0.
func halfAt(text string) rune {
	if len(text) < 3 || text[0] != 0xed || text[1] < 0xa0 || text[1] > 0xbf {
		return 0
	}
	return rune(text[0]&0xf)<<12 | rune(text[1]&0x3f)<<6 | rune(text[2]&0x3f)
}

// CheckEncodable refuses a string that Python cannot encode for a database.
func CheckEncodable(text string) error {
	for i := range len(text) {
		if half := halfAt(text[i:]); half != 0 {
			return Raise("UnicodeEncodeError", "'utf-8' codec can't encode character '\\u%04x' in position %d: surrogates not allowed", half, utf8.RuneCountInString(text[:i]))
		}
	}
	return nil
}
