// This file applies the defaults of the provider block: values for attributes that a
// configuration does not set. Operations take a configuration, a plan and a state as though the
// user had written the defaults (WithDefaults, Effective).
//
// Terraform requires that a plan holds what is configured, so that properties by default cannot
// be added to configured ones. Plans and states have a second attribute, properties_all, which
// holds what the instance has by `properties` and by default; it is null while the provider has no
// default properties.

package kind

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Defaultable returns the attributes for which the provider block can set a default.
func (k *Kind) Defaultable() []Attribute {
	return slices.DeleteFunc(slices.Clone(k.rows().resource), func(a Attribute) bool { return !a.Defaultable })
}

// WithDefaults returns a configuration with the defaults of what it does not set. Properties are
// merged member by member; one that is configured as null has no default.
func (k *Kind) WithDefaults(config, defaults Values) Values {
	full := maps.Clone(config)
	for name, v := range defaults {
		switch own := config[name]; {
		case name == RowProperties && own.IsKnown() && v.IsKnown():
			full[name] = merged(own, withoutMembers(v, own, config[name+writeOnlySuffix]))
		case name == RowProperties:
			full[name] = unknownProperties
		case own.IsNull():
			full[name] = v
		}
	}
	return full
}

// Effective returns a state or a plan with everything that is in properties_all in properties.
func (k *Kind) Effective(values Values) Values {
	if values[RowPropertiesAll].IsNull() {
		return values
	}
	effective := maps.Clone(values)
	effective[RowProperties] = values[RowPropertiesAll]
	return effective
}

// ShowDefaults completes a plan that was made of effective values: properties are planned as
// configured. What an import brought stays in them until something else changes. config and
// prior are as Terraform has them.
func (p *Plan) ShowDefaults(config, prior, defaults Values) {
	none := defaults[RowProperties].IsNull()
	if none && prior[RowPropertiesAll].IsNull() {
		return
	}
	p.Planned[RowPropertiesAll] = p.Planned[RowProperties]
	if none {
		p.Planned[RowPropertiesAll] = noProperties
	}
	own := Plan{Kind: p.Kind, Config: config, Prior: prior, Managed: p.Managed}
	p.Planned[RowProperties] = own.attribute(p.Kind.row(RowProperties))
	changes := func(a Attribute) bool { return !p.Planned[a.Name].Equal(prior[a.Name]) }
	if prior != nil && slices.ContainsFunc(p.Kind.rows().resource, changes) {
		p.Planned[RowProperties] = config[RowProperties]
	}
}

// OwnFindings returns the diagnostics of a plan without warnings about properties that are not
// the resource's own but set by default: they would repeat for each resource.
func OwnFindings(found diag.Diagnostics, own func(property string) bool) diag.Diagnostics {
	return slices.DeleteFunc(slices.Clone(found), func(d diag.Diagnostic) bool {
		member := memberOf(d)
		return d.Severity() == diag.SeverityWarning && rootOf(d) == RowProperties && member != "" && !own(member)
	})
}

// WithResets returns an effective plan, or a configuration, with resets of the properties in had
// that it does not have: the state has them by default.
func (k *Kind) WithResets(planned, prior Values, had []string) Values {
	resets, has := map[string]tftypes.Value{}, ValuesOf(planned[RowProperties])
	for name, v := range ValuesOf(prior[RowProperties]) {
		if reset, is := k.resetProperty(name, v, prior); is && has[name].IsNull() && slices.Contains(had, name) {
			resets[name] = reset
		}
	}
	if len(resets) == 0 {
		return planned
	}
	planned = maps.Clone(planned)
	planned[RowProperties] = merged(planned[RowProperties], value.ObjectOf(resets))
	return planned
}

// DefaultProperties returns the names of the properties that a state has by default and that this
// provider manages.
func (k *Kind) DefaultProperties(state Values, managed []string) (names []string) {
	own := ValuesOf(state[RowProperties])
	for name := range ValuesOf(state[RowPropertiesAll]) {
		if _, is := own[name]; !is && slices.Contains(managed, propertyKey(name)) {
			names = append(names, name)
		}
	}
	return names
}

// Shown returns a state as Terraform has it after an operation as planned: properties_all and
// properties hold the members that they have in the plan. After a failure, properties_all holds
// all, because members that should have been reset may still be set. For a read, planned and prior
// are the state before.
func (k *Kind) Shown(state, planned, prior Values, failed bool) Values {
	if planned[RowPropertiesAll].IsNull() && prior[RowPropertiesAll].IsNull() {
		return state
	}
	shown := maps.Clone(state)
	row, members := k.row(RowProperties), value.Members(state[RowProperties])
	shown[RowProperties] = row.withMembers(planned[RowProperties], members)
	if shown[RowPropertiesAll] = state[RowProperties]; !failed {
		shown[RowPropertiesAll] = row.withMembers(planned[RowPropertiesAll], members)
	}
	return shown
}

// ShownImport is Shown for an import, which does not know the configuration: everything is in
// both.
func (k *Kind) ShownImport(state, defaults Values) Values {
	if state == nil || defaults[RowProperties].IsNull() {
		return state
	}
	shown := maps.Clone(state)
	shown[RowPropertiesAll] = state[RowProperties]
	return shown
}

// resetProperty returns the value to which a property is reset that is not set by default any
// more: eNMS's default if the table knows it. Of other properties, such as custom ones, strings
// become empty.
func (k *Kind) resetProperty(name string, v tftypes.Value, prior Values) (reset tftypes.Value, resettable bool) {
	rows, _ := k.rows().further.of(k.Path(prior))
	if a, is := rows[name]; is && !a.Sample {
		reset = value.FromJSON(a.defaultJSON())
		return reset, !reset.IsNull()
	}
	return tftypes.NewValue(tftypes.String, ""), v.Type().Is(tftypes.String)
}

// IsKnown reports whether all values are known in full.
func IsKnown(values Values) bool {
	for _, v := range values {
		if !v.IsFullyKnown() {
			return false
		}
	}
	return true
}

var (
	noProperties      = tftypes.NewValue(tftypes.DynamicPseudoType, nil)
	unknownProperties = tftypes.NewValue(tftypes.DynamicPseudoType, tftypes.UnknownValue)
)

// withoutMembers returns properties without null members, and without those that others have.
func withoutMembers(properties tftypes.Value, others ...tftypes.Value) tftypes.Value {
	left := maps.Clone(ValuesOf(properties))
	maps.DeleteFunc(left, func(name string, v tftypes.Value) bool {
		return v.IsNull() || slices.ContainsFunc(others, func(other tftypes.Value) bool { _, is := ValuesOf(other)[name]; return is })
	})
	if len(left) == 0 {
		return noProperties
	}
	return value.ObjectOf(left)
}

// merged returns properties with the members of both that are not null, null if there are none.
func merged(x, y tftypes.Value) tftypes.Value {
	all := map[string]tftypes.Value{}
	maps.Copy(all, ValuesOf(x))
	maps.Copy(all, ValuesOf(y))
	return withoutMembers(value.ObjectOf(all))
}
