// This file deletes instances as the deletion policy says.

package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// delete does what the deletion policy says. What is gone is deleted, as is what a
// pending creation did not create: what has the name then is another's.
func (r *instances) delete(ctx context.Context, state kind.Values, private privateState) diag.Diagnostics {
	name := value.Text(state[kind.RowName])
	if private.PendingCreate != nil {
		now, diags := r.read(ctx, state, private)
		if diags.HasError() || now == nil {
			return diags
		}
		state = now
	}
	var err error
	switch policy := r.policy(state); policy {
	case kind.PolicyAbandon:
		return nil
	case kind.PolicyDisable:
		err = r.disable(ctx, name, state)
	default:
		err = r.findAndDelete(ctx, name, state, policy == kind.PolicyCascade)
	}
	if errors.Is(err, enms.ErrNotFound) || is[*replacedError](err) {
		err = r.failIfRenamed(ctx, state, private, err)
	}
	if err != nil {
		return r.errorDiagnostic(verbDelete, name, state, err)
	}
	return nil
}

// findByNameAndID finds the instance before it is deleted or switched off: by its exact
// name, because eNMS would act on one whose name its database takes for the same
// (enms-rest.md 10), and by its id.
func (r *instances) findByNameAndID(ctx context.Context, name string, state kind.Values) (found instance, err error) {
	id := value.Text(state[kind.RowID])
	enms.UntilConsistent(ctx, func() bool {
		var answer value.Object
		if answer, err = r.provider.Client.FindNow(ctx, r.kind.Name, name, nil); err != nil {
			return true
		}
		if found = instanceOf(r.kind.Name, answer); id != "" && found.id != id {
			err = &replacedError{ID: found.id}
		}
		return err == nil
	})
	return found, err
}

// findAndDelete deletes the instance, and its dependents before; without deleteDependents
// they are an error.
func (r *instances) findAndDelete(ctx context.Context, name string, state kind.Values, deleteDependents bool) error {
	found, err := r.findByNameAndID(ctx, name, state)
	if err != nil {
		return err
	}
	if err := r.clearDependents(ctx, found, state, deleteDependents); err != nil {
		return err
	}
	if emptied := r.kind.EmptyPayload(state); emptied != nil {
		if err := r.provider.Client.Upsert(ctx, r.clientType(state), emptied); err != nil {
			return err
		}
	}
	defer r.provider.places.write()()
	err = r.provider.Client.Delete(ctx, r.kind.Name, name)
	r.leavePlace(state, err)
	return err
}

// policy is the resource's deletion policy, else the provider's.
func (r *instances) policy(values kind.Values) string {
	if policy := value.Text(values[kind.RowDeletionPolicy]); policy != "" || r.provider == nil {
		return policy
	}
	return r.provider.DeletionPolicy
}

// checkPolicy refuses the provider's policy "disable" for a kind that cannot be switched
// off. The schema checks the resource's policy.
func (r *instances) checkPolicy(values kind.Values) diag.Diagnostics {
	if r.kind.Off != nil || !values[kind.RowDeletionPolicy].IsKnown() || r.policy(values) != kind.PolicyDisable {
		return nil
	}
	return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root(kind.RowDeletionPolicy),
		fmt.Sprintf("A %s cannot be disabled", r.kind.Name),
		fmt.Sprintf("The provider's deletion_policy is %q. Give this %s a deletion_policy of its own: %s.", kind.PolicyDisable, r.kind.Name, strings.Join(r.kind.Policies(), ", ")))}
}

// disable switches the instance off. It is looked for before, because an upsert would
// create what is gone, and read back after, because eNMS ignores fields that it does
// not know (enms-rest.md 1.1).
func (r *instances) disable(ctx context.Context, name string, state kind.Values) (err error) {
	if _, err := r.findByNameAndID(ctx, name, state); err != nil {
		return err
	}
	if err := r.provider.Client.Upsert(ctx, r.clientType(state), r.kind.DisablePayload(state)); err != nil {
		return err
	}
	columns := slices.Sorted(maps.Keys(r.kind.Off))
	enms.UntilConsistent(ctx, func() bool {
		var now value.Object
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

// failIfRenamed fails if an instance that does not have its name any more, as cause
// says, was renamed: then it still exists, and Terraform would forget it. It fails, too,
// when another has its name.
func (r *instances) failIfRenamed(ctx context.Context, state kind.Values, private privateState, cause error) error {
	answer, err := r.findRenamed(ctx, state, private)
	switch {
	case errors.Is(err, enms.ErrNotFound) && errors.Is(cause, enms.ErrNotFound):
		return nil
	case errors.Is(err, enms.ErrNotFound):
		return cause
	case err != nil:
		return err
	}
	return fmt.Errorf("somebody renamed it to %q after the plan was made. Plan again", answer["name"])
}
