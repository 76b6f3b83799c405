// Tests of criteria in answers.

package states

import (
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// crate is a kind with what states treat in its own way.
var crate = &kind.Kind{
	Name: "crate", Namespace: "crate",
	Attributes: []kind.Attribute{
		{Name: "type", Role: kind.Subtype, Default: "crate"},
		{Name: "color", Default: ""},
		{Name: "size", Type: kind.Number, Default: 3},
		{Name: "active", Type: kind.Flag, Default: false, ChangesOnWrite: true},
		{Name: "room", Type: kind.One, Of: "room", ReadFrom: "room_name", IDField: "room_id", Needed: true},
		{Name: "shelf", Type: kind.One, Of: "shelf", IDField: "shelf_id"},
		{Name: "wall", Type: kind.One, Of: "wall", IDField: "wall_id", Required: true},
		{Name: "lorry", Type: kind.One, Of: "lorry", Inverse: "load"},
		{Name: "keepers", Type: kind.Many, Of: "person", Inverse: "kept"},
		{Name: "owners", Type: kind.Many, Of: "person", Automatic: func(answer value.Object) bool { return len(value.Names(people(answer["owners"]))) == 1 }},
		{Name: "readers", Type: kind.Many, Of: "team", Inverse: "read", Membership: kind.Membership{ServerAdds: true}},
		{Name: "tags", Type: kind.Many},
		{Name: "first", Type: kind.Flag, Default: false, Inverse: "boxes", Holds: &kind.Holds{Subtype: "trunk", Relation: "shelves", Of: "shelf", Member: "top"}},
		{Name: "filter", Type: kind.Criteria, Conditions: kind.Conditions{Prefix: "part_", Properties: []string{"color"}}},
		{Name: "info", ReadOnly: true},
		{Name: "now", ReadOnly: true, DataOnly: true},
		{Name: "key", Role: kind.Secret},
	},
	Properties: []kind.Attribute{{Name: "label", Default: ""}},
	Subtypes:   []kind.SubtypeTable{{Name: "trunk", Fields: []kind.Attribute{{Name: "stamps", Type: kind.Many, Of: "stamp"}}}},
	Unwatched:  []string{"seen"},
	NeverSent:  []string{"gone"},
	Secrets:    []string{"code"},
	Rules:      kind.Rules{Place: &kind.Place{Attributes: []string{"color", "shelf", "keepers"}}},
}

// people returns the value of a relation in an answer, or null.
func people(x any) tftypes.Value {
	v, _ := kind.Attribute{Type: kind.Many}.FromAnswer(x)
	return v
}

// filter returns a value of Criteria.
func filter(all map[string]kind.Criterion) tftypes.Value {
	members := map[string]*kind.Criterion{}
	for property, c := range all {
		members[property] = &c
	}
	return kind.CriteriaValue(members)
}

func TestCriteriaOfAnAnswer(t *testing.T) {
	t.Parallel()
	answer := value.Object{
		"part_color": "red", "part_color_match": "equality", "part_color_invert": false,
		"part_size": "", "part_size_match": "inclusion", "part_size_invert": false,
		"part_place": "", "part_place_match": "empty", "part_place_invert": true,
		"part_number": "7",
	}
	a := crate.Row("filter")
	want := map[string]kind.Criterion{"color": {Value: "red", Match: kind.MatchEquality}, "place": {Match: kind.MatchEmpty, Invert: true}}
	if got, _ := criteriaOf(crate, a, answer, a.Null()); !got.Equal(filter(want)) {
		t.Errorf("got %s", got)
	}
	if got, _ := criteriaOf(crate, a, value.Object{}, filter(nil)); !got.Equal(filter(nil)) {
		t.Errorf("configured without criteria, got %s", got)
	}
	if got, _ := criteriaOf(crate, a, value.Object{}, a.Unknown()); !got.IsNull() {
		t.Errorf("unknown before, got %s", got)
	}
	for x, isError := range map[any]bool{nil: false, 5: true} {
		if _, err := criteriaOf(crate, a, value.Object{"part_color": x, "part_color_match": "empty"}, a.Null()); (err != nil) != isError {
			t.Errorf("a criterion with %v: %v", x, err)
		}
	}
	want["size"] = kind.Criterion{Match: kind.MatchInclusion}
	if got, _ := criteriaOf(crate, a, answer, filter(map[string]kind.Criterion{"size": {Match: kind.MatchInclusion}})); !got.Equal(filter(want)) {
		t.Errorf("what is configured without being a condition does not stay: %s", got)
	}
	if got, _ := criteriaOf(crate, a, value.Object{"part_number": "7"}, a.Null()); !got.IsNull() {
		t.Errorf("got %s, want null", got)
	}
	if absent := absentCriteria(a, answer, filter(map[string]kind.Criterion{"color": {}, "shape": {}, "form": {}})); !slices.Equal(absent, []string{"form", "shape"}) {
		t.Errorf("absent are %q", absent)
	}
}
