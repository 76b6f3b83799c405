// This file is what checks ask of a plan, and how they tell what is wrong with it.

package kind

import (
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Planned are the values of the plan.
func (p *Plan) Planned() Values { return p.planned }

// Replaced are the attributes whose change needs another instance.
func (p *Plan) Replaced() []string { return p.replace }

// Now is the time at which the plan is made.
func (p *Plan) Now() time.Time { return p.now }

// Creating tells whether the instance is to be created.
func (p *Plan) Creating() bool { return p.prior == nil }

// Configured tells whether the configuration holds the attribute, be its value
// known or not.
func (p *Plan) Configured(name string) bool { return !p.config[name].IsNull() }

// Changed tells whether an existing instance's attribute is to change.
func (p *Plan) Changed(name string) bool {
	return p.prior != nil && !p.planned[name].Equal(p.prior[name])
}

// effective is the value that will count: the planned one, or eNMS's default
// when nothing else is known of an attribute that is not configured.
func (p *Plan) effective(name string) tftypes.Value {
	if v := p.planned[name]; v.IsKnown() || p.Configured(name) {
		return v
	}
	a := p.kind.row(name)
	if a.OnCreate != nil {
		return a.Value(a.OnCreate)
	}
	return a.resetValue()
}

// Text is a text or a name as it will be, "" when it is null; known is false
// when only the apply will tell.
func (p *Plan) Text(name string) (s string, known bool) {
	v := p.effective(name)
	return value.Text(v), v.IsKnown()
}

// PriorText is a text or a name as the state has it, "" when there is none.
func (p *Plan) PriorText(name string) string { return value.Text(p.prior[name]) }

// Flag is a flag as it will be, false when it is null; known is false when only
// the apply will tell.
func (p *Plan) Flag(name string) (flag, known bool) {
	v := p.effective(name)
	if v.IsKnown() && !v.IsNull() {
		_ = v.As(&flag)
	}
	return flag, v.IsKnown()
}

// WroteTrue tells whether this provider has last set a flag to true. known is
// false when it has never set it.
func (p *Plan) WroteTrue(name string) (wrote, known bool) {
	a := p.kind.row(name)
	return slices.Contains(p.managed, valueKey(a, a.Value(true))), slices.Contains(p.managed, name)
}

// Zero tells whether a number will be null or 0, which for eNMS is the same;
// known is false when only the apply will tell.
func (p *Plan) Zero(name string) (zero, known bool) {
	v := p.effective(name)
	zeroValue := tftypes.NewValue(tftypes.Number, int64(0))
	return v.IsNull() || v.Equal(zeroValue), v.IsKnown()
}

// Names are the members of a relation to many as it will be; known is false
// when only the apply will tell all of them.
func (p *Plan) Names(name string) (list []string, known bool) {
	v := p.effective(name)
	if !v.IsFullyKnown() {
		return nil, false
	}
	return value.Names(v), true
}

// SetText plans a text.
func (p *Plan) SetText(name, s string) {
	p.planned[name] = tftypes.NewValue(tftypes.String, s)
}

// Keep plans that an existing instance's attribute stays as it is.
func (p *Plan) Keep(name string) { p.planned[name] = p.prior[name] }

// Forget plans the attribute as unknown: only the apply will tell its value.
func (p *Plan) Forget(name string) { p.planned[name] = p.kind.row(name).unknown() }

// Error says what is wrong with an attribute, and what to write.
func (p *Plan) Error(name, summary, detail string) {
	p.Diagnostics.AddAttributeError(path.Root(name), summary, detail)
}

// Warn says what may be wrong with an attribute.
func (p *Plan) Warn(name, summary, detail string) {
	p.Diagnostics.AddAttributeWarning(path.Root(name), summary, detail)
}

// Refuse is Error, and stays an error when nothing is to be written.
func (p *Plan) Refuse(name, summary, detail string) {
	p.refused.AddAttributeError(path.Root(name), summary, detail)
}
