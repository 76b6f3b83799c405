// What eNMS keeps of a value that is sent, by the type of its column (enms-rest.md
// 1.1): the one comparison of the two goes through every pair.

package instance

import (
	"encoding/json"
	"testing"
)

func TestWhatENMSKeeps(t *testing.T) {
	t.Parallel()
	number := func(s string) json.Number { return json.Number(s) }
	further := Attribute{Meaning: Fields, unordered: []string{"relation"}}
	for name, test := range map[string]struct {
		field      string
		sent, kept any
		same       bool
	}{
		"boolean, false":                 {"f", false, false, true},
		"boolean, false as text":         {"f", "false", false, true},
		"boolean, 0":                     {"f", number("0"), false, true},
		"boolean, 0.0":                   {"f", number("0.0"), false, true},
		"boolean, true":                  {"f", true, true, true},
		"boolean, true as text":          {"f", "true", true, true},
		"boolean, 1":                     {"f", number("1"), true, true},
		"boolean, False":                 {"f", "False", true, true},
		"boolean, no":                    {"f", "no", true, true},
		"boolean, empty text":            {"f", "", true, true},
		"boolean, empty list":            {"f", []any{}, true, true},
		"boolean, false and true":        {"f", false, true, false},
		"boolean, true and false":        {"f", true, false, false},
		"boolean, text and false":        {"f", "no", false, false},
		"integer, number":                {"f", number("22"), number("22"), true},
		"integer, text":                  {"f", "22", number("22"), true},
		"integer, true":                  {"f", true, number("1"), true},
		"integer, false":                 {"f", false, number("0"), true},
		"integer, fraction on SQLite":    {"f", number("22.5"), number("22.5"), true},
		"integer, text that stays one":   {"f", "abc", "abc", true},
		"integer, another":               {"f", number("22"), number("23"), false},
		"integer, seven digits":          {"f", number("1234567"), number("1234570"), false},
		"float, whole number":            {"f", number("5"), number("5.0"), true},
		"float, text":                    {"f", "7", number("7.0"), true},
		"float, six digits of MariaDB":   {"f", number("12.3456789"), number("12.3457"), true},
		"float, another":                 {"f", number("12.3456789"), number("12.3458"), false},
		"string":                         {"f", "a", "a", true},
		"string, another":                {"f", "a", "b", false},
		"string, number":                 {"f", number("5"), "5", true},
		"string, fraction":               {"f", number("12.5"), "12.5", true},
		"string, true":                   {"f", true, "1", true},
		"string, false":                  {"f", false, "0", true},
		"string, null":                   {"f", "a", nil, false},
		"object":                         {"f", map[string]any{"a": number("1")}, map[string]any{"a": number("1.0")}, true},
		"object, merged":                 {"f", map[string]any{"a": "x"}, map[string]any{"a": "x", "b": "y"}, true},
		"object, another":                {"f", map[string]any{"a": "x"}, map[string]any{"a": "y"}, false},
		"list":                           {"f", []any{"a", "b"}, []any{"a", "b"}, true},
		"list, order":                    {"f", []any{"a", "b"}, []any{"b", "a"}, false},
		"relation, order does not count": {"relation", []any{"a", "b"}, []any{"b", "a"}, true},
		"relation, another":              {"relation", []any{"a"}, []any{"b"}, false},
	} {
		if got := further.alike(test.field, test.sent, test.kept, true); got != test.same {
			t.Errorf("%s: sent %#v, kept %#v: %v, want %v", name, test.sent, test.kept, got, test.same)
		}
	}
}
