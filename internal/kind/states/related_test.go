// Tests of the relations and fields that a state needs, and of the criteria that find the instance at a place.

package states

import (
	"fmt"
	"slices"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/kindtest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// anything is a kind of any type.
var anything = &kind.Kind{Name: "anything", AnyType: &kind.AnyType{}, Attributes: []kind.Attribute{{Name: "type", Role: kind.Subtype}}}

// shown returns relations in short, and whether instances can be searched by them.
func shown(relations []object.Relation, searchable bool) string {
	text := ""
	for _, r := range relations {
		text += fmt.Sprintf("%s:%s/%s%v ", r.Name, r.Of, r.Inverse, r.Members)
		if r.AtLeast {
			text += "+ "
		}
		if r.Only != "" {
			text += "only " + r.Only + " of " + r.Subtype + " "
		}
	}
	return text + fmt.Sprint(searchable)
}

func TestRelationsToRead(t *testing.T) {
	t.Parallel()
	type fields = map[string]any
	for name, test := range map[string]struct {
		k       *kind.Kind
		state   fields
		managed []string
		want    string
	}{
		"none":                      {crate, fields{"keepers": []string{}, "lorry": "", "first": false, "tags": []string{"x"}}, nil, "true"},
		"members":                   {crate, fields{"keepers": []string{"a"}}, nil, "keepers:person/kept[a] true"},
		"one":                       {crate, fields{"lorry": "l"}, nil, "lorry:lorry/load[] true"},
		"member":                    {crate, fields{"first": true}, nil, "shelves:shelf/boxes[top] only top of trunk true"},
		"managed":                   {crate, fields{}, []string{"readers", "first"}, "readers:team/read[] + shelves:shelf/boxes[] only top of trunk true"},
		"without an inverse":        {crate, fields{"owners": []string{"o"}, "readers": []string{"a"}}, nil, "owners:person/[o] readers:team/read[a] + false"},
		"relation among properties": {crate, fields{kind.RowProperties: fields{"stamps": []any{"s"}}}, nil, "false"},
		"list among properties":     {crate, fields{kind.RowProperties: fields{"mine": []any{"s"}}}, nil, "true"},
		"list of anything":          {anything, fields{kind.RowProperties: fields{"mine": []any{"s"}}}, nil, "false"},
		"text of anything":          {anything, fields{kind.RowProperties: fields{"mine": "s"}}, nil, "true"},
	} {
		if got := shown(RelationsToRead(test.k, kindtest.ValuesFor(test.k, test.state), test.managed)); got != test.want {
			t.Errorf("%s: %s", name, got)
		}
	}
	if got, want := shown(UnsearchedRelations(crate)), "lorry:lorry/load[] keepers:person/kept[] owners:person/[] readers:team/read[] + shelves:shelf/boxes[] only top of trunk false"; got != want {
		t.Errorf("all relations:\n got %s\nwant %s", got, want)
	}
	searchable := &kind.Kind{Name: "s", Attributes: []kind.Attribute{{Name: "keepers", Type: kind.Many, Of: "person", Inverse: "kept"}}}
	for want, k := range map[string]*kind.Kind{"keepers:person/kept[] true": searchable, "false": anything} {
		if got := shown(UnsearchedRelations(k)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestRelationsOfPlan(t *testing.T) {
	t.Parallel()
	type fields = map[string]any
	planned := crateOf(fields{"readers": []string{"a"}, "owners": []string{"o"}, "keepers": []string{"k"}, "wall": "w"})
	if got := shown(SentUnsearched(crate, value.Object{"readers": nil, "color": nil, "owners": nil}, planned), true); got != "owners:person/[o] readers:team/read[a] true" {
		t.Errorf("sent are %s", got)
	}
	if got := shown(DoubtfulRelations(crate, planned), true); got != "owners:person/[o] true" {
		t.Errorf("doubtful are %s", got)
	}
	if got := DoubtfulRelations(crate, crateOf(nil)); len(got) > 0 {
		t.Errorf("doubtful are %v", got)
	}
	for want, row := range map[bool]string{true: "keepers", false: "color"} {
		if UnknownRelation(crate, crateOf(fields{row: crate.Row(row).Unknown()})) != want {
			t.Errorf("%s is an unknown relation: %v", row, !want)
		}
	}
	for name, test := range map[string]struct {
		sent   string
		answer fields
		want   bool
	}{
		"as planned":           {"keepers", fields{"keepers": []any{"k"}}, true},
		"otherwise":            {"keepers", fields{"keepers": []any{"x"}}, false},
		"left out":             {"keepers", fields{}, true},
		"not of its type":      {"keepers", fields{"keepers": 5}, false},
		"no relation":          {"color", fields{"color": "x"}, true},
		"to one":               {"shelf", fields{"shelf": "x"}, false},
		"to one, without it":   {"room", fields{}, true},
		"to one that is there": {"wall", fields{}, false},
		"unset, but there":     {"room", fields{"room_name": "r"}, false},
		"null, where one is":   {"lorry", fields{"lorry": 5}, false},
	} {
		if got := ShowsRelations(crate, value.Object{test.sent: nil, "name": "c"}, crateAnswer(test.answer), planned); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestUnnamed(t *testing.T) {
	t.Parallel()
	type fields = map[string]any
	answer := crateAnswer(fields{"room_id": 1, "shelf_id": 2, "wall_id": 3})
	unnamed, err := Unnamed(crate, answer)
	if got, want := fmt.Sprint(unnamed), "[{room_name room_id room 1 false} {shelf shelf_id shelf 2 true} {wall wall_id wall 3 false}]"; err != nil || got != want {
		t.Errorf("unnamed: %v\n got %s\nwant %s", err, got, want)
	}
	named := crateAnswer(fields{"room_id": 1, "room_name": "r", "shelf_id": nil})
	if unnamed, err := Unnamed(crate, named); err != nil || len(unnamed) > 0 {
		t.Errorf("unnamed are %v, %v", unnamed, err)
	}
	wrong := crateAnswer(fields{"shelf_id": "x"})
	if _, err := Unnamed(crate, wrong); err == nil {
		t.Error("an id is a string")
	}
	kindtest.Same(t, "wrong", WithoutDangling(crate, wrong), wrong)
	kindtest.Same(t, "named", WithoutDangling(crate, named), named)
	kindtest.Same(t, "without dangling", WithoutDangling(crate, answer), crateAnswer(fields{"room_id": 1, "shelf_id": nil, "wall_id": 3}))
	if answer["shelf_id"] == nil {
		t.Error("the answer was changed")
	}
}

func TestColumns(t *testing.T) {
	t.Parallel()
	state := crateOf(map[string]any{kind.RowProperties: map[string]any{"label": "x", "color": "x", "stamps": []any{"s"}}})
	columns := []string{"active", "color", "id", "info", "label", "name", "part_color", "part_color_invert", "part_color_match", "room_name", "shelf_id", "size", "tags", "type", "wall_id"}
	kindtest.Same(t, "columns", Columns(crate, state), columns)
	checked := &kind.Kind{Attributes: crate.Attributes, Properties: crate.Properties, Subtypes: crate.Subtypes, Rules: kind.Rules{DataCheck: &kind.DataCheck{}}}
	kindtest.Same(t, "columns with a check", Columns(checked, state), slices.Insert(slices.Clone(columns), 6, "now"))
	for k, want := range map[*kind.Kind]bool{crate: false, checked: true} {
		if got := slices.Contains(k.Table().PageColumns, "now"); got != want {
			t.Errorf("pages have the field for the check: %v, want %v", got, want)
		}
	}
	planned := crateOf(map[string]any{"color": "red", "shelf": "s"})
	kindtest.Same(t, "place", PlaceCriteria(crate, planned), map[string]any{"color": "red", "color_filter": "equality", "shelf": []string{"s"}, "keepers": []string{""}})
	kindtest.Same(t, "ends", Ends(crate, value.Object{"shelf_id": 5}), []string{"5"})
	if PlaceCriteria(anything, planned) != nil || Ends(anything, value.Object{}) != nil {
		t.Error("anything has a place")
	}
}
