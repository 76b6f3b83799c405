// Tests of the words of rows that only some kinds use.

package payloads_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/kindtest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/payloads"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

var crate = &kind.Kind{
	Name: "crate", Namespace: "crate",
	Attributes: []kind.Attribute{
		{Name: "filter", Type: kind.Criteria, Conditions: kind.Conditions{Prefix: "part_", Properties: []string{"color"}}},
		{Name: "key", Role: kind.Secret},
		{Name: "owners", Type: kind.Many, Of: "person", AfterCreate: true,
			Automatic: func(answer value.Object) bool { return len(answer["owners"].([]any)) == 1 }},
		{Name: "readers", Type: kind.Many, Of: "team", Membership: kind.Membership{ServerAdds: true}, Automatic: func(value.Object) bool { return false }},
		{Name: "keepers", Type: kind.Many, Of: "person", Membership: kind.Membership{EmptyFirst: true, Refresh: true}},
		{Name: "tags", Type: kind.Many},
		{Name: "title", Derived: true, Default: ""},
	},
	Rules: kind.Rules{
		Place:      &kind.Place{Attributes: []string{"title", "keepers"}},
		RenameByID: true,
		Recompute:  &kind.Recompute{Endpoint: "count", Attributes: []string{"filter"}, Setting: kind.RowAdoptExisting},
	},
}

// filter returns a value of Criteria.
func filter(all map[string]kind.Criterion) tftypes.Value {
	members := map[string]*kind.Criterion{}
	for property, c := range all {
		members[property] = &c
	}
	return kind.CriteriaValue(members)
}

func TestCriteriaPayload(t *testing.T) {
	t.Parallel()
	red := filter(map[string]kind.Criterion{"color": {Value: "red", Match: kind.MatchEquality}})
	for name, test := range map[string]struct {
		prior, planned tftypes.Value
		want           value.Object
	}{
		"a new one":      {filter(nil), red, value.Object{"part_color": "red", "part_color_match": "equality", "part_color_invert": false}},
		"the same":       {red, red, nil},
		"one taken away": {red, filter(nil), value.Object{"part_color": "", "part_color_match": "inclusion", "part_color_invert": false}},
		"all taken away": {red, tftypes.NewValue(kind.CriteriaType, nil), value.Object{"part_color": "", "part_color_match": "inclusion", "part_color_invert": false}},
		"another and one more": {red, filter(map[string]kind.Criterion{"color": {Value: "blue", Match: kind.MatchEquality}, "size": {Match: kind.MatchEmpty, Invert: true}}),
			value.Object{"part_color": "blue", "part_color_match": "equality", "part_color_invert": false,
				"part_size": "", "part_size_match": "empty", "part_size_invert": true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			prior, planned := kindtest.ValuesFor(crate, map[string]any{"name": "c", "filter": test.prior}), kindtest.ValuesFor(crate, map[string]any{"name": "c", "filter": test.planned})
			payload := payloads.Update(crate, nil, planned, prior)
			if test.want == nil {
				if payload != nil {
					t.Errorf("got %v, want nothing", payload)
				}
				return
			}
			test.want["name"] = "c"
			kindtest.Same(t, "payload", payload, test.want)
		})
	}
}

func TestSecrets(t *testing.T) {
	t.Parallel()
	config := kindtest.ValuesFor(crate, map[string]any{"name": "c", "key_wo": "s3cret", "key_wo_version": 1})
	planned := plans.New(crate, config, nil, nil, kindtest.Now).Planned
	if !planned["key_wo"].IsNull() {
		t.Error("the secret is in the plan")
	}
	payload := payloads.Create(crate, config, planned)
	if payload["key"] != "s3cret" {
		t.Errorf("a creation sends %v", payload)
	}
	if kept := payloads.WithoutSecrets(crate, payload, config); kept["key"] != nil {
		t.Errorf("the private state would keep %v", kept)
	}
	state, err := states.Of(crate, value.Object{"id": json.Number("7"), "name": "c", "title": ""}, planned)
	if err != nil || !state["key_wo"].IsNull() {
		t.Errorf("the state is %v, %v", state, err)
	}
	if payload := payloads.Update(crate, config, state, state); payload != nil {
		t.Errorf("the same version sends %v", payload)
	}
	config["key_wo_version"] = crate.Row("key_wo_version").Value(2)
	next := maps.Clone(state)
	next["key_wo_version"] = config["key_wo_version"]
	if payload := payloads.Update(crate, config, next, state); payload["key"] != "s3cret" {
		t.Errorf("another version sends %v", payload)
	}
}

func TestAutomatic(t *testing.T) {
	t.Parallel()
	answer := value.Object{"id": json.Number("7"), "name": "c", "title": "", "owners": []any{"me"}, "readers": []any{"all", "some"}}
	state, err := states.Imported(crate, answer, kindtest.ValuesFor(crate, map[string]any{"name": "c"}))
	if err != nil || !state["owners"].IsNull() || !slices.Equal(value.Names(state["readers"]), []string{"all", "some"}) {
		t.Errorf("an import gives %v, %v", state, err)
	}
	read, err := states.Of(crate, answer, kindtest.ValuesFor(crate, map[string]any{"name": "c"}))
	if err != nil || !read["readers"].IsNull() || !read["owners"].IsNull() {
		t.Errorf("what is not configured is read: %v, %v", read, err)
	}
	before := kindtest.ValuesFor(crate, map[string]any{"name": "c", "readers": []string{"some"}, "owners": []string{"other"}})
	read, err = states.Of(crate, answer, before)
	if err != nil || !read["readers"].Equal(before["readers"]) || !slices.Equal(value.Names(read["owners"]), []string{"me"}) {
		t.Errorf("more readers are a difference, or other owners none: %v, %v", read, err)
	}

	config := kindtest.ValuesFor(crate, map[string]any{"name": "c", "owners": []string{"me", "other"}, "readers": []string{"some"}})
	planned := plans.New(crate, config, nil, nil, kindtest.Now).Planned
	if first := payloads.Create(crate, config, planned); first["owners"] != nil || first["readers"] == nil {
		t.Errorf("the first request holds %v", first)
	}
	if second := payloads.Second(crate, config, planned); second["owners"] == nil || second["name"] != "c" || second["readers"] != nil {
		t.Errorf("the second request holds %v", second)
	}
	without := kindtest.ValuesFor(crate, map[string]any{"name": "c"})
	next := plans.New(crate, without, planned, plans.Managed(crate, config, planned, nil), kindtest.Now).Planned
	payload := payloads.Update(crate, without, next, planned)
	if list, is := payload["readers"].([]any); !is || len(list) != 0 || payload["owners"] != nil {
		t.Errorf("what is taken out is sent as %v", payload)
	}
}

// What follows from others is sent with each update; when it changes itself, the update
// is about more than relations.
func TestOnlyRelations(t *testing.T) {
	t.Parallel()
	state := kindtest.ValuesFor(crate, map[string]any{"name": "c", "keepers": []string{"a"}, "title": "t"})
	for name, test := range map[string]struct {
		planned kind.Values
		want    bool
	}{
		"a relation":     {kindtest.ValuesFor(crate, map[string]any{"name": "c", "keepers": []string{"b"}, "title": "t"}), true},
		"what follows":   {kindtest.ValuesFor(crate, map[string]any{"name": "c", "keepers": []string{"a"}, "title": "u"}), false},
		"both":           {kindtest.ValuesFor(crate, map[string]any{"name": "c", "keepers": []string{"b"}, "title": "u"}), false},
		"something else": {kindtest.ValuesFor(crate, map[string]any{"name": "c", "keepers": []string{"a"}, "title": "t", "tags": []string{"x"}}), false},
	} {
		if got := payloads.OnlyRelations(crate, payloads.Update(crate, nil, test.planned, state), test.planned, state); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestConsequences(t *testing.T) {
	t.Parallel()
	state := kindtest.ValuesFor(crate, map[string]any{"id": "7", "name": "c", "keepers": []string{"a", "b"}, "title": "t"})
	next := kindtest.ValuesFor(crate, map[string]any{"id": "7", "name": "d", "keepers": []string{"b", "c"}, "title": "t"})
	if got := relate.ToRefresh(crate, next, state); len(got) != 1 || got[0].Type != "person" || !slices.Equal(got[0].Names, []string{"a", "b", "c"}) {
		t.Errorf("to be written again: %v", got)
	}
	if got := relate.ToRefresh(crate, state, state); len(got) != 0 {
		t.Errorf("nothing changed, and to be written again is %v", got)
	}
	kindtest.Same(t, "what is emptied first", payloads.Empty(crate, state), value.Object{"name": "c", "keepers": []any{}})
	kindtest.Same(t, "a rename by id", payloads.Renaming(crate, value.Object{"name": "c", "new_name": "d", "x": 1}, state), value.Object{"id": 7, "name": "d", "x": 1})
	kindtest.Same(t, "unique", states.PlaceCriteria(crate, kindtest.ValuesFor(crate, map[string]any{"title": "t"})), value.Object{"title": "t", "title_filter": "equality", "keepers": []string{""}})
	if crate.NeedsRecompute(next, state) {
		t.Error("nothing of it changed")
	}
	withFilter := maps.Clone(next)
	withFilter["filter"] = filter(map[string]kind.Criterion{"color": {Value: "x"}})
	if !crate.NeedsRecompute(withFilter, state) || !crate.NeedsRecompute(withFilter, nil) || crate.NeedsRecompute(next, nil) {
		t.Error("a filter is computed when it changes, and only then")
	}
	withFilter[kind.RowAdoptExisting] = tftypes.NewValue(tftypes.Bool, false)
	if crate.NeedsRecompute(withFilter, state) {
		t.Error("it is switched off")
	}
}
