// This file is the data source of one instance behind every kind.

package instance

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/schemas"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/reading"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// NewDataSource returns the data source of a kind, for the provider's list.
func NewDataSource(k *kind.Kind) func() datasource.DataSource {
	return func() datasource.DataSource {
		return &instanceDataSource{resources.DataSource{Name: k.Resource()}, k}
	}
}

type instanceDataSource struct {
	resources.DataSource
	kind *kind.Kind
}

func (d *instanceDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schemas.DataSource(d.kind)
}

func (d *instanceDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	config := kind.ValuesOf(req.Config.Raw)
	name := value.Text(config[kind.RowName])
	if resp.Diagnostics.Append(d.Provider.Readable(fmt.Sprintf("Cannot read %s %q", d.kind.Name, name))...); resp.Diagnostics.HasError() {
		return
	}
	i := reading.New(d.kind, d.Provider).Of(config)
	values, diags := i.ReadByName(ctx, failures.Read, config, fmt.Sprintf("There is no %s %q", i.Kind.Name, name),
		func(answer value.Object) (kind.Values, error) { return states.Data(i.Kind, answer) })
	if resp.Diagnostics.Append(diags...); !diags.HasError() {
		resp.State.Raw = tftypes.NewValue(req.Config.Raw.Type(), values)
	}
}
