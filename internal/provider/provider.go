// Package provider is the provider block: its settings become one client, and
// the lists of what the provider offers become resources, data sources, actions
// and functions.
package provider

import (
	"context"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	terraformfunction "github.com/hashicorp/terraform-plugin-framework/function"
	terraformlist "github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/fetched"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/function"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/layout"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/lifecycle"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/pools"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/runs"
)

// New is the provider, for the plugin server. version is the provider's own.
func New(version string) func() provider.Provider {
	return func() provider.Provider { return &enmsProvider{version: version} }
}

// NewWith is New for tests: change has the last word on what the client is told,
// such as how long it waits before it sends a request again, which is no setting.
func NewWith(version string, change func(*enms.Config)) func() provider.Provider {
	return func() provider.Provider { return &enmsProvider{version: version, change: change} }
}

// typeName is the name of the provider, with which the types of all that it has begin.
const typeName = "enms"

type enmsProvider struct {
	version string
	change  func(*enms.Config) // nil outside tests
	// configured is what Configure has made; nil before.
	configured atomic.Pointer[lifecycle.Provider]
}

func (p *enmsProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = typeName
	resp.Version = p.version
}

func (p *enmsProvider) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = blockSchema()
}

// Configure makes the client; it sends nothing. Nothing is made while a setting
// is unknown, as it may be at plan time.
func (p *enmsProvider) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	settings, unknown := readSettings(ctx, req.Config, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	data := &lifecycle.Provider{Unknown: unknown, AdoptExisting: settings.adoptExisting, DeletionPolicy: settings.deletionPolicy, Kinds: kinds.All()}
	if len(unknown) == 0 {
		if p.change != nil {
			p.change(&settings.config)
		}
		data.Client = settings.client(p.version, &resp.Diagnostics)
	}
	p.configured.Store(data)
	resp.ResourceData, resp.DataSourceData, resp.ListResourceData, resp.ActionData = data, data, data, data
}

func (p *enmsProvider) Resources(context.Context) []func() resource.Resource {
	var list []func() resource.Resource
	for _, k := range kinds.All() {
		list = append(list, lifecycle.NewResource(k))
	}
	return append(list, layout.New, pools.New, runs.NewResource)
}

func (p *enmsProvider) DataSources(context.Context) []func() datasource.DataSource {
	var list []func() datasource.DataSource
	for _, k := range kinds.All() {
		list = append(list, lifecycle.NewDataSource(k), lifecycle.NewListDataSource(k))
	}
	return append(list, runs.NewDataSource, fetched.New)
}

func (p *enmsProvider) Actions(context.Context) []func() action.Action {
	return []func() action.Action{runs.NewAction, runs.NewTaskAction, pools.NewAction}
}

func (p *enmsProvider) ListResources(context.Context) []func() terraformlist.ListResource {
	var all []func() terraformlist.ListResource
	for _, k := range kinds.All() {
		all = append(all, lifecycle.NewListResource(k))
	}
	return all
}

func (p *enmsProvider) Functions(context.Context) []func() terraformfunction.Function {
	return function.All()
}
