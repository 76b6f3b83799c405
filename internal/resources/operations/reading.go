// This file is the data sources and the ephemeral resources enms_device_configuration and
// enms_run_result. Both read the same (configuration.go, result.go), but what an ephemeral resource
// reads, which may contain passwords, is in no state and no plan.

package operations

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	dataschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
)

// model is a pointer to a struct with the attributes of a data source and of an ephemeral resource.
type model interface {
	// read sets the attributes to what eNMS has.
	read(ctx context.Context, client *enms.Client) diag.Diagnostics
}

// dataSource is a data source that reads a model.
type dataSource struct {
	resources.DataSource
	doc        string
	attributes map[string]dataschema.Attribute
	newModel   func() model
}

func (d *dataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = dataschema.Schema{MarkdownDescription: d.doc, Attributes: d.attributes}
}

func (d *dataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	asked := d.newModel()
	resp.Diagnostics.Append(req.Config.Get(ctx, asked)...)
	client := d.Provider.Configured(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if resp.Diagnostics.Append(asked.read(ctx, client)...); !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(resp.State.Set(ctx, asked)...)
	}
}

// ephemeralResource is an ephemeral resource that reads a model.
type ephemeralResource struct {
	resources.Ephemeral
	doc        string
	attributes map[string]dataschema.Attribute
	newModel   func() model
}

func (e *ephemeralResource) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	resp.Schema = schema.Schema{MarkdownDescription: e.doc, Attributes: ephemeralOf(e.attributes)}
}

func (e *ephemeralResource) Open(ctx context.Context, req ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	asked := e.newModel()
	resp.Diagnostics.Append(req.Config.Get(ctx, asked)...)
	client := e.Provider.Configured(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if resp.Diagnostics.Append(asked.read(ctx, client)...); !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(resp.Result.Set(ctx, asked)...)
	}
}

// ephemeralOf returns the attributes of a data source of this package as those of an ephemeral resource.
func ephemeralOf(attributes map[string]dataschema.Attribute) map[string]schema.Attribute {
	made := map[string]schema.Attribute{}
	for name, a := range attributes {
		switch a := a.(type) {
		case dataschema.StringAttribute:
			made[name] = schema.StringAttribute(a)
		case dataschema.BoolAttribute:
			made[name] = schema.BoolAttribute(a)
		case dataschema.ListAttribute:
			made[name] = schema.ListAttribute(a)
		case dataschema.SingleNestedAttribute:
			made[name] = schema.SingleNestedAttribute{Computed: a.Computed, MarkdownDescription: a.MarkdownDescription, Attributes: ephemeralOf(a.Attributes)}
		}
	}
	return made
}
