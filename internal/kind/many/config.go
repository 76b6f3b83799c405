// Package many reads and writes instances that are entries of enms_instances, as they come from
// files: each entry is an object of properties, in which strings may stand for numbers and
// Booleans. config.go reads entries, and state.go writes and compares them.
package many

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Config returns the configuration of the instance that an entry describes. Members
// without a row are properties. Null means not configured, and so does an empty string for
// a number or a Boolean, which is how tables leave a cell empty.
func Config(k *kind.Kind, typ, name string, entry map[string]tftypes.Value) (config kind.Values, diags diag.Diagnostics) {
	config = kind.Values{}
	for _, a := range k.Table().Resource {
		config[a.Name] = a.Null()
	}
	config[kind.RowName] = tftypes.NewValue(tftypes.String, name)
	if k.HasSubtypes() {
		config[k.SubtypeRow()] = tftypes.NewValue(tftypes.String, typ)
	}
	properties := map[string]tftypes.Value{}
	for member, v := range entry {
		if v.IsNull() {
			continue
		}
		a := k.Table().ByName[member]
		ofRow := a.Name == member
		switch {
		case member == "":
			diags.AddAttributeError(path.Root(kind.RowName), "A field has no name",
				"A field of the entry has an empty name, such as a column of a CSV file whose first line ends with a comma. Give it a name, or remove it.")
		case k.IsSecret(member), a.Role == kind.Secret:
			diags.AddAttributeError(path.Root(member), fmt.Sprintf("%s is a secret", member),
				fmt.Sprintf("Entries are stored in the state and in plans. Use the resource %s for this %s: %s is write-only there.", k.TypeName(), k.Name, member))
		case a.Role == kind.Key, a.Role == kind.Subtype:
			diags.Append(checkRepeated(a, v, config[member])...)
		case ofRow:
			converted, problem := entryValue(a, v)
			config[member] = converted
			if problem != "" {
				diags.AddAttributeError(path.Root(member), fmt.Sprintf("Invalid value for %q", member), problem)
			}
		default:
			properties[member] = v
		}
	}
	if len(properties) > 0 {
		config[kind.RowProperties] = value.ObjectOf(properties)
	}
	return config, diags
}

// checkRepeated refuses a name that differs from the key of its entry, or a type that differs from that of all entries.
func checkRepeated(a kind.Attribute, v, want tftypes.Value) (diags diag.Diagnostics) {
	if v.IsKnown() && !v.Equal(want) {
		reason := "its key is its name"
		if a.Role == kind.Subtype {
			reason = "the type is set for all entries"
		}
		diags.AddAttributeError(path.Root(a.Name), fmt.Sprintf("Invalid value for %q", a.Name),
			fmt.Sprintf("The entry sets %s = %s, but %s. Remove the attribute, or write %q.", a.Name, got(value.ToJSON(v)), reason, value.Text(want)))
	}
	return diags
}

// entryValue returns the attribute's value for a member of an entry. problem says why the member is invalid.
func entryValue(a kind.Attribute, v tftypes.Value) (_ tftypes.Value, problem string) {
	switch {
	case a.ReadOnly:
		return a.Null(), "eNMS computes it. Remove it."
	case a.Name == kind.RowAdoptExisting, a.Name == kind.RowDeletionPolicy, a.Type == kind.Properties:
		return a.Null(), "It is an attribute of resources, not a property of an instance. Write the members of properties directly in the entry."
	case !v.IsKnown():
		return a.Unknown(), ""
	}
	var converted tftypes.Value
	var fits bool
	switch a.Type {
	case kind.Many:
		converted, fits = entryNames(v)
	case kind.JSON:
		_, fits = value.ToJSON(v).(map[string]any)
		converted = v
	case kind.Criteria:
		converted, fits = entryCriteria(v)
	default:
		converted, fits = entryScalar(a, v)
	}
	if !fits {
		problem = fmt.Sprintf("Expected %s, got %s.", a.Type.InWords(), got(value.ToJSON(v)))
		if a.Type == kind.Many {
			problem += ` Out of a file with several names in a cell, make one with split(";", ...) or jsondecode(...).`
		}
		return a.Null(), problem
	}
	if problem = wrongMatch(a, converted); problem != "" {
		return a.Null(), problem
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
	return checks.Shown(x)
}

// entryScalar converts a string, a number or a Boolean to the type of the attribute. An empty string is null for a
// number or a Boolean.
func entryScalar(a kind.Attribute, v tftypes.Value) (converted tftypes.Value, fits bool) {
	var text string
	switch x := value.ToJSON(v).(type) {
	case string:
		text = x
	case json.Number:
		text = x.String()
	case bool:
		text = strconv.FormatBool(x)
	default:
		return v, false
	}
	word := strings.ToLower(strings.TrimSpace(text))
	switch {
	case a.Type == kind.Text || a.Type == kind.One:
		return tftypes.NewValue(tftypes.String, text), true
	case word == "":
		return a.Null(), true
	case a.Type == kind.Number:
		n, err := value.WholeNumber(json.Number(word))
		return n, err == nil
	}
	return tftypes.NewValue(tftypes.Bool, word == "true"), word == "true" || word == "false"
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
	return tftypes.NewValue(value.StringSet, names), true
}

// entryCriteria reads criteria that are written as objects, with or without all of their members.
func entryCriteria(v tftypes.Value) (_ tftypes.Value, fits bool) {
	var members map[string]tftypes.Value
	if v.As(&members) != nil {
		return v, false
	}
	all := map[string]tftypes.Value{}
	for property, member := range members {
		if all[property], fits = entryCriterion(member); !fits {
			return v, false
		}
	}
	return tftypes.NewValue(kind.CriteriaType, all), true
}

// wrongMatch returns why the match of a criterion is invalid, or "" if all are valid, or the value is no criteria.
func wrongMatch(a kind.Attribute, criteria tftypes.Value) string {
	if a.Type != kind.Criteria {
		return ""
	}
	all := kind.KnownCriteria(criteria)
	for _, property := range slices.Sorted(maps.Keys(all)) {
		if match := all[property].Match; match != "" && !slices.Contains(kind.Matches, match) {
			return fmt.Sprintf("The match of %s is %q. Write %s.%s", property, match, strings.Join(kind.Matches, ", "), checks.DidYouMean(checks.Nearest(match, kind.Matches)))
		}
	}
	return ""
}

// entryCriterion reads one criterion.
func entryCriterion(v tftypes.Value) (_ tftypes.Value, fits bool) {
	var given map[string]tftypes.Value
	if !v.IsKnown() {
		return tftypes.NewValue(kind.CriterionType, tftypes.UnknownValue), true
	}
	if v.IsNull() || v.As(&given) != nil {
		return v, false
	}
	fields := map[string]tftypes.Value{}
	for name, t := range kind.CriterionType.AttributeTypes {
		fields[name] = tftypes.NewValue(t, nil)
	}
	for name, x := range given {
		t, known := kind.CriterionType.AttributeTypes[name]
		if !known || !x.IsNull() && !x.Type().Is(t) {
			return v, false
		}
		if !x.IsNull() {
			fields[name] = x
		}
	}
	return tftypes.NewValue(kind.CriterionType, fields), true
}
