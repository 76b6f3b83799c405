// This file updates instances, and renames them in place.

package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/payloads"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Update updates an instance as planned, unless another resource of this run has it. It
// returns the state as eNMS has it afterwards.
func (r *Instances) Update(ctx context.Context, config, planned, prior kind.Values, kept Record) (_ kind.Values, _ Record, diags diag.Diagnostics) {
	defer r.provider.Run.Computations.Writes.Begin()()
	late, done := r.provider.Client.WithGrace(ctx)
	defer done()
	defer func() { diags = append(diags, r.computeLate(late, true)...) }()
	result, diags := r.updateOwn(ctx, config, planned, prior, kept)
	if !result.acted {
		return result.state, kept, diags
	}
	next := Record{PendingCreate: kept.PendingCreate, Unfinished: result.unfinished}
	var before []string
	if diags.HasError() {
		next.PendingRename, before = r.pendingRename(planned, prior), kept.Managed
	}
	next.Managed = plans.Managed(r.kind, config, result.state, before)
	return result.state, next, diags
}

func (r *Instances) updateOwn(ctx context.Context, config, planned, prior kind.Values, kept Record) (updated, diag.Diagnostics) {
	name := value.Text(prior[kind.RowName])
	end, err := r.begin(ctx, applying.Update, name, value.Text(planned[kind.RowName]))
	if err == nil {
		defer end()
		err = r.checkUpdate(name, value.Text(prior[kind.RowID]))
	}
	if err != nil {
		return updated{state: prior}, r.errorDiagnostic(verbUpdate, name, planned, err)
	}
	if err := r.confirm(ctx, config, planned, prior, kept); err != nil {
		return updated{state: prior}, r.errorDiagnostic(verbUpdate, name, planned, err)
	}
	result, diags := r.update(ctx, config, planned, prior, kept)
	r.note(applying.Owned, result.state, name)
	return result, diags
}

// confirm checks before an update that the name still belongs to the instance in the state, which
// may be older than this process: Terraform may apply a saved plan, or not refresh. eNMS would
// otherwise change another instance, or create one with only the changed values. All updates of a
// process share what is read. A rename asks by itself (resolveRename).
func (r *Instances) confirm(ctx context.Context, config, planned, prior kind.Values, kept Record) error {
	name, payload := value.Text(prior[kind.RowName]), payloads.Update(r.kind, config, planned, prior)
	if _, renames := payload["new_name"]; payload == nil || renames || value.Text(prior[kind.RowID]) == "" {
		return nil
	}
	answer, err := r.provider.Client.FindOnce(ctx, r.kind.Name, name)
	if err == nil && hasAnotherID(answer, prior) { // what was read before may be outdated
		answer, err = r.provider.Client.FindNowUntil(ctx, r.kind.Name, name, states.Columns(r.kind, prior, false), func(answer value.Object) bool {
			return !hasAnotherID(answer, prior)
		})
	}
	switch {
	case err == nil && (!hasAnotherID(answer, prior) || r.isRestored(ctx, answer, prior)):
		return nil
	case err == nil:
		return r.failIfRenamed(ctx, prior, kept, &replacedError{ID: fmt.Sprint(answer[kind.RowID])})
	case errors.Is(err, enms.ErrNotFound):
		if renamed := r.failIfRenamed(ctx, prior, kept, err); renamed != nil && !is[*otherContentError](renamed) {
			return renamed
		}
		return goneError{}
	}
	return err
}

// updated is the result of an update.
type updated struct {
	state      kind.Values // what eNMS holds; nil if it could not be asked
	unfinished *unfinished // what should have followed the update, but failed; nil if nothing failed
	acted      bool        // something may have been changed
}

// update is Update for an instance that no other resource has, or that is being adopted.
func (r *Instances) update(ctx context.Context, config, planned, prior kind.Values, kept Record) (updated, diag.Diagnostics) {
	payload := payloads.Update(r.kind, config, planned, prior)
	if payload == nil {
		still, diags := r.consequences(ctx, planned, prior, kept.Unfinished)
		return updated{states.Known(planned, prior), still, true}, diags
	}
	unchanged := updated{prior, kept.Unfinished, false}
	if err := r.checkSpelling(ctx, planned, prior); err != nil {
		return unchanged, r.errorDiagnostic(verbUpdate, value.Text(prior[kind.RowName]), planned, err)
	}
	if diags := r.tryCriteria(ctx, verbUpdate, planned, prior); diags.HasError() {
		return unchanged, diags
	}
	_, renames := payload["new_name"]
	defer r.holdName(value.Text(prior[kind.RowName]), renames)()
	rename := r.beginRename(payload, prior)
	payload, err := r.resolveRename(ctx, payload, planned, prior)
	if err == nil && !r.alreadyHolds(ctx, payload, planned, prior) {
		err = r.intoPlace(ctx, payload, planned, prior, func(sent value.Object) (err error) {
			payload, err = r.sendUpdate(ctx, rename, sent, planned, prior)
			return err
		})
	}
	if rename != nil {
		r.provider.Run.Renames.End(rename, is[*enms.ExistsError](err))
	}
	if err != nil {
		state, diags := r.afterFailedUpdate(ctx, payload, planned, prior, r.explainRefusal(ctx, verbUpdate, planned, prior, err))
		// A redirect usually means a wrong base URL, but it is no proof: eNMS may have renamed
		// the instance before a gateway redirected its answer.
		acted := !enms.Unacted(err) || is[*enms.RedirectError](err)
		return updated{state, kept.Unfinished, acted}, diags
	}
	ctx, done := r.provider.Client.WithGrace(ctx)
	defer done()
	still, diags := r.consequences(ctx, planned, prior, kept.Unfinished)
	state, more := r.afterUpdate(ctx, payload, planned, prior)
	return updated{state, still, true}, append(diags, more...)
}

// resolveRename checks that the instance still has its old name before a rename is sent;
// otherwise eNMS would create a second instance (enms-rest.md 0.2). eNMS renames a service
// together with its workflow (enms-rest.md 1.5): then the payload is returned with the service's
// current name, and without the rename if that is already the new name.
func (r *Instances) resolveRename(ctx context.Context, payload value.Object, planned, prior kind.Values) (value.Object, error) {
	to, renaming := payload["new_name"].(string)
	if !renaming {
		return payload, nil
	}
	answer, err := r.findByIDAfterRenames(ctx, prior)
	if err != nil {
		return payload, err
	}
	renamed := maps.Clone(payload)
	current, _ := answer["name"].(string)
	renamed[kind.RowName] = current
	switch {
	case current == value.Text(prior[kind.RowName]):
		return payload, nil
	case current == to:
		delete(renamed, "new_name")
		return renamed, nil
	case r.renamedAlong(answer, planned, prior):
		return renamed, nil
	default:
		return payload, &enms.RefusedError{Op: verbRename, Type: r.kind.Name, Name: value.Text(prior[kind.RowName]),
			Reason: fmt.Sprintf("the instance with its id is now called %q; plan again", current)}
	}
}

// renamedAlong reports whether eNMS has renamed an instance together with another one that
// this client has renamed, or that has its planned name.
func (r *Instances) renamedAlong(answer value.Object, planned, prior kind.Values) bool {
	current, _ := answer["name"].(string)
	expected := current == r.NameNow(value.Text(prior[kind.RowName])) || relate.InPlannedScope(r.kind, current, planned, prior)
	return expected && states.SameContent(r.kind, answer, prior, nil)
}

// alreadyHolds reports whether eNMS already has the values of an update. A relation changes by
// itself when the related instance is renamed, and an unnecessary write would restart the
// interval of a task (enms-rest.md 1.8).
func (r *Instances) alreadyHolds(ctx context.Context, payload value.Object, planned, prior kind.Values) bool {
	if !payloads.OnlyRelations(r.kind, payload, planned, prior) {
		return false
	}
	name, columns := value.Text(planned[kind.RowName]), states.Columns(r.kind, planned, false)
	var answer value.Object
	has, known := r.hasRelations(ctx, name, states.SentRelations(r.kind, payload, planned))
	if known && !has {
		return false
	}
	var err error
	if known {
		answer, err = r.findNamed(ctx, name, columns)
	} else {
		answer, err = r.provider.Client.Get(ctx, r.kind.Name, name)
	}
	return err == nil && states.HoldsRelations(r.kind, payload, answer, planned)
}

func (r *Instances) afterUpdate(ctx context.Context, payload value.Object, planned, prior kind.Values) (kind.Values, diag.Diagnostics) {
	found := r.readBack(ctx, planned, payload, true)
	if found.hasOnlyAnotherID() { // It was restored after the plan (enms-rest.md 0.6): the next read learns its id.
		found.state[kind.RowID], found.deviations = prior[kind.RowID], nil
	}
	if found.state != nil && value.Text(found.state[kind.RowID]) != value.Text(prior[kind.RowID]) {
		return r.afterUpdateOfAnother(ctx, found.state, payload, prior)
	}
	if _, renamed := payload["new_name"]; found.deviates() && !renamed && r.kind.AfterWrite == nil {
		// A worker writes nothing if its snapshot already holds the values (enms-rest.md 10).
		// Instances such as tasks are not written twice, because each write has an effect.
		if err := r.provider.Client.Upsert(ctx, r.clientType(planned), payload); err == nil {
			found = r.readBack(ctx, planned, payload, true)
		}
	}
	state, diags := r.stateAfterWrite(ctx, found, planned)
	if state == nil {
		return states.Known(planned, prior), diags
	}
	return state, diags
}

// afterUpdateOfAnother returns the state after an update that was applied to another instance,
// because somebody deleted or renamed the planned one. Values that differ from the plan are to be
// expected, and are not reported.
func (r *Instances) afterUpdateOfAnother(ctx context.Context, state kind.Values, payload value.Object, prior kind.Values) (
	_ kind.Values, diags diag.Diagnostics) {
	name := value.Text(prior[kind.RowName])
	if happened := r.deleteDuplicate(ctx, value.Text(state[kind.RowName]), payload, prior); happened != "" {
		return prior, r.errorDiagnostic(verbUpdate, name, prior, errors.New(happened))
	}
	diags.AddError(fmt.Sprintf("The %s %q no longer existed", r.kind.Name, name),
		fmt.Sprintf("Somebody deleted it (id %s) after the plan was made, so eNMS created another one (id %s) with only the values of this update. Apply again to write the others.", value.Text(prior[kind.RowID]), value.Text(state[kind.RowID])))
	return states.WithoutVersions(r.kind, state, prior), diags
}

// deleteDuplicate undoes an update that created a second instance because somebody renamed the
// first one after the plan (enms-rest.md 0.1). It returns a sentence for the error, or "" if
// there is no such duplicate. It deletes only an instance that matches the payload.
func (r *Instances) deleteDuplicate(ctx context.Context, made string, payload value.Object, prior kind.Values) string {
	meant, err := r.provider.Client.FindByID(ctx, r.kind.Name, value.Text(prior[kind.RowID]))
	if err != nil || !states.SameContent(r.kind, meant, prior, nil) || meant[kind.RowName] == made {
		return ""
	}
	second, err := r.provider.Client.Get(ctx, r.kind.Name, made)
	if err != nil || !mayBeRenamed(value.Text(prior[kind.RowID]), &named{id: fmt.Sprint(second[kind.RowID])}, false) {
		return ""
	}
	outcome := fmt.Sprintf("eNMS changed another %s instead, which has that name", r.kind.Name)
	if states.MayBeOutcome(r.kind, payload, second) {
		outcome = fmt.Sprintf("eNMS made a second %s instead, %q, which was deleted again", r.kind.Name, made)
		if _, err := r.provider.Client.Delete(ctx, r.kind.Name, made); err != nil && !errors.Is(err, enms.ErrNotFound) {
			outcome = fmt.Sprintf("eNMS made a second %s instead, %q, which could not be deleted again: delete it by hand", r.kind.Name, made)
		}
	}
	return fmt.Sprintf("Somebody renamed it to %q after the plan was made. %s. Plan again.", meant[kind.RowName], outcome)
}

func (r *Instances) afterFailedUpdate(ctx context.Context, payload value.Object, planned, prior kind.Values,
	cause error) (kind.Values, diag.Diagnostics) {
	ctx, done := r.provider.Client.WithGrace(ctx)
	defer done()
	names := []string{value.Text(prior[kind.RowName]), value.Text(planned[kind.RowName])}
	if current, _ := payload[kind.RowName].(string); !slices.Contains(names, current) { // it may be a temporary name
		names = append(names, current)
	}
	if renamed, ok := errors.AsType[*enms.RenamedError](cause); ok {
		if happened := r.deleteDuplicate(ctx, renamed.Got, payload, prior); happened != "" {
			return prior, r.errorDiagnostic(verbUpdate, names[0], prior, errors.New(happened))
		}
		names = append(names, renamed.Got)
	}
	verb := verbUpdate
	if _, renaming := payload["new_name"]; renaming {
		verb = verbRename
	}
	diags := r.errorDiagnostic(verb, names[0], planned, cause)
	if !mayHaveActed(cause) {
		return prior, diags
	}
	for _, name := range names {
		answer, err := r.provider.Client.Get(ctx, r.kind.Name, name)
		if err != nil {
			continue
		}
		state, err := r.stateOf(ctx, answer, states.Unwritten(r.kind, answer, states.Known(planned, prior), prior))
		if err == nil && value.Text(state[kind.RowID]) == value.Text(prior[kind.RowID]) {
			return state, diags
		}
	}
	return prior, diags
}
