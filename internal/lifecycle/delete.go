// This file deletes instances by their deletion policy. It finds the dependents of an instance,
// which eNMS deletes with it (kind.Cascades), and deletes them first, or returns an error.

package lifecycle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/many"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/payloads"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// MostDeletions is how many deletions are under way at the same time.
const MostDeletions = enms.MostDeletions

// Delete deletes an instance, or leaves it, by its deletion policy. An instance that is gone
// counts as deleted, and so does one that a pending creation never made: an instance that has
// the name then belongs to somebody else.
func (r *Instances) Delete(ctx context.Context, state kind.Values, private Record) diag.Diagnostics {
	name := value.Text(state[kind.RowName])
	if private.PendingCreate != nil {
		now, _, diags := r.Read(ctx, state, private)
		if diags.HasError() || now == nil {
			return diags
		}
		state = now
	}
	end, err := r.begin(ctx, applying.Delete, name)
	if err != nil {
		return r.errorDiagnostic(verbDelete, name, state, err)
	}
	defer end()
	defer r.holdName(name, true)()
	policy := r.policy(state)
	held, err := r.leftToAnother(ctx, policy, name, value.Text(state[kind.RowID]))
	state = r.followScope(ctx, state)
	name = value.Text(state[kind.RowName])
	if !held && err == nil {
		held, err = r.leftToAnother(ctx, policy, name, value.Text(state[kind.RowID]))
	}
	switch {
	case err != nil:
		return r.errorDiagnostic(verbDelete, name, state, err)
	case held:
		return r.warnOfHeld(policy, state)
	}
	became, referring, err := r.deleteBy(ctx, policy, name, state)
	if errors.Is(err, enms.ErrNotFound) || is[*replacedError](err) {
		became, err = applying.Deleted, r.failIfRenamed(ctx, state, private, err)
	}
	if is[*otherContentError](err) {
		return r.warnOfOther(name, err)
	}
	if err != nil {
		r.note(applying.Undeleted, state, "")
		return r.errorDiagnostic(verbDelete, name, state, err)
	}
	r.noteObject(state, "", applying.Object{Status: became, Referring: referring})
	return nil
}

// deleteBy applies a deletion policy. It returns the status of the instance and, if it was deleted,
// the instances that referred to it.
func (r *Instances) deleteBy(ctx context.Context, policy, name string, state kind.Values) (became applying.Status, referring relate.Referring, err error) {
	switch policy {
	case kind.PolicyAbandon:
		return applying.Abandoned, referring, nil
	case kind.PolicyDisable:
		return applying.Abandoned, referring, r.disable(ctx, name, state)
	}
	referring, err = r.findAndDelete(ctx, name, state, policy == kind.PolicyCascade)
	return applying.Deleted, referring, err
}

// warnOfHeld warns that an instance was not deleted, because another resource of this run has
// it now.
func (r *Instances) warnOfHeld(policy string, state kind.Values) (diags diag.Diagnostics) {
	if policy != kind.PolicyAbandon {
		diags.AddWarning(fmt.Sprintf("The %s %q was not deleted", r.kind.Name, value.Text(state[kind.RowName])),
			fmt.Sprintf("Another resource of the same configuration created, adopted or updated it (id %s) in this run. It was only removed from the state of this resource.", value.Text(state[kind.RowID])))
	}
	return diags
}

// findByNameAndID finds the instance before it is deleted or disabled, by its exact name and its
// id: eNMS would otherwise act on an instance whose name its database considers equal
// (enms-rest.md 10). One with another id is the instance if it has the content of the state. The
// id of a tainted instance may be unknown, because Terraform does not pass its private state: then
// the instance must have the configured values. One of another type is certainly not the one that
// was created.
func (r *Instances) findByNameAndID(ctx context.Context, name string, state kind.Values) (found instance, err error) {
	id := value.Text(state[kind.RowID])
	var another error
	_, err = r.provider.Client.FindNowUntil(ctx, r.kind.Name, name, states.Columns(r.kind, state, false), func(answer value.Object) bool {
		found, another = instanceOf(r.kind.Name, answer), nil
		switch {
		case id == "" && r.checkType(name, state, answer) != nil, found.id != id && r.notOfAnotherType(name, state, answer) != nil:
			another = enms.ErrNotFound // eNMS never changes the type of an instance
		case id == "" && !(r.inMany && many.HoldsConfigured(r.kind, answer, state)):
			another = unknownIDError{}
		case id != "" && found.id != id && !r.isRestored(ctx, answer, state):
			another = &replacedError{ID: found.id}
		}
		return another == nil
	})
	return found, cmp.Or(err, another)
}

// findAndDelete deletes an instance, after its dependents; without deleteDependents, it returns
// an error if there are any. It returns the instances that referred to it.
func (r *Instances) findAndDelete(ctx context.Context, name string, state kind.Values, deleteDependents bool) (referring relate.Referring, err error) {
	id, err := r.clearForDeletion(ctx, name, state, deleteDependents)
	if err != nil {
		return referring, err
	}
	members, err := r.emptyFirst(ctx, name, state)
	if err != nil {
		return referring, err
	}
	defer r.provider.Run.Places.Writes.Begin()()
	deleted, err := r.provider.Client.Delete(ctx, r.kind.Name, name)
	r.leavePlace(state, err)
	if gone := instanceOf(r.kind.Name, deleted).id; err == nil && deleted[kind.RowID] != nil && gone != id {
		err = fmt.Errorf("eNMS deleted another %s of that name, with the id %s: somebody created or renamed it within the last seconds. Create it again if it is needed, and plan again", r.kind.Name, gone)
	}
	return relate.ReferringTo(r.kind, deleted, r.provider.Kinds).With(members), err
}

// clearForDeletion makes sure that a deletion by name deletes the instance of a state, and nothing
// else, and returns the instance's id. It deletes the dependents first, or returns an error if there are any.
func (r *Instances) clearForDeletion(ctx context.Context, name string, state kind.Values, deleteDependents bool) (id string, err error) {
	if id = value.Text(state[kind.RowID]); id != "" {
		var along []enms.Dependents
		for _, relation := range r.dependentsOf(r.kind.Path(state)) {
			along = append(along, enms.Dependents{Type: relation.Type, Column: relation.Column, Property: relation.Property, Except: relation.Except})
		}
		if deletable, err := r.provider.Client.Deletable(ctx, r.kind.Name, name, id, along); deletable || err != nil {
			return id, err
		}
	}
	found, err := r.findByNameAndID(ctx, name, state)
	if err != nil {
		return "", err
	}
	return found.id, r.clearDependents(ctx, found, state, deleteDependents)
}

// dependentsOf returns the relations of dependents that an instance of a subtype may have, and
// that keep it from being deleted.
func (r *Instances) dependentsOf(subtype string) (relations []kind.Cascade) {
	for _, relation := range r.kind.Cascades {
		if !relation.Allowed && (relation.Of == "" || relation.Of == subtype) {
			relations = append(relations, relation)
		}
	}
	return relations
}

// emptyFirst empties the relations with EmptyFirst before the instance is deleted. It returns
// their members, which the response to the deletion no longer contains.
func (r *Instances) emptyFirst(ctx context.Context, name string, state kind.Values) (members map[string]relate.Related, err error) {
	emptied := payloads.Empty(r.kind, state)
	if emptied == nil {
		return nil, nil
	}
	answer, err := r.provider.Client.Get(ctx, r.kind.Name, name)
	if err != nil {
		return nil, err
	}
	return relate.EmptiedFirst(r.kind, answer), r.provider.Client.Upsert(ctx, r.clientType(state), emptied)
}

// disable switches the instance off. It first checks that the instance exists, because an upsert
// would create it, and reads it back afterwards, because eNMS ignores unknown fields
// (enms-rest.md 1.1).
func (r *Instances) disable(ctx context.Context, name string, state kind.Values) (err error) {
	if _, err := r.findByNameAndID(ctx, name, state); err != nil {
		return err
	}
	if err := r.provider.Client.Upsert(ctx, r.clientType(state), payloads.Disable(r.kind, state)); err != nil {
		return err
	}
	ctx, done := r.provider.Client.WithGrace(ctx)
	defer done()
	columns := slices.Sorted(maps.Keys(r.kind.Off))
	var wrong error
	_, err = r.provider.Client.FindNowUntil(ctx, r.kind.Name, name, columns, func(now value.Object) bool {
		wrong = nil
		for _, property := range columns {
			if have, held := now[property]; !held {
				wrong = &unknownFieldError{Field: property}
				return true
			} else if have != r.kind.Off[property] {
				wrong = &enms.FieldError{Type: r.kind.Name, Name: name, Field: property, Reason: "is not what was written"}
			}
		}
		return wrong == nil
	})
	return cmp.Or(err, wrong)
}

// failIfRenamed returns an error if the instance was renamed: its name no longer exists,
// according to cause, but the instance does, and Terraform would lose it. It also returns an
// error if another instance has its name, or its id (*otherContentError).
func (r *Instances) failIfRenamed(ctx context.Context, state kind.Values, private Record, cause error) error {
	answer, err := r.findRenamed(ctx, state, private)
	switch {
	case errors.Is(err, enms.ErrNotFound) && errors.Is(cause, enms.ErrNotFound):
		if hidden := r.proveGone(ctx, state); hidden != nil || !is[*otherContentError](err) {
			return hidden
		}
		return err
	case errors.Is(err, enms.ErrNotFound):
		return cause
	case err != nil:
		return err
	}
	return fmt.Errorf("somebody renamed it to %q after the plan was made. Plan again. If eNMS was restored from a backup without it, and %q is another one, run terraform state rm with its address", answer["name"], answer["name"])
}

// clearDependents deletes the dependents of an instance; without deleteThem, it returns an
// error if there are any.
func (r *Instances) clearDependents(ctx context.Context, deleted instance, state kind.Values, deleteThem bool) error {
	found, err := r.findDependents(ctx, deleted, r.kind.Path(state), map[instance]bool{deleted: true})
	if err != nil || len(found) == 0 {
		return err
	}
	if !deleteThem {
		return fmt.Errorf("eNMS would also delete: %s. Terraform does not manage them, or has not destroyed them yet. Delete or move them first; if this configuration moves them, apply that while it still contains the %s. Or set deletion_policy = %q to delete them, or deletion_policy = %q to leave the %s in eNMS, and apply that before you destroy. To replace it, add lifecycle { replace_triggered_by = [enms_%s.<label>.id] } to the resources that depend on it",
			listed(found), r.kind.Name, kind.PolicyCascade, kind.PolicyAbandon, r.kind.Name, r.kind.Name)
	}
	end, held := r.beginAlong(found)
	defer end()
	if len(held) > 0 {
		return fmt.Errorf("eNMS would also delete: %s. Another resource of the same configuration created, adopted or updated that in this run. Move or destroy it first, in an apply of its own, or keep the %s",
			listed(held), r.kind.Name)
	}
	for _, x := range found {
		if _, err := r.provider.Client.Delete(ctx, x.typ, x.name); err != nil && !errors.Is(err, enms.ErrNotFound) {
			return fmt.Errorf("deleting %s %q first: %w", x.typ, x.name, err)
		}
		r.provider.Run.Owners.Set(x.typ, applying.Object{Names: []string{x.name}, ID: x.id, Status: applying.Deleted, Kind: r.kind.Name, Owner: r})
	}
	return nil
}

// beginAlong records that the deletion of dependents is in progress. It returns those that
// must not be deleted, because other resources of this run have them.
func (r *Instances) beginAlong(dependents []instance) (end func(), held []instance) {
	var ends []func()
	for _, x := range dependents {
		if end, free := r.provider.Run.Owners.BeginDependent(x.typ, x.name, x.id); free {
			ends = append(ends, end)
		} else {
			held = append(held, x)
		}
	}
	return func() {
		for _, end := range ends {
			end()
		}
	}, held
}

// findDependents returns the dependents of an instance in the order of their deletion: the
// tasks of a service before the service, because eNMS does not remove the scheduler's jobs
// when it deletes tasks with their service (enms-rest.md 3). seen are the ones already found:
// workflows may contain each other.
func (r *Instances) findDependents(ctx context.Context, of instance, subtype string, seen map[instance]bool) (found []instance, err error) {
	for _, relation := range r.dependentsOf(subtype) {
		var dependents []enms.Object
		if relation.Column != "" {
			dependents, err = r.provider.Client.RelatedByID(ctx, relation.Type, relation.Column, of.id)
		} else {
			dependents, err = r.provider.Client.Related(ctx, relation.Type, relation.Property, of.name)
		}
		if err != nil {
			return nil, err
		}
		for _, object := range dependents {
			x := instanceOf(relation.Type, object)
			if seen[x] || relation.Except != "" && strings.HasPrefix(x.name, relation.Except) {
				continue
			}
			seen[x] = true
			if relation.Recursive {
				subtype, _ := object["type"].(string)
				nested, err := r.findDependents(ctx, x, subtype, seen)
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
