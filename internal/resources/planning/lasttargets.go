// This file warns in plans about tasks and services that lose their last target. eNMS silently removes a deleted
// device or pool from them, and an active task then runs on the targets of its service (enms-rest.md 3).

package planning

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Deletion is a planned deletion of an instance.
type Deletion struct {
	State kind.Values
	// Again: an instance of the same kind and name is created afterwards, and gets the references to this one.
	Again bool
}

// use is a task or service that an instance is a target of.
type use struct {
	user   applying.Reference // its kind and name
	remark string             // what is shown beside the name
	of     *kind.Kind         // the kind of user
}

// LastTargets returns warnings about tasks and services all of whose targets are deleted. It shares
// requests with the plans of other resources.
func (r *Checker) LastTargets(ctx context.Context, deletions ...Deletion) diag.Diagnostics {
	if !r.LooksUp() {
		return nil
	}
	target, relations := relate.TargetOf(r.Kind, r.Provider.Kinds)
	deletions = slices.DeleteFunc(slices.Clone(deletions), func(d Deletion) bool { return !r.Provider.Deletes(d.State) })
	if len(relations) == 0 {
		return nil
	}
	names := make([]string, len(deletions))
	for i, d := range deletions {
		names[i] = value.Text(d.State[kind.RowName])
		r.Provider.Run.Targets.Deleted.Add(applying.Reference{Type: target.Name, Name: names[i]})
	}
	uses, err := resources.Each(ctx, names, func(ctx context.Context, name string) ([]use, error) {
		return r.usesOf(ctx, target.Name, relations, name)
	})
	switch {
	case enms.InternalServerError(err), err != nil && !r.Provider.Run.Plans.FailLookups():
		return nil // this eNMS cannot search for them, or an earlier lookup has reported the error
	case err != nil:
		return diag.Diagnostics{diag.NewWarningDiagnostic(fmt.Sprintf("Cannot find the tasks and services that run on a %s", r.Kind.Name),
			fmt.Sprintf("This plan deletes %s %q, and may so delete the last target of tasks and services: %s", r.Kind.Name, names[0], failures.Explained(err)))}
	}
	var warnings diag.Diagnostics
	for i, d := range deletions {
		if lost := r.lost(ctx, applying.Reference{Type: target.Name, Name: names[i]}, uses[i]); len(lost) > 0 {
			warnings = append(warnings, r.lastTargetWarning(names[i], lost, d.Again))
		}
	}
	return warnings
}

func (r *Checker) lastTargetWarning(name string, lost []string, again bool) diag.Diagnostic {
	what := "They would have no target, and an active task then runs on the targets of its service. Give them another target, or deactivate the tasks, before you apply."
	if again {
		what = "They have no target until this apply has created it again. An active task that starts in between runs on the targets of its service."
	}
	return diag.NewWarningDiagnostic(fmt.Sprintf("Last target: a %s is deleted", r.Kind.Name),
		fmt.Sprintf("This plan deletes %s %q, which is the last target of: %s. If this configuration deletes or changes them, too, ignore this. %s", r.Kind.Name, name, strings.Join(lost, ", "), what))
}

// usesOf returns the tasks and services that run on one instance.
func (r *Checker) usesOf(ctx context.Context, typ string, relations []relate.Targets, name string) (uses []use, err error) {
	inverses := make([]string, len(relations))
	for i, relation := range relations {
		inverses[i] = relation.Inverse
	}
	if none, err := r.Provider.Client.Unrelated(ctx, typ, inverses, name); none || err != nil {
		return nil, err
	}
	for _, relation := range relations {
		rows, err := r.Provider.Client.RelatedToAny(ctx, relation.Of.Name, relation.Attribute, name, []string{"is_active", "disabled"})
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			x := resources.InstanceOf(relation.Of.Name, row)
			uses = append(uses, use{user: applying.Reference{Type: x.Type, Name: x.Name}, remark: remarkOf(row), of: relation.Of})
		}
	}
	return uses, nil
}

// remarkOf returns a remark for a warning: whether the task or service is active, if its row shows it.
func remarkOf(row value.Object) string {
	switch active, isTask := row["is_active"].(bool); {
	case isTask && active:
		return " (active)"
	case isTask:
		return " (not active)"
	case row["disabled"] == true:
		return " (disabled)"
	}
	return ""
}

// lost describes the tasks and services whose last remaining target is the given one. Each is described for one
// target only. Those that other resources of the configuration change are among them: no plan can know that.
func (r *Checker) lost(ctx context.Context, target applying.Reference, uses []use) (lost []string) {
	for _, u := range uses {
		targets := r.Provider.Lookups.Targets.Get(u.user, func() []applying.Reference { return r.targetsOf(ctx, u) })
		if r.Provider.Run.Targets.ClaimWarning(target, u.user, targets) {
			lost = append(lost, fmt.Sprintf("%s %q%s", u.user.Type, u.user.Name, u.remark))
		}
	}
	slices.Sort(lost)
	return lost
}

// targetsOf reads the targets of a task or service. It returns nil if they cannot be read.
func (r *Checker) targetsOf(ctx context.Context, u use) (targets []applying.Reference) {
	answer, err := r.withTargets(ctx, u.of, u.user.Name)
	if err != nil {
		return nil
	}
	for _, a := range u.of.Table().Targets {
		members, _ := answer[a.Name].([]any)
		for _, member := range members {
			targets = append(targets, applying.Reference{Type: a.Of, Name: fmt.Sprint(member)})
		}
	}
	return targets
}
