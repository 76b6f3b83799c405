// This file updates instances.

package instance

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/payloads"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/reading"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Update updates an instance as planned. After an error, the state is what eNMS has, as far as is known.
func (l *Lifecycle) Update(ctx context.Context, config, planned kind.Values, prior State) (State, diag.Diagnostics) {
	i := l.of(prior.Values)
	if diags := i.check(prior.Record); diags.HasError() {
		return prior, diags
	}
	if diags := i.takeSecrets(config, prior.Values); diags.HasError() {
		return prior, diags
	}
	full, fullPrior := plans.WithDefaults(i.Kind, config, i.Defaults()), plans.WithAllProperties(prior.Values)
	reset := plans.WithResets(i.Kind, plans.WithAllProperties(planned), fullPrior, plans.DefaultProperties(i.Kind, prior.Values, prior.Record.Managed))
	values, next, diags := i.Update(ctx, full, reset, fullPrior, prior.Record)
	return State{plans.Shown(i.Kind, values, planned, prior.Values, diags.HasError()), next}, diags
}

// Update updates an instance as planned, unless another resource of this run has it. It returns the state as eNMS has
// it afterwards, and the record to keep beside the state.
func (r *Instances) Update(ctx context.Context, config, planned, prior kind.Values, private record.Record) (_ kind.Values, _ record.Record, diags diag.Diagnostics) {
	end := r.beginWrite(ctx)
	defer func() { diags = append(diags, end(true)...) }()
	w := r.write(config, planned, prior, private)
	result, diags := w.updateOwn(ctx)
	if !result.acted {
		private.Dropped = private.Dropped || result.dropped
		return result.state, private, diags
	}
	next := record.Record{PendingCreate: private.PendingCreate, Unfinished: result.unfinished, Origin: cmp.Or(result.origin, private.Origin), Untold: private.Untold}
	var stillManaged []string
	if diags.HasError() { // eNMS might not have done all of it
		next.PendingRename, stillManaged = w.pendingRename(), private.Managed
	}
	next.Managed = plans.Managed(r.Kind, config, result.state, stillManaged)
	return result.state, next, diags
}

// updateOwn updates an instance unless another resource of this run has it, or its name belongs to another one.
func (w *write) updateOwn(ctx context.Context) (updated, diag.Diagnostics) {
	name := w.nameBefore()
	end, err := w.i.begin(ctx, applying.Update, w.idBefore(), name, w.name())
	if err == nil {
		defer end()
		err = w.i.checkUpdate(name, w.idBefore())
	}
	if err != nil {
		owned, is := errors.AsType[*failures.Owned](err)
		return updated{state: w.prior, dropped: is && owned.Status == applying.Owned}, w.i.Failed(failures.Update, w.nameBefore(), w.planned, err)
	}
	_, renames := payloads.Update(w.kind, w.config, w.planned, w.prior)["new_name"]
	if !renames { // update confirms a rename once it has begun, so that others wait for it
		if err := w.confirm(ctx); err != nil {
			return updated{state: w.prior, dropped: failures.Is[*failures.Replaced](err)}, w.i.Failed(failures.Update, w.nameBefore(), w.planned, err)
		}
	}
	result, diags := w.update(ctx)
	w.i.recordOutcome(result.state, name, applying.Ownership{Status: applying.Owned})
	return result, diags
}

// confirm checks before an update that the name still belongs to the instance in the state, which may be
// older than this process: Terraform may apply a saved plan, or not refresh. eNMS would otherwise change
// another instance, or create one with only the changed values. All updates of a process share the
// requests. Whether a rename was done already is found out by resolveRename.
func (w *write) confirm(ctx context.Context) error {
	name, payload := w.nameBefore(), payloads.Update(w.kind, w.config, w.planned, w.prior)
	if isSent := payload != nil; !isSent {
		return nil
	}
	if w.idBefore() == "" {
		return failures.UnknownID{}
	}
	named, err := w.client.FindOnce(ctx, w.kind.Name, name)
	if err == nil && reading.HasAnotherID(named, w.prior) { // what was read before may be outdated
		named, err = w.i.findNow(ctx, name, states.Columns(w.kind, w.prior), func(answer value.Object) bool {
			return !reading.HasAnotherID(answer, w.prior)
		})
	}
	if err != nil && !errors.Is(err, enms.ErrNotFound) {
		return err
	}
	_, renames := payload["new_name"]
	if renames && named == nil { // resolveRename looks where it is
		return nil
	}
	err = w.i.checkIdentity(ctx, w.prior, w.private, named)
	if failures.Is[failures.Gone](err) && w.i.Checker.DeletedWithParent(w.prior) {
		return &failures.Owned{Type: w.kind.Name, ID: w.idBefore(), Status: applying.Deleted}
	}
	if moved, is := errors.AsType[*failures.Renamed](err); renames && is && (moved.To == w.name() || w.renamedAlong(value.Object{kind.RowName: moved.To})) {
		return nil // its scope has exchanged names with another one, which has an instance of the same name
	}
	return err
}

// checkIdentity returns an error unless what has the name of a state is the instance of the state, which is the one that
// the plan is about. named is what has the name, or nil. The error says what has happened since the plan: failures.Gone or
// *failures.Replaced if somebody deleted the instance, *failures.Renamed, or *failures.Untold.
func (r *Instances) checkIdentity(ctx context.Context, state kind.Values, private record.Record, named value.Object) error {
	found, err := r.Identify(ctx, state, private, named, reading.Now)
	name := value.Text(state[kind.RowName])
	switch {
	case err != nil:
		return err
	case found.Gone && named != nil:
		return &failures.Replaced{ID: fmt.Sprint(named[kind.RowID])}
	case found.Gone:
		return failures.Gone{}
	case found.Untold != "":
		return &failures.Untold{Why: found.Untold, Missing: named == nil}
	case found.Renamed != nil:
		return found.Renamed
	case found.Name() != name:
		return &failures.Renamed{From: name, To: found.Name()}
	}
	if another, err := r.IsMeanwhileAnother(ctx, state, private, found.Row); another || err != nil {
		return cmp.Or(err, error(&failures.Replaced{ID: value.Text(state[kind.RowID])}))
	}
	return nil
}

// update is Update for an instance that no other resource has, or that is being adopted.
func (w *write) update(ctx context.Context) (updated, diag.Diagnostics) {
	payload := payloads.Update(w.kind, w.config, w.planned, w.prior)
	if payload == nil {
		still, diags := w.finishUpdate(ctx)
		return updated{state: states.Known(w.planned, w.prior), unfinished: still, acted: true}, diags
	}
	unchanged := updated{state: w.prior, unfinished: w.private.Unfinished}
	if err := w.i.Checker.CheckSpelling(ctx, w.planned, w.prior); err != nil {
		return unchanged, w.i.Failed(failures.Update, w.nameBefore(), w.planned, err)
	}
	if diags := w.i.Checker.TryCriteria(ctx, failures.Update, w.planned, w.prior); diags.HasError() {
		return unchanged, diags
	}
	_, renames := payload["new_name"]
	release := w.i.holdName(w.nameBefore(), renames)
	defer release()
	rename := w.beginRename(payload)
	if rename != nil {
		if err := w.confirm(ctx); err != nil {
			w.run.Renames.End(rename, false)
			unchanged.dropped = failures.Is[*failures.Replaced](err)
			return unchanged, w.i.Failed(failures.Update, w.nameBefore(), w.planned, err)
		}
	}
	payload, err := w.resolveRename(ctx, payload)
	if err == nil && !w.alreadyHolds(ctx, payload) {
		err = w.writeToPlace(ctx, func() (err error) {
			payload, err = w.sendUpdate(ctx, rename, payload) // what was sent last
			return err
		})
	}
	if rename != nil {
		w.run.Renames.End(rename, failures.Is[*enms.ExistsError](err))
	}
	if err != nil {
		state, diags := w.afterFailedUpdate(ctx, payload, w.explainRefusal(ctx, err))
		// A redirect usually means a wrong base URL, but it is no proof: eNMS may have renamed
		// the instance before a gateway redirected its answer.
		acted := !enms.Unacted(err) || failures.Is[*enms.RedirectError](err)
		return updated{state: state, unfinished: w.private.Unfinished, acted: acted}, diags
	}
	ctx, done := w.client.WithGrace(ctx)
	defer done()
	still, diags := w.finishUpdate(ctx)
	found, more := w.afterUpdate(ctx, payload)
	found.unfinished, found.acted = still, true
	return found, append(diags, more...)
}

// alreadyHolds reports whether eNMS already has the values of an update of nothing but relations. A relation
// changes by itself when the related instance is renamed, and a needless write would restart the interval of a
// task (enms-rest.md 1.8).
func (w *write) alreadyHolds(ctx context.Context, payload value.Object) bool {
	if !payloads.OnlyRelations(w.kind, payload, w.planned, w.prior) {
		return false
	}
	name, columns := w.name(), states.Columns(w.kind, w.planned)
	var answer value.Object
	var err error
	switch has, known := w.i.HasRelations(ctx, name, states.SentUnsearched(w.kind, payload, w.planned), columns); {
	case !known:
		answer, err = w.client.Get(ctx, w.kind.Name, name)
	case has:
		answer, err = w.i.FindNamed(ctx, name, columns)
	default:
		return false
	}
	return err == nil && states.ShowsRelations(w.kind, payload, answer, w.planned)
}

// pendingRename returns a failed update as a pending write, or nil if it was no rename.
func (w *write) pendingRename() *record.PendingWrite {
	payload := payloads.Update(w.kind, nil, w.planned, w.prior)
	if _, renaming := payload["new_name"]; !renaming {
		return nil
	}
	return &record.PendingWrite{Sent: payloads.WithoutSecrets(w.kind, payload, nil)}
}
