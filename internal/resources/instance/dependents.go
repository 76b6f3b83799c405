// This file declares a deletion, and finds the dependents of its instance, which eNMS deletes together with it: a plan
// names those that somebody else has written, and a deletion is refused, or deletes them first.

package instance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// deletion is the deletion of an instance, while it is planned or applied.
type deletion struct {
	i      *Instances // those of the kind
	kind   *kind.Kind
	client *enms.Client
	run    *applying.Run

	policy  string
	state   kind.Values // with the name that the instance has now
	private record.Record
	along   []resources.Instance // the dependents that were deleted before it
}

// name returns the name of the instance.
func (d *deletion) name() string { return value.Text(d.state[kind.RowName]) }

// id returns the id in the state, or "".
func (d *deletion) id() string { return value.Text(d.state[kind.RowID]) }

// deletionOf returns the deletion of the instance of a state.
func (r *Instances) deletionOf(state kind.Values, private record.Record) *deletion {
	return &deletion{i: r, kind: r.Kind, client: r.Provider.Client, run: &r.Provider.Run, policy: r.Provider.Policy(state), state: state, private: private}
}

// warnOfOthers warns of the dependents that another user has written last. Those of Terraform's own user are usually part
// of the same configuration, and deleted by the same plan. The summary is the same for all instances of the kind, so that
// Terraform shows one warning. It returns none if a request fails: the deletion asks again.
func (d *deletion) warnOfOthers(ctx context.Context) (diags diag.Diagnostics) {
	if d.id() == "" || !d.i.Provider.Deletes(d.state) || !d.i.Checker.LooksUp() {
		return nil
	}
	deleted := resources.Instance{Type: d.kind.Name, Name: d.name(), ID: d.id()}
	found, err := d.findDependents(ctx, deleted, d.kind.Path(d.state), map[resources.Instance]bool{deleted: true})
	if err != nil {
		return nil
	}
	authors, err := resources.Each(ctx, found, d.lastAuthor)
	if err != nil {
		return nil
	}
	var others []string
	for n, x := range found {
		if authors[n] != "" && authors[n] != d.client.User() {
			others = append(others, fmt.Sprintf("%s %q (last written by user %q)", x.Type, x.Name, authors[n]))
		}
	}
	if len(others) == 0 {
		return nil
	}
	slices.Sort(others)
	what := fmt.Sprintf("The apply will refuse to delete it while they exist: ask their users, or set deletion_policy = %q.", kind.PolicyAbandon)
	if d.policy == kind.PolicyCascade {
		what = fmt.Sprintf("Its deletion_policy is %q, so the apply deletes them, too.", d.policy)
	}
	diags.AddWarning(fmt.Sprintf("Others use a %s that is deleted", d.kind.Name),
		fmt.Sprintf("With the %s %q, eNMS would delete: %s. %s", d.kind.Name, d.name(), resources.Some(others, func(other string) string { return other }), what))
	return diags
}

// lastAuthor returns the user who has written an instance last, or "" if eNMS does not tell.
func (d *deletion) lastAuthor(ctx context.Context, x resources.Instance) (string, error) {
	if !kind.Named(d.i.Provider.Kinds, x.Type).NoTimestamps {
		row, err := d.client.FindNow(ctx, x.Type, x.Name, []string{"last_modified_by"})
		return endpoint.String(row, "last_modified_by"), err
	}
	changes, err := d.client.Changes(ctx, enms.ChangeSelection{Type: x.Type, Name: x.Name, Most: 1})
	if len(changes) == 0 { // also after an error
		return "", err
	}
	return changes[0].Author, nil
}

// dependentRelations returns the relations of dependents that an instance of a subtype may have, and
// that keep it from being deleted.
func (d *deletion) dependentRelations(subtype string) (relations []kind.Cascade) {
	for _, relation := range d.kind.Cascades {
		if !relation.Allowed && (relation.Of == "" || relation.Of == subtype) {
			relations = append(relations, relation)
		}
	}
	return relations
}

// clearDependents deletes the dependents of the instance, if its policy is "cascade", and otherwise returns an error if
// there are any.
func (d *deletion) clearDependents(ctx context.Context, deleted resources.Instance) error {
	found, err := d.findDependents(ctx, deleted, d.kind.Path(d.state), map[resources.Instance]bool{deleted: true})
	if err != nil || len(found) == 0 {
		return err
	}
	if d.policy != kind.PolicyCascade {
		return fmt.Errorf("eNMS would also delete: %s. %s", resources.Listed(found), d.wayToDelete(ctx))
	}
	end, owned := d.beginDependents(found)
	defer end()
	if len(owned) > 0 {
		return fmt.Errorf("eNMS would also delete: %s. Another resource of the same configuration created, adopted or updated that in this run. Move or destroy it first, in an apply of its own, or keep the %s",
			resources.Listed(owned), d.kind.Name)
	}
	for _, x := range found {
		if _, err := d.client.Delete(ctx, x.Type, x.Name); err != nil && !errors.Is(err, enms.ErrNotFound) {
			return fmt.Errorf("deleting %s %q first: %w", x.Type, x.Name, err)
		}
		d.along = append(d.along, x)
		d.run.Owners.Set(x.Type, applying.Ownership{Names: []string{x.Name}, ID: x.ID, Status: applying.Deleted, Kind: d.kind.Name, Owner: d.i.owner})
	}
	return nil
}

// wayToDelete says what to do about dependents that keep an instance with a name from being deleted. If this apply has
// created others of the kind, one of them may be the same under a new name. It waits for creations in progress: Terraform
// begins them together with the deletion.
func (d *deletion) wayToDelete(ctx context.Context) string {
	var created []string
	d.run.Renames.Writes.Await(ctx, nil, beginPause, func() bool {
		created = d.run.Owners.Created(d.kind.Name)
		return len(created) > 0
	})
	first := fmt.Sprintf("Terraform does not manage them, or has not destroyed them yet. Delete or move them first; if this configuration moves them, apply that while it still contains the %s", d.kind.Name)
	if len(created) > 0 {
		how := "a moved block from its old address to the new one"
		if d.i.InMany {
			how = fmt.Sprintf("renames = { %s = \"NEW\" }", resources.Quoted(d.name()))
		}
		return fmt.Sprintf("%s. This apply has created %s. If one of these is the same %s under a new name, write the old name again and apply, which deletes the new one; then change the name together with %s",
			first, resources.AllQuoted(created), d.kind.Name, how)
	}
	return fmt.Sprintf("%s. Or set deletion_policy = %q to delete them, or deletion_policy = %q to leave the %s in eNMS, and apply that before you destroy. If Terraform replaces it, add lifecycle { replace_triggered_by = [enms_%s.<label>.id] } to the resources that depend on it",
		first, kind.PolicyCascade, kind.PolicyAbandon, d.kind.Name, d.kind.Name)
}

// beginDependents records that the deletion of dependents is in progress. owned are the dependents that
// must not be deleted, because other resources of this run have them.
func (d *deletion) beginDependents(dependents []resources.Instance) (end func(), owned []resources.Instance) {
	var ends []func()
	for _, x := range dependents {
		if end, free := d.run.Owners.BeginDependent(x.Type, x.Name, x.ID); free {
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

// findDependents returns the dependents of an instance, parent, in the order of their deletion; subtype is that of
// parent. The tasks of a service come before the service, because eNMS does not remove the scheduler's jobs when it
// deletes tasks with their service (enms-rest.md 3). A service that was deleted in the Workflow Builder is no dependent:
// somebody has deleted it, and the next YAML export does so for good (enms-rest.md 11.6). Its tasks are. visited has the
// dependents that were already found: instances may contain each other.
func (d *deletion) findDependents(ctx context.Context, parent resources.Instance, subtype string, visited map[resources.Instance]bool) (found []resources.Instance, err error) {
	for _, relation := range d.dependentRelations(subtype) {
		var dependents []enms.Object
		if relation.Column != "" {
			dependents, err = d.client.RelatedByID(ctx, relation.Type, relation.Column, parent.ID)
		} else {
			dependents, err = d.client.Related(ctx, relation.Type, relation.Property, parent.Name)
		}
		if err != nil {
			return nil, err
		}
		for _, object := range dependents {
			x := resources.InstanceOf(relation.Type, object)
			if visited[x] || relation.Except != "" && strings.HasPrefix(x.Name, relation.Except) {
				continue
			}
			visited[x] = true
			if relation.Recursive {
				ownSubtype, _ := object["type"].(string)
				nested, err := d.findDependents(ctx, x, ownSubtype, visited)
				if err != nil {
					return nil, err
				}
				found = append(found, nested...)
			}
			if !enms.Deleted(object) {
				found = append(found, x)
			}
		}
	}
	return found, nil
}
