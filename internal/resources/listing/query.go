// This file implements the list resource of every kind for `terraform query`, which returns instances page by page.

package listing

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/identify"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/lists"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// readTogether is how many instances a query reads ahead, at the same time: as many as Terraform itself does.
const readTogether = 10

// NewQuery returns the list resource of a kind, for the provider's list.
func NewQuery(k *kind.Kind) func() list.ListResource {
	return func() list.ListResource {
		return &listResource{resources.Resource{Name: k.Resource()}, k}
	}
}

type listResource struct {
	resources.Resource
	kind *kind.Kind
}

func (d *listResource) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = lists.ResourceSchema(d.kind)
}

// List passes Terraform a stream of results, which searches when Terraform reads it.
func (d *listResource) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	r, diags := newLister(d.kind, d.Provider, kind.ValuesOf(req.Config.Raw))
	if diags.HasError() {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}
	stream.Results = func(push func(list.ListResult) bool) {
		if diags := r.query(ctx, req, push); diags.HasError() {
			push(list.ListResult{Diagnostics: diags})
		}
	}
}

// query pushes the instances of a list until the limit is reached or push returns false.
func (r *lister) query(ctx context.Context, req list.ListRequest, push func(list.ListResult) bool) diag.Diagnostics {
	left := req.Limit // how many more results Terraform takes; not above 0 if there is no limit
	for rows, diags := range r.found(ctx, r.rowsByPage(ctx), r.list.Offers) {
		if diags.HasError() {
			return diags
		}
		for len(rows) > 0 {
			part := rows[:min(len(rows), readTogether)]
			if left > 0 {
				part = part[:min(int64(len(part)), left)]
			}
			rows = rows[len(part):]
			results, err := r.results(ctx, req, part)
			if err != nil {
				return r.listError(ctx, err)
			}
			for _, result := range results {
				if err := ctx.Err(); err != nil {
					return r.listError(ctx, err)
				}
				left--
				if !push(result) || left == 0 {
					return nil
				}
			}
		}
	}
	return nil
}

// results returns the results for rows in their order, without those whose instances are gone. Each has the
// values of the resource if the request asks for them.
func (r *lister) results(ctx context.Context, req list.ListRequest, rows []value.Object) ([]list.ListResult, error) {
	states, err := r.ImportTogether(ctx, req.IncludeResource, rows)
	if err != nil {
		return nil, err
	}
	typ := req.ResourceSchema.Type().TerraformType(ctx)
	var results []list.ListResult
	for _, state := range states {
		if state == nil {
			continue
		}
		k, result := r.Kind.For(state), req.NewListResult(ctx)
		result.DisplayName = identify.ImportID(k, value.Text(state[kind.RowName]))
		result.Identity.Raw = identify.Of(k, state)
		if req.IncludeResource {
			result.Resource.Raw = tftypes.NewValue(typ, state)
		}
		results = append(results, result)
	}
	return results, nil
}
