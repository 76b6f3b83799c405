// This file deletes instances as the deletion policy says, and finds what eNMS
// would delete along with them.

package instance

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
)

// maxNamed is how many instances that would go along an error names.
const maxNamed = 10

// delete does what the deletion policy says. An instance that is gone already
// is deleted, as is one whose creation is uncertain and did not happen: what
// has its name then is somebody else's.
func (r *instanceResource) delete(ctx context.Context, state Values, remembered memories) diag.Diagnostics {
	name := text(state[rowName])
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
	case PolicyAbandon:
		return nil
	case PolicyDisable:
		err = r.switchOff(ctx, name, state)
	default:
		var diags diag.Diagnostics
		if diags, err = r.erase(ctx, name, state, policy == PolicyCascade); diags.HasError() {
			return diags
		}
	}
	if errors.Is(err, enms.ErrNotFound) {
		return r.elsewhere(ctx, name, state, remembered.attempted)
	}
	if err != nil {
		return r.kind.problem("delete", name, state, err)
	}
	return nil
}

// erase deletes the instance, after what eNMS would delete along with it. It is
// looked for first by its exact name: a database that takes another spelling for
// the same name would delete that instance (enms-rest.md 10).
func (r *instanceResource) erase(ctx context.Context, name string, state Values, cascade bool) (diag.Diagnostics, error) {
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
func (r *instanceResource) policy(values Values) string {
	if policy := text(values[rowDeletionPolicy]); policy != "" || r.provider == nil {
		return policy
	}
	return r.provider.DeletionPolicy
}

// checkPolicy refuses the provider's policy "disable" for a kind that cannot be
// switched off; the resource's own is checked by the schema.
func (r *instanceResource) checkPolicy(values Values) diag.Diagnostics {
	if r.kind.Off != nil || !values[rowDeletionPolicy].IsKnown() || r.policy(values) != PolicyDisable {
		return nil
	}
	return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root(rowDeletionPolicy),
		fmt.Sprintf("A %s cannot be disabled", r.kind.Name),
		fmt.Sprintf("The provider's deletion_policy is %q. Give this %s a deletion_policy of its own: %s.", PolicyDisable, r.kind.Name, strings.Join(r.kind.policies(), ", ")))}
}

// switchOff leaves the instance switched off. It is looked for first, because
// an upsert would create what is gone, and looked at afterwards, because eNMS
// ignores fields that it does not know (enms-rest.md 1.1).
func (r *instanceResource) switchOff(ctx context.Context, name string, state Values) error {
	if _, err := r.provider.Client.Find(ctx, r.kind.Name, name, nil); err != nil {
		return err
	}
	payload := enms.Object{rowName: name}
	for _, a := range r.kind.Rows() {
		if a.Derived {
			a.put(payload, state[a.Name])
		}
	}
	for property, value := range r.kind.Off {
		payload[property] = value
	}
	if err := r.provider.Client.Upsert(ctx, r.kind.path(state), payload); err != nil {
		return err
	}
	return r.isOff(ctx, name)
}

// isOff makes sure that eNMS holds what switches an instance off.
func (r *instanceResource) isOff(ctx context.Context, name string) (err error) {
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
				err = &enms.FieldError{Type: r.kind.Name, Name: name, Field: property, Reason: "is not what was written"}
			}
		}
		return err == nil
	})
	return err
}

// elsewhere makes sure that an instance whose name is gone was not merely
// renamed: then it is still there, and Terraform would forget it.
func (r *instanceResource) elsewhere(ctx context.Context, name string, state Values, attempted []byte) diag.Diagnostics {
	answer, err := r.renamed(ctx, state, nil, attempted)
	switch {
	case errors.Is(err, enms.ErrNotFound):
		return nil
	case err != nil:
		return r.kind.problem("delete", name, state, err)
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
func (r *instanceResource) clear(ctx context.Context, deleted along, state Values, cascade bool) (diag.Diagnostics, error) {
	name := deleted.name
	found, err := r.findAlong(ctx, deleted, r.kind.path(state), r.kind.Along, map[along]bool{deleted: true})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	if !cascade {
		return diag.Diagnostics{diag.NewErrorDiagnostic(
			fmt.Sprintf("Cannot delete %s %q", r.kind.Name, name),
			fmt.Sprintf("eNMS would delete along with it: %s. Terraform does not manage them, or has not destroyed them yet. Delete or move them first, set deletion_policy = %q to have them deleted, or deletion_policy = %q to leave the %s in eNMS (apply that before you destroy). If it is only to be replaced, give the resources that depend on it lifecycle { replace_triggered_by = [enms_%s.<label>.id] }.",
				listed(found), PolicyCascade, PolicyAbandon, r.kind.Name, r.kind.Name))}, nil
	}
	for _, x := range found {
		if err := r.provider.Client.Delete(ctx, x.typ, x.name); err != nil && !errors.Is(err, enms.ErrNotFound) {
			return r.kind.problem("delete", name, state, fmt.Errorf("deleting %s %q first: %w", x.typ, x.name, err)), nil
		}
	}
	return nil, nil
}

// findAlong lists what eNMS would delete along with an instance, in the order
// in which it can be deleted so that nothing is left behind: the tasks of a
// service before the service, because eNMS forgets the scheduler's jobs of a
// deleted service's tasks (enms-rest.md 3). seen are those that were found
// before: workflows may be in each other.
func (r *instanceResource) findAlong(ctx context.Context, of along, subtype string, relations []Relation, seen map[along]bool) ([]along, error) {
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
			deeper, err := r.findAlong(ctx, x, relatedType, relation.along(relations), seen)
			if err != nil {
				return nil, err
			}
			found = append(append(found, deeper...), x)
		}
	}
	return found, nil
}

// related are the instances of a relation that eNMS would delete along with one.
func (r *instanceResource) related(ctx context.Context, relation Relation, of along) ([]enms.Object, error) {
	if relation.Column != "" {
		return r.provider.Client.RelatedByID(ctx, relation.Type, relation.Column, of.id)
	}
	return r.provider.Client.Related(ctx, relation.Type, relation.Property, of.name)
}

// along are the relations by which others go along with a related instance;
// when it is of the same kind, they are those that found it.
func (relation Relation) along(same []Relation) []Relation {
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
