// This file applies the defaults of the provider block: values for attributes that a configuration
// does not set. Operations take a configuration, a plan and a state as though the user had written
// the defaults (WithDefaults, WithAllProperties).
//
// Terraform requires that a plan holds what is configured, so that properties by default cannot be
// added to configured ones. Plans and states have a second attribute, properties_all, which holds
// what the instance has by `properties` and by default; it is null while the provider has no default
// properties.
//
// provider/defaults.go reads the defaults. The functions here are called at the beginning and the end of each
// operation, in the files of resources/instance that are named after it (a read: resource.go): between them, payloads
// and states are made as usual. Entries have resources/entries/defaults.go.

package plans

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// WithDefaults returns a configuration with the defaults of the attributes that it does not set. In
// properties, each member has its own default; a configured null prevents it. The properties are unknown
// as long as the configured or the default ones are.
func WithDefaults(k *kind.Kind, config, defaults kind.Values) kind.Values {
	full := maps.Clone(config)
	for name, v := range defaults {
		switch own := config[name]; {
		case name == kind.RowProperties && own.IsKnown() && v.IsKnown():
			full[name] = merged(own, withoutMembers(v, own, config[name+kind.WriteOnlySuffix]))
		case name == kind.RowProperties:
			full[name] = unknownProperties
		case own.IsNull():
			full[name] = v
		}
	}
	return full
}

// WithAllProperties returns a state or a plan with everything that is in properties_all in properties.
func WithAllProperties(values kind.Values) kind.Values {
	if values[kind.RowPropertiesAll].IsNull() {
		return values
	}
	all := maps.Clone(values)
	all[kind.RowProperties] = values[kind.RowPropertiesAll]
	return all
}

// ShowDefaults completes a plan that was made as though the defaults were configured: what it plans as properties becomes
// properties_all, and properties are planned as they are really configured. Properties that an import has added stay
// until something else changes. config and prior are as Terraform has them.
func ShowDefaults(p *kind.Plan, config, prior, defaults kind.Values) {
	noDefaults := defaults[kind.RowProperties].IsNull()
	if noDefaults && prior[kind.RowPropertiesAll].IsNull() {
		return
	}
	p.Planned[kind.RowPropertiesAll] = p.Planned[kind.RowProperties]
	if noDefaults {
		p.Planned[kind.RowPropertiesAll] = noProperties
	}
	own := kind.Plan{Kind: p.Kind, Config: config, Prior: prior, Managed: p.Managed}
	p.Planned[kind.RowProperties] = planAttribute(&own, p.Kind.Row(kind.RowProperties))
	changes := func(a kind.Attribute) bool { return !value.Same(p.Planned[a.Name], prior[a.Name]) }
	if slices.ContainsFunc(p.Kind.Table().Resource, changes) {
		p.Planned[kind.RowProperties] = config[kind.RowProperties]
	}
}

// OwnFindings returns the diagnostics of a plan without warnings about properties that are only set by
// default: each resource would repeat them. own reports whether the resource itself sets a property.
func OwnFindings(found diag.Diagnostics, own func(property string) bool) diag.Diagnostics {
	return slices.DeleteFunc(slices.Clone(found), func(d diag.Diagnostic) bool {
		attribute, property := subjectOf(d)
		ofProperty := attribute == kind.RowProperties && property != ""
		return ofProperty && d.Severity() == diag.SeverityWarning && !own(property)
	})
}

// WithResets adds to a plan or a configuration the resets of properties whose default was removed.
// byDefault are the properties that the state has only by default (DefaultProperties). values and prior
// are as WithAllProperties returns them.
func WithResets(k *kind.Kind, values, prior kind.Values, byDefault []string) kind.Values {
	resets, now := map[string]tftypes.Value{}, kind.ValuesOf(values[kind.RowProperties])
	for name, v := range kind.ValuesOf(prior[kind.RowProperties]) {
		if !now[name].IsNull() || !slices.Contains(byDefault, name) {
			continue
		}
		if reset, resettable := resetProperty(k, name, v, prior); resettable {
			resets[name] = reset
		}
	}
	if len(resets) == 0 {
		return values
	}
	values = maps.Clone(values)
	values[kind.RowProperties] = merged(values[kind.RowProperties], value.ObjectOf(resets))
	return values
}

// DefaultProperties returns the names of the properties that a state has by default and that this provider manages.
func DefaultProperties(k *kind.Kind, state kind.Values, managed []string) (names []string) {
	own := kind.ValuesOf(state[kind.RowProperties])
	for name := range kind.ValuesOf(state[kind.RowPropertiesAll]) {
		if _, is := own[name]; !is && slices.Contains(managed, propertyKey(name)) {
			names = append(names, name)
		}
	}
	return names
}

// Shown returns the state that Terraform stores after an operation: properties and properties_all have
// the members that they have in the plan, with the values of the state. If the operation failed, properties_all has all
// members, because some that should have been reset may still be set. For a read, planned is the state before it.
func Shown(k *kind.Kind, state, planned, prior kind.Values, failed bool) kind.Values {
	if planned[kind.RowPropertiesAll].IsNull() && prior[kind.RowPropertiesAll].IsNull() {
		return state
	}
	shown := maps.Clone(state)
	row, members := k.Row(kind.RowProperties), value.Members(state[kind.RowProperties])
	shown[kind.RowProperties] = row.WithMembers(planned[kind.RowProperties], members)
	shown[kind.RowPropertiesAll] = state[kind.RowProperties]
	if !failed {
		shown[kind.RowPropertiesAll] = row.WithMembers(planned[kind.RowPropertiesAll], members)
	}
	return shown
}

// ShownImport completes a state that Shown has returned, for an import, where the configuration is not
// known: if the provider block sets default properties, properties_all holds all that properties holds.
func ShownImport(k *kind.Kind, state, defaults kind.Values) kind.Values {
	if defaults[kind.RowProperties].IsNull() {
		return state
	}
	shown := maps.Clone(state)
	shown[kind.RowPropertiesAll] = state[kind.RowProperties]
	return shown
}

// resetProperty returns the value to which a property is reset when its default was removed: eNMS's
// default if the table has the property, otherwise "" for a string. Other values cannot be reset.
func resetProperty(k *kind.Kind, name string, v tftypes.Value, prior kind.Values) (reset tftypes.Value, resettable bool) {
	rows, _ := k.Table().Properties.Of(k.Path(prior))
	if a, is := rows[name]; is && !a.Sample {
		reset = value.FromJSON(a.DefaultJSON())
		return reset, !reset.IsNull()
	}
	return tftypes.NewValue(tftypes.String, ""), v.Type().Is(tftypes.String)
}

var (
	noProperties      = tftypes.NewValue(tftypes.DynamicPseudoType, nil)
	unknownProperties = tftypes.NewValue(tftypes.DynamicPseudoType, tftypes.UnknownValue)
)

// withoutMembers returns properties without null members, and without those that others have.
func withoutMembers(properties tftypes.Value, others ...tftypes.Value) tftypes.Value {
	left := maps.Clone(kind.ValuesOf(properties))
	maps.DeleteFunc(left, func(name string, v tftypes.Value) bool {
		return v.IsNull() || slices.ContainsFunc(others, func(other tftypes.Value) bool { _, has := kind.ValuesOf(other)[name]; return has })
	})
	if len(left) == 0 {
		return noProperties
	}
	return value.ObjectOf(left)
}

// merged is kind.Merged without members that are null, null if there are none left.
func merged(x, y tftypes.Value) tftypes.Value { return withoutMembers(kind.Merged(x, y)) }
