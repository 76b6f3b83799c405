// This file is about the defaults of the provider block, which entries have as if the configuration had set them
// (addDefaults in collection.go). Terraform requires that the entries of a state are as configured, so the defaults
// of each entry are in its record. The attribute `defaults` shows them.

package entries

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

// split moves the default members of an outcome from its entry to its record.
func (o outcome) split(defaults ...value.Object) outcome {
	own := maps.Clone(o.entry)
	for _, names := range defaults {
		for member := range names {
			if v, is := own[member]; is {
				if o.record.Defaults == nil {
					o.record.Defaults = value.Object{}
				}
				o.record.Defaults[member] = value.ToJSON(v)
				delete(own, member)
			}
		}
	}
	o.entry = own
	return o
}

// plannedDefaults returns the attribute `defaults` as planned: the members that at least one entry has
// by default. before is the attribute in the state.
func (c *collection) plannedDefaults(items []*item, before tftypes.Value) tftypes.Value {
	if !kind.IsKnown(c.defaults) {
		return unknownDefaults
	}
	all := map[string]any{}
	for _, i := range items {
		if i.entry == nil && !i.removed && len(c.defaults) > 0 {
			return unknownDefaults
		}
		maps.Copy(all, i.defaults)
	}
	return defaultsAttribute(all, before)
}

// defaultsOf returns the attribute `defaults` of a state. It has a member if each entry that does not set the
// member itself has it by default, with the same value. before is the attribute in the prior state.
func defaultsOf(entries map[string]entry, records map[string]entryRecord, before tftypes.Value) tftypes.Value {
	all := map[string]any{}
	for _, r := range records {
		maps.Copy(all, r.Defaults)
	}
	for name, e := range entries {
		for member, x := range all {
			if e[member].IsNull() && !value.Equal(records[name].Defaults[member], x) {
				delete(all, member)
			}
		}
	}
	return defaultsAttribute(all, before)
}

// defaultsAttribute returns the attribute `defaults` with the members, or null if there are none. If the prior
// value has the same members, it is returned as it is.
func defaultsAttribute(members map[string]any, before tftypes.Value) tftypes.Value {
	switch {
	case len(members) == 0:
		return noDefaults
	case !before.IsNull() && before.IsKnown() && value.Equal(value.ToJSON(before), members):
		return before
	}
	return value.FromJSON(members)
}
