// This file is the data source of one instance behind every kind. The framework has its schema; package protocol calls
// ReadData.

package instance

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"

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

// Read is never called: package protocol calls ReadData in its place.
func (d *instanceDataSource) Read(context.Context, datasource.ReadRequest, *datasource.ReadResponse) {
}

// ReadData returns the values of the data source of a kind.
func (l *Lifecycle) ReadData(ctx context.Context, config kind.Values) (kind.Values, diag.Diagnostics) {
	provider, name := l.provider(), value.Text(config[kind.RowName])
	if diags := provider.Readable(fmt.Sprintf("Cannot read %s %q", l.kind.Name, name)); diags.HasError() {
		return nil, diags
	}
	i := reading.New(l.kind, provider).Of(config)
	return i.ReadByName(ctx, failures.Read, config, fmt.Sprintf("There is no %s %q", i.Kind.Name, name),
		func(answer value.Object) (kind.Values, error) { return states.Data(i.Kind, answer) })
}
