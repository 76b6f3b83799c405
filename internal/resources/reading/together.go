// This file reads many instances: those that a search has found, and all instances of a kind for an export.

package reading

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/lists"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// importListed returns the state that an import of an instance creates, or nil if the instance is
// gone. known is the part of the state that a row of a search contains.
func (r *Reader) importListed(ctx context.Context, known kind.Values) (kind.Values, error) {
	answer, err := r.getShared(ctx, value.Text(known[kind.RowName]))
	if errors.Is(err, enms.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return states.Imported(r.Kind, answer, known)
}

// ImportTogether returns the states of the instances in the rows of a search, in their order: if whole, the states
// that imports create, otherwise states with the values in the rows. If whole, the state of an instance that is
// gone is nil.
func (r *Reader) ImportTogether(ctx context.Context, whole bool, rows []value.Object) ([]kind.Values, error) {
	return resources.Each(ctx, rows, func(ctx context.Context, row value.Object) (kind.Values, error) {
		known := lists.Listed(r.Kind, row)
		if !whole {
			return known, nil
		}
		return r.Of(known).importListed(ctx, known)
	})
}

// everythingTogether is how many instances ReadRows reads at the same time: enough for the instances of
// a page to share their requests.
const everythingTogether = 500

// Imported is an instance with the state that an import creates.
type Imported struct {
	Name  string
	State kind.Values      // without values that no configuration may contain; nil with Err
	Left  diag.Diagnostics // a warning for each value that was left out
	Err   error            // why this instance cannot be read, although others can
}

// Rows returns the rows of the instances that `terraform query` lists without conditions, in the order of their
// ids.
func (r *Reader) Rows(ctx context.Context) (rows []value.Object, err error) {
	listing, diags := lists.New(r.Kind, kind.Values{})
	if diags.HasError() {
		return nil, errors.New(diags[0].Summary())
	}
	for page, err := range r.Provider.Client.Pages(ctx, r.Kind.Name, nil, map[string]any{}) {
		if err != nil {
			return nil, err
		}
		rows = append(rows, slices.DeleteFunc(page, func(row value.Object) bool { return !listing.Offers(row) })...)
	}
	return rows, nil
}

// ReadRows reads the instances of rows, with the states that imports create. It calls progress with
// the number of instances read so far. Instances that are deleted meanwhile are left out. An error that may be
// about one instance alone becomes its Err, unless each of several instances has one.
func (r *Reader) ReadRows(ctx context.Context, rows []value.Object, progress func(read int)) (all []Imported, _ error) {
	if len(rows) > everythingTogether { // so that getShared need not find out how many instances it is asked for
		r.Provider.Client.QueryWhole(ctx, r.Kind.Name)
	}
	failed, failure := 0, error(nil) // how many instances cannot be read, and the last error
	for part := range slices.Chunk(rows, everythingTogether) {
		read, err := resources.Each(ctx, part, func(ctx context.Context, row value.Object) (Imported, error) {
			listed := lists.Listed(r.Kind, row)
			state, err := r.Of(listed).importListed(ctx, listed)
			if err != nil && !isOfOne(err) {
				return Imported{}, err
			}
			return Imported{Name: value.Text(listed[kind.RowName]), State: state, Err: err}, nil
		})
		if err != nil {
			return nil, err
		}
		for _, i := range read {
			switch {
			case i.Err != nil:
				failed, failure = failed+1, i.Err
			case i.State == nil:
				continue
			default:
				i.State, i.Left = plans.WithoutInvalid(r.Kind, i.State)
			}
			all = append(all, i)
		}
		progress(len(all))
	}
	if failed > 1 && failed == len(rows) {
		return nil, failure
	}
	return all, nil
}

// isOfOne reports whether an error may be about one instance alone, such as a damaged one, or one whose
// name cannot be in the path of a request.
func isOfOne(err error) bool {
	status := 0
	if e, is := errors.AsType[*enms.StatusError](err); is {
		status = e.Status
	}
	if e, is := errors.AsType[*enms.NotJSONError](err); is {
		status = e.Status
	}
	if status == http.StatusNotFound || status == http.StatusInternalServerError || errors.Is(err, enms.ErrForbidden) {
		return true
	}
	return errors.As(err, new(*enms.AnswerError)) || errors.As(err, new(*enms.FieldError))
}
