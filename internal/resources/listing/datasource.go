// This file implements the list data source of every kind, which returns all instances at once.

package listing

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/lists"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// NewDataSource returns the list data source of a kind, for the provider's list.
func NewDataSource(k *kind.Kind) func() datasource.DataSource {
	return func() datasource.DataSource {
		return &listDataSource{resources.DataSource{Name: k.Plural()}, k}
	}
}

type listDataSource struct {
	resources.DataSource
	kind *kind.Kind
}

func (d *listDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = lists.Schema(d.kind)
}

func (d *listDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	config := kind.ValuesOf(req.Config.Raw)
	r, diags := newLister(d.kind, d.Provider, config)
	if resp.Diagnostics.Append(diags...); diags.HasError() {
		return
	}
	values := maps.Clone(config)
	values[lists.Instances], diags = r.all(ctx, config[lists.Instances].Type())
	if resp.Diagnostics.Append(diags...); !diags.HasError() {
		resp.State.Raw = tftypes.NewValue(req.Config.Raw.Type(), values)
	}
}

// all returns the instances of the list as a value of a type.
func (r *lister) all(ctx context.Context, typ tftypes.Type) (listed tftypes.Value, diags diag.Diagnostics) {
	var rows []value.Object
	for page, diags := range r.found(ctx, r.allRows(ctx), r.list.Matches) { // one page
		if diags.HasError() {
			return listed, diags
		}
		rows = page
	}
	rows, err := resources.Each(ctx, r.list.First(rows), r.NameRelated)
	if err == nil {
		listed, err = r.list.Instances(rows, typ)
	}
	return listed, r.listError(ctx, err)
}
