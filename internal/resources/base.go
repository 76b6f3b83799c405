// This file is what all resources, data sources and actions have in common: they embed one of these.

package resources

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// Resource is the base of a resource. Name is the end of its type, such as "service_run".
type Resource struct {
	Name     string
	Provider *Provider // nil while Terraform validates
}

// Metadata returns the type.
func (r *Resource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + r.Name
}

// Configure takes the configured provider.
func (r *Resource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	r.Provider = providerOf(req.ProviderData, &resp.Diagnostics)
}

// DataSource is the base of a data source. Name is the end of its type, such as "run_result".
type DataSource struct {
	Name     string
	Provider *Provider // nil while Terraform validates
}

// Metadata returns the type.
func (d *DataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + d.Name
}

// Configure takes the configured provider.
func (d *DataSource) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	d.Provider = providerOf(req.ProviderData, &resp.Diagnostics)
}

// Ephemeral is the base of an ephemeral resource. Name is the end of its type, such as
// "device_configuration".
type Ephemeral struct {
	Name     string
	Provider *Provider // nil while Terraform validates
}

// Metadata returns the type.
func (e *Ephemeral) Metadata(_ context.Context, req ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + e.Name
}

// Configure takes the configured provider.
func (e *Ephemeral) Configure(_ context.Context, req ephemeral.ConfigureRequest, resp *ephemeral.ConfigureResponse) {
	e.Provider = providerOf(req.ProviderData, &resp.Diagnostics)
}

// Action is the base of an action. Name is the end of its type, such as "run_service".
type Action struct {
	Name     string
	Provider *Provider // nil while Terraform validates
}

// Metadata returns the type.
func (a *Action) Metadata(_ context.Context, req action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + a.Name
}

// Configure takes the configured provider.
func (a *Action) Configure(_ context.Context, req action.ConfigureRequest, resp *action.ConfigureResponse) {
	a.Provider = providerOf(req.ProviderData, &resp.Diagnostics)
}
