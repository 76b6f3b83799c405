// This file deletes instances by their deletion policy. A deletion is refused
//   - by the plan, if the type cannot be switched off as the policy says (CheckPolicy), or if the read of this run does
//     not know which instance it is, or has found that others renamed it (CheckIdentityToDelete in package planning);
//   - by the plan of entries, if there are more than max_deletions (entries/deletions.go), or if an entry
//     that stays refers to one that is deleted (checkStaying in entries/plancheck.go);
//   - by the apply of a whole enms_instances, if there are more than max_deletions (destroy in
//     entries/apply.go);
//   - by the operation, if the object is not the one in the state (checkIdentity in update.go), or if eNMS
//     would delete others with it (clearDependents);
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
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/many"
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

// Delete is where ApplyResourceChange arrives for a deletion.
func (r *instanceResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	private, diags := r.recordOf(ctx, req.Private)
	resp.Diagnostics.Append(diags...)
	if !diags.HasError() {
		state := kind.ValuesOf(req.State.Raw)
		i := r.of(state)
		resp.Diagnostics.Append(i.Delete(ctx, plans.WithAllProperties(state), private)...)
	}
}

// Delete deletes an instance, or leaves it in eNMS, as its deletion policy says. An instance that does
// not exist counts as deleted, and so does one that a pending creation never made: an instance that has
// its name then belongs to somebody else.
func (r *Instances) Delete(ctx context.Context, state kind.Values, private record.Record) diag.Diagnostics {
	name := value.Text(state[kind.RowName])
	if private.PendingCreate != nil {
		now, next, diags := r.Read(ctx, state, private)
		if diags.HasError() || now == nil {
			return diags
		}
		state, private = now, next
	}
	now, end, err := r.beginDeletion(ctx, state)
	if err != nil {
		return r.Failed(failures.Delete, name, state, err)
	}
	defer end()
	policy := r.Provider.Policy(state)
	elsewhere, err := r.leftToAnother(ctx, policy, name, value.Text(state[kind.RowID]))
	state = now
	name = value.Text(state[kind.RowName])
	if !elsewhere && err == nil { // the other resource may know it by its new name
		elsewhere, err = r.leftToAnother(ctx, policy, name, value.Text(state[kind.RowID]))
	}
	switch {
	case err != nil:
		return r.Failed(failures.Delete, name, state, err)
	case elsewhere:
		return r.warnOfLeft(policy, state)
	}
	became, referring, err := r.deleteBy(ctx, policy, name, state, private)
	replaced, isReplaced := errors.AsType[*failures.Replaced](err)
	if isReplaced || failures.Is[failures.Gone](err) || errors.Is(err, enms.ErrNotFound) {
		became, err = applying.Deleted, nil
	}
	if err != nil {
		r.note(state, "", applying.Object{Status: applying.Undeleted})
		return r.Failed(failures.Delete, name, state, err)
	}
	r.note(state, "", applying.Object{Status: became, Referring: referring})
	if isReplaced {
		return r.warnOfReplaced(name, replaced)
	}
	return nil
}

// beginDeletion begins a deletion under the name of the state and, if this run has renamed the workflow that it begins
// with, under the name that the instance has now: another resource may be about to adopt it by that one. It returns the
// state with that name.
func (r *Instances) beginDeletion(ctx context.Context, state kind.Values) (now kind.Values, end func(), err error) {
	name := value.Text(state[kind.RowName])
	now = state
	for {
		begun := value.Text(now[kind.RowName])
		over, err := r.begin(ctx, applying.Delete, name, begun)
		if err != nil {
			return nil, nil, err
		}
		release := r.holdName(name, true)
		end = func() { release(); over() }
		if now = r.followScope(ctx, state); value.Text(now[kind.RowName]) == begun {
			return now, end, nil
		}
		end() // a deletion that waited for the other name with this one in its hands could wait in a circle
	}
}

// warnOfReplaced warns that what has the name of a deleted instance is another one, which stays.
func (r *Instances) warnOfReplaced(name string, by *failures.Replaced) (diags diag.Diagnostics) {
	diags.AddWarning(fmt.Sprintf("Somebody deleted %s %q before this apply", r.Kind.Name, name),
		fmt.Sprintf("Another %s (id %s) has its name now. It is not in the state and was not deleted.", r.Kind.Name, by.ID))
	return diags
}

// deleteBy applies a deletion policy. It returns the status of the instance and, if it was deleted,
// the instances that referred to it.
func (r *Instances) deleteBy(ctx context.Context, policy, name string, state kind.Values, private record.Record) (became applying.Status, referring relate.Referring, err error) {
	switch policy {
	case kind.PolicyAbandon:
		return applying.Abandoned, referring, nil
	case kind.PolicyDisable:
		return applying.Abandoned, referring, r.disable(ctx, name, state, private)
	}
	referring, err = r.findAndDelete(ctx, name, state, private, policy == kind.PolicyCascade)
	return applying.Deleted, referring, err
}

// warnOfLeft warns that an instance was not deleted, because another resource of this run has it now.
func (r *Instances) warnOfLeft(policy string, state kind.Values) (diags diag.Diagnostics) {
	if policy != kind.PolicyAbandon {
		diags.AddWarning(fmt.Sprintf("The %s %q was not deleted", r.Kind.Name, value.Text(state[kind.RowName])),
			fmt.Sprintf("Another resource of the same configuration created, adopted or updated it (id %s) in this run. It was only removed from the state of this resource.", value.Text(state[kind.RowID])))
	}
	return diags
}

// findByNameAndID finds the instance before it is deleted or disabled, by its exact name and its id:
// eNMS would otherwise act on an instance whose name its database considers equal (enms-rest.md 10). The id of a tainted
// instance may be unknown, because Terraform does not pass its private state: then the instance must
// have the configured values. An instance of another type is never the one that was created.
func (r *Instances) findByNameAndID(ctx context.Context, name string, state kind.Values, private record.Record) (found resources.Instance, err error) {
	id := value.Text(state[kind.RowID])
	var another error
	named, err := r.findNow(ctx, name, states.Columns(r.Kind, state, false), func(answer value.Object) bool {
		found, another = resources.InstanceOf(r.Kind.Name, answer), nil
		switch {
		case found.ID == id: // the instance of the state
		case (id == "" || r.InMany) && r.CheckFoundType(name, state, answer) != nil:
			another = enms.ErrNotFound // eNMS never changes the type of an instance
		case id == "" && !(r.InMany && many.HoldsConfigured(r.Kind, answer, state)):
			another = failures.UnknownID{}
		}
		return another == nil && (id == "" || found.ID == id)
	})
	if id == "" || err != nil && !errors.Is(err, enms.ErrNotFound) || another != nil {
		return found, cmp.Or(err, another)
	}
	return found, r.checkIdentity(ctx, state, private, named)
}

// findAndDelete deletes an instance, after its dependents. Without deleteDependents, it returns an error
// if there are any. It returns the instances that referred to the instance.
func (r *Instances) findAndDelete(ctx context.Context, name string, state kind.Values, private record.Record, deleteDependents bool) (referring relate.Referring, err error) {
	id, err := r.clearForDeletion(ctx, name, state, private, deleteDependents)
	if err != nil {
		return referring, err
	}
	members, err := r.emptyFirst(ctx, name, state)
	if err != nil {
		return referring, err
	}
	end := r.Provider.Run.Places.Writes.Begin()
	defer end()
	deleted, err := r.Provider.Client.Delete(ctx, r.Kind.Name, name)
	r.leavePlace(state, err)
	if err == nil {
		r.Provider.Run.Renames.Free(applying.Name{Namespace: r.Kind.Namespace, Text: name})
	}
	if gone := resources.InstanceOf(r.Kind.Name, deleted).ID; err == nil && deleted[kind.RowID] != nil && gone != id {
		err = fmt.Errorf("eNMS deleted another %s of that name, with the id %s: somebody created or renamed it within the last seconds. Create it again if it is needed, and plan again", r.Kind.Name, gone)
	}
	return relate.ReferringTo(r.Kind, deleted, r.Provider.Kinds).With(members), err
}

// clearForDeletion makes sure that a deletion by name deletes the instance of a state, and nothing else,
// and returns the instance's id. If the instance has dependents, it deletes them first, or returns an
// error without deleteDependents.
func (r *Instances) clearForDeletion(ctx context.Context, name string, state kind.Values, private record.Record, deleteDependents bool) (id string, err error) {
	if id = value.Text(state[kind.RowID]); id != "" {
		var along []enms.Dependents
		for _, relation := range r.dependentRelations(r.Kind.Path(state)) {
			along = append(along, enms.Dependents{Type: relation.Type, Column: relation.Column, Property: relation.Property, Except: relation.Except})
		}
		deletable, err := r.Provider.Client.Deletable(ctx, r.Kind.Name, name, id, along)
		if err != nil {
			return id, err
		}
		if deletable {
			named, err := value.Object{kind.RowID: id, kind.RowName: name}, error(nil)
			if private.Origin != nil && private.Origin.Created != "" { // an id may belong to another one by now (enms-rest.md 0.2)
				named, err = r.Provider.Client.FindOnce(ctx, r.Kind.Name, name)
			}
			if err == nil && !reading.HasAnotherID(named, state) {
				return id, r.checkIdentity(ctx, state, private, named)
			}
		}
	}
	found, err := r.findByNameAndID(ctx, name, state, private)
	if err != nil {
		return "", err
	}
	return found.ID, r.clearDependents(ctx, found, state, deleteDependents)
}

// emptyFirst empties the relations with EmptyFirst before the instance is deleted. It returns
// their members, which the response to the deletion no longer contains.
func (r *Instances) emptyFirst(ctx context.Context, name string, state kind.Values) (members map[string]relate.Related, err error) {
	emptied := payloads.Empty(r.Kind, state)
	if emptied == nil {
		return nil, nil
	}
	answer, err := r.Provider.Client.Get(ctx, r.Kind.Name, name)
	if err != nil {
		return nil, err
	}
	return relate.EmptiedFirst(r.Kind, answer), r.Provider.Client.Upsert(ctx, r.clientType(state), emptied)
}

// disable sets the fields that switch the instance off. It first checks that the instance exists, because an upsert
// would create it. It reads the instance back afterwards, because eNMS ignores unknown fields (enms-rest.md 1.1).
func (r *Instances) disable(ctx context.Context, name string, state kind.Values, private record.Record) (err error) {
	if _, err := r.findByNameAndID(ctx, name, state, private); err != nil {
		return err
	}
	if err := r.Provider.Client.Upsert(ctx, r.clientType(state), payloads.Disable(r.Kind, state)); err != nil {
		return err
	}
	ctx, done := r.Provider.Client.WithGrace(ctx)
	defer done()
	columns := slices.Sorted(maps.Keys(r.Kind.Off))
	var wrong error
	_, err = r.findNow(ctx, name, columns, func(now value.Object) bool {
		wrong = nil
		for _, property := range columns {
			have, is := now[property]
			if !is {
				wrong = &failures.UnknownField{Field: property}
				return true
			}
			if have != r.Kind.Off[property] {
				wrong = &enms.FieldError{Type: r.Kind.Name, Name: name, Field: property, Reason: "is not what was written"}
			}
		}
		return wrong == nil
	})
	return cmp.Or(err, wrong)
}

// dependentRelations returns the relations of dependents that an instance of a subtype may have, and
// that keep it from being deleted.
func (r *Instances) dependentRelations(subtype string) (relations []kind.Cascade) {
	for _, relation := range r.Kind.Cascades {
		if !relation.Allowed && (relation.Of == "" || relation.Of == subtype) {
			relations = append(relations, relation)
		}
	}
	return relations
}

// clearDependents deletes the dependents of an instance. Without deleteThem, it returns an error if there are any.
func (r *Instances) clearDependents(ctx context.Context, deleted resources.Instance, state kind.Values, deleteThem bool) error {
	found, err := r.findDependents(ctx, deleted, r.Kind.Path(state), map[resources.Instance]bool{deleted: true})
	if err != nil || len(found) == 0 {
		return err
	}
	if !deleteThem {
		return fmt.Errorf("eNMS would also delete: %s. %s", resources.Listed(found), r.wayToDelete(ctx, value.Text(state[kind.RowName])))
	}
	end, owned := r.beginDependents(found)
	defer end()
	if len(owned) > 0 {
		return fmt.Errorf("eNMS would also delete: %s. Another resource of the same configuration created, adopted or updated that in this run. Move or destroy it first, in an apply of its own, or keep the %s",
			resources.Listed(owned), r.Kind.Name)
	}
	for _, x := range found {
		if _, err := r.Provider.Client.Delete(ctx, x.Type, x.Name); err != nil && !errors.Is(err, enms.ErrNotFound) {
			return fmt.Errorf("deleting %s %q first: %w", x.Type, x.Name, err)
		}
		r.Provider.Run.Owners.Set(x.Type, applying.Object{Names: []string{x.Name}, ID: x.ID, Status: applying.Deleted, Kind: r.Kind.Name, Owner: r.owner})
	}
	return nil
}

// wayToDelete says what to do about dependents that keep an instance with a name from being deleted. If this apply has
// created others of the kind, one of them may be the same under a new name. It waits for creations in progress: Terraform
// begins them together with the deletion.
func (r *Instances) wayToDelete(ctx context.Context, name string) string {
	var created []string
	r.Provider.Run.Renames.Writes.Await(ctx, beginPause, func() bool {
		created = r.Provider.Run.Owners.Created(r.Kind.Name)
		return len(created) > 0
	})
	first := fmt.Sprintf("Terraform does not manage them, or has not destroyed them yet. Delete or move them first; if this configuration moves them, apply that while it still contains the %s", r.Kind.Name)
	if len(created) > 0 {
		how := "a moved block from its old address to the new one"
		if r.InMany {
			how = fmt.Sprintf("renames = { %s = \"NEW\" }", resources.Quoted(name))
		}
		return fmt.Sprintf("%s. This apply has created %s. If one of these is the same %s under a new name, write the old name again and apply, which deletes the new one; then change the name together with %s",
			first, resources.AllQuoted(created), r.Kind.Name, how)
	}
	return fmt.Sprintf("%s. Or set deletion_policy = %q to delete them, or deletion_policy = %q to leave the %s in eNMS, and apply that before you destroy. To replace it, add lifecycle { replace_triggered_by = [enms_%s.<label>.id] } to the resources that depend on it",
		first, kind.PolicyCascade, kind.PolicyAbandon, r.Kind.Name, r.Kind.Name)
}

// beginDependents records that the deletion of dependents is in progress. owned are the dependents that
// must not be deleted, because other resources of this run have them.
func (r *Instances) beginDependents(dependents []resources.Instance) (end func(), owned []resources.Instance) {
	var ends []func()
	for _, x := range dependents {
		if end, free := r.Provider.Run.Owners.BeginDependent(x.Type, x.Name, x.ID); free {
			ends = append(ends, end)
		} else {
			owned = append(owned, x)
		}
	}
	return func() {
		for _, end := range ends {
			end()
		}
	}, owned
}

// findDependents returns the dependents of an instance, holder, in the order of their deletion; subtype is that of
// holder. The tasks of a service come before the service, because eNMS does not remove the scheduler's jobs when it
// deletes tasks with their service (enms-rest.md 3). seen has the dependents that were already found: workflows may
// contain each other.
func (r *Instances) findDependents(ctx context.Context, holder resources.Instance, subtype string, seen map[resources.Instance]bool) (found []resources.Instance, err error) {
	for _, relation := range r.dependentRelations(subtype) {
		var dependents []enms.Object
		if relation.Column != "" {
			dependents, err = r.Provider.Client.RelatedByID(ctx, relation.Type, relation.Column, holder.ID)
		} else {
			dependents, err = r.Provider.Client.Related(ctx, relation.Type, relation.Property, holder.Name)
		}
		if err != nil {
			return nil, err
		}
		for _, object := range dependents {
			x := resources.InstanceOf(relation.Type, object)
			if seen[x] || relation.Except != "" && strings.HasPrefix(x.Name, relation.Except) {
				continue
			}
			seen[x] = true
			if relation.Recursive {
				ownSubtype, _ := object["type"].(string)
				nested, err := r.findDependents(ctx, x, ownSubtype, seen)
				if err != nil {
					return nil, err
				}
				found = append(found, nested...)
			}
			found = append(found, x)
		}
	}
	return found, nil
}
