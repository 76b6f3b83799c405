// This file has the block `defaults` of the provider block: its schema, which follows from the tables of the
// kinds, and the defaults of each kind.

package provider

import (
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/schemas"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/protocol"
)

// attrDefaults is the name of the block.
const attrDefaults = "defaults"

// defaultsBlock returns the schema of the block defaults. Its attributes are those for which some kind can have a
// default; they apply to all kinds. A nested block for each kind, such as device, has the attributes of that kind. These
// are blocks, not objects, because Terraform ignores unknown attributes in objects.
func defaultsBlock() schema.Block {
	all, each := map[string]schema.Attribute{}, map[string]schema.Block{}
	for _, k := range kinds.All() {
		own := map[string]schema.Attribute{}
		for _, a := range k.Defaultable() {
			own[a.Name] = defaultAttribute(a, "")
			all[a.Name] = defaultAttribute(a, ", for all types that have the attribute")
		}
		each[k.Resource()] = schema.SingleNestedBlock{Attributes: own,
			MarkdownDescription: fmt.Sprintf("Defaults of `%s`, and of entries of `enms_instances` of this type. They take precedence over the defaults for all types.", k.TypeName())}
	}
	return schema.SingleNestedBlock{Attributes: all, Blocks: each,
		MarkdownDescription: "Values for attributes that a resource does not set, of all types or of one; see [Defaults for all resources](#defaults-for-all-resources)."}
}

// defaultAttribute returns the schema of the default of an attribute. whose is the end of the sentence that says
// whose default it is.
func defaultAttribute(a kind.Attribute, whose string) schema.Attribute {
	if a.Type == kind.Properties {
		return schema.DynamicAttribute{Optional: true, MarkdownDescription: "Fields of eNMS without an attribute of their own, by eNMS's names, such as custom properties" + whose +
			". A field that a resource sets, even to null, has no default."}
	}
	return schema.SetAttribute{Optional: true, ElementType: types.StringType, CustomType: schemas.NameSet, MarkdownDescription: fmt.Sprintf("The default of `%s`%s.", a.Name, whose)}
}

// readDefaults returns the defaults in a provider block, by the names of kinds.
func readDefaults(block tftypes.Value, diags *diag.Diagnostics) map[string]kind.Values {
	setting := kind.ValuesOf(block)[attrDefaults]
	if setting.IsNull() {
		return nil
	}
	all, defaults := kind.ValuesOf(setting), map[string]kind.Values{}
	told := map[string]bool{} // a default for all kinds may be wrong for several of them
	for _, k := range kinds.All() {
		own := kind.ValuesOf(all[k.Resource()])
		isUnknown := !setting.IsKnown() || !all[k.Resource()].IsKnown()
		values := kind.Values{}
		for _, a := range k.Defaultable() {
			ofKind := own[a.Name]
			if isUnknown {
				ofKind = tftypes.NewValue(a.TerraformType(), tftypes.UnknownValue)
			}
			if v := defaultOf(a, all[a.Name], ofKind); !v.IsNull() {
				values[a.Name] = v
			}
		}
		for _, d := range checkDefaults(k, all, own) {
			if said := d.Path().String() + d.Summary(); !told[said] {
				diags.Append(d)
				told[said] = true
			}
		}
		if len(values) > 0 {
			defaults[k.Resource()] = values
		}
	}
	return defaults
}

// defaultOf returns the default of an attribute of a kind: ofKind, which is set for the kind, else ofAll,
// which is set for all kinds.
func defaultOf(a kind.Attribute, ofAll, ofKind tftypes.Value) tftypes.Value {
	switch {
	case ofKind.IsNull():
		return ofAll
	case a.Type == kind.Properties:
		return mergedProperties(ofAll, ofKind)
	}
	return ofKind
}

// mergedProperties returns the default properties for all kinds and for one kind as one object. A member
// of ofKind takes precedence over the one of ofAll with the same name, even if it is null: the property
// then has no default. If ofAll or ofKind is unknown, so is the result.
func mergedProperties(ofAll, ofKind tftypes.Value) tftypes.Value {
	switch {
	case !ofKind.IsKnown():
		return ofKind
	case !ofAll.IsKnown():
		return ofAll
	case ofAll.IsNull():
		return ofKind
	}
	return kind.Merged(ofAll, ofKind)
}

// checkDefaults returns the errors in the defaults that a kind gets: ofAll are set for all kinds, and ofKind
// for this one.
func checkDefaults(k *kind.Kind, ofAll, ofKind kind.Values) []diag.DiagnosticWithPath {
	at := path.Root(attrDefaults)
	return slices.Concat(checkDefaultsAt(at, k, ofAll), checkDefaultsAt(at.AtName(k.Resource()), k, ofKind))
}

// checkDefaultsAt checks the defaults that a part of the block has for attributes of a kind. at is the path of the part.
func checkDefaultsAt(at path.Path, k *kind.Kind, defaults kind.Values) (found []diag.DiagnosticWithPath) {
	values := kind.Values{}
	for _, a := range k.Defaultable() {
		v := defaults[a.Name]
		if problem := notAnObject(a.Name, v); problem != "" {
			found = append(found, diag.NewAttributeErrorDiagnostic(at.AtName(a.Name), "Not an object", problem))
		} else if !v.IsNull() {
			values[a.Name] = v
		}
	}
	for _, d := range plans.CheckDefaults(k, values) {
		where := at
		if on, is := d.(diag.DiagnosticWithPath); is {
			where = protocol.AppendPath(at, on.Path().Steps())
		}
		found = append(found, diag.NewAttributeErrorDiagnostic(where, d.Summary(), fmt.Sprintf("As a default of %s: %s", k.TypeName(), d.Detail())))
	}
	return found
}

// notAnObject returns what is wrong with the default of an attribute if it is `properties` and not an
// object, and otherwise "".
func notAnObject(name string, v tftypes.Value) string {
	if name != kind.RowProperties || v.IsNull() || !v.IsKnown() || v.Type().Is(tftypes.Object{}) || v.Type().Is(tftypes.Map{}) {
		return ""
	}
	return "Write { name = value }."
}
