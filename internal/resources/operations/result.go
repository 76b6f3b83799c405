// This file is the data source and the ephemeral resource enms_run_result (reading.go).

package operations

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/runs"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
)

// NewRunResult returns the data source enms_run_result, for the provider's list.
func NewRunResult() datasource.DataSource {
	return &dataSource{resources.DataSource{Name: "run_result"},
		resultDoc + " The result is stored in the state: the ephemeral resource `enms_run_result` reads it without that.", resultAttributes(), newResultModel}
}

// NewEphemeralResult returns the ephemeral resource, for the provider's list.
func NewEphemeralResult() ephemeral.EphemeralResource {
	return &ephemeralResource{resources.Ephemeral{Name: "run_result"}, resultDoc + " The result is not stored in the state or the plan.", resultAttributes(), newResultModel}
}

// resultModel is what the data source and the ephemeral resource read.
type resultModel struct {
	Name    types.String `tfsdk:"name"`
	Service types.String `tfsdk:"service"`
	Runtime types.String `tfsdk:"runtime"`
	outcome
}

func newResultModel() model { return &resultModel{} }

// resultDoc describes the data source and the ephemeral resource.
const resultDoc = "The result of a run of a service, found by its name, or by the service and the start time. A failed run is not an error."

var (
	runNameValidators = []validator.String{stringvalidator.LengthAtLeast(1), stringvalidator.ExactlyOneOf(path.MatchRoot("name"), path.MatchRoot("runtime"))}
	serviceValidators = []validator.String{stringvalidator.LengthAtLeast(1), stringvalidator.AlsoRequires(path.MatchRoot("runtime"))}
	runtimeValidators = []validator.String{stringvalidator.LengthAtLeast(1), stringvalidator.AlsoRequires(path.MatchRoot("service"))}
)

// resultAttributes returns the attributes of the data source, which the ephemeral resource has, too.
func resultAttributes() map[string]schema.Attribute {
	list := func(doc string) schema.Attribute {
		return schema.ListAttribute{Computed: true, ElementType: types.StringType, MarkdownDescription: doc}
	}
	return map[string]schema.Attribute{
		"name":    schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: docRunName, Validators: runNameValidators},
		"service": schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: docRunService, Validators: serviceValidators},
		"runtime": schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: docRuntime, Validators: runtimeValidators},
		"status":  schema.StringAttribute{Computed: true, MarkdownDescription: docStatus},
		"success": schema.BoolAttribute{Computed: true, MarkdownDescription: docSuccess},
		"summary": schema.SingleNestedAttribute{Computed: true, MarkdownDescription: docSummary,
			Attributes: map[string]schema.Attribute{"success": list(docSucceeded), "failure": list(docFailed), "discard": list(docDiscarded)}},
		"result": schema.StringAttribute{Computed: true, MarkdownDescription: docResult},
	}
}

// read finds the run and reads its state.
func (m *resultModel) read(ctx context.Context, server *enms.Client) (diags diag.Diagnostics) {
	client := runs.New(server)
	run, err := m.find(ctx, client)
	if errors.Is(err, enms.ErrNotFound) {
		diags.AddError("There is no such run", fmt.Sprintf("eNMS has no run %s that this user may read.", m.words()))
		return diags
	}
	var state *runs.State
	if err == nil {
		state, err = client.State(ctx, run)
	}
	if err != nil {
		return append(diags, failures.Diagnostic("Cannot read the result of a run", err))
	}
	m.Name, m.Service, m.Runtime = types.StringValue(run.Name), types.StringValue(run.Service), types.StringValue(run.Runtime)
	m.outcome = outcomeOf(ctx, state, &diags)
	return diags
}

// find returns the requested run.
func (m *resultModel) find(ctx context.Context, client *runs.Client) (*runs.Started, error) {
	if name := m.Name.ValueString(); name != "" {
		return client.Named(ctx, name)
	}
	return client.At(ctx, m.Service.ValueString(), m.Runtime.ValueString())
}

// words describes the requested run, for an error.
func (m *resultModel) words() string {
	if name := m.Name.ValueString(); name != "" {
		return fmt.Sprintf("that is called %q", name)
	}
	return fmt.Sprintf("of service %q that began at %q", m.Service.ValueString(), m.Runtime.ValueString())
}
