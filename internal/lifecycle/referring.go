// This file gives an instance that takes the place of a deleted one what referred to that.
// eNMS empties such relations without a word (enms-rest.md 3), and a plan that replaces an
// instance does not show it: a task would go on without its target.

package lifecycle

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// restoreReferring has those refer to a new instance that referred to one of the same kind
// and name which was deleted in this run. sent is what was sent to create it. What is gone
// by now is left out.
func (r *Instances) restoreReferring(ctx context.Context, planned kind.Values, sent ...value.Object) (diags diag.Diagnostics) {
	name := value.Text(planned[kind.RowName])
	known := r.known(name, "")
	if known == nil || known.fate != fateDeleted || known.kind != r.kind.Name || known.referring.Empty() {
		return nil
	}
	referring := r.withoutTouched(known.referring)
	payload := referring.Payload(name, sent...)
	if len(payload) == 0 {
		return nil
	}
	err := r.provider.Client.Upsert(ctx, r.clientType(planned), payload)
	if is[*enms.RefusedError](err) {
		err = nil
		if payload = r.withoutMissing(ctx, referring).Payload(name, sent...); len(payload) > 0 {
			err = r.provider.Client.Upsert(ctx, r.clientType(planned), payload)
		}
	}
	if err != nil {
		fields := slices.Sorted(maps.Keys(payload))
		diags.AddWarning(fmt.Sprintf("References to %s %q were lost", r.kind.Name, name),
			fmt.Sprintf("It was deleted and created again, and its references (%s) could not be restored: %s Plan again to see what to repair in this configuration.",
				strings.Join(slices.DeleteFunc(fields, func(f string) bool { return f == kind.RowName }), ", "), kind.Sentence(err.Error())))
	}
	return diags
}

// withoutTouched leaves out what resources of this run have created or updated, or are about
// to: they refer to what their plans say.
func (r *Instances) withoutTouched(referring kind.Referring) kind.Referring {
	return referring.Without(func(related kind.Related) []string {
		namespace := kind.Named(r.provider.Kinds, related.Type).Namespace
		return slices.DeleteFunc(slices.Clone(related.Names), func(name string) bool { return !r.provider.objects.isTouched(namespace, name) })
	})
}

// withoutMissing leaves out what eNMS does not have any more.
func (r *Instances) withoutMissing(ctx context.Context, referring kind.Referring) kind.Referring {
	return referring.Without(func(related kind.Related) []string {
		missing, err := r.provider.Client.Missing(ctx, related.Type, related.Names)
		if err != nil {
			return nil
		}
		return missing
	})
}
