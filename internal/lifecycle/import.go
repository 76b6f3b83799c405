// This file imports the entries of enms_instances, instances that searches have found, and all
// instances of a kind at once, for an export. An import into a resource of one instance is in
// read.go.

package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"golang.org/x/sync/errgroup"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/lists"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/many"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
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
		entry, state, err = many.Imported(r.kind, answer, config, properties)
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
	if properties == nil || many.NeedsWhole(r.kind, properties) {
		return r.getShared(ctx, name)
	}
	return r.findNamed(ctx, name, append(states.Columns(r.kind, config, false), properties...))
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
	return states.Imported(r.kind, answer, known)
}

// importTogether returns the states of instances that a search has found. If whole, they are the
// states that imports create; otherwise they contain what the rows contain. The state of an
// instance that is gone is nil.
func (r *Instances) importTogether(ctx context.Context, whole bool, rows []value.Object) ([]kind.Values, error) {
	all := make([]kind.Values, len(rows))
	reads, readCtx := errgroup.WithContext(ctx)
	for n, row := range rows {
		if all[n] = lists.Listed(r.kind, row); !whole {
			continue
		}
		reads.Go(func() (err error) {
			all[n], err = r.of(all[n]).importListed(readCtx, all[n])
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

// NewInstances returns the instances of a kind that are resources of their own.
func NewInstances(k *kind.Kind, p *Provider) *Instances { return &Instances{kind: k, provider: p} }

// ReadAll reads the instances that `terraform query` would list, in the order of their ids, with
// the states that imports create. It calls progress with the number of instances read so far.
// Instances that are deleted meanwhile are left out.
func (r *Instances) ReadAll(ctx context.Context, progress func(read int)) (all []Imported, err error) {
	listing, diags := lists.New(r.kind, kind.Values{})
	if diags.HasError() {
		return nil, errors.New(diags[0].Summary())
	}
	var rows []value.Object
	for page, err := range r.provider.Client.Pages(ctx, r.kind.Name, nil, map[string]any{}) {
		if err != nil {
			return nil, err
		}
		rows = append(rows, slices.DeleteFunc(page, func(row value.Object) bool { return !listing.Offers(row) })...)
	}
	read := 0
	for part := range slices.Chunk(rows, everythingTogether) {
		found, err := r.importTogether(ctx, true, part)
		if err != nil {
			return nil, err
		}
		for _, state := range found {
			if state != nil {
				valid, left := plans.WithoutInvalid(r.kind, state)
				all = append(all, Imported{State: valid, Left: left})
			}
		}
		read += len(part)
		progress(read)
	}
	return all, nil
}
