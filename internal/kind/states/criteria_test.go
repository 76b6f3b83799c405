// Tests of criteria in answers.

package states

import (
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
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
	want["size"] = kind.Criterion{Match: kind.MatchInclusion}
	if got, _ := criteriaOf(crate, a, answer, filter(map[string]kind.Criterion{"size": {Match: kind.MatchInclusion}})); !got.Equal(filter(want)) {
		t.Errorf("what is configured without being a condition does not stay: %s", got)
	}
	if got, _ := criteriaOf(crate, a, value.Object{"part_number": "7"}, a.Null()); !got.IsNull() {
		t.Errorf("got %s, want null", got)
	}
	columns := a.Columns(filter(map[string]kind.Criterion{"shape": {}}))
	if !slices.Contains(columns, "part_color_match") || !slices.Contains(columns, "part_shape_invert") {
		t.Errorf("the columns are %q", columns)
	}
	if absent := absentCriteria(a, answer, filter(map[string]kind.Criterion{"color": {}, "shape": {}})); !slices.Equal(absent, []string{"shape"}) {
		t.Errorf("absent are %q", absent)
	}
}
