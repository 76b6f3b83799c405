package endpoint

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"
)

func TestRowsBy(t *testing.T) {
	t.Parallel()
	rows := []Object{
		{"name": "a", "id": json.Number("1")}, {"name": "b", "id": json.Number("2")}, {"name": "c"},
		{"id": json.Number("3")}, {"name": "b", "id": json.Number("4")}, {"name": "d", "id": json.Number("1")},
	}
	for _, c := range []struct {
		column       string
		wanted, want []string
	}{
		{"name", nil, []string{"a", "c", "d"}},
		{"name", []string{"a", "b", "x"}, []string{"a"}},
		{"id", nil, []string{"2", "4"}},
		{"id", []string{"1", "2"}, []string{"2"}},
	} {
		if got := slices.Sorted(maps.Keys(RowsBy(c.column, rows, c.wanted))); !slices.Equal(got, c.want) {
			t.Errorf("by %s, of %q: %q, want %q", c.column, c.wanted, got, c.want)
		}
	}
}
