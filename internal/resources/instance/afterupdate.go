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
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// updated is the result of an update.
type updated struct {
	origin     *record.Origin     // the one to record; nil if that is as before
	state      kind.Values        // the instance as eNMS has it; nil if the read failed
	unfinished *record.Unfinished // what should have followed the update, but failed; nil if nothing failed
	acted      bool               // something may have been changed
	dropped    bool               // the instance is another resource's, or another one by now (record.Record.Dropped)
}

// afterUpdate returns the state after an update that eNMS has accepted, and its origin. That stays the one before, because
// the changelog tells what has happened since; only the ends of an edge may be others.
func (r *Instances) afterUpdate(ctx context.Context, payload value.Object, planned, prior kind.Values, before *record.Origin) (updated, diag.Diagnostics) {
	found := r.readBack(ctx, planned, payload, true)
	if found.state != nil && value.Text(found.state[kind.RowID]) != value.Text(prior[kind.RowID]) {
		return updated{state: prior}, r.Failed(failures.Update, value.Text(prior[kind.RowName]), prior, r.hitAnother(found.state, prior))
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
		return updated{state: states.Known(planned, prior)}, diags
	}
	if before == nil {
		return updated{state: state, origin: r.Origin(ctx, found.answer, false)}, diags
	}
	origin := *before
	origin.Ends = states.Ends(r.Kind, found.answer)
	return updated{state: state, origin: &origin}, diags
}

// hitAnother returns the error of an update that eNMS applied to another instance, because somebody deleted or renamed
// the planned one at the same moment (enms-rest.md 0.1). What has the name may be new, or somebody else's, so it is left.
func (r *Instances) hitAnother(state, prior kind.Values) error {
	return fmt.Errorf("at the same time, somebody deleted or renamed it (id %s). eNMS wrote the values of this update to what has the name %q now (id %s), or created that. Look at it in eNMS, and plan again",
		value.Text(prior[kind.RowID]), value.Text(state[kind.RowName]), value.Text(state[kind.RowID]))
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
