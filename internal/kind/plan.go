// This file plans an instance from the configuration, the state and the managed
// attributes, and checks the plan. The type Plan is in kind.go, because a kind's
// Check takes one.

package kind

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// NewPlan plans one instance. prior is nil on creation; managed is the list that
// Managed makes.
func (k *Kind) NewPlan(config, prior Values, managed []string, now time.Time) *Plan {
	p := &Plan{kind: k, config: maps.Clone(config), prior: prior, managed: managed, now: now, planned: Values{}}
	for _, a := range k.rows().resource {
		p.config[a.Name] = a.filled(config[a.Name])
		p.planned[a.Name] = p.attribute(a)
		if prior != nil && a.Recreate && !p.planned[a.Name].Equal(prior[a.Name]) {
			p.replace = append(p.replace, a.Name)
		}
	}
	p.makeName()
	p.checkNeeded()
	p.checkProperties()
	p.checkSecrets()
	p.checkBounds()
	p.checkValues()
	p.checkFurther()
	p.checkTogether()
	p.planChangesOnWrite()
	return p
}

// PlanAdoption plans the update of an existing instance that a creation takes over. What the
// creation has planned stays so, and what is not configured stays as eNMS has it. Secrets
// are sent, whatever their version, which existing loses.
func (k *Kind) PlanAdoption(config, planned, existing Values, now time.Time) *Plan {
	for _, a := range k.rows().secrets {
		existing[a.versionName()] = tftypes.NewValue(tftypes.Number, tftypes.UnknownValue)
	}
	p := k.NewPlan(config, existing, nil, now)
	for _, a := range k.rows().resource {
		if v := planned[a.Name]; v.IsFullyKnown() && !v.IsNull() {
			p.planned[a.Name] = v
		}
	}
	return p
}

// SwitchedOn returns a configuration by which an instance that was switched off, as Off says,
// is as it was before, unless the configuration tells otherwise.
func (k *Kind) SwitchedOn(config, before Values) Values {
	on := maps.Clone(config)
	for field := range k.Off {
		if a, is := k.rows().byName[field]; is && config[a.Name].IsNull() && before[a.Name].IsKnown() {
			on[a.Name] = before[a.Name]
		}
	}
	return on
}

// attribute plans one attribute by itself.
func (p *Plan) attribute(a Attribute) tftypes.Value {
	config := p.config[a.Name]
	switch {
	case a.Role == Secret:
		return a.null()
	case a.Role == Setting:
		return config
	case !config.IsNull():
		if p.prior != nil && !p.prior[a.Name].IsNull() && p.unchanged(a) {
			return p.prior[a.Name]
		}
		return config
	case p.prior == nil && (a.Type == Properties || a.Type == Criteria || a.Automatic != nil):
		return a.null()
	case p.prior == nil && a.Role == Subtype:
		return a.Value(a.Default)
	case p.prior == nil:
		return a.unknown() // eNMS fills it in.
	case slices.Contains(p.managed, a.Name) && a.Automatic != nil:
		return a.null()
	case slices.Contains(p.managed, a.Name) && !a.Derived && a.Role != Key:
		return a.resetValue()
	}
	return p.prior[a.Name]
}

// unchanged reports whether the state holds what is configured. It may hold further
// properties, and their objects further members, that an import brought; those that this
// provider manages and that are not configured any more are a change.
func (p *Plan) unchanged(a Attribute) bool {
	config, prior := p.config[a.Name], p.prior[a.Name]
	if a.Type != Properties {
		return a.same(config, prior)
	}
	if !config.IsFullyKnown() {
		return false
	}
	wanted, have := value.Members(config), value.Members(prior)
	imported := func(name string) bool { return !slices.Contains(p.managed, propertyKey(name)) }
	for name := range have {
		if _, ok := wanted[name]; !ok && !imported(name) {
			return false
		}
	}
	return a.holds(wanted, have, imported)
}

// makeName plans the name of an instance that is created without one.
func (p *Plan) makeName() {
	if p.kind.MakeName == nil || p.Configured(RowName) || p.prior != nil {
		return
	}
	if name, known := p.kind.MakeName(p); known {
		p.SetText(RowName, name)
	}
}

// checkNeeded refuses a plan without an attribute that is needed.
func (p *Plan) checkNeeded() {
	for _, a := range p.kind.rows().remote {
		if a.Needed && !p.Configured(a.Name) && (p.Creating() || !p.prior[a.Name].IsNull()) {
			p.Error(a.Name, fmt.Sprintf("A %s needs a %s", p.kind.Name, a.Name), fmt.Sprintf("It is not in the configuration: add %s.", a.Name))
		}
	}
}

// CheckRequired refuses the creation of an instance without an attribute that the schema of
// its resource requires: entries of enms_instances have no schema.
func (p *Plan) CheckRequired() {
	for _, a := range p.kind.rows().fields {
		if a.Required && !p.Configured(a.Name) {
			p.Error(a.Name, fmt.Sprintf("A %s needs a %s", p.kind.Name, a.Name), fmt.Sprintf("It is not in the configuration: add %s.", a.Name))
		}
	}
}

// planChangesOnWrite plans as unknown what eNMS may change whenever it writes the
// instance, if the plan changes anything in eNMS.
func (p *Plan) planChangesOnWrite() {
	if p.kind.ChangesOnWrite == nil || !p.writes() || !p.kind.ChangesOnWrite(p) {
		return
	}
	for _, a := range p.kind.rows().remote {
		if a.ChangesOnWrite && p.config[a.Name].IsNull() && p.planned[a.Name].Equal(p.prior[a.Name]) {
			p.planned[a.Name] = a.unknown()
		}
	}
}

// checkProperties refuses properties that have an attribute of their own, such as must
// never be sent, and those that are written twice. Of a secret that would be in the
// state, it warns.
func (p *Plan) checkProperties() {
	const secretRow = RowProperties + writeOnlySuffix
	plain, secret := value.Members(p.config[RowProperties]), value.Members(p.config[secretRow])
	p.checkNames(RowProperties, plain)
	p.checkNames(secretRow, secret)
	for _, name := range slices.Sorted(maps.Keys(plain)) {
		if _, twice := secret[name]; twice {
			p.Error(secretRow, fmt.Sprintf("Duplicate field %s", name), fmt.Sprintf("Remove it from %s.", RowProperties))
		} else if a, ofRow := p.kind.rowOf(plain, name); p.kind.isSecret(name) && !(ofRow && a.Role == Secret) { // checkNames refuses those
			p.WarnAt(RowProperties, name, fmt.Sprintf("The secret %s is stored in the state", name),
				fmt.Sprintf("Values in %s are stored in the state and in plans. With Terraform 1.11 or newer, write it in %s with %s instead; it is then not stored.", RowProperties, secretRow, secretRow+versionSuffix))
		}
	}
}

// checkNames refuses properties of a row by their names.
func (p *Plan) checkNames(row string, properties map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		a, ofRow := p.kind.rowOf(properties, name)
		switch {
		case slices.Contains(controlKeys, name), slices.Contains(p.kind.NeverSent, name):
			p.ErrorAt(row, name, fmt.Sprintf("%s must not be sent", name),
				fmt.Sprintf("eNMS refuses %q, or would change, rename or delete something other than the fields of this %s. Remove it from %s.", name, p.kind.Name, row))
		case ofRow && a.Role == Secret && a.Type != Properties:
			p.ErrorAt(row, name, fmt.Sprintf("%s does not belong in %s", name, row),
				fmt.Sprintf("It is a secret with a write-only attribute, which is not stored. Remove it from %s, and write %s = \"...\" and %s = 1.", row, a.Name, a.versionName()))
		case ofRow && a.Name == name && !a.ReadOnly && a.Role != Identity && a.Role != Setting:
			p.ErrorAt(row, name, fmt.Sprintf("%s does not belong in %s", name, row),
				fmt.Sprintf("It has its own attribute: remove it from %s, and write %s instead.", row, name))
		case ofRow:
			p.ErrorAt(row, name, fmt.Sprintf("%s does not belong in %s", name, row),
				fmt.Sprintf("It belongs to the attribute %s, or eNMS computes it. Remove it from %s.", a.Name, row))
		}
	}
}
