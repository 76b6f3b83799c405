// Package provider has the provider block, whose settings become one client, and the lists of the resources,
// data sources, ephemeral resources, actions, list resources and functions that the provider offers.
package provider

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	terraformfunction "github.com/hashicorp/terraform-plugin-framework/function"
	terraformlist "github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/function"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/protocol"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/entries"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/instance"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/layout"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/listing"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/operations"
)

// New returns the provider. version is the version of the provider.
func New(version string) *Provider { return &Provider{version: version} }

// NewWith is New for tests: change may change what the client gets, such as how long it waits before it
// retries a request, which is no setting.
func NewWith(version string, change func(*enms.Config)) *Provider {
	return &Provider{version: version, change: change}
}

// typeName is the name of the provider, with which the types of its resources begin.
const typeName = "enms"

// Provider is the provider as the framework calls it.
type Provider struct {
	version string
	change  func(*enms.Config) // nil outside tests
	// configured is what Configure has made; nil before that.
	configured atomic.Pointer[resources.Provider]
}

// Metadata names the provider.
func (p *Provider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = typeName
	resp.Version = p.version
}

// Schema returns the provider block.
func (p *Provider) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = blockSchema()
}

// ValidateConfig checks the defaults.
func (p *Provider) ValidateConfig(_ context.Context, req provider.ValidateConfigRequest, resp *provider.ValidateConfigResponse) {
	readDefaults(req.Config.Raw, &resp.Diagnostics)
}

// Configure makes what resources and data sources use. It sends no requests. While a setting is unknown, as
// it may be in a plan, there is no client.
func (p *Provider) Configure(_ context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	var block map[string]tftypes.Value
	_ = req.Config.Raw.As(&block) // always an object
	settings, unknown := readSettings(block, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	data := &resources.Provider{Unknown: unknown, AdoptExisting: settings.adoptExisting, DeletionPolicy: settings.deletionPolicy,
		FormerBaseURLs: settings.formerBaseURLs, IdentifyByName: settings.identifyBy == byName, Kinds: kinds.All()}
	data.Defaults = readDefaults(req.Config.Raw, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	if len(unknown) == 0 {
		if p.change != nil {
			p.change(&settings.config)
		}
		data.Client = settings.client(p.version, &resp.Diagnostics)
	}
	p.configured.Store(data)
	resp.ResourceData, resp.DataSourceData, resp.EphemeralResourceData, resp.ListResourceData, resp.ActionData = data, data, data, data, data
}

// Resources returns the resources that the framework serves: all but enms_instances.
func (p *Provider) Resources(context.Context) []func() resource.Resource {
	var list []func() resource.Resource
	for _, k := range kinds.All() {
		list = append(list, instance.NewResource(k, kinds.All()))
	}
	return append(list, layout.Workflows.NewResource, layout.Networks.NewResource, operations.NewPoolsUpdate, operations.NewResource)
}

// DataSources returns two data sources for each kind, for one instance and for many, and the others.
func (p *Provider) DataSources(context.Context) []func() datasource.DataSource {
	var list []func() datasource.DataSource
	for _, k := range kinds.All() {
		list = append(list, instance.NewDataSource(k), listing.NewDataSource(k))
	}
	return append(list, operations.NewServer, operations.NewRunResult, operations.NewRuns, operations.NewChangelog, operations.NewConfiguration)
}

// EphemeralResources returns the ephemeral resources, which read values that are in no state.
func (p *Provider) EphemeralResources(context.Context) []func() ephemeral.EphemeralResource {
	return []func() ephemeral.EphemeralResource{operations.NewEphemeralConfiguration, operations.NewEphemeralResult}
}

// Actions returns the actions, which run services and tasks, and update pools.
func (p *Provider) Actions(context.Context) []func() action.Action {
	return []func() action.Action{operations.NewAction, operations.NewTaskAction, operations.NewPoolsAction}
}

// ListResources returns one for each kind and for each kind of layout, for terraform query.
func (p *Provider) ListResources(context.Context) []func() terraformlist.ListResource {
	var all []func() terraformlist.ListResource
	for _, k := range kinds.All() {
		all = append(all, listing.NewQuery(k))
	}
	return append(all, layout.Workflows.NewList, layout.Networks.NewList)
}

// Functions returns the functions of the provider, which need neither its settings nor eNMS.
func (p *Provider) Functions(context.Context) []func() terraformfunction.Function {
	return function.All()
}

// NewServer returns the server of the provider. version is the version of the provider.
func NewServer(version string) (*protocol.Server, error) { return Serve(New(version)) }

// Serve returns the server of a provider that New or NewWith made.
func Serve(p *Provider) (*protocol.Server, error) {
	return protocol.New(protocol.Config{
		Provider: p, Kinds: kinds.All(), Configured: p.configured.Load,
		Resources: map[string]protocol.Resource{entries.TypeName: entries.New(kinds.All(), p.configured.Load)},
	})
}

// FromEnvironment returns a provider for what only reads, such as an export. Its client is that of an empty
// provider block: the settings come from environment variables or have their defaults. Settings of resources are
// left out. version is the version of the provider. The warnings are those that Terraform would show.
func FromEnvironment(version string) (p *resources.Provider, warnings []string, err error) {
	var diags diag.Diagnostics
	read, _ := readSettings(nil, &diags)
	p = &resources.Provider{Kinds: kinds.All()}
	if !diags.HasError() {
		p.Client = read.client(version, &diags)
	}
	for _, d := range diags {
		if d.Severity() == diag.SeverityError {
			err = errors.Join(err, errors.New(d.Summary()+": "+d.Detail()))
			continue
		}
		warnings = append(warnings, d.Summary()+": "+d.Detail())
	}
	return p, warnings, err
}
