// This file lists which attributes this provider manages: taken out of the
// configuration, those go back to eNMS's default, while an attribute that was
// never configured is left alone.

package kind

import (
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Managed lists what the configuration sets, but for what the state shows that
// eNMS does not have. before is what was managed before and may be set still, as
// after an update that failed half-way.
func (k *Kind) Managed(config, state Values, before []string) []string {
	managed := slices.Clone(before)
	absent := func(name string) bool { return !state[RowID].IsNull() && state[name].IsNull() }
	for _, a := range k.rows().remote {
		if config[a.Name].IsNull() || absent(a.Name) {
			continue
		}
		managed = append(managed, a.Name)
		if a.ChangesOnWrite {
			managed = append(managed, valueKey(a, config[a.Name]))
		}
		if a.Type == Fields {
			for name := range value.Members(config[a.Name]) {
				managed = append(managed, fieldKey(name))
			}
		}
	}
	slices.Sort(managed)
	return slices.Compact(managed)
}

// StillManaged leaves out of the list what somebody else has changed since it was
// at eNMS's default: if it is not configured any longer, it is theirs now. If it
// is, it will be set again.
func (k *Kind) StillManaged(managed []string, before, now Values) []string {
	theirs := map[string]bool{}
	for _, a := range k.rows().fields {
		if a.same(before[a.Name], a.resetValue()) && !a.same(now[a.Name], before[a.Name]) {
			theirs[a.Name], theirs[valueKey(a, before[a.Name])] = true, true
		}
	}
	return slices.DeleteFunc(slices.Clone(managed), func(entry string) bool { return theirs[entry] })
}

// valueKey is the entry for the value that an attribute was set to; it is kept
// of what eNMS changes by itself.
func valueKey(a Attribute, v tftypes.Value) string {
	return fmt.Sprintf("%s=%v", a.Name, value.ToJSON(v))
}

// fieldKey is the entry of a further field in the list.
func fieldKey(name string) string { return RowProperties + "." + name }
