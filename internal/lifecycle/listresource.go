// This file is the list resource behind every kind, which `terraform query` asks: it
// delivers instances page by page, as they come.

package lifecycle

import (
	"context"
	"iter"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"golang.org/x/sync/errgroup"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// readTogether is how many instances a query reads at a time, as many as Terraform itself
// does.
const readTogether = 10

// NewListResource returns the list resource of a kind, for the provider's list.
func NewListResource(k *kind.Kind) func() list.ListResource {
	return func() list.ListResource { return &listResource{Instances{kind: k}} }
}

type listResource struct{ Instances }

var _ list.ListResourceWithConfigure = (*listResource)(nil)

func (r *listResource) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = r.kind.TypeName()
}

func (r *listResource) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = r.kind.ListResourceSchema()
}

func (r *listResource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	r.provider = ProviderOf(req.ProviderData, &resp.Diagnostics)
}

// List delivers the results when they are asked for.
func (r *listResource) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	config := kind.ValuesOf(req.Config.Raw)
	i := r.of(config)
	diags := r.provider.readable("Cannot read " + i.kind.Several())
	if diags.HasError() {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}
	l, diags := i.kind.Listing(config)
	if diags.HasError() {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}
	stream.Results = func(push func(list.ListResult) bool) {
		if diags := i.query(ctx, l, req, push); diags.HasError() {
			push(list.ListResult{Diagnostics: diags})
		}
	}
}

// query delivers the instances of a list until there are as many as are wanted, or until
// push does not want any more. What went wrong is left to be told.
func (r *Instances) query(ctx context.Context, l *kind.Listing, req list.ListRequest, push func(list.ListResult) bool) diag.Diagnostics {
	if diags, err := r.unsearchable(ctx, l); err != nil || diags.HasError() {
		return append(diags, r.listError(ctx, l, err)...)
	}
	delivered, checked, first := int64(0), false, true
	for rows, err := range r.rowsByPage(ctx, l) {
		if err != nil {
			return r.listError(ctx, l, err)
		}
		if first {
			if diags, err := r.unknownProperties(ctx, l, rows); err != nil || diags.HasError() {
				return append(diags, r.listError(ctx, l, err)...)
			}
		}
		first = false
		rows = slices.DeleteFunc(rows, func(row value.Object) bool { return !l.Offers(row) })
		if !checked && len(rows) > 0 {
			if err := r.checkNames(ctx, l, rows); err != nil {
				return r.listError(ctx, l, err)
			}
			checked = true
		}
		for result, err := range r.results(ctx, req, rows, req.Limit-delivered) {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return r.listError(ctx, l, err)
			}
			if delivered++; !push(result) || delivered == req.Limit {
				return nil
			}
		}
	}
	return nil
}

// rowsByPage returns the rows that eNMS answers to the criteria, page by page. Relations with
// several names take several searches, of which all rows must be known.
func (r *Instances) rowsByPage(ctx context.Context, l *kind.Listing) pages {
	related, several, none := relationCriteria(l)
	if none || len(several) > 0 {
		return func(yield func([]value.Object, error) bool) { yield(r.listRows(ctx, l)) }
	}
	return searched(l, related, func(criteria map[string]any) pages {
		return r.provider.Client.Pages(ctx, l.Type, l.IdentityColumns(), criteria)
	})
}

// results returns the results of rows in their order, as many as are wanted: with what an
// import brings of each instance when that is asked for. Those that are gone by then are left
// out.
func (r *Instances) results(ctx context.Context, req list.ListRequest, rows []value.Object, wanted int64) iter.Seq2[list.ListResult, error] {
	return func(yield func(list.ListResult, error) bool) {
		typ := req.ResourceSchema.Type().TerraformType(ctx)
		for len(rows) > 0 {
			part := rows[:min(len(rows), readTogether)]
			if wanted > 0 {
				part = part[:min(int64(len(part)), wanted)]
			}
			rows = rows[len(part):]
			states, err := r.importTogether(ctx, req.IncludeResource, part)
			if err != nil {
				yield(list.ListResult{}, err)
				return
			}
			for _, state := range states {
				if state == nil {
					continue
				}
				wanted--
				i, result := r.of(state), req.NewListResult(ctx)
				result.DisplayName, result.Identity.Raw = i.kind.ImportID(value.Text(state[kind.RowName])), i.kind.IdentityOf(state)
				if req.IncludeResource {
					result.Resource.Raw = tftypes.NewValue(typ, state)
				}
				if !yield(result, nil) {
					return
				}
			}
		}
	}
}

// importTogether returns the states of instances of which only a row of a search is known: as
// an import brings them, or as they are known. It is nil for those that are gone.
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
