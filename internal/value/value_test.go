// Tests of the way of values between Terraform and JSON.

package value

import (
	"encoding/json"
	"math/big"
	"reflect"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

func TestNumbersThereAndBack(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"0", "-1", "9223372036854775807", "123456789012345678901234567890", "0.1", "2.5", "1e-7", "1e21", "-0.001"} {
		v := FromJSON(json.Number(text))
		back, ok := ToJSON(v).(json.Number)
		if !ok || !equalNumbers(text, back.String()) {
			t.Errorf("%s came back as %v", text, ToJSON(v))
		}
		if again := FromJSON(back); !Equal(ToJSON(again), ToJSON(v)) {
			t.Errorf("%s is not stable", text)
		}
	}
	third := tftypes.NewValue(tftypes.Number, new(big.Float).Quo(big.NewFloat(1), big.NewFloat(3)))
	if !Equal(ToJSON(third), json.Number("0.3333333333333333")) {
		t.Error("a third is", ToJSON(third))
	}
}

func TestTexts(t *testing.T) {
	t.Parallel()
	unknown := tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
	text := tftypes.NewValue(tftypes.String, "a")
	for _, c := range []struct {
		v     tftypes.Value
		text  string
		names []string
	}{
		{tftypes.Value{}, "", nil}, {text, "a", nil}, {unknown, "", nil}, {tftypes.NewValue(tftypes.String, nil), "", nil}, {FromJSON(true), "", nil},
		{SetOf([]string{"b", "a"}), "", []string{"b", "a"}}, {SetOf(nil), "", []string{}}, {FromJSON([]any{"a", nil}), "", []string{"a", ""}},
		{tftypes.NewValue(StringSet, []tftypes.Value{text, unknown}), "", []string{"a", ""}}, {tftypes.NewValue(StringSet, nil), "", nil}, {tftypes.NewValue(StringSet, tftypes.UnknownValue), "", nil},
	} {
		if got := Text(c.v); got != c.text {
			t.Errorf("the text of %s is %q", c.v, got)
		}
		if got := Names(c.v); !reflect.DeepEqual(got, c.names) {
			t.Errorf("the names in %s are %#v, want %#v", c.v, got, c.names)
		}
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	object := map[string]any{"a": []any{"b", true, json.Number("1"), map[string]any{"c": nil}}, "d": map[string]any{}}
	if got := ToJSON(FromJSON(object)); !reflect.DeepEqual(got, object) {
		t.Errorf("%v came back as %v", object, got)
	}
	typ := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"b": tftypes.Bool, "s": tftypes.Tuple{ElementTypes: []tftypes.Type{tftypes.String}}}}
	if got := FromJSON(map[string]any{"b": true, "s": []any{"x"}}); !got.Type().Equal(typ) || !ObjectOf(map[string]tftypes.Value{"b": FromJSON(true), "s": FromJSON([]any{"x"})}).Equal(got) {
		t.Errorf("the type is %s", got.Type())
	}
	if got := Members(FromJSON(map[string]any{"a": nil, "b": json.Number("1")})); !reflect.DeepEqual(got, map[string]any{"b": json.Number("1")}) || Members(FromJSON("x")) != nil {
		t.Errorf("the members are %v", got)
	}
	for _, typ := range []tftypes.Type{tftypes.String, tftypes.Bool, tftypes.Number, StringSet, typ} {
		if x, y := ToJSON(tftypes.NewValue(typ, nil)), ToJSON(tftypes.NewValue(typ, tftypes.UnknownValue)); x != nil || y != nil {
			t.Errorf("null and unknown values of %s are %v and %v", typ, x, y)
		}
	}
	for _, c := range []struct{ x, want any }{
		{json.Number("NaN"), "NaN"}, {json.Number("Infinity"), "Infinity"}, {json.Number("-Infinity"), "-Infinity"}, {json.Number("1e9"), json.Number("1e9")}, {json.RawMessage(`"\ud800x"`), "\ufffdx"},
		{[]any{json.Number("NaN"), map[string]any{"a": json.Number("NaN"), "b": true}}, []any{"NaN", map[string]any{"a": "NaN", "b": true}}}, {nil, nil},
	} {
		if got := Plain(c.x); !reflect.DeepEqual(got, c.want) || !Equal(ToJSON(FromJSON(c.x)), c.want) {
			t.Errorf("the plain form of %v is %v", c.x, got)
		}
	}
	for _, digits := range []string{"1e999999999999", "1e99999999999999999999", "1e1000000000"} {
		if got := FromJSON(json.Number(digits)); Text(got) != digits {
			t.Errorf("%s is %s", digits, got)
		}
	}
}

func TestFromAnswers(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("1", 40)
	for text, want := range map[string]string{"22": "", "22.0": "", "-0": "", "9223372036854775807": "", "9223372036854775808": "is 9223372036854775808, which is beyond 64 bits",
		"22.5": "is 22.5 where", "NaN": "is NaN where", "Infinity": "is Infinity where", long: "is " + long + ",", long + "2": "is " + long + "…,"} {
		v, err := WholeNumber(json.Number(text))
		if (err == nil) != (want == "") || err == nil && !equalNumbers(text, ToJSON(v).(json.Number).String()) || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %s, %v", text, v, err)
		}
	}
	for what, x := range map[string]any{"null": nil, "a string": "x", "a Boolean": true, "a string that is not Unicode": json.RawMessage("x"), "a number": json.Number("1"), "a list": []any{}, "an object": map[string]any{}} {
		_, err := NameSet([]any{"a", x})
		if got := Describe(x); got != what || (err == nil) != (what == "a string") || err != nil && !strings.Contains(err.Error(), what) {
			t.Errorf("%s is %s: %v", what, got, err)
		}
	}
	var names []tftypes.Value
	set, err := NameSet([]any{"b", "a", "b"})
	if _ = set.As(&names); err != nil || len(names) != 2 || Text(names[0]) != "a" || Text(names[1]) != "b" {
		t.Errorf("the set is %s, %v", set, err)
	}
}

// What is found at any depth has a path in HCL syntax; a key counts as a string.
func TestFind(t *testing.T) {
	t.Parallel()
	within := func(x any) any {
		return []any{"a", map[string]any{"b c": []any{nil}, "d-1": map[string]any{"2": x, "0": json.Number("1")}}}
	}
	const at = `[1].d-1["2"]`
	for _, c := range []struct {
		x             any
		hasNUL, isOut bool
	}{
		{"a\x00", true, false}, {"a", false, false}, {nil, false, false}, {true, false, false}, {json.Number("0"), false, false}, {json.Number("0e-5"), false, false}, {json.Number("0.0E5"), false, false},
		{json.Number("1e308"), false, false}, {json.Number("1e309"), false, true}, {json.Number("1e-400"), false, true}, {json.Number("1e-300"), false, false},
		{json.Number(strings.Repeat("1", 150)), false, false}, {json.Number(strings.Repeat("1", 151)), false, true}, {json.Number("0." + strings.Repeat("1", 149)), false, true},
	} {
		where, found := FindNUL(within(c.x))
		if found != c.hasNUL || found && where != at {
			t.Errorf("%q: NUL %v at %s", c.x, found, where)
		}
		where, found = FindOutOfBounds(within(c.x))
		if found != c.isOut || found && where != at || (CheckNumbers(within(c.x)) != nil) != c.isOut {
			t.Errorf("%v: out of bounds %v at %s", c.x, found, where)
		}
	}
	for key, want := range map[string]string{"\x00": `.a["\x00"]`, "b": ""} {
		if where, found := FindNUL(map[string]any{"a": map[string]any{key: "x"}}); found != (want != "") || where != want {
			t.Errorf("the key %q: %v at %s", key, found, where)
		}
	}
}
