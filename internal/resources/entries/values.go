// This file declares the schema and the identity of the resource, decodes configurations and
// states, and makes states. The identity contains the type and the names of the instances, by
// which the resource is imported. It changes with the entries.

package entries

import (
	"cmp"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/protocol"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// TypeName is the Terraform type of the resource.
const TypeName = "enms_instances"

// The attributes besides those that every kind has.
const (
	attrType         = "type"
	attrInstances    = "instances"
	attrMaxDeletions = "max_deletions"
	attrRenames      = "renames"
	attrDefaults     = "defaults"
)

func schema() *tfprotov6.Schema {
	return &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{
		DescriptionKind: tfprotov6.StringKindMarkdown,
		Description:     "Many instances of one type in one resource, for example from a CSV file. Terraform plans and shows each entry.",
		Attributes: []*tfprotov6.SchemaAttribute{
			{Name: kind.RowAdoptExisting, Type: tftypes.Bool, Optional: true, DescriptionKind: tfprotov6.StringKindMarkdown,
				Description: "Whether creating takes over existing instances with these names, and changes only what is configured and differs. Otherwise, each existing instance is an error. Defaults to the provider's `adopt_existing`."},
			{Name: attrDefaults, Type: tftypes.DynamicPseudoType, Computed: true, DescriptionKind: tfprotov6.StringKindMarkdown,
				Description: "The provider's `defaults` for the entries: an object like an entry. An entry that sets a property does not have its default. A default that some instances have lost is missing here until the next apply restores it."},
			{Name: kind.RowDeletionPolicy, Type: tftypes.String, Optional: true, DescriptionKind: tfprotov6.StringKindMarkdown,
				Description: "What happens to an instance whose entry is removed, and to all instances when the resource is destroyed. `delete` deletes it; if eNMS would delete other instances with it, that is an error. `cascade` deletes those first. `abandon` leaves it in eNMS as it is. `disable` disables a service or deactivates a task, and leaves it in eNMS; for other types, it is an error. Defaults to the provider's `deletion_policy`. For removed entries, the configured value applies; when the resource is destroyed, the value in the state."},
			{Name: attrInstances, Type: tftypes.DynamicPseudoType, Required: true, DescriptionKind: tfprotov6.StringKindMarkdown,
				Description: "The instances: an object or a map of objects. The keys are the names; the values are objects of properties: the attributes of the type's resource, such as `ip_address` of `enms_device`, and other eNMS fields, such as custom properties. Numbers and Booleans can be strings, as in CSV files; `null`, and an empty string for one of them, means not configured. `name` and `type` can be repeated. Only configured properties are compared, and removed ones are reset to eNMS's default. Changing a key replaces the instance, unless it is in `renames`. What eNMS calls a secret of the type, such as the password of a user, is refused; anything else is stored in the state, and a name such as `password` is a warning."},
			{Name: attrMaxDeletions, Type: tftypes.Number, Optional: true, DescriptionKind: tfprotov6.StringKindMarkdown,
				Description: "The maximum number of instances that a plan may delete. More are an error of the plan, which names the first ones. Renamed instances are not counted, nor are those that `deletion_policy` leaves in eNMS. When the resource is destroyed, the value in the state applies, so apply a higher number first. If omitted, there is no limit, and the plan warns about deletions."},
			{Name: attrRenames, Type: tftypes.Map{ElementType: tftypes.String}, Optional: true, DescriptionKind: tfprotov6.StringKindMarkdown,
				Description: "New names by old names, for instances whose key has changed: `{ OLD = \"NEW\" }` renames in place, so that the instance keeps its id, its runs and its relations. Two entries can swap their names. Each pair is applied once, and can be removed afterwards."},
			{Name: attrType, Type: tftypes.String, Required: true, DescriptionKind: tfprotov6.StringKindMarkdown,
				Description: "The type of all the instances, as in the path `/rest/instance/<type>`: `device`, `gateway`, `link`, `netmiko_commands_service` and so on. Types with their own resource have its defaults, choices and rules. Changing the type destroys the instances and creates new ones."},
		},
	}}
}

// objectType is the Terraform type of a configuration, a plan and a state.
var objectType = schema().ValueType()

// entry is an instance as a configuration or a state describes it.
type entry = map[string]tftypes.Value

// decode returns the attributes of a configuration, plan or state. It returns nil if that is null, and with an error.
func decode(v *tfprotov6.DynamicValue) (kind.Values, error) {
	return protocol.Decode(v, objectType)
}

func decodeBoth(config, state *tfprotov6.DynamicValue) (configured, prior kind.Values, err error) {
	if configured, err = decode(config); err == nil {
		prior, err = decode(state)
	}
	return configured, prior, err
}

// encode is the inverse of decode.
func encode(values kind.Values) *tfprotov6.DynamicValue {
	if values == nil {
		return protocol.Encode(tftypes.NewValue(objectType, nil))
	}
	return protocol.Encode(tftypes.NewValue(objectType, values))
}

// entriesOf returns the entries of instances by their keys; an entry whose value is unknown is nil.
// known is false if not even the keys are known.
func entriesOf(instances tftypes.Value) (entries map[string]entry, known bool, diags diag.Diagnostics) {
	if !instances.IsKnown() {
		return nil, false, nil
	}
	var members map[string]tftypes.Value
	if instances.IsNull() || instances.As(&members) != nil {
		diags.AddAttributeError(path.Root(attrInstances), "Not a map of objects", "Write { NAME = { property = value } }, with the properties of each instance by its name.")
		return nil, true, diags
	}
	entries = make(map[string]entry, len(members))
	for name, member := range members {
		e, isObject := entryOf(member)
		if !isObject {
			diags.AddAttributeError(at(name), "Not an object", "Write { property = value }, or {} if nothing is configured.")
			continue
		}
		entries[name] = e
	}
	return entries, true, diags
}

// entryOf returns the entry of a member of instances, nil if it is unknown.
func entryOf(member tftypes.Value) (e entry, isObject bool) {
	if !member.IsKnown() {
		return nil, true
	}
	err := member.As(&e)
	return e, err == nil && !member.IsNull()
}

// instancesOf is the inverse of entriesOf. It returns a map of the type of like if all entries have that
// type, and otherwise an object.
func instancesOf(entries map[string]entry, like tftypes.Value) tftypes.Value {
	if inMap, is := like.Type().(tftypes.Map); is {
		if members, fit := ofType(entries, inMap.ElementType); fit {
			return tftypes.NewValue(like.Type(), members)
		}
	}
	members := make(map[string]tftypes.Value, len(entries))
	for name, e := range entries {
		members[name] = value.ObjectOf(e)
	}
	return value.ObjectOf(members)
}

// ofType converts entries to members of a map. fit is false unless each entry has the type t.
func ofType(entries map[string]entry, t tftypes.Type) (members map[string]tftypes.Value, fit bool) {
	members = make(map[string]tftypes.Value, len(entries))
	for name, e := range entries {
		switch t := t.(type) {
		case tftypes.Object:
			members[name] = value.ObjectOf(e)
			if !members[name].Type().Equal(t) {
				return nil, false
			}
		case tftypes.Map:
			for _, v := range e {
				if !v.Type().Equal(t.ElementType) {
					return nil, false
				}
			}
			members[name] = tftypes.NewValue(t, e)
		default:
			return nil, false
		}
	}
	return members, true
}

// membersOf returns the known defaults of the provider block as members of an entry.
func membersOf(defaults kind.Values) value.Object {
	flat, members := kind.Values{}, value.Object{}
	maps.Copy(flat, defaults)
	delete(flat, kind.RowProperties)
	maps.Copy(flat, kind.ValuesOf(defaults[kind.RowProperties]))
	for name, v := range flat {
		if !v.IsNull() && v.IsFullyKnown() {
			members[name] = value.ToJSON(v)
		}
	}
	return members
}

// withDefaults returns an entry with the defaults of the members that it does not set.
func withDefaults(e entry, defaults value.Object) entry {
	full := entry{}
	maps.Copy(full, e)
	for member, x := range defaults {
		if e[member].IsNull() {
			full[member] = value.FromJSON(x)
		}
	}
	return full
}

// unset returns the defaults of the members that the entry does not set.
func unset(e entry, defaults value.Object) value.Object {
	left := maps.Clone(defaults)
	maps.DeleteFunc(left, func(member string, _ any) bool { return !e[member].IsNull() })
	return left
}

// sameWords reports whether two entries are known and written in exactly the same way. Most values are strings,
// whose comparison is faster here than in Equal.
func sameWords(x, y entry) bool {
	return x != nil && y != nil && maps.EqualFunc(x, y, func(v, w tftypes.Value) bool {
		if v.Type().Is(tftypes.String) && w.Type().Is(tftypes.String) && v.IsKnown() && w.IsKnown() && !v.IsNull() && !w.IsNull() {
			return value.Text(v) == value.Text(w)
		}
		return v.Equal(w)
	})
}

// textsOf returns the known members of a map of strings.
func textsOf(v tftypes.Value) map[string]string {
	texts := map[string]string{}
	for name, member := range kind.ValuesOf(v) {
		if text := value.Text(member); text != "" {
			texts[name] = text
		}
	}
	return texts
}

// sorted returns the keys of a map in alphabetical order.
func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// attrNames is the attribute of the identity with the names, beside attrType.
const attrNames = "names"

// stringList is the type of attrNames: identities have no sets.
var stringList = tftypes.List{ElementType: tftypes.String}

func identitySchema() *tfprotov6.ResourceIdentitySchema {
	return &tfprotov6.ResourceIdentitySchema{IdentityAttributes: []*tfprotov6.ResourceIdentitySchemaAttribute{
		{Name: attrNames, Type: stringList, RequiredForImport: true, Description: "The names of the instances, as eNMS shows them."},
		{Name: attrType, Type: tftypes.String, RequiredForImport: true, Description: "The type of all the instances, as in the path `/rest/instance/<type>`."},
	}}
}

// identityType is the Terraform type of an identity.
var identityType = identitySchema().ValueType()

// identityOf returns the identity of a state or a plan, or nil if values is nil, or if the type or the names are
// unknown.
func identityOf(values kind.Values) *tfprotov6.ResourceIdentityData {
	if values == nil || !values[attrType].IsKnown() {
		return nil
	}
	entries, known, diags := entriesOf(values[attrInstances])
	if !known || diags.HasError() {
		return nil
	}
	var texts []string
	for key, e := range entries {
		texts = append(texts, cmp.Or(value.Text(e[kind.RowName]), key))
	}
	slices.Sort(texts)
	names := make([]tftypes.Value, 0, len(texts))
	for _, text := range texts {
		names = append(names, tftypes.NewValue(tftypes.String, text))
	}
	return &tfprotov6.ResourceIdentityData{IdentityData: protocol.Encode(tftypes.NewValue(identityType, map[string]tftypes.Value{
		attrNames: tftypes.NewValue(stringList, names), attrType: values[attrType]}))}
}

// at returns the path of an entry.
func at(name string) path.Path { return path.Root(attrInstances).AtMapKey(name) }
