// This file is the ephemeral resources enms_device_configuration and enms_run_result, which read the same
// as the data sources (configuration.go, datasource.go): what may hold passwords is then in no state and
// no plan.

package operations

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
)

// NewEphemeralConfiguration returns the ephemeral resource, for the provider's list.
func NewEphemeralConfiguration() ephemeral.EphemeralResource {
	return &ephemeralText{resources.Ephemeral{Name: "device_configuration"}}
}

type ephemeralText struct{ resources.Ephemeral }

var _ ephemeral.EphemeralResourceWithConfigure = (*ephemeralText)(nil)

func (e *ephemeralText) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	attributes := map[string]schema.Attribute{
		"text": schema.StringAttribute{Computed: true, Sensitive: true, MarkdownDescription: "The text; `\"\"` if none was ever fetched."},
	}
	for name, doc := range textDocs {
		attributes[name] = schema.StringAttribute{Computed: true, MarkdownDescription: doc}
	}
	attributes["device"] = schema.StringAttribute{Required: true, MarkdownDescription: textDocs["device"], Validators: deviceValidators}
	attributes["property"] = schema.StringAttribute{Optional: true, MarkdownDescription: textDocs["property"], Validators: propertyValidators}
	resp.Schema = schema.Schema{MarkdownDescription: textDoc + " The text is in no state and no plan.", Attributes: attributes}
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
	list := func(doc string) schema.Attribute {
		return schema.ListAttribute{Computed: true, ElementType: types.StringType, MarkdownDescription: doc}
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: resultDoc + " The result is in no state and no plan.",
		Attributes: map[string]schema.Attribute{
			"name":    schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: docRunName, Validators: runNameValidators},
			"service": schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: docRunService, Validators: serviceValidators},
			"runtime": schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: docRuntime, Validators: runtimeValidators},
			"status":  schema.StringAttribute{Computed: true, MarkdownDescription: docStatus},
			"success": schema.BoolAttribute{Computed: true, MarkdownDescription: docSuccess},
			"summary": schema.SingleNestedAttribute{Computed: true, MarkdownDescription: docSummary,
				Attributes: map[string]schema.Attribute{"success": list(docSucceeded), "failure": list(docFailed), "discard": list(docDiscarded)}},
			"result": schema.StringAttribute{Computed: true, MarkdownDescription: docResult},
		},
	}
}

// Open finds the run and asks how it stands.
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
