// This file compares values of configurations for the exporter.

package kind

import (
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Same reports whether two values of an attribute in configurations are the same for eNMS. They
// are JSON values; nil means not configured.
func (k *Kind) Same(attribute string, x, y any) bool {
	a := k.row(attribute)
	switch {
	case x == nil || y == nil:
		return x == nil && y == nil
	case a.Type == Criteria:
		v, isV := entryCriteria(value.FromJSON(x))
		w, isW := entryCriteria(value.FromJSON(y))
		return isV && isW && a.same(a.filled(v), a.filled(w))
	case a.Type == Properties:
		return value.Equal(x, y)
	}
	return value.Comparison{Unordered: a.Type == Many}.Keeps(x, y)
}

// SameField is Same for a further field.
func (k *Kind) SameField(name string, x, y any) bool {
	a := k.row(RowProperties)
	if a.comparison(name, false).Keeps(x, y) {
		return true
	}
	_, object := x.(map[string]any)
	return !object && a.comparison(name, true).Keeps(x, y)
}

// FieldDefault returns the value of a further field that is not configured, in an instance of a
// subtype. known is false for fields without a row.
func (k *Kind) FieldDefault(subtype, name string) (x any, known bool) {
	rows, _ := k.rows().further.of(subtype)
	a, known := rows[name]
	if !known {
		return nil, false
	}
	return a.createdJSON(), true
}
