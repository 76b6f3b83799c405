// Tests of the relations of an instance, with boxes that hold items and stand on shelves.

package relate

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/kindtest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/servicename"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

var (
	shelf = &kind.Kind{Name: "shelf", Namespace: "furniture",
		Scope:    &kind.Scope{Type: "room", Attribute: "rooms", Split: servicename.Split, Join: servicename.Join},
		Cascades: []kind.Cascade{{Type: "box", Column: "shelf_id", Allowed: true, Inverse: "rails"}, {Of: "rack", Type: "box", Property: "racks", Except: "kept-"}},
		Subtypes: []kind.SubtypeTable{{Name: "rack"}},
		Attributes: []kind.Attribute{
			{Name: "type", Role: kind.Subtype, OneOf: []string{"shelf", "rack"}},
			{Name: "rooms", Type: kind.Many, Of: "room"},
			{Name: "boxes", Type: kind.Many, Of: "box", Inverse: "racks", Target: true},
			{Name: "below", Type: kind.Many, Of: "shelf", Inverse: "above"},
		},
		Unwatched: []string{"positions", "labels"},
	}
	item = &kind.Kind{Name: "item", Namespace: "item",
		Attributes: []kind.Attribute{
			{Name: "boxes", Type: kind.Many, Of: "box", Inverse: "items", Target: true},
			{Name: "box", Type: kind.One, Of: "box"},
			{Name: "shelves", Type: kind.Many, Of: "shelf", Inverse: "contents", Target: true},
			{Name: "racks", Type: kind.Many, Of: "rack", Inverse: "stuff"},
			{Name: "wanted", Type: kind.Flag, Holds: &kind.Holds{Relation: "lists", Member: "wishes"}},
			{Name: "sold", Type: kind.Flag, Holds: &kind.Holds{Relation: "lists", Member: "sales"}},
		},
	}
	box = &kind.Kind{Name: "box", Namespace: "box",
		Attributes: []kind.Attribute{
			{Name: "label", Default: ""},
			{Name: "shelf", Type: kind.One, Of: "shelf", ReadFrom: "shelf_name"},
			{Name: "racks", Type: kind.Many, Of: "rack", Inverse: "boxes", Membership: kind.Membership{EmptyFirst: true}},
			{Name: "items", Type: kind.Many, Of: "item", Inverse: "boxes", Membership: kind.Membership{Refresh: true}},
			{Name: "spare", Type: kind.Many, Of: "item", Inverse: "box"},
			{Name: "inner", Type: kind.Many, Of: "box", Inverse: "outer"},
			{Name: "outer", Type: kind.Many, Of: "box", Inverse: "inner"},
			{Name: "lids", Type: kind.Many, Of: "lid", Inverse: "boxes"},
		},
	}
	other = &kind.Kind{Name: "any", AnyType: &kind.AnyType{}, Attributes: []kind.Attribute{{Name: "type", Role: kind.Subtype, Required: true}}}
	kinds = []*kind.Kind{shelf, item, box}
)

type given = map[string]any

// unknownMember is a set of names with a member that is unknown until apply.
var unknownMember = tftypes.NewValue(value.StringSet, []tftypes.Value{
	tftypes.NewValue(tftypes.String, tftypes.UnknownValue), tftypes.NewValue(tftypes.String, "a")})

func TestNewlyRelated(t *testing.T) {
	t.Parallel()
	planned := kindtest.ValuesFor(box, given{"shelf": "s", "racks": []string{"r"}, "items": []string{"a", "b"}, "inner": unknownMember})
	prior := kindtest.ValuesFor(box, given{"shelf": "s", "items": []string{"a", "c"}})
	got := map[string]Related{}
	for _, related := range NewlyRelated(box, planned, prior) {
		got[related.Attribute] = related
	}
	want := map[string]Related{
		"shelf": {Type: "shelf", Names: []string{}, Attribute: "shelf"}, "racks": {Type: "rack", Names: []string{"r"}, Attribute: "racks"},
		"items": {Type: "item", Names: []string{"b"}, Attribute: "items"}, "inner": {Type: "box", Names: []string{"a"}, Attribute: "inner"},
		"spare": {Type: "item", Attribute: "spare"}, "outer": {Type: "box", Attribute: "outer"}, "lids": {Type: "lid", Attribute: "lids"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// Only the members of a relation with Refresh are written again, and only if it changes.
func TestToRefresh(t *testing.T) {
	t.Parallel()
	prior := kindtest.ValuesFor(box, given{"items": []string{"b", "a"}, "racks": []string{"r"}})
	planned := kindtest.ValuesFor(box, given{"items": []string{"c", "b"}, "racks": []string{"q"}})
	if got := ToRefresh(box, planned, prior); !reflect.DeepEqual(got, []Related{{Type: "item", Names: []string{"a", "b", "c"}}}) {
		t.Errorf("to be written again: %v", got)
	}
	if got := ToRefresh(box, prior, prior); len(got) > 0 {
		t.Errorf("without a change, to be written again: %v", got)
	}
}

func TestHasOtherSide(t *testing.T) {
	t.Parallel()
	for attribute, want := range map[string]bool{
		"items": true,
		"shelf": false, // a relation to one
		"spare": false, // the other side is a relation to one
		"inner": false, // of the same kind
		"lids":  false, // of a type without a kind
	} {
		if got := HasOtherSide(box, attribute, kinds); got != want {
			t.Errorf("%s: %v", attribute, got)
		}
	}
	if HasOtherSide(item, "shelves", kinds) || HasOtherSide(shelf, "boxes", kinds) {
		t.Error("a relation with another name, or to another type, is no other side")
	}
}

func TestReferringRow(t *testing.T) {
	t.Parallel()
	values := kindtest.ValuesFor(box, given{"label": "s", "shelf": "s", "items": []string{"i"}, "spare": []string{"s", "j"}})
	for _, c := range []struct{ typ, name, want string }{
		{"shelf", "s", "shelf"}, {"item", "i", "items"}, {"item", "j", "spare"}, {"item", "s", "spare"}, {"shelf", "i", ""}, {"rack", "r", ""},
	} {
		if got := ReferringRow(box, values, c.typ, c.name); got != c.want {
			t.Errorf("%s %s is in %q, want %q", c.typ, c.name, got, c.want)
		}
	}
	if got := Types(shelf, kindtest.ValuesFor(shelf, given{"type": "rack"})); !slices.Equal(got, []string{"shelf", "rack"}) {
		t.Errorf("a rack is referred to by the types %q", got)
	}
	if got := Types(box, nil); !slices.Equal(got, []string{"box"}) {
		t.Errorf("a box is referred to by the types %q", got)
	}
}

func TestTargetOf(t *testing.T) {
	t.Parallel()
	rack := other.For(kind.Values{"type": tftypes.NewValue(tftypes.String, "shelf")})
	for _, c := range []struct {
		k, target *kind.Kind
		want      []Targets
	}{
		{box, box, []Targets{{Of: shelf, Attribute: "boxes", Inverse: "racks"}, {Of: item, Attribute: "boxes", Inverse: "items"}}},
		{rack, shelf, []Targets{{Of: item, Attribute: "shelves", Inverse: "contents"}}},
		{item, item, nil},
	} {
		if target, got := TargetOf(c.k, kinds); target != c.target || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: targets of %s %v, want %v", c.k.Name, target.Name, got, c.want)
		}
	}
}

func TestHoldsMember(t *testing.T) {
	t.Parallel()
	values := kindtest.ValuesFor(item, given{"wanted": true, "sold": false})
	for member, want := range map[string]bool{"wishes": true, "sales": false, "others": false} {
		if HoldsMember(item, values, member) != want {
			t.Errorf("it is a member of %s: %v", member, !want)
		}
	}
}

func TestParents(t *testing.T) {
	t.Parallel()
	all := Dependences(box, kinds)
	if len(all) != 2 || all[0].Attribute != "shelf" || !all[0].Allowed || all[1].Attribute != "racks" || all[1].Allowed || len(Dependences(item, kinds)) > 0 {
		t.Fatalf("boxes depend on %v", all)
	}
	for what, c := range map[string]struct {
		state given
		want  []Related
	}{
		"none":           {given{"name": "b"}, nil},
		"each":           {given{"name": "b", "shelf": "s", "racks": []string{"q", "r"}}, []Related{{Type: "shelf", Names: []string{"s"}}, {Type: "rack", Names: []string{"q", "r"}}}},
		"with the room":  {given{"name": "b", "shelf": "[room] s"}, []Related{{Type: "shelf", Names: []string{"[room] s"}}, {Type: "room", Names: []string{"room"}}}},
		"with the house": {given{"name": "b", "shelf": "[[house] room] s"}, []Related{{Type: "shelf", Names: []string{"[[house] room] s"}}, {Type: "room", Names: []string{"house", "[house] room"}}}},
		"except":         {given{"name": "kept-b", "shelf": "s", "racks": []string{"r"}}, []Related{{Type: "shelf", Names: []string{"s"}}}},
	} {
		var got []Related
		for _, d := range all {
			got = append(got, d.Parents(kindtest.ValuesFor(box, c.state))...)
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", what, got, c.want)
		}
	}
}

func TestReferringTo(t *testing.T) {
	t.Parallel()
	rows := func(names ...any) (members []any) {
		for _, name := range names {
			members = append(members, given{"name": name, "positions": given{"x": "at " + name.(string), "z": "else"}})
		}
		return members
	}
	line5 := func(answer given) given { answer["creation_time"] = ""; return answer }
	for what, c := range map[string]struct {
		k       *kind.Kind
		deleted given
		want    Referring
	}{
		"the answer is lost":                              {box, nil, Referring{Unknown: true}},
		"of what nothing can refer to":                    {&kind.Kind{Name: "key"}, nil, Referring{}},
		"of what relations lead to only in one direction": {&kind.Kind{Name: "room"}, nil, Referring{}},
		"of a type, and lost":                             {other.For(kind.Values{"type": tftypes.NewValue(tftypes.String, "lid")}), nil, Referring{Unknown: true}},
		"of a subtype that a site has added":              {shelf, given{"type": "wardrobe", "contents": rows("i")}, Referring{Relations: map[string]Related{"contents": {Type: "item", Names: []string{"i"}}}}},
		"nothing does":                                    {box, given{"name": "x"}, Referring{}},
		"both kinds":                                      {box, given{"items": rows("b", "a"), "racks": rows("r"), "spare": rows("c"), "outer": rows("")}, Referring{Relations: map[string]Related{"items": {Type: "item", Names: []string{"a", "b"}}, "racks": {Type: "shelf", Names: []string{"r"}}}}},
		"a subtype, deleted along":                        {shelf, given{"type": "rack", "boxes": rows("b", "kept-c"), "contents": rows("i"), "stuff": rows("j"), "above": rows("s")}, Referring{Relations: map[string]Related{"boxes": {Type: "box", Names: []string{"kept-c"}}, "stuff": {Type: "item", Names: []string{"j"}}, "contents": {Type: "item", Names: []string{"i"}}, "above": {Type: "shelf", Names: []string{"s"}}}}},
		"deleted along, which is allowed":                 {shelf, given{"rails": rows("b", "a")}, Referring{Along: []Related{{Type: "box", Names: []string{"b", "a"}}}}},
		"the kind of the type":                            {other, given{"type": "item", "boxes": rows("b"), "racks": rows("r")}, Referring{Relations: map[string]Related{"boxes": {Type: "box", Names: []string{"b"}}}}},
		"its layout":                                      {shelf, given{"positions": given{"b": 1}, "labels": given{"l": 2}}, Referring{Layout: given{"positions": given{"b": 1}, "labels": given{"l": 2}}}},
		"a layout that it does not keep":                  {box, given{"positions": given{"b": 1}, "labels": given{"l": 2}}, Referring{}},
		"an empty layout":                                 {shelf, given{"labels": given{}}, Referring{}},
		"positions of members": {box, line5(given{"name": "x", "items": rows("a", "b"), "racks": rows("r")}), Referring{
			Relations: map[string]Related{"items": {Type: "item", Names: []string{"a", "b"}}, "racks": {Type: "shelf", Names: []string{"r"}}},
			Positions: map[string]map[string]any{"item": {"a": "at a", "b": "at b"}, "rack": {"r": "at r"}, "shelf": {"r": "at r"}}}},
		"positions elsewhere": {item, line5(given{"name": "y", "shelves": rows("s")}), Referring{}},
	} {
		got := ReferringTo(c.k, c.deleted, append(slices.Clone(kinds), other))
		if got.Unknown != c.want.Unknown || !equal(got.Relations, c.want.Relations) || !equal(got.Layout, c.want.Layout) || !equal(got.Positions, c.want.Positions) || !reflect.DeepEqual(got.Along, c.want.Along) {
			t.Errorf("%s:\n got %v\nwant %v", what, got, c.want)
		}
	}
}

// equal reports whether maps have the same members; nil is empty.
func equal[V any](x, y map[string]V) bool {
	return len(x) == 0 && len(y) == 0 || reflect.DeepEqual(x, y)
}

// Instances of several kinds that refer by the same field have the type that is common to them.
func TestReferringTo_sameField(t *testing.T) {
	t.Parallel()
	var sorts []*kind.Kind
	for _, name := range []string{"bag", "cart"} {
		sorts = append(sorts, &kind.Kind{Name: name, Namespace: "carrier", Attributes: []kind.Attribute{{Name: "load", Type: kind.Many, Of: "box", Inverse: "carriers"}}})
	}
	got := ReferringTo(box, given{"carriers": []any{given{"name": "d"}, given{"name": "c"}}}, sorts)
	if want := (Related{Type: "carrier", Names: []string{"c", "d"}}); !reflect.DeepEqual(got.Relations["carriers"], want) {
		t.Errorf("got %v, want %v", got.Relations, want)
	}
}

// What is restored is what another write has not sent and what is still there.
func TestReferring(t *testing.T) {
	t.Parallel()
	r := Referring{Relations: map[string]Related{"items": {"item", []string{"a", "b"}, ""}, "racks": {"rack", []string{"r"}, ""}}, Layout: given{"labels": 1}, Unknown: true}
	rest := r.Without(func(related Related) []string { return map[string][]string{"item": {"a"}, "rack": {"r"}}[related.Type] })
	kindtest.Same(t, "without", rest, Referring{Relations: map[string]Related{"items": {"item", []string{"b"}, ""}}, Layout: given{"labels": 1}, Unknown: true})
	with := rest.With(map[string]Related{"items": {"item", []string{"x"}, ""}, "lids": {"lid", []string{"l"}, ""}})
	kindtest.Same(t, "with", with, Referring{Relations: map[string]Related{"items": {"item", []string{"b"}, ""}, "lids": {"lid", []string{"l"}, ""}}, Layout: given{"labels": 1}, Unknown: true})
	kindtest.Same(t, "before", slices.Sorted(maps.Keys(r.Relations)), []string{"items", "racks"})
	kindtest.Same(t, "the payload", with.Payload("x", given{"lids": nil}), given{"name": "x", "items": []string{"b"}, "labels": 1})
	kindtest.Same(t, "all was sent", with.Payload("x", given{"lids": 1, "items": 1}, given{"labels": 1}), given{})
	kindtest.Same(t, "one field is left", with.Payload("x", given{"lids": 1, "items": 1}), given{"name": "x", "labels": 1})
}

func TestMembersToEmpty(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		answer given
		want   map[string]Related
	}{
		"members":  {given{"racks": []any{"r", "q"}, "items": []any{"i"}}, map[string]Related{"racks": {Type: "rack", Names: []string{"q", "r"}}}},
		"a member": {given{"racks": []any{"q"}}, map[string]Related{"racks": {Type: "rack", Names: []string{"q"}}}},
		"none":     {given{"racks": []any{}, "items": []any{"i"}}, map[string]Related{}},
		"no names": {given{"racks": []any{1}}, map[string]Related{}},
	} {
		if got := MembersToEmpty(box, c.answer); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", what, got, c.want)
		}
	}
}
