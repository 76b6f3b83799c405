// This file implements the list resource of every kind for `terraform query`, which returns instances page by
// page.

package listing

import (
	"context"
	"iter"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/identify"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/lists"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/reading"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// readTogether is how many instances a query reads at the same time: as many as Terraform itself
// does.
const readTogether = 10

// NewQuery returns the list resource of a kind, for the provider's list.
func NewQuery(k *kind.Kind) func() list.ListResource {
	return func() list.ListResource { return &listResource{lister{*reading.New(k, nil)}} }
}

type listResource struct{ lister }

var _ list.ListResourceWithConfigure = (*listResource)(nil)

func (r *listResource) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = r.Kind.TypeName()
}

func (r *listResource) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = lists.ResourceSchema(r.Kind)
}

func (r *listResource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	r.Provider = resources.ProviderOf(req.ProviderData, &resp.Diagnostics)
}

// List passes Terraform a stream of results, which searches when Terraform reads it.
func (r *listResource) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	ofType, l, diags := r.listing(kind.ValuesOf(req.Config.Raw))
	if diags.HasError() {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}
	stream.Results = func(push func(list.ListResult) bool) {
		if diags := ofType.query(ctx, l, req, push); diags.HasError() {
			push(list.ListResult{Diagnostics: diags})
		}
	}
}

// query pushes the instances of a list until the limit is reached or push returns false.
func (r *lister) query(ctx context.Context, l *lists.Listing, req list.ListRequest, push func(list.ListResult) bool) diag.Diagnostics {
	delivered := int64(0)
	for rows, diags := range r.found(ctx, l, r.rowsByPage(ctx, l), l.Offers) {
		if diags.HasError() {
			return diags
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

// results yields the results for rows in their order, at most wanted; 0 is no limit. They include the imported
// instances if the request asks for them. Instances that are gone are left out.
func (r *lister) results(ctx context.Context, req list.ListRequest, rows []value.Object, wanted int64) iter.Seq2[list.ListResult, error] {
	return func(yield func(list.ListResult, error) bool) {
		typ := req.ResourceSchema.Type().TerraformType(ctx)
		for len(rows) > 0 {
			part := rows[:min(len(rows), readTogether)]
			if wanted > 0 {
				part = part[:min(int64(len(part)), wanted)]
			}
			rows = rows[len(part):]
			states, err := r.ImportTogether(ctx, req.IncludeResource, part)
			if err != nil {
				yield(list.ListResult{}, err)
				return
			}
			for _, state := range states {
				if state == nil {
					continue
				}
				wanted--
				k, result := r.Kind.For(state), req.NewListResult(ctx)
				result.DisplayName = identify.ImportID(k, value.Text(state[kind.RowName]))
				result.Identity.Raw = identify.Of(k, state)
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
