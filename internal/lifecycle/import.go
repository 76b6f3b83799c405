// This file imports the entries of enms_instances, instances that searches have found, and all
// instances of a kind at once, for an export. An import into a resource of one instance is in
// read.go.

package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"golang.org/x/sync/errgroup"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Import reads an instance of which only the name is known: all of it, or only the given
// properties.
func (r *Instances) Import(ctx context.Context, config kind.Values, properties []string) (
	entry kind.Values, state kind.Values, diags diag.Diagnostics) {
	name := value.Text(config[kind.RowName])
	answer, err := r.importable(ctx, name, config, properties)
	if err == nil && answer["type"] != r.kind.Path(config) && r.kind.HasSubtypes() {
		diags.AddAttributeError(path.Root(kind.RowName), fmt.Sprintf("Cannot import %s %q", r.kind.Name, name),
			fmt.Sprintf("It is a %v: import it by that type, into a resource of its own.", answer["type"]))
		return nil, nil, diags
	}
	if err == nil {
		entry, state, err = r.kind.ImportedEntry(answer, config, properties)
	}
	switch {
	case errors.Is(err, enms.ErrNotFound):
		diags.AddAttributeError(path.Root(kind.RowName), fmt.Sprintf("Cannot import %s %q", r.kind.Name, name),
			fmt.Sprintf("eNMS has no %s with exactly that name that this user may read.", r.kind.Name))
	case err != nil:
		diags = r.errorDiagnostic(verbImport, name, config, err)
	}
	return entry, state, diags
}

func (r *Instances) importable(ctx context.Context, name string, config kind.Values, properties []string) (value.Object, error) {
	if properties == nil || r.kind.NeedsWhole(properties) {
		return r.getShared(ctx, name)
	}
	return r.findNamed(ctx, name, append(r.kind.Columns(config, false), properties...))
}

// importListed returns the state that an import of an instance creates, or nil if the instance is
// gone. known is the part of the state that a row of a search contains.
func (r *Instances) importListed(ctx context.Context, known kind.Values) (kind.Values, error) {
	answer, err := r.getShared(ctx, value.Text(known[kind.RowName]))
	if errors.Is(err, enms.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return r.kind.ImportedState(answer, known)
}

// importTogether returns the states of instances that a search has found. If whole, they are the
// states that imports create; otherwise they contain what the rows contain. The state of an
// instance that is gone is nil.
func (r *Instances) importTogether(ctx context.Context, whole bool, rows []value.Object) ([]kind.Values, error) {
	states := make([]kind.Values, len(rows))
	reads, readCtx := errgroup.WithContext(ctx)
	for n, row := range rows {
		if states[n] = r.kind.Listed(row); !whole {
			continue
		}
		reads.Go(func() (err error) {
			states[n], err = r.of(states[n]).importListed(readCtx, states[n])
			return err
		})
	}
	return states, reads.Wait()
}

// everythingTogether is how many instances ReadRows reads at the same time: enough for the
// instances of a page to share their requests.
const everythingTogether = 500

// Imported is an instance with the state that an import creates.
type Imported struct {
	Name  string
	State kind.Values      // without values that no configuration may contain
	Left  diag.Diagnostics // a warning for each value that was left out
	Err   error            // why this instance alone cannot be read; then it has no state
}

// NewInstances returns the instances of a kind that are resources of their own.
func NewInstances(k *kind.Kind, p *Provider) *Instances { return &Instances{kind: k, provider: p} }

// Rows returns the rows of the instances that `terraform query` would list, in the order of their
// ids.
func (r *Instances) Rows(ctx context.Context) (rows []value.Object, err error) {
	listing, diags := r.kind.Listing(kind.Values{})
	if diags.HasError() {
		return nil, errors.New(diags[0].Summary())
	}
	for page, err := range r.provider.Client.Pages(ctx, r.kind.Name, nil, map[string]any{}) {
		if err != nil {
			return nil, err
		}
		rows = append(rows, slices.DeleteFunc(page, func(row value.Object) bool { return !listing.Offers(row) })...)
	}
	return rows, nil
}

// ReadRows reads the instances of rows, with the states that imports create. It calls progress with
// the number of instances read so far. Instances that are deleted meanwhile are left out.
func (r *Instances) ReadRows(ctx context.Context, rows []value.Object, progress func(read int)) (all []Imported, err error) {
	if len(rows) > everythingTogether {
		r.provider.Client.Whole(ctx, r.kind.Name)
	}
	failed := 0
	for part := range slices.Chunk(rows, everythingTogether) {
		read := make([]Imported, len(part))
		reads, readCtx := errgroup.WithContext(ctx)
		for n, row := range part {
			reads.Go(func() error {
				listed := r.kind.Listed(row)
				state, err := r.of(listed).importListed(readCtx, listed)
				if err != nil && !isOfOne(err) {
					return err
				}
				read[n] = Imported{Name: value.Text(listed[kind.RowName]), State: state, Err: err}
				return nil
			})
		}
		if err := reads.Wait(); err != nil {
			return nil, err
		}
		for _, i := range read {
			switch {
			case i.Err != nil:
				failed++
				err = i.Err
			case i.State == nil:
				continue
			default:
				i.State, i.Left = r.kind.WithoutInvalid(i.State)
			}
			all = append(all, i)
		}
		progress(len(all))
	}
	if failed > 1 && failed == len(rows) {
		return nil, err
	}
	return all, nil
}

// isOfOne reports whether an error may be about one instance alone, such as a damaged one, or one
// whose name eNMS cannot route.
func isOfOne(err error) bool {
	answered := 0
	if e, is := errors.AsType[*enms.StatusError](err); is {
		answered = e.Status
	}
	if e, is := errors.AsType[*enms.NotJSONError](err); is {
		answered = e.Status
	}
	return answered == http.StatusNotFound || answered == http.StatusInternalServerError || errors.Is(err, enms.ErrForbidden) ||
		errors.As(err, new(*enms.AnswerError)) || errors.As(err, new(*enms.FieldError))
}
