// Tests of payloads.

package payloads_test

import (
	"encoding/json"
	"maps"
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
		{Name: "filter", Type: kind.Criteria, Conditions: kind.Conditions{Prefix: "part_", Properties: []string{"color", "size"}, Compares: "part",
			Portable: func(_ string, c kind.Criterion) bool { return c.Match != kind.MatchRegex }}},
		{Name: "key", Role: kind.Secret},
		{Name: "owners", Type: kind.Many, Of: "person", AfterCreate: true,
			Automatic: func(answer value.Object) bool { return len(answer["owners"].([]any)) == 1 }},
		{Name: "readers", Type: kind.Many, Of: "team", Membership: kind.Membership{ServerAdds: true}, Automatic: func(value.Object) bool { return false }},
		{Name: "keepers", Type: kind.Many, Of: "person", Membership: kind.Membership{EmptyFirst: true, Refresh: true, EmptiedWith: []string{"gates"}}},
		{Name: "tags", Type: kind.Many},
		{Name: "lender", Type: kind.One, Of: "person", IDField: "lender_id"},
		{Name: "title", Derived: true, Default: ""},
		{Name: "form", OnCreate: "round"},
		{Name: "text", Default: ""},
		{Name: "depth", Type: kind.Number},
		{Name: "extra", Type: kind.JSON},
		{Name: "late", AfterCreate: true, Default: "", OnCreate: "x"},
		{Name: "rbac_edit", Type: kind.Many, Of: "team"},
		{Name: "first", Type: kind.Flag, Holds: &kind.Holds{Relation: "shelves", Of: "shelf", Member: "top", Initial: []string{"base"}}},
	},
	Properties: []kind.Attribute{{Name: "label", OnCreate: "l"}, {Name: "lid"}},
	Secrets:    []string{"code"},
	Off:        value.Object{"text": "off"},
	Rules:      kind.Rules{RenameByID: true},
}

// filter returns a value of Criteria.
func filter(all map[string]kind.Criterion) tftypes.Value {
	members := map[string]*kind.Criterion{}
	for property, c := range all {
		members[property] = &c
	}
	return kind.CriteriaValue(members)
}

func TestPayloads(t *testing.T) {
	t.Parallel()
	config := kindtest.ValuesFor(kindtest.Gadget, map[string]any{"name": "g", "type": "gizmo", "size": 0, "active": false, "label": "", "parts": []string{}, "owner": "o",
		"extra": map[string]any{}, "properties": map[string]any{"color": "red", "empty": nil}, "adopt_existing": true})
	planned := plans.New(kindtest.Gadget, config, nil, nil, kindtest.Now).Planned
	planned["short_name"] = tftypes.NewValue(tftypes.String, "g")
	want := map[string]any{"name": "g", "size": 0, "active": false, "label": "", "parts": []string{}, "owner": "o", "extra": map[string]any{}, "short_name": "g", "color": "red", "mode": "even"}
	kindtest.Same(t, "create", payloads.Create(kindtest.Gadget, config, planned), want)
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
		"null":           {red, tftypes.NewValue(kind.CriteriaType, map[string]tftypes.Value{"color": tftypes.NewValue(kind.CriterionType, nil)}), nil},
		"one more": {red, filter(map[string]kind.Criterion{"color": {Value: "red", Match: kind.MatchEquality}, "size": {Match: kind.MatchEmpty}}),
			value.Object{"part_size": "", "part_size_match": "empty", "part_size_invert": false}},
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
	all := kindtest.ValuesFor(crate, map[string]any{"key_wo": "k", "properties_wo": map[string]any{"pin": "p"}})
	kindtest.Same(t, "in the private state", payloads.WithoutSecrets(crate, value.Object{"key": "k", "pin": "p", "code": "c", "text": "x"}, all), value.Object{"text": "x"})
	kindtest.Same(t, "secrets", payloads.Secrets(crate, all), value.Object{"key": "k", "pin": "p"})
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

func TestConsequences(t *testing.T) {
	t.Parallel()
	state := kindtest.ValuesFor(crate, map[string]any{"id": "7", "name": "c", "keepers": []string{"a", "b"}, "title": "t"})
	kindtest.Same(t, "what is emptied first", payloads.Empty(crate, state), value.Object{"name": "c", "keepers": []any{}})
	kindtest.Same(t, "a rename by id", payloads.Existing(crate, value.Object{"name": "c", "new_name": "d", "x": 1}, state), value.Object{"id": 7, "name": "d", "x": 1})
	kindtest.Same(t, "no rename", payloads.Existing(crate, value.Object{"name": "c"}, state), value.Object{"name": "c"})
	kindtest.Same(t, "a rename by name", payloads.Existing(kindtest.Gadget, value.Object{"name": "c", "new_name": "d"}, state), value.Object{"name": "c", "new_name": "d"})
	scoped := &kind.Kind{Name: "page", Namespace: "page", Scope: &kind.Scope{}}
	kindtest.Same(t, "a composed name", payloads.Existing(scoped, value.Object{"name": "c", "new_name": "d"}, state), value.Object{"id": 7, "name": "c", "new_name": "d"})
	kindtest.Same(t, "a composed name, without the id", payloads.Existing(scoped, value.Object{"name": "c"}, kind.Values{}), value.Object{"name": "c"})
	kindtest.Same(t, "switched off", payloads.Disable(crate, state), value.Object{"name": "c", "title": "t", "text": "off"})
	if payload := payloads.Empty(kindtest.Gadget, state); payload != nil {
		t.Errorf("a gadget is emptied by %v", payload)
	}
}

func TestCreate(t *testing.T) {
	t.Parallel()
	type object = map[string]any
	for name, test := range map[string]struct{ config, planned, want object }{ // planned is what the plan adds to config
		"nothing":             {object{}, object{}, object{"form": "round", "label": "l"}},
		"defaults":            {object{}, object{"text": "", "form": "round", "title": "t"}, object{"text": "", "form": "round", "label": "l", "title": "t"}},
		"what is not certain": {object{}, object{"depth": 5, "tags": []string{"a"}}, object{"form": "round", "label": "l"}},
		"own values":          {object{"form": "oval", "depth": 5, kind.RowProperties: object{"label": "own", "lid": "x"}}, object{}, object{"form": "oval", "depth": 5, "label": "own", "lid": "x"}},
		"after the creation":  {object{"late": "z", "owners": []string{"o"}}, object{}, object{"form": "round", "label": "l"}},
		"a member":            {object{"first": true}, object{}, object{"form": "round", "label": "l", "shelves": []string{"base", "top"}}},
		"no member":           {object{"first": false}, object{}, object{"form": "round", "label": "l"}},
		"with the members":    {object{"first": true, kind.RowProperties: object{"shelves": []any{"a"}}}, object{}, object{"form": "round", "label": "l", "shelves": []string{"a"}}},
		"secrets":             {object{"key_wo": "k", "properties_wo": object{"code": "c"}}, object{}, object{"form": "round", "label": "l", "key": "k", "code": "c"}},
		"secrets, not known":  {object{"key_wo": crate.Row("key_wo").Unknown()}, object{}, object{"form": "round", "label": "l"}},
	} {
		config := kindtest.ValuesFor(crate, test.config)
		planned := maps.Clone(config)
		for row, v := range kindtest.ValuesFor(crate, test.planned) {
			if _, adds := test.planned[row]; adds {
				planned[row] = v
			}
		}
		config[kind.RowName], planned[kind.RowName] = crate.Row(kind.RowName).Value("c"), crate.Row(kind.RowName).Value("c")
		test.want["name"] = "c"
		kindtest.Same(t, name, payloads.Create(crate, config, planned), test.want)
	}
}

// What eNMS overwrites or refuses at the creation follows in a second request.
func TestSecond(t *testing.T) {
	t.Parallel()
	type object = map[string]any
	values := func(x object) kind.Values { return kindtest.ValuesFor(crate, x) }
	planned := values(object{"name": "c", "title": "t", "late": "z", "owners": []string{"o"}, "keepers": []string{"k"}})
	with, without := values(object{"name": "c", "late": "z", "owners": []string{"o"}, "keepers": []string{"k"}}), values(object{"name": "c", "keepers": []string{"k"}})
	kindtest.Same(t, "second", payloads.Second(crate, with, planned), object{"name": "c", "title": "t", "late": "z", "owners": []string{"o"}})
	kindtest.Same(t, "no second", payloads.Second(crate, without, planned), nil)
	rights, none := value.Object{"rbac_edit": "e", "restrict_to_owners": "r", "text": "x"}, value.Object{"text": "x"}
	kindtest.Same(t, "as owner", payloads.AsOwner(crate, with, planned, rights), object{"name": "c", "title": "t", "late": "z", "owners": []string{"o"}, "rbac_edit": "e", "restrict_to_owners": "r"})
	kindtest.Same(t, "as owner, rights alone", payloads.AsOwner(crate, without, planned, value.Object{"rbac_edit": "e"}), object{"name": "c", "title": "t", "rbac_edit": "e"})
	kindtest.Same(t, "as owner, nothing", payloads.AsOwner(crate, without, planned, none), nil)
	kindtest.Same(t, "related", payloads.SecondRelated(crate, with, planned), map[string]relate.Related{"owners": {Type: "person", Names: []string{"o"}}})
	kindtest.Same(t, "related, not configured", payloads.SecondRelated(crate, without, planned), object{})
	kindtest.Same(t, "related, empty", payloads.SecondRelated(crate, with, values(object{"owners": []string{}})), object{})
	if left := payloads.WithoutSecond(crate, planned); left["late"].IsKnown() || left["owners"].IsKnown() || !left["keepers"].Equal(planned["keepers"]) || !planned["late"].IsKnown() {
		t.Errorf("without the second: %s", kindtest.Show(left))
	}
}

func TestUpdate_crate(t *testing.T) {
	t.Parallel()
	type object = map[string]any
	state := object{"name": "c", "title": "t", "text": "a\nb", "keepers": []string{"k"}, "lender": "l", "extra": object{"a": "b\nc"}, kind.RowProperties: object{"lid": "d\ne", "mine": 1}, "key_wo_version": 1}
	lines := object{"text": "a\nb", "extra": object{"a": "b\nc"}, "lid": "d\ne"} // are sent with any change
	for name, test := range map[string]struct {
		change    object // null for what is removed
		want      object
		withLines bool
	}{
		"members":           {object{"keepers": []string{"l"}}, object{"title": "t", "keepers": []string{"l"}}, false},
		"no members":        {object{"keepers": []string{}}, object{"title": "t", "keepers": []string{}, "gates": []string{}}, false},
		"unset":             {object{"lender": nil}, object{"title": "t", "lender_id": nil}, false}, // eNMS refuses null for the relation itself
		"a value":           {object{"depth": 5}, object{"title": "t", "depth": 5}, true},
		"a field":           {object{kind.RowProperties: object{"lid": "d\ne", "mine": 2}}, object{"title": "t", "mine": 2}, true},
		"a field removed":   {object{kind.RowProperties: object{"lid": "d\ne"}}, nil, false},
		"a setting":         {object{"deletion_policy": "abandon"}, nil, false},
		"unknown":           {object{"depth": crate.Row("depth").Unknown()}, nil, false},
		"a rename":          {object{"name": "d"}, object{"title": "t", "new_name": "d"}, true},
		"what is derived":   {object{"title": "u"}, object{"title": "u"}, true},
		"a new version":     {object{"key_wo": "k", "key_wo_version": 2}, object{"title": "t", "key": "k"}, true},
		"the same version":  {object{"key_wo": "k"}, nil, false},
		"without a version": {object{"key_wo": "k", "key_wo_version": nil}, nil, false},
	} {
		all := maps.Clone(state)
		maps.Copy(all, test.change)
		values, prior := kindtest.ValuesFor(crate, all), kindtest.ValuesFor(crate, state)
		want := any(nil)
		if test.want != nil {
			test.want["name"], want = "c", test.want
			if test.withLines {
				maps.Copy(test.want, lines)
			}
		}
		kindtest.Same(t, name, payloads.Update(crate, values, values, prior), want)
	}
	half, prior := kindtest.ValuesFor(crate, state), kindtest.ValuesFor(crate, object{"name": "c"})
	half["extra"] = value.ObjectOf(map[string]tftypes.Value{"a": crate.Row("text").Unknown(), "b": crate.Row("text").Value("c\nd")})
	kindtest.Same(t, "half known", payloads.Update(crate, half, kindtest.ValuesFor(crate, object{"name": "c", "depth": 5}), prior), object{"name": "c", "depth": 5, "text": "a\nb", "lid": "d\ne"})
	planned := kindtest.ValuesFor(crate, state)
	if payloads.OnlyRelations(crate, value.Object{"title": "t"}, planned, kindtest.ValuesFor(crate, object{"title": "u"})) {
		t.Error("what follows from others changes itself")
	}
	for want, payload := range map[bool]value.Object{true: {"name": "c", "title": "t", "keepers": []any{}}, false: {"name": "c", "text": "a\nb"}} {
		if payloads.OnlyRelations(crate, payload, planned, planned) != want || payloads.OnlyRelations(crate, value.Object{"lid": "x"}, planned, planned) {
			t.Errorf("%v changes only relations: %v", payload, !want)
		}
	}
}

// A Flag with Holds adds or removes one member, and leaves the others.
func TestMember(t *testing.T) {
	t.Parallel()
	first := func(is any) kind.Values {
		return kindtest.ValuesFor(crate, map[string]any{"name": "c", "title": "t", "first": is})
	}
	for name, test := range map[string]struct {
		planned, prior any
		shelves        any // in the answer
		want           any // nil for nothing
	}{
		"added":             {true, false, []any{"a"}, []string{"a", "top"}},
		"removed":           {false, true, []any{"a", "top", "b"}, []string{"a", "b"}},
		"unset":             {nil, true, []any{"top"}, []string{}},
		"unchanged":         {true, true, []any{"a"}, nil},
		"there already":     {true, false, []any{"top"}, nil},
		"gone already":      {false, true, []any{"a"}, nil},
		"not in the answer": {true, false, nil, nil},
	} {
		planned, prior := first(test.planned), first(test.prior)
		want := any(nil)
		if test.want != nil {
			want = map[string]any{"name": "c", "title": "t", "shelves": test.want}
		}
		kindtest.Same(t, name, payloads.Member(crate, value.Object{"shelves": test.shelves}, planned, prior), want)
		if changes := payloads.ChangesMember(crate, planned, prior); changes != (kind.IsTrue(planned["first"]) != (test.prior == true)) {
			t.Errorf("%s: a member changes: %v", name, changes)
		}
	}
}

func TestTrials(t *testing.T) {
	t.Parallel()
	regex := kind.Criterion{Value: "x", Match: kind.MatchRegex}
	of := func(all map[string]kind.Criterion) kind.Values { return kind.Values{"filter": filter(all)} }
	planned := of(map[string]kind.Criterion{"color": regex, "size": regex, "mine": {Value: "y", Match: kind.MatchRegex}, "form": {Match: kind.MatchRegex}, "equal": {Value: "x", Match: kind.MatchEquality}})
	prior := of(map[string]kind.Criterion{"color": regex, "size": {Value: "y", Match: kind.MatchRegex}, "form": regex})
	trial := func(property, x string) payloads.Trial {
		return payloads.Trial{Attribute: "filter", Property: property, Criterion: kind.Criterion{Value: x, Match: kind.MatchRegex}, Type: "part", Search: value.Object{property: x, property + "_filter": "regex"}}
	}
	kindtest.Same(t, "trials", payloads.Trials(crate, planned, prior), []payloads.Trial{trial("mine", "y"), trial("size", "x")})
	kindtest.Same(t, "trials of a creation", payloads.Trials(crate, of(map[string]kind.Criterion{"color": regex}), nil), []payloads.Trial{trial("color", "x")})
	kindtest.Same(t, "unknown criteria", payloads.UnknownCriteria(crate, of(map[string]kind.Criterion{"color": {}, "colour": {}, "form": {}, "mine": {}}), of(map[string]kind.Criterion{"form": {}})), []payloads.UnknownCriterion{
		{Attribute: "filter", Property: "colour", Nearest: "color", Search: value.Object{"part_colour_match": "no such match", "part_colour_match_filter": "equality"}},
		{Attribute: "filter", Property: "mine", Search: value.Object{"part_mine_match": "no such match", "part_mine_match_filter": "equality"}},
	})
}
