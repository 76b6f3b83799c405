// This file creates and adopts instances, finds out what a failed creation has left in eNMS, and
// restores the references to an instance that was deleted and created again.

package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/payloads"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// stillAtWork is how long eNMS may continue to work on a request whose response was lost.
const stillAtWork = 2 * time.Minute

// Create creates or adopts an instance. If it returns both a state and an error, Terraform
// marks the resource as tainted and replaces it at the next apply; an entry of enms_instances
// is completed by the next update. A failed adoption returns no state, so that Terraform does
// not destroy an instance that existed before: the next apply adopts it again.
func (r *Instances) Create(ctx context.Context, config, planned kind.Values) (
	state kind.Values, kept Record, diags diag.Diagnostics) {
	defer r.provider.Run.Computations.Writes.Begin()()
	late, done := r.provider.Client.WithGrace(ctx)
	defer done()
	defer func() { diags = append(diags, r.computeLate(late, state != nil)...) }()
	planned, err := r.named(ctx, config, planned)
	name := value.Text(planned[kind.RowName])
	if err != nil {
		return nil, Record{}, r.errorDiagnostic(verbAdopt, name, planned, err)
	}
	end, err := r.begin(ctx, applying.Create, name)
	if err != nil {
		return nil, Record{}, r.errorDiagnostic(verbCreate, name, planned, err)
	}
	defer end()
	if err := r.checkSpelling(ctx, planned, nil); err != nil {
		return nil, Record{}, r.errorDiagnostic(verbCreate, name, planned, err)
	}
	if diags = r.tryCriteria(ctx, verbCreate, planned, nil); diags.HasError() {
		return nil, Record{}, diags
	}
	existing, err := r.findAdoptable(ctx, config, planned)
	switch {
	case err != nil:
		return nil, Record{}, r.errorDiagnostic(verbAdopt, name, planned, err)
	case existing != nil:
		state, kept, diags = r.adopt(ctx, config, planned, existing)
	default:
		state, kept.PendingCreate, diags = r.createNew(ctx, config, planned)
	}
	if state == nil {
		return nil, Record{}, diags
	}
	kept.Managed = plans.Managed(r.kind, config, state, nil)
	r.note(applying.Owned, state, name)
	return state, kept, diags
}

// createNew creates an instance. It returns the creation as pending if its outcome is unknown.
func (r *Instances) createNew(ctx context.Context, config, planned kind.Values) (
	state kind.Values, pending *pendingWrite, diags diag.Diagnostics) {
	name := value.Text(planned[kind.RowName])
	if err := r.checkSecond(ctx, config, planned); err != nil {
		return nil, nil, r.errorDiagnostic(verbCreate, name, planned, err)
	}
	payload, begin := payloads.Create(r.kind, config, planned), time.Now()
	refused := r.sendNew(ctx, payload, planned)
	err := r.explainRefusal(ctx, verbCreate, planned, nil, refused)
	later := r.laterMembers(err)
	if len(later) > 0 {
		payload = withoutLater(payload, later)
		refused = r.sendNew(ctx, payload, planned)
		err = r.explainRefusal(ctx, verbCreate, planned, nil, refused)
	}
	if public := payloads.WithoutSecrets(r.kind, payload, config); err != nil {
		diags = r.errorDiagnostic(verbCreate, name, planned, err)
		if state, pending = r.recoverFailedCreate(ctx, planned, public, begin, refused); state != nil && pending == nil {
			diags.AddWarning(fmt.Sprintf("The %s %q was created nevertheless", r.kind.Name, name),
				fmt.Sprintf("eNMS created it (id %s) although it reported a failure. It is in the state%s.", value.Text(state[kind.RowID]), r.mending()))
		}
		return state, pending, diags
	}
	ctx, done := r.provider.Client.WithGrace(ctx)
	defer done()
	unsent := r.sendSecond(ctx, config, planned)
	if unsent.HasError() {
		planned = payloads.WithoutSecond(r.kind, planned)
	}
	diags = slices.Concat(r.warnOfLater(planned, later), unsent, r.finishCreate(ctx, planned), r.restoreReferring(ctx, planned, payload, payloads.Second(r.kind, config, planned)))
	state, more := r.stateAfterWrite(ctx, r.readBack(ctx, planned, payload, unsent.HasError()), planned)
	diags.Append(more...)
	if state == nil {
		return states.Minimal(r.kind, planned), &pendingWrite{Sent: payloads.WithoutSecrets(r.kind, payload, config)}, diags
	}
	return state, nil, diags
}

// sendNew sends the payload of a creation.
func (r *Instances) sendNew(ctx context.Context, payload value.Object, planned kind.Values) error {
	matches := func(row enms.Object) bool { return states.MayBeFullOutcome(r.kind, payload, row) }
	return r.intoPlace(ctx, payload, planned, nil, func(payload value.Object) error {
		return r.provider.Client.Create(ctx, r.clientType(planned), payload, matches)
	})
}

// laterMembers returns the missing members because of which eNMS refused a creation, if all of
// them are of kinds that may name this instance from the other side: of two instances that name
// each other, one has to be created first. It returns nothing if anything else is missing.
func (r *Instances) laterMembers(cause error) (later []missingReference) {
	missing, is := errors.AsType[*missingError](cause)
	if !is {
		return nil
	}
	for _, m := range missing.references {
		if !relate.HasOtherSide(r.kind, m.attribute, r.provider.Kinds) {
			return nil
		}
		later = append(later, m)
	}
	return later
}

// withoutLater returns the payload of a creation without members that do not exist yet.
func withoutLater(payload value.Object, later []missingReference) value.Object {
	without := maps.Clone(payload)
	for _, l := range later {
		names, _ := without[l.attribute].([]any)
		without[l.attribute] = slices.DeleteFunc(slices.Clone(names), func(x any) bool { return x == l.name })
	}
	return without
}

// warnOfLater warns of members that an instance was created without.
func (r *Instances) warnOfLater(planned kind.Values, later []missingReference) (diags diag.Diagnostics) {
	for _, l := range later {
		diags.AddAttributeWarning(path.Root(l.attribute), fmt.Sprintf("Created %s %q without some of its %s", r.kind.Name, value.Text(planned[kind.RowName]), l.attribute),
			fmt.Sprintf("eNMS has no %s %q yet%s. If this apply creates it and it names this %s, nothing is missing. Otherwise the next plan shows the difference.", l.typ, l.name, l.hint, r.kind.Name))
	}
	return diags
}

// namespaceOf returns the type within which the names of a type are unique.
func (r *Instances) namespaceOf(typ string) string {
	if k := kind.Named(r.provider.Kinds, typ); k != nil {
		return k.Namespace
	}
	return typ
}

// checkSecond checks, before the first request of a creation, that the instances exist to which
// the second request refers. If the second request failed, the instance would be incomplete.
func (r *Instances) checkSecond(ctx context.Context, config, planned kind.Values) error {
	for attribute, related := range payloads.SecondRelated(r.kind, config, planned) {
		missing, err := r.provider.Client.Missing(ctx, related.Type, related.Names)
		if err != nil {
			return err
		}
		if len(missing) > 0 {
			return &missingError{references: r.missingOf(ctx, attribute, related.Type, missing)}
		}
	}
	return nil
}

// sendSecond sends the attributes that eNMS ignores at creation (kind.Attribute.AfterCreate).
func (r *Instances) sendSecond(ctx context.Context, config, planned kind.Values) (diags diag.Diagnostics) {
	second := payloads.Second(r.kind, config, planned)
	if second == nil {
		return nil
	}
	if err := r.provider.Client.Upsert(ctx, r.clientType(planned), second); err != nil {
		name := value.Text(planned[kind.RowName])
		for _, d := range r.errorDiagnostic(verbFinish, name, planned, err) {
			detail := fmt.Sprintf("%s The %s itself was created. It is in the state%s.", d.Detail(), r.kind.Name, r.mending())
			if on, is := d.(diag.DiagnosticWithPath); is {
				diags.AddAttributeError(on.Path(), d.Summary(), detail)
			} else {
				diags.AddError(d.Summary(), detail)
			}
		}
	}
	return diags
}

// finishCreate requests what eNMS does not do by itself after a creation.
func (r *Instances) finishCreate(ctx context.Context, planned kind.Values) diag.Diagnostics {
	diags := r.clearLayout(ctx, planned)
	if r.kind.NeedsRecompute(planned, nil) {
		diags.Append(r.recompute(ctx, planned)...)
	}
	return append(diags, r.checkWithin(ctx, planned, nil)...)
}

// recoverFailedCreate looks for the instance of a failed creation: eNMS may have stored it
// although it reported a failure (enms-rest.md 0.1). An instance that does not match the
// payload, or that was not written since the creation began, belongs to somebody else. If the
// response was lost and the client cannot find out either, the creation is pending, and the
// next read looks again (isOutcomeOfPending).
func (r *Instances) recoverFailedCreate(ctx context.Context, planned kind.Values, payload value.Object,
	begin time.Time, cause error) (kind.Values, *pendingWrite) {
	minimal, name := states.Minimal(r.kind, planned), value.Text(planned[kind.RowName])
	if is[*enms.AmbiguousError](cause) {
		return minimal, r.pendingCreate(payload, begin)
	}
	if is[*enms.ExistsError](cause) || !mayHaveActed(cause) {
		return nil, nil
	}
	names := []string{name}
	if renamed, ok := errors.AsType[*enms.RenamedError](cause); ok {
		names = []string{renamed.Got, name}
	}
	ctx, done := r.provider.Client.WithGrace(ctx)
	defer done()
	for _, name := range names {
		answer, err := r.provider.Client.Get(ctx, r.kind.Name, name)
		// If eNMS refused an instance and fails to read it, later plans could not read it either.
		unreadable := is[*enms.RefusedError](cause) && enms.InternalServerError(err)
		// After a 500, eNMS has kept nothing: the instance belongs to somebody else.
		foreign := err == nil && (enms.InternalServerError(cause) ||
			!r.provider.Client.Wrote(answer, r.provider.Client.Since(begin)) || !states.MayBeOutcome(r.kind, payload, answer))
		if errors.Is(err, enms.ErrNotFound) || unreadable || foreign {
			continue
		}
		if err == nil {
			if state, err := r.stateOf(ctx, answer, minimal); err == nil {
				return state, nil
			}
		}
		minimal[kind.RowName] = tftypes.NewValue(tftypes.String, name)
		return minimal, r.pendingCreate(payload, begin)
	}
	return nil, nil
}

// pendingCreate returns a creation as a pending write: it may have happened since begin, or may
// still happen.
func (r *Instances) pendingCreate(payload value.Object, begin time.Time) *pendingWrite {
	window := r.provider.Client.Since(begin)
	window.Until = window.Until.Add(stillAtWork)
	return &pendingWrite{Sent: payload, When: window}
}

// findAdoptable returns the existing instance with the planned name if it is to be adopted:
// because adopt_existing is set, or because another resource of this run has just left it in
// eNMS. It returns nil if there is none.
func (r *Instances) findAdoptable(ctx context.Context, config, planned kind.Values) (existing kind.Values, err error) {
	name := value.Text(planned[kind.RowName])
	left := r.left(name)
	if left == nil && !r.Adopts(planned) {
		return nil, nil
	}
	existing, err = r.readExisting(ctx, name, config)
	id := value.Text(existing[kind.RowID])
	if errors.Is(err, enms.ErrNotFound) || err == nil && !r.Adopts(planned) && left.ID != "" && left.ID != id {
		return nil, nil // the creation fails if the name is taken, or another spelling of it
	}
	if err == nil {
		err = r.checkOwner(name, id)
	}
	return existing, err
}

// left returns the object with a name that a resource of this run has left in eNMS, or nil.
func (r *Instances) left(name string) *applying.Object {
	if known := r.known(name, ""); known != nil && known.Status == applying.Abandoned {
		return known
	}
	return nil
}

// adopt adopts an existing instance: it writes the values that differ from the configuration,
// and no others.
func (r *Instances) adopt(ctx context.Context, config, planned, existing kind.Values) (
	state kind.Values, kept Record, diags diag.Diagnostics) {
	wanted := config
	if left := r.left(value.Text(planned[kind.RowName])); left != nil {
		wanted = plans.SwitchedOn(r.kind, config, left.State)
	}
	plan := plans.Adoption(r.kind, wanted, planned, existing, time.Now())
	if plan.Diagnostics.HasError() {
		return nil, kept, plan.Diagnostics
	}
	result, diags := r.update(ctx, config, plan.Planned, existing, Record{})
	if diags.HasError() && value.Text(result.state[kind.RowID]) == value.Text(existing[kind.RowID]) {
		return nil, kept, diags
	}
	return states.WithPlannedCriteria(r.kind, result.state, planned), Record{Unfinished: result.unfinished, Adopted: r.Adopts(planned)}, diags
}

// restoreReferring restores the references of other instances to one that was deleted in this run
// and is created again, with the same kind and name. When eNMS deletes an instance, it silently
// empties such relations (enms-rest.md 3), and a plan that replaces the instance does not show
// it: a task would continue without its target. sent is the payload of the creation. Instances
// that are gone are left out.
func (r *Instances) restoreReferring(ctx context.Context, planned kind.Values, sent ...value.Object) (diags diag.Diagnostics) {
	name := value.Text(planned[kind.RowName])
	referring := r.replaced(name).Referring
	payload := referring.Payload(name, sent...)
	if len(payload) == 0 {
		return nil
	}
	err := r.provider.Client.Upsert(ctx, r.clientType(planned), payload)
	if is[*enms.RefusedError](err) {
		err = nil
		if payload = r.withoutMissing(ctx, referring).Payload(name, sent...); len(payload) > 0 {
			err = r.provider.Client.Upsert(ctx, r.clientType(planned), payload)
		}
	}
	if err != nil {
		fields := slices.Sorted(maps.Keys(payload))
		diags.AddWarning(fmt.Sprintf("References to %s %q were lost", r.kind.Name, name),
			fmt.Sprintf("It was deleted and created again, and its references (%s) could not be restored: %s Plan again to see what to repair in this configuration.",
				strings.Join(slices.DeleteFunc(fields, func(f string) bool { return f == kind.RowName }), ", "), checks.Sentence(err.Error())))
	}
	return diags
}

// withoutMissing leaves out instances that no longer exist.
func (r *Instances) withoutMissing(ctx context.Context, referring relate.Referring) relate.Referring {
	return referring.Without(func(related relate.Related) []string {
		missing, err := r.provider.Client.Missing(ctx, related.Type, related.Names)
		if err != nil {
			return nil
		}
		return missing
	})
}
