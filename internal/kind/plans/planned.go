// This file plans the values of attributes one by one, from the configuration, the state and the managed attributes.

package plans

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// planAttribute plans one attribute by itself. A creation plans a default that is certain, and sends it
// (payloads.Create); eNMS fills in the others, and the state has them from the answer (states.Of). A managed
// attribute that is removed from the configuration is reset to the default.
func planAttribute(p *kind.Plan, a kind.Attribute) tftypes.Value {
	config := p.Config[a.Name]
	switch {
	case a.Role == kind.Secret:
		return a.Null()
	case a.Role == kind.Setting:
		return config
	case !config.IsNull():
		if !p.Prior[a.Name].IsNull() && unchanged(p, a) {
			return p.Prior[a.Name]
		}
		return config
	case p.Prior == nil && (a.Type == kind.Properties || a.Type == kind.Criteria || a.Automatic != nil):
		return a.Null()
	case p.Prior == nil && a.Role == kind.Subtype:
		return a.Value(a.Default)
	case p.Prior == nil:
		if v, certain := a.PlannedDefault(); certain {
			return v
		}
		return a.Unknown() // eNMS fills it in
	case slices.Contains(p.Managed, a.Name) && a.Automatic != nil:
		return a.Null()
	case slices.Contains(p.Managed, a.Name) && !a.Derived && a.Role != kind.Key:
		return a.ResetValue()
	}
	return p.Prior[a.Name]
}

// unchanged reports whether the state has the configured value. The state may have more properties, and
// their objects more members, that come from an import. A property that this provider manages and
// that is no longer configured is a change.
func unchanged(p *kind.Plan, a kind.Attribute) bool {
	config, prior := p.Config[a.Name], p.Prior[a.Name]
	if a.Type != kind.Properties {
		return a.Same(config, prior)
	}
	imported := func(name string) bool { return !slices.Contains(p.Managed, propertyKey(name)) }
	return a.SameProperties(config, prior, imported, imported)
}

// makeName plans the name of an instance that is created without one.
func makeName(p *kind.Plan) {
	if p.Kind.MakeName == nil || p.Configured(kind.RowName) || p.Prior != nil {
		return
	}
	if name, known := p.Kind.MakeName(p); known {
		p.SetText(kind.RowName, name)
	}
}

// writes reports whether the plan changes anything in eNMS.
func writes(p *kind.Plan) bool {
	return slices.ContainsFunc(p.Kind.Table().Remote, func(a kind.Attribute) bool { return p.Changed(a.Name) })
}

// keepsValue reports whether an existing instance keeps the value of an attribute.
func keepsValue(p *kind.Plan, a kind.Attribute) bool {
	return len(p.Replaced) == 0 && value.Same(p.Planned[a.Name], p.Prior[a.Name])
}

// changeOf returns what the plan changes of an attribute, as JSON: of properties the members that change, and of
// others the whole value. It is nil if nothing changes or the value is unknown.
func changeOf(p *kind.Plan, a kind.Attribute) any {
	planned, prior := p.Planned[a.Name], p.Prior[a.Name]
	if len(p.Replaced) > 0 { // another instance is created
		prior = tftypes.NewValue(planned.Type(), nil)
	}
	switch {
	case a.Role == kind.Secret: // no plan contains it
		return value.ToJSON(p.Config[a.Name])
	case keepsValue(p, a):
		return nil
	case a.Type == kind.Properties:
		return a.ChangedProperties(planned, prior)
	}
	return value.ToJSON(planned)
}
