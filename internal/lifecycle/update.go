// This file changes instances and renames them in place.

package lifecycle

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// update changes the instance to what is planned and makes its state. After a
// failure the state is what eNMS holds, as far as it can be asked; acted is false
// when nothing can have been changed.
func (r *instances) update(ctx context.Context, planned, prior kind.Values, set []string) (state kind.Values, acted bool, diags diag.Diagnostics) {
	payload := r.kind.UpdatePayload(planned, prior)
	if payload == nil {
		return kind.Known(planned, prior), true, nil
	}
	name := value.Text(prior[kind.RowName])
	if err := r.spelled(ctx, planned, prior); err != nil {
		return prior, false, r.problem("update", name, planned, err)
	}
	err := r.follow(ctx, payload, prior)
	if err == nil && !r.holds(ctx, payload, planned) {
		err = r.provider.Client.Upsert(ctx, r.kind.Path(planned), payload)
	}
	if err != nil {
		state, diags = r.failed(ctx, payload, planned, prior, set, err)
		return state, !unacted(err), diags
	}
	look := r.afterWrite(ctx, planned, payload, true)
	if _, renamed := payload["new_name"]; look.deviates() && !renamed && r.kind.AfterWrite == nil {
		// A worker whose snapshot held the values already has written nothing
		// (enms-rest.md 10). What acts whenever it is written, as tasks do, is left.
		if err := r.provider.Client.Upsert(ctx, r.kind.Path(planned), payload); err == nil {
			look = r.afterWrite(ctx, planned, payload, true)
		}
	}
	state, diags = r.conclude(ctx, look, planned)
	if state == nil {
		return kind.Known(planned, prior), true, diags
	}
	if id := value.Text(prior[kind.RowID]); value.Text(state[kind.RowID]) != id {
		if doubled := r.undouble(ctx, value.Text(state[kind.RowName]), payload, prior); doubled != nil {
			return prior, true, doubled
		}
		diags.AddError(fmt.Sprintf("The %s %q was gone", r.kind.Name, name),
			fmt.Sprintf("Somebody deleted it (id %s) after the plan was made, so eNMS created another one (id %s) that holds only what this update sent. Apply again to give it the rest.", id, value.Text(state[kind.RowID])))
	}
	return state, true, diags
}

// failed tells of an update that failed, and what the state is now.
func (r *instances) failed(ctx context.Context, payload enms.Object, planned, prior kind.Values, set []string, cause error) (kind.Values, diag.Diagnostics) {
	if renamed, ok := errors.AsType[*enms.RenamedError](cause); ok {
		if doubled := r.undouble(ctx, renamed.Got, payload, prior); doubled != nil {
			return prior, doubled
		}
	}
	verb := "update"
	if _, renaming := payload["new_name"]; renaming {
		verb = verbRename
	}
	return r.afterFailure(ctx, planned, prior, set, cause), r.problem(verb, value.Text(prior[kind.RowName]), planned, cause)
}

// holds tells whether eNMS holds already what an update would send: relations
// follow by themselves when what they refer to is renamed, and a needless write
// would begin the intervals of tasks anew (enms-rest.md 1.8).
func (r *instances) holds(ctx context.Context, payload enms.Object, planned kind.Values) bool {
	if !r.kind.OnlyRelations(payload) {
		return false
	}
	answer, err := r.provider.Client.Get(ctx, r.kind.Name, value.Text(planned[kind.RowName]))
	return err == nil && r.kind.HoldsRelations(payload, answer, planned)
}

// undouble undoes an update that made a second instance, because somebody had
// renamed the one that was meant after the plan was made: eNMS creates what it
// does not find under its name (enms-rest.md 0.1). It gives nil when that is
// not what happened. Only what holds nothing but what the update sent is
// deleted.
func (r *instances) undouble(ctx context.Context, made string, payload enms.Object, prior kind.Values) diag.Diagnostics {
	ctx = context.WithoutCancel(ctx)
	meant, err := r.provider.Client.FindByID(ctx, r.kind.Name, value.Text(prior[kind.RowID]))
	if err != nil || !r.kind.SameContent(meant, prior, nil) || meant[kind.RowName] == made {
		return nil
	}
	second, err := r.provider.Client.Get(ctx, r.kind.Name, made)
	if err != nil {
		return nil
	}
	outcome := fmt.Sprintf("eNMS changed another %s instead, which has that name now", r.kind.Name)
	if r.kind.OutcomeOf(payload, second) {
		outcome = fmt.Sprintf("eNMS made a second %s instead, %q, which was deleted again", r.kind.Name, made)
		if err := r.provider.Client.Delete(ctx, r.kind.Name, made); err != nil && !errors.Is(err, enms.ErrNotFound) {
			outcome = fmt.Sprintf("eNMS made a second %s instead, %q, which could not be deleted again: delete it by hand", r.kind.Name, made)
		}
	}
	return diag.Diagnostics{diag.NewErrorDiagnostic(fmt.Sprintf("Cannot update %s %q", r.kind.Name, value.Text(prior[kind.RowName])),
		fmt.Sprintf("Somebody renamed it to %q after the plan was made. %s. Plan again.", meant[kind.RowName], outcome))}
}

// follow readies a rename. The present name is asked for first, because eNMS
// creates a second instance when the old name does not exist (enms-rest.md
// 0.2), and because a service in a workflow has been renamed already when its
// workflow was (enms-rest.md 1.5).
func (r *instances) follow(ctx context.Context, payload enms.Object, prior kind.Values) error {
	to, renaming := payload["new_name"].(string)
	if !renaming {
		return nil
	}
	answer, err := r.provider.Client.FindByID(ctx, r.kind.Name, value.Text(prior[kind.RowID]))
	if err != nil {
		return err
	}
	switch current, _ := answer["name"].(string); current {
	case value.Text(prior[kind.RowName]):
		return nil
	case to:
		payload[kind.RowName] = to
		delete(payload, "new_name")
		return nil
	default:
		return &enms.RefusedError{Op: "rename", Type: r.kind.Name, Name: value.Text(prior[kind.RowName]),
			Reason: fmt.Sprintf("the instance with its id is now called %q; plan again", current)}
	}
}

// afterFailure is the state after a failed update: what eNMS holds under the
// old name or the new one, or the old state when eNMS cannot tell.
func (r *instances) afterFailure(ctx context.Context, planned, prior kind.Values, set []string, cause error) kind.Values {
	if !mayTell(cause) {
		return prior
	}
	ctx = context.WithoutCancel(ctx)
	candidates := []string{value.Text(prior[kind.RowName]), value.Text(planned[kind.RowName])}
	var renamed *enms.RenamedError
	if errors.As(cause, &renamed) {
		candidates = append(candidates, renamed.Got)
	}
	for _, name := range candidates {
		answer, err := r.fetch(ctx, name, planned, set, true)
		if err != nil {
			continue
		}
		state, err := r.kind.State(answer, r.kind.Unwritten(answer, kind.Known(planned, prior), prior))
		if err == nil && value.Text(state[kind.RowID]) == value.Text(prior[kind.RowID]) {
			return state
		}
	}
	return prior
}
