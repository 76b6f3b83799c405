// This file does after a write what eNMS does not do by itself: it requests computations, writes related
// instances again, and removes what eNMS has kept of an earlier instance with the same name.

package instance

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/payloads"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// finishUpdate requests the computations and writes that must follow an update, and those that earlier updates left
// unfinished (left). After an error, still is not nil and has those that failed.
func (r *Instances) finishUpdate(ctx context.Context, planned, prior kind.Values, left *record.Unfinished) (still *record.Unfinished, diags diag.Diagnostics) {
	due := record.Unfinished{Recompute: r.Kind.NeedsRecompute(planned, prior), Refresh: relate.ToRefresh(r.Kind, planned, prior)}
	if left != nil {
		due.Recompute = due.Recompute || left.Recompute && r.Kind.Recomputes(planned)
		due.Refresh = append(slices.Clone(left.Refresh), due.Refresh...)
	}
	if diags = r.refresh(ctx, planned, due.Refresh); !diags.HasError() {
		due.Refresh = nil
	}
	if due.Recompute {
		failed := r.recompute(ctx, planned)
		diags, due.Recompute = append(diags, failed...), failed.HasError()
	}
	diags = slices.Concat(diags, r.changeHeld(ctx, planned, prior), r.checkWithin(ctx, planned, prior))
	if !diags.HasError() {
		return nil, diags
	}
	return &due, diags
}

// changeHeld writes attributes that say whether a relation of the instance has one certain member (kind.Holds): it
// adds or removes that member. eNMS replaces a relation as a whole (enms-rest.md 2.1), so its members are read
// immediately before.
func (r *Instances) changeHeld(ctx context.Context, planned, prior kind.Values) diag.Diagnostics {
	if !payloads.ChangesMember(r.Kind, planned, prior) {
		return nil
	}
	name := value.Text(planned[kind.RowName])
	answer, err := r.Provider.Client.Get(ctx, r.Kind.Name, name)
	if err == nil {
		if payload := payloads.Member(r.Kind, answer, planned, prior); payload != nil {
			err = r.Provider.Client.Upsert(ctx, r.clientType(planned), payload)
		}
	}
	if err != nil {
		return r.Failed(failures.Update, name, planned, err)
	}
	return nil
}

// recompute requests the computation that a kind needs. The request is shared with all others that need
// the computation at this time.
func (r *Instances) recompute(ctx context.Context, planned kind.Values) diag.Diagnostics {
	what := r.Kind.Recompute
	r.Provider.Run.Computations.Note(what.Endpoint)
	err := r.Provider.Client.Recompute(ctx, what.Endpoint)
	if err == nil {
		return nil
	}
	failed := failures.Diagnostic(fmt.Sprintf("Cannot compute the %s of %s %q", what.Computed, r.Kind.Name, value.Text(planned[kind.RowName])), err)
	return diag.Diagnostics{diag.NewErrorDiagnostic(failed.Summary(), failed.Detail()+" "+
		fmt.Sprintf("The %s itself was written. %s To skip the computation, set %s = false.", r.Kind.Name, what.Hint, what.Setting))}
}

// computeLate repeats a computation if an instance on which it depends was written after it. It does so
// once, after the last of the writes that are in progress at the same time. Every creation and update
// ends with it, whatever its kind. written is false if it has written nothing.
func (r *Instances) computeLate(ctx context.Context, written bool) (diags diag.Diagnostics) {
	for _, k := range r.Provider.Kinds {
		if k.Recompute == nil {
			continue
		}
		c, endpoint := &r.Provider.Run.Computations, k.Recompute.Endpoint
		if written && k.Selects(r.Kind) {
			c.Outdate(endpoint)
		}
		if !c.IsDue(endpoint) || !c.IsLast(ctx) || !c.IsDue(endpoint) { // IsLast waits: it may have been computed meanwhile
			continue
		}
		c.Note(endpoint)
		if err := r.Provider.Client.Recompute(ctx, endpoint); err != nil {
			failed := failures.Diagnostic(fmt.Sprintf("Cannot compute the %s of every %s again", k.Recompute.Computed, k.Name), err)
			diags.AddWarning(failed.Summary(), failed.Detail()+" They were computed before all devices and links of this apply were written. "+checks.Sentence(k.Recompute.Hint))
		}
	}
	return diags
}

// refresh writes the members of a changed relation again. It first checks that the members exist,
// because an upsert would create those that do not.
func (r *Instances) refresh(ctx context.Context, planned kind.Values, all []relate.Related) diag.Diagnostics {
	for _, related := range all {
		for _, name := range related.Names {
			_, err := r.Provider.Client.Find(ctx, related.Type, name, nil)
			if errors.Is(err, enms.ErrNotFound) {
				continue
			}
			if err == nil {
				err = r.Provider.Client.Upsert(ctx, enms.Type{Name: related.Type}, enms.Object{kind.RowName: name})
			}
			if err != nil {
				return r.Failed(failures.Update, value.Text(planned[kind.RowName]), planned, fmt.Errorf("writing %s %q again, so that what follows from it takes effect: %w", related.Type, name, err))
			}
		}
	}
	return nil
}

// checkWithin warns if a write has set relations to instances outside the container (kind.Within).
func (r *Instances) checkWithin(ctx context.Context, planned, prior kind.Values) (diags diag.Diagnostics) {
	within := r.Kind.Within
	if within == nil {
		return nil
	}
	container := value.Text(planned[within.Relation])
	for _, row := range within.Members {
		member := value.Text(planned[row])
		same := prior != nil && planned[row].Equal(prior[row]) && planned[within.Relation].Equal(prior[within.Relation])
		if container == "" || member == "" || same || r.isMember(ctx, container, member) {
			continue
		}
		diags.AddAttributeWarning(path.Root(row), "A service is not in the workflow", within.Problem(container, member))
	}
	return diags
}

// isMember reports whether an instance is a member of a container. It returns true if a request fails.
// One search finds all members of a container. A member that the search does not find may be hidden from
// this user, or unknown to a worker, so a GET of it decides.
func (r *Instances) isMember(ctx context.Context, container, member string) (is bool) {
	within := r.Kind.Within
	if is, known := within.Named(container, member); known {
		return is
	}
	members := r.Provider.Lookups.Members.Get(container, func() map[string]bool {
		criteria := maps.Clone(within.Search)
		criteria[within.Field] = []string{container}
		rows, err := r.Provider.Client.Search(ctx, within.Of, nil, criteria)
		if err != nil {
			return nil
		}
		names := map[string]bool{}
		for _, row := range rows {
			if name, is := row[kind.RowName].(string); is {
				names[name] = true
			}
		}
		return names
	})
	if members == nil || members[member] {
		return true
	}
	read := func() (enms.Object, error) { return r.Provider.Client.Get(ctx, within.Of, member) }
	_, err := enms.Until(ctx, read, func(answer value.Object) bool {
		containers, _ := answer[within.Field].([]any)
		is = slices.Contains(containers, any(container))
		return is
	})
	return is || err != nil
}
