// This file changes instances and renames them in place.

package instance

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// update changes the instance to what is planned and makes its state. After a
// failure the state is what eNMS holds, as far as it can be asked; acted is false
// when nothing can have been changed.
func (r *instanceResource) update(ctx context.Context, planned, prior Values, set []string) (state Values, acted bool, diags diag.Diagnostics) {
	payload := r.kind.updatePayload(planned, prior)
	if payload == nil {
		return known(planned, prior), true, nil
	}
	name := text(prior[rowName])
	if err := r.spelled(ctx, planned, prior); err != nil {
		return prior, false, r.kind.problem("update", name, planned, err)
	}
	err := r.follow(ctx, payload, prior)
	if err == nil && !r.holds(ctx, payload, planned) {
		err = r.provider.Client.Upsert(ctx, r.kind.path(planned), payload)
	}
	if err != nil {
		state, diags = r.failed(ctx, payload, planned, prior, set, err)
		return state, !unacted(err), diags
	}
	look := r.afterWrite(ctx, planned, payload, true)
	if _, renamed := payload["new_name"]; len(look.deviating) > 0 && !renamed && r.kind.Settle == nil {
		// A worker whose snapshot held the values already has written nothing
		// (enms-rest.md 10). What acts whenever it is written, as tasks do, is left.
		if err := r.provider.Client.Upsert(ctx, r.kind.path(planned), payload); err == nil {
			look = r.afterWrite(ctx, planned, payload, true)
		}
	}
	state, diags = r.conclude(ctx, look, planned)
	if state == nil {
		return known(planned, prior), true, diags
	}
	if id := text(prior[rowID]); text(state[rowID]) != id {
		if doubled := r.undouble(ctx, text(state[rowName]), payload, prior); doubled != nil {
			return prior, true, doubled
		}
		diags.AddError(fmt.Sprintf("The %s %q was gone", r.kind.Name, name),
			fmt.Sprintf("Somebody deleted it (id %s) after the plan was made, so eNMS created another one (id %s) that holds only what this update sent. Apply again to give it the rest.", id, text(state[rowID])))
	}
	return state, true, diags
}

// failed tells of an update that failed, and what the state is now.
func (r *instanceResource) failed(ctx context.Context, payload enms.Object, planned, prior Values, set []string, cause error) (Values, diag.Diagnostics) {
	if renamed, ok := errors.AsType[*enms.RenamedError](cause); ok {
		if doubled := r.undouble(ctx, renamed.Got, payload, prior); doubled != nil {
			return prior, doubled
		}
	}
	verb := "update"
	if _, renaming := payload["new_name"]; renaming {
		verb = verbRename
	}
	return r.afterFailure(ctx, planned, prior, set, cause), r.kind.problem(verb, text(prior[rowName]), planned, cause)
}

// holds tells whether eNMS holds already what an update would send: relations
// follow by themselves when what they refer to is renamed, and a needless write
// would begin the intervals of tasks anew (enms-rest.md 1.8).
func (r *instanceResource) holds(ctx context.Context, payload enms.Object, planned Values) bool {
	rows := map[string]Attribute{}
	for _, a := range r.kind.Rows() {
		rows[a.property()] = a
	}
	relations := func(property string) bool { return rows[property].Meaning == One || rows[property].Meaning == Many }
	for property := range payload {
		if a, is := rows[property]; !is || !relations(property) && a.Role != Key && !a.Derived {
			return false
		}
	}
	answer, err := r.provider.Client.Get(ctx, r.kind.Name, text(planned[rowName]))
	if err != nil {
		return false
	}
	for property := range payload {
		if a := rows[property]; relations(property) {
			now, err := a.fromAnswer(answer[a.readFrom()])
			if err != nil || !a.same(now, planned[a.Name]) {
				return false
			}
		}
	}
	return true
}

// undouble undoes an update that made a second instance, because somebody had
// renamed the one that was meant after the plan was made: eNMS creates what it
// does not find under its name (enms-rest.md 0.1). It gives nil when that is
// not what happened. Only what holds nothing but what the update sent is
// deleted.
func (r *instanceResource) undouble(ctx context.Context, made string, payload enms.Object, prior Values) diag.Diagnostics {
	ctx = context.WithoutCancel(ctx)
	meant, err := r.provider.Client.FindByID(ctx, r.kind.Name, text(prior[rowID]))
	if err != nil || !r.kind.sameContent(meant, prior, nil) || meant[rowName] == made {
		return nil
	}
	second, err := r.provider.Client.Get(ctx, r.kind.Name, made)
	if err != nil {
		return nil
	}
	outcome := fmt.Sprintf("eNMS changed another %s instead, which has that name now", r.kind.Name)
	if r.kind.outcomeOf(payload, second) {
		outcome = fmt.Sprintf("eNMS made a second %s instead, %q, which was deleted again", r.kind.Name, made)
		if err := r.provider.Client.Delete(ctx, r.kind.Name, made); err != nil && !errors.Is(err, enms.ErrNotFound) {
			outcome = fmt.Sprintf("eNMS made a second %s instead, %q, which could not be deleted again: delete it by hand", r.kind.Name, made)
		}
	}
	return diag.Diagnostics{diag.NewErrorDiagnostic(fmt.Sprintf("Cannot update %s %q", r.kind.Name, text(prior[rowName])),
		fmt.Sprintf("Somebody renamed it to %q after the plan was made. %s. Plan again.", meant[rowName], outcome))}
}

// follow readies a rename. The present name is asked for first, because eNMS
// creates a second instance when the old name does not exist (enms-rest.md
// 0.2), and because a service in a workflow has been renamed already when its
// workflow was (enms-rest.md 1.5).
func (r *instanceResource) follow(ctx context.Context, payload enms.Object, prior Values) error {
	to, renaming := payload["new_name"].(string)
	if !renaming {
		return nil
	}
	answer, err := r.provider.Client.FindByID(ctx, r.kind.Name, text(prior[rowID]))
	if err != nil {
		return err
	}
	switch current, _ := answer["name"].(string); current {
	case text(prior[rowName]):
		return nil
	case to:
		payload[rowName] = to
		delete(payload, "new_name")
		return nil
	default:
		return &enms.RefusedError{Op: "rename", Type: r.kind.Name, Name: text(prior[rowName]),
			Reason: fmt.Sprintf("the instance with its id is now called %q; plan again", current)}
	}
}

// afterFailure is the state after a failed update: what eNMS holds under the
// old name or the new one, or the old state when eNMS cannot tell.
func (r *instanceResource) afterFailure(ctx context.Context, planned, prior Values, set []string, cause error) Values {
	if !mayTell(cause) {
		return prior
	}
	ctx = context.WithoutCancel(ctx)
	candidates := []string{text(prior[rowName]), text(planned[rowName])}
	var renamed *enms.RenamedError
	if errors.As(cause, &renamed) {
		candidates = append(candidates, renamed.Got)
	}
	for _, name := range candidates {
		answer, err := r.fetch(ctx, name, planned, set, true)
		if err != nil {
			continue
		}
		state, err := r.kind.stateOf(answer, r.kind.unwritten(answer, known(planned, prior), prior))
		if err == nil && text(state[rowID]) == text(prior[rowID]) {
			return state
		}
	}
	return prior
}

// unwritten is a plan of which nothing is taken for written that eNMS does not
// answer, such as a secret: of further fields, those are as they were before.
func (k *Kind) unwritten(answer enms.Object, planned, prior Values) Values {
	before, members := fields(prior[rowProperties]), map[string]any{}
	for name, x := range fields(planned[rowProperties]) {
		was, had := before[name]
		if _, answered := answer[name]; answered {
			members[name] = x
		} else if had {
			members[name] = was
		}
	}
	state := maps.Clone(planned)
	if !planned[rowProperties].IsNull() {
		state[rowProperties] = fromJSON(members)
	}
	return state
}

// known fills what the plan left open with what the state had.
func known(planned, prior Values) Values {
	state := Values{}
	for name, v := range planned {
		if v.IsFullyKnown() {
			state[name] = v
		} else {
			state[name] = prior[name]
		}
	}
	return state
}
