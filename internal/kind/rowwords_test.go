// Tests of the rows that are more than one field of the instance: criteria, secrets,
// and attributes that eNMS fills in, adds to or overwrites.

package kind

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

var crate = &Kind{
	Name: "crate", Namespace: "crate",
	Attributes: []Attribute{
		{Name: "filter", Type: Criteria, Prefix: "part_", Properties: []string{"color"}},
		{Name: "key", Role: Secret},
		{Name: "owners", Type: Many, Of: "person", AfterCreate: true,
			Automatic: func(answer value.Object) bool { return len(answer["owners"].([]any)) == 1 }},
		{Name: "readers", Type: Many, Of: "team", ServerAdds: true, Automatic: func(value.Object) bool { return false }},
		{Name: "keepers", Type: Many, Of: "person", EmptyFirst: true, Refresh: true},
		{Name: "tags", Type: Many},
		{Name: "title", Derived: true, Default: ""},
	},
	Unique:     []string{"title", "keepers"},
	RenameByID: true,
	Recompute:  &Recompute{Endpoint: "count", Attributes: []string{"filter"}, Setting: RowAdoptExisting},
}

// filter returns a value of Criteria.
func filter(all map[string]Criterion) tftypes.Value {
	members := map[string]*Criterion{}
	for property, c := range all {
		members[property] = &c
	}
	return criteriaValue(members)
}

func TestCriteriaPayload(t *testing.T) {
	t.Parallel()
	red := filter(map[string]Criterion{"color": {Value: "red", Match: MatchEquality}})
	for name, test := range map[string]struct {
		prior, planned tftypes.Value
		want           value.Object
	}{
		"a new one":      {filter(nil), red, value.Object{"part_color": "red", "part_color_match": "equality", "part_color_invert": false}},
		"the same":       {red, red, nil},
		"one taken away": {red, filter(nil), value.Object{"part_color": "", "part_color_match": "inclusion", "part_color_invert": false}},
		"all taken away": {red, tftypes.NewValue(criteriaType, nil), value.Object{"part_color": "", "part_color_match": "inclusion", "part_color_invert": false}},
		"another and one more": {red, filter(map[string]Criterion{"color": {Value: "blue", Match: MatchEquality}, "size": {Match: MatchEmpty, Invert: true}}),
			value.Object{"part_color": "blue", "part_color_match": "equality", "part_color_invert": false,
				"part_size": "", "part_size_match": "empty", "part_size_invert": true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			prior, planned := valuesFor(crate, map[string]any{"name": "c", "filter": test.prior}), valuesFor(crate, map[string]any{"name": "c", "filter": test.planned})
			payload := crate.UpdatePayload(nil, planned, prior)
			if test.want == nil {
				if payload != nil {
					t.Errorf("got %v, want nothing", payload)
				}
				return
			}
			test.want["name"] = "c"
			same(t, "payload", payload, test.want)
		})
	}
}

func TestCriteriaOfAnAnswer(t *testing.T) {
	t.Parallel()
	answer := value.Object{
		"part_color": "red", "part_color_match": "equality", "part_color_invert": false,
		"part_size": "", "part_size_match": "inclusion", "part_size_invert": false,
		"part_place": "", "part_place_match": "empty", "part_place_invert": true,
		"part_number": "7",
	}
	a := crate.row("filter")
	want := map[string]Criterion{"color": {Value: "red", Match: MatchEquality}, "place": {Match: MatchEmpty, Invert: true}}
	if got, _, _ := a.criteriaOf(answer, a.null()); !got.Equal(filter(want)) {
		t.Errorf("got %s", got)
	}
	want["size"] = Criterion{Match: MatchInclusion}
	if got, _, _ := a.criteriaOf(answer, filter(map[string]Criterion{"size": {Match: MatchInclusion}})); !got.Equal(filter(want)) {
		t.Errorf("what is configured without being a condition does not stay: %s", got)
	}
	if got, _, _ := a.criteriaOf(value.Object{"part_number": "7"}, a.null()); !got.IsNull() {
		t.Errorf("got %s, want null", got)
	}
	columns := a.criteriaColumns(filter(map[string]Criterion{"shape": {}}))
	if !slices.Contains(columns, "part_color_match") || !slices.Contains(columns, "part_shape_invert") {
		t.Errorf("the columns are %q", columns)
	}
	if absent := a.absentCriteria(answer, filter(map[string]Criterion{"color": {}, "shape": {}})); !slices.Equal(absent, []string{"shape"}) {
		t.Errorf("absent are %q", absent)
	}
}

// What is left out of a criterion is eNMS's default; what is not known stays so.
func TestCriteriaAreFilled(t *testing.T) {
	t.Parallel()
	unknown := tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
	config := tftypes.NewValue(criteriaType, map[string]tftypes.Value{"color": tftypes.NewValue(criterionType, map[string]tftypes.Value{
		criterionValue: unknown, criterionMatch: tftypes.NewValue(tftypes.String, nil), criterionInvert: tftypes.NewValue(tftypes.Bool, nil)})})
	want := tftypes.NewValue(criteriaType, map[string]tftypes.Value{"color": tftypes.NewValue(criterionType, map[string]tftypes.Value{
		criterionValue: unknown, criterionMatch: tftypes.NewValue(tftypes.String, MatchInclusion), criterionInvert: tftypes.NewValue(tftypes.Bool, false)})})
	p := crate.NewPlan(valuesFor(crate, map[string]any{"name": "c", "filter": config}), nil, nil, now)
	if got := p.Planned["filter"]; !got.Equal(want) {
		t.Errorf("got %s", got)
	}
	if len(p.Criteria("filter")) != 0 {
		t.Error("a criterion that is not known counts as known")
	}
}

func TestSecrets(t *testing.T) {
	t.Parallel()
	config := valuesFor(crate, map[string]any{"name": "c", "key_wo": "s3cret", "key_wo_version": 1})
	planned := crate.NewPlan(config, nil, nil, now).Planned
	if !planned["key_wo"].IsNull() {
		t.Error("the secret is in the plan")
	}
	payload := crate.CreatePayload(config, planned)
	if payload["key"] != "s3cret" {
		t.Errorf("a creation sends %v", payload)
	}
	if kept := crate.WithoutSecrets(payload, config); kept["key"] != nil {
		t.Errorf("the private state would keep %v", kept)
	}
	state, err := crate.State(value.Object{"id": json.Number("7"), "name": "c", "title": ""}, planned)
	if err != nil || !state["key_wo"].IsNull() {
		t.Errorf("the state is %v, %v", state, err)
	}
	if payload := crate.UpdatePayload(config, state, state); payload != nil {
		t.Errorf("the same version sends %v", payload)
	}
	config["key_wo_version"] = crate.row("key_wo_version").Value(2)
	next := maps.Clone(state)
	next["key_wo_version"] = config["key_wo_version"]
	if payload := crate.UpdatePayload(config, next, state); payload["key"] != "s3cret" {
		t.Errorf("another version sends %v", payload)
	}
}

func TestAutomatic(t *testing.T) {
	t.Parallel()
	answer := value.Object{"id": json.Number("7"), "name": "c", "title": "", "owners": []any{"me"}, "readers": []any{"all", "some"}}
	state, err := crate.ImportedState(answer, valuesFor(crate, map[string]any{"name": "c"}))
	if err != nil || !state["owners"].IsNull() || !slices.Equal(value.Names(state["readers"]), []string{"all", "some"}) {
		t.Errorf("an import gives %v, %v", state, err)
	}
	read, err := crate.State(answer, valuesFor(crate, map[string]any{"name": "c"}))
	if err != nil || !read["readers"].IsNull() || !read["owners"].IsNull() {
		t.Errorf("what is not configured is read: %v, %v", read, err)
	}
	before := valuesFor(crate, map[string]any{"name": "c", "readers": []string{"some"}, "owners": []string{"other"}})
	read, err = crate.State(answer, before)
	if err != nil || !read["readers"].Equal(before["readers"]) || !slices.Equal(value.Names(read["owners"]), []string{"me"}) {
		t.Errorf("more readers are a difference, or other owners none: %v, %v", read, err)
	}

	config := valuesFor(crate, map[string]any{"name": "c", "owners": []string{"me", "other"}, "readers": []string{"some"}})
	planned := crate.NewPlan(config, nil, nil, now).Planned
	if first := crate.CreatePayload(config, planned); first["owners"] != nil || first["readers"] == nil {
		t.Errorf("the first request holds %v", first)
	}
	if second := crate.SecondPayload(config, planned); second["owners"] == nil || second["name"] != "c" || second["readers"] != nil {
		t.Errorf("the second request holds %v", second)
	}
	without := valuesFor(crate, map[string]any{"name": "c"})
	next := crate.NewPlan(without, planned, crate.Managed(config, planned, nil), now).Planned
	payload := crate.UpdatePayload(without, next, planned)
	if list, is := payload["readers"].([]any); !is || len(list) != 0 || payload["owners"] != nil {
		t.Errorf("what is taken out is sent as %v", payload)
	}
}

// What follows from others is sent with each update; when it changes itself, the update
// is about more than relations.
func TestOnlyRelations(t *testing.T) {
	t.Parallel()
	state := valuesFor(crate, map[string]any{"name": "c", "keepers": []string{"a"}, "title": "t"})
	for name, test := range map[string]struct {
		planned Values
		want    bool
	}{
		"a relation":     {valuesFor(crate, map[string]any{"name": "c", "keepers": []string{"b"}, "title": "t"}), true},
		"what follows":   {valuesFor(crate, map[string]any{"name": "c", "keepers": []string{"a"}, "title": "u"}), false},
		"both":           {valuesFor(crate, map[string]any{"name": "c", "keepers": []string{"b"}, "title": "u"}), false},
		"something else": {valuesFor(crate, map[string]any{"name": "c", "keepers": []string{"a"}, "title": "t", "tags": []string{"x"}}), false},
	} {
		if got := crate.OnlyRelations(crate.UpdatePayload(nil, test.planned, state), test.planned, state); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestConsequences(t *testing.T) {
	t.Parallel()
	state := valuesFor(crate, map[string]any{"id": "7", "name": "c", "keepers": []string{"a", "b"}, "title": "t"})
	next := valuesFor(crate, map[string]any{"id": "7", "name": "d", "keepers": []string{"b", "c"}, "title": "t"})
	if got := crate.ToRefresh(next, state); len(got) != 1 || got[0].Type != "person" || !slices.Equal(got[0].Names, []string{"a", "b", "c"}) {
		t.Errorf("to be written again: %v", got)
	}
	if got := crate.ToRefresh(state, state); len(got) != 0 {
		t.Errorf("nothing changed, and to be written again is %v", got)
	}
	same(t, "what is emptied first", crate.EmptyPayload(state), value.Object{"name": "c", "keepers": []any{}})
	same(t, "a rename by id", crate.Renaming(value.Object{"name": "c", "new_name": "d", "x": 1}, state), value.Object{"id": 7, "name": "d", "x": 1})
	same(t, "unique", crate.UniqueCriteria(valuesFor(crate, map[string]any{"title": "t"})), value.Object{"title": "t", "title_filter": "equality", "keepers": []string{""}})
	if crate.NeedsRecompute(next, state) {
		t.Error("nothing of it changed")
	}
	withFilter := maps.Clone(next)
	withFilter["filter"] = filter(map[string]Criterion{"color": {Value: "x"}})
	if !crate.NeedsRecompute(withFilter, state) || !crate.NeedsRecompute(withFilter, nil) || crate.NeedsRecompute(next, nil) {
		t.Error("a filter is computed when it changes, and only then")
	}
	withFilter[RowAdoptExisting] = tftypes.NewValue(tftypes.Bool, false)
	if crate.NeedsRecompute(withFilter, state) {
		t.Error("it is switched off")
	}
}
