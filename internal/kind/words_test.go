// Tests of what the tables say about the lines of eNMS.

package kind_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

func TestWords(t *testing.T) {
	t.Parallel()
	other := &kind.Kind{Name: "other", AnyType: &kind.AnyType{Common: []string{"rack"}}}
	part := &kind.Kind{Name: "part", Namespace: "part", Subtypes: []kind.SubtypeTable{{Name: "bolt"}, {Name: "nut", Fields: []kind.Attribute{{Name: "fits", Type: kind.Many, Of: "tool", Inverse: "fitted"}}}}}
	w := kind.Words([]*kind.Kind{crate, part, other, {Name: "lorry", Namespace: "lorry"}, {Name: "ship", Namespace: "dock"}, {Name: "tool"}})
	same(t, "Renamed", w.Renamed, "map[changelog:map[user:author] crate:map[lid:cover] part:map[crates:boxes]]")
	same(t, "Inverses", w.Inverses, "map[part:[boxes]]")
	same(t, "Texts", w.Texts, "map[chest:[form] crate:[extra]]")
	same(t, "References", w.References, "map[box:map[docks:dock parts:part stamps:stamp] part:map[fits:tool]]")
	same(t, "Unreferred", slices.Sorted(maps.Keys(w.Unreferred)), "[chest crate lorry trunk]")
	same(t, "Unreferred", w.Unreferred["lorry"], true)
}

func TestKind_OfOneLine(t *testing.T) {
	t.Parallel()
	config := kind.Values{"type": text("chest"), "size": number(1), "place": text("abcd"), "sealed": flag(true),
		kind.RowProperties: members(map[string]any{"label": "x", "house": map[string]any{}, "stamps": []any{}, "note": "x"})}
	want := "[{size size 4 false } {place place 4 false its reason} {properties note 4 true } {properties stamps 5 false }]"
	same(t, "all", fmt.Sprint(crate.OfOneLine(config)), want)
	same(t, "none", fmt.Sprint(crate.OfOneLine(kind.Values{"type": text("trunk"), "place": unknown, "sealed": flag(true), kind.RowProperties: members(map[string]any{"note": 1})})), "[]")
}
