// This file proves that an instance is gone.

package reading

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// failUnlessGone returns an error if an instance that was not found may not be gone, because eNMS may hide it
// from this user, or because that cannot be found out. eNMS does not hide the outcome of a pending creation,
// because users see what they have created.
func (r *Reader) failUnlessGone(ctx context.Context, state kind.Values, private record.Record) diag.Diagnostics {
	if private.PendingCreate != nil {
		return nil
	}
	if err := r.ProveGone(ctx, state); err != nil {
		return r.Failed(failures.Read, value.Text(state[kind.RowName]), state, err)
	}
	return nil
}

// ProveGone is enms.Client.ProveGone for the instance of a state. It returns nil if this run has deleted
// the instance, by itself or together with another one.
func (r *Reader) ProveGone(ctx context.Context, state kind.Values) error {
	name, id := value.Text(state[kind.RowName]), value.Text(state[kind.RowID])
	if object := r.Provider.Run.Owners.Find(r.Kind.Namespace, name, id); object != nil && object.Status == applying.Deleted {
		return nil
	}
	return r.Provider.Client.ProveGone(ctx, r.Kind.Name, r.Kind.Namespace, name, id)
}

// HasAnotherID reports whether an answer has another id than the state, which has one: somebody may have exchanged
// the names of two instances.
func HasAnotherID(answer value.Object, state kind.Values) bool {
	id := value.Text(state[kind.RowID])
	return id != "" && fmt.Sprint(answer[kind.RowID]) != id
}

// WarnOfOther warns that an instance may not be gone: the one that has its id may be the same, renamed and changed
// by an interrupted apply. It warns only if this user wrote that one last. gone is the error of the read.
func (r *Reader) WarnOfOther(name string, gone error) (diags diag.Diagnostics) {
	if other, is := errors.AsType[*failures.OtherContent](gone); is && other.Ours {
		diags.AddWarning(fmt.Sprintf("The %s %q no longer exists", r.Kind.Name, name),
			fmt.Sprintf("eNMS has %q with its id %s and other values, written by this user. If an interrupted apply renamed it, rename it back in eNMS, or set adopt_existing = true to take it over; if it is no longer configured, delete it in eNMS. If the server was restored from a backup, or the id was reused, ignore this.", other.Name, other.ID))
	}
	return diags
}
