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
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/payloads"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// updated is the result of an update.
type updated struct {
	origin     *record.Origin     // the one to record; nil if that is as before
	state      kind.Values        // the instance as eNMS has it; nil if the read failed
	unfinished *record.Unfinished // what should have followed the update, but failed; nil if nothing failed
	acted      bool               // something may have been changed
	dropped    bool               // the state no longer has the instance: another resource has taken it over, or somebody has replaced it
}

// afterUpdate returns the state after an update that eNMS has accepted, and its origin. That stays the one before, because
// the changelog tells what has happened since; only its place (kind.Place) may be another one.
func (w *write) afterUpdate(ctx context.Context, payload value.Object) (updated, diag.Diagnostics) {
	found := w.readBack(ctx, payload)
	if found.state != nil && value.Text(found.state[kind.RowID]) != w.idBefore() {
		return updated{state: w.prior}, w.i.Failed(failures.Update, w.nameBefore(), w.prior, w.hitAnother(found.state))
	}
	if _, renamed := payload["new_name"]; found.deviates() && !renamed && w.kind.DataCheck == nil {
		// A worker writes nothing if its snapshot already has the values (enms-rest.md 10), so the update is sent
		// again, but no rename, whose old name is gone, and no write of an instance such as a task: each has an effect.
		if err := w.client.Upsert(ctx, w.clientType(), payloads.Existing(w.kind, payload, w.prior)); err == nil {
			found = w.readBack(ctx, payload)
		}
	}
	state, diags := w.stateAfterWrite(ctx, found)
	if state == nil {
		return updated{state: states.Known(w.planned, w.prior)}, diags
	}
	before := w.private.Origin
	if before == nil {
		return updated{state: state, origin: w.i.Origin(ctx, found.answer)}, diags
	}
	origin := *before
	origin.Ends = states.Ends(w.kind, found.answer)
	return updated{state: state, origin: &origin}, diags
}

// hitAnother returns the error of an update that eNMS applied to another instance, because somebody deleted or renamed
// the planned one at the same moment (enms-rest.md 0.1). What has the name may be new, or somebody else's, so it is left.
func (w *write) hitAnother(state kind.Values) error {
	return fmt.Errorf("at the same time, somebody deleted or renamed it (id %s). eNMS wrote the values of this update to what has the name %q now (id %s), or created that. Look at it in eNMS, and plan again",
		w.idBefore(), value.Text(state[kind.RowName]), value.Text(state[kind.RowID]))
}

// afterFailedUpdate returns the state after an update that failed: eNMS may nevertheless have applied it, under
// any of the names that the instance may have by now.
func (w *write) afterFailedUpdate(ctx context.Context, payload value.Object, cause error) (kind.Values, diag.Diagnostics) {
	ctx, done := w.client.WithGrace(ctx)
	defer done()
	names := []string{w.nameBefore(), w.name()}
	if current, _ := payload[kind.RowName].(string); !slices.Contains(names, current) { // it may be a temporary name
		names = append(names, current)
	}
	if renamed, ok := errors.AsType[*enms.RenamedError](cause); ok {
		names = append(names, renamed.Got)
	}
	verb := failures.Update
	if _, renaming := payload["new_name"]; renaming {
		verb = failures.Rename
	}
	diags := w.i.Failed(verb, names[0], w.planned, cause)
	if !failures.MayHaveActed(cause) {
		return w.prior, diags
	}
	for _, name := range names {
		answer, err := w.client.Get(ctx, w.kind.Name, name)
		if err != nil {
			continue
		}
		state, err := w.i.StateOf(ctx, answer, states.Unwritten(w.kind, answer, states.Known(w.planned, w.prior), w.prior))
		if err == nil && value.Text(state[kind.RowID]) == w.idBefore() {
			return state, diags
		}
	}
	return w.prior, diags
}
