// This file finds the dependents of an instance, which eNMS deletes with it (kind.Cascades),
// and deletes them first, or returns an error.

package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

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
		r.provider.objects.set(x.typ, object{names: []string{x.name}, id: x.id, fate: fateDeleted, kind: r.kind.Name, holder: r})
	}
	return nil
}

// beginAlong records that the deletion of dependents is in progress. It returns those that
// must not be deleted, because other resources of this run have them.
func (r *Instances) beginAlong(dependents []instance) (end func(), held []instance) {
	var ends []func()
	for _, x := range dependents {
		if end, free := r.provider.objects.beginAlong(x.typ, x.name, x.id); free {
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
	for _, relation := range r.kind.Cascades {
		if relation.Allowed || relation.Of != "" && relation.Of != subtype {
			continue
		}
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
