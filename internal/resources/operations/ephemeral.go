// This file is the ephemeral resources enms_device_configuration and enms_run_result. They read the same
// as the data sources (configuration.go, datasource.go), but what they read, which may contain
// passwords, is in no state and no plan.

package operations

import (
	"context"

	datasource "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
)

// NewEphemeralConfiguration returns the ephemeral resource, for the provider's list.
func NewEphemeralConfiguration() ephemeral.EphemeralResource {
	return &ephemeralText{resources.Ephemeral{Name: "device_configuration"}}
}

type ephemeralText struct{ resources.Ephemeral }

var _ ephemeral.EphemeralResourceWithConfigure = (*ephemeralText)(nil)

func (e *ephemeralText) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	resp.Schema = schema.Schema{MarkdownDescription: textDoc + " The text is in no state and no plan.",
		Attributes: ephemeralOf(textAttributes("The text; `\"\"` if none was ever fetched."))}
}

// Open asks for the text in a search, which is shared with other devices.
func (e *ephemeralText) Open(ctx context.Context, req ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	var asked textModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &asked)...)
	client := e.Provider.Configured(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if resp.Diagnostics.Append(asked.read(ctx, client)...); !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(resp.Result.Set(ctx, asked)...)
	}
}

// NewEphemeralResult returns the ephemeral resource, for the provider's list.
func NewEphemeralResult() ephemeral.EphemeralResource {
	return &ephemeralResult{resources.Ephemeral{Name: "run_result"}}
}

type ephemeralResult struct{ resources.Ephemeral }

var _ ephemeral.EphemeralResourceWithConfigure = (*ephemeralResult)(nil)

func (e *ephemeralResult) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	resp.Schema = schema.Schema{MarkdownDescription: resultDoc + " The result is in no state and no plan.", Attributes: ephemeralOf(resultAttributes())}
}

// Open finds the run and reads its state.
func (e *ephemeralResult) Open(ctx context.Context, req ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	var asked resultModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &asked)...)
	client := clientOf(e.Provider, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if resp.Diagnostics.Append(asked.read(ctx, client)...); !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(resp.Result.Set(ctx, asked)...)
	}
}

// ephemeralOf returns the attributes of a data source as those of an ephemeral resource.
func ephemeralOf(attributes map[string]datasource.Attribute) map[string]schema.Attribute {
	made := map[string]schema.Attribute{}
	for name, a := range attributes {
		switch a := a.(type) {
		case datasource.StringAttribute:
			made[name] = schema.StringAttribute(a)
		case datasource.BoolAttribute:
			made[name] = schema.BoolAttribute(a)
		case datasource.ListAttribute:
			made[name] = schema.ListAttribute(a)
		case datasource.SingleNestedAttribute:
			made[name] = schema.SingleNestedAttribute{Computed: a.Computed, MarkdownDescription: a.MarkdownDescription, Attributes: ephemeralOf(a.Attributes)}
		}
	}
	return made
}
