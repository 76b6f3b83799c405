// This file checks a configuration by itself, before there is a plan: what is wrong with it
// whatever eNMS holds.

package kind

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Validate returns the errors of a configuration that are known without a state and without
// eNMS. An existing instance may hold what is refused here: then the attribute is left out
// of the configuration, and the value stays. What cannot be left out is the plan's to
// judge, which knows what the instance holds; so is what only some databases refuse.
func (k *Kind) Validate(config Values) (found diag.Diagnostics) {
	p := k.configuration(config)
	p.checkProperties()
	p.checkBounds()
	p.checkValues()
	p.checkFurther()
	if k.Check != nil {
		k.Check(p)
	}
	for _, d := range p.Diagnostics {
		if d.Severity() == diag.SeverityError && !k.leftToPlan(d, p.config) {
			found.Append(d)
		}
	}
	return append(found, p.refused...)
}

// configuration returns a plan that knows nothing but the configuration.
func (k *Kind) configuration(config Values) *Plan {
	p := &Plan{kind: k, config: Values{}, planned: Values{}, configOnly: true}
	for _, a := range k.rows().resource {
		p.config[a.Name] = a.filled(config[a.Name])
		p.planned[a.Name] = p.config[a.Name]
		if p.config[a.Name].IsNull() && a.Role != Setting && a.Role != Secret {
			p.planned[a.Name] = a.unknown()
		}
	}
	return p
}

// leftToPlan reports whether only the plan can tell if an error is one: an imported instance
// may have the value of an attribute that the configuration must hold. An empty name, and
// characters that no name in eNMS has, are errors all the same.
func (k *Kind) leftToPlan(d diag.Diagnostic, config Values) bool {
	a, is := k.rows().byName[rootOf(d)]
	if !is || !a.Required && !a.Needed && a.Role != Key {
		return false
	}
	name := value.Text(config[a.Name])
	return a.Role != Key && a.Type != One || name != "" && wrongCharacters(name) == ""
}

// rootOf returns the attribute that a diagnostic is on, "" when it is on none.
func rootOf(d diag.Diagnostic) string {
	on, is := d.(diag.DiagnosticWithPath)
	if !is || len(on.Path().Steps()) == 0 {
		return ""
	}
	name, _ := on.Path().Steps()[0].(path.PathStepAttributeName)
	return string(name)
}

// memberOf returns the member of a map or an object that a diagnostic is on, "" when it is on
// a whole attribute.
func memberOf(d diag.Diagnostic) string {
	on, is := d.(diag.DiagnosticWithPath)
	if !is || len(on.Path().Steps()) < 2 {
		return ""
	}
	key, _ := on.Path().Steps()[1].(path.PathStepElementKeyString)
	return string(key)
}

// WithoutInvalid returns the values of an existing instance without those that no
// configuration may hold, and a warning for each that it leaves out.
func (k *Kind) WithoutInvalid(values Values) (valid Values, left diag.Diagnostics) {
	valid = maps.Clone(values)
	for _, d := range k.Validate(k.configurable(values)) {
		a, is := k.rows().byName[rootOf(d)]
		if !is || a.Required || a.Needed || a.Role == Key {
			continue
		}
		field, held := takeOut(valid, a, memberOf(d))
		left.AddAttributeWarning(path.Root(a.Name), fmt.Sprintf("Left out of %s %q: %s", k.Name, value.Text(values[RowName]), field),
			fmt.Sprintf("eNMS has %s, which is not valid in a configuration: %s Omit %s to keep the value in eNMS, or write a valid value to replace it.",
				shownValue(held), d.Detail(), field))
	}
	return valid, left
}

// takeOut takes the value of an attribute out, of properties only a member if there is one.
// It returns how a configuration calls what is gone, and what it was.
func takeOut(values Values, a Attribute, member string) (field string, held any) {
	if a.Type != Properties || member == "" {
		held = value.ToJSON(values[a.Name])
		values[a.Name] = a.null()
		return a.Name, held
	}
	members := value.Members(values[a.Name])
	held = members[member]
	delete(members, member)
	values[a.Name] = value.FromJSON(members)
	return a.Name + "." + member, held
}

// configurable returns those of the values of an instance that a configuration may hold.
func (k *Kind) configurable(values Values) Values {
	config := maps.Clone(values)
	for _, a := range k.rows().resource {
		if a.ReadOnly || a.Role == Identity || a.Role == Secret {
			config[a.Name] = a.null()
		}
	}
	return config
}

// KeepLeftOut returns the state after an update without the values that the import of the
// instance left out: they are in no plan, and Terraform takes nothing that was planned
// otherwise. The next read shows them.
func (k *Kind) KeepLeftOut(state, planned Values) Values {
	kept := maps.Clone(state)
	for _, a := range k.rows().fields {
		if v := planned[a.Name]; slices.Contains([]ValueType{Text, Number}, a.Type) && v.Type() != nil && v.IsNull() {
			kept[a.Name] = tftypes.NewValue(v.Type(), nil)
		}
	}
	return kept
}
