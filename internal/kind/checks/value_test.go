// Tests of the checks of values by their rows: types, bounds and lengths.

package checks

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/kindtest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

func TestMisfit(t *testing.T) {
	t.Parallel()
	type object = map[string]any
	n := func(digits string) json.Number { return json.Number(digits) }
	for _, test := range []struct {
		typ   kind.ValueType
		x     any
		words string // "" if it fits
	}{
		{kind.Text, "x", ""}, {kind.Text, n("5"), ""}, {kind.Text, true, `Expected a string, got true. eNMS would make "1" or "0" of it.`}, {kind.Text, []any{}, "got a list."},
		{kind.Number, n("9"), ""}, {kind.Number, "9", ""}, {kind.Number, "a", `got the string "a".`}, {kind.Number, n("1.5"), "got the number 1.5."}, {kind.Number, n("2147483648"), "a whole number"}, {kind.Number, n("2147483647"), ""}, {kind.Number, true, "got true."}, {kind.Number, object{}, "got an object."},
		{kind.Decimal, n("1.5"), ""}, {kind.Decimal, "7", ""}, {kind.Decimal, "much", "a number"}, {kind.Decimal, nil, "got null"},
		{kind.Flag, false, ""}, {kind.Flag, n("0"), ""}, {kind.Flag, n("1"), ""}, {kind.Flag, n("2"), "got a number. eNMS would treat everything except false and 0 as true."}, {kind.Flag, "true", ""}, {kind.Flag, "false", ""}, {kind.Flag, "no", "true or false"},
		{kind.One, "a", ""}, {kind.One, "", "a name"}, {kind.One, "a/b", "a name"}, {kind.One, true, "a name"},
		{kind.Many, []any{"a", "b"}, ""}, {kind.Many, []any{"a", "a"}, "Names must be unique"}, {kind.Many, []any{true}, "a list of names"}, {kind.Many, "a", "a list of names"},
		{kind.List, []any{1}, ""}, {kind.List, "a", "a list"},
		{kind.JSON, object{}, ""}, {kind.JSON, "{}", "jsondecode"},
		{kind.Anything, []any{}, ""},
	} {
		if got := Misfit(kind.Attribute{Type: test.typ}, test.x, false); (got == "") != (test.words == "") || !strings.Contains(got, test.words) {
			t.Errorf("%s from %v: %q", test.typ.InWords(), test.x, got)
		}
	}
	if got := Misfit(kind.Attribute{}, n("1234"), true); got != "Expected a string, got a number." {
		t.Errorf("a secret that is a number: %q", got)
	}
	if got := Misfit(kind.Attribute{Type: kind.Number}, "s3cret", true); strings.Contains(got, "s3cret") || got == "" {
		t.Errorf("a secret that is no number: %q", got)
	}
	for x, want := range map[any]string{strings.Repeat("ü", 100): `"` + strings.Repeat("ü", 100) + `"`, strings.Repeat("ü", 101): `"` + strings.Repeat("ü", 100) + `"…`, n("5"): "5", true: "true", nil: "null"} {
		if got := Shown(x); got != want {
			t.Errorf("%v is shown as %s", x, got)
		}
	}
}

func TestOutOfRange(t *testing.T) {
	t.Parallel()
	bounded := kind.Attribute{Range: &kind.Range{Min: 1, Max: 9}}
	for x, words := range map[any]string{json.Number("1"): "", "9": "", json.Number("0.5"): "minimum is 1", "10": "maximum is 9", "x": "", "Infinity": "", "-Infinity": "", "NaN": "", true: ""} {
		if got := OutOfRange(bounded, x); (got == "") != (words == "") || !strings.Contains(got, words) {
			t.Errorf("%v: %q", x, got)
		}
	}
	if got := OutOfRange(kind.Attribute{}, "-5"); got != "" {
		t.Errorf("without bounds: %q", got)
	}
}

func TestUnfit(t *testing.T) {
	t.Parallel()
	long := func(n int) string { return strings.Repeat("ü", n) }
	for name, test := range map[string]struct {
		a     kind.Attribute
		x     any
		want  string
		words string
	}{
		"common":        {kind.Attribute{}, long(255), "", ""},
		"too long":      {kind.Attribute{}, long(258), "Error: a: a is too long", "258 characters; the maximum is 255 on PostgreSQL and MariaDB. Shorten it by 3."},
		"short":         {kind.Attribute{MaxLength: kind.ShortLength}, long(65), "Error: a: a is too long", "the maximum is 64"},
		"unbounded":     {kind.Attribute{MaxLength: kind.Unbounded}, long(999), "", ""},
		"name":          {kind.Attribute{Role: kind.Key}, long(999), "", ""},
		"another type":  {kind.Attribute{Type: kind.One}, long(999), "", ""},
		"NUL":           {kind.Attribute{Type: kind.JSON}, map[string]any{"k": "\x00"}, "Error: a: a contains a NUL", "a.k contains a NUL"},
		"out of bounds": {kind.Attribute{Type: kind.JSON}, []any{json.Number("1e999")}, "Error: a: A number in a is out of bounds", "a[0] has more digits"},
		"none":          {kind.Attribute{}, nil, "", ""},
	} {
		test.a.Name = "a"
		found := Unfit(test.a, test.x)
		if got := kindtest.Said(found); got != test.want || len(found) > 0 && !strings.Contains(found[0].Detail(), test.words) {
			t.Errorf("%s: %v", name, found)
		}
	}
}

func TestValue(t *testing.T) {
	t.Parallel()
	text := func(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }
	unknown := tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
	few := &kind.Range{Min: 1, Max: 9}
	for name, test := range map[string]struct {
		a    kind.Attribute
		v    tftypes.Value
		want string
	}{
		"valid":             {kind.Attribute{Checks: kind.NameChecks}, text("x"), ""},
		"text":              {kind.Attribute{Checks: kind.NameChecks}, text("a/b"), "Error: a: Invalid name"},
		"one":               {kind.Attribute{Type: kind.One, Of: "b"}, text("a/b"), "Error: a: Invalid name"},
		"unknown":           {kind.Attribute{Type: kind.One}, unknown, ""},
		"number":            {kind.Attribute{Type: kind.Number, Range: few}, tftypes.NewValue(tftypes.Number, 10), "Error: a: Invalid Attribute Value"},
		"whole number":      {kind.Attribute{Type: kind.Number}, tftypes.NewValue(tftypes.Number, 1.5), "Error: a: Not a whole number"},
		"names":             {kind.Attribute{Type: kind.Many, Of: "b"}, value.SetOf([]string{"a/b", "c"}), "Error: a: Invalid name"},
		"an unknown name":   {kind.Attribute{Type: kind.Many, Of: "b"}, tftypes.NewValue(value.StringSet, []tftypes.Value{unknown}), ""},
		"strings":           {kind.Attribute{Type: kind.Many}, value.SetOf([]string{"a/b"}), ""},
		"flag with a check": {kind.Attribute{Type: kind.Flag, Checks: kind.NameChecks}, tftypes.NewValue(tftypes.Bool, true), ""},
	} {
		test.a.Name = "a"
		if got := kindtest.Said(Value(test.a, test.v)); got != test.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestPlainSecrets(t *testing.T) {
	t.Parallel()
	type object = map[string]any
	for name, want := range map[string]bool{"password": true, "Enable_Password": true, "api_key": true, "APIKEY": true, "private_key": true, "key": false, "password_prompt": false, "cookie": true, "Authorization": true} {
		if IsSecretName(name) != want {
			t.Errorf("%s is the name of a secret: %v", name, !want)
		}
	}
	k := &kind.Kind{Name: "k", Attributes: []kind.Attribute{{Name: "token"}, {Name: "extra", Type: kind.JSON}, {Name: "pin", Role: kind.Secret}}}
	config := kindtest.ValuesFor(k, object{"token": "x", "pin_wo": "x", "properties_wo": object{"password": "x"}, kind.RowProperties: object{"headers": object{"Authorization": "x", "Accept": "x"}, "password": ""},
		"extra": object{"tokens": []any{"a", object{"b": "c"}, 5}, "list": []any{object{"secret": "x"}}}})
	want := `["extra.list[0].secret","extra.tokens[0]","extra.tokens[1].b","properties.headers.Authorization"]`
	if got, _ := json.Marshal(PlainSecrets(k, config)); string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	kindtest.Same(t, "of properties", PlainSecretsIn("", object{"password": "x"}), []string{"password"})
}
