// This file takes configurations and states apart, and makes states.

package bulk

import (
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

// entry is an instance as a configuration or a state describes it.
type entry = map[string]tftypes.Value

// decode returns the attributes of a configuration, plan or state; nil when there is none.
func decode(v *tfprotov6.DynamicValue) (kind.Values, error) {
	return protocol.Decode(v, objectType)
}

// decodeBoth decodes a configuration and what the state holds.
func decodeBoth(config, state *tfprotov6.DynamicValue) (configured, held kind.Values, err error) {
	if configured, err = decode(config); err == nil {
		held, err = decode(state)
	}
	return configured, held, err
}

// encode is the opposite of decode.
func encode(values kind.Values) (*tfprotov6.DynamicValue, error) {
	return protocol.Encode(tftypes.NewValue(objectType, values))
}

// nothing returns the state of what does not exist.
func nothing() (*tfprotov6.DynamicValue, error) {
	return protocol.Encode(tftypes.NewValue(objectType, nil))
}

// entriesOf returns the entries of instances by their names; an entry that is not known yet is
// nil. known is false when not even the names are.
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
		var e entry
		if member.IsKnown() && (member.IsNull() || member.As(&e) != nil) {
			diags.AddAttributeError(at(name), "Not an object", "Write { property = value }, or {} if nothing is configured.")
			continue
		}
		entries[name] = e
	}
	return entries, true, diags
}

// instancesOf is the opposite of entriesOf: a map like another one if there is one that
// the entries fit into, else an object.
func instancesOf(entries map[string]entry, like tftypes.Value) tftypes.Value {
	if inMap, is := like.Type().(tftypes.Map); is {
		if members, fit := ofType(entries, inMap.ElementType); fit {
			return tftypes.NewValue(like.Type(), members)
		}
	}
	types, members := make(map[string]tftypes.Type, len(entries)), make(map[string]tftypes.Value, len(entries))
	for name, e := range entries {
		members[name] = value.ObjectOf(e)
		types[name] = members[name].Type()
	}
	return tftypes.NewValue(tftypes.Object{AttributeTypes: types}, members)
}

// ofType makes members of a map of entries, if each is of the type.
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

// sameWords reports whether two entries are written alike.
func sameWords(x, y entry) bool {
	return x != nil && y != nil && maps.EqualFunc(x, y, func(v, w tftypes.Value) bool {
		if v.Type().Is(tftypes.String) && w.Type().Is(tftypes.String) && v.IsKnown() && w.IsKnown() && !v.IsNull() && !w.IsNull() {
			return value.Text(v) == value.Text(w)
		}
		return v.Equal(w)
	})
}

// textsOf returns the members of a map of texts, as far as they are known.
func textsOf(v tftypes.Value) map[string]string {
	var members map[string]tftypes.Value
	texts := map[string]string{}
	if v.IsNull() || !v.IsKnown() || v.As(&members) != nil {
		return texts
	}
	for name, member := range members {
		if text := value.Text(member); text != "" {
			texts[name] = text
		}
	}
	return texts
}

// sorted returns the names of entries in order.
func sorted[V any](entries map[string]V) []string { return slices.Sorted(maps.Keys(entries)) }
