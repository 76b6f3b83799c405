// This file finds the dependents of an instance, which eNMS deletes with it (kind.Cascade). It deletes
// them first, or returns an error.

package instance

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
)

// dependents finds and deletes the dependents of instances of a kind.
type dependents struct{ *Instances }

// relationsOf returns the relations of dependents that an instance of a subtype may have, and
// that keep it from being deleted.
func (r dependents) relationsOf(subtype string) (relations []kind.Cascade) {
	for _, relation := range r.Kind.Cascades {
		if !relation.Allowed && (relation.Of == "" || relation.Of == subtype) {
			relations = append(relations, relation)
		}
	}
	return relations
}

// clear deletes the dependents of an instance. Without deleteThem, it returns an error if there are any.
func (r dependents) clear(ctx context.Context, deleted resources.Instance, state kind.Values, deleteThem bool) error {
	found, err := r.find(ctx, deleted, r.Kind.Path(state), map[resources.Instance]bool{deleted: true})
	if err != nil || len(found) == 0 {
		return err
	}
	if !deleteThem {
		return fmt.Errorf("eNMS would also delete: %s. Terraform does not manage them, or has not destroyed them yet. Delete or move them first; if this configuration moves them, apply that while it still contains the %s. Or set deletion_policy = %q to delete them, or deletion_policy = %q to leave the %s in eNMS, and apply that before you destroy. To replace it, add lifecycle { replace_triggered_by = [enms_%s.<label>.id] } to the resources that depend on it",
			resources.Listed(found), r.Kind.Name, kind.PolicyCascade, kind.PolicyAbandon, r.Kind.Name, r.Kind.Name)
	}
	end, owned := r.beginDeletions(found)
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

// beginDeletions records that the deletion of dependents is in progress. owned are the dependents that
// must not be deleted, because other resources of this run have them.
func (r dependents) beginDeletions(dependents []resources.Instance) (end func(), owned []resources.Instance) {
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

// find returns the dependents of an instance in the order of their deletion. The tasks of a service come
// before the service, because eNMS does not remove the scheduler's jobs when it deletes tasks with their
// service (enms-rest.md 3). seen are the dependents that were already found: workflows may contain each
// other.
func (r dependents) find(ctx context.Context, of resources.Instance, subtype string, seen map[resources.Instance]bool) (found []resources.Instance, err error) {
	for _, relation := range r.relationsOf(subtype) {
		var dependents []enms.Object
		if relation.Column != "" {
			dependents, err = r.Provider.Client.RelatedByID(ctx, relation.Type, relation.Column, of.ID)
		} else {
			dependents, err = r.Provider.Client.Related(ctx, relation.Type, relation.Property, of.Name)
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
				subtype, _ := object["type"].(string)
				nested, err := r.find(ctx, x, subtype, seen)
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
