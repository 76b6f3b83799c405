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
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/identify"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/payloads"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Create is where ApplyResourceChange arrives for a creation.
func (r *instanceResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	if r.Provider.Configured(&resp.Diagnostics) == nil {
		return
	}
	config, planned := kind.ValuesOf(req.Config.Raw), kind.ValuesOf(req.Plan.Raw)
	i := r.of(config)
	if resp.Diagnostics.Append(slices.Concat(i.CheckDefaultsKnown(), i.takeSecrets(config, nil))...); resp.Diagnostics.HasError() {
		return
	}
	state, private, diags := i.Create(ctx, plans.WithDefaults(i.Kind, config, i.Defaults()), plans.WithAllProperties(planned))
	resp.Diagnostics.Append(diags...)
	if state == nil {
		return
	}
	state = plans.Shown(i.Kind, state, planned, nil, diags.HasError())
	resp.State.Raw, resp.Identity.Raw = tftypes.NewValue(req.Plan.Raw.Type(), state), identify.Of(i.Kind, state)
	resp.Diagnostics.Append(private.Write(ctx, resp.Private)...)
}

// Create creates or adopts an instance. If it returns both a state and an error, Terraform
// marks the resource as tainted and replaces it at the next apply; an entry of enms_instances
// is completed by the next update. A failed adoption returns no state, so that Terraform does
// not destroy an instance that existed before: the next apply adopts it again.
func (r *Instances) Create(ctx context.Context, config, planned kind.Values) (
	state kind.Values, private record.Record, diags diag.Diagnostics) {
	endWrites := r.Provider.Run.Computations.Writes.Begin()
	defer endWrites()
	late, done := r.Provider.Client.WithGrace(ctx)
	defer done()
	defer func() { diags = append(diags, r.computeLate(late, state != nil)...) }()
	planned, err := r.withFinalName(ctx, config, planned)
	name := value.Text(planned[kind.RowName])
	if err != nil {
		return nil, record.Record{}, r.Failed(failures.Adopt, name, planned, err)
	}
	end, err := r.begin(ctx, applying.Create, name)
	if err != nil {
		return nil, record.Record{}, r.Failed(failures.Create, name, planned, err)
	}
	defer end()
	if err := r.CheckSpelling(ctx, planned, nil); err != nil {
		return nil, record.Record{}, r.Failed(failures.Create, name, planned, err)
	}
	if diags = r.TryCriteria(ctx, failures.Create, planned, nil); diags.HasError() {
		return nil, record.Record{}, diags
	}
	existing, err := r.findAdoptable(ctx, config, planned)
	switch {
	case err != nil:
		return nil, record.Record{}, r.Failed(failures.Adopt, name, planned, err)
	case existing != nil:
		state, private, diags = r.adopt(ctx, config, planned, existing)
	default:
		state, private, diags = r.createNew(ctx, config, planned)
	}
	if state == nil {
		return nil, record.Record{}, diags
	}
	private.Managed = plans.Managed(r.Kind, config, state, nil)
	r.note(state, value.Text(state[kind.RowName]), applying.Object{Status: applying.Owned, New: existing == nil})
	return state, private, diags
}

// createNew creates an instance. It returns the creation as pending if its outcome is unknown, or if the instance
// cannot be read back.
func (r *Instances) createNew(ctx context.Context, config, planned kind.Values) (
	state kind.Values, private record.Record, diags diag.Diagnostics) {
	name := value.Text(planned[kind.RowName])
	if err := r.checkSecond(ctx, config, planned); err != nil {
		return nil, private, r.Failed(failures.Create, name, planned, err)
	}
	payload, begin, after := payloads.Create(r.Kind, config, planned), time.Now(), false
	refused, err := r.sendNew(ctx, payload, planned, &after)
	for n := 2; r.mayTakeAnotherName(ctx, config, planned, refused); n++ {
		planned = withName(planned, numbered(name, n))
		payload = payloads.Create(r.Kind, config, planned)
		refused, err = r.sendNew(ctx, payload, planned, &after)
	}
	name = value.Text(planned[kind.RowName])
	later := r.laterMembers(err)
	if len(later) > 0 {
		payload = withoutLater(payload, later)
		refused, err = r.sendNew(ctx, payload, planned, &after)
	}
	public := payloads.WithoutSecrets(r.Kind, payload, config)
	if err != nil {
		diags = r.Failed(failures.Create, name, planned, err)
		state, private = r.recoverFailedCreate(ctx, planned, public, begin, refused)
		if state != nil && private.PendingCreate == nil {
			diags.AddWarning(fmt.Sprintf("The %s %q was created nevertheless", r.Kind.Name, name),
				fmt.Sprintf("eNMS created it (id %s) although it reported a failure. It is in the state%s.", value.Text(state[kind.RowID]), r.mending()))
		}
		return state, private, diags
	}
	ctx, done := r.Provider.Client.WithGrace(ctx)
	defer done()
	r.Provider.Client.TakeMark(ctx) // before what others do next is in the changelog
	second, unsent := r.sendSecond(ctx, config, planned, payload)
	if unsent.HasError() {
		planned = payloads.WithoutSecond(r.Kind, planned)
	}
	diags = slices.Concat(r.warnOfLater(planned, later), unsent, r.finishCreate(ctx, planned), r.restoreReferring(ctx, planned, payload, second))
	found := r.readBack(ctx, planned, payload, unsent.HasError())
	state, more := r.stateAfterWrite(ctx, found, planned)
	diags.Append(more...)
	if state == nil {
		return states.Minimal(r.Kind, planned), record.Record{PendingCreate: &record.PendingWrite{Sent: public}}, diags
	}
	return state, record.Record{Origin: r.Origin(ctx, found.answer, after)}, diags
}

// sendNew sends the payload of a creation. An edge whose place is taken waits (places.go). It sets after to
// enms.Client.HasMark before the last attempt: what had the name until then may be deleted after the mark. refused is the
// error of the client, and err the same error with the reason, if it can be found out.
func (r *Instances) sendNew(ctx context.Context, payload value.Object, planned kind.Values, after *bool) (refused, err error) {
	matches := func(row enms.Object) bool { return states.MayBeOutcome(r.Kind, payload, row, states.InFull) }
	refused = r.writeToPlace(ctx, planned, nil, func() error {
		return r.createWhenFree(ctx, planned, func() error {
			*after = r.Provider.Client.HasMark()
			return r.Provider.Client.Create(ctx, r.clientType(planned), payload, matches)
		})
	})
	return refused, r.explainRefusal(ctx, failures.Create, planned, nil, refused)
}

// createWhenFree calls create, and calls it again when an operation of this run has given up the planned name, if the name
// is taken. A name that nobody has chosen is not waited for.
func (r *Instances) createWhenFree(ctx context.Context, planned kind.Values, create func() error) (err error) {
	renames, tried := &r.Provider.Run.Renames, (*applying.Rename)(nil)
	for {
		since := renames.Now()
		if err = create(); !failures.Is[*enms.ExistsError](err) || r.Kind.MakeName != nil {
			return err
		}
		rename, free := r.awaitName(ctx, applying.Create, planned, err, tried, since, true)
		if !free || rename != nil && !renames.Freed(ctx, rename) {
			return err
		}
		tried = rename
	}
}

// checkSecond checks, before the first request of a creation, that the instances exist to which the
// second request will refer. If the second request failed, the instance would be incomplete.
func (r *Instances) checkSecond(ctx context.Context, config, planned kind.Values) error {
	for attribute, related := range payloads.SecondRelated(r.Kind, config, planned) {
		missing, err := r.Provider.Client.Missing(ctx, related.Type, related.Names)
		if err != nil {
			return err
		}
		if len(missing) > 0 {
			found := &failures.Missing{References: r.missingOf(ctx, attribute, related.Type, missing)}
			r.addRemedy(ctx, found)
			return found
		}
	}
	return nil
}

// sendSecond sends a second payload, with what eNMS has ignored in that of the creation (created), and returns it, or
// nil if there is none.
func (r *Instances) sendSecond(ctx context.Context, config, planned kind.Values, created value.Object) (second value.Object, diags diag.Diagnostics) {
	second = payloads.Second(r.Kind, config, planned)
	if len(payloads.RightsIn(created)) > 0 && !r.Provider.Client.IsAdministrator(ctx) {
		second = payloads.AsOwner(r.Kind, config, planned, created)
	}
	if second == nil {
		return nil, nil
	}
	if err := r.Provider.Client.Upsert(ctx, r.clientType(planned), second); err != nil {
		name := value.Text(planned[kind.RowName])
		for _, d := range r.Failed(failures.Finish, name, planned, err) {
			detail := fmt.Sprintf("%s The %s itself was created. It is in the state%s.", d.Detail(), r.Kind.Name, r.mending())
			if on, is := d.(diag.DiagnosticWithPath); is {
				diags.AddAttributeError(on.Path(), d.Summary(), detail)
			} else {
				diags.AddError(d.Summary(), detail)
			}
		}
	}
	return second, diags
}

// finishCreate does what eNMS does not do by itself after a creation.
func (r *Instances) finishCreate(ctx context.Context, planned kind.Values) (diags diag.Diagnostics) {
	if r.Kind.NeedsRecompute(planned, nil) {
		diags.Append(r.recompute(ctx, planned)...)
	}
	return append(diags, r.checkWithin(ctx, planned, nil)...)
}

// findAdoptable returns the existing instance with the planned name if it is to be adopted, and otherwise nil. It
// is to be adopted if adopt_existing is set, or if another resource of this run has just left it in eNMS.
func (r *Instances) findAdoptable(ctx context.Context, config, planned kind.Values) (existing kind.Values, err error) {
	name := value.Text(planned[kind.RowName])
	left := r.left(name)
	if left == nil && !r.Provider.Adopts(planned) {
		return nil, nil
	}
	existing, err = r.ReadExisting(ctx, name, config)
	id := value.Text(existing[kind.RowID])
	isAnother := err == nil && !r.Provider.Adopts(planned) && left.ID != "" && left.ID != id // than the one that was left
	isElsewhere := err == nil && r.Provider.IdentifyByName && r.Kind.Within != nil && !existing[r.Kind.Within.Relation].Equal(planned[r.Kind.Within.Relation])
	if errors.Is(err, enms.ErrNotFound) || isAnother || isElsewhere {
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

// adopt adopts an existing instance: it writes the values that differ from the configuration, and those that enable
// the instance again if a resource of this run has disabled it.
func (r *Instances) adopt(ctx context.Context, config, planned, existing kind.Values) (
	state kind.Values, private record.Record, diags diag.Diagnostics) {
	wanted := config
	if left := r.left(value.Text(planned[kind.RowName])); left != nil {
		wanted = plans.SwitchedOn(r.Kind, config, left.State)
	}
	plan := plans.Adoption(r.Kind, wanted, planned, existing, time.Now())
	if plan.Diagnostics.HasError() {
		return nil, private, plan.Diagnostics
	}
	// An update takes only secrets and line ends from config, all else from plan.Planned.
	result, diags := r.update(ctx, config, plan.Planned, existing, record.Record{})
	if diags.HasError() && value.Text(result.state[kind.RowID]) == value.Text(existing[kind.RowID]) {
		return nil, private, diags // it existed before: without a state, Terraform does not destroy it
	}
	if result.origin == nil { // nothing had to be written
		if row, err := r.Provider.Client.FindOnce(ctx, r.Kind.Name, value.Text(result.state[kind.RowName])); err == nil {
			result.origin = r.Origin(ctx, row, false)
		}
	}
	return states.WithPlannedCriteria(r.Kind, result.state, planned), record.Record{Unfinished: result.unfinished, Origin: result.origin, Adopted: r.Provider.Adopts(planned)}, diags
}

// laterMembers returns the missing members because of which eNMS refused a creation, if each of them may have this
// instance as a member in turn: of two instances that name each other, one has to be created first. It returns
// nothing if any other instance is missing.
func (r *Instances) laterMembers(cause error) (later []failures.MissingReference) {
	missing, is := errors.AsType[*failures.Missing](cause)
	if !is {
		return nil
	}
	for _, m := range missing.References {
		if !relate.HasOtherSide(r.Kind, m.Attribute, r.Provider.Kinds) {
			return nil
		}
		later = append(later, m)
	}
	return later
}

// withoutLater returns the payload of a creation without members that do not exist yet.
func withoutLater(payload value.Object, later []failures.MissingReference) value.Object {
	without := maps.Clone(payload)
	for _, l := range later {
		names, _ := without[l.Attribute].([]any)
		without[l.Attribute] = slices.DeleteFunc(slices.Clone(names), func(x any) bool { return x == l.Name })
	}
	return without
}

// warnOfLater warns of the members without which an instance was created.
func (r *Instances) warnOfLater(planned kind.Values, later []failures.MissingReference) (diags diag.Diagnostics) {
	for _, l := range later {
		diags.AddAttributeWarning(path.Root(l.Attribute), fmt.Sprintf("Created %s %q without some of its %s", r.Kind.Name, value.Text(planned[kind.RowName]), l.Attribute),
			fmt.Sprintf("eNMS has no %s %q yet%s. If this apply creates it and it names this %s, nothing is missing. Otherwise the next plan shows the difference.", l.Type, l.Name, l.Hint, r.Kind.Name))
	}
	return diags
}
