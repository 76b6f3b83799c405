// This file reads the instance of a state.

package reading

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Read returns the state of an instance as eNMS has it, and the record to keep beside the state: the outcome of
// pending writes is known then, and no part of it. If the instance is gone, or if the instance with its name is
// not the one that a pending creation made, Read returns no state, and Terraform removes the instance from its
// own state.
func (r *Reader) Read(ctx context.Context, state kind.Values, private record.Record) (
	now kind.Values, next record.Record, diags diag.Diagnostics) {
	switch {
	case private.Moved:
		now, diags = r.readMoved(ctx, state)
	case private.Imported:
		now, diags = r.readImported(ctx, state)
	default:
		now, diags = r.readKnown(ctx, state, private)
	}
	if now == nil {
		return nil, private, diags
	}
	return now, record.Record{Managed: plans.StillManaged(r.Kind, private.Managed, state, now), Unfinished: private.Unfinished}, diags
}

// readKnown reads an instance whose state comes from an apply or a read.
func (r *Reader) readKnown(ctx context.Context, state kind.Values, private record.Record) (now kind.Values, diags diag.Diagnostics) {
	name := value.Text(state[kind.RowName])
	answer, err := r.findInState(ctx, name, state, private)
	if err == nil && r.InMany && r.CheckFoundType(name, state, answer) != nil {
		err = enms.ErrNotFound // all entries have one type: the instance is somebody else's
	}
	switch {
	case errors.Is(err, enms.ErrNotFound):
		return nil, append(r.failUnlessGone(ctx, state, private), r.WarnOfOther(name, err)...)
	case err == nil && !r.isOutcomeOfPending(private.PendingCreate, answer, state):
		return nil, nil
	}
	if err == nil {
		before := state
		if HasAnotherID(answer, state) && !states.SameContent(r.Kind, answer, state, nil) {
			before = states.WithoutVersions(r.Kind, state, state) // without any version: another instance may have other secrets
		}
		now, err = r.StateOf(ctx, answer, before)
	}
	if err != nil {
		return nil, r.Failed(failures.Read, name, state, err)
	}
	return now, nil
}

// findInState finds the instance of a state: the one with the name, or, if somebody may have renamed the
// instance, the one with the id. The package comment says which of the two it is.
func (r *Reader) findInState(ctx context.Context, name string, state kind.Values, private record.Record) (value.Object, error) {
	wasNeverRead := state[kind.RowID].IsNull()
	withName, err := r.Fetch(ctx, name, state, private.Managed, wasNeverRead)
	if errors.Is(err, enms.ErrNotFound) {
		return r.FindRenamed(ctx, state, private)
	}
	if err != nil {
		return nil, err
	}
	id, idNow := value.Text(state[kind.RowID]), fmt.Sprint(withName[kind.RowID])
	sameContent := states.SameContent(r.Kind, withName, state, nil)
	evidence := r.Provider.Lookups.IDs(r.Kind.Name)
	evidence.Note(idNow, id, sameContent)
	if id == "" || idNow == id || sameContent {
		return withName, nil
	}
	withID, idErr := r.FindRenamed(ctx, state, private)
	isOlder := !r.InMany && states.IsOlder(idNow, id) // entries may have exchanged their names, whatever their ids
	noneWithID := errors.Is(idErr, enms.ErrNotFound) || failures.Is[*failures.AmbiguousContent](idErr)
	if noneWithID || isOlder && (idErr != nil || evidence.IsRestored()) { // a restore is more likely than an exchange of names
		return withName, err
	}
	return withID, idErr
}

// isOutcomeOfPending reports whether a pending creation made the instance in an answer: the instance has the type
// in the state, was written at that time, and has the values that were sent. It returns true if no creation is
// pending.
func (r *Reader) isOutcomeOfPending(pending *record.PendingWrite, answer value.Object, state kind.Values) bool {
	if pending == nil {
		return true
	}
	wroteThen := pending.When.IsZero() || r.Provider.Client.Wrote(answer, pending.When)
	return wroteThen && states.CreatedBy(r.Kind, pending.Sent, answer, state)
}
