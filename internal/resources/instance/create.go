// This file creates and adopts instances.

package instance

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/payloads"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Create creates or adopts an instance as planned. The state has no values if nothing was created.
func (l *Lifecycle) Create(ctx context.Context, config, planned kind.Values) (State, diag.Diagnostics) {
	i := l.of(config)
	if diags := i.check(record.Record{}); diags.HasError() {
		return State{}, diags
	}
	if diags := i.takeSecrets(config, nil); diags.HasError() {
		return State{}, diags
	}
	values, private, diags := i.Create(ctx, plans.WithDefaults(i.Kind, config, i.Defaults()), plans.WithAllProperties(planned))
	if values == nil {
		return State{}, diags
	}
	return State{plans.Shown(i.Kind, values, planned, nil, diags.HasError()), private}, diags
}

// Create creates or adopts an instance. If it returns both a state and an error, Terraform
// marks the resource as tainted and replaces it at the next apply; an entry of enms_instances
// is completed by the next update. A failed adoption returns no state, so that Terraform does
// not destroy an instance that existed before: the next apply adopts it again.
func (r *Instances) Create(ctx context.Context, config, planned kind.Values) (
	state kind.Values, private record.Record, diags diag.Diagnostics) {
	end := r.beginWrite(ctx)
	defer func() { diags = append(diags, end(state != nil)...) }()
	return r.write(config, planned, nil, record.Record{}).create(ctx)
}

// create is Create without the computation that may follow.
func (w *write) create(ctx context.Context) (state kind.Values, private record.Record, diags diag.Diagnostics) {
	if err := w.setName(ctx); err != nil {
		return nil, record.Record{}, w.i.Failed(failures.Adopt, w.name(), w.planned, err)
	}
	end, err := w.i.begin(ctx, applying.Create, "", w.name())
	if err != nil {
		return nil, record.Record{}, w.i.Failed(failures.Create, w.name(), w.planned, err)
	}
	defer end()
	if err := w.i.Checker.CheckSpelling(ctx, w.planned, nil); err != nil {
		return nil, record.Record{}, w.i.Failed(failures.Create, w.name(), w.planned, err)
	}
	if diags = w.i.Checker.TryCriteria(ctx, failures.Create, w.planned, nil); diags.HasError() {
		return nil, record.Record{}, diags
	}
	existing, err := w.findAdoptable(ctx)
	switch {
	case err != nil:
		return nil, record.Record{}, w.i.Failed(failures.Adopt, w.name(), w.planned, err)
	case existing != nil:
		end, err := w.beginAdoption(ctx, value.Text(existing[kind.RowID]))
		if err != nil {
			return nil, record.Record{}, w.i.Failed(failures.Adopt, w.name(), w.planned, err)
		}
		defer end()
		state, private, diags = w.adopt(ctx, existing)
	default:
		state, private, diags = w.createNew(ctx)
	}
	if state == nil {
		return nil, record.Record{}, diags
	}
	private.Managed = plans.Managed(w.kind, w.config, state, nil)
	w.i.recordOutcome(state, value.Text(state[kind.RowName]), applying.Ownership{Status: applying.Owned, New: existing == nil})
	return state, private, diags
}

// createNew creates an instance. It returns the creation as pending if its outcome is unknown, or if the instance
// cannot be read back.
func (w *write) createNew(ctx context.Context) (
	state kind.Values, private record.Record, diags diag.Diagnostics) {
	if err := w.checkSecond(ctx); err != nil {
		return nil, private, w.i.Failed(failures.Create, w.name(), w.planned, err)
	}
	begin, name := time.Now(), w.name()
	last := w.sendNew(ctx, payloads.Create(w.kind, w.config, w.planned))
	for n := 2; w.mayTakeAnotherName(ctx, last.refused); n++ {
		w.planned = withName(w.planned, numbered(name, n))
		last = w.sendNew(ctx, payloads.Create(w.kind, w.config, w.planned))
	}
	leftOut := w.membersNotYetCreated(last.err)
	if len(leftOut) > 0 {
		last = w.sendNew(ctx, withoutMembers(last.payload, leftOut))
	}
	if last.err != nil {
		return w.afterFailedCreate(ctx, last, begin)
	}
	return w.afterCreate(ctx, last, leftOut)
}

// creation is an attempt to create an instance.
type creation struct {
	payload value.Object
	hadMark bool  // enms.Client.HasMark before the payload was sent: what had the name until then may be deleted after the mark
	refused error // of the client
	err     error // refused with its reason, if that can be found out
}

// sendNew sends the payload of a creation. If its place is taken, it waits (place.go).
func (w *write) sendNew(ctx context.Context, payload value.Object) creation {
	made := creation{payload: payload}
	matches := func(row enms.Object) bool { return states.MayBeOutcome(w.kind, payload, row, states.InFull) }
	made.refused = w.writeToPlace(ctx, func() error {
		return w.createWhenFree(ctx, func() error {
			made.hadMark = w.client.HasMark()
			return w.client.Create(ctx, w.clientType(), payload, matches)
		})
	})
	made.err = w.explainRefusal(ctx, made.refused)
	return made
}

// afterFailedCreate returns the error of a creation that began at begin, and what it has left in eNMS.
func (w *write) afterFailedCreate(ctx context.Context, failed creation, begin time.Time) (
	state kind.Values, private record.Record, diags diag.Diagnostics) {
	diags = w.i.Failed(failures.Create, w.name(), w.planned, failed.err)
	state, private = w.recoverFailedCreate(ctx, payloads.WithoutSecrets(w.kind, failed.payload, w.config), begin, failed.refused)
	if state != nil && private.PendingCreate == nil {
		diags.AddWarning(fmt.Sprintf("The %s %q was created nevertheless", w.kind.Name, w.name()),
			fmt.Sprintf("eNMS created it (id %s) although it reported a failure. It is in the state%s.", value.Text(state[kind.RowID]), w.i.mending()))
	}
	return state, private, diags
}

// afterCreate does what follows a creation, and reads the instance back. leftOut are the members without which it was
// created.
func (w *write) afterCreate(ctx context.Context, made creation, leftOut []failures.MissingReference) (
	state kind.Values, private record.Record, diags diag.Diagnostics) {
	ctx, done := w.client.WithGrace(ctx)
	defer done()
	w.client.TakeMark(ctx) // before what others do next is in the changelog
	second, unsent := w.sendSecond(ctx, made.payload)
	if unsent.HasError() {
		w.planned, w.existed = payloads.WithoutSecond(w.kind, w.planned), true
	}
	diags = slices.Concat(w.warnOfLeftOut(leftOut), unsent, w.finishCreate(ctx), w.restoreReferring(ctx, made.payload, second), w.warnOfGoneAlong())
	found := w.readBack(ctx, made.payload)
	state, more := w.stateAfterWrite(ctx, found)
	diags.Append(more...)
	if state == nil {
		pending := &record.PendingWrite{Sent: payloads.WithoutSecrets(w.kind, made.payload, w.config)}
		return states.Minimal(w.kind, w.planned), record.Record{PendingCreate: pending}, diags
	}
	return state, record.Record{Origin: w.i.OriginOfNew(ctx, found.answer, made.hadMark)}, diags
}

// createWhenFree calls create, and calls it again when an operation of this run has given up the planned name, if the name
// is taken. A name that nobody has chosen is not waited for.
func (w *write) createWhenFree(ctx context.Context, create func() error) (err error) {
	renames, tried := &w.run.Renames, (*applying.Rename)(nil)
	for {
		since := renames.Now()
		if err = create(); err == nil || w.kind.MakeName != nil {
			return err
		}
		rename, free := w.awaitName(ctx, applying.Create, err, tried, since, false)
		if !free || rename != nil && !renames.AwaitOldName(ctx, rename) {
			return err
		}
		tried = rename
	}
}

// checkSecond checks, before the first request of a creation, that the instances exist to which the
// second request will refer. If the second request failed, the instance would be incomplete.
func (w *write) checkSecond(ctx context.Context) error {
	for attribute, related := range payloads.SecondRelated(w.kind, w.config, w.planned) {
		missing, _ := w.client.Missing(ctx, related.Type, related.Names) // after an interrupt, nothing is sent
		if len(missing) > 0 {
			found := &failures.Missing{References: w.missingOf(ctx, attribute, related.Type, missing)}
			w.addRemedy(ctx, found)
			return found
		}
	}
	return nil
}

// sendSecond sends again what eNMS has ignored in created, the payload of a creation: values that it overwrote, and the
// rights if the user is no administrator. It returns the payload sent, or nil if nothing was ignored.
func (w *write) sendSecond(ctx context.Context, created value.Object) (second value.Object, diags diag.Diagnostics) {
	second = payloads.Second(w.kind, w.config, w.planned)
	if len(payloads.RightsIn(created)) > 0 && !w.client.IsAdministrator(ctx) {
		second = payloads.AsOwner(w.kind, w.config, w.planned, created)
	}
	if second == nil {
		return nil, nil
	}
	if err := w.client.Upsert(ctx, w.clientType(), second); err != nil {
		name := w.name()
		for _, d := range w.i.Failed(failures.Finish, name, w.planned, err) {
			detail := fmt.Sprintf("%s The %s itself was created. It is in the state%s.", d.Detail(), w.kind.Name, w.i.mending())
			if on, is := d.(diag.DiagnosticWithPath); is {
				diags.AddAttributeError(on.Path(), d.Summary(), detail)
			} else {
				diags.AddError(d.Summary(), detail)
			}
		}
	}
	return second, diags
}

// finishCreate computes what depends on a new instance, and checks its relations within its container.
func (w *write) finishCreate(ctx context.Context) (diags diag.Diagnostics) {
	if w.kind.NeedsRecompute(w.planned, nil) {
		diags.Append(w.recompute(ctx)...)
	}
	return append(diags, w.checkEnds(ctx)...)
}

// findAdoptable returns the existing instance with the planned name if it is to be adopted, and otherwise nil. It
// is to be adopted if adopt_existing is set, or if another resource of this run has just left it in eNMS.
func (w *write) findAdoptable(ctx context.Context) (existing kind.Values, err error) {
	name := w.name()
	left := w.i.left(name)
	if left == nil && !w.i.Provider.Adopts(w.planned) {
		return nil, nil
	}
	existing, err = w.i.ReadExisting(ctx, name, w.config)
	id := value.Text(existing[kind.RowID])
	isAnother := err == nil && !w.i.Provider.Adopts(w.planned) && left.ID != "" && left.ID != id // than the one that was left
	isElsewhere := err == nil && !w.isAtPlace(func(attribute string) string { return value.Text(existing[attribute]) })
	if errors.Is(err, enms.ErrNotFound) || isAnother || isElsewhere {
		return nil, nil // the creation fails if the name is taken, or another spelling of it
	}
	return existing, err
}

// beginAdoption records that the instance with an id is being adopted, until end is called. It returns an error if another
// resource of this run has it, or is updating it.
func (w *write) beginAdoption(ctx context.Context, id string) (end func(), err error) {
	end, taken, err := w.run.Owners.BeginAdoption(ctx, w.kind.Namespace, id)
	if taken {
		return nil, &failures.Owned{Type: w.kind.Name, ID: id, Status: applying.Owned}
	}
	if err == nil {
		if err = w.i.checkOwner(w.name(), id); err != nil {
			end()
		}
	}
	return end, err
}

// left returns the object with a name that a resource of this run has left in eNMS, or nil.
func (r *Instances) left(name string) *applying.Ownership {
	if known := r.known(name, ""); known != nil && known.Status == applying.Abandoned {
		return known
	}
	return nil
}

// adopt adopts an existing instance: it writes the values that differ from the configuration, and those that enable
// the instance again if a resource of this run has disabled it.
func (w *write) adopt(ctx context.Context, existing kind.Values) (
	state kind.Values, private record.Record, diags diag.Diagnostics) {
	wanted := w.config
	if left := w.i.left(w.name()); left != nil {
		wanted = plans.SwitchedOn(w.kind, w.config, left.State)
	}
	plan := plans.Adoption(w.kind, wanted, w.planned, existing, time.Now())
	if plan.Diagnostics.HasError() {
		return nil, private, plan.Diagnostics
	}
	// An update takes only secrets and line ends from config, all else from plan.Planned.
	result, diags := w.i.write(w.config, plan.Planned, existing, record.Record{}).update(ctx)
	if diags.HasError() {
		return nil, private, diags // without a state, Terraform does not destroy what existed before
	}
	if result.origin == nil { // nothing had to be written
		if row, err := w.client.FindOnce(ctx, w.kind.Name, value.Text(result.state[kind.RowName])); err == nil {
			result.origin = w.i.Origin(ctx, row)
		}
	}
	private = record.Record{Unfinished: result.unfinished, Origin: result.origin, Adopted: w.i.Provider.Adopts(w.planned)}
	return states.WithPlannedCriteria(w.kind, result.state, w.planned), private, diags
}

// membersNotYetCreated returns the missing members because of which eNMS refused a creation, if each of them may have this
// instance as a member in turn: of two instances that name each other, one has to be created first. It returns nil if any
// other instance is missing.
func (w *write) membersNotYetCreated(cause error) []failures.MissingReference {
	missing, is := errors.AsType[*failures.Missing](cause)
	if !is {
		return nil
	}
	for _, m := range missing.References {
		if !relate.HasOtherSide(w.kind, m.Attribute, w.i.Provider.Kinds) {
			return nil
		}
	}
	return missing.References
}

// withoutMembers returns the payload of a creation without some members.
func withoutMembers(payload value.Object, members []failures.MissingReference) value.Object {
	without := maps.Clone(payload)
	for _, m := range members {
		names, _ := without[m.Attribute].([]any)
		without[m.Attribute] = slices.DeleteFunc(slices.Clone(names), func(x any) bool { return x == m.Name })
	}
	return without
}

// warnOfLeftOut warns of the members without which an instance was created.
func (w *write) warnOfLeftOut(members []failures.MissingReference) (diags diag.Diagnostics) {
	for _, m := range members {
		diags.AddAttributeWarning(path.Root(m.Attribute), fmt.Sprintf("Created %s %q without some of its %s", w.kind.Name, w.name(), m.Attribute),
			fmt.Sprintf("eNMS has no %s %q yet%s. If this apply creates it and it names this %s, nothing is missing. Otherwise the next plan shows the difference.", m.Type, m.Name, m.Hint, w.kind.Name))
	}
	return diags
}
