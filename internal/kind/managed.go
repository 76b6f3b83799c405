// This file lists which attributes this provider manages: those are reset when they
// are taken out of the configuration (Plan.attribute, resetValue); what was never
// configured is left alone. A field in `properties` that is taken out keeps its value.

package kind

import (
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Managed lists what the configuration sets and eNMS has according to the state.
// before is what was managed before and may still be set, as after an update that
// failed half-way.
func (k *Kind) Managed(config, state Values, before []string) []string {
	managed := slices.Clone(before)
	for _, a := range k.rows().remote {
		absent := !state[RowID].IsNull() && state[a.Name].IsNull()
		if absent || config[a.Name].IsNull() {
			continue
		}
		managed = append(managed, a.Name)
		if a.ChangesOnWrite {
			managed = append(managed, valueKey(a, config[a.Name]))
		}
		if a.Type == Properties {
			for name := range value.Members(config[a.Name]) {
				managed = append(managed, propertyKey(name))
			}
		}
	}
	slices.Sort(managed)
	return slices.Compact(managed)
}

// StillManaged returns the list without what somebody else has changed since it was at eNMS's
// default. If it is configured, it will be set and managed again.
func (k *Kind) StillManaged(managed []string, before, now Values) []string {
	foreign := map[string]bool{}
	for _, a := range k.rows().fields {
		if a.same(before[a.Name], a.resetValue()) && !a.same(now[a.Name], before[a.Name]) {
			foreign[a.Name], foreign[valueKey(a, before[a.Name])] = true, true
		}
	}
	return slices.DeleteFunc(slices.Clone(managed), func(entry string) bool { return foreign[entry] })
}

// valueKey returns the entry for the value that an attribute with ChangesOnWrite was set to.
func valueKey(a Attribute, v tftypes.Value) string {
	return fmt.Sprintf("%s=%v", a.Name, value.ToJSON(v))
}

// propertyKey returns the entry for a property.
func propertyKey(name string) string { return RowProperties + "." + name }
