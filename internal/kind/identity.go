// This file makes the identity of a kind's resource, by which an instance is imported and by
// which a query names it.

package kind

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// identityRows returns the rows of the identity: the name, and the type if there are several.
func (k *Kind) identityRows() []Attribute {
	rows := []Attribute{k.row(RowName)}
	if k.HasSubtypes() {
		rows = append(rows, k.rows().subtype)
	}
	return rows
}

// IdentitySchema returns the schema of the resource's identity. An import requires the attributes
// without which the instance cannot be found.
func (k *Kind) IdentitySchema() identityschema.Schema {
	attributes := map[string]identityschema.Attribute{}
	for _, a := range k.identityRows() {
		needed := a.Role == Key || a.Required
		doc := a.Doc
		if a.Role == Key {
			doc = "The name, as eNMS shows it."
		}
		if !needed {
			doc += " If omitted, an instance of any type is imported."
		}
		attributes[a.Name] = identityschema.StringAttribute{RequiredForImport: needed, OptionalForImport: !needed, Description: doc}
	}
	return identityschema.Schema{Attributes: attributes}
}

// IdentityOf returns the identity of an instance from its state or plan; null if the name is
// null.
func (k *Kind) IdentityOf(values Values) tftypes.Value {
	types, members := map[string]tftypes.Type{}, Values{}
	for _, a := range k.identityRows() {
		types[a.Name], members[a.Name] = tftypes.String, a.null()
		if v, has := values[a.Name]; has {
			members[a.Name] = v
		}
	}
	typ := tftypes.Object{AttributeTypes: types}
	if members[RowName].IsNull() {
		return tftypes.NewValue(typ, nil)
	}
	return tftypes.NewValue(typ, members)
}

// ImportID returns the id with which an instance is imported by its name.
func (k *Kind) ImportID(name string) string {
	if k.AnyType {
		return k.Name + "/" + name
	}
	return name
}

// Imported returns the values that an import by an id begins with; ok is false if the id is
// malformed.
func (k *Kind) Imported(id string) (values Values, ok bool) {
	text := func(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }
	if !k.AnyType {
		return Values{RowName: text(id)}, true
	}
	typ, name, ok := strings.Cut(id, "/")
	return Values{k.SubtypeRow(): text(typ), RowName: text(name)}, ok && typ != ""
}

// ImportedByIdentity returns the values that an import by an identity begins with; ok is false if
// a value of the identity is empty.
func (k *Kind) ImportedByIdentity(identity Values) (values Values, ok bool) {
	values = Values{}
	for _, a := range k.identityRows() {
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

// checkImportedType refuses an instance of another type than an import asks for.
func (k *Kind) checkImportedType(answer value.Object, known Values) error {
	want, have := value.Text(known[k.SubtypeRow()]), answer["type"]
	if k.AnyType || want == "" || have == want {
		return nil
	}
	return fmt.Errorf("it is a %v, not a %s as the import says", have, want)
}
