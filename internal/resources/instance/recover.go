// This file finds out what a failed creation has left in eNMS, and restores the references to an
// instance that was deleted and created again.

package instance

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"golang.org/x/sync/errgroup"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// stillAtWork is how long eNMS may continue to work on a request whose response was lost.
const stillAtWork = 2 * time.Minute

// recoverFailedCreate looks for the instance of a failed creation: eNMS may have stored it although it
// reported a failure (enms-rest.md 0.1). An instance that does not match the payload, or that was not
// written since the creation began, belongs to somebody else. If the client could not find out what became of a lost
// response, or the instance cannot be read, the creation is pending, and the next read looks again
// (isOutcomeOfPending). If eNMS has no such instance, recoverFailedCreate returns no state.
func (w *write) recoverFailedCreate(ctx context.Context, payload value.Object, begin time.Time, cause error) (kind.Values, record.Record) {
	minimal, name := states.Minimal(w.kind, w.planned), w.name()
	if failures.Is[*enms.AmbiguousError](cause) {
		return minimal, w.pendingCreate(payload, begin)
	}
	if failures.Is[*enms.ExistsError](cause) || !failures.MayHaveActed(cause) {
		return nil, record.Record{}
	}
	names := []string{name}
	if renamed, ok := errors.AsType[*enms.RenamedError](cause); ok {
		names = []string{renamed.Got, name}
	}
	ctx, done := w.client.WithGrace(ctx)
	defer done()
	for _, name := range names {
		answer, err := w.client.Get(ctx, w.kind.Name, name)
		// If eNMS refused an instance and fails to read it, later plans could not read it either.
		unreadable := failures.Is[*enms.RefusedError](cause) && enms.InternalServerError(err)
		// After a 500, eNMS 4 has kept nothing, and of eNMS 5 the client has found out what was stored
		// (enms.StoredError): the instance belongs to somebody else.
		foreign := err == nil && (enms.InternalServerError(cause) ||
			!w.client.Wrote(answer, w.client.Since(begin)) || !states.MayBeOutcome(w.kind, payload, answer, states.InPart))
		if errors.Is(err, enms.ErrNotFound) || unreadable || foreign {
			continue
		}
		if err == nil {
			if state, err := w.i.StateOf(ctx, answer, minimal); err == nil {
				return state, record.Record{Origin: w.i.OriginOfNew(ctx, answer, true)}
			}
		}
		minimal[kind.RowName] = tftypes.NewValue(tftypes.String, name)
		return minimal, w.pendingCreate(payload, begin)
	}
	return nil, record.Record{}
}

// pendingCreate returns the record of a creation that is pending: it may have happened since begin, or may
// still happen.
func (w *write) pendingCreate(payload value.Object, begin time.Time) record.Record {
	window := w.client.Since(begin)
	window.Until = window.Until.Add(stillAtWork)
	return record.Record{PendingCreate: &record.PendingWrite{Sent: payload, When: window}}
}

// restoreReferring restores the references of other instances to an instance that was deleted in this
// run and is created again, with the same kind and name. When eNMS deletes an instance, it silently
// empties such relations (enms-rest.md 3), and a plan that replaces the instance does not show it: a
// task would continue without its target. It leaves out instances that no longer exist, or that their own resources
// have written since, and fields that the payloads of the creation (sent) contained.
func (w *write) restoreReferring(ctx context.Context, sent ...value.Object) (diags diag.Diagnostics) {
	name := w.name()
	replaced := w.i.replaced(name)
	referring := replaced.Referring.Without(func(related relate.Related) []string {
		return slices.DeleteFunc(slices.Clone(related.Names), func(name string) bool {
			return !w.run.Owners.WrittenAfter(replaced, w.i.NamespaceOf(related.Type), name)
		})
	})
	lost := func(why string) {
		diags.AddWarning(fmt.Sprintf("References to %s %q were lost", w.kind.Name, name),
			fmt.Sprintf("It was deleted and created again, and %s Plan again to see what to repair in this configuration.", why))
	}
	if referring.Unknown {
		lost("the answer to its deletion, which tells what referred to it, was lost.")
	}
	upsert := func(payload value.Object) error {
		if len(payload) == 0 {
			return nil
		}
		return w.client.Upsert(ctx, w.clientType(), payload)
	}
	payload := referring.Payload(name, sent...)
	err := upsert(payload)
	if failures.Is[*enms.RefusedError](err) {
		payload = w.withoutMissing(ctx, referring).Payload(name, sent...)
		err = upsert(payload)
	}
	if err != nil {
		fields := slices.Sorted(maps.Keys(payload))
		lost(fmt.Sprintf("its references (%s) could not be restored: %s",
			strings.Join(slices.DeleteFunc(fields, func(f string) bool { return f == kind.RowName }), ", "), checks.Sentence(err.Error())))
		return diags
	}
	if err := w.restorePositions(ctx, referring); err != nil {
		lost("the positions of its members could not be restored: " + checks.Sentence(err.Error()))
	}
	return diags
}

// warnOfGoneAlong warns of what eNMS has deleted together with the instance of this name that this run has deleted, such as
// the edges of a service. No plan has shown it, if the two are different resources of the configuration.
func (w *write) warnOfGoneAlong() (diags diag.Diagnostics) {
	gone := map[resources.Instance]bool{}
	for _, related := range w.i.replaced(w.name()).Referring.Along {
		for _, name := range related.Names {
			gone[resources.Instance{Type: related.Type, Name: name}] = true
		}
	}
	if len(gone) > 0 {
		diags.AddWarning(fmt.Sprintf("Others were deleted with the earlier %s %q", w.kind.Name, w.name()),
			fmt.Sprintf("This apply deleted it and created it again. eNMS deleted with it: %s. Plan again: the plan creates what this configuration still has of that and this apply has not created again. If only the address of the resource has changed, a moved block keeps it and what belongs to it.",
				resources.Listed(slices.Collect(maps.Keys(gone)))))
	}
	return diags
}

// restorePositions moves the members of the instance to the positions that they had in it before it was deleted.
func (w *write) restorePositions(ctx context.Context, referring relate.Referring) error {
	if len(referring.Positions) == 0 {
		return nil
	}
	var members []string // that were restored, or created with the instance
	for _, related := range referring.Relations {
		members = append(members, related.Names...)
	}
	for _, a := range w.kind.Table().Relations {
		members = append(members, value.Names(w.planned[a.Name])...)
	}
	moves, ctx := errgroup.WithContext(ctx)
	for typ, positions := range referring.Positions {
		for member, at := range positions {
			if slices.Contains(members, member) {
				moves.Go(func() error { return w.restorePosition(ctx, typ, member, at) })
			}
		}
	}
	return moves.Wait()
}

// restorePosition moves a member of the instance to a position in it, unless the member no longer exists.
func (w *write) restorePosition(ctx context.Context, typ, member string, at any) error {
	found, err := w.client.Find(ctx, typ, member, nil)
	if errors.Is(err, enms.ErrNotFound) {
		return nil
	} else if err != nil {
		return err
	}
	// With the id, eNMS creates nothing if the user may not edit the member (enms-rest.md 6.2).
	return w.client.Upsert(ctx, enms.Type{Name: typ}, value.Object{kind.RowID: found[kind.RowID], kind.RowName: member, "positions": map[string]any{w.name(): at}})
}

// withoutMissing leaves out instances that no longer exist.
func (w *write) withoutMissing(ctx context.Context, referring relate.Referring) relate.Referring {
	return referring.Without(func(related relate.Related) []string {
		missing, _ := w.client.Missing(ctx, related.Type, related.Names) // after an interrupt, the write fails as well
		return missing
	})
}
