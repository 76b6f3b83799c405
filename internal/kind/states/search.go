// This file says which fields a search must return for a state, and by which criteria it finds the
// instance at a place.

package states

import (
	"fmt"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Columns returns the fields that a search must return for a state, including the properties of the
// state.
func Columns(k *kind.Kind, state kind.Values) []string {
	var columns []string
	for _, a := range k.Table().Searched {
		columns = append(columns, a.Columns(state[a.Name])...)
	}
	for name := range value.Members(state[kind.RowProperties]) {
		if !slices.Contains(columns, name) && !slices.Contains(k.Table().Properties.Relations, name) {
			columns = append(columns, name)
		}
	}
	slices.Sort(columns)
	return columns
}

// PlaceCriteria returns the criteria of a search for the instance that has the planned place, or nil if the kind has no
// places.
func PlaceCriteria(k *kind.Kind, planned kind.Values) map[string]any {
	if k.Place == nil {
		return nil
	}
	criteria := map[string]any{}
	for _, name := range k.Place.Attributes {
		text := value.Text(planned[name])
		if k.Row(name).IsRelation() {
			criteria[name] = []string{text}
			continue
		}
		criteria[name], criteria[name+kind.FilterSuffix] = text, kind.MatchEquality
	}
	return criteria
}

// Ends returns the ids, in an answer, of the instances to which the attributes of the place refer, or nil if the kind has
// no places.
func Ends(k *kind.Kind, answer value.Object) (ids []string) {
	if k.Place == nil {
		return nil
	}
	for _, name := range k.Place.Attributes {
		if a := k.Row(name); a.IDField != "" {
			ids = append(ids, fmt.Sprint(answer[a.IDField]))
		}
	}
	return ids
}
