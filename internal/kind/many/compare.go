// This file compares values of configurations for the exporter.

package many

import (
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// SameValue reports whether two values of an attribute in configurations are the same for eNMS. They
// are JSON values; nil means not configured.
func SameValue(k *kind.Kind, attribute string, x, y any) bool {
	a := k.Row(attribute)
	switch {
	case x == nil || y == nil:
		return x == nil && y == nil
	case a.Type == kind.Criteria:
		v, isV := entryCriteria(value.FromJSON(x))
		w, isW := entryCriteria(value.FromJSON(y))
		return isV && isW && a.Same(a.Filled(v), a.Filled(w))
	case a.Type == kind.Properties:
		return value.Equal(x, y)
	}
	return value.Comparison{Unordered: a.Type == kind.Many}.Keeps(x, y)
}

// SameField is Same for a further field.
func SameField(k *kind.Kind, name string, x, y any) bool {
	a := k.Row(kind.RowProperties)
	if a.Comparison(name, false).Keeps(x, y) {
		return true
	}
	_, object := x.(map[string]any)
	return !object && a.Comparison(name, true).Keeps(x, y)
}

// FieldDefault returns the value of a further field that is not configured, in an instance of a
// subtype. known is false for fields without a row.
func FieldDefault(k *kind.Kind, subtype, name string) (x any, known bool) {
	rows, _ := k.Table().Further.Of(subtype)
	a, known := rows[name]
	if !known {
		return nil, false
	}
	return a.CreatedJSON(), true
}
