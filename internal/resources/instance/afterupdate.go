// This file finds out what an update has done.

package instance

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// afterUpdate returns the state after an update that eNMS has accepted.
func (r *Instances) afterUpdate(ctx context.Context, payload value.Object, planned, prior kind.Values) (kind.Values, diag.Diagnostics) {
	found := r.readBack(ctx, planned, payload, true)
	if found.hasOnlyAnotherID() { // it was restored after the plan (enms-rest.md 0.6): the next read learns its new id
		found.state[kind.RowID], found.deviations = prior[kind.RowID], nil
	}
	if found.state != nil && value.Text(found.state[kind.RowID]) != value.Text(prior[kind.RowID]) {
		return r.afterUpdateOfAnother(ctx, found.state, payload, prior)
	}
	if _, renamed := payload["new_name"]; found.deviates() && !renamed && r.Kind.AfterWrite == nil {
		// A worker writes nothing if its snapshot already has the values (enms-rest.md 10), so the update is sent
		// again, but no rename, whose old name is gone, and no write of an instance such as a task: each has an effect.
		if err := r.Provider.Client.Upsert(ctx, r.clientType(planned), payload); err == nil {
			found = r.readBack(ctx, planned, payload, true)
		}
	}
	state, diags := r.stateAfterWrite(ctx, found, planned)
	if state == nil {
		return states.Known(planned, prior), diags
	}
	return state, diags
}

// afterUpdateOfAnother returns the state after an update that was applied to another instance than the
// planned one, because somebody deleted or renamed that one. Values that differ from the plan are to be
// expected, and are not reported.
func (r *Instances) afterUpdateOfAnother(ctx context.Context, state kind.Values, payload value.Object, prior kind.Values) (
	_ kind.Values, diags diag.Diagnostics) {
	name := value.Text(prior[kind.RowName])
	if happened := r.deleteDuplicate(ctx, value.Text(state[kind.RowName]), payload, prior); happened != "" {
		return prior, r.Failed(failures.Update, name, prior, errors.New(happened))
	}
	diags.AddError(fmt.Sprintf("The %s %q no longer existed", r.Kind.Name, name),
		fmt.Sprintf("Somebody deleted it (id %s) after the plan was made, so eNMS created another one (id %s) with only the values of this update. Apply again to write the others.", value.Text(prior[kind.RowID]), value.Text(state[kind.RowID])))
	return states.WithoutVersions(r.Kind, state, prior), diags
}

// deleteDuplicate undoes an update that created a second instance because somebody renamed the first one
// after the plan (enms-rest.md 0.1). It returns a sentence for the error, or "" if there is no such
// duplicate. It deletes an instance only if it matches the payload.
func (r *Instances) deleteDuplicate(ctx context.Context, made string, payload value.Object, prior kind.Values) string {
	meant, err := r.Provider.Client.FindByID(ctx, r.Kind.Name, value.Text(prior[kind.RowID]))
	if err != nil || !states.SameContent(r.Kind, meant, prior, nil) || meant[kind.RowName] == made {
		return ""
	}
	second, err := r.Provider.Client.Get(ctx, r.Kind.Name, made)
	firstID, secondID := value.Text(prior[kind.RowID]), fmt.Sprint(second[kind.RowID])
	if err != nil || firstID == "" || secondID == firstID || states.IsOlder(secondID, firstID) {
		return ""
	}
	outcome := fmt.Sprintf("eNMS changed another %s instead, which has that name", r.Kind.Name)
	if states.MayBeOutcome(r.Kind, payload, second, states.InPart) {
		outcome = fmt.Sprintf("eNMS made a second %s instead, %q, which was deleted again", r.Kind.Name, made)
		if _, err := r.Provider.Client.Delete(ctx, r.Kind.Name, made); err != nil && !errors.Is(err, enms.ErrNotFound) {
			outcome = fmt.Sprintf("eNMS made a second %s instead, %q, which could not be deleted again: delete it by hand", r.Kind.Name, made)
		}
	}
	return fmt.Sprintf("Somebody renamed it to %q after the plan was made. %s. Plan again.", meant[kind.RowName], outcome)
}

// afterFailedUpdate returns the state after an update that failed: eNMS may nevertheless have applied it, under
// any of the names that the instance may have by now.
func (r *Instances) afterFailedUpdate(ctx context.Context, payload value.Object, planned, prior kind.Values,
	cause error) (kind.Values, diag.Diagnostics) {
	ctx, done := r.Provider.Client.WithGrace(ctx)
	defer done()
	names := []string{value.Text(prior[kind.RowName]), value.Text(planned[kind.RowName])}
	if current, _ := payload[kind.RowName].(string); !slices.Contains(names, current) { // it may be a temporary name
		names = append(names, current)
	}
	if renamed, ok := errors.AsType[*enms.RenamedError](cause); ok {
		if happened := r.deleteDuplicate(ctx, renamed.Got, payload, prior); happened != "" {
			return prior, r.Failed(failures.Update, names[0], prior, errors.New(happened))
		}
		names = append(names, renamed.Got)
	}
	verb := failures.Update
	if _, renaming := payload["new_name"]; renaming {
		verb = failures.Rename
	}
	diags := r.Failed(verb, names[0], planned, cause)
	if !failures.MayHaveActed(cause) {
		return prior, diags
	}
	for _, name := range names {
		answer, err := r.Provider.Client.Get(ctx, r.Kind.Name, name)
		if err != nil {
			continue
		}
		state, err := r.StateOf(ctx, answer, states.Unwritten(r.Kind, answer, states.Known(planned, prior), prior))
		if err == nil && value.Text(state[kind.RowID]) == value.Text(prior[kind.RowID]) {
			return state, diags
		}
	}
	return prior, diags
}
