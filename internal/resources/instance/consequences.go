// This file does after a write what eNMS does not do by itself: it requests computations, and writes related
// instances again.

package instance

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/payloads"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/reading"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
)

// finishUpdate requests the computations and writes that must follow an update, and those that earlier updates left
// unfinished. After an error, still is not nil and has those that failed.
func (w *write) finishUpdate(ctx context.Context) (still *record.Unfinished, diags diag.Diagnostics) {
	due := record.Unfinished{Recompute: w.kind.NeedsRecompute(w.planned, w.prior), Refresh: relate.ToRefresh(w.kind, w.planned, w.prior)}
	if left := w.private.Unfinished; left != nil {
		due.Recompute = due.Recompute || left.Recompute && w.kind.Recomputes(w.planned)
		due.Refresh = append(slices.Clone(left.Refresh), due.Refresh...)
	}
	if diags = w.refresh(ctx, due.Refresh); !diags.HasError() {
		due.Refresh = nil
	}
	if due.Recompute {
		failed := w.recompute(ctx)
		diags, due.Recompute = append(diags, failed...), failed.HasError()
	}
	diags = slices.Concat(diags, w.changeHeld(ctx), w.checkEnds(ctx))
	if !diags.HasError() {
		return nil, diags
	}
	return &due, diags
}

// changeHeld writes attributes that say whether a relation of the instance has one certain member (kind.Holds): it
// adds or removes that member. eNMS replaces a relation as a whole (enms-rest.md 2.1), so its members are read
// immediately before.
func (w *write) changeHeld(ctx context.Context) diag.Diagnostics {
	if !payloads.ChangesMember(w.kind, w.planned, w.prior) {
		return nil
	}
	name := w.name()
	answer, err := w.client.Get(ctx, w.kind.Name, name)
	if err == nil && reading.HasAnotherID(answer, w.prior) { // an update of this alone is not confirmed (confirm)
		err = &failures.Replaced{ID: fmt.Sprint(answer[kind.RowID])}
	}
	if err == nil {
		if payload := payloads.Member(w.kind, answer, w.planned, w.prior); payload != nil {
			err = w.client.Upsert(ctx, w.clientType(), payloads.Existing(w.kind, payload, w.prior))
		}
	}
	if err != nil {
		return w.i.Failed(failures.Update, name, w.planned, err)
	}
	return nil
}

// recompute requests the computation that a kind needs. The request is shared with all others that need
// the computation at this time.
func (w *write) recompute(ctx context.Context) diag.Diagnostics {
	what := w.kind.Recompute
	w.run.Computations.AddRequest(what.Endpoint)
	err := w.client.Recompute(ctx, what.Endpoint)
	if err == nil {
		return nil
	}
	failed := failures.Diagnostic(fmt.Sprintf("Cannot compute the %s of %s %q", what.Computed, w.kind.Name, w.name()), err)
	return diag.Diagnostics{diag.NewErrorDiagnostic(failed.Summary(), failed.Detail()+" "+
		fmt.Sprintf("The %s itself was written. %s To skip the computation, set %s = false.", w.kind.Name, what.Hint, what.Setting))}
}

// beginWrite records that a creation or an update is in progress, until end is called, which repeats computations
// (computeLate), also in the time that remains after an interrupt.
func (r *Instances) beginWrite(ctx context.Context) (end func(written bool) diag.Diagnostics) {
	over := r.Provider.Run.Computations.Writes.Begin()
	late, done := r.Provider.Client.WithGrace(ctx)
	return func(written bool) diag.Diagnostics {
		over()
		defer done()
		return r.computeLate(late, written)
	}
}

// computeLate repeats a computation if an instance on which it depends was written after it. It does so
// once, after the last of the writes that are in progress at the same time. Every creation and update
// ends with it, whatever its kind, when it is no longer in progress itself: what ends later sees then that the
// computation is due. written is false if it has written nothing.
func (r *Instances) computeLate(ctx context.Context, written bool) (diags diag.Diagnostics) {
	for _, k := range r.Provider.Kinds {
		if k.Recompute == nil {
			continue
		}
		c, endpoint := &r.Provider.Run.Computations, k.Recompute.Endpoint
		if written && k.Selects(r.Kind) {
			c.Outdate(endpoint)
		}
		if !c.IsDue(endpoint) || !c.AwaitLast(ctx) || !c.TakeDue(endpoint) { // AwaitLast waits: it may have been computed meanwhile
			continue
		}
		if err := r.Provider.Client.Recompute(ctx, endpoint); err != nil {
			failed := failures.Diagnostic(fmt.Sprintf("Cannot compute the %s of every %s again", k.Recompute.Computed, k.Name), err)
			diags.AddWarning(failed.Summary(), failed.Detail()+" They were computed before all devices and links of this apply were written. "+checks.Sentence(k.Recompute.Hint))
		}
	}
	return diags
}

// refresh writes the members of a changed relation again. It first checks that the members exist,
// because an upsert would create those that do not.
func (w *write) refresh(ctx context.Context, all []relate.Related) diag.Diagnostics {
	for _, related := range all {
		for _, name := range related.Names {
			_, err := w.client.Find(ctx, related.Type, name, nil)
			if errors.Is(err, enms.ErrNotFound) {
				continue
			}
			if err == nil {
				err = w.client.Upsert(ctx, enms.Type{Name: related.Type}, enms.Object{kind.RowName: name})
			}
			if err != nil {
				return w.i.Failed(failures.Update, w.name(), w.planned, fmt.Errorf("writing %s %q again, so that what follows from it takes effect: %w", related.Type, name, err))
			}
		}
	}
	return nil
}
