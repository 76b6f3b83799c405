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

// noDefaults is the attribute of a resource whose entries have no defaults.
var noDefaults = tftypes.NewValue(tftypes.DynamicPseudoType, nil)

// plannedDefaults returns the attribute as planned: what at least one entry has by default.
func (s *Server) plannedDefaults(config kind.Values, items []*item) tftypes.Value {
	unknown := tftypes.NewValue(tftypes.DynamicPseudoType, tftypes.UnknownValue)
	if !s.provider().HasDefaults() {
		return noDefaults
	}
	c, _ := s.collectionOf(config)
	if c == nil || !config[attrInstances].IsKnown() || !kind.IsKnown(c.defaults) {
		return unknown
	}
	all := map[string]any{}
	for _, i := range items {
		if i.entry == nil && !i.removed {
			return unknown
		}
		maps.Copy(all, flat(i.applied))
	}
	return attributeOf(all)
}

// defaultsOf returns the attribute of a state: what entries have by default, without what an
// entry lacks that does not set it itself, or has otherwise.
func defaultsOf(entries map[string]entry, records map[string]record) tftypes.Value {
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
	return attributeOf(all)
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

// attributeOf returns the attribute with the members, null if there are none.
func attributeOf(members map[string]any) tftypes.Value {
	if len(members) == 0 {
		return noDefaults
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
