// This file warns in plans about tasks without a target: eNMS stores them, and every run fails (enms-rest.md 4).

package planning

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// CheckAndRecordTargets warns about a new task that runs on no target: neither the task nor its service has one, and
// the service needs one. Of a service, it records that for the plans of tasks, which Terraform makes afterwards if they refer to
// it. A service that this run does not plan takes a request.
func (r *Checker) CheckAndRecordTargets(ctx context.Context, p *kind.Plan) (diags diag.Diagnostics) {
	if !p.Creating() || r.Provider.Adopts(p.Planned) || hasTarget(p) {
		return nil
	}
	runs, of := runnerRow(p.Kind, r.Provider.Kinds)
	if of == nil { // a service
		if key := r.NameOf(p.Planned); key.Text != "" {
			r.Provider.Run.Plans.Untargeted.Add(key)
		}
		return nil
	}
	name := value.Text(p.Planned[runs])
	if name == "" || !r.LooksUp() {
		return nil
	}
	if key := (applying.Name{Namespace: of.Namespace, Text: name}); r.Provider.Run.Plans.Planned.Has(key) {
		if !r.Provider.Run.Plans.Untargeted.Has(key) {
			return nil
		}
	} else if !r.isUntargeted(ctx, of, name) {
		return nil
	}
	targets := of.Table().Targets
	diags.AddAttributeWarning(path.Root(runs), fmt.Sprintf("The %s has no target", p.Kind.Name),
		fmt.Sprintf("Neither the %s nor its %s %q has devices to run on, so every run fails. Write %s on the %s, or %s on the %s; or, if it needs no devices, another %s than %q there.",
			p.Kind.Name, of.Name, name, listed(p.Kind.Table().Targets), p.Kind.Name, listed(targets), of.Name, targets[0].UsedIf[0], targets[0].UsedIf[1]))
	return diags
}

// listed lists the names of rows.
func listed(rows []kind.Attribute) string {
	names := make([]string, len(rows))
	for i, a := range rows {
		names[i] = a.Name
	}
	return strings.Join(names, " or ")
}

// runnerRow returns the relation of a kind with targets to what it runs, if that has targets of its own, such as the
// service of a task; of is nil if there is none.
func runnerRow(k *kind.Kind, kinds []*kind.Kind) (row string, of *kind.Kind) {
	for _, a := range k.Table().Relations {
		if other := kind.Named(kinds, a.Of); other.Name != k.Name && len(other.Table().Targets) > 0 {
			return a.Name, other
		}
	}
	return "", nil
}

// targetFields returns the properties of a kind that find targets.
func targetFields(k *kind.Kind) (names []string) {
	for _, a := range k.Properties {
		if a.Target {
			names = append(names, a.Name)
		}
	}
	return names
}

// hasTarget reports whether a new instance has a target, may have one, or needs none.
func hasTarget(p *kind.Plan) bool {
	for _, a := range p.Kind.Table().Targets {
		if method, known := p.Text(a.UsedIf[0]); !known || method != a.UsedIf[1] { // without UsedIf, both are ""
			return true
		}
		if names, known := p.Names(a.Name); !known || len(names) > 0 {
			return true
		}
	}
	fields := kind.ValuesOf(p.Config[kind.RowProperties])
	return !p.Config[kind.RowProperties].IsKnown() || len(p.Kind.Table().Targets) == 0 ||
		slices.ContainsFunc(targetFields(p.Kind), func(name string) bool {
			v, is := fields[name]
			return is && (!v.IsKnown() || value.Text(v) != "")
		})
}

// isUntargeted reports whether an instance in eNMS needs a target and has none. It returns false if the request fails.
func (r *Checker) isUntargeted(ctx context.Context, k *kind.Kind, name string) bool {
	answer, err := r.withTargets(ctx, k, name)
	if err != nil {
		return false
	}
	for _, a := range k.Table().Targets {
		members, is := answer[a.Name].([]any)
		if !is || len(members) > 0 || answer[a.UsedIf[0]] != a.UsedIf[1] {
			return false
		}
	}
	return !slices.ContainsFunc(targetFields(k), func(field string) bool { return answer[field] != "" })
}

// withTargets reads an instance with its relations to targets.
func (r *Checker) withTargets(ctx context.Context, k *kind.Kind, name string) (value.Object, error) {
	rows := k.Table().Targets
	relations := make([]enms.Relation, len(rows))
	for i, a := range rows {
		relations[i] = enms.Relation{Name: a.Name, Of: a.Of, Inverse: a.Inverse}
	}
	return r.Provider.Client.GetShared(ctx, k.Name, name, relations)
}
