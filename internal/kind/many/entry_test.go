// Tests of entries of enms_instances.

package many_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/kindtest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/many"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// entryOf makes an entry of what HCL would give.
func entryOf(members map[string]any) map[string]tftypes.Value {
	entry := map[string]tftypes.Value{}
	for name, x := range kindtest.Decoded(members).(map[string]any) {
		entry[name] = value.FromJSON(x)
	}
	return entry
}

// configured returns the values of a configuration that are not null, as JSON.
func configured(config kind.Values) map[string]any {
	all := map[string]any{}
	for name, v := range config {
		if !v.IsNull() && name != kind.RowName && name != "type" {
			all[name] = value.ToJSON(v)
		}
	}
	return all
}

func TestEntryConfig(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		entry map[string]any
		want  map[string]any
	}{
		{"texts of a file", map[string]any{"label": "x", "size": "22", "active": "true", "often": "", "owner": "Ann"},
			map[string]any{"label": "x", "size": 22, "active": true, "owner": "Ann"}},
		{"spaces and case", map[string]any{"size": " 7 ", "active": "False"}, map[string]any{"size": 7, "active": false}},
		{"proper types", map[string]any{"label": 5, "size": 23, "active": false}, map[string]any{"label": "5", "size": 23, "active": false}},
		{"lists and objects", map[string]any{"parts": []any{"a", "b"}, "extra": map[string]any{"x": 1}}, map[string]any{"parts": []any{"a", "b"}, "extra": map[string]any{"x": 1}}},
		{"null", map[string]any{"label": nil, "site": nil}, map[string]any{}},
		{"properties", map[string]any{"site": "Rome", "friends": []any{"Bob"}}, map[string]any{"properties": map[string]any{"site": "Rome", "friends": []any{"Bob"}}}},
		{"what it is anyway", map[string]any{"name": "G", "type": "gizmo"}, map[string]any{}},
		{"an empty text is one", map[string]any{"label": ""}, map[string]any{"label": ""}},
	} {
		config, diags := many.Config(kindtest.Gadget, "gizmo", "G", entryOf(c.entry))
		if diags.HasError() || !value.Equal(kindtest.Decoded(configured(config)), kindtest.Decoded(c.want)) {
			t.Errorf("%s: %v, %v", c.name, configured(config), diags)
		}
		if value.Text(config[kind.RowName]) != "G" || value.Text(config["type"]) != "gizmo" || len(config) != len(kindtest.Gadget.Table().Resource) {
			t.Errorf("%s: the name, the type or a row is missing", c.name)
		}
	}
}

func TestEntryConfigRefuses(t *testing.T) {
	t.Parallel()
	for member, x := range map[string]any{
		"size": "big", "active": "maybe", "parts": "a;b", "extra": "text", "name": "H", "type": "gadget", "id": "7", "info": "x", "now": "x",
		"password": "x", "label": []any{}, "adopt_existing": true, "deletion_policy": "delete", "properties": map[string]any{"a": 1}, "often": 1.5,
	} {
		_, diags := many.Config(kindtest.Gadget, "gizmo", "G", entryOf(map[string]any{member: x}))
		if len(diags) != 1 || !diags.HasError() {
			t.Errorf("%s = %v: %v", member, x, diags)
			continue
		}
		if at := diags[0].(diag.DiagnosticWithPath).Path().String(); at != member {
			t.Errorf("%s = %v: the error is on %s", member, x, at)
		}
	}
}

// Criteria are objects with or without all of their members. Anything else is refused.
func TestEntryConfig_criteria(t *testing.T) {
	t.Parallel()
	sieve := &kind.Kind{Name: "sieve", Namespace: "sieve", Attributes: []kind.Attribute{{Name: "criteria", Type: kind.Criteria}}}
	criterion := func(v, match, invert any) map[string]any {
		return map[string]any{"vendor": map[string]any{"value": v, "match": match, "invert": invert}}
	}
	for name, test := range map[string]struct{ criteria, want any }{
		"all members": {criterion("x", "regex", true), criterion("x", "regex", true)},
		"one member":  {map[string]any{"vendor": map[string]any{"value": "x"}}, criterion("x", nil, nil)},
		"null":        {criterion("x", nil, nil), criterion("x", nil, nil)},
		"no criteria": {map[string]any{}, map[string]any{}},
		"a string":    {"x", nil}, "no object": {map[string]any{"vendor": "x"}, nil}, "no criterion": {map[string]any{"vendor": nil}, nil},
		"a number": {criterion(5, nil, nil), nil}, "another member": {map[string]any{"vendor": map[string]any{"regex": "x"}}, nil},
		"another match": {criterion("x", "equals", nil), nil},
	} {
		config, diags := many.Config(sieve, "sieve", "S", entryOf(map[string]any{"criteria": test.criteria}))
		if diags.HasError() != (test.want == nil) || !value.Equal(value.ToJSON(config["criteria"]), kindtest.Decoded(test.want)) {
			t.Errorf("%s: %v, %v", name, config["criteria"], diags)
		}
	}
}

func TestEntryConfigOfWhatIsNotKnown(t *testing.T) {
	t.Parallel()
	unknown := func(typ tftypes.Type) tftypes.Value { return tftypes.NewValue(typ, tftypes.UnknownValue) }
	list := tftypes.NewValue(value.StringSet, []tftypes.Value{unknown(tftypes.String)})
	config, diags := many.Config(kindtest.Gadget, "gadget", "G", map[string]tftypes.Value{
		"size": unknown(tftypes.DynamicPseudoType), "label": unknown(tftypes.String), "parts": list, "site": unknown(tftypes.String), "name": unknown(tftypes.String)})
	if diags.HasError() || config["size"].IsKnown() || config["label"].IsKnown() || config["parts"].IsFullyKnown() || config[kind.RowProperties].IsFullyKnown() {
		t.Errorf("%v, %v", config, diags)
	}
}

func TestSameEntry(t *testing.T) {
	t.Parallel()
	none := func(string) bool { return false }
	for _, c := range []struct {
		x, y map[string]any
		only bool
		want bool
	}{
		{map[string]any{"size": "22", "parts": []any{"a", "b"}, "site": "5"}, map[string]any{"size": 22, "parts": []any{"b", "a"}, "site": 5}, false, true},
		{map[string]any{"size": 22}, map[string]any{"size": 23}, false, false},
		{map[string]any{"size": 22}, map[string]any{"size": 22, "label": "x"}, false, false},
		{map[string]any{"size": 22}, map[string]any{"size": 22, "label": "x", "site": "y"}, true, true},
		{map[string]any{"size": 22, "label": "x"}, map[string]any{"size": 22}, true, false},
		{map[string]any{"site": "x"}, map[string]any{}, true, false},
		{map[string]any{}, map[string]any{"site": "x"}, false, false},
	} {
		x, _ := many.Config(kindtest.Gadget, "gadget", "G", entryOf(c.x))
		y, _ := many.Config(kindtest.Gadget, "gadget", "G", entryOf(c.y))
		only := none
		if c.only {
			only = func(string) bool { return true }
		}
		if got := many.Same(kindtest.Gadget, x, y, only); got != c.want {
			t.Errorf("%v and %v: %v", c.x, c.y, got)
		}
	}
}

// answered returns an answer about the gadget G.
func answered(fields map[string]any) value.Object {
	answer := map[string]any{"id": 7, "name": "G", "type": "gadget", "label": "", "size": 22, "active": false, "mode": "even", "keeper_id": nil, "extra": map[string]any{}}
	maps.Copy(answer, fields)
	return kindtest.Decoded(answer).(map[string]any)
}

func TestEntryOf(t *testing.T) {
	t.Parallel()
	entry := entryOf(map[string]any{"size": "22", "label": "x", "parts": []any{"a"}, "site": "5", "active": nil})
	config, _ := many.Config(kindtest.Gadget, "gadget", "G", entry)
	for name, c := range map[string]struct{ answer, want map[string]any }{
		"as it was":  {map[string]any{"label": "x", "site": 5, "parts": []any{"a"}}, map[string]any{"size": "22", "label": "x", "parts": []any{"a"}, "site": "5", "active": nil}},
		"all others": {map[string]any{"size": 23, "label": "y", "site": 6, "parts": []any{"b", "a"}}, map[string]any{"size": "23", "label": "y", "parts": []any{"a", "b"}, "site": "6", "active": nil}},
		"renamed":    {map[string]any{"name": "H", "label": "x", "site": 5}, map[string]any{"size": "22", "label": "x", "parts": []any{"a"}, "site": "5", "active": nil, "name": "H"}},
	} {
		state, err := states.Of(kindtest.Gadget, answered(c.answer), config)
		if err != nil {
			t.Fatal(err)
		}
		now := map[string]any{}
		for member, v := range many.Entry(kindtest.Gadget, entry, config, state) {
			now[member] = value.ToJSON(v)
		}
		if !value.Equal(kindtest.Decoded(now), kindtest.Decoded(c.want)) {
			t.Errorf("%s: %v, want %v", name, now, c.want)
		}
	}
}

// What a plan must know beyond the entry comes back from what was kept of it.
func TestRestOfAnEntry(t *testing.T) {
	t.Parallel()
	config, _ := many.Config(kindtest.Gadget, "gadget", "G", entryOf(map[string]any{"label": "x"}))
	state, err := states.Of(kindtest.Gadget, answered(map[string]any{"label": "x", "size": 23, "owner_name": "Ann", "extra": map[string]any{"a": 1}, "mode": "odd", "short_name": "g"}), config)
	if err != nil {
		t.Fatal(err)
	}
	rest := many.Rest(kindtest.Gadget, config, state)
	if names := slices.Sorted(maps.Keys(rest)); !reflect.DeepEqual(names, []string{"extra", "mode", "owner", "short_name", "size"}) {
		t.Errorf("kept are %s", names)
	}
	kept := kindtest.Decoded(rest).(map[string]any)
	for name, v := range many.State(kindtest.Gadget, config, "7", kept) {
		if a := kindtest.Gadget.Row(name); !a.Same(v, state[name]) && !v.Equal(state[name]) {
			t.Errorf("%s is %s, was %s", name, v, state[name])
		}
	}
	plain, err := states.Of(kindtest.Gadget, answered(map[string]any{"label": "x"}), config)
	if err != nil {
		t.Fatal(err)
	}
	if rest := many.Rest(kindtest.Gadget, config, plain); rest != nil {
		t.Errorf("kept of what is at its default: %v", rest)
	}
}

// An entry has nothing that eNMS computes: no configuration may contain that.
func TestImportedEntry(t *testing.T) {
	t.Parallel()
	answer := answered(map[string]any{"size": 23, "owner_name": "Ann", "parts": []any{"a"}, "site": "Rome", "last_seen": "today", "friends": []any{"Bob"}, "info": "computed"})
	config, _ := many.Config(kindtest.Gadget, "gadget", "G", nil)
	for want, properties := range map[string][]string{
		"owner,parts,site,size": nil, "label,size": {"label", "size", "info"}, "friends,site": {"site", "friends", "absent"}, "": {},
	} {
		entry, state, err := many.Imported(kindtest.Gadget, answer, config, properties)
		if err != nil || value.Text(state[kind.RowID]) != "7" {
			t.Fatalf("%v: %v, %v", properties, state, err)
		}
		if got := strings.Join(slices.Sorted(maps.Keys(entry)), ","); got != want {
			t.Errorf("%v: %s, want %s", properties, got, want)
		}
	}
	if !many.NeedsWhole(kindtest.Gadget, []string{"parts"}) || !many.NeedsWhole(kindtest.Gadget, []string{"friends"}) || many.NeedsWhole(kindtest.Gadget, []string{"label", "owner"}) {
		t.Error("which properties take the whole instance is wrong")
	}
}
