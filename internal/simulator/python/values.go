// Package python has the values of eNMS as Python sees and prints them: dicts, JSON,
// exceptions and their tracebacks. Numbers in comments are sections of enms-rest.md.
package python

import (
	"fmt"
	"strconv"
	"strings"
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

// IsFalse reports whether eNMS takes a value for false in a Boolean field: everything else is
// true, null and "False" included.
func IsFalse(v any) bool {
	return v == false || v == "false" || v == int64(0) || v == float64(0)
}

// Iterate returns what a Python for statement finds in v: the characters of a string,
// the keys of an object.
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

// IsJSON reports whether a database with a column for JSON takes a value.
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
