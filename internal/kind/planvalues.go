// This file plans the values of attributes one by one, from the configuration, the state and the
// managed attributes. Its methods read and set planned values, for plan.go and for the rules of a
// kind.
//
// An attribute that is removed from the configuration is reset (Plan.attribute, resetValue) if
// this provider manages it, that is, has set it before; one that was never configured is left
// alone. A field that is removed from properties keeps its value.

package kind

import (
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// attribute plans one attribute by itself.
func (p *Plan) attribute(a Attribute) tftypes.Value {
	config := p.Config[a.Name]
	switch {
	case a.Role == Secret:
		return a.null()
	case a.Role == Setting:
		return config
	case !config.IsNull():
		if p.Prior != nil && !p.Prior[a.Name].IsNull() && p.unchanged(a) {
			return p.Prior[a.Name]
		}
		return config
	case p.Prior == nil && (a.Type == Properties || a.Type == Criteria || a.Automatic != nil):
		return a.null()
	case p.Prior == nil && a.Role == Subtype:
		return a.Value(a.Default)
	case p.Prior == nil:
		return a.unknown() // eNMS fills it in
	case slices.Contains(p.Managed, a.Name) && a.Automatic != nil:
		return a.null()
	case slices.Contains(p.Managed, a.Name) && !a.Derived && a.Role != Key:
		return a.resetValue()
	}
	return p.Prior[a.Name]
}

// unchanged reports whether the state has the configured value. It may have more properties, and
// their objects more members, that come from an import. A property that this provider manages and
// that is no longer configured is a change.
func (p *Plan) unchanged(a Attribute) bool {
	config, prior := p.Config[a.Name], p.Prior[a.Name]
	if a.Type != Properties {
		return a.same(config, prior)
	}
	if !config.IsFullyKnown() {
		return false
	}
	wanted, have := value.Members(config), value.Members(prior)
	imported := func(name string) bool { return !slices.Contains(p.Managed, propertyKey(name)) }
	for name := range have {
		if _, ok := wanted[name]; !ok && !imported(name) {
			return false
		}
	}
	return a.holds(wanted, have, imported)
}

// makeName plans the name of an instance that is created without one.
func (p *Plan) makeName() {
	if p.Kind.MakeName == nil || p.Configured(RowName) || p.Prior != nil {
		return
	}
	if name, known := p.Kind.MakeName(p); known {
		p.SetText(RowName, name)
	}
}

// Managed returns the attributes that the configuration sets and that eNMS has according to the
// state. It adds those in before, which may still be set, as after an update that failed
// half-way.
func (k *Kind) Managed(config, state Values, before []string) []string {
	managed := slices.Clone(before)
	for _, a := range k.rows().remote {
		absent := !state[RowID].IsNull() && state[a.Name].IsNull()
		if absent || config[a.Name].IsNull() {
			continue
		}
		managed = append(managed, a.Name)
		if a.ChangesOnWrite {
			managed = append(managed, valueKey(a, config[a.Name]))
		}
		if a.Type == Properties {
			for name := range value.Members(config[a.Name]) {
				managed = append(managed, propertyKey(name))
			}
		}
	}
	slices.Sort(managed)
	return slices.Compact(managed)
}

// StillManaged returns the managed attributes without those that had eNMS's default and that
// somebody else has changed. If such an attribute is configured, it will be set and managed
// again.
func (k *Kind) StillManaged(managed []string, before, now Values) []string {
	foreign := map[string]bool{}
	for _, a := range k.rows().fields {
		if a.same(before[a.Name], a.resetValue()) && !a.same(now[a.Name], before[a.Name]) {
			foreign[a.Name], foreign[valueKey(a, before[a.Name])] = true, true
		}
	}
	return slices.DeleteFunc(slices.Clone(managed), func(entry string) bool { return foreign[entry] })
}

// valueKey returns the entry in the managed attributes for the value that an attribute with
// ChangesOnWrite was set to.
func valueKey(a Attribute, v tftypes.Value) string {
	return fmt.Sprintf("%s=%v", a.Name, value.ToJSON(v))
}

// propertyKey returns the entry in the managed attributes for a property.
func propertyKey(name string) string { return RowProperties + "." + name }

// Creating reports whether the instance is to be created.
func (p *Plan) Creating() bool { return p.Prior == nil && !p.ConfigOnly }

// Configured reports whether the attribute is configured, even if its value is unknown.
func (p *Plan) Configured(name string) bool { return !p.Config[name].IsNull() }

// ConfiguredField reports whether the configured properties contain a field.
func (p *Plan) ConfiguredField(name string) bool {
	_, is := value.Members(p.Config[RowProperties])[name]
	return is
}

// Changed reports whether an existing instance's attribute is to change.
func (p *Plan) Changed(name string) bool {
	return p.Prior != nil && !p.Planned[name].Equal(p.Prior[name])
}

// effective returns the planned value, or eNMS's default when that of an attribute that is not
// configured is unknown.
func (p *Plan) effective(name string) tftypes.Value {
	if v := p.Planned[name]; v.IsKnown() || p.Configured(name) || p.ConfigOnly {
		return v
	}
	a := p.Kind.row(name)
	if a.OnCreate != nil {
		return a.Value(a.OnCreate)
	}
	return a.resetValue()
}

// Text returns a planned string, or "" if it is null; known is false if it is unknown until
// apply.
func (p *Plan) Text(name string) (s string, known bool) {
	v := p.effective(name)
	return value.Text(v), v.IsKnown()
}

// PriorText returns a string in the state, or "" if there is none.
func (p *Plan) PriorText(name string) string { return value.Text(p.Prior[name]) }

// Flag returns a planned Boolean, or false if it is null; known is as for Text.
func (p *Plan) Flag(name string) (flag, known bool) {
	v := p.effective(name)
	if v.IsKnown() && !v.IsNull() {
		_ = v.As(&flag)
	}
	return flag, v.IsKnown()
}

// WroteTrue reports whether this provider has last set a Boolean to true. known is false if it
// does not manage the attribute.
func (p *Plan) WroteTrue(name string) (wrote, known bool) {
	a := p.Kind.row(name)
	return slices.Contains(p.Managed, valueKey(a, a.Value(true))), slices.Contains(p.Managed, name)
}

// Zero reports whether a number is planned as null or 0, which are the same for eNMS; known is as
// for Text.
func (p *Plan) Zero(name string) (zero, known bool) {
	v := p.effective(name)
	return v.IsNull() || v.Equal(tftypes.NewValue(tftypes.Number, 0)), v.IsKnown()
}

// Names returns the planned members of a relation to many; known is false if any of them is
// unknown until apply.
func (p *Plan) Names(name string) (list []string, known bool) {
	v := p.effective(name)
	return value.Names(v), v.IsFullyKnown()
}

// Criteria returns the criteria of an attribute as far as they are known.
func (p *Plan) Criteria(name string) map[string]Criterion {
	return knownCriteria(p.effective(name))
}

// PriorCriteria returns the criteria of an attribute in the state.
func (p *Plan) PriorCriteria(name string) map[string]Criterion {
	if p.Prior == nil {
		return nil
	}
	return knownCriteria(p.Prior[name])
}

// TakenOut reports whether the attribute was removed from the configuration: this provider
// manages it, and it is not configured.
func (p *Plan) TakenOut(name string) bool {
	return p.Prior != nil && !p.Configured(name) && slices.Contains(p.Managed, name)
}

func (p *Plan) writes() bool {
	return slices.ContainsFunc(p.Kind.rows().remote, func(a Attribute) bool { return p.Changed(a.Name) })
}

// repeats reports whether an existing instance keeps the value of an attribute.
func (p *Plan) repeats(a Attribute) bool {
	return p.Prior != nil && len(p.Replaced) == 0 && p.Planned[a.Name].Equal(p.Prior[a.Name])
}

// change returns the part of an attribute's planned value that is known and not in the state, or
// nil if there is none.
func (p *Plan) change(a Attribute) any {
	planned, prior := p.Planned[a.Name], p.Prior[a.Name]
	if len(p.Replaced) > 0 { // another instance is created
		prior = tftypes.NewValue(planned.Type(), nil)
	}
	switch {
	case a.Role == Secret: // it is in no plan
		return value.ToJSON(p.Config[a.Name])
	case p.repeats(a):
		return nil
	case a.Type == Properties:
		return a.changedProperties(planned, prior)
	}
	return value.ToJSON(planned)
}

// SetFlag plans a Boolean.
func (p *Plan) SetFlag(name string, flag bool) {
	p.Planned[name] = tftypes.NewValue(tftypes.Bool, flag)
}

// SetText plans a string.
func (p *Plan) SetText(name, s string) {
	p.Planned[name] = tftypes.NewValue(tftypes.String, s)
}

// Keep plans an attribute as it is in the state.
func (p *Plan) Keep(name string) { p.Planned[name] = p.Prior[name] }

// Forget plans the attribute as unknown.
func (p *Plan) Forget(name string) { p.Planned[name] = p.Kind.row(name).unknown() }

// Recreate plans a new instance in place of one that is gone.
func (p *Plan) Recreate() {
	p.Forget(RowID)
	p.Replaced = append(p.Replaced, RowID)
}

// Error adds an error about an attribute.
func (p *Plan) Error(name, summary, detail string) {
	p.Diagnostics.AddAttributeError(path.Root(name), summary, detail)
}

// Refuse is Error, but the error remains one even if nothing is to be written.
func (p *Plan) Refuse(name, summary, detail string) {
	p.Refused.AddAttributeError(path.Root(name), summary, detail)
}

// ErrorAt adds an error about a member of an attribute.
func (p *Plan) ErrorAt(name, member, summary, detail string) {
	p.Diagnostics.AddAttributeError(path.Root(name).AtMapKey(member), summary, detail)
}

// WarnAt adds a warning about a member of an attribute.
func (p *Plan) WarnAt(name, member, summary, detail string) {
	p.Diagnostics.AddAttributeWarning(path.Root(name).AtMapKey(member), summary, detail)
}

// Warn adds a warning about an attribute.
func (p *Plan) Warn(name, summary, detail string) {
	p.Diagnostics.AddAttributeWarning(path.Root(name), summary, detail)
}

// ForgetMade plans as unknown the name that the kind makes, and what it derives, because a
// creation may adopt an instance that has its own.
func (p *Plan) ForgetMade() {
	if p.Kind.MakeName == nil || p.Configured(RowName) {
		return
	}
	p.Forget(RowName)
	for _, a := range p.Kind.rows().fields {
		if a.Derived && !p.Configured(a.Name) {
			p.Forget(a.Name)
		}
	}
}

// ForgetCriteria plans criteria that are not configured as unknown, because a creation may adopt
// an instance that has some.
func (p *Plan) ForgetCriteria() {
	for _, a := range p.Kind.rows().criteria {
		if p.Planned[a.Name].IsNull() {
			p.Forget(a.Name)
		}
	}
}
