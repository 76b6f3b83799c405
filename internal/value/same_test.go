// What eNMS keeps of a value that is sent, by the type of its column (enms-rest.md
// 1.1): the one comparison of the two goes through every pair.

package value

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

func TestSame(t *testing.T) {
	t.Parallel()
	null, unknown := tftypes.NewValue(StringSet, nil), tftypes.NewValue(StringSet, tftypes.UnknownValue)
	text := tftypes.NewValue(tftypes.String, "a")
	withUnknown := tftypes.NewValue(StringSet, []tftypes.Value{text, tftypes.NewValue(tftypes.String, tftypes.UnknownValue)})
	all := map[string]tftypes.Value{"absent": {}, "null": null, "unknown": unknown, "text": text, "list": tftypes.NewValue(tftypes.List{ElementType: tftypes.String}, []tftypes.Value{text}),
		"none": SetOf(nil), "a": SetOf([]string{"a"}), "a, b": SetOf([]string{"a", "b"}), "a, unknown": withUnknown}
	for name, x := range all {
		for other, y := range all {
			if got := Same(x, y); got != (name == other) || got != x.Equal(y) {
				t.Errorf("%s and %s: %v", name, other, got)
			}
		}
	}
	if !Same(SetOf([]string{"b", "a"}), SetOf([]string{"a", "b"})) {
		t.Error("the order of a set counts")
	}
}

func TestWhatENMSKeeps(t *testing.T) {
	t.Parallel()
	number := func(s string) json.Number { return json.Number(s) }
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
		"boolean, another word":          {"f", "maybe", true, false},
		"boolean, null":                  {"f", nil, true, false},
		"boolean, null and false":        {"f", nil, false, false},
		"boolean, too large":             {"f", number("1e400"), true, true},
		"integer, no number":             {"f", number("22"), "abc", false},
		"integer, a list":                {"f", number("1"), []any{}, false},
		"integer, 54 bits":               {"f", number("9007199254740993"), number("9007199254740992"), false},
		"float, more than 64 bits":       {"f", number("0.10000000000000000001"), number("0.1"), true},
		"string, number with a point":    {"f", number("7"), "7.0", true},
		"string, text with a point":      {"f", "7", "7.0", false},
		"string, list":                   {"f", []any{"a"}, "", false},
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
		"string, CR LF":                  {"f", "a\nb\n", "a\r\nb\r\n", true},
		"string, CR":                     {"f", "a\r\nb", "a\rb", true},
		"string, one line end more":      {"f", "a\n\nb", "a\r\nb", false},
		"string, no line end":            {"f", "ab", "a\r\nb", false},
		"string, LF CR are two":          {"f", "a\n\rb", "a\r\n\r\nb", true},
		"list, CR LF":                    {"f", []any{"a\nb"}, []any{"a\r\nb"}, true},
		"object, CR LF":                  {"f", map[string]any{"a": []any{"x\ny"}}, map[string]any{"a": []any{"x\r\ny"}}, true},
		"object, CR LF and another":      {"f", map[string]any{"a": "x\ny"}, map[string]any{"a": "x\r\nz"}, false},
		"string, number":                 {"f", number("5"), "5", true},
		"string, fraction":               {"f", number("12.5"), "12.5", true},
		"string, true":                   {"f", true, "1", true},
		"string, false":                  {"f", false, "0", true},
		"string, null":                   {"f", "a", nil, false},
		"object":                         {"f", map[string]any{"a": number("1")}, map[string]any{"a": number("1.0")}, true},
		"object, merged":                 {"f", map[string]any{"a": "x"}, map[string]any{"a": "x", "b": "y"}, true},
		"object, null":                   {"f", map[string]any{}, nil, false},
		"object, text":                   {"f", map[string]any{}, "x", false},
		"object, a null is lacking":      {"f", map[string]any{"a": nil}, map[string]any{"b": "x"}, false},
		"list, text":                     {"f", []any{}, "x", false},
		"relation, text":                 {"relation", []any{}, "x", false},
		"relation, sent as a text":       {"relation", "x", []any{}, false},
		"object, another":                {"f", map[string]any{"a": "x"}, map[string]any{"a": "y"}, false},
		"list":                           {"f", []any{"a", "b"}, []any{"a", "b"}, true},
		"list, order":                    {"f", []any{"a", "b"}, []any{"b", "a"}, false},
		"relation, order does not count": {"relation", []any{"a", "b"}, []any{"b", "a"}, true},
		"relation, another":              {"relation", []any{"a"}, []any{"b"}, false},
	} {
		if got := (Comparison{Unordered: test.field == "relation", Answered: true}).Keeps(test.sent, test.kept); got != test.same {
			t.Errorf("%s: sent %#v, kept %#v: %v, want %v", name, test.sent, test.kept, got, test.same)
		}
	}
}

// Only in an answer, and only of a field whose objects eNMS merges, may an object have more members. Words mean Booleans.
func TestKeeps(t *testing.T) {
	t.Parallel()
	want, more := map[string]any{"a": "x"}, map[string]any{"a": "x", "b": "y"}
	for c, keeps := range map[Comparison]bool{{}: false, {Answered: true}: true, {Answered: true, Whole: true}: false, {Whole: true}: false} {
		if c.Keeps(want, more) != keeps || !c.Keeps(want, want) {
			t.Errorf("%+v: more members are kept: %v", c, !keeps)
		}
	}
	for _, word := range []string{"true", "Yes", "no", "on", "OFF", "1", "0", ""} {
		if c := (Comparison{}); !c.Keeps(word, true) || c.Keeps(word, false) {
			t.Errorf("%q is not kept as true", word)
		}
	}
	for _, c := range []struct{ x, y any }{{json.Number("NaN"), "NaN"}, {json.RawMessage(`"\ud800"`), "\ufffd"}} {
		if !Equal(c.x, c.y) || !Equal(c.y, c.x) {
			t.Errorf("%v and its substitute %v differ", c.x, c.y)
		}
	}
}

func TestLineEnds(t *testing.T) {
	t.Parallel()
	v := FromJSON(map[string]any{"a": []any{"x\r\ny", "x\ry", json.Number("1"), true, nil}})
	if got := ToJSON(WithLF(v)); !Equal(got, map[string]any{"a": []any{"x\ny", "x\ry", json.Number("1"), true, nil}}) || strings.Contains(fmt.Sprint(got), "\r\n") {
		t.Errorf("with LF: %q", got)
	}
	for _, c := range []struct {
		x    any
		want bool
	}{{"a\nb", true}, {"a\rb", true}, {"ab", false}, {json.Number("1"), false}, {nil, false}, {map[string]any{"a": []any{"b", "c\n"}}, true}, {[]any{"a"}, false}} {
		if got := HasLineEnd(c.x); got != c.want {
			t.Errorf("%q has a line end: %v", c.x, got)
		}
	}
}

func TestDigitsOfMariaDB(t *testing.T) {
	t.Parallel()
	answeredField, configuredField := Comparison{Answered: true}, Comparison{}
	for _, test := range []struct {
		want, answered string
		alike          bool
	}{
		{"12.3456789", "12.3457", true},
		{"12.3456789", "12.3456", false},
		{"12.3456789", "12.346", false},
		{"12.34564", "12.3456", true},
		{"-12.3456789", "-12.3457", true},
		{"12.3456789", "-12.3457", false},
		{"1234567.5", "1.23457e+06", true},
		{"1234567.5", "1234570.0", true},
		{"1234567", "1234570.0", true}, // a whole number in a column of floats
		{"1234567", "1.23457E6", true},
		{"1234567", "1234570", false}, // a column of whole numbers
		{"12.7", "13", false},
		{"0.000012345678", "1.23457e-05", true},
		{"1e30", "1e+30", true},
		{"0.1", "0.1", true},
		{"0.1", "0.100001", false},
		{"16777217.0", "16777200.0", true},
		{"123456.55", "123457.0", true},
		{"2.000005", "2.0", true},     // of 32 bits it is less than the middle
		{"2.000005", "2.00001", true}, // of 64 bits it is the middle
		{"2.000006", "2.0", false},
		{"0", "0.0", true},
		{"0.0000001", "0.0", false},
		{"1e400", "1e+308", false},
		{"1e300", "1e+400", false},
	} {
		want, answered := json.Number(test.want), json.Number(test.answered)
		if got := answeredField.Keeps(want, answered); got != test.alike {
			t.Errorf("%s, answered as %s: %t", want, answered, got)
		}
		if got := answeredField.Keeps(test.want, answered); got != test.alike {
			t.Errorf("the text %s, answered as %s: %t", want, answered, got)
		}
		if configuredField.Keeps(want, answered) != equalNumbers(test.want, test.answered) {
			t.Errorf("%s and %s count as the same in a configuration", want, answered)
		}
		if test.want != test.answered && answeredField.Keeps(want, test.answered) && !equalNumbers(test.want, test.answered) {
			t.Errorf("%s counts as the text %s", want, test.answered)
		}
	}
	if answeredField.Keeps("abc", json.Number("0.0")) || !configuredField.Keeps("7", json.Number("7.0")) {
		t.Error("a text that is no number is 0, or a text is no number")
	}
	for _, want := range []any{"abc", "", nil, []any{json.Number("12.3456789")}, map[string]any{"a": json.Number("12.3456789")}} {
		for _, have := range []any{json.Number("12.3457"), []any{json.Number("12.3457")}, map[string]any{"a": json.Number("12.3457")}} {
			if answeredField.Keeps(want, have) {
				t.Errorf("%v counts as %v", want, have)
			}
		}
	}
}
