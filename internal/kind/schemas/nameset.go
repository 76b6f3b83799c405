// This file declares the type of relations to many in schemas: the framework's set, for thousands of members. The
// framework's own checks and comparisons try each pair of members.

package schemas

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// NameSet is a set of names.
var NameSet basetypes.SetTypable = nameSet{basetypes.SetType{ElemType: basetypes.StringType{}}}

// nameSet is the type of nameSetValue.
type nameSet struct{ basetypes.SetType }

// Validate accepts every set: Terraform has removed duplicates.
func (nameSet) Validate(context.Context, tftypes.Value, path.Path) diag.Diagnostics { return nil }

// Equal reports whether a type is a set of names.
func (nameSet) Equal(o attr.Type) bool {
	_, is := o.(nameSet)
	return is
}

// ValueType returns a value of the type.
func (nameSet) ValueType(context.Context) attr.Value { return nameSetValue{} }

// ValueFromSet returns a set as a value of the type.
func (nameSet) ValueFromSet(_ context.Context, set basetypes.SetValue) (basetypes.SetValuable, diag.Diagnostics) {
	return nameSetValue{set}, nil
}

// ValueFromTerraform returns a value of the protocol as a value of the type.
func (t nameSet) ValueFromTerraform(ctx context.Context, v tftypes.Value) (attr.Value, error) {
	set, err := t.SetType.ValueFromTerraform(ctx, v)
	if err != nil {
		return nil, err
	}
	return nameSetValue{set.(basetypes.SetValue)}, nil
}

// nameSetValue is a set of names.
type nameSetValue struct{ basetypes.SetValue }

// Type returns the type of the value.
func (nameSetValue) Type(context.Context) attr.Type { return NameSet }

// Equal reports whether a value is a set with the same members.
func (v nameSetValue) Equal(o attr.Value) bool {
	other, is := o.(nameSetValue)
	if !is || v.IsNull() != other.IsNull() || v.IsUnknown() != other.IsUnknown() {
		return false
	}
	members := map[string]bool{}
	for _, name := range v.Elements() {
		members[name.String()] = true
	}
	for _, name := range other.Elements() {
		if !members[name.String()] {
			return false
		}
	}
	return len(v.Elements()) == len(other.Elements())
}
