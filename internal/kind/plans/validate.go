// This file checks a configuration alone, and leaves values out of a state that a configuration must not contain.

package plans

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Validate returns the errors of a configuration that are known without a state and without eNMS.
// An existing instance may have a value that is refused here: the configuration can then omit the
// attribute, and the value remains. The plan, which knows the values of the instance, checks attributes
// that cannot be omitted, and values that only some databases refuse.
func Validate(k *kind.Kind, config kind.Values) (found diag.Diagnostics) {
	p := checkedConfig(k, config)
	if k.Check != nil {
		k.Check(p)
	}
	for _, d := range p.Diagnostics {
		if d.Severity() == diag.SeverityError && !leftToPlan(k, d, p.Config) {
			found.Append(d)
		}
	}
	return append(found, p.Refused...)
}

// CheckDefaults returns the errors of defaults for the kind, each on one of the attributes.
func CheckDefaults(k *kind.Kind, defaults kind.Values) (found diag.Diagnostics) {
	p := checkedConfig(k, defaults)
	for _, name := range slices.Sorted(maps.Keys(kind.ValuesOf(defaults[kind.RowProperties]))) {
		if isSecretWithoutRow(k, name) {
			p.ErrorAt(kind.RowProperties, name, fmt.Sprintf("%s is a secret", name), "Defaults are stored in the state and in plans. Remove it.")
		}
	}
	for _, d := range p.Diagnostics {
		if d.Severity() == diag.SeverityError {
			found.Append(d)
		}
	}
	return found
}

// checkedConfig returns a plan of which only the configuration is known (kind.Plan.ConfigOnly), after the
// checks of single values. Attributes that are not configured are unknown, because the instance may exist
// and have them; settings and secrets, which eNMS does not return, stay null.
func checkedConfig(k *kind.Kind, config kind.Values) *kind.Plan {
	p := &kind.Plan{Kind: k, Config: kind.Values{}, Planned: kind.Values{}, ConfigOnly: true}
	for _, a := range k.Table().Resource {
		p.Config[a.Name] = a.Filled(config[a.Name])
		p.Planned[a.Name] = p.Config[a.Name]
		if p.Config[a.Name].IsNull() && a.Role != kind.Setting && a.Role != kind.Secret {
			p.Planned[a.Name] = a.Unknown()
		}
	}
	checkProperties(p)
	checkBounds(p)
	checkValues(p)
	checkMembers(p)
	return p
}

// leftToPlan reports whether only the plan can decide if a finding is an error: an imported instance may have this
// value of a required attribute. An empty name, and characters that no name in eNMS has, are errors in any case.
func leftToPlan(k *kind.Kind, d diag.Diagnostic, config kind.Values) bool {
	name, _ := subjectOf(d)
	a := k.Table().ByName[name]
	if canBeOmitted(a) {
		return false
	}
	if a.Role != kind.Key && a.Type != kind.One {
		return true
	}
	text := value.Text(config[a.Name])
	return text != "" && kind.WrongCharacters(text) == ""
}

// canBeOmitted reports whether a configuration may lack the attribute.
func canBeOmitted(a kind.Attribute) bool { return !a.Required && !a.Needed && a.Role != kind.Key }

// WithoutInvalid returns the values of an existing instance without those that a configuration
// must not contain, and a warning for each that it leaves out.
func WithoutInvalid(k *kind.Kind, values kind.Values) (valid kind.Values, warnings diag.Diagnostics) {
	valid = maps.Clone(values)
	for _, d := range Validate(k, configurable(k, values)) {
		name, member := subjectOf(d)
		a, hasRow := k.Table().ByName[name]
		if !hasRow || !canBeOmitted(a) {
			continue
		}
		field, held := removeValue(valid, a, member)
		warnings.AddAttributeWarning(path.Root(a.Name), fmt.Sprintf("Left out of %s %q: %s", k.Name, value.Text(values[kind.RowName]), field),
			fmt.Sprintf("eNMS has %s, which is not valid in a configuration: %s Omit %s to keep the value in eNMS, or write a valid value to replace it.",
				checks.Shown(held), d.Detail(), field))
	}
	return valid, warnings
}

// removeValue removes the value of an attribute, or only one member of properties. It returns the
// name of what it removed, as a configuration writes it, and its value.
func removeValue(values kind.Values, a kind.Attribute, member string) (field string, held any) {
	if a.Type != kind.Properties || member == "" {
		held = value.ToJSON(values[a.Name])
		values[a.Name] = a.Null()
		return a.Name, held
	}
	members := value.Members(values[a.Name])
	held = members[member]
	delete(members, member)
	values[a.Name] = value.FromJSON(members)
	return a.Name + "." + member, held
}

// configurable returns the values of an instance that a configuration may contain.
func configurable(k *kind.Kind, values kind.Values) kind.Values {
	config := maps.Clone(values)
	for _, a := range k.Table().Resource {
		if a.ReadOnly {
			config[a.Name] = a.Null()
		}
	}
	return config
}
