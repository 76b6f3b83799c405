// This file returns errors for what eNMS would not do as planned: criteria that it cannot evaluate, fields that only the
// other line of eNMS has (4 or 5), and names that it spells in another way. It also refuses deletion policies that the
// kind does not have.

package planning

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/payloads"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// CheckCriteria refuses new criteria on properties that this eNMS cannot compare. eNMS would drop them
// (enms-rest.md 1.7), and a pool would have other members than intended. A user who may see no pool gets
// no such error. prior is nil for a creation.
func (r *Checker) CheckCriteria(ctx context.Context, planned, prior kind.Values) (diags diag.Diagnostics) {
	if !r.Provider.Ready() {
		return nil
	}
	name := value.Text(planned[kind.RowName])
	for _, c := range payloads.UnknownCriteria(r.Kind, planned, prior) {
		ignored, err := r.Provider.Client.Ignores(ctx, r.Kind.Name, c.Search)
		switch {
		case err != nil:
			return append(diags, r.Failed(failures.Plan, name, planned, err)...)
		case ignored:
			diags.AddAttributeError(path.Root(c.Attribute).AtMapKey(c.Property), fmt.Sprintf("Unknown criterion %q", c.Property),
				fmt.Sprintf("This eNMS cannot compare that property, and would drop the condition.%s The configuration of the eNMS server defines which properties can be compared.", resources.SpellingHint(c.Nearest)))
		}
	}
	return diags
}

// CheckLine refuses configured fields that this line of eNMS does not have, because it would ignore
// them, and values that it does not read. It accepts a field that the site has declared as a custom property.
func (r *Checker) CheckLine(ctx context.Context, config kind.Values) (diags diag.Diagnostics) {
	if !r.Provider.Ready() {
		return nil
	}
	for _, field := range r.Kind.OfOneLine(config) {
		switch line, err := r.Provider.Client.Line(ctx); {
		case err != nil:
			return append(diags, r.Failed(failures.Plan, value.Text(config[kind.RowName]), config, err)...)
		case line == field.Line:
			continue
		}
		at := path.Root(field.Attribute)
		if field.Reason != "" {
			diags.AddAttributeError(at, "Invalid "+strings.ReplaceAll(field.Name, "_", " "), field.Reason)
			continue
		}
		if field.Attribute == kind.RowProperties {
			at = at.AtMapKey(field.Name)
		}
		if field.MayBeOfSite { // eNMS does not ignore a custom property
			if ignored, _ := r.Provider.Client.Ignores(ctx, r.Kind.Name, map[string]any{field.Name: "no instance has this value"}); !ignored {
				continue // or the request failed
			}
		}
		diags.AddAttributeError(at, fmt.Sprintf("This eNMS has no %s", field.Name),
			fmt.Sprintf("Only eNMS %d has the field %s of a %s. Remove it from the configuration.", field.Line, field.Name, r.Kind.Path(config)))
	}
	return diags
}

// TryCriteria searches by each new criterion that not every database can evaluate, and refuses those with which
// eNMS fails: once such a criterion is written, eNMS cannot compute any pool on the server (enms-rest.md 2.4). prior is
// nil for a creation.
func (r *Checker) TryCriteria(ctx context.Context, verb string, planned, prior kind.Values) (diags diag.Diagnostics) {
	name := value.Text(planned[kind.RowName])
	for _, trial := range payloads.Trials(r.Kind, planned, prior) {
		works, err := r.Provider.Client.Searchable(ctx, trial.Type, trial.Search)
		switch {
		case err != nil:
			return append(diags, r.Failed(verb, name, planned, err)...)
		case !works:
			diags.AddAttributeError(path.Root(trial.Attribute).AtMapKey(trial.Property), fmt.Sprintf("Cannot %s %s %q", verb, r.Kind.Name, name),
				fmt.Sprintf("eNMS's database cannot search %ss by %s with match = %q and value = %q. With this criterion, eNMS could not compute the members of any %s on the server, so nothing was written. %s",
					trial.Type, trial.Property, trial.Criterion.Match, trial.Criterion.Value, r.Kind.Name, trialHint(trial.Criterion)))
		}
	}
	return diags
}

// trialHint returns the advice for a criterion by which eNMS cannot search.
func trialHint(c kind.Criterion) string {
	if c.Match == kind.MatchRegex {
		return "Use a regular expression that the database of this eNMS supports."
	}
	return `If the property is a number, use match = "equality" with a whole number; if it is a Boolean, value = "bool-true" or "bool-false"; otherwise match = "regex".`
}

// CheckSpelling returns an error if a new reference spells a name in another way than eNMS. Some
// databases accept any case, but eNMS returns its own spelling, and every later plan would show a
// difference.
func (r *Checker) CheckSpelling(ctx context.Context, planned, prior kind.Values) error {
	for _, related := range relate.NewlyRelated(r.Kind, planned, prior) {
		if err := r.Provider.Client.Spelled(ctx, related.Type, related.Names); err != nil {
			return err
		}
	}
	return nil
}

// CheckPolicy refuses the provider's policy "disable" for a kind that cannot be disabled. The
// schema checks the resource's policy.
func (r *Checker) CheckPolicy(values kind.Values) diag.Diagnostics {
	canBeDisabled := r.Kind.Off != nil
	disables := values[kind.RowDeletionPolicy].IsKnown() && r.Provider.Policy(values) == kind.PolicyDisable
	if canBeDisabled || !disables {
		return nil
	}
	return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root(kind.RowDeletionPolicy),
		fmt.Sprintf("A %s cannot be disabled", r.Kind.Name),
		fmt.Sprintf("The provider's deletion_policy is %q. Set another deletion_policy on this %s: %s.", kind.PolicyDisable, r.Kind.Name, strings.Join(r.Kind.Policies(), ", ")))}
}
