// This file reads instances that a search has found, and all instances of a kind, for an export.

package reading

import (
	"context"
	"errors"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"golang.org/x/sync/errgroup"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/lists"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// importListed returns the state that an import of an instance creates, or nil if the instance is
// gone. known is the part of the state that a row of a search contains.
func (r *Reader) importListed(ctx context.Context, known kind.Values) (kind.Values, error) {
	answer, err := r.GetShared(ctx, value.Text(known[kind.RowName]))
	if errors.Is(err, enms.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return states.Imported(r.Kind, answer, known)
}

// ImportTogether returns the states of instances that a search has found. If whole, they are the
// states that imports create; otherwise they contain what the rows contain. The state of an
// instance that is gone is nil.
func (r *Reader) ImportTogether(ctx context.Context, whole bool, rows []value.Object) ([]kind.Values, error) {
	all := make([]kind.Values, len(rows))
	reads, readCtx := errgroup.WithContext(ctx)
	for n, row := range rows {
		if all[n] = lists.Listed(r.Kind, row); !whole {
			continue
		}
		reads.Go(func() (err error) {
			all[n], err = r.Of(all[n]).importListed(readCtx, all[n])
			return err
		})
	}
	return all, reads.Wait()
}

// everythingTogether is how many instances ReadAll reads at the same time: enough for the
// instances of a page to share their requests.
const everythingTogether = 500

// Imported is an instance with the state that an import creates.
type Imported struct {
	State kind.Values      // without values that no configuration may contain
	Left  diag.Diagnostics // a warning for each value that was left out
}

// ReadAll reads the instances that `terraform query` would list, in the order of their ids, with
// the states that imports create. It calls progress with the number of instances read so far.
// Instances that are deleted meanwhile are left out.
func (r *Reader) ReadAll(ctx context.Context, progress func(read int)) (all []Imported, err error) {
	listing, diags := lists.New(r.Kind, kind.Values{})
	if diags.HasError() {
		return nil, errors.New(diags[0].Summary())
	}
	var rows []value.Object
	for page, err := range r.Provider.Client.Pages(ctx, r.Kind.Name, nil, map[string]any{}) {
		if err != nil {
			return nil, err
		}
		rows = append(rows, slices.DeleteFunc(page, func(row value.Object) bool { return !listing.Offers(row) })...)
	}
	read := 0
	for part := range slices.Chunk(rows, everythingTogether) {
		found, err := r.ImportTogether(ctx, true, part)
		if err != nil {
			return nil, err
		}
		for _, state := range found {
			if state != nil {
				valid, left := plans.WithoutInvalid(r.Kind, state)
				all = append(all, Imported{State: valid, Left: left})
			}
		}
		read += len(part)
		progress(read)
	}
	return all, nil
}
