// How Python sees a value.

package simulator

import (
	"fmt"
	"strconv"
	"strings"
)

// truthy is Python's bool().
func truthy(v any) bool {
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
	case *dict:
		return len(v.keys) > 0
	default:
		return true
	}
}

// typeName is the name of a value's Python type, for messages.
func typeName(v any) string {
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
	case *dict:
		return "dict"
	default:
		return "int"
	}
}

// pythonRepr is repr(), for messages.
func pythonRepr(v any) string {
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
		return pythonFloat(v)
	case []any:
		items := make([]string, len(v))
		for i := range v {
			items[i] = pythonRepr(v[i])
		}
		return "[" + strings.Join(items, ", ") + "]"
	case *dict:
		items := make([]string, len(v.keys))
		for i, key := range v.keys {
			items[i] = pythonRepr(key) + ": " + pythonRepr(v.values[key])
		}
		return "{" + strings.Join(items, ", ") + "}"
	default:
		return fmt.Sprint(v)
	}
}

// isFalse is the one test eNMS applies to booleans: everything that is not this
// is true, null and "False" included.
func isFalse(v any) bool {
	return v == false || v == "false" || v == int64(0) || v == float64(0)
}

// iterate is what a Python for statement finds in v: the characters of a string,
// the keys of an object.
func iterate(v any) ([]any, error) {
	switch v := v.(type) {
	case []any:
		return v, nil
	case string:
		out := []any{}
		for _, r := range v {
			out = append(out, string(r))
		}
		return out, nil
	case *dict:
		out := []any{}
		for _, key := range v.keys {
			out = append(out, key)
		}
		return out, nil
	default:
		return nil, raise("TypeError", "'%s' object is not iterable", typeName(v))
	}
}

// isJSON says whether a database with a column for JSON takes a value.
func isJSON(v any) bool {
	switch v := v.(type) {
	case float64:
		return finite(v)
	case string:
		return encodable(v) == nil
	case []any:
		for _, member := range v {
			if !isJSON(member) {
				return false
			}
		}
	case *dict:
		for key, member := range v.values {
			if !isJSON(key) || !isJSON(member) {
				return false
			}
		}
	}
	return true
}

// pythonInt is int(v).
func pythonInt(v any) (int, bool) {
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
