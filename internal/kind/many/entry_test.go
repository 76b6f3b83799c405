// Tests of entries of enms_instances.

package many_test

import (
	"encoding/json"
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
	for name, x := range kindtest.Answer(members) {
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
		{"the field of an id", map[string]any{"keeper_id": 7}, map[string]any{"properties": map[string]any{"keeper_id": 7}}},
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
	for _, c := range []struct {
		member string
		x      any
		says   string
	}{
		{"size", "big", `"big"`}, {"size", strings.Repeat("x", 60), "xxx"}, {"size", strings.Repeat("x", 61), "a string"}, {"often", 1.5, "1.5"}, {"active", "maybe", "true or false"},
		{"parts", "a;b", "split"}, {"parts", []any{nil}, "a list"}, {"parts", []any{5}, "a list"}, {"extra", "text", "an object"}, {"label", []any{}, "a string"},
		{"name", "H", "its key"}, {"type", "gadget", "for all entries"}, {"id", "7", "computes"}, {"info", "x", "computes"}, {"now", "x", ""},
		{"password", "x", "enms_gadget"}, {"adopt_existing", true, "attribute of resources"}, {"deletion_policy", "delete", "attribute of resources"}, {"properties", map[string]any{"a": 1}, "attribute of resources"},
	} {
		_, diags := many.Config(kindtest.Gadget, "gizmo", "G", entryOf(map[string]any{c.member: c.x}))
		if len(diags) != 1 || !diags.HasError() || diags[0].(diag.DiagnosticWithPath).Path().String() != c.member || !strings.Contains(diags[0].Detail(), c.says) {
			t.Errorf("%s = %v: %v", c.member, c.x, diags)
		}
	}
	if _, diags := many.Config(kindtest.Gadget, "gizmo", "G", entryOf(map[string]any{"": "x"})); kindtest.Said(diags) != "Error: name: A field has no name" {
		t.Errorf("without a name: %v", diags)
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
		"another null":  {map[string]any{"vendor": map[string]any{"value": "x", "regex": nil}}, nil},
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
	sieve := &kind.Kind{Name: "sieve", Attributes: []kind.Attribute{{Name: "criteria", Type: kind.Criteria}}}
	config, diags := many.Config(sieve, "sieve", "S", map[string]tftypes.Value{"criteria": value.ObjectOf(kind.Values{"vendor": unknown(tftypes.DynamicPseudoType)})})
	if diags.HasError() || config["criteria"].IsFullyKnown() {
		t.Errorf("%v, %v", config, diags)
	}
	config, diags = many.Config(kindtest.Gadget, "gadget", "G", map[string]tftypes.Value{
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
		{map[string]any{"site": "x"}, map[string]any{"site": "x", "more": 1}, true, true},
		{map[string]any{"site": "x"}, map[string]any{"site": "x", "more": 1}, false, false},
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

// A criterion means the same without the members that have their defaults.
func TestSame_criteria(t *testing.T) {
	t.Parallel()
	sieve := &kind.Kind{Name: "sieve", Namespace: "sieve", Attributes: []kind.Attribute{{Name: "criteria", Type: kind.Criteria}}}
	config := func(criterion map[string]any) kind.Values {
		values, _ := many.Config(sieve, "sieve", "S", entryOf(map[string]any{"criteria": map[string]any{"vendor": criterion}}))
		return values
	}
	written, imported := config(map[string]any{"value": "x"}), config(map[string]any{"value": "x", "match": "inclusion", "invert": false})
	none := func(string) bool { return false }
	if !many.Same(sieve, written, imported, none) || many.Same(sieve, written, config(map[string]any{"value": "x", "invert": true}), none) {
		t.Error("the defaults of a criterion do not count as they should")
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
	entry := entryOf(map[string]any{"size": " 22 ", "label": "x", "parts": []any{"a"}, "site": "5", "active": nil, "often": "", "gone": nil})
	entry["tags"] = tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, map[string]tftypes.Value{"a": tftypes.NewValue(tftypes.String, "b")})
	config, _ := many.Config(kindtest.Gadget, "gadget", "G", entry)
	for name, c := range map[string]struct{ answer, want map[string]any }{
		"as it was":  {map[string]any{"label": "x", "site": 5, "parts": []any{"a"}, "often": 5}, map[string]any{}},
		"all others": {map[string]any{"size": 23, "label": "y", "site": 6, "parts": []any{"b", "a"}}, map[string]any{"size": "23", "label": "y", "parts": []any{"a", "b"}, "site": "6"}},
		"renamed":    {map[string]any{"name": "H", "label": "x", "site": 5}, map[string]any{"name": "H"}},
	} {
		state, err := states.Of(kindtest.Gadget, answered(c.answer), config)
		if err != nil {
			t.Fatal(err)
		}
		state[kind.RowProperties] = kind.Merged(state[kind.RowProperties], value.ObjectOf(kind.Values{"gone": tftypes.NewValue(tftypes.String, "back")}))
		want := maps.Clone(entry)
		maps.Copy(want, entryOf(c.want))
		if now := many.Entry(kindtest.Gadget, entry, config, state); !maps.EqualFunc(now, want, tftypes.Value.Equal) {
			t.Errorf("%s: %v, want %v", name, now, want)
		}
	}
	entry[kind.RowName] = tftypes.NewValue(tftypes.String, "H") // others have renamed it, and then given the name back
	if back := many.Entry(kindtest.Gadget, entry, config, config)[kind.RowName]; !back.Equal(config[kind.RowName]) {
		t.Errorf("renamed back, it is called %s", back)
	}
}

// A value has the type that another one has in the entry, if it can.
func TestLike(t *testing.T) {
	t.Parallel()
	text := func(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }
	one, list, set := value.FromJSON(json.Number("1")), tftypes.List{ElementType: tftypes.String}, value.SetOf([]string{"a"})
	for _, c := range []struct{ other, v, want tftypes.Value }{
		{text("x"), one, text("1")}, {text("x"), value.FromJSON(true), text("true")}, {text("x"), text("y"), text("y")}, {text("x"), set, value.FromJSON([]any{"a"})},
		{one, text("y"), text("y")}, {one, value.FromJSON(nil), tftypes.NewValue(tftypes.Number, nil)}, {one, value.FromJSON(true), value.FromJSON(true)},
		{set, set, set}, {tftypes.NewValue(list, nil), set, tftypes.NewValue(list, []tftypes.Value{text("a")})}, {set, text("y"), text("y")}, {one, set, value.FromJSON([]any{"a"})},
	} {
		if got := many.Like(c.other, c.v); !got.Equal(c.want) {
			t.Errorf("%s like %s is %s, want %s", c.v, c.other, got, c.want)
		}
	}
}

// Members that eNMS adds to a relation do not change the entry; a member that it removes does.
func TestEntryOf_serverAdds(t *testing.T) {
	t.Parallel()
	club := &kind.Kind{Name: "club", Attributes: []kind.Attribute{{Name: "readers", Type: kind.Many, Of: "group", Membership: kind.Membership{ServerAdds: true}}}}
	entry := entryOf(map[string]any{"readers": []any{"a"}})
	config, _ := many.Config(club, "club", "C", entry)
	for want, readers := range map[string][]string{`["a"]`: {"a", "b"}, `["b"]`: {"b"}} {
		state := maps.Clone(config)
		state["readers"] = value.SetOf(readers)
		kindtest.Same(t, "readers", value.ToJSON(many.Entry(club, entry, config, state)["readers"]), json.RawMessage(want))
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

// Criteria and what eNMS fills in by itself are only in a state if they are configured, and nothing is kept of an unknown value.
func TestRest_nothing(t *testing.T) {
	t.Parallel()
	club := &kind.Kind{Name: "club", Attributes: []kind.Attribute{{Name: "criteria", Type: kind.Criteria}, {Name: "open", Type: kind.Flag, Default: false},
		{Name: "members", Type: kind.Many, Of: "person", Automatic: func(value.Object) bool { return true }}}}
	config, _ := many.Config(club, "club", "C", nil)
	state := maps.Clone(config)
	state["criteria"], state["members"], state["open"] = tftypes.NewValue(kind.CriteriaType, map[string]tftypes.Value{}), value.SetOf([]string{"a"}), club.Row("open").Unknown()
	if rest := many.Rest(club, config, state); rest != nil {
		t.Errorf("kept are %v", rest)
	}
	if state := many.State(club, config, "7", nil); !state["members"].IsNull() || !state["criteria"].IsNull() || !state["open"].Equal(tftypes.NewValue(tftypes.Bool, false)) {
		t.Errorf("the state is %v", state)
	}
}

// An entry has nothing that eNMS computes: no configuration may contain that.
func TestImportedEntry(t *testing.T) {
	t.Parallel()
	answer := answered(map[string]any{"size": 23, "owner_name": "Ann", "parts": []any{"a"}, "site": "Rome", "last_seen": "today", "friends": []any{"Bob"}, "info": "computed", "mode": "odd", "active": nil})
	config, _ := many.Config(kindtest.Gadget, "gadget", "G", nil)
	for want, properties := range map[string][]string{
		"owner,parts,site,size": nil, "label,size": {"label", "size", "info", "keeper"}, "friends,site": {"site", "friends", "absent"}, "": {},
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
