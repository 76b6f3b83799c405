// This file plans an instance from the configuration, the state and the managed
// attributes, and checks the plan.

package kind

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"
	"unicode/utf8"

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
	p.checkProperties()
	p.checkBounds()
	if k.Check != nil {
		k.Check(p)
	}
	p.planChangesOnWrite()
	return p
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

// unchanged tells whether the state holds what is configured. It may hold further
// properties, and their objects further members, that an import brought; those that
// this provider manages and that are not configured any more are a change.
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

// planChangesOnWrite plans as unknown what eNMS may change whenever it writes the
// instance, if the plan changes anything in eNMS.
func (p *Plan) planChangesOnWrite() {
	remote := p.kind.rows().remote
	if !slices.ContainsFunc(remote, func(a Attribute) bool { return p.Changed(a.Name) }) {
		return
	}
	for _, a := range remote {
		if a.ChangesOnWrite && p.config[a.Name].IsNull() && p.planned[a.Name].Equal(p.prior[a.Name]) {
			p.planned[a.Name] = a.unknown()
		}
	}
}

// controlKeys are keys of a payload that are no fields of the instance (enms-rest.md 0.2).
var controlKeys = []string{"id", "type", "new_name", "must_be_new", "no_fetch", "rbac", "commit", "migration_import", "import_mechanism", "list_data"}

// checkProperties refuses properties that have an attribute of their own, and such
// as must never be sent.
func (p *Plan) checkProperties() {
	properties := value.Members(p.config[RowProperties])
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		a, ofRow := p.kind.rowOf(properties, name)
		switch {
		case slices.Contains(controlKeys, name), slices.Contains(p.kind.NeverSent, name):
			p.Error(RowProperties, fmt.Sprintf("%s must not be sent", name),
				fmt.Sprintf("eNMS refuses %q, or takes it for an order to change, rename or delete something else than the fields of this %s. Take it out of properties.", name, p.kind.Name))
		case ofRow:
			p.Error(RowProperties, fmt.Sprintf("%s does not belong in properties", name),
				fmt.Sprintf("It has an attribute of its own, %s, or is computed by eNMS. Take it out of properties.", a.Name))
		}
	}
}

// checkBounds refuses what not every database of eNMS holds: too long a text, and the
// character NUL (enms-rest.md 1.1). What an existing instance holds may stay: SQLite
// holds more than others.
func (p *Plan) checkBounds() {
	for _, a := range slices.Concat(p.kind.rows().remote, p.kind.rows().secrets) {
		if p.config[a.Name].IsNull() {
			continue
		}
		change := p.change(a)
		if at, found := value.FindNUL(change); found {
			p.Error(a.Name, fmt.Sprintf("%s holds a NUL", a.Name), fmt.Sprintf("There is a NUL (U+0000) in %s%s. %s", a.Name, at, noNUL))
		}
		s, ok := change.(string)
		if !ok || a.Type != Text || a.Role == Key || a.MaxLength == Unbounded { // names have a check of their own
			continue
		}
		if length, most := utf8.RuneCountInString(s), cmp.Or(a.MaxLength, CommonLength); length > most {
			p.Error(a.Name, fmt.Sprintf("%s is too long", a.Name),
				fmt.Sprintf("It has %d characters, of which at most %d fit: eNMS's column is no longer, and PostgreSQL and MariaDB refuse what does not fit. Only SQLite would take it. Make it shorter by %d.", length, most, length-most))
		}
	}
}

// change is what would be written of an attribute and is not in the state, as far as
// it is known; nil when there is nothing.
func (p *Plan) change(a Attribute) any {
	planned, prior := p.planned[a.Name], p.prior[a.Name]
	switch {
	case a.Role == Secret: // which is in no plan
		return value.ToJSON(p.config[a.Name])
	case planned.Equal(prior):
		return nil
	case a.Type == Properties:
		return a.changedProperties(planned, prior)
	}
	return value.ToJSON(planned)
}
