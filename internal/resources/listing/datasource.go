// This file implements the list data source of every kind, which returns all instances at once.

package listing

import (
	"context"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"golang.org/x/sync/errgroup"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/lists"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/reading"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// NewDataSource returns the list data source of a kind, for the provider's list.
func NewDataSource(k *kind.Kind) func() datasource.DataSource {
	return func() datasource.DataSource { return &listDataSource{lister{*reading.New(k, nil)}} }
}

type listDataSource struct{ lister }

var _ datasource.DataSourceWithConfigure = (*listDataSource)(nil)

func (d *listDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + d.Kind.Plural()
}

func (d *listDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = lists.Schema(d.Kind)
}

func (d *listDataSource) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	d.Provider = resources.ProviderOf(req.ProviderData, &resp.Diagnostics)
}

func (d *listDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	config := kind.ValuesOf(req.Config.Raw)
	ofType, l, diags := d.conditions(config)
	if resp.Diagnostics.Append(diags...); diags.HasError() {
		return
	}
	values := maps.Clone(config)
	values[lists.Instances], diags = ofType.list(ctx, l, config[lists.Instances].Type())
	if resp.Diagnostics.Append(diags...); !diags.HasError() {
		resp.State.Raw = tftypes.NewValue(req.Config.Raw.Type(), values)
	}
}

// conditions returns the lister for the type in a configuration, and the conditions of the list. It returns
// errors if the provider is not configured, or if a condition is invalid.
func (r *lister) conditions(config kind.Values) (ofType *lister, l *lists.Listing, diags diag.Diagnostics) {
	ofType = &lister{*r.Of(config)}
	if diags = r.Provider.Readable("Cannot read " + r.Kind.Several()); !diags.HasError() {
		l, diags = lists.New(ofType.Kind, config)
	}
	return ofType, l, diags
}

// list returns the instances of a list as a value of a type.
func (r *lister) list(ctx context.Context, l *lists.Listing, typ tftypes.Type) (listed tftypes.Value, diags diag.Diagnostics) {
	var rows []value.Object
	for page, diags := range r.found(ctx, l, r.allRows(ctx, l), l.Matches) { // one page
		if diags.HasError() {
			return listed, diags
		}
		rows = page
	}
	rows, err := r.nameAllRelated(ctx, l.First(rows))
	if err == nil {
		listed, err = l.Instances(rows, typ)
	}
	return listed, r.listError(ctx, l, err)
}

// nameAllRelated adds the names of related instances to rows that have only their ids.
func (r *lister) nameAllRelated(ctx context.Context, rows []value.Object) ([]value.Object, error) {
	named := slices.Clone(rows)
	lookups, lookupCtx := errgroup.WithContext(ctx)
	for i, row := range rows {
		lookups.Go(func() (err error) {
			named[i], err = r.NameRelated(lookupCtx, row)
			return err
		})
	}
	return named, lookups.Wait()
}
