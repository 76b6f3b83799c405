// This file makes the attribute defaults, which shows what the entries have by the defaults of
// the provider block. The entries of a configuration and of a state do not hold them; the record
// of each entry says which it has.

package bulk

import (
	"maps"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

var (
	noDefaults      = tftypes.NewValue(tftypes.DynamicPseudoType, nil)
	unknownDefaults = tftypes.NewValue(tftypes.DynamicPseudoType, tftypes.UnknownValue)
)

// plannedDefaults returns the attribute as planned: what at least one entry has by default. before
// is the attribute in the state.
func (c *collection) plannedDefaults(items []*item, before tftypes.Value) tftypes.Value {
	if !kind.IsKnown(c.defaults) {
		return unknownDefaults
	}
	all := map[string]any{}
	for _, i := range items {
		if i.entry == nil && !i.removed && len(c.defaults) > 0 {
			return unknownDefaults
		}
		maps.Copy(all, flat(i.applied))
	}
	return attributeOf(all, before)
}

// defaultsOf returns the attribute of a state: what entries have by default, without what an
// entry lacks that does not set it itself, or has otherwise. before is the attribute in the state
// before.
func defaultsOf(entries map[string]entry, records map[string]record, before tftypes.Value) tftypes.Value {
	all := map[string]any{}
	for _, r := range records {
		maps.Copy(all, flat(r.Defaults))
	}
	for name, e := range entries {
		has, deviating := flat(records[name].Defaults), flat(records[name].Deviating)
		for member, x := range all {
			_, deviates := deviating[member]
			if deviates || e[member].IsNull() && !value.Equal(has[member], x) {
				delete(all, member)
			}
		}
	}
	return attributeOf(all, before)
}

// flat returns what an entry has by default as members of an entry.
func flat(defaults value.Object) map[string]any {
	members := map[string]any{}
	for name, x := range defaults {
		if properties, is := x.(map[string]any); is && name == kind.RowProperties {
			maps.Copy(members, properties)
			continue
		}
		members[name] = x
	}
	return members
}

// attributeOf returns the attribute with the members, null if there are none. It is as before if
// that has the same members.
func attributeOf(members map[string]any, before tftypes.Value) tftypes.Value {
	switch {
	case len(members) == 0:
		return noDefaults
	case !before.IsNull() && before.IsKnown() && value.Equal(value.ToJSON(before), members):
		return before
	}
	return value.FromJSON(members)
}

// mergedDefaults returns what an instance may have by default after a failed update: what it had
// before, and what was to be written.
func mergedDefaults(before, after value.Object) value.Object {
	merged, properties := value.Object{}, map[string]any{}
	for _, defaults := range []value.Object{before, after} {
		maps.Copy(merged, defaults)
		of, _ := defaults[kind.RowProperties].(map[string]any)
		maps.Copy(properties, of)
	}
	if len(properties) > 0 {
		merged[kind.RowProperties] = properties
	}
	return merged
}
