// This file lists the attributes that this provider manages. The list is kept in the private state.

package plans

import (
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Managed returns the attributes that the configuration sets and that eNMS has according to the
// state. It adds those in before, which may still be set if an update failed half-way.
func Managed(k *kind.Kind, config, state kind.Values, before []string) []string {
	managed := slices.Clone(before)
	for _, a := range k.Table().Remote {
		isRead := !state[kind.RowID].IsNull() // unlike states.Minimal, which shows nothing of what eNMS has
		absent := isRead && state[a.Name].IsNull()
		if absent || config[a.Name].IsNull() {
			continue
		}
		managed = append(managed, a.Name)
		if a.ChangesOnWrite {
			managed = append(managed, kind.ValueKey(a, config[a.Name]))
		}
		if a.Type == kind.Properties {
			for name := range value.Members(config[a.Name]) {
				managed = append(managed, propertyKey(name))
			}
		}
	}
	slices.Sort(managed)
	return slices.Compact(managed)
}

// StillManaged returns the managed attributes without those that have eNMS's default in the state before and that
// somebody else has changed since: if they are not configured, a plan must not reset them. If such an attribute is
// configured, it will be set and managed again.
func StillManaged(k *kind.Kind, managed []string, before, now kind.Values) []string {
	foreign := map[string]bool{}
	for _, a := range k.Table().Fields {
		if a.Same(before[a.Name], a.ResetValue()) && !a.Same(now[a.Name], before[a.Name]) {
			foreign[a.Name], foreign[kind.ValueKey(a, before[a.Name])] = true, true
		}
	}
	return slices.DeleteFunc(slices.Clone(managed), func(entry string) bool { return foreign[entry] })
}

// propertyKey returns the entry in the managed attributes for a property.
func propertyKey(name string) string { return kind.RowProperties + "." + name }
