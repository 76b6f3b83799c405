// How single values are treated on write (1.1): what Python makes of them when
// they are assigned, what SQLite makes of them when the row is written.

package simulator

import (
	"encoding/json"
	"fmt"
	"math"
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

// convert is what a column of kind k holds once v was written to it. ok is false
// when the database refuses the value, which fails the whole request.
func convert(k kind, v any) (stored any, ok bool) {
	if v == nil {
		return nil, true
	}
	if _, big := v.(json.Number); big && k != kindDict && k != kindList && k != kindJSON {
		return nil, false
	}
	if f, is := v.(float64); is && math.IsNaN(f) && (k == kindText || k == kindInt || k == kindFloat) {
		return nil, true // as SQLite binds it
	}
	switch k {
	case kindText, kindSecret:
		return convertText(v)
	case kindInt:
		return convertInt(v)
	case kindFloat:
		return convertFloat(v)
	default:
		return v, true
	}
}

func convertText(v any) (any, bool) {
	switch v := v.(type) {
	case string:
		return v, encodable(v) == nil
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
		return pythonFloat(v), true
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

// integral is a float as an INTEGER column keeps it.
func integral(f float64) any {
	if f == math.Trunc(f) && math.Abs(f) < 1<<63 {
		return int64(f)
	}
	return f
}

// numeric reads a text as SQLite's numeric affinity does.
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
