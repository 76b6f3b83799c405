// This file creates instances, or takes existing ones over.

package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// stillAtWork is how long eNMS may go on with a request whose answer was lost.
const stillAtWork = 2 * time.Minute

// create makes the instance. A state together with an error makes Terraform
// mark the instance as tainted, and destroy it at the next apply; pending is then
// the creation if its outcome is not known. An instance that was adopted is
// somebody's and must not be destroyed: there the next apply adopts it again.
func (r *instances) create(ctx context.Context, config, planned kind.Values) (state kind.Values, pending *pendingWrite, diags diag.Diagnostics) {
	name := value.Text(planned[kind.RowName])
	if err := r.checkSpelling(ctx, planned, nil); err != nil {
		return nil, nil, r.errorDiagnostic(verbCreate, name, planned, err)
	}
	adopted, err := r.adopt(ctx, config, planned)
	if err != nil {
		return nil, nil, r.errorDiagnostic(verbAdopt, name, planned, err)
	}
	payload, begin := r.kind.CreatePayload(config, planned), time.Now()
	if !adopted {
		matches := func(row enms.Object) bool { return r.kind.FullOutcomeOf(payload, row) }
		if err := r.provider.Client.Create(ctx, r.clientType(planned), payload, matches); err != nil {
			diags = r.errorDiagnostic(verbCreate, name, planned, err)
			if state, pending = r.recoverFailedCreate(ctx, planned, payload, begin, err); state != nil && pending == nil {
				diags.AddWarning(fmt.Sprintf("The %s %q exists all the same", r.kind.Name, name),
					fmt.Sprintf("eNMS made it (id %s) although it reported a failure. It is in the state, marked as tainted: the next apply replaces it.", value.Text(state[kind.RowID])))
			}
			return state, pending, diags
		}
	}
	state, diags = r.stateAfterWrite(ctx, r.readBack(ctx, planned, payload, adopted), planned)
	switch {
	case adopted && diags.HasError():
		return nil, nil, diags
	case state == nil:
		return r.kind.MinimalState(planned), r.pendingWrite(payload, enms.Window{}), diags
	}
	return state, nil, diags
}

// checkSpelling makes sure that the related instances of the plan that are not in
// the state are spelled as eNMS has them: it would answer its own spelling, which
// would be a difference in every plan.
func (r *instances) checkSpelling(ctx context.Context, planned, prior kind.Values) error {
	for _, related := range r.kind.NewlyRelated(planned, prior) {
		if err := r.provider.Client.Spelled(ctx, related.Type, related.Names); err != nil {
			return err
		}
	}
	return nil
}

// adopt takes over an instance that bears the name already, if that is wanted
// and if there is one.
func (r *instances) adopt(ctx context.Context, config, planned kind.Values) (bool, error) {
	wanted := r.provider.AdoptExisting
	if v := planned[kind.RowAdoptExisting]; v.IsKnown() && !v.IsNull() {
		_ = v.As(&wanted)
	}
	if !wanted {
		return false, nil
	}
	name := value.Text(planned[kind.RowName])
	found, err := r.provider.Client.Find(ctx, r.kind.Name, name, nil)
	if errors.Is(err, enms.ErrNotFound) {
		return false, nil // A name that another spelling takes is told when it is created.
	}
	if err != nil {
		return false, err
	}
	if have, want := found["type"], r.kind.Path(planned); have != want && r.kind.HasSubtypes() {
		foundType, _ := have.(string)
		return false, &enms.ExistsError{Type: want, Name: name, ID: fmt.Sprint(found["id"]), FoundType: foundType}
	}
	return true, r.provider.Client.Upsert(ctx, r.clientType(planned), r.kind.AdoptPayload(config, planned))
}

// recoverFailedCreate looks for what a failed creation left behind: eNMS may have
// stored an instance although it reported a failure (enms-rest.md 0.1). Something
// that does not look like the outcome of this payload, or was not written since
// the creation began, belongs to somebody else.
func (r *instances) recoverFailedCreate(ctx context.Context, planned kind.Values, payload value.Object, begin time.Time, cause error) (kind.Values, *pendingWrite) {
	minimal, name := r.kind.MinimalState(planned), value.Text(planned[kind.RowName])
	if is[*enms.AmbiguousError](cause) { // whatever lost the answer
		return minimal, r.pendingCreate(payload, begin)
	}
	if is[*enms.ExistsError](cause) || !mayHaveActed(cause) {
		return nil, nil
	}
	names := []string{name}
	if renamed, ok := errors.AsType[*enms.RenamedError](cause); ok {
		names = []string{renamed.Got, name}
	}
	ctx = context.WithoutCancel(ctx)
	for _, name := range names {
		answer, err := r.provider.Client.Get(ctx, r.kind.Name, name)
		// What eNMS refused, and cannot even look for, is in no state that a plan could read.
		unreadable := is[*enms.RefusedError](cause) && enms.InternalServerError(err)
		// After a 500 nothing was kept: what is there by now is another's.
		foreign := err == nil && (enms.InternalServerError(cause) || !r.isOutcome(answer, payload, r.provider.Client.Since(begin)))
		if errors.Is(err, enms.ErrNotFound) || unreadable || foreign {
			continue
		}
		if err == nil {
			if state, err := r.kind.State(answer, minimal); err == nil {
				return state, nil
			}
		}
		minimal[kind.RowName] = tftypes.NewValue(tftypes.String, name)
		return minimal, r.pendingCreate(payload, begin)
	}
	return nil, nil
}

// isOutcome tells whether an instance is the outcome of a creation in a window, in
// full or in part.
func (r *instances) isOutcome(answer, payload value.Object, when enms.Window) bool {
	return r.provider.Client.Wrote(answer, when) && r.kind.OutcomeOf(payload, answer)
}

// pendingCreate is a creation whose outcome is not known: it may have happened
// since it began, or may happen yet, because eNMS may still be at work.
func (r *instances) pendingCreate(payload value.Object, begin time.Time) *pendingWrite {
	window := r.provider.Client.Since(begin)
	window.Until = window.Until.Add(stillAtWork)
	return r.pendingWrite(payload, window)
}
