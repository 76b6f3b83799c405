// This file reads the instance of a state.

package reading

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
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
// own state. If eNMS does not tell which instance it is, Read returns what has the name, with a warning, and the record
// says so: then nothing is written and nothing deleted.
func (r *Reader) Read(ctx context.Context, state kind.Values, private record.Record) (
	now kind.Values, next record.Record, diags diag.Diagnostics) {
	r.BeginRead(ctx, private)
	next = record.Record{Unfinished: private.Unfinished}
	switch {
	case private.Dropped:
		return nil, private, nil
	case private.Moved:
		now, next.Origin, diags = r.readMoved(ctx, state)
	case private.Imported:
		now, next.Origin, diags = r.readImported(ctx, state)
	default:
		now, next, diags = r.readKnown(ctx, state, private)
	}
	if now == nil {
		return nil, private, diags
	}
	next.Managed = plans.StillManaged(r.Kind, private.Managed, state, now)
	return now, next, diags
}

// BeginRead takes the mark that a read will record, before the read, so that the changelog has all that follows.
func (r *Reader) BeginRead(ctx context.Context, private record.Record) {
	if private.Imported || private.Origin == nil || r.Provider.IdentifyByName {
		r.Provider.Client.TakeMark(ctx)
	}
}

// readKnown reads an instance whose state comes from an apply or a read.
func (r *Reader) readKnown(ctx context.Context, state kind.Values, private record.Record) (
	now kind.Values, next record.Record, diags diag.Diagnostics) {
	name := value.Text(state[kind.RowName])
	found, answer, err := r.findInState(ctx, name, state, private)
	switch {
	case err != nil:
		return nil, private, r.Failed(failures.Read, name, state, err)
	case found.Gone, found.Untold == "" && r.InMany && r.CheckFoundType(name, state, answer) != nil: // all entries have one type
		if found.Made != nil {
			r.Provider.Lookups.Makers.Store(applying.Name{Namespace: r.Kind.Namespace, Text: name}, found.Made)
		}
		return nil, private, nil
	case found.Untold != "" && answer == nil:
		return nil, private, r.Failed(failures.Read, name, state, &failures.Untold{Why: found.Untold, Missing: true})
	case !r.isOutcomeOfPending(private.PendingCreate, answer, state):
		return nil, private, nil
	}
	before := state
	if isAnother := found.Untold != "" || r.Provider.IdentifyByName && idOf(answer) != value.Text(state[kind.RowID]); isAnother {
		before = states.WithoutVersions(r.Kind, state, state) // another instance may have other secrets
	}
	if now, err = r.StateOf(ctx, answer, before); err != nil {
		return nil, private, r.Failed(failures.Read, name, state, err)
	}
	diags = r.checkData(answer, now)
	next = record.Record{Unfinished: private.Unfinished, Untold: found.Untold,
		Origin: r.OriginAfterRead(ctx, private, found, value.Text(state[kind.RowID]), answer)}
	if found.Untold != "" {
		now[kind.RowID] = state[kind.RowID]
		diags.Append(r.WarnOfUntold(name, found.Untold)...)
	}
	return now, next, diags
}

// findInState finds the instance of a state, and returns what eNMS answers about it, with its relations. The answer is
// nil if it is gone. If eNMS does not tell, it is what has the name, if anything has.
func (r *Reader) findInState(ctx context.Context, name string, state kind.Values, private record.Record) (Identity, value.Object, error) {
	wasNeverRead := state[kind.RowID].IsNull()
	named, err := r.fetch(ctx, name, state, private.Managed, wasNeverRead)
	if err != nil && !errors.Is(err, enms.ErrNotFound) {
		return Identity{}, nil, err
	}
	found, err := r.Identify(ctx, state, private, named, Earlier)
	switch {
	case err != nil || found.Gone:
		return found, nil, err
	case found.Untold != "" || found.Name() == name:
		return found, named, nil
	}
	answer, err := r.fetch(ctx, found.Name(), state, private.Managed, false)
	if errors.Is(err, enms.ErrNotFound) {
		// eNMS returns a name by which it does not find the instance. That does not prove that the
		// instance is gone.
		err = r.Kind.FieldError(found.Row, kind.RowName, "is one that eNMS does not find")
	}
	return found, answer, err
}

// WarnOfUntold warns that eNMS does not tell which instance is the one of a state. A run shows one such warning, for
// the first one.
func (r *Reader) WarnOfUntold(name, why string) (diags diag.Diagnostics) {
	if r.Provider.Lookups.SaidUntold.CompareAndSwap(false, true) {
		diags.AddWarning(fmt.Sprintf("eNMS does not tell which %s is %q in the state", r.Kind.Name, name),
			why+fmt.Sprintf(". The %s with that name is compared with the configuration, but not changed or deleted. If it is the right one, ", r.Kind.Name)+failures.ByNameHint+" Other instances may be affected, too; this warning is shown once.")
	}
	return diags
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
