// This file plans: from the configuration, the state and what this provider
// has set before, it tells what an instance will be. It sends nothing.

package kind

import (
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// NewPlan plans one instance. prior is nil on creation; managed lists what this
// provider has set before.
func (k *Kind) NewPlan(config, prior Values, managed []string, now time.Time) *Plan {
	p := &Plan{kind: k, config: config, prior: prior, managed: managed, now: now, planned: Values{}}
	for _, a := range k.Rows() {
		if a.DataOnly {
			continue
		}
		p.planned[a.Name] = p.attribute(a)
		if prior != nil && a.Recreate && !p.planned[a.Name].Equal(prior[a.Name]) {
			p.replace = append(p.replace, a.Name)
		}
	}
	p.checkFields()
	p.checkBounds()
	if k.Check != nil {
		k.Check(p)
	}
	p.unsettle()
	return p
}

// attribute plans one attribute by itself.
func (p *Plan) attribute(a Attribute) tftypes.Value {
	config := p.config[a.Name]
	switch {
	case a.Role == Setting:
		return config
	case !config.IsNull():
		if p.prior != nil && !p.prior[a.Name].IsNull() && p.unchanged(a) {
			return p.prior[a.Name]
		}
		return config
	case p.prior == nil:
		return p.created(a)
	case slices.Contains(p.managed, a.Name) && !a.Derived:
		return a.resetValue()
	}
	return p.prior[a.Name]
}

// unchanged tells whether the configuration says what the state says already.
// Of further fields, the state may hold more than the configuration names, and
// their objects more members, as far as an import brought them; but what this
// provider has set is missed when it is no longer configured.
func (p *Plan) unchanged(a Attribute) bool {
	config, prior := p.config[a.Name], p.prior[a.Name]
	if a.Meaning != Fields {
		return a.same(config, prior)
	}
	if !config.IsFullyKnown() {
		return false
	}
	wanted, there := value.Members(config), value.Members(prior)
	imported := func(name string) bool { return !slices.Contains(p.managed, fieldKey(name)) }
	for name := range there {
		if _, ok := wanted[name]; !ok && !imported(name) {
			return false
		}
	}
	return a.holds(wanted, there, imported)
}

// steering are keys that are no fields: they steer the upsert (enms-rest.md
// 0.2).
var steering = []string{"id", "type", "new_name", "must_be_new", "no_fetch", "rbac", "commit", "migration_import", "import_mechanism", "list_data"}

// checkFields refuses further fields that have an attribute of their own, and
// such as must never be sent.
func (p *Plan) checkFields() {
	given := value.Members(p.config[RowProperties])
	for _, a := range p.kind.Rows() {
		if _, ok := given[a.property()]; ok && a.Role != Subtype && a.Role != Identity {
			p.Error(RowProperties, fmt.Sprintf("%s does not belong in properties", a.property()),
				fmt.Sprintf("It has an attribute of its own, %s, or is computed by eNMS. Take it out of properties.", a.Name))
		}
	}
	for _, name := range slices.Concat(steering, p.kind.NeverSent) {
		if _, ok := given[name]; ok {
			p.Error(RowProperties, fmt.Sprintf("%s must not be sent", name),
				fmt.Sprintf("eNMS refuses %q, or takes it for an order to change, rename or delete something else than the fields of this %s. Take it out of properties.", name, p.kind.Name))
		}
	}
}

// created plans an attribute that is not configured, of an instance that is to
// be created: eNMS fills it in.
func (p *Plan) created(a Attribute) tftypes.Value {
	switch {
	case a.Meaning == Fields:
		return a.null()
	case a.Role == Subtype:
		return a.value(a.Default)
	}
	return a.unknown()
}

// unsettle plans as unknown what eNMS may change whenever the instance is
// written, if it is to be written.
func (p *Plan) unsettle() {
	if !p.writes() {
		return
	}
	for _, a := range p.kind.Rows() {
		if a.Restless && p.config[a.Name].IsNull() && p.planned[a.Name].Equal(p.prior[a.Name]) {
			p.planned[a.Name] = a.unknown()
		}
	}
}

// writes tells whether an existing instance is to be changed in eNMS.
func (p *Plan) writes() bool {
	if p.prior == nil {
		return false
	}
	for _, a := range p.kind.Rows() {
		if a.Role != Setting && !a.DataOnly && !p.planned[a.Name].Equal(p.prior[a.Name]) {
			return true
		}
	}
	return false
}

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
		return a.value(a.OnCreate)
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
	return slices.Contains(p.managed, valueKey(a, a.value(true))), slices.Contains(p.managed, name)
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

// Forget plans that only the apply will tell the attribute.
func (p *Plan) Forget(name string) { p.planned[name] = p.kind.row(name).unknown() }

// Error says what is wrong with an attribute, and what to write.
func (p *Plan) Error(name, summary, detail string) {
	p.Diagnostics.AddAttributeError(path.Root(name), summary, detail)
}

// Warn says what may be wrong with an attribute.
func (p *Plan) Warn(name, summary, detail string) {
	p.Diagnostics.AddAttributeWarning(path.Root(name), summary, detail)
}
