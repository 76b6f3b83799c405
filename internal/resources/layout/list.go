// This file implements the list resource for `terraform query`.

package layout

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	listschema "github.com/hashicorp/terraform-plugin-framework/list/schema"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
)

// NewList returns the list resource, for the provider's list.
func (b Builder) NewList() list.ListResource { return &layoutList{*newLayout(b)} }

type layoutList struct{ layoutResource }

func (r *layoutList) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = listschema.Schema{MarkdownDescription: fmt.Sprintf("Lists the %s that this user may read and in which something has a position or a label.", r.several())}
}

// List delivers a result for each workflow or network with a layout.
func (r *layoutList) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	var diags diag.Diagnostics
	if r.Provider.Configured(&diags); diags.HasError() {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}
	stream.Results = func(push func(list.ListResult) bool) {
		if err := r.results(ctx, req, push); err != nil {
			failed := failures.Diagnostic("Cannot read "+r.several(), err)
			push(list.ListResult{Diagnostics: diag.Diagnostics{failed}})
		}
	}
}

// several returns the plural in words.
func (r *layoutList) several() string { return "layouts of " + r.typ + "s" }

// results pushes results until the limit is reached or push returns false.
func (r *layoutList) results(ctx context.Context, req list.ListRequest, push func(list.ListResult) bool) error {
	delivered := int64(0)
	for page, err := range r.Provider.Client.Pages(ctx, r.searchType, nil, map[string]any{}) {
		if err != nil {
			return err
		}
		for _, row := range page {
			if row[typeField] != r.typ {
				continue
			}
			found, err := r.read(ctx, r.Provider, fmt.Sprint(row["name"]), known{}, nil)
			if err != nil {
				return err
			}
			listed := r.contentIn(found, content{})
			if listed.isEmpty() {
				continue
			}
			if !push(r.result(ctx, req, listed)) {
				return nil
			}
			if delivered++; delivered == req.Limit {
				return nil
			}
		}
	}
	return nil
}

// result returns the result for a layout.
func (r *layoutList) result(ctx context.Context, req list.ListRequest, c content) list.ListResult {
	result := req.NewListResult(ctx)
	result.DisplayName = c.name
	result.Diagnostics.Append(r.identify(ctx, c, result.Identity)...)
	if req.IncludeResource {
		result.Diagnostics.Append(r.put(ctx, c, result.Resource)...)
	}
	return result
}
