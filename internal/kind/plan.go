// This file declares the plan of an instance as the hooks of a kind see it. Package plans makes it.

package kind

import (
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Creating reports whether the instance is to be created.
func (p *Plan) Creating() bool { return p.Prior == nil && !p.ConfigOnly }

// Configured reports whether the attribute is configured, even if its value is unknown.
func (p *Plan) Configured(name string) bool { return !p.Config[name].IsNull() }

// ConfiguredField reports whether the configured properties contain a field.
func (p *Plan) ConfiguredField(name string) bool {
	_, is := value.Members(p.Config[RowProperties])[name]
	return is
}

// FieldText returns the string that a field of properties has in the configuration, and in the state; "" for none.
func (p *Plan) FieldText(name string) (configured, prior string) {
	configured, _ = value.Members(p.Config[RowProperties])[name].(string)
	prior, _ = value.Members(p.Prior[RowProperties])[name].(string)
	return configured, prior
}

// Changed reports whether an existing instance's attribute is to change.
func (p *Plan) Changed(name string) bool {
	return p.Prior != nil && !value.Same(p.Planned[name], p.Prior[name])
}

// Effective returns the planned value. If it is unknown and not configured, Effective returns the value that eNMS gives
// a new instance; with ConfigOnly, it remains unknown.
func (p *Plan) Effective(name string) tftypes.Value {
	if v := p.Planned[name]; v.IsKnown() || p.Configured(name) || p.ConfigOnly {
		return v
	}
	a := p.Kind.Row(name)
	if a.OnCreate != nil {
		return a.Value(a.OnCreate)
	}
	return a.ResetValue()
}

// Text returns a planned string, or "" if it is null; known is false if it is unknown until apply.
func (p *Plan) Text(name string) (s string, known bool) {
	v := p.Effective(name)
	return value.Text(v), v.IsKnown()
}

// PriorText returns a string in the state, or "" if there is none.
func (p *Plan) PriorText(name string) string { return value.Text(p.Prior[name]) }

// Flag returns a planned Boolean, or false if it is null or unknown; known is as for Text.
func (p *Plan) Flag(name string) (flag, known bool) {
	v := p.Effective(name)
	return IsTrue(v), v.IsKnown()
}

// WroteTrue reports whether this provider has last set a Boolean to true. known is false if it
// does not manage the attribute.
func (p *Plan) WroteTrue(name string) (wrote, known bool) {
	a := p.Kind.Row(name)
	return slices.Contains(p.Managed, ValueKey(a, a.Value(true))), slices.Contains(p.Managed, name)
}

// Zero reports whether a number is planned as null or 0, which are the same for eNMS; known is as for Text.
func (p *Plan) Zero(name string) (zero, known bool) {
	v := p.Effective(name)
	return v.IsNull() || v.Equal(tftypes.NewValue(tftypes.Number, 0)), v.IsKnown()
}

// Names returns the planned members of a relation to many; known is false if any of them is unknown until apply.
func (p *Plan) Names(name string) (list []string, known bool) {
	v := p.Effective(name)
	return value.Names(v), v.IsFullyKnown()
}

// Removed reports whether the attribute was removed from the configuration: this provider manages
// it, and it is not configured.
func (p *Plan) Removed(name string) bool {
	return p.Prior != nil && !p.Configured(name) && slices.Contains(p.Managed, name)
}

// SetFlag plans a Boolean.
func (p *Plan) SetFlag(name string, flag bool) {
	p.Planned[name] = tftypes.NewValue(tftypes.Bool, flag)
}

// SetText plans a string.
func (p *Plan) SetText(name, s string) {
	p.Planned[name] = tftypes.NewValue(tftypes.String, s)
}

// KeepPrior plans an attribute as it is in the state.
func (p *Plan) KeepPrior(name string) { p.Planned[name] = p.Prior[name] }

// SetUnknown plans an attribute as unknown.
func (p *Plan) SetUnknown(name string) { p.Planned[name] = p.Kind.Row(name).Unknown() }

// Recreate plans to create the instance again, because it is gone.
func (p *Plan) Recreate() {
	p.SetUnknown(RowID)
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

// ValueKey returns the entry in the managed attributes for the value that an attribute with
// ChangesOnWrite was set to.
func ValueKey(a Attribute, v tftypes.Value) string {
	return fmt.Sprintf("%s=%v", a.Name, value.ToJSON(v))
}
