// Package identify reads and writes the ways in which an instance is named outside of its
// attributes: the identity and the id by which it is imported, and the state of another type of
// resource from which a moved block leads to it (move.go).
package identify

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Of returns the identity of an instance from its state or plan; null if the name is null.
func Of(k *kind.Kind, values kind.Values) tftypes.Value {
	types, members := map[string]tftypes.Type{}, kind.Values{}
	for _, a := range k.IdentityRows() {
		types[a.Name], members[a.Name] = tftypes.String, a.Null()
		if v, has := values[a.Name]; has {
			members[a.Name] = v
		}
	}
	typ := tftypes.Object{AttributeTypes: types}
	if members[kind.RowName].IsNull() {
		return tftypes.NewValue(typ, nil)
	}
	return tftypes.NewValue(typ, members)
}

// ImportID returns the id with which an instance is imported by its name.
func ImportID(k *kind.Kind, name string) string {
	if k.AnyType != nil {
		return k.Name + "/" + name
	}
	return name
}

// Imported returns the values that an import by an id begins with; ok is false if the id is malformed.
func Imported(k *kind.Kind, id string) (values kind.Values, ok bool) {
	text := func(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }
	if k.AnyType == nil {
		return kind.Values{kind.RowName: text(id)}, true
	}
	typ, name, ok := strings.Cut(id, "/")
	return kind.Values{k.SubtypeRow(): text(typ), kind.RowName: text(name)}, ok && typ != ""
}

// ByIdentity returns the values that an import by an identity begins with; ok is false if
// a value of the identity is empty.
func ByIdentity(k *kind.Kind, identity kind.Values) (values kind.Values, ok bool) {
	values = kind.Values{}
	for _, a := range k.IdentityRows() {
		v := identity[a.Name]
		if v.IsNull() {
			continue
		}
		if value.Text(v) == "" {
			return nil, false
		}
		values[a.Name] = v
	}
	return values, true
}
