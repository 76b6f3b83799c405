// What eNMS keeps of a value that is sent, by the type of its column (enms-rest.md
// 1.1): the one comparison of the two goes through every pair.

package value

import (
	"encoding/json"
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
	for _, want := range []any{"abc", "", nil, []any{json.Number("12.3456789")}, map[string]any{"a": json.Number("12.3456789")}} {
		for _, have := range []any{json.Number("12.3457"), []any{json.Number("12.3457")}, map[string]any{"a": json.Number("12.3457")}} {
			if answeredField.Keeps(want, have) {
				t.Errorf("%v counts as %v", want, have)
			}
		}
	}
}
