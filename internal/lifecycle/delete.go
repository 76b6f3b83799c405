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

// delete does what the deletion policy says. An instance that is gone already
// is deleted, as is one whose creation is pending and did not happen: what has its
// name then is somebody else's.
func (r *instances) delete(ctx context.Context, state kind.Values, private privateState) diag.Diagnostics {
	name := value.Text(state[kind.RowName])
	if private.PendingCreate != nil {
		now, diags := r.read(ctx, state, private)
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
		err = r.disable(ctx, name, state)
	default:
		var diags diag.Diagnostics
		if diags, err = r.findAndDelete(ctx, name, state, policy == kind.PolicyCascade); diags.HasError() {
			return diags
		}
	}
	if errors.Is(err, enms.ErrNotFound) || is[*replacedError](err) {
		return r.afterNotFound(ctx, name, state, private, err)
	}
	if err != nil {
		return r.errorDiagnostic(verbDelete, name, state, err)
	}
	return nil
}

// replacedError tells that what has the name of an instance is another one, with
// another id.
type replacedError struct{ ID string }

// Error tells it in one line.
func (e *replacedError) Error() string {
	return fmt.Sprintf("after the plan was made, somebody deleted it and created another one (id %s) under its name", e.ID)
}

// find looks for the instance before it is deleted or switched off: by its exact
// name, because eNMS would act on one whose name its database takes for the same
// (enms-rest.md 10), and by its id.
func (r *instances) find(ctx context.Context, name string, state kind.Values) (found dependent, err error) {
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

// findAndDelete deletes the instance. What eNMS would delete along with it is
// deleted first, with cascade, or else is an error.
func (r *instances) findAndDelete(ctx context.Context, name string, state kind.Values, cascade bool) (diag.Diagnostics, error) {
	found, err := r.find(ctx, name, state)
	if err != nil {
		return nil, err
	}
	diags, err := r.clearDependents(ctx, found, state, cascade)
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

// disable leaves the instance switched off. It is looked for first, because
// an upsert would create what is gone, and looked at afterwards, because eNMS
// ignores fields that it does not know (enms-rest.md 1.1).
func (r *instances) disable(ctx context.Context, name string, state kind.Values) error {
	if _, err := r.find(ctx, name, state); err != nil {
		return err
	}
	if err := r.provider.Client.Upsert(ctx, r.clientType(state), r.kind.DisablePayload(state)); err != nil {
		return err
	}
	return r.checkDisabled(ctx, name)
}

// checkDisabled makes sure that eNMS holds what switches an instance off.
func (r *instances) checkDisabled(ctx context.Context, name string) (err error) {
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

// afterNotFound makes sure that an instance that does not have its name any more,
// as cause says, was not merely renamed: then it is still there, and Terraform
// would forget it. When it is gone it is deleted, unless another has its name.
func (r *instances) afterNotFound(ctx context.Context, name string, state kind.Values, private privateState, cause error) diag.Diagnostics {
	answer, err := r.findRenamed(ctx, state, private)
	switch {
	case errors.Is(err, enms.ErrNotFound) && errors.Is(cause, enms.ErrNotFound):
		return nil
	case errors.Is(err, enms.ErrNotFound):
		return r.errorDiagnostic(verbDelete, name, state, cause)
	case err != nil:
		return r.errorDiagnostic(verbDelete, name, state, err)
	}
	return diag.Diagnostics{diag.NewErrorDiagnostic(fmt.Sprintf("Cannot delete %s %q", r.kind.Name, name),
		fmt.Sprintf("Somebody renamed it to %q after the plan was made. Plan again.", answer["name"]))}
}
