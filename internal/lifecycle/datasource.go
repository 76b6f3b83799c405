// This file is the data source behind every kind: one instance by its name.

package lifecycle

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// NewDataSource returns the data source of a kind, for the provider's list.
func NewDataSource(k *kind.Kind) func() datasource.DataSource {
	return func() datasource.DataSource { return &instanceDataSource{Instances{kind: k}} }
}

type instanceDataSource struct{ Instances }

var _ datasource.DataSourceWithConfigure = (*instanceDataSource)(nil)

func (d *instanceDataSource) Metadata(_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = d.kind.TypeName()
}

func (d *instanceDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = d.kind.DataSourceSchema()
}

func (d *instanceDataSource) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	d.provider = ProviderOf(req.ProviderData, &resp.Diagnostics)
}

func (d *instanceDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	config := kind.ValuesOf(req.Config.Raw)
	name := value.Text(config[kind.RowName])
	if resp.Diagnostics.Append(d.provider.readable(fmt.Sprintf("Cannot read %s %q", d.kind.Name, name))...); resp.Diagnostics.HasError() {
		return
	}
	i := d.of(config)
	values, diags := i.readByName(ctx, verbRead, config, fmt.Sprintf("There is no %s %q", i.kind.Name, name), "Write", i.kind.Data)
	if resp.Diagnostics.Append(diags...); !diags.HasError() {
		resp.State.Raw = tftypes.NewValue(req.Config.Raw.Type(), values)
	}
}
