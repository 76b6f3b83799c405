// Package plans plans one instance: the plan as a whole (plan.go), each attribute by itself (planned.go), the
// defaults of the provider block (defaults.go) and the attributes that this provider manages (managed.go). It checks
// plans (check.go, members.go, secret.go), and configurations alone, before there is a plan (validate.go). It
// generates the configuration of an existing instance (generate.go).
//
// An attribute that is removed from the configuration is reset if this provider manages it, that is, has set it
// before; one that was never configured is left alone. A field that is removed from properties keeps its value.
package plans

import (
	"maps"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// New plans one instance. prior is nil for a creation; managed is the list that Managed returns.
func New(k *kind.Kind, config, prior kind.Values, managed []string, now time.Time) *kind.Plan {
	p := &kind.Plan{Kind: k, Config: maps.Clone(config), Prior: prior, Managed: managed, Now: now, Planned: kind.Values{}}
	for _, a := range k.Table().Resource {
		p.Config[a.Name] = a.Filled(config[a.Name])
		p.Planned[a.Name] = planAttribute(p, a)
		if prior != nil && a.Recreate && !value.Same(p.Planned[a.Name], prior[a.Name]) {
			p.Replaced = append(p.Replaced, a.Name)
		}
	}
	makeName(p) // of the planned attributes
	checkNeeded(p)
	checkProperties(p)
	planSecrets(p)
	checkBounds(p)
	checkValues(p)
	checkMembers(p)
	warnOfPlainSecrets(p)
	checkTogether(p)
	planChangesOnWrite(p) // last, because it depends on all that is planned, and a kind's Check may plan values
	return p
}

// Adoption plans the update of an existing instance that a creation adopts. It keeps the
// values that the creation has planned, and eNMS's values of attributes that are not configured.
// It makes the versions of secrets in existing unknown, so that an update from existing sends the secrets.
func Adoption(k *kind.Kind, config, planned, existing kind.Values, now time.Time) *kind.Plan {
	for _, a := range k.Table().Secrets {
		existing[a.VersionName()] = tftypes.NewValue(tftypes.Number, tftypes.UnknownValue)
	}
	p := New(k, config, existing, nil, now)
	for _, a := range k.Table().Resource {
		if v := planned[a.Name]; v.IsFullyKnown() && !v.IsNull() {
			p.Planned[a.Name] = v
		}
	}
	return p
}

// SwitchedOn returns the configuration that enables an instance again which was disabled: it adds the values that
// the fields in Off had before, unless the configuration sets them.
func SwitchedOn(k *kind.Kind, config, before kind.Values) kind.Values {
	on := maps.Clone(config)
	for field := range k.Off {
		if a, is := k.Table().ByName[field]; is && config[a.Name].IsNull() && before[a.Name].IsKnown() {
			on[a.Name] = before[a.Name]
		}
	}
	return on
}

// planChangesOnWrite plans attributes that eNMS may change at this write (ChangesOnWrite) as unknown, unless they are
// configured or change anyway.
func planChangesOnWrite(p *kind.Plan) {
	if p.Kind.ChangesOnWrite == nil || !writes(p) || !p.Kind.ChangesOnWrite(p) {
		return
	}
	for _, a := range p.Kind.Table().Remote {
		if a.ChangesOnWrite && p.Config[a.Name].IsNull() && value.Same(p.Planned[a.Name], p.Prior[a.Name]) {
			p.Planned[a.Name] = a.Unknown()
		}
	}
}

// SetNameUnknown plans the name that the kind makes as unknown: the creation takes another one if it is taken.
func SetNameUnknown(p *kind.Plan) {
	if !p.Configured(kind.RowName) {
		p.SetUnknown(kind.RowName)
	}
}

// SetDefaultsUnknown plans the defaults as unknown, so that a creation that may adopt an instance does not send them.
func SetDefaultsUnknown(p *kind.Plan) {
	for _, a := range p.Kind.Table().Fields {
		if _, certain := a.PlannedDefault(); certain && !p.Configured(a.Name) {
			p.SetUnknown(a.Name)
		}
	}
}

// SetUnknownForAdoption plans as unknown what a creation may take over from an existing instance beside defaults: criteria
// that are not configured; and, if the kind makes the name, the attributes derived from it, which is that of the existing
// one then.
func SetUnknownForAdoption(p *kind.Plan) {
	for _, a := range p.Kind.Table().Criteria {
		if p.Planned[a.Name].IsNull() {
			p.SetUnknown(a.Name)
		}
	}
	if p.Kind.MakeName == nil || p.Configured(kind.RowName) {
		return
	}
	for _, a := range p.Kind.Table().Fields {
		if a.Derived && !p.Configured(a.Name) {
			p.SetUnknown(a.Name)
		}
	}
}
