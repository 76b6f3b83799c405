// This file writes the values of a state into an entry, and keeps what is not configured beside it.

package many

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Same reports whether two configurations of an entry mean the same, although they may be written
// differently, such as "22" and 22. The second may have further members for which mayAdd returns true.
func Same(k *kind.Kind, x, y kind.Values, mayAdd func(member string) bool) bool {
	for _, a := range k.Table().Resource {
		v, w := x[a.Name], y[a.Name]
		same := v.IsNull() && mayAdd(a.Name) || a.Same(a.Filled(v), a.Filled(w))
		if a.Type == kind.Properties {
			same = a.SameProperties(v, w, mayAdd, kind.NoneAnswered)
		}
		if !same {
			return false
		}
	}
	return true
}

// Entry returns an entry with the values of a state. Members whose values have not changed
// remain as they are written in entry. config is what Config made from entry.
func Entry(k *kind.Kind, entry map[string]tftypes.Value, config, state kind.Values) map[string]tftypes.Value {
	now := maps.Clone(entry)
	before, after := value.Members(config[kind.RowProperties]), value.Members(state[kind.RowProperties])
	for member, v := range entry {
		if a := k.Table().ByName[member]; a.Name == member {
			was, is := config[member], state[member]
			if !was.IsNull() && !a.Same(was, is) && !(a.ServerAdds && a.Includes(is, was)) {
				now[member] = Like(v, is)
			}
		} else if !v.IsNull() && !value.Equal(before[member], after[member]) {
			now[member] = Like(v, value.FromJSON(after[member]))
		}
	}
	if _, written := entry[kind.RowName]; written || !state[kind.RowName].Equal(config[kind.RowName]) { // others may have given the name back
		now[kind.RowName] = state[kind.RowName]
	}
	return now
}

// Like converts a value to the Terraform type that another one has in an entry: a null of any type, a string, or a
// list or set of strings. Any other value gets the type that it would have if it were written in an entry.
func Like(other, v tftypes.Value) tftypes.Value {
	switch t := other.Type(); {
	case v.IsNull():
		return tftypes.NewValue(t, nil)
	case t.Is(tftypes.String):
		switch x := value.ToJSON(v).(type) {
		case json.Number:
			return tftypes.NewValue(tftypes.String, x.String())
		case bool:
			return tftypes.NewValue(tftypes.String, fmt.Sprint(x))
		}
	case t.Is(tftypes.List{ElementType: tftypes.String}), t.Is(value.StringSet):
		var members []tftypes.Value
		if v.As(&members) == nil {
			return tftypes.NewValue(t, members)
		}
	}
	return value.FromJSON(value.ToJSON(v))
}

// Rest returns the values in the state that a plan has to know besides the entry: those of attributes
// that are not configured and do not have eNMS's default. It returns nil if there are none.
func Rest(k *kind.Kind, config, state kind.Values) value.Object {
	rest := value.Object{}
	for _, a := range k.Table().Fields {
		if v := state[a.Name]; isBeside(a, config) && v.IsKnown() && !a.Same(v, usual(a)) {
			rest[a.Name] = value.ToJSON(v)
		}
	}
	if len(rest) == 0 {
		return nil
	}
	return rest
}

// isBeside reports whether a state has the attribute although it is not configured. Criteria and what eNMS fills in
// by itself are only in a state if they are configured.
func isBeside(a kind.Attribute, config kind.Values) bool {
	return config[a.Name].IsNull() && a.Type != kind.Criteria && a.Automatic == nil
}

// usual returns the value that the attribute has in an instance if nobody has configured it.
func usual(a kind.Attribute) tftypes.Value {
	if a.Default == nil && a.Reset != nil {
		return a.Null()
	}
	return a.ResetValue()
}

// State returns the state of an instance: the configured values, the id, and of other attributes the values that Rest
// has returned, or else eNMS's defaults.
func State(k *kind.Kind, config kind.Values, id string, rest value.Object) kind.Values {
	state := maps.Clone(config)
	if id != "" {
		state[kind.RowID] = tftypes.NewValue(tftypes.String, id)
	}
	for _, a := range k.Table().Fields {
		if !isBeside(a, config) {
			continue
		}
		state[a.Name] = usual(a)
		if x, has := rest[a.Name]; has {
			state[a.Name] = a.FromJSON(x)
		}
	}
	return state
}

// Imported returns the entry of an imported instance: the listed properties, or, without a
// list, everything that differs from eNMS's defaults. It also returns the whole state.
func Imported(k *kind.Kind, answer value.Object, config kind.Values, properties []string) (entry map[string]tftypes.Value, state kind.Values, err error) {
	if state, err = states.Imported(k, answer, config); err != nil {
		return nil, nil, err
	}
	if properties == nil {
		return nonDefaults(k, state), state, nil
	}
	entry = map[string]tftypes.Value{}
	for _, a := range k.Table().Fields {
		if v := state[a.Name]; slices.Contains(properties, a.Name) && !a.ReadOnly && !v.IsNull() {
			entry[a.Name] = v
		}
	}
	for _, name := range properties {
		if _, ofRow := k.Table().ByName[name]; !ofRow && answer[name] != nil {
			entry[name] = value.WithLF(value.FromJSON(answer[name])) // the state lacks those at eNMS's default
		}
	}
	return entry, state, nil
}

// nonDefaults returns the entry that has everything in a state that differs from eNMS's defaults.
func nonDefaults(k *kind.Kind, state kind.Values) map[string]tftypes.Value {
	entry := map[string]tftypes.Value{}
	for _, a := range k.Table().Fields {
		if v := state[a.Name]; !a.ReadOnly && !v.IsNull() && !a.Same(v, a.ResetValue()) && !a.Same(v, a.Value(a.Default)) {
			entry[a.Name] = v
		}
	}
	for name, x := range value.Members(state[kind.RowProperties]) { // states.Imported has left the defaults out
		entry[name] = value.FromJSON(x)
	}
	return entry
}

// NeedsWhole reports whether one of the properties is a relation that searches leave out.
func NeedsWhole(k *kind.Kind, properties []string) bool {
	return slices.ContainsFunc(properties, func(name string) bool {
		return slices.Contains(k.Table().Properties.Relations, name) ||
			slices.ContainsFunc(k.Table().Unsearched, func(a kind.Attribute) bool { return a.Name == name })
	})
}
