// This file finds the dependents of an instance, which eNMS deletes with it, by the
// relations in kind.Cascades; and deletes them first, or refuses.

package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// instance identifies an instance.
type instance struct{ typ, name, id string }

// instanceOf is the instance of an answer.
func instanceOf(typ string, answer value.Object) instance {
	name, _ := answer["name"].(string)
	return instance{typ: typ, name: name, id: fmt.Sprint(answer["id"])}
}

// clearDependents deletes the dependents of an instance; without deleteThem they are an
// error.
func (r *instances) clearDependents(ctx context.Context, deleted instance, state kind.Values, deleteThem bool) error {
	found, err := r.findDependents(ctx, deleted, r.kind.Path(state), map[instance]bool{deleted: true})
	if err != nil || len(found) == 0 {
		return err
	}
	if !deleteThem {
		return fmt.Errorf("eNMS would delete along with it: %s. Terraform does not manage them, or has not destroyed them yet. Delete or move them first; if this configuration moves them, apply that while it still holds the %s. Or set deletion_policy = %q to have them deleted, or deletion_policy = %q to leave the %s in eNMS (apply that before you destroy). If it is only to be replaced, give the resources that depend on it lifecycle { replace_triggered_by = [enms_%s.<label>.id] }",
			listed(found), r.kind.Name, kind.PolicyCascade, kind.PolicyAbandon, r.kind.Name, r.kind.Name)
	}
	if written := r.written(found); len(written) > 0 {
		return fmt.Errorf("eNMS would delete along with it: %s. This apply has created or changed them, so that they are no leftovers. Let nothing of the configuration refer to the %s, apply that, and then remove it", listed(written), r.kind.Name)
	}
	for _, x := range found {
		if err := r.provider.Client.Delete(ctx, x.typ, x.name); err != nil && !errors.Is(err, enms.ErrNotFound) {
			return fmt.Errorf("deleting %s %q first: %w", x.typ, x.name, err)
		}
	}
	return nil
}

// written returns those of the instances that this process has written and not deleted
// since: the configuration holds them.
func (r *instances) written(found []instance) []instance {
	return slices.DeleteFunc(slices.Clone(found), func(x instance) bool { return !r.provider.Client.HasWritten(x.name) })
}

// findDependents lists the dependents of an instance in the order in which they have to
// be deleted: the tasks of a service before the service, because eNMS leaves the
// scheduler's jobs of a deleted service's tasks (enms-rest.md 3). seen are those that
// were found before: workflows may contain each other.
func (r *instances) findDependents(ctx context.Context, of instance, subtype string, seen map[instance]bool) (found []instance, err error) {
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

// maxNamed is how many dependents an error names.
const maxNamed = 10

// listed names instances for an error.
func listed(found []instance) string {
	var named []string
	for _, x := range found {
		named = append(named, fmt.Sprintf("%s %q", x.typ, x.name))
	}
	sort.Strings(named)
	if rest := len(named) - maxNamed; rest > 0 {
		return strings.Join(named[:maxNamed], ", ") + fmt.Sprintf(" and %d more", rest)
	}
	return strings.Join(named, ", ")
}
