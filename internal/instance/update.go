// This file changes instances and renames them in place.

package instance

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// update changes the instance to what is planned and makes its state. After a
// failure the state is what eNMS holds, as far as it can be asked.
func (r *instanceResource) update(ctx context.Context, planned, prior Values, set []string) (Values, diag.Diagnostics) {
	payload := r.kind.updatePayload(planned, prior)
	if payload == nil {
		return known(planned, prior), nil
	}
	name := text(prior[rowName])
	err := r.follow(ctx, payload, prior)
	if err == nil {
		err = r.provider.Client.Upsert(ctx, r.kind.path(planned), payload)
	}
	if err != nil {
		diags := r.kind.problem("update", name, planned, err)
		return r.afterFailure(ctx, planned, prior, set, err), diags
	}
	state, diags := r.written(ctx, planned, true)
	if state == nil {
		return known(planned, prior), diags
	}
	if id := text(prior[rowID]); text(state[rowID]) != id {
		diags.AddError(fmt.Sprintf("The %s %q was gone", r.kind.Name, name),
			fmt.Sprintf("Somebody deleted it (id %s) after the plan was made, so eNMS created another one (id %s) that holds only what this update sent. Apply again to give it the rest.", id, text(state[rowID])))
	}
	return state, diags
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
	if !mayHaveActed(cause) {
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
		state, err := r.kind.stateOf(answer, known(planned, prior))
		if err == nil && text(state[rowID]) == text(prior[rowID]) {
			return state
		}
	}
	return prior
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
