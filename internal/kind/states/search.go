// This file says which fields a search must return for a state, and by which criteria it finds an
// instance by its content.

package states

import (
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Columns returns the fields that a search must return for a state, including the properties of the
// state. afterWrite adds the fields of the data source, for the check after a write.
func Columns(k *kind.Kind, state kind.Values, afterWrite bool) []string {
	var columns []string
	for _, a := range k.Table().Searched {
		if !a.DataOnly || afterWrite {
			columns = append(columns, a.Columns(state[a.Name])...)
		}
	}
	for name := range value.Members(state[kind.RowProperties]) {
		if !slices.Contains(columns, name) && !slices.Contains(k.Table().Further.Relations, name) {
			columns = append(columns, name)
		}
	}
	slices.Sort(columns)
	return columns
}

// UniqueCriteria returns the criteria of a search for the instance that has the planned values of
// the attributes in Unique, or nil if the kind has none.
func UniqueCriteria(k *kind.Kind, planned kind.Values) map[string]any {
	if len(k.Unique) == 0 {
		return nil
	}
	criteria := map[string]any{}
	for _, name := range k.Unique {
		text := value.Text(planned[name])
		if k.Row(name).IsRelation() {
			criteria[name] = []string{text}
			continue
		}
		criteria[name], criteria[name+kind.FilterSuffix] = text, kind.MatchEquality
	}
	return criteria
}

// ContentCriteria returns the criteria of a search for instances with the content of a state
// (SameContent). The search may find further instances.
func ContentCriteria(k *kind.Kind, state kind.Values) map[string]any {
	criteria := map[string]any{}
	for _, a := range k.Table().Content {
		if a.Type != kind.Text || a.Role != kind.Field || !a.InSearch() {
			continue
		}
		if text := value.Text(state[a.Name]); text != "" && len(text) <= maxSearched {
			criteria[a.Column()], criteria[a.Column()+kind.FilterSuffix] = text, kind.MatchEquality
		}
	}
	return criteria
}

// maxSearched is the length in bytes of the longest string in ContentCriteria. Scripts are longer.
const maxSearched = 200
