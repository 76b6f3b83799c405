// This file deletes instances by their deletion policy. A deletion is refused
//   - by the plan, if the type cannot be switched off as the policy says (CheckPolicy), or if the read of this run does
//     not know which instance it is, or has found that others renamed it (CheckIdentityToDelete in package planning);
//   - by the plan of entries, if there are more than max_deletions (entries/deletions.go), or if an entry
//     that stays refers to one that is deleted (checkStaying in entries/plancheck.go);
//   - by the apply of a whole enms_instances, if there are more than max_deletions (destroy in
//     entries/apply.go);
//   - by the operation, if the object is not the one in the state (checkIdentity in update.go), or if eNMS
//     would delete others with it (clearDependents in dependents.go);
//   - by eNMS itself (decodeDeletion in enms/endpoint/write.go).
//
// If another resource of the run has the object, it is left to that one, usually with a warning (owner.go,
// warnOfLeft).

package instance

import (
	"cmp"
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
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/reading"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Delete deletes an instance, or leaves it in eNMS, as its deletion policy says. After an error, the state stays.
func (l *Lifecycle) Delete(ctx context.Context, state State) diag.Diagnostics {
	i := l.of(state.Values)
	if diags := i.check(state.Record); diags.HasError() {
		return diags
	}
	return i.Delete(ctx, plans.WithAllProperties(state.Values), state.Record)
}

// Delete deletes an instance, or leaves it in eNMS, as its deletion policy says. An instance that does
// not exist counts as deleted, and so does one that a pending creation never made: an instance that has
// its name then belongs to somebody else.
func (r *Instances) Delete(ctx context.Context, state kind.Values, private record.Record) diag.Diagnostics {
	if private.PendingCreate != nil {
		now, next, diags := r.Read(ctx, state, private)
		if diags.HasError() || now == nil { // nothing is deleted after an error, whatever else Read returns
			return diags
		}
		state, private = now, next
	}
	return r.deletionOf(state, private).apply(ctx)
}

// apply is Delete for an instance that exists, as far as is known.
func (d *deletion) apply(ctx context.Context) diag.Diagnostics {
	before := d.name()
	end, err := d.begin(ctx)
	if err != nil {
		return d.i.Failed(failures.Delete, before, d.state, err)
	}
	defer end()
	elsewhere, err := d.i.leftToAnother(ctx, d.policy, before, d.id())
	if !elsewhere && err == nil { // the other resource may know it by its new name
		elsewhere, err = d.i.leftToAnother(ctx, d.policy, d.name(), d.id())
	}
	switch {
	case err != nil:
		return d.i.Failed(failures.Delete, d.name(), d.state, err)
	case elsewhere:
		return d.warnOfLeft()
	}
	became, referring, err := d.deleteBy(ctx)
	if errors.Is(err, enms.ErrNotFound) {
		err = d.confirmGone(ctx)
	}
	replaced, isReplaced := errors.AsType[*failures.Replaced](err)
	if isReplaced || failures.Is[failures.Gone](err) {
		became, err = applying.Deleted, nil
	}
	if err != nil {
		d.i.recordOutcome(d.state, "", applying.Ownership{Status: applying.Undeleted})
		return d.i.Failed(failures.Delete, d.name(), d.state, err)
	}
	d.i.recordOutcome(d.state, "", applying.Ownership{Status: became, Referring: referring})
	if isReplaced {
		return d.warnOfReplaced(replaced)
	}
	return d.warnOfAlong()
}

// begin begins the deletion under the name of the state and, if this run has renamed its scope, under the name that the
// instance has now: another resource may be about to adopt it by that one. The state gets that name.
func (d *deletion) begin(ctx context.Context) (end func(), err error) {
	stored, name := d.state, d.name()
	for {
		begun := d.name()
		over, err := d.i.begin(ctx, applying.Delete, d.id(), name, begun)
		if err != nil {
			return nil, err
		}
		release, held := d.i.tryHoldName(name)
		if !held { // by a member of it, which may wait for this name, and then for the deletion that has begun on it
			over()
			d.i.holdName(name, true)()
			continue
		}
		end = func() { release(); over() }
		if d.state = d.i.followScope(ctx, stored); d.name() == begun {
			return end, nil
		}
		end() // a deletion that waited for the other name with this one in its hands could wait in a circle
	}
}

// confirmGone returns failures.Gone if the instance no longer exists, after eNMS has answered that nothing has its name.
// Otherwise, it returns an error that says where the instance is: somebody, or this run, may have renamed it since
// clearForDeletion, perhaps with its scope.
func (d *deletion) confirmGone(ctx context.Context) error {
	if d.id() == "" {
		return failures.Gone{}
	}
	ctx, done := d.client.WithGrace(ctx)
	defer done()
	byID := func() (value.Object, error) { return d.client.FindByID(ctx, d.kind.Name, d.id()) }
	if _, err := enms.Until(ctx, byID, func(now value.Object) bool { return now[kind.RowName] != d.name() }); err != nil && !errors.Is(err, enms.ErrNotFound) {
		return err
	}
	err := d.i.checkIdentity(ctx, d.state, d.private, nil)
	if err == nil {
		err = errors.New("eNMS answered that nothing has its name, and finds it nevertheless. Apply again")
	}
	return err
}

// warnOfReplaced warns that what has the name of a deleted instance is another one, which stays.
func (d *deletion) warnOfReplaced(by *failures.Replaced) (diags diag.Diagnostics) {
	diags.AddWarning(fmt.Sprintf("Somebody deleted %s %q before this apply", d.kind.Name, d.name()),
		fmt.Sprintf("Another %s (id %s) has its name now. It is not in the state and was not deleted.", d.kind.Name, by.ID))
	return diags
}

// warnOfAlong warns of what was deleted together with the instance, which no plan has shown.
func (d *deletion) warnOfAlong() (diags diag.Diagnostics) {
	if len(d.along) > 0 {
		diags.AddWarning(fmt.Sprintf("Others were deleted with %s %q", d.kind.Name, d.name()),
			fmt.Sprintf("Its deletion_policy is %q, so this was deleted first: %s. What this configuration still has of that, the next plan creates again.", d.policy, resources.Listed(d.along)))
	}
	return diags
}

// deleteBy applies a deletion policy. It returns the status of the instance and, if it was deleted,
// the instances that referred to it.
func (d *deletion) deleteBy(ctx context.Context) (became applying.Status, referring relate.Referring, err error) {
	switch d.policy {
	case kind.PolicyAbandon:
		return applying.Abandoned, referring, nil
	case kind.PolicyDisable:
		return applying.Abandoned, referring, d.disable(ctx)
	}
	referring, err = d.findAndDelete(ctx)
	return applying.Deleted, referring, err
}

// warnOfLeft warns that an instance was not deleted, because another resource of this run has it now.
func (d *deletion) warnOfLeft() (diags diag.Diagnostics) {
	if d.policy != kind.PolicyAbandon {
		diags.AddWarning(fmt.Sprintf("The %s %q was not deleted", d.kind.Name, d.name()),
			fmt.Sprintf("Another resource of the same configuration created, adopted or updated it (id %s) in this run. It was only removed from the state of this resource.", d.id()))
	}
	return diags
}

// findByNameAndID finds the instance before it is deleted or disabled, by its exact name and its id:
// eNMS would otherwise act on an instance whose name its database considers equal (enms-rest.md 10). Without an id, nothing
// can tell whether it is the one that the resource created, unless it has another type.
func (d *deletion) findByNameAndID(ctx context.Context) (found resources.Instance, err error) {
	id := d.id()
	var another error
	named, err := d.i.findNow(ctx, d.name(), states.Columns(d.kind, d.state), func(answer value.Object) bool {
		found, another = resources.InstanceOf(d.kind.Name, answer), nil
		switch hasType := d.i.CheckFoundType(d.name(), d.state, answer) == nil; { // eNMS never changes the type of an instance
		case !hasType && (id == "" || found.ID == id): // SQLite gives ids again
			another = failures.Gone{}
		case !hasType && d.i.InMany:
			another = enms.ErrNotFound
		case id == "":
			another = failures.UnknownID{}
		}
		return id == "" || found.ID == id
	})
	if id == "" || err != nil && !errors.Is(err, enms.ErrNotFound) || another != nil {
		return found, cmp.Or(err, another)
	}
	return found, d.i.checkIdentity(ctx, d.state, d.private, named)
}

// findAndDelete deletes the instance, after its dependents (clearDependents). It returns the instances that referred to it.
func (d *deletion) findAndDelete(ctx context.Context) (referring relate.Referring, err error) {
	id, err := d.clearForDeletion(ctx)
	if err != nil {
		return referring, err
	}
	members, err := d.emptyFirst(ctx)
	if err != nil {
		return referring, err
	}
	end := d.run.Places.Writes.Begin()
	defer end()
	deleted, err := d.client.Delete(ctx, d.kind.Name, d.name())
	d.i.leavePlace(d.state, err)
	if err == nil {
		d.run.Renames.Free(applying.Name{Namespace: d.kind.Namespace, Text: d.name()})
	}
	if gone := resources.InstanceOf(d.kind.Name, deleted).ID; err == nil && deleted[kind.RowID] != nil && gone != id {
		err = fmt.Errorf("eNMS deleted another %s of that name, with the id %s: somebody created or renamed it within the last seconds. Create it again if it is needed, and plan again", d.kind.Name, gone)
	}
	return relate.ReferringTo(d.kind, deleted, d.i.Provider.Kinds).With(members), err
}

// clearForDeletion makes sure that a deletion by name deletes the instance of a state, and nothing else,
// and returns the instance's id. If the instance has dependents, clearDependents decides. Without an origin, which Terraform
// does not pass if the resource is tainted, the id alone does not tell the instance (findByNameAndID).
func (d *deletion) clearForDeletion(ctx context.Context) (id string, err error) {
	if id = d.id(); d.private.Origin != nil {
		var along []enms.Dependents
		for _, relation := range d.dependentRelations(d.kind.Path(d.state)) {
			along = append(along, enms.Dependents{Type: relation.Type, Column: relation.Column, Property: relation.Property, Except: relation.Except})
		}
		deletable, err := d.client.Deletable(ctx, d.kind.Name, d.name(), id, along)
		if err != nil {
			return id, err
		}
		if deletable {
			named, err := value.Object{kind.RowID: id, kind.RowName: d.name()}, error(nil)
			if d.private.Origin.Created != "" { // an id may belong to another one by now (enms-rest.md 0.2)
				named, err = d.client.FindOnce(ctx, d.kind.Name, d.name())
			}
			if err == nil && !reading.HasAnotherID(named, d.state) {
				return id, d.i.checkIdentity(ctx, d.state, d.private, named)
			}
		}
	}
	found, err := d.findByNameAndID(ctx)
	if err != nil {
		return "", err
	}
	return found.ID, d.clearDependents(ctx, found)
}

// emptyFirst empties the relations with EmptyFirst before the instance is deleted. It returns
// their members, which the response to the deletion no longer contains.
func (d *deletion) emptyFirst(ctx context.Context) (members map[string]relate.Related, err error) {
	emptied := payloads.Empty(d.kind, d.state)
	if emptied == nil {
		return nil, nil
	}
	answer, err := d.client.Get(ctx, d.kind.Name, d.name())
	if err != nil {
		return nil, err
	}
	return relate.MembersToEmpty(d.kind, answer), d.client.Upsert(ctx, d.i.clientType(d.state), emptied)
}

// disable sets the fields that switch the instance off. It first checks that the instance exists, because an upsert
// would create it. It reads the instance back afterwards, because eNMS ignores unknown fields (enms-rest.md 1.1).
func (d *deletion) disable(ctx context.Context) (err error) {
	if _, err := d.findByNameAndID(ctx); err != nil {
		return err
	}
	if err := d.client.Upsert(ctx, d.i.clientType(d.state), payloads.Existing(d.kind, payloads.Disable(d.kind, d.state), d.state)); err != nil {
		return d.i.explainRight(ctx, err)
	}
	ctx, done := d.client.WithGrace(ctx)
	defer done()
	columns := slices.Sorted(maps.Keys(d.kind.Off))
	var wrong error
	_, err = d.i.findNow(ctx, d.name(), columns, func(now value.Object) bool {
		wrong = nil
		for _, property := range columns {
			have, is := now[property]
			if !is {
				wrong = &failures.UnknownField{Field: property}
				return true
			}
			if have != d.kind.Off[property] {
				wrong = &enms.FieldError{Type: d.kind.Name, Name: d.name(), Field: property, Reason: "is not what was written"}
			}
		}
		return wrong == nil
	})
	return cmp.Or(err, wrong)
}
