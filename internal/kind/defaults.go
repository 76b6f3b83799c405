// This file applies the defaults of the provider block: values for attributes that a
// configuration does not set. Operations take a configuration, a plan and a state as though the
// user had written the defaults (WithDefaults, Joined, JoinedPlan).
//
// Terraform requires that a plan holds what is configured, so that properties by default cannot
// be added to configured ones: they are in the attribute default_properties of plans and states
// (Plan.Separate, Separated). No property is in both.

package kind

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Defaultable returns the attributes for which the provider block can set a default.
func (k *Kind) Defaultable() []Attribute {
	return slices.DeleteFunc(slices.Clone(k.rows().resource), func(a Attribute) bool { return !a.Defaultable })
}

// WithDefaults returns a configuration with the defaults of the attributes that it does not set,
// and with those of properties. A property that is configured as null has no default. Properties
// that the state has by default, and that have neither a value nor a default any more, are reset
// as far as their default in eNMS is known; other strings become empty. prior is nil for a
// creation.
func (k *Kind) WithDefaults(config, prior, defaults Values) Values {
	had := fieldsOf(prior[RowDefaultProperties])
	if len(defaults) == 0 && len(had) == 0 {
		return config
	}
	full := maps.Clone(config)
	for name, v := range defaults {
		if name != RowProperties && config[name].IsNull() {
			full[name] = v
		}
	}
	byDefault := k.defaultProperties(config, defaults[RowProperties])
	full[RowDefaultProperties] = byDefault
	resets, own, given := map[string]tftypes.Value{}, fieldsOf(config[RowProperties]), fieldsOf(byDefault)
	for name, v := range had {
		_, still := given[name]
		if reset, resettable := k.resetProperty(name, v, prior); resettable && !still && own[name].IsNull() {
			resets[name] = reset
		}
	}
	full[RowProperties] = join(config[RowProperties], byDefault, objectOrNull(resets))
	return full
}

// defaultProperties returns the properties that a configuration has by default.
func (k *Kind) defaultProperties(config Values, defaults tftypes.Value) tftypes.Value {
	own := config[RowProperties]
	switch {
	case defaults.IsNull():
		return noProperties
	case !defaults.IsKnown(), !own.IsKnown():
		return unknownProperties
	}
	byDefault := maps.Clone(fieldsOf(defaults))
	for _, set := range []tftypes.Value{own, config[RowProperties+writeOnlySuffix]} {
		for name := range fieldsOf(set) {
			delete(byDefault, name)
		}
	}
	maps.DeleteFunc(byDefault, func(_ string, v tftypes.Value) bool { return v.IsNull() })
	return objectOrNull(byDefault)
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

// Joined returns a state or a plan with all properties in one attribute.
func (k *Kind) Joined(values Values) Values {
	if values[RowDefaultProperties].IsNull() {
		return values
	}
	joined := maps.Clone(values)
	joined[RowProperties] = join(values[RowProperties], values[RowDefaultProperties])
	return joined
}

// JoinedPlan is Joined for the plan of a configuration that WithDefaults made, with the values
// to which properties are reset.
func (k *Kind) JoinedPlan(planned, prior, config Values) Values {
	had, joined := fieldsOf(prior[RowDefaultProperties]), k.Joined(planned)
	if len(had) == 0 && planned[RowDefaultProperties].IsNull() {
		return planned
	}
	joined = maps.Clone(joined)
	if !joined[RowProperties].IsKnown() {
		joined[RowProperties], joined[RowDefaultProperties] = config[RowProperties], config[RowDefaultProperties]
		return joined
	}
	members, configured := maps.Clone(fieldsOf(joined[RowProperties])), fieldsOf(config[RowProperties])
	for name := range had {
		if v, reset := configured[name]; reset && members[name].IsNull() {
			members[name] = v
		}
	}
	if len(members) > 0 {
		joined[RowProperties] = value.ObjectOf(members)
	}
	return joined
}

// Separate divides the planned properties of a configuration that WithDefaults made. config and
// prior are as Terraform has them. What the state of an import holds in properties stays there if
// the default is the same.
func (p *Plan) Separate(config, prior Values) {
	own, held, byDefault := config[RowProperties], prior[RowProperties], p.planned[RowDefaultProperties]
	had := prior[RowDefaultProperties]
	switch {
	case byDefault.IsNull() && had.IsNull():
		return
	case !byDefault.IsKnown():
		p.planned[RowProperties] = own
		if own.IsNull() && !held.IsNull() {
			p.planned[RowProperties] = unknownProperties
		}
		return
	}
	stays := p.staying(own, held, byDefault)
	p.planned[RowProperties] = stays
	left, extras := maps.Clone(fieldsOf(byDefault)), fieldsOf(stays)
	maps.DeleteFunc(left, func(name string, _ tftypes.Value) bool { _, is := extras[name]; return is })
	p.planned[RowDefaultProperties] = objectOrNull(left)
	if row := p.kind.row(RowProperties); len(left) == len(fieldsOf(had)) && row.same(p.planned[RowDefaultProperties], had) {
		p.planned[RowDefaultProperties] = had
	}
}

// staying returns what is planned of the properties alone: those that are configured, or those of
// the state if they are the same. Further ones of the state, which an import brought, stay unless
// they have another value by default.
func (p *Plan) staying(own, held, byDefault tftypes.Value) tftypes.Value {
	row, configured, given := p.kind.row(RowProperties), value.Members(own), value.Members(byDefault)
	have := value.Members(held)
	extras := map[string]tftypes.Value{}
	for name, v := range fieldsOf(held) {
		if _, is := configured[name]; is {
			continue
		}
		wanted, is := given[name]
		replaced := is && !row.holds(map[string]any{name: wanted}, have, noneAnswered)
		if !replaced && !slices.Contains(p.managed, propertyKey(name)) {
			extras[name] = v
		}
	}
	everything := len(extras)+len(configured) == len(fieldsOf(held))
	switch {
	case held.IsNull(), !own.IsFullyKnown():
		return own
	case own.IsNull() && everything, everything && row.holds(configured, have, noneAnswered):
		return held
	case own.IsNull():
		return objectOrNull(extras)
	}
	return own
}

// Separated divides the properties of a state after an operation as planned. config is the
// configuration that WithDefaults made. After a read, planned and prior are the state before, and
// config is nil.
func (k *Kind) Separated(state, planned, prior, config Values) Values {
	own, byDefault, had := planned[RowProperties], planned[RowDefaultProperties], fieldsOf(prior[RowDefaultProperties])
	if byDefault.IsNull() && len(had) == 0 || !state[RowProperties].IsKnown() {
		return state
	}
	if !byDefault.IsKnown() {
		byDefault = config[RowDefaultProperties]
	}
	properties, defaults := maps.Clone(fieldsOf(own)), map[string]tftypes.Value{}
	given, configured := fieldsOf(byDefault), fieldsOf(config[RowProperties])
	for name, v := range fieldsOf(state[RowProperties]) {
		set, isOwn := properties[name]
		_, isDefault := given[name]
		_, was := had[name]
		reset, resettable := configured[name]
		switch {
		case isDefault:
			defaults[name] = v
		case isOwn && !set.IsNull(), !was && !isOwn:
			properties[name] = v
		case resettable && !value.Equal(value.ToJSON(reset), value.ToJSON(v)): // the reset has failed
			defaults[name] = v
		}
	}
	separated := maps.Clone(state)
	separated[RowProperties] = sameOrObject(own, properties)
	separated[RowDefaultProperties] = sameOrObject(byDefault, defaults)
	return separated
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

// AppliedDefaults returns what full, which WithDefaults made of a configuration, has by default:
// attributes, and an object of properties.
func (k *Kind) AppliedDefaults(config, full Values) value.Object {
	applied := value.Object{}
	for _, a := range k.Defaultable() {
		switch v := full[a.Name]; {
		case a.Type == Properties:
			if byDefault := value.Members(full[RowDefaultProperties]); len(byDefault) > 0 {
				applied[a.Name] = byDefault
			}
		case config[a.Name].IsNull() && !v.IsNull():
			applied[a.Name] = value.ToJSON(v)
		}
	}
	return applied
}

// DefaultsOf is the inverse of AppliedDefaults: it returns defaults for WithDefaults.
func (k *Kind) DefaultsOf(applied value.Object) Values {
	defaults := Values{}
	for _, a := range k.Defaultable() {
		if x, is := applied[a.Name]; is {
			defaults[a.Name] = a.sentValue(x)
		}
	}
	return defaults
}

// DeviatingDefaults returns, of what an instance has by default, the values of the state that are
// others.
func (k *Kind) DeviatingDefaults(applied value.Object, state Values) value.Object {
	deviating := value.Object{}
	for _, a := range k.Defaultable() {
		x, is := applied[a.Name]
		switch now := state[a.Name]; {
		case !is:
		case a.Type == Properties:
			have, others := value.Members(now), map[string]any{}
			for name, wanted := range value.Members(a.sentValue(x)) {
				if !a.comparison(name, true).Keeps(wanted, have[name]) {
					others[name] = have[name]
				}
			}
			if len(others) > 0 {
				deviating[a.Name] = others
			}
		case !a.same(a.sentValue(x), now):
			deviating[a.Name] = value.ToJSON(now)
		}
	}
	return deviating
}

// WithDeviating returns a state with the values that DeviatingDefaults returned.
func (k *Kind) WithDeviating(state Values, deviating value.Object) Values {
	if len(deviating) == 0 {
		return state
	}
	now := maps.Clone(state)
	for _, a := range k.Defaultable() {
		x, is := deviating[a.Name]
		switch {
		case !is:
		case a.Type == Properties:
			members, others := maps.Clone(fieldsOf(state[a.Name])), x.(map[string]any)
			for name, x := range others {
				members[name] = value.FromJSON(x)
			}
			now[a.Name] = value.ObjectOf(members)
		default:
			now[a.Name] = a.sentValue(x)
		}
	}
	return now
}

// HeldDefaults returns which of the defaults an instance has, for WithDefaults, and the entry
// without them.
func (k *Kind) HeldDefaults(defaults, state Values, entry map[string]tftypes.Value) (held Values, rest map[string]tftypes.Value) {
	held, rest = Values{}, maps.Clone(entry)
	for _, a := range k.Defaultable() {
		v, now := defaults[a.Name], state[a.Name]
		switch {
		case v.IsNull() || !v.IsFullyKnown():
		case a.Type == Properties:
			have, same := value.Members(now), map[string]tftypes.Value{}
			for name, wanted := range fieldsOf(v) {
				if x, has := have[name]; has && a.comparison(name, true).Keeps(value.ToJSON(wanted), x) {
					same[name] = wanted
					delete(rest, name)
				}
			}
			held[a.Name] = objectOrNull(same)
		case !now.IsNull() && (a.same(v, now) || a.ServerAdds && a.includes(now, v)):
			held[a.Name] = v
			delete(rest, a.Name)
		}
	}
	return held, rest
}

var (
	noProperties      = tftypes.NewValue(tftypes.DynamicPseudoType, nil)
	unknownProperties = tftypes.NewValue(tftypes.DynamicPseudoType, tftypes.UnknownValue)
)

// fieldsOf returns the members of properties, those that are null among them.
func fieldsOf(properties tftypes.Value) (members map[string]tftypes.Value) {
	if properties.IsNull() || !properties.IsKnown() || properties.As(&members) != nil {
		return map[string]tftypes.Value{}
	}
	return members
}

// objectOrNull returns properties, null if there are none.
func objectOrNull(members map[string]tftypes.Value) tftypes.Value {
	if len(members) == 0 {
		return noProperties
	}
	return value.ObjectOf(members)
}

// join returns properties with the members of all parts. It is unknown if one of them is.
func join(parts ...tftypes.Value) tftypes.Value {
	parts = slices.DeleteFunc(parts, func(part tftypes.Value) bool { return part.IsNull() })
	switch {
	case len(parts) == 0:
		return noProperties
	case len(parts) == 1:
		return parts[0]
	}
	all := map[string]tftypes.Value{}
	for _, part := range parts {
		if !part.IsKnown() {
			return unknownProperties
		}
		maps.Copy(all, fieldsOf(part))
	}
	return value.ObjectOf(all)
}

// sameOrObject returns properties as they were if they have the same members, otherwise an
// object of the members.
func sameOrObject(was tftypes.Value, members map[string]tftypes.Value) tftypes.Value {
	if before := fieldsOf(was); len(members) == 0 && len(before) == 0 && was.IsKnown() ||
		len(before) > 0 && maps.EqualFunc(before, members, func(v, w tftypes.Value) bool { return v.Equal(w) }) {
		return was
	}
	return objectOrNull(members)
}
