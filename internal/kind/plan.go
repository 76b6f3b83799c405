// This file plans: from the configuration, the state and what this provider
// has set before, it tells what an instance will be. It sends nothing.

package kind

import (
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// NewPlan plans one instance. prior is nil on creation; managed lists what this
// provider has set before.
func (k *Kind) NewPlan(config, prior Values, managed []string, now time.Time) *Plan {
	p := &Plan{kind: k, config: config, prior: prior, managed: managed, now: now, planned: Values{}}
	for _, a := range k.rows().resource {
		p.planned[a.Name] = p.attribute(a)
		if prior != nil && a.Recreate && !p.planned[a.Name].Equal(prior[a.Name]) {
			p.replace = append(p.replace, a.Name)
		}
	}
	p.checkFields()
	p.checkBounds()
	p.checkValues()
	p.checkFurther()
	p.checkTogether()
	p.planChangesOnWrite()
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
	if a.Type != Fields {
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

// controlKeys are keys that are no fields: they steer the upsert (enms-rest.md
// 0.2).
var controlKeys = []string{"id", "type", "new_name", "must_be_new", "no_fetch", "rbac", "commit", "migration_import", "import_mechanism", "list_data"}

// checkFields refuses further fields that have an attribute of their own, and
// such as must never be sent.
func (p *Plan) checkFields() {
	given := value.Members(p.config[RowProperties])
	for _, a := range p.kind.rows().all {
		if _, ok := given[a.Name]; ok && a.Role != Subtype && a.Role != Identity {
			p.Error(RowProperties, fmt.Sprintf("%s does not belong in properties", a.Name),
				fmt.Sprintf("It has an attribute of its own, %s, or is computed by eNMS. Take it out of properties.", a.Name))
		}
	}
	for _, name := range slices.Concat(controlKeys, p.kind.NeverSent) {
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
	case a.Type == Fields:
		return a.null()
	case a.Role == Subtype:
		return a.Value(a.Default)
	}
	return a.unknown()
}

// planChangesOnWrite plans as unknown what eNMS may change whenever the instance is
// written, if it is to be written.
func (p *Plan) planChangesOnWrite() {
	if !p.writes() {
		return
	}
	for _, a := range p.kind.rows().remote {
		if a.ChangesOnWrite && p.config[a.Name].IsNull() && p.planned[a.Name].Equal(p.prior[a.Name]) {
			p.planned[a.Name] = a.unknown()
		}
	}
}

// writes tells whether an existing instance is to be changed in eNMS.
func (p *Plan) writes() bool {
	if p.prior == nil {
		return false
	}
	for _, a := range p.kind.rows().remote {
		if !p.planned[a.Name].Equal(p.prior[a.Name]) {
			return true
		}
	}
	return false
}
