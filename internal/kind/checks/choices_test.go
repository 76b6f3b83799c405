// Tests of choices, and of the validators of schemas.

package checks

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/kindtest"
)

func TestChoices(t *testing.T) {
	t.Parallel()
	for want, a := range map[string]kind.Attribute{
		"Known values: `a`, `b`.": {Type: kind.List, OneOf: []string{"a", "b"}},
		"One of `a`.":             {OneOf: []string{"a"}, Closed: true},
		"One of `s`.":             {OneOf: []string{"s"}, Role: kind.Subtype},
		"One of `p`.":             {OneOf: []string{"p"}, Role: kind.Setting},
		"Some of `a`.":            {Type: kind.List, OneOf: []string{"a"}, Closed: true},
		"":                        {Closed: true},
	} {
		if got := Choices(a); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for want, a := range map[string]kind.Attribute{
		"Only eNMS 4 has it.": {Line: 4}, "Defaults to `x` on eNMS 5.": {On5: kind.On5{Default5: "x"}}, "": {},
	} {
		if got := Lines(a); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestNotAmong(t *testing.T) {
	t.Parallel()
	closedList := kind.Attribute{Name: "a", Default: "usual", OneOf: []string{"north", "south"}, Closed: true}
	for name, test := range map[string]struct {
		a     kind.Attribute
		x     any
		words string
	}{
		"choice": {closedList, "north", ""}, "default": {closedList, "usual", ""}, "choices": {closedList, []any{"north", "south"}, ""},
		"other": {closedList, "nort", `It is "nort", where eNMS knows only north, south. Did you mean "north"?`}, "unlike all": {closedList, []any{"north", "up"}, `It is "up", where eNMS knows only north, south.`},
		"no string": {closedList, []any{"north", 5}, "It holds "}, "open": {kind.Attribute{OneOf: []string{"north"}}, "up", ""}, "no choices": {kind.Attribute{Closed: true}, 5, ""},
	} {
		if got := NotAmong(test.a, test.x); (got == "") != (test.words == "") || !strings.Contains(got, test.words) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestWarnOfChoices(t *testing.T) {
	t.Parallel()
	suggests := kind.Attribute{Name: "a", Default: "usual", Suggest: []string{"rbac_read", "switch", "ios"}}
	list, other := kind.Attribute{Name: "a", Type: kind.Many, Suggest: []string{"reading"}}, kind.Attribute{Name: "b", Type: kind.Many, Suggest: []string{"painting"}}
	for name, test := range map[string]struct {
		a     kind.Attribute
		x     any
		words string // of the only warning; "" for none
	}{
		"usual": {suggests, "switch", ""}, "default": {suggests, "usual", ""}, "unlike all": {suggests, "velvet", ""}, "empty": {suggests, "", ""},
		"similar": {suggests, "swich", `"swich" is not among the usual values of a. Did you mean "switch"?`}, "last word": {suggests, "READ", `"rbac_read"?`},
		"first character too many": {suggests, "xios", `"ios"?`}, "a word before it": {suggests, "l3switch", ""}, "two characters before it": {suggests, "xxswitch", ""},
		"default, similar": {kind.Attribute{Default: "swich", Suggest: suggests.Suggest}, "swich", ""}, "characters after it": {suggests, "switchxx", `"switch"?`},
		"list, unlike all": {list, []any{"velvet"}, ""}, "list without usual values": {kind.Attribute{Name: "a", Type: kind.Many}, []any{"painting"}, ""},
		"of another list": {list, []any{"reading", "painting"}, "It is one of b: write it there."}, "of a text": {kind.Attribute{Name: "a", Suggest: []string{"reading"}}, "painting", ""},
		"known":    {kind.Attribute{OneOf: []string{"oil"}}, "oil", ""},
		"unknown":  {kind.Attribute{OneOf: []string{"oil"}}, []any{"oil", "oill", 5}, `"oill" is not among the values that eNMS knows: oil.`},
		"closed":   {kind.Attribute{OneOf: []string{"oil"}, Closed: true}, "oill", ""},
		"anything": {kind.Attribute{}, "oill", ""},
	} {
		text := kind.Attribute{Name: "c", Suggest: []string{"painting"}}
		found := WarnOfChoices(test.a, path.Root("a"), test.x, text, other, list)
		if want := test.words != ""; len(found) > 1 || want != (len(found) == 1) || want && !strings.Contains(found[0].Detail(), test.words) {
			t.Errorf("%s: %v", name, found)
		}
	}
	if DidYouMean("") != "" || DidYouMean("a") != ` Did you mean "a"?` {
		t.Error("only a similar name is suggested")
	}
}

func TestOfText(t *testing.T) {
	t.Parallel()
	subtype := kind.Attribute{Name: "a", Role: kind.Subtype, OneOf: []string{"router"}, Meant: map[string]string{"rtr": "router"}}
	wo := kind.Attribute{Name: "a_wo"}
	const noMatch = "Error: a: Invalid Attribute Value Match"
	for name, test := range map[string]struct {
		a    kind.Attribute
		s    string
		want string
	}{
		"check": {kind.Attribute{Checks: kind.NameChecks}, "a/b", "Error: a: Invalid name"}, "relation": {kind.Attribute{Type: kind.One}, "a/b", "Error: a: Invalid name"}, "any text": {kind.Attribute{}, "a/b", ""},
		"choice": {subtype, "router", ""}, "no choice": {subtype, "van", noMatch}, "meant": {subtype, "rtr", "Error: a: Invalid a"},
		"closed": {kind.Attribute{OneOf: []string{"x"}, Closed: true, Checks: kind.NameChecks}, "a/b", noMatch + "; Error: a: Invalid name"}, "open": {kind.Attribute{OneOf: []string{"x"}}, "y", ""},
		"closed without choices": {kind.Attribute{Closed: true}, "y", ""}, "secret": {kind.Attribute{Name: "a", Instead: &wo}, "x", "Error: a: a is a secret"},
	} {
		found := validateText(path.Root("a"), test.s, OfText(test.a))
		if got := kindtest.Said(found); got != test.want {
			t.Errorf("%s: %s", name, got)
		}
	}
	resp := &validator.StringResponse{}
	refuseSecret("a", wo).ValidateString(t.Context(), validator.StringRequest{ConfigValue: types.StringNull()}, resp)
	if len(resp.Diagnostics) > 0 {
		t.Errorf("a secret that is null: %v", resp.Diagnostics)
	}
}

func TestOfNumber(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		bounds   *kind.Range
		min, max int64
	}{{nil, -2147483648, 2147483647}, {kind.NotNegative, 0, 2147483647}, {&kind.Range{Min: 1, Max: 9}, 1, 9}} {
		for n, fits := range map[int64]bool{test.min: true, test.max: true, test.min - 1: false, test.max + 1: false} {
			resp := &validator.NumberResponse{}
			OfNumber(kind.Attribute{Range: test.bounds}).ValidateNumber(t.Context(), validator.NumberRequest{Path: path.Root("a"), ConfigValue: types.NumberValue(big.NewFloat(float64(n)))}, resp)
			if said := fmt.Sprint(resp.Diagnostics); resp.Diagnostics.HasError() == fits || !fits && !(strings.Contains(said, fmt.Sprint(test.min)) && strings.Contains(said, fmt.Sprint(test.max))) {
				t.Errorf("%d: %s", n, said)
			}
		}
	}
	for want, v := range map[string]types.Number{"": types.NumberNull(), "a is 1.23456789. Write": types.NumberValue(big.NewFloat(1.234567890123))} {
		resp := &validator.NumberResponse{}
		OfNumber(kind.Attribute{}).ValidateNumber(t.Context(), validator.NumberRequest{Path: path.Root("a"), ConfigValue: v}, resp)
		if resp.Diagnostics.HasError() != (want != "") || !strings.Contains(fmt.Sprint(resp.Diagnostics), want) {
			t.Errorf("%s: %v", v, resp.Diagnostics)
		}
	}
	resp := &validator.NumberResponse{}
	OfNumber(kind.Attribute{}).ValidateNumber(t.Context(), validator.NumberRequest{ConfigValue: types.NumberUnknown()}, resp)
	if len(resp.Diagnostics) > 0 {
		t.Errorf("unknown: %v", resp.Diagnostics)
	}
}

func TestObject(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		v     types.Dynamic
		words string
	}{
		"null": {types.DynamicNull(), ""}, "unknown": {types.DynamicUnknown(), ""}, "a null": {types.DynamicValue(types.StringNull()), ""}, "an unknown": {types.DynamicValue(types.StringUnknown()), ""},
		"object": {types.DynamicValue(types.ObjectValueMust(nil, nil)), ""}, "map": {types.DynamicValue(types.MapValueMust(types.StringType, nil)), ""},
		"string": {types.DynamicValue(types.StringValue("{}")), "jsondecode"}, "number": {types.DynamicValue(types.NumberValue(big.NewFloat(1))), "Expected an object: {"},
	} {
		resp := &validator.DynamicResponse{}
		Object{}.ValidateDynamic(t.Context(), validator.DynamicRequest{Path: path.Root("a"), ConfigValue: test.v}, resp)
		if resp.Diagnostics.HasError() != (test.words != "") || !strings.Contains(fmt.Sprint(resp.Diagnostics), test.words) {
			t.Errorf("%s: %v", name, resp.Diagnostics)
		}
	}
}
