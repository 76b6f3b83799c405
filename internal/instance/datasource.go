// This file is the data source behind every kind: one instance by its name,
// with all that eNMS tells of it.

package instance

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// NewDataSource is the data source of a kind, for the provider's list.
func NewDataSource(k *Kind) func() datasource.DataSource {
	return func() datasource.DataSource { return &instanceDataSource{kind: k} }
}

type instanceDataSource struct {
	kind     *Kind
	provider *Provider
}

var _ datasource.DataSourceWithConfigure = (*instanceDataSource)(nil)

func (d *instanceDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + d.kind.Name
}

func (d *instanceDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = d.kind.dataSourceSchema()
}

func (d *instanceDataSource) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	d.provider = providerOf(req.ProviderData, &resp.Diagnostics)
}

func (d *instanceDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	config := valuesOf(req.Config.Raw)
	name := text(config[rowName])
	if d.provider == nil || d.provider.Client == nil {
		resp.Diagnostics.AddError(fmt.Sprintf("Cannot read %s %q", d.kind.Name, name),
			d.provider.stillUnknown()+" Give it a value that is known when this data source is read.")
		return
	}
	answer, err := d.provider.Client.Get(ctx, d.kind.Name, name)
	if errors.Is(err, enms.ErrNotFound) {
		resp.Diagnostics.AddAttributeError(path.Root(rowName), fmt.Sprintf("There is no %s %q", d.kind.Name, name),
			"Write the full name, as eNMS shows it. "+d.kind.absence(err))
		return
	}
	var values Values
	if err == nil {
		values, err = d.values(answer)
	}
	if err != nil {
		resp.Diagnostics.Append(d.kind.problem("read", name, config, err)...)
		return
	}
	resp.State.Raw = tftypes.NewValue(req.Config.Raw.Type(), map[string]tftypes.Value(values))
}

// values are all attributes of the data source.
func (d *instanceDataSource) values(answer enms.Object) (Values, error) {
	values := Values{}
	for _, a := range d.kind.Rows() {
		if a.Role == Setting {
			continue
		}
		v, err := d.kind.attributeOf(a, answer, a.null())
		if err != nil {
			return nil, err
		}
		values[a.Name] = v
	}
	further, err := d.kind.furtherFields(answer)
	values[rowProperties] = further
	return values, err
}
