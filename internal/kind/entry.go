// This file reads and writes instances that are entries of a map, as they come from files: each
// entry is an object of properties, in which strings may stand for numbers and Booleans.

package kind

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// EntryConfig returns the configuration of the instance that an entry describes. Members
// without a row are further fields. Null means not configured, and so does an empty string for
// a number or a Boolean, which is how tables leave a cell empty.
func (k *Kind) EntryConfig(typ, name string, entry map[string]tftypes.Value) (config Values, diags diag.Diagnostics) {
	config = Values{}
	for _, a := range k.rows().resource {
		config[a.Name] = a.null()
	}
	config[RowName] = tftypes.NewValue(tftypes.String, name)
	if k.HasSubtypes() {
		config[k.SubtypeRow()] = tftypes.NewValue(tftypes.String, typ)
	}
	further := map[string]tftypes.Value{}
	for member, v := range entry {
		a, is := k.rows().byName[member]
		switch ofRow := is && a.Name == member; {
		case v.IsNull():
		case k.isSecret(member), ofRow && a.Role == Secret:
			diags.AddAttributeError(path.Root(member), fmt.Sprintf("%s is a secret", member),
				fmt.Sprintf("Entries are stored in the state and in plans. Use the resource %[2]s for this %[1]s: %[3]s is write-only there.", k.Name, k.TypeName(), member))
		case ofRow && (a.Role == Key || a.Role == Subtype):
			diags.Append(checkRepeated(a, v, config[member])...)
		case ofRow:
			var problem string
			if config[member], problem = a.entryValue(v); problem != "" {
				diags.AddAttributeError(path.Root(member), fmt.Sprintf("Invalid value for %q", member), problem)
			}
		default:
			further[member] = v
		}
	}
	if len(further) > 0 {
		config[RowProperties] = value.ObjectOf(further)
	}
	return config, diags
}

// checkRepeated refuses a name or a type in an entry that differs from its key or from the type
// of all entries.
func checkRepeated(a Attribute, v, is tftypes.Value) (diags diag.Diagnostics) {
	if v.IsKnown() && !v.Equal(is) {
		what := "its key is its name"
		if a.Role == Subtype {
			what = "the type is set for all entries"
		}
		diags.AddAttributeError(path.Root(a.Name), fmt.Sprintf("Invalid value for %q", a.Name),
			fmt.Sprintf("The entry sets %s = %s, but %s. Remove the attribute, or write %q.", a.Name, got(value.ToJSON(v)), what, value.Text(is)))
	}
	return diags
}

// entryValue returns the attribute's value for a member of an entry. problem says why the
// member is invalid.
func (a Attribute) entryValue(v tftypes.Value) (_ tftypes.Value, problem string) {
	switch {
	case a.ReadOnly || a.DataOnly || a.Role == Identity:
		return a.null(), "eNMS computes it. Remove it."
	case a.Name == RowAdoptExisting, a.Name == RowDeletionPolicy, a.Type == Properties:
		return a.null(), "It is an attribute of resources, not a property of an instance. Write the members of properties directly in the entry."
	case !v.IsKnown():
		return a.unknown(), ""
	}
	converted, fits := a.entryScalar(v)
	switch a.Type {
	case Many:
		converted, fits = entryNames(v)
	case JSON:
		_, object := value.ToJSON(v).(map[string]any)
		converted, fits = v, object || !v.IsFullyKnown()
	case Criteria:
		converted, fits = entryCriteria(v)
	}
	if !fits {
		problem = fmt.Sprintf("Expected %s, got %s.", a.Type.InWords(), got(value.ToJSON(v)))
		if a.Type == Many {
			problem += ` Out of a file with several names in a cell, make one with split(";", ...) or jsondecode(...).`
		}
		return a.null(), problem
	}
	return converted, ""
}

// got describes a value for an error. Entries hold no secrets, so a short value is shown.
func got(x any) string {
	switch x := x.(type) {
	case string:
		if len(x) > 60 {
			return "a string"
		}
	case json.Number:
		return fmt.Sprintf("%.40s", x)
	}
	return shownValue(x)
}

// entryScalar converts a string, a number or a Boolean, each of which may be written as a
// string.
func (a Attribute) entryScalar(v tftypes.Value) (converted tftypes.Value, fits bool) {
	x := value.ToJSON(v)
	s, text := x.(string)
	switch a.Type {
	case Text, One:
		switch x := x.(type) {
		case json.Number:
			s, text = x.String(), true
		case bool:
			s, text = fmt.Sprint(x), true
		}
		return tftypes.NewValue(tftypes.String, s), text
	case Number:
		if n, is := x.(json.Number); is {
			s, text = n.String(), true
		}
		if text && strings.TrimSpace(s) == "" {
			return a.null(), true
		}
		n, err := value.WholeNumber(json.Number(strings.TrimSpace(s)))
		return n, text && err == nil
	case Flag:
		if b, is := x.(bool); is {
			s, text = fmt.Sprint(b), true
		}
		s = strings.ToLower(strings.TrimSpace(s))
		if text && s == "" {
			return a.null(), true
		}
		return tftypes.NewValue(tftypes.Bool, s == "true"), text && (s == "true" || s == "false")
	}
	return v, false
}

// entryNames reads names from a list, a set or a tuple.
func entryNames(v tftypes.Value) (_ tftypes.Value, fits bool) {
	var members []tftypes.Value
	if v.As(&members) != nil {
		return v, false
	}
	names := make([]tftypes.Value, len(members))
	for i, member := range members {
		switch {
		case member.IsNull():
			return v, false
		case !member.IsKnown():
			names[i] = tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
		case !member.Type().Is(tftypes.String):
			return v, false
		default:
			names[i] = member
		}
	}
	return tftypes.NewValue(value.StringList, names), true
}

// entryCriteria reads criteria that are written as objects, with or without all of their
// members.
func entryCriteria(v tftypes.Value) (_ tftypes.Value, fits bool) {
	var members map[string]tftypes.Value
	if v.As(&members) != nil {
		return v, false
	}
	all := map[string]tftypes.Value{}
	for property, member := range members {
		var given map[string]tftypes.Value
		if !member.IsKnown() {
			all[property] = tftypes.NewValue(criterionType, tftypes.UnknownValue)
			continue
		}
		if member.IsNull() || member.As(&given) != nil {
			return v, false
		}
		fields := map[string]tftypes.Value{}
		for name, t := range criterionType.AttributeTypes {
			fields[name] = tftypes.NewValue(t, nil)
		}
		for name, x := range given {
			t, known := criterionType.AttributeTypes[name]
			if !known || !x.IsNull() && !x.Type().Is(t) {
				return v, false
			}
			if !x.IsNull() {
				fields[name] = x
			}
		}
		all[property] = tftypes.NewValue(criterionType, fields)
	}
	return tftypes.NewValue(criteriaType, all), true
}

// SameEntry reports whether two configurations of an entry mean the same, although they may be
// written differently, such as "22" and 22. The second may also hold members for which only
// returns true.
func (k *Kind) SameEntry(x, y Values, only func(member string) bool) bool {
	for _, a := range k.rows().resource {
		v, w := x[a.Name], y[a.Name]
		switch {
		case a.Type == Properties && a.Role != Secret:
			have, want := value.Members(w), value.Members(v)
			for name := range have {
				if _, both := want[name]; !both && !only(name) {
					return false
				}
			}
			if !v.IsFullyKnown() || !w.IsFullyKnown() || !a.holds(want, have, noneAnswered) {
				return false
			}
		case v.IsNull() && only(a.Name), a.same(v, w):
		default:
			return false
		}
	}
	return true
}

// HoldsConfigured reports whether an answer holds the configured values, except for relations
// that searches do not return.
func (k *Kind) HoldsConfigured(answer value.Object, config Values) bool {
	now, err := k.State(answer, config)
	return err == nil && k.SameEntry(config, now, func(string) bool { return true })
}

// EntryOf returns an entry with the values of a state. Members whose values have not changed
// remain as they are written in entry. config is what EntryConfig made from entry.
func (k *Kind) EntryOf(entry map[string]tftypes.Value, config, state Values) map[string]tftypes.Value {
	now := maps.Clone(entry)
	was, is := value.Members(config[RowProperties]), value.Members(state[RowProperties])
	for member, v := range entry {
		a, ofRow := k.rows().byName[member]
		ofRow = ofRow && a.Name == member
		switch {
		case v.IsNull(), ofRow && a.Role == Setting:
		case ofRow && !config[member].IsNull():
			if !a.same(config[member], state[member]) {
				now[member] = Like(v, state[member])
			}
		case !ofRow && !value.Equal(was[member], is[member]):
			now[member] = Like(v, value.FromJSON(is[member]))
		}
	}
	if _, written := entry[RowName]; written || !state[RowName].Equal(config[RowName]) {
		now[RowName] = state[RowName]
	}
	return now
}

// Like converts a value to the Terraform type of another one, as far as it fits.
func Like(other, v tftypes.Value) tftypes.Value {
	switch t := other.Type(); {
	case v.IsNull():
		return tftypes.NewValue(t, nil)
	case t.Is(tftypes.String) && !v.Type().Is(tftypes.String):
		switch x := value.ToJSON(v).(type) {
		case json.Number:
			return tftypes.NewValue(tftypes.String, x.String())
		case bool:
			return tftypes.NewValue(tftypes.String, fmt.Sprint(x))
		}
	case t.Is(value.StringList), t.Is(tftypes.Set{ElementType: tftypes.String}):
		var members []tftypes.Value
		if v.As(&members) == nil {
			return tftypes.NewValue(t, members)
		}
	}
	return value.FromJSON(value.ToJSON(v))
}

// Rest returns the values in the state of attributes that are not configured and do not have
// eNMS's default: a plan has to know them besides the entry.
func (k *Kind) Rest(config, state Values) value.Object {
	rest := value.Object{}
	for _, a := range k.rows().fields {
		v := state[a.Name]
		if a.Type == Criteria || !config[a.Name].IsNull() || !v.IsKnown() || a.same(v, a.usual()) || a.Automatic != nil {
			continue
		}
		rest[a.Name] = value.ToJSON(v)
	}
	if len(rest) == 0 {
		return nil
	}
	return rest
}

// usual returns the value that the attribute has in an instance if nobody has configured it.
func (a Attribute) usual() tftypes.Value {
	if a.Default == nil && a.Reset != nil {
		return a.null()
	}
	return a.resetValue()
}

// EntryState returns the state of an instance: the configured values, the id, and the values that
// Rest has returned.
func (k *Kind) EntryState(config Values, id string, rest value.Object) Values {
	state := maps.Clone(config)
	if id != "" {
		state[RowID] = tftypes.NewValue(tftypes.String, id)
	}
	for _, a := range k.rows().fields {
		if !config[a.Name].IsNull() || a.Type == Criteria || a.Automatic != nil {
			continue
		}
		state[a.Name] = a.usual()
		if x, has := rest[a.Name]; has {
			state[a.Name] = a.FromJSON(x)
		}
	}
	return state
}

// ImportedEntry returns the entry of an imported instance: the listed properties, or, without a
// list, everything that differs from eNMS's defaults.
func (k *Kind) ImportedEntry(answer value.Object, config Values, properties []string) (map[string]tftypes.Value, Values, error) {
	state, err := k.ImportedState(answer, config)
	if err != nil {
		return nil, nil, err
	}
	entry := map[string]tftypes.Value{}
	for _, a := range k.rows().fields {
		v := state[a.Name]
		listed := slices.Contains(properties, a.Name) || properties == nil && !a.same(v, a.resetValue()) && !a.same(v, a.Value(a.Default))
		if listed && !a.ReadOnly && !v.IsNull() {
			entry[a.Name] = v
		}
	}
	further := value.Members(state[RowProperties])
	for _, name := range properties {
		if _, ofRow := k.rows().byName[name]; !ofRow && answer[name] != nil {
			further[name] = value.ToJSON(value.WithLF(value.FromJSON(answer[name])))
		}
	}
	for name, x := range further {
		if properties == nil || slices.Contains(properties, name) {
			entry[name] = value.FromJSON(x)
		}
	}
	return entry, state, nil
}

// NeedsWhole reports whether one of the properties is a relation that searches leave out.
func (k *Kind) NeedsWhole(properties []string) bool {
	return slices.ContainsFunc(properties, func(name string) bool {
		return slices.Contains(k.rows().further.relations, name) ||
			slices.ContainsFunc(k.rows().unsearched, func(a Attribute) bool { return a.Name == name })
	})
}
