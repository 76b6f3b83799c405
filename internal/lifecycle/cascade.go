// This file finds what eNMS would delete along with an instance, and deletes it
// first or refuses.

package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// maxNamed is how many dependents an error names.
const maxNamed = 10

// dependent is an instance that eNMS deletes, by itself or along with another.
type dependent struct{ typ, name, id string }

// instanceOf is the instance of an answer.
func instanceOf(typ string, answer value.Object) dependent {
	x := dependent{typ: typ, id: fmt.Sprint(answer["id"])}
	x.name, _ = answer["name"].(string)
	return x
}

// clearDependents deletes what eNMS would delete along with an instance; without
// cascade it fails and names it instead.
func (r *instances) clearDependents(ctx context.Context, deleted dependent, state kind.Values, cascade bool) (diag.Diagnostics, error) {
	name := deleted.name
	found, err := r.findDependents(ctx, deleted, r.kind.Path(state), r.kind.Cascades, map[dependent]bool{deleted: true})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	if !cascade {
		return diag.Diagnostics{diag.NewErrorDiagnostic(
			fmt.Sprintf("Cannot delete %s %q", r.kind.Name, name),
			fmt.Sprintf("eNMS would delete along with it: %s. Terraform does not manage them, or has not destroyed them yet. Delete or move them first, set deletion_policy = %q to have them deleted, or deletion_policy = %q to leave the %s in eNMS (apply that before you destroy). If it is only to be replaced, give the resources that depend on it lifecycle { replace_triggered_by = [enms_%s.<label>.id] }.",
				listed(found), kind.PolicyCascade, kind.PolicyAbandon, r.kind.Name, r.kind.Name))}, nil
	}
	for _, x := range found {
		if err := r.provider.Client.Delete(ctx, x.typ, x.name); err != nil && !errors.Is(err, enms.ErrNotFound) {
			return r.errorDiagnostic(verbDelete, name, state, fmt.Errorf("deleting %s %q first: %w", x.typ, x.name, err)), nil
		}
	}
	return nil, nil
}

// findDependents lists what eNMS would delete along with an instance, in the order
// in which it can be deleted so that nothing is left behind: the tasks of a
// service before the service, because eNMS forgets the scheduler's jobs of a
// deleted service's tasks (enms-rest.md 3). seen are those that were found
// before: workflows may be in each other.
func (r *instances) findDependents(ctx context.Context, of dependent, subtype string, cascades []kind.Cascade, seen map[dependent]bool) ([]dependent, error) {
	var found []dependent
	for _, cascade := range cascades {
		if cascade.Of != "" && cascade.Of != subtype {
			continue
		}
		related, err := r.related(ctx, cascade, of)
		if err != nil {
			return nil, err
		}
		for _, object := range related {
			x := instanceOf(cascade.Type, object)
			if seen[x] || cascade.Except != "" && strings.HasPrefix(x.name, cascade.Except) {
				continue
			}
			seen[x] = true
			relatedType, _ := object["type"].(string)
			deeper, err := r.findDependents(ctx, x, relatedType, nestedCascades(cascade, cascades), seen)
			if err != nil {
				return nil, err
			}
			found = append(append(found, deeper...), x)
		}
	}
	return found, nil
}

// related are the instances that eNMS would delete along with one by a cascade.
func (r *instances) related(ctx context.Context, cascade kind.Cascade, of dependent) ([]enms.Object, error) {
	if cascade.Column != "" {
		return r.provider.Client.RelatedByID(ctx, cascade.Type, cascade.Column, of.id)
	}
	return r.provider.Client.Related(ctx, cascade.Type, cascade.Property, of.name)
}

// nestedCascades are the cascades of a related instance: when it is of the same
// kind, those that found it.
func nestedCascades(cascade kind.Cascade, same []kind.Cascade) []kind.Cascade {
	if cascade.Recursive {
		return same
	}
	return nil
}

// listed names instances for an error.
func listed(found []dependent) string {
	named := make([]string, 0, len(found))
	for _, x := range found {
		named = append(named, fmt.Sprintf("%s %q", x.typ, x.name))
	}
	sort.Strings(named)
	if rest := len(named) - maxNamed; rest > 0 {
		return strings.Join(named[:maxNamed], ", ") + fmt.Sprintf(" and %d more", rest)
	}
	return strings.Join(named, ", ")
}
