// Tests of lists.

package lists

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/kindtest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// gizmos are a kind with properties, of all instances and of some.
var gizmos = &kind.Kind{
	Name: "gizmo", Namespace: "gizmo", Attributes: kindtest.Gadget.Attributes,
	Properties: []kind.Attribute{{Name: "note"}, {Name: "custom", Sample: true}, {Name: "password"}, {Name: "lenders", Type: kind.Many, Of: "person"}},
	Subtypes:   []kind.SubtypeTable{{Name: "gadget", Fields: []kind.Attribute{{Name: "weight", Type: kind.Number}}}},
	Relations:  []string{"friends"},
	ListedBy:   []kind.Attribute{{Name: "boxes", Type: kind.Many, Of: "box"}},
	Secrets:    []string{"password"},
}

// filterOf returns a configuration of a list that filters.
func filterOf(match string, members map[string]string) kind.Values {
	texts := map[string]tftypes.Value{}
	for name, text := range members {
		texts[name] = tftypes.NewValue(tftypes.String, text)
	}
	values := kind.Values{listFilter: tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, texts)}
	if match != "" {
		values[listMatch] = tftypes.NewValue(tftypes.String, match)
	}
	for _, a := range listedBy(gizmos) {
		values[a.Name] = tftypes.NewValue(value.StringSet, nil)
	}
	return values
}

func TestCriteriaOfLists(t *testing.T) {
	t.Parallel()
	type object = map[string]any
	for name, test := range map[string]struct {
		match        string
		filter       map[string]string
		all, certain object
	}{
		"a text":             {"", map[string]string{"label": "x"}, object{"label": "x", "label_filter": "equality"}, object{"label": "x", "label_filter": "equality"}},
		"the empty text":     {"", map[string]string{"label": ""}, object{}, object{}},
		"a word of eNMS":     {"", map[string]string{"label": "bool-true"}, object{}, object{}},
		"a number":           {"", map[string]string{"size": "022.0"}, object{"size": "22", "size_filter": "equality"}, object{"size": "22", "size_filter": "equality"}},
		"zero":               {"", map[string]string{"size": "0"}, object{"size": "0", "size_filter": "equality"}, object{"size": "0", "size_filter": "equality"}},
		"in a number":        {"inclusion", map[string]string{"size": "-2"}, object{"size": "-2", "size_filter": "regex"}, object{"size": "-2", "size_filter": "regex"}},
		"a number's pattern": {"regex", map[string]string{"size": "^2"}, object{"size": "^2", "size_filter": "regex"}, object{"size": "^2", "size_filter": "regex"}},
		"a flag":             {"", map[string]string{"active": "false"}, object{"active": "bool-false"}, object{"active": "bool-false"}},
		"a flag, matched":    {"regex", map[string]string{"active": "true"}, object{"active": "bool-true"}, object{"active": "bool-true"}},
		"an id":              {"", map[string]string{"id": "7"}, object{"id": "7", "id_filter": "equality"}, object{"id": "7", "id_filter": "equality"}},
		"no number":          {"", map[string]string{"size": ""}, object{}, object{}},
		"the field of an id": {"", map[string]string{"keeper_id": "x"}, object{"keeper_id": "x", "keeper_id_filter": "equality"}, object{}},
		"a setting's name":   {"", map[string]string{"deletion_policy": "x"}, object{"deletion_policy": "x", "deletion_policy_filter": "equality"}, object{}},
		"no name":            {"", map[string]string{"": "x"}, object{"": "x", "_filter": "equality"}, object{}},
		"unknown false":      {"", map[string]string{"custom": "false"}, object{}, object{}},
		"computed":           {"", map[string]string{"now": "x"}, object{}, object{}},
		"unknown text":       {"", map[string]string{"custom": "x"}, object{"custom": "x", "custom_filter": "equality"}, object{}},
		"unknown number":     {"", map[string]string{"custom": "1.5"}, object{}, object{}},
		"unknown flag":       {"", map[string]string{"custom": "true"}, object{}, object{}},
		"unknown, in":        {"inclusion", map[string]string{"custom": "1"}, object{"custom": "1", "custom_filter": "inclusion"}, object{"custom": "1", "custom_filter": "inclusion"}},
		"unknown flag, in":   {"inclusion", map[string]string{"custom": "true"}, object{}, object{}},
	} {
		l, diags := New(gizmos, filterOf(test.match, test.filter))
		if diags.HasError() {
			t.Errorf("%s: %v", name, diags)
		}
		if all, certain := l.Criteria(); !reflect.DeepEqual(all, test.all) || !reflect.DeepEqual(certain, test.certain) {
			t.Errorf("%s: %v and %v, want %v and %v", name, all, certain, test.all, test.certain)
		}
	}
}

func TestListsThatCannotBe(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		match, property, text string
	}{
		"no number":          {"", "size", "big"},
		"no whole number":    {"", "size", "1.5"},
		"no number, in":      {"inclusion", "size", "big"},
		"no id":              {"", "id", "x"},
		"no flag":            {"", "active", "yes"},
		"no flag, empty":     {"", "active", ""},
		"a relation":         {"", "parts", "p"},
		"a relation to one":  {"", "keeper", "p"},
		"without attribute":  {"", "friends", "f"},
		"an argument":        {"", "boxes", "b"},
		"a secret":           {"", "password", "x"},
		"an object":          {"", "extra", "x"},
		"computed, searched": {"regex", "now", "x"},
	} {
		if _, diags := New(gizmos, filterOf(test.match, map[string]string{test.property: test.text})); len(diags) != 1 {
			t.Errorf("%s: %v", name, diags)
		}
	}
}

func TestListMatches(t *testing.T) {
	t.Parallel()
	number := func(digits string) any { return json.Number(digits) }
	for name, test := range map[string]struct {
		match, text string
		x           any
		want        bool
	}{
		"the same":         {"", "x", "x", true},
		"the case":         {"", "x", "X", false},
		"a blank":          {"", "x", "x ", false},
		"empty":            {"", "", "", true},
		"unset is empty":   {"", "", nil, true},
		"unset":            {"", "x", nil, false},
		"not empty":        {"", "", "x", false},
		"a number":         {"", "1.50", number("1.5"), true},
		"another number":   {"", "1", number("1.5"), false},
		"no number":        {"", "x", number("0"), false},
		"zero":             {"", "0", number("0"), true},
		"digits":           {"", "01", "1", false},
		"true":             {"", "true", true, true},
		"false":            {"", "false", false, true},
		"not false":        {"", "false", true, false},
		"true as a text":   {"", "true", "true", true},
		"true is no one":   {"", "1", true, false},
		"a list":           {"", "x", []any{"x"}, false},
		"searched":         {"inclusion", "x", "by the database", true},
		"any, in":          {"inclusion", "", "x", true},
		"any pattern":      {"regex", "", nil, true},
		"a flag, in":       {"inclusion", "true", false, false},
		"a flag's text":    {"inclusion", "true", "It is True.", true},
		"a word of eNMS":   {"inclusion", "bool-X", "a bool-X", true},
		"no flag's text":   {"regex", "true", "It is false.", false},
		"a flag's pattern": {"regex", "tr", true, false},
	} {
		l, _ := New(gizmos, filterOf(test.match, map[string]string{"custom": test.text}))
		if got := l.Matches(value.Object{"custom": test.x}); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
		if l.Matches(value.Object{"other": test.x}) {
			t.Errorf("%s: an instance without the property matches", name)
		}
	}
}

func TestUnprovenProperties(t *testing.T) {
	t.Parallel()
	config := filterOf("", map[string]string{"label": "l", "note": "n", "weight": "1", "custom": "c"})
	config[kind.RowProperties] = tftypes.NewValue(value.StringSet, []tftypes.Value{
		tftypes.NewValue(tftypes.String, "misspelt"), tftypes.NewValue(tftypes.String, "password"), tftypes.NewValue(tftypes.String, "lenders")})
	l, _ := New(gizmos, config)
	for _, test := range []struct {
		rows []value.Object
		want []string
	}{
		{nil, []string{"custom", "lenders", "misspelt", "password"}},
		{[]value.Object{{"name": "x"}}, []string{"custom", "label", "lenders", "misspelt", "password"}},
		{[]value.Object{{"label": "l"}, {"custom": nil, "lenders": nil, "password": nil}}, []string{"misspelt"}},
	} {
		if got := l.Unproven(test.rows); !slices.Equal(got, test.want) {
			t.Errorf("%v: %v, want %v", test.rows, got, test.want)
		}
	}
}

// The list is sorted by name, and what comes first does not depend on the order of rows.
func TestFirst(t *testing.T) {
	t.Parallel()
	for limit, want := range map[int64]string{0: "B3 a1 a2", 1: "B3", 2: "B3 a1", 9: "B3 a1 a2"} {
		config := filterOf("", nil)
		if limit > 0 {
			config[listLimit] = tftypes.NewValue(tftypes.Number, limit)
		}
		l, _ := New(gizmos, config)
		var got []string
		for _, row := range l.First([]value.Object{{"name": "a", "id": json.Number("2")}, {"name": "a", "id": json.Number("1")}, {"name": "B", "id": json.Number("3")}}) {
			got = append(got, fmt.Sprint(row["name"], row["id"]))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("the first %d are %q, want %q", limit, got, want)
		}
	}
}
