// This file warns in plans of tasks and services that lose their last target. eNMS silently
// removes a deleted device or pool from them, and an active task then runs on the targets of
// its service (enms-rest.md 3). Tasks and services of the same configuration are not named:
// their own plans show the change.

package lifecycle

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Deletion is a planned deletion of an instance.
type Deletion struct {
	State kind.Values
	// Again: an instance of the same kind and name is created afterwards, and the references to
	// this one are restored.
	Again bool
}

// targetsPause is how long Terraform may take until it begins with another resource, while a plan
// waits for the tasks and services of the configuration. On a busy machine it takes a while.
const targetsPause = time.Second

// LastTargets returns warnings of tasks and services all of whose targets are deleted. It shares
// requests with the plans of other resources. If another plan is waiting already, that one
// returns the warnings.
func (r *Instances) LastTargets(ctx context.Context, deletions ...Deletion) diag.Diagnostics {
	if !r.provider.Ready() || r.provider.planned.isApplied() || r.provider.lookups.failed.Load() {
		return nil
	}
	target, relations := relate.TargetOf(r.kind, r.provider.Kinds)
	deletions = slices.DeleteFunc(slices.Clone(deletions), func(d Deletion) bool { return !r.Deletes(d.State) })
	if len(relations) == 0 || len(deletions) == 0 {
		return nil
	}
	names := make([]string, len(deletions))
	for i, d := range deletions {
		names[i] = value.Text(d.State[kind.RowName])
	}
	r.provider.targets.delete(target.Name, names)
	uses, err := r.provider.usesOf(ctx, target.Name, relations, names)
	if err != nil {
		if !enms.InternalServerError(err) && r.provider.lookups.failed.CompareAndSwap(false, true) {
			return diag.Diagnostics{diag.NewWarningDiagnostic(fmt.Sprintf("Cannot find the tasks and services that run on %s %q", r.kind.Name, names[0]),
				"This plan may delete the last target of tasks and services: "+explained(err))}
		}
		return nil
	}
	if len(r.provider.unplanned(uses)) == 0 {
		return nil
	}
	return r.provider.awaitUses(ctx, awaited{
		planned: func() bool { return len(r.provider.unplanned(uses)) == 0 },
		warn:    func(ctx context.Context) diag.Diagnostics { return r.warnOfLastTargets(ctx, target, deletions, uses) },
	})
}

// awaitUses waits until the resources of the tasks and services are known, and warns about the
// others. Only one plan waits at a time: if each did, they would keep Terraform, which works on
// ten resources at a time, from the resources that they wait for.
func (p *Provider) awaitUses(ctx context.Context, deleted awaited) (warnings diag.Diagnostics) {
	if p.targets.handOver(deleted) || p.activity.await(ctx, targetsPause, p.targets.stopIfPlanned) {
		return nil
	}
	for _, each := range p.targets.stop() {
		warnings = append(warnings, each.warn(ctx)...)
	}
	slices.SortFunc(warnings, func(a, b diag.Diagnostic) int { return strings.Compare(a.Summary(), b.Summary()) })
	return warnings
}

// warnOfLastTargets warns of the uses, by the names of the deleted instances, that no resource
// of this run is known to manage.
func (r *Instances) warnOfLastTargets(ctx context.Context, target *kind.Kind, deletions []Deletion, uses map[string][]use) (warnings diag.Diagnostics) {
	left := r.provider.unplanned(uses)
	for _, d := range deletions {
		name := value.Text(d.State[kind.RowName])
		if lost := r.provider.lost(ctx, reference{target.Name, name}, left[name]); len(lost) > 0 {
			warnings = append(warnings, r.lastTargetWarning(name, lost, d.Again))
		}
	}
	return warnings
}

func (r *Instances) lastTargetWarning(name string, lost []string, again bool) diag.Diagnostic {
	what := "They would have no target, and an active task then runs on the targets of its service. Give them another target, or deactivate the tasks, before you apply."
	if again {
		what = "They have no target until this apply has created it again. An active task that starts in between runs on the targets of its service."
	}
	return diag.NewWarningDiagnostic(fmt.Sprintf("Last target: %s %q", r.kind.Name, name),
		fmt.Sprintf("This plan deletes %s %q, which is the last target of: %s. As far as this plan shows, this configuration does not manage them. %s", r.kind.Name, name, strings.Join(lost, ", "), what))
}

// usesOf returns the tasks and services that run on the instances, by the names of the instances.
func (p *Provider) usesOf(ctx context.Context, typ string, relations []relate.Targets, names []string) (map[string][]use, error) {
	inverses := make([]string, len(relations))
	for i, relation := range relations {
		inverses[i] = relation.Inverse
	}
	var mu sync.Mutex
	var failed error
	uses := map[string][]use{}
	var callers sync.WaitGroup
	for _, name := range names {
		callers.Go(func() {
			found, err := p.usesOfOne(ctx, typ, inverses, relations, name)
			mu.Lock()
			defer mu.Unlock()
			if uses[name] = found; err != nil {
				failed = err
			}
		})
	}
	callers.Wait()
	return uses, failed
}

// usesOfOne returns the tasks and services that run on one instance.
func (p *Provider) usesOfOne(ctx context.Context, typ string, inverses []string, relations []relate.Targets, name string) (uses []use, err error) {
	if none, err := p.Client.Unrelated(ctx, typ, inverses, name); none || err != nil {
		return nil, err
	}
	for _, relation := range relations {
		rows, err := p.Client.RelatedToAny(ctx, relation.Of.Name, relation.Attribute, name, []string{"is_active", "disabled"})
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			x := instanceOf(relation.Of.Name, row)
			uses = append(uses, use{by: reference{x.typ, x.name}, namespace: relation.Of.Namespace, remark: remarkOf(row), attributes: relation.Attributes})
		}
	}
	return uses, nil
}

// remarkOf returns a remark for a warning: whether the task or service is active, if its row
// tells.
func remarkOf(row value.Object) string {
	switch active, is := row["is_active"].(bool); {
	case is && active:
		return " (active)"
	case is:
		return " (not active)"
	case row["disabled"] == true:
		return " (disabled)"
	}
	return ""
}

// unplanned returns the uses by tasks and services that no resource of this run is known to
// manage so far.
func (p *Provider) unplanned(uses map[string][]use) map[string][]use {
	left := map[string][]use{}
	for name, all := range uses {
		for _, u := range all {
			if p.planned.holder(objectKey{u.namespace, u.by.name}) == holderNone {
				left[name] = append(left[name], u)
			}
		}
	}
	return left
}

// lost describes the uses whose last remaining target is the given one. Each is described only
// once in a run.
func (p *Provider) lost(ctx context.Context, target reference, uses []use) (lost []string) {
	for _, u := range uses {
		held, err := p.targets.of(u.by, func() (map[string][]string, error) { return p.targetsOf(ctx, u) })
		if err == nil && p.targets.loses(u, target, held) {
			lost = append(lost, fmt.Sprintf("%s %q%s", u.by.typ, u.by.name, u.remark))
		}
	}
	slices.Sort(lost)
	return lost
}

// targetsOf reads the targets of a task or service, by the relations that hold them.
func (p *Provider) targetsOf(ctx context.Context, u use) (map[string][]string, error) {
	relations := make([]enms.Relation, len(u.attributes))
	for i, a := range u.attributes {
		relations[i] = enms.Relation{Name: a.Name, Of: a.Of, Inverse: a.Inverse}
	}
	answer, err := p.Client.GetShared(ctx, u.by.typ, u.by.name, relations)
	held := map[string][]string{}
	for _, a := range u.attributes {
		members, _ := answer[a.Name].([]any)
		for _, member := range members {
			held[a.Name] = append(held[a.Name], fmt.Sprint(member))
		}
	}
	return held, err
}
