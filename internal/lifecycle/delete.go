// This file deletes instances as the deletion policy says, and finds what eNMS
// would delete along with them.

package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// maxNamed is how many instances that would go along an error names.
const maxNamed = 10

// delete does what the deletion policy says. An instance that is gone already
// is deleted, as is one whose creation is uncertain and did not happen: what
// has its name then is somebody else's.
func (r *instances) delete(ctx context.Context, state kind.Values, remembered memories) diag.Diagnostics {
	name := value.Text(state[kind.RowName])
	if remembered.uncertain != nil {
		now, diags := r.read(ctx, state, nil, remembered)
		if diags.HasError() || now == nil {
			return diags
		}
		state = now
	}
	policy := r.policy(state)
	var err error
	switch policy {
	case kind.PolicyAbandon:
		return nil
	case kind.PolicyDisable:
		err = r.switchOff(ctx, name, state)
	default:
		var diags diag.Diagnostics
		if diags, err = r.erase(ctx, name, state, policy == kind.PolicyCascade); diags.HasError() {
			return diags
		}
	}
	if errors.Is(err, enms.ErrNotFound) {
		return r.elsewhere(ctx, name, state, remembered.attempted)
	}
	if err != nil {
		return r.problem("delete", name, state, err)
	}
	return nil
}

// erase deletes the instance, after what eNMS would delete along with it. It is
// looked for first by its exact name: a database that takes another spelling for
// the same name would delete that instance (enms-rest.md 10).
func (r *instances) erase(ctx context.Context, name string, state kind.Values, cascade bool) (diag.Diagnostics, error) {
	found, err := r.provider.Client.FindNow(ctx, r.kind.Name, name, nil)
	if err != nil {
		return nil, err
	}
	diags, err := r.clear(ctx, instanceOf(r.kind.Name, found), state, cascade)
	if err != nil || diags.HasError() {
		return diags, err
	}
	return diags, r.provider.Client.Delete(ctx, r.kind.Name, name)
}

// policy is the deletion policy that counts: the resource's own, else the
// provider's.
func (r *instances) policy(values kind.Values) string {
	if policy := value.Text(values[kind.RowDeletionPolicy]); policy != "" || r.provider == nil {
		return policy
	}
	return r.provider.DeletionPolicy
}

// checkPolicy refuses the provider's policy "disable" for a kind that cannot be
// switched off; the resource's own is checked by the schema.
func (r *instances) checkPolicy(values kind.Values) diag.Diagnostics {
	if r.kind.Off != nil || !values[kind.RowDeletionPolicy].IsKnown() || r.policy(values) != kind.PolicyDisable {
		return nil
	}
	return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root(kind.RowDeletionPolicy),
		fmt.Sprintf("A %s cannot be disabled", r.kind.Name),
		fmt.Sprintf("The provider's deletion_policy is %q. Give this %s a deletion_policy of its own: %s.", kind.PolicyDisable, r.kind.Name, strings.Join(r.kind.Policies(), ", ")))}
}

// switchOff leaves the instance switched off. It is looked for first, because
// an upsert would create what is gone, and looked at afterwards, because eNMS
// ignores fields that it does not know (enms-rest.md 1.1).
func (r *instances) switchOff(ctx context.Context, name string, state kind.Values) error {
	if _, err := r.provider.Client.Find(ctx, r.kind.Name, name, nil); err != nil {
		return err
	}
	if err := r.provider.Client.Upsert(ctx, r.kind.Path(state), r.kind.DisablePayload(state)); err != nil {
		return err
	}
	return r.isOff(ctx, name)
}

// isOff makes sure that eNMS holds what switches an instance off.
func (r *instances) isOff(ctx context.Context, name string) (err error) {
	columns := slices.Sorted(maps.Keys(r.kind.Off))
	enms.UntilConsistent(ctx, func() bool {
		var now enms.Object
		if now, err = r.provider.Client.FindNow(ctx, r.kind.Name, name, columns); err != nil {
			return true
		}
		for _, property := range columns {
			if have, held := now[property]; !held {
				err = &unknownFieldError{Field: property}
				return true
			} else if have != r.kind.Off[property] {
				err = &kind.FieldError{Type: r.kind.Name, Name: name, Field: property, Reason: "is not what was written"}
			}
		}
		return err == nil
	})
	return err
}

// elsewhere makes sure that an instance whose name is gone was not merely
// renamed: then it is still there, and Terraform would forget it.
func (r *instances) elsewhere(ctx context.Context, name string, state kind.Values, attempted []byte) diag.Diagnostics {
	answer, err := r.renamed(ctx, state, nil, attempted)
	switch {
	case errors.Is(err, enms.ErrNotFound):
		return nil
	case err != nil:
		return r.problem("delete", name, state, err)
	}
	return diag.Diagnostics{diag.NewErrorDiagnostic(fmt.Sprintf("Cannot delete %s %q", r.kind.Name, name),
		fmt.Sprintf("Somebody renamed it to %q after the plan was made. Plan again.", answer["name"]))}
}

// along is an instance that eNMS deletes, by itself or along with another.
type along struct{ typ, name, id string }

// instanceOf is the instance of an answer.
func instanceOf(typ string, answer enms.Object) along {
	x := along{typ: typ, id: fmt.Sprint(answer["id"])}
	x.name, _ = answer["name"].(string)
	return x
}

// clear sees to what eNMS would delete along with an instance: with cascade it
// is deleted first, otherwise it is an error that names it.
func (r *instances) clear(ctx context.Context, deleted along, state kind.Values, cascade bool) (diag.Diagnostics, error) {
	name := deleted.name
	found, err := r.findAlong(ctx, deleted, r.kind.Path(state), r.kind.Along, map[along]bool{deleted: true})
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
			return r.problem("delete", name, state, fmt.Errorf("deleting %s %q first: %w", x.typ, x.name, err)), nil
		}
	}
	return nil, nil
}

// findAlong lists what eNMS would delete along with an instance, in the order
// in which it can be deleted so that nothing is left behind: the tasks of a
// service before the service, because eNMS forgets the scheduler's jobs of a
// deleted service's tasks (enms-rest.md 3). seen are those that were found
// before: workflows may be in each other.
func (r *instances) findAlong(ctx context.Context, of along, subtype string, relations []kind.Relation, seen map[along]bool) ([]along, error) {
	var found []along
	for _, relation := range relations {
		if relation.Of != "" && relation.Of != subtype {
			continue
		}
		related, err := r.related(ctx, relation, of)
		if err != nil {
			return nil, err
		}
		for _, object := range related {
			x := instanceOf(relation.Type, object)
			if seen[x] || relation.Except != "" && strings.HasPrefix(x.name, relation.Except) {
				continue
			}
			seen[x] = true
			relatedType, _ := object["type"].(string)
			deeper, err := r.findAlong(ctx, x, relatedType, alongWith(relation, relations), seen)
			if err != nil {
				return nil, err
			}
			found = append(append(found, deeper...), x)
		}
	}
	return found, nil
}

// related are the instances of a relation that eNMS would delete along with one.
func (r *instances) related(ctx context.Context, relation kind.Relation, of along) ([]enms.Object, error) {
	if relation.Column != "" {
		return r.provider.Client.RelatedByID(ctx, relation.Type, relation.Column, of.id)
	}
	return r.provider.Client.Related(ctx, relation.Type, relation.Property, of.name)
}

// alongWith are the relations by which others go along with a related instance;
// when it is of the same kind, they are those that found it.
func alongWith(relation kind.Relation, same []kind.Relation) []kind.Relation {
	if relation.Recursive {
		return same
	}
	return nil
}

// listed names instances for an error.
func listed(found []along) string {
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
