// This file knows what the resource and the provider block say of adoption and deletion.

package lifecycle

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Adopts reports whether an existing instance of the name is to be taken over.
func (r *Instances) Adopts(planned kind.Values) bool {
	if r.provider == nil {
		return false
	}
	wanted := r.provider.AdoptExisting
	if v := planned[kind.RowAdoptExisting]; v.IsKnown() && !v.IsNull() {
		_ = v.As(&wanted)
	}
	return wanted
}

// policy returns the resource's deletion policy, else the provider's.
func (r *Instances) policy(values kind.Values) string {
	if policy := value.Text(values[kind.RowDeletionPolicy]); policy != "" || r.provider == nil {
		return policy
	}
	return r.provider.DeletionPolicy
}

// Deletes reports whether a deletion deletes the instance in eNMS, and does not leave it
// there.
func (r *Instances) Deletes(values kind.Values) bool {
	policy := r.policy(values)
	return policy != kind.PolicyAbandon && policy != kind.PolicyDisable
}

// CheckPolicy refuses the provider's policy "disable" for a kind that cannot be switched
// off. The schema checks the resource's policy.
func (r *Instances) CheckPolicy(values kind.Values) diag.Diagnostics {
	if r.kind.Off != nil || !values[kind.RowDeletionPolicy].IsKnown() || r.policy(values) != kind.PolicyDisable {
		return nil
	}
	return diag.Diagnostics{diag.NewAttributeErrorDiagnostic(path.Root(kind.RowDeletionPolicy),
		fmt.Sprintf("A %s cannot be disabled", r.kind.Name),
		fmt.Sprintf("The provider's deletion_policy is %q. Set another deletion_policy on this %s: %s.", kind.PolicyDisable, r.kind.Name, strings.Join(r.kind.Policies(), ", ")))}
}
